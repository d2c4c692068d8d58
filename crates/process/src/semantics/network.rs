//! The system as a network: its agents, and the operators that they stand under.
//!
//! Agents are the operands of the outermost parallel compositions, from the left; constants, restrictions and
//! relabellings are looked through on the way to them. (`(A | B ^ 2) \ {a}` has three agents, `(A | B); C` is
//! one.) The agents of a choreography are its peers. What stands above the agents never changes, so a state
//! of the system is one behaviour per agent. A step belongs to the agents that take part.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::behaviour::{BehaviourId, Behaviours, Move};
use super::combine::Algebra;
use super::inner::Inner;
use crate::Language;
use crate::model::{
    LabelId, RelabellingId, RestrictionId, Synchronisation, SynchronisationId, System, Term, TermId, tau,
};
use crate::show;
use paramcheck_text::limits::{Budget, Stop};

/// Larger networks are not explored.
const MAX_NODES: usize = 1 << 20;

/// Why the states of a system are not all known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incomplete {
    /// The budget ended.
    Stopped(Stop),
    /// There are more states than allowed; this many were found.
    States(usize),
    /// There are more agents than can be explored.
    Agents,
    /// The automaton of a temporal formula would be too large.
    Formula,
}

impl std::fmt::Display for Incomplete {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Incomplete::Stopped(stop) => stop.fmt(f),
            Incomplete::States(limit) => write!(f, "the limit of {limit} states was reached"),
            Incomplete::Formula => f.write_str("the automaton of the formula is too large"),
            Incomplete::Agents => write!(f, "more than {MAX_NODES} processes side by side"),
        }
    }
}

impl From<Stop> for Incomplete {
    fn from(stop: Stop) -> Self {
        Incomplete::Stopped(stop)
    }
}

/// An operator above the agents; what it stands over has smaller positions.
enum Node {
    Agent(u32),
    Parallel(SynchronisationId, Vec<usize>),
    Restrict(usize, RestrictionId),
    Relabel(usize, RelabellingId),
}

/// The agents of a system and what they stand under.
struct Network {
    /// The last one is the whole.
    nodes: Vec<Node>,
    /// What each agent is at first.
    agents: Vec<TermId>,
}

impl Network {
    fn new(system: &System, budget: &Budget) -> Result<Self, Incomplete> {
        let mut network = Network { nodes: Vec::new(), agents: Vec::new() };
        let mut known = FxHashMap::default();
        // A term still to be put in, or an operator whose parts are.
        enum Todo {
            Enter(TermId),
            Leave(TermId, usize),
        }
        let mut todo = vec![Todo::Enter(system.root)];
        let mut done: Vec<usize> = Vec::new();
        while let Some(next) = todo.pop() {
            if network.nodes.len() + todo.len() > MAX_NODES {
                return Err(Incomplete::Agents);
            }
            budget.check()?;
            let node = match next {
                Todo::Enter(id) => match &system.terms[id] {
                    _ if !has_agents(system, id, &mut known) => network.agent(id),
                    Term::Constant(constant) => {
                        todo.push(Todo::Enter(system.constants[*constant].body));
                        continue;
                    }
                    Term::Parallel(synchronisation, parts)
                        if system.synchronisations[*synchronisation] == Synchronisation::Rendezvous =>
                    {
                        let peers = parts
                            .iter()
                            .map(|part| {
                                let agent = network.agent(*part);
                                network.nodes.push(agent);
                                network.nodes.len() - 1
                            })
                            .collect();
                        Node::Parallel(*synchronisation, peers)
                    }
                    term => {
                        let parts: Vec<TermId> = term.parts().collect();
                        todo.push(Todo::Leave(id, parts.len()));
                        todo.extend(parts.into_iter().rev().map(Todo::Enter));
                        continue;
                    }
                },
                Todo::Leave(id, count) => {
                    let parts = done.split_off(done.len().saturating_sub(count));
                    match (&system.terms[id], parts.as_slice()) {
                        (Term::Restrict(_, set), [inside]) => Node::Restrict(*inside, *set),
                        (Term::Relabel(_, map), [inside]) => Node::Relabel(*inside, *map),
                        (Term::Parallel(synchronisation, _), _) => Node::Parallel(*synchronisation, parts),
                        // No other term is entered.
                        _ => network.agent(id),
                    }
                }
            };
            network.nodes.push(node);
            done.push(network.nodes.len() - 1);
        }
        Ok(network)
    }

