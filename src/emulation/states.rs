//! All states of a structure, breadth first, as a labelled transition system.
//!
//! The same kind of system that the interpreter's states make, so both can be compared and asked the same.

use rustc_hash::FxHashMap;

use crate::semantics::lts::{Lts, Transition};
use crate::semantics::network::Incomplete;
use crate::support::limits::{Budget, Phase};

use super::evolution::{Evolution, State};
use super::triple::Structure;

/// What is known of a structure's states.
pub struct Space {
    /// The labelled transition system, with the structure's labels and agents; incomplete where a limit was reached.
    pub lts: Lts,
    /// The states, by their numbers there.
    pub states: Vec<State>,
}

/// Explores the states that can be reached from `initial`, one of the structure's initial states (of a process there
/// is only one), but no more than `max_states`.
pub fn explore(evolution: &Evolution<'_>, initial: State, max_states: usize, budget: &Budget) -> Space {
    budget.progress.enter(Phase::Exploring);
    let structure: &Structure = evolution.structure();
    let agents = structure.agents.iter().map(|agent| agent.name.clone()).collect();
    let mut lts = Lts::new(structure.labels.clone(), agents);
    lts.add_state(structure.is_terminated(&initial));
    let mut ids: FxHashMap<State, u32> = std::iter::once((initial.clone(), 0)).collect();
    let mut states = vec![initial];
    let mut next = 0;
    while let Some(state) = states.get(next) {
        if let Err(stop) = budget.check() {
            lts.incomplete = Some(stop.into());
            break;
        }
        let mut transitions = Vec::new();
        for (id, after) in evolution.successors(state) {
            let triple = &structure.triples[id];
            let Some(label) = triple.label() else { continue };
            let target = match ids.get(&after) {
                Some(known) => *known,
                None => {
                    let new = lts.add_state(structure.is_terminated(&after));
                    ids.insert(after.clone(), new);
                    states.push(after);
                    new
                }
            };
            transitions.push(Transition { label, target, agents: lts.agent_set(triple.agents.clone()) });
        }
        lts.expand(transitions);
        next += 1;
        if states.len() > max_states {
            lts.incomplete = Some(Incomplete::States(max_states));
            break;
        }
        budget.progress.set(states.len() as u64);
    }
    Space { lts, states }
}
