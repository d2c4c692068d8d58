//! A run of agents, written out: values at first, and what each step changes.

use std::fmt;

use serde::{Deserialize, Serialize};

use paramcheck_labs::model::{AgentId, System, TupleId};
use paramcheck_labs::semantics::run::{Ending, changes};
use paramcheck_labs::semantics::step::Label;
use paramcheck_labs::semantics::store::Store;
use paramcheck_text::source::{SourceFile, Span};
use paramcheck_verdict::labs::ReplayedRun;

/// A run, from the initial state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct RunReport {
    /// All values at first.
    pub initial: Vec<CellReport>,
    /// The steps.
    pub steps: Vec<StepReport>,
    /// How many steps come before those that repeat for ever; `None` for a run that does not.
    pub loop_start: Option<usize>,
    /// How a run ends; `None` for one that does not.
    pub end: Option<End>,
}

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// It could go on.
    Open,
    /// Nothing can happen.
    Stuck,
    /// One more step leaves the language.
    Fault,
}

/// What happens in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// An agent acts.
    Act,
    /// It sends what it has of a tuple.
    Propagate,
    /// It sends what it has of a tuple, and newer copies answer.
    Confirm,
    /// An initial value is chosen; only where one goes step by step.
    Choose,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Action::Act => "act",
            Action::Propagate => "propagate",
            Action::Confirm => "confirm",
            Action::Choose => "choose",
        })
    }
}

/// A value: of an agent's variable, or one of the environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct CellReport {
    /// The agent; `None` for the environment.
    pub agent: Option<String>,
    /// The variable, or the element of an array.
    pub variable: String,
    /// Its value; `None` is undefined.
    pub value: Option<i64>,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct StepReport {
    /// Who acts, or sends.
    pub agent: String,
    /// What is done.
    pub action: Action,
    /// What a message is about: the variables of a tuple; `None` for an act.
    pub tuple: Option<Vec<String>>,
    /// The line in which it is written; `None` for a message.
    pub line: Option<usize>,
    /// What is different afterwards.
    pub changes: Vec<CellReport>,
    /// The messages that are to be sent afterwards.
    pub pending: Vec<PendingReport>,
    /// Who has newer values than whom afterwards, of the tuples for which that has changed.
    pub ages: Vec<AgesReport>,
}

/// A message that is to be sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct PendingReport {
    /// Who is to send it.
    pub agent: String,
    /// [`Action::Propagate`] or [`Action::Confirm`].
    pub action: Action,
    /// The variables of the tuple.
    pub tuple: Vec<String>,
}

/// Who has newer values of a tuple.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct AgesReport {
    /// The variables of the tuple.
    pub tuple: Vec<String>,
    /// The agents, the newest first; those of one age together.
    pub newest_first: Vec<Vec<String>>,
}

/// Who leaves the language behind the end of a run.
pub(super) fn failing_agent(system: &System, ending: &Ending) -> Option<String> {
    match ending {
        Ending::Fault(label, _) => Some(what(system, label).0),
        Ending::Open | Ending::Stuck | Ending::BackTo(_) => None,
    }
}

/// Who does what, with which tuple.
pub(crate) fn what(system: &System, label: &Label) -> (String, Action, Option<TupleId>) {
    match label {
        Label::Act(agent) => (system.agent_name(*agent), Action::Act, None),
        Label::Propagate(agent, tuple) => (system.agent_name(*agent), Action::Propagate, Some(*tuple)),
        Label::Confirm(agent, tuple) => (system.agent_name(*agent), Action::Confirm, Some(*tuple)),
    }
}

pub(crate) fn variables(system: &System, tuple: TupleId) -> Vec<String> {
    system.tuples[tuple].variables.iter().map(|name| system.names[*name].text.clone()).collect()
}

pub(crate) fn cell(system: &System, cell: usize, value: Option<i64>) -> CellReport {
    let (agent, variable) = system.cell_name(cell);
    CellReport { agent: agent.map(|agent| system.agent_name(agent)), variable, value }
}