    fn agent(&mut self, term: TermId) -> Node {
        self.agents.push(term);
        Node::Agent(self.agents.len() as u32 - 1)
    }
}

/// Whether a parallel composition stands under constants, restrictions and relabellings alone.
fn has_agents(system: &System, term: TermId, known: &mut FxHashMap<TermId, bool>) -> bool {
    let mut way = Vec::new();
    let mut at = term;
    let answer = loop {
        if let Some(answer) = known.get(&at) {
            break *answer;
        }
        way.push(at);
        at = match &system.terms[at] {
            Term::Parallel(..) => break true,
            Term::Constant(constant) => system.constants[*constant].body,
            Term::Restrict(inside, _) | Term::Relabel(inside, _) => *inside,
            _ => break false,
        };
    };
    known.extend(way.into_iter().map(|term| (term, answer)));
    answer
}

/// A step of the system.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step<T = BehaviourId> {
    /// Its label.
    pub label: LabelId,
    /// Who takes part, ascending, and what each contributes: what it is afterwards.
    pub changes: Vec<(u32, T)>,
    /// For a `tau` made of an action and its co-action: the one with the smaller id.
    pub via: Option<LabelId>,
}

/// Executes a system.
pub struct Interpreter<'a> {
    system: &'a System,
    budget: &'a Budget,
    algebra: &'a Algebra<'a>,
    network: Network,
    behaviours: Behaviours<'a>,
}

impl<'a> Interpreter<'a> {
    /// An interpreter of `system`. `algebra` is that of the same system and budget.
    ///
    /// # Errors
    /// The budget ended, or the system has too many agents.
    pub(crate) fn new(
        system: &'a System,
        algebra: &'a Algebra<'a>,
        budget: &'a Budget,
    ) -> Result<Self, Incomplete> {
        let network = Network::new(system, budget)?;
        let behaviours = Behaviours::new(system, algebra, budget);
        Ok(Interpreter { system, budget, algebra, network, behaviours })
    }

    /// How many agents there are.
    pub fn agents(&self) -> usize {
        self.network.agents.len()
    }

    /// What to call the agents: peers by name, others by what they are at first, numbered where several are
    /// the same.
    pub fn agent_names(&self) -> Vec<String> {
        const MAX_SHOWN: usize = 24;
        if self.system.language == Language::Chor {
            return self.system.peers.iter().map(|peer| peer.name.clone()).collect();
        }
        let names: Vec<String> =
            self.network.agents.iter().map(|term| show::term(self.system, *term, MAX_SHOWN)).collect();
        let mut count: FxHashMap<&str, (usize, usize)> = FxHashMap::default();
        names.iter().for_each(|name| count.entry(name).or_default().0 += 1);
        let numbered = |name: &String| match count.get_mut(name.as_str()) {
            Some((several @ 2.., number)) => {
                let _ = several;
                *number += 1;
                format!("{name}#{number}")
            }
            _ => name.clone(),
        };
        names.iter().map(numbered).collect()
    }

    /// The first state: a behaviour per agent.
    pub fn initial(&self) -> Vec<BehaviourId> {
        self.network.agents.iter().map(|term| self.behaviours.of_term(*term)).collect()
    }

    /// Whether a state is terminated.
    pub fn is_terminated(&self, state: &[BehaviourId]) -> bool {
        state.iter().all(|behaviour| self.behaviours.is_terminated(*behaviour))
    }

    /// A behaviour as it would be written, up to about `limit` bytes.
    pub fn show(&self, behaviour: BehaviourId, limit: usize) -> String {
        self.behaviours.show(behaviour, limit)
    }

