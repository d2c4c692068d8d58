//! A run of agents, written out: values at first, and what each step changes.

use serde::Serialize;

use paramcheck_labs::model::{AgentId, System, TupleId};
use paramcheck_labs::semantics::run::{Ending, changes};
use paramcheck_labs::semantics::step::Label;
use paramcheck_labs::semantics::store::Store;
use paramcheck_text::source::SourceFile;
use paramcheck_verdict::labs::ReplayedRun;

/// A run, from the initial state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunReport {
    /// All values at first.
    pub initial: Vec<CellReport>,
    /// The steps.
    pub steps: Vec<StepReport>,
    /// How many steps come before those that repeat for ever; `None` for a run that does not.
    pub loop_start: Option<usize>,
    /// How a run ends: `stuck`, `fault`, or `open` where it could go on; `None` for one that does not end.
    pub end: Option<&'static str>,
}

/// A value: of an agent's variable, or one of the environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CellReport {
    /// The agent; `None` for the environment.
    pub agent: Option<String>,
    /// The variable, or the element of an array.
    pub variable: String,
    /// Its value; `None` is undefined.
    pub value: Option<i64>,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepReport {
    /// Who acts, or sends.
    pub agent: String,
    /// What is done: `act`, `propagate` or `confirm`.
    pub action: &'static str,
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PendingReport {
    /// Who is to send it.
    pub agent: String,
    /// `propagate` or `confirm`.
    pub action: &'static str,
    /// The variables of the tuple.
    pub tuple: Vec<String>,
}

/// Who has newer values of a tuple.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
fn what(system: &System, label: &Label) -> (String, &'static str, Option<TupleId>) {
    match label {
        Label::Act(agent) => (system.agent_name(*agent), "act", None),
        Label::Propagate(agent, tuple) => (system.agent_name(*agent), "propagate", Some(*tuple)),
        Label::Confirm(agent, tuple) => (system.agent_name(*agent), "confirm", Some(*tuple)),
    }
}

fn variables(system: &System, tuple: TupleId) -> Vec<String> {
    system.tuples[tuple].variables.iter().map(|name| system.names[*name].text.clone()).collect()
}

fn cell(system: &System, cell: usize, value: Option<i64>) -> CellReport {
    let (agent, variable) = system.cell_name(cell);
    CellReport { agent: agent.map(|agent| system.agent_name(agent)), variable, value }
}

fn pending(system: &System, store: &Store) -> Vec<PendingReport> {
    let mut all = Vec::new();
    for agent in system.agents.indices() {
        for tuple in system.tuples.indices() {
            let mut add = |action| {
                let (agent, tuple) = (system.agent_name(agent), variables(system, tuple));
                all.push(PendingReport { agent, action, tuple });
            };
            if store.confirms(system, agent, tuple) {
                add("confirm");
            }
            if store.propagates(system, agent, tuple) {
                add("propagate");
            }
        }
    }
    all
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

impl RunReport {
    /// The report of a run.
    pub fn new(system: &System, source: &SourceFile, run: &ReplayedRun) -> Self {
        let first = run.stores.first();
        let cells = first.map_or(&[][..], |store| store.cells.as_slice());
        let steps = run.labels.iter().zip(run.stores.windows(2)).zip(&run.places);
        let steps = steps.map(|((label, stores), place)| {
            let [before, after] = stores else { return None };
            let (agent, action, tuple) = what(system, label);
            let names =
                |agents: &Vec<AgentId>| agents.iter().map(|agent| system.agent_name(*agent)).collect();
            let tuples = system.tuples.indices();
            let ages = tuples.filter_map(|tuple| {
                let now = by_age(system, after, tuple);
                (now != by_age(system, before, tuple)).then(|| AgesReport {
                    tuple: variables(system, tuple),
                    newest_first: now.iter().map(names).collect(),
                })
            });
            Some(StepReport {
                agent,
                action,
                tuple: tuple.map(|tuple| variables(system, tuple)),
                line: place.map(|place| source.line_column(place.start).0),
                changes: changes(before, after)
                    .into_iter()
                    .map(|(at, value)| cell(system, at, value))
                    .collect(),
                pending: pending(system, after),
                ages: ages.collect(),
            })
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
                Ending::Open => Some("open"),
                Ending::Stuck => Some("stuck"),
                Ending::Fault(..) => Some("fault"),
            },
        }
    }
}