pub(crate) fn pending(system: &System, store: &Store) -> Vec<PendingReport> {
    let mut all = Vec::new();
    for agent in system.agents.indices() {
        for tuple in system.tuples.indices() {
            let mut add = |action| {
                let (agent, tuple) = (system.agent_name(agent), variables(system, tuple));
                all.push(PendingReport { agent, action, tuple });
            };
            if store.confirms(system, agent, tuple) {
                add(Action::Confirm);
            }
            if store.propagates(system, agent, tuple) {
                add(Action::Propagate);
            }
        }
    }
    all
}

/// Who has newer values, a line per tuple: `  leader: Node 1 newer than Node 0, Node 2`.
pub(crate) fn write_ages(system: &System, store: &Store) -> String {
    let lines = system.tuples.indices().map(|tuple| {
        let ages = by_age(system, store, tuple);
        let names =
            |agents: &Vec<AgentId>| itertools::join(agents.iter().map(|one| system.agent_name(*one)), ", ");
        let newest_first = itertools::join(ages.iter().map(names), ", newer than ");
        format!("  {}: {newest_first}\n", variables(system, tuple).join(", "))
    });
    lines.collect()
}

/// The agents that have copies of a tuple, by age.
fn by_age(system: &System, store: &Store, tuple: TupleId) -> Vec<Vec<AgentId>> {
    let mut ages: Vec<Vec<AgentId>> = Vec::new();
    for agent in system.holders(tuple) {
        let rank = store.rank(system, agent, tuple) as usize;
        ages.resize_with(ages.len().max(rank + 1), Vec::new);
        ages[rank].push(agent);
    }
    ages.reverse();
    ages
}

impl StepReport {
    /// The report of a step from one store to another, which is written at `place`.
    pub fn new(
        system: &System,
        source: &SourceFile,
        label: &Label,
        (before, after): (&Store, &Store),
        place: Option<Span>,
    ) -> Self {
        let (agent, action, tuple) = what(system, label);
        let names = |agents: &Vec<AgentId>| agents.iter().map(|agent| system.agent_name(*agent)).collect();
        let tuples = system.tuples.indices();
        let ages = tuples.filter_map(|tuple| {
            let now = by_age(system, after, tuple);
            (now != by_age(system, before, tuple)).then(|| AgesReport {
                tuple: variables(system, tuple),
                newest_first: now.iter().map(names).collect(),
            })
        });
        StepReport {
            agent,
            action,
            tuple: tuple.map(|tuple| variables(system, tuple)),
            line: place.map(|place| source.line_column(place.start).0),
            changes: changes(before, after).into_iter().map(|(at, value)| cell(system, at, value)).collect(),
            pending: pending(system, after),
            ages: ages.collect(),
        }
    }

    /// Whether both are the same step with the same effect, wherever it is written.
    pub fn is_same(&self, other: &StepReport) -> bool {
        StepReport { line: other.line, ..self.clone() } == *other
    }
}

impl RunReport {
    /// The report of a run.
    pub fn new(system: &System, source: &SourceFile, run: &ReplayedRun) -> Self {
        let first = run.stores.first();
        let cells = first.map_or(&[][..], |store| store.cells.as_slice());
        let steps = run.labels.iter().zip(run.stores.windows(2)).zip(&run.places);
        let steps = steps.map(|((label, stores), place)| {
            let [before, after] = stores else { return None };
            Some(StepReport::new(system, source, label, (before, after), *place))
        });
        RunReport {
            initial: cells.iter().enumerate().map(|(at, value)| cell(system, at, *value)).collect(),
            steps: steps.flatten().collect(),
            loop_start: match run.ending {
                Ending::BackTo(step) => Some(step),
                Ending::Open | Ending::Stuck | Ending::Fault(..) => None,
            },
            end: match run.ending {
                Ending::BackTo(_) => None,
                Ending::Open => Some(End::Open),
                Ending::Stuck => Some(End::Stuck),
                Ending::Fault(..) => Some(End::Fault),
            },
        }
    }
}