    /// The steps of a state, ascending, each once.
    ///
    /// # Errors
    /// The budget ended.
    pub fn steps(&mut self, state: &[BehaviourId]) -> Result<Vec<Step>, Stop> {
        let mut moves = Vec::with_capacity(state.len());
        for behaviour in state {
            moves.push(self.moves(*behaviour)?.iter().map(|step| (step.label, step.target)).collect());
        }
        let mut steps = self.joint_steps(&moves)?;
        // The way to a `tau` is for the reader: two ways to the same step are one step.
        steps.dedup_by(|one, other| one.label == other.label && one.changes == other.changes);
        Ok(steps)
    }

    /// What an agent can do by itself, before the operators above the agents apply.
    ///
    /// # Errors
    /// The budget ended.
    pub fn moves(&mut self, behaviour: BehaviourId) -> Result<Rc<[Move]>, Stop> {
        self.behaviours.moves(behaviour)
    }

    /// What an agent is made of.
    pub fn inner(&mut self, behaviour: BehaviourId) -> Inner {
        self.behaviours.inner(behaviour)
    }

    /// The steps of the system where each agent has these moves, a label and whatever it stands for;
    /// ascending.
    ///
    /// # Errors
    /// The budget ended.
    pub fn joint_steps<T: Copy + Ord>(&self, moves: &[Vec<(LabelId, T)>]) -> Result<Vec<Step<T>>, Stop> {
        let mut of_node: Vec<Vec<Step<T>>> = Vec::with_capacity(self.network.nodes.len());
        for node in &self.network.nodes {
            let mut take = |part: &usize| std::mem::take(&mut of_node[*part]);
            let steps = match node {
                Node::Agent(agent) => {
                    let step = |(label, what): &(LabelId, T)| Step {
                        label: *label,
                        changes: vec![(*agent, *what)],
                        via: None,
                    };
                    moves[*agent as usize].iter().map(step).collect()
                }
                Node::Restrict(inside, set) => {
                    let forbidden = &self.system.restrictions[*set];
                    let mut steps = take(inside);
                    steps.retain(|step| forbidden.binary_search(&step.label).is_err());
                    steps
                }
                Node::Relabel(inside, map) => {
                    let names = &self.system.relabellings[*map];
                    let mut steps = take(inside);
                    for step in &mut steps {
                        step.label = names.get(&step.label).copied().unwrap_or(step.label);
                    }
                    steps
                }
                Node::Parallel(synchronisation, parts) => {
                    let parts: Vec<Vec<Step<T>>> = parts.iter().map(take).collect();
                    let synchronisation = &self.system.synchronisations[*synchronisation];
                    joint(self.algebra, synchronisation, &parts)?
                }
            };
            of_node.push(steps);
        }
        self.budget.check()?;
        let mut steps = of_node.pop().unwrap_or_default();
        steps.sort();
        Ok(steps)
    }
}

/// The steps of operands side by side.
fn joint<T: Copy + Ord>(
    algebra: &Algebra<'_>,
    synchronisation: &Synchronisation,
    parts: &[Vec<Step<T>>],
) -> Result<Vec<Step<T>>, Stop> {
    let labels: Vec<Vec<LabelId>> =
        parts.iter().map(|steps| steps.iter().map(|step| step.label).collect()).collect();
    let mut result = Vec::new();
    algebra.combine(synchronisation, &labels, |label, chosen| {
        let chosen: Vec<&Step<T>> = chosen.iter().map(|(operand, step)| &parts[*operand][*step]).collect();
        let mut changes: Vec<(u32, T)> =
            chosen.iter().flat_map(|step| step.changes.iter().copied()).collect();
        changes.sort();
        let met = chosen.iter().map(|step| step.label).min().filter(|_| chosen.len() > 1 && label == tau());
        let via = met.or(chosen.iter().find_map(|step| step.via));
        result.push(Step { label, changes, via });
    })?;
    Ok(result)
}
