//! All states of a system of agents as a labelled transition system, by the rules on process terms.
//!
//! In: a system and the rules of a run. Out: an [`Lts`]. A label is what happens, with the values that change:
//! `Node 0: leader = 0`. If there are several initial states, one more state comes first, and its steps choose
//! the values. A step that leaves the language ends in a state of its own.

use paramcheck_labs::model::{AgentId, System};
use paramcheck_labs::semantics::evaluate::Value;
use paramcheck_labs::semantics::explore::{NoSpace, initial_values};
use paramcheck_labs::semantics::run::changes;
use paramcheck_labs::semantics::step::{Label, Outcome, Rules, State, Stepper};
use paramcheck_process::model::LabelId;
use paramcheck_process::semantics::lts::{Lts, Transition};
use paramcheck_process::semantics::network::Incomplete;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::{Budget, Phase};
use rustc_hash::FxHashMap;

use super::Unfit;

/// A state of the labelled transition system.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    /// Before the initial values are chosen.
    Begin,
    /// A state of the system.
    At(State),
    /// Behind a step that leaves the language.
    Fault,
}

/// All states, or `max_states` where there are more.
///
/// # Errors
/// There is no initial state, or which ones there are is not known.
pub fn states(system: &System, rules: Rules, max_states: usize, budget: &Budget) -> Result<Lts, Unfit> {
    budget.progress.enter(Phase::Exploring);
    let mut stepper = Stepper::limited(system, rules, max_states);
    let initial = initial_values(system, &rules, max_states, budget).map_err(unfit)?;
    let initial: Vec<State> = initial.into_iter().map(|cells| stepper.initial(cells)).collect();
    let mut growing = Growing {
        labels: [("tau".to_owned(), LabelId::new(0))].into_iter().collect(),
        lts: Lts::new(
            std::iter::once("tau".to_owned()).collect(),
            system.agents.indices().map(|agent| system.agent_name(agent)).collect(),
        ),
        known: FxHashMap::default(),
        nodes: Vec::new(),
        max_states,
        is_full: false,
    };
    match initial.as_slice() {
        [] => return Err(Unfit::NoInitialState),
        [only] => growing.state(system, &mut stepper, Node::At(only.clone())),
        _ => growing.state(system, &mut stepper, Node::Begin),
    };
    let mut next = 0;
    let mut limit = None;
    while let Some(node) = growing.nodes.get(next).cloned() {
        if let Err(stop) = budget.check() {
            limit = Some(Incomplete::Stopped(stop));
            break;
        }
        let mut transitions = Vec::new();
        match &node {
            Node::Fault => {}
            Node::Begin => {
                for state in &initial {
                    let label = chosen(system, &state.store.cells);
                    transitions.extend(growing.transition(
                        system,
                        &mut stepper,
                        label,
                        &[],
                        Node::At(state.clone()),
                    ));
                }
            }
            Node::At(state) => {
                for (label, outcome) in stepper.successors(state) {
                    let agent = actor(&label).index() as u32;
                    let words = words(system, state, &label, &outcome);
                    let after = outcome.map_or(Node::Fault, Node::At);
                    transitions.extend(growing.transition(system, &mut stepper, words, &[agent], after));
                }
            }
        }
        if growing.is_full || stepper.is_cut() {
            limit = Some(Incomplete::States(max_states));
            growing.lts.expand_partly(transitions);
            break;
        }
        growing.lts.expand(transitions);
        next += 1;
        budget.progress.set(growing.nodes.len() as u64);
    }
    growing.lts.incomplete = limit;
    Ok(growing.lts)
}

fn unfit(reason: NoSpace) -> Unfit {
    match reason {
        NoSpace::TooMany => Unfit::TooLarge,
        NoSpace::Stopped(stop) => Unfit::Stopped(stop),
        NoSpace::Fault(fault) => Unfit::Assumption(fault),
        NoSpace::Foreign => Unfit::Foreign,
    }
}

struct Growing {
    lts: Lts,
    labels: FxHashMap<String, LabelId>,
    known: FxHashMap<Node, u32>,
    nodes: Vec<Node>,
    max_states: usize,
    is_full: bool,
}

impl Growing {
    fn state(&mut self, system: &System, stepper: &mut Stepper<'_>, node: Node) -> Option<u32> {
        if let Some(id) = self.known.get(&node) {
            return Some(*id);
        }
        if self.nodes.len() >= self.max_states {
            self.is_full = true;
            return None;
        }
        let id = self.lts.add_state(has_ended(system, stepper, &node));
        self.known.insert(node.clone(), id);
        self.nodes.push(node);
        Some(id)
    }

    fn transition(
        &mut self,
        system: &System,
        stepper: &mut Stepper<'_>,
        label: String,
        agents: &[u32],
        after: Node,
    ) -> Option<Transition> {
        let target = self.state(system, stepper, after)?;
        let label = match self.labels.get(&label) {
            Some(id) => *id,
            None => {
                let id = self.lts.labels.push(label.clone());
                self.labels.insert(label, id);
                id
            }
        };
        Some(Transition { label, target, agents: self.lts.agent_set(agents) })
    }
}

/// Whether all agents have ended, and nothing is to be sent.
fn has_ended(system: &System, stepper: &mut Stepper<'_>, node: &Node) -> bool {
    let Node::At(state) = node else { return false };
    let is_done = |stepper: &mut Stepper<'_>, agent: AgentId| {
        stepper.control().is_done(state.terms[agent.index()]) && !state.store.is_pending(system, agent)
    };
    system.agents.indices().all(|agent| is_done(stepper, agent))
}

fn actor(label: &Label) -> AgentId {
    match label {
        Label::Act(agent) | Label::Propagate(agent, _) | Label::Confirm(agent, _) => *agent,
    }
}

/// What happens, with the values that change; those of the one who acts come without its name.
fn words(system: &System, before: &State, label: &Label, outcome: &Outcome) -> String {
    let name = system.agent_name(actor(label));
    let tuple = |tuple: &paramcheck_labs::model::TupleId| {
        let names = &system.tuples[*tuple].variables;
        itertools::join(names.iter().map(|name| &system.names[*name].text), ", ")
    };
    let who = match label {
        Label::Act(_) => name,
        Label::Propagate(_, sent) => format!("{name} propagates {}", tuple(sent)),
        Label::Confirm(_, sent) => format!("{name} confirms {}", tuple(sent)),
    };
    let what = match outcome {
        Err(fault) => format!("fault: {fault}"),
        Ok(after) => {
            let changes = changes(&before.store, &after.store);
            itertools::join(
                changes.iter().map(|(at, value)| cell(system, Some(actor(label)), *at, *value)),
                ", ",
            )
        }
    };
    if what.is_empty() { who } else { format!("{who}: {what}") }
}

fn cell(system: &System, actor: Option<AgentId>, at: usize, value: Value) -> String {
    let (owner, variable) = system.cell_name(at);
    let value = value.map_or_else(|| "undef".to_owned(), |value| value.to_string());
    match owner {
        Some(agent) if Some(agent) != actor => format!("{} {variable} = {value}", system.agent_name(agent)),
        _ => format!("{variable} = {value}"),
    }
}

/// The initial values that are a choice.
fn chosen(system: &System, cells: &[Value]) -> String {
    let choices =
        system.initial.iter().zip(cells).enumerate().filter(|(_, (initial, _))| initial.count() > 1);
    let values = choices.map(|(at, (_, value))| cell(system, None, at, *value));
    format!("begin: {}", itertools::join(values, ", "))
}
