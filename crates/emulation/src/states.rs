//! All states of a structure, breadth first, as a labelled transition system.
//!
//! The same kind of system that the interpreter's states make, so both can be compared and checked alike.

use std::hash::Hash;
use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use paramcheck_process::semantics::lts::{Lts, Transition};
use paramcheck_process::semantics::network::Incomplete;
use paramcheck_text::limits::{Budget, Phase, Stop};

use super::evolution::{Evolution, State};
use super::triple::{Structure, TripleId};

/// What is known of a structure's states.
pub struct Space<S = State> {
    /// The labelled transition system, with the structure's labels and agents; incomplete where a limit was
    /// reached.
    pub lts: Lts,
    /// The states, by their numbers there.
    pub states: Vec<S>,
}

/// Explores the states that can be reached from `initial`, one of the structure's initial states (of a
/// process there is only one): all, or `max_states` of them where there are more.
pub fn explore(evolution: &Evolution<'_>, initial: State, max_states: usize, budget: &Budget) -> Space {
    let structure: &Structure = evolution.structure();
    let is_terminated = |state: &State| structure.is_terminated(state);
    breadth_first(structure, initial, is_terminated, max_states, budget, |state, each| {
        evolution.each_successor(state, each)
    })
}

/// Ends the search, or goes on.
pub(crate) type Flow = ControlFlow<Stop>;

/// The same for states of any kind: `successors` calls what it is given with the triple of each step and
/// where it leads.
pub fn breadth_first<S: Clone + Eq + Hash>(
    structure: &Structure,
    initial: S,
    is_terminated: impl Fn(&S) -> bool,
    max_states: usize,
    budget: &Budget,
    mut successors: impl FnMut(&S, &mut dyn FnMut(TripleId, S) -> Flow) -> Flow,
) -> Space<S> {
    budget.progress.enter(Phase::Exploring);
    let agents = structure.agents.iter().map(|agent| agent.name.clone()).collect();
    let mut lts = Lts::new(structure.labels.clone(), agents);
    let mut ids: FxHashMap<S, u32> = FxHashMap::default();
    let mut states = Vec::new();
    let mut pace = budget.pace();
    let mut limit = None;
    if max_states > 0 {
        lts.add_state(is_terminated(&initial));
        ids.insert(initial.clone(), 0);
        states.push(initial);
    } else {
        limit = Some(Incomplete::States(max_states));
    }
    let mut next = 0;
    while let Some(state) = states.get(next).cloned() {
        let mut transitions = Vec::new();
        let mut visit = |id: TripleId, after: S| {
            if let Err(stop) = pace() {
                return ControlFlow::Break(stop);
            }
            let Some(triple) = structure.triples.get(id) else { return ControlFlow::Continue(()) };
            let Some(label) = triple.label() else { return ControlFlow::Continue(()) };
            let target = match ids.get(&after) {
                Some(known) => *known,
                None if states.len() >= max_states => {
                    limit = Some(Incomplete::States(max_states));
                    return ControlFlow::Continue(());
                }
                None => {
                    let new = lts.add_state(is_terminated(&after));
                    ids.insert(after.clone(), new);
                    states.push(after);
                    new
                }
            };
            transitions.push(Transition { label, target, agents: lts.agent_set(&triple.agents) });
            ControlFlow::Continue(())
        };
        let flow = match budget.check() {
            Ok(()) => successors(&state, &mut visit),
            Err(stop) => ControlFlow::Break(stop),
        };
        if let ControlFlow::Break(stop) = flow {
            limit = Some(stop.into());
        }
        if limit.is_some() {
            lts.expand_partly(transitions);
            break;
        }
        lts.expand(transitions);
        next += 1;
        budget.progress.set(states.len() as u64);
    }
    lts.incomplete = limit;
    Space { lts, states }
}
