//! From a system to its labelled transition system, breadth first.
//!
//! States are kept once, as one behaviour per agent in one growing array; a table of positions, hashed by
//! content, decides whether one is new. Where agents take turns, whose turn it is belongs to the state: then
//! only what is reached in turn is explored, which may be much less.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

use super::behaviour::BehaviourId;
use super::combine::Algebra;
use super::lts::{Lts, Transition};
use super::network::{Incomplete, Interpreter, Step};
use crate::model::System;
use crate::show;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::{Budget, Phase};

#[cfg(test)]
mod tests;

/// What is known of a system's states.
pub struct Space {
    /// The labelled transition system; incomplete where a limit was reached.
    pub lts: Lts,
    /// Behaviours per agent, state after state.
    states: Vec<BehaviourId>,
    width: usize,
    /// Per state whose turn it is; that of the first agent where none are taken.
    turns: Vec<u32>,
}

/// In which order agents act.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Any,
    Turns,
}

impl Space {
    /// The behaviours of the agents in a state.
    pub(crate) fn state(&self, state: u32) -> &[BehaviourId] {
        let begin = state as usize * self.width;
        self.states.get(begin..begin + self.width).unwrap_or(&[])
    }
}

/// Explores all states of a system, or `max_states` of them where there are more. `Space::lts` shows
/// whether all were explored.
pub fn explore(system: &System, max_states: usize, budget: &Budget) -> Space {
    with_interpreter(system, budget, |interpreter| explore_with(interpreter, system, max_states, budget))
        .unwrap_or_else(|incomplete| {
            let mut lts = Lts::new(show::labels(system), Vec::new());
            lts.incomplete = Some(incomplete);
            Space { lts, states: Vec::new(), width: 0, turns: Vec::new() }
        })
}

/// Has `work` done with an interpreter of a system.
///
/// # Errors
/// The budget ended, or the system has too many agents.
pub fn with_interpreter<T>(
    system: &System,
    budget: &Budget,
    work: impl FnOnce(&mut Interpreter<'_>) -> T,
) -> Result<T, Incomplete> {
    let algebra = Algebra::new(system, budget);
    let mut interpreter = Interpreter::new(system, &algebra, budget)?;
    Ok(work(&mut interpreter))
}

/// Explores all states with an interpreter, which then knows the behaviours of all states.
pub fn explore_with(
    interpreter: &mut Interpreter<'_>,
    system: &System,
    max_states: usize,
    budget: &Budget,
) -> Space {
    search(interpreter, system, Order::Any, max_states, budget)
}

/// Explores the states that are reached when agents take turns, each with whose turn it is. Their
/// transitions are those of whoever has the turn: every run of the labelled transition system is one in turn,
/// and the other way round.
pub fn explore_turns_with(
    interpreter: &mut Interpreter<'_>,
    system: &System,
    max_states: usize,
    budget: &Budget,
) -> Space {
    search(interpreter, system, Order::Turns, max_states, budget)
}

fn search(
    interpreter: &mut Interpreter<'_>,
    system: &System,
    order: Order,
    max_states: usize,
    budget: &Budget,
) -> Space {
    budget.progress.enter(Phase::Exploring);
    let width = interpreter.agents();
    let lts = Lts::new(show::labels(system), interpreter.agent_names());
    let mut space = Space { lts, states: Vec::new(), width, turns: Vec::new() };
    let mut table = Table::default();
    let initial = interpreter.initial();
    let mut limit = table
        .insert(&mut space, interpreter, (&initial, 0), max_states)
        .is_none()
        .then_some(Incomplete::States(max_states));
    let mut pace = budget.pace();
    let mut next = 0;
    while limit.is_none() && next < space.lts.states() {
        let state = space.state(next as u32).to_vec();
        let mut steps = match interpreter.steps(&state) {
            Ok(steps) => steps,
            Err(stop) => {
                limit = Some(stop.into());
                break;
            }
        };
        let mut turn = 0;
        if order == Order::Turns
            && let Some(now) = space.turns.get(next)
            && let Some(actor) = actor(&steps, *now, width)
        {
            steps.retain(|step| step.changes.iter().any(|(agent, _)| *agent == actor));
            turn = (actor + 1) % width.max(1) as u32;
        }
        let mut transitions = Vec::with_capacity(steps.len());
        for step in steps {
            if let Err(stop) = pace() {
                limit = Some(stop.into());
                break;
            }
            let Some(target) =
                table.insert(&mut space, interpreter, (&after(&state, &step), turn), max_states)
            else {
                limit = Some(Incomplete::States(max_states));
                continue;
            };
            let participants: Vec<u32> = step.changes.iter().map(|(agent, _)| *agent).collect();
            let agents = space.lts.agent_set(&participants);
            transitions.push(Transition { label: step.label, target, agents });
        }
        if limit.is_some() {
            space.lts.expand_partly(transitions);
            break;
        }
        space.lts.expand(transitions);
        next += 1;
        budget.progress.set(space.lts.states() as u64);
    }
    space.lts.incomplete = limit;
    space
}

/// The state after a step.
pub fn after(state: &[BehaviourId], step: &Step) -> Vec<BehaviourId> {
    let mut state = state.to_vec();
    for (agent, behaviour) in &step.changes {
        state[*agent as usize] = *behaviour;
    }
    state
}

/// Who takes the next step: the first agent from `turn` on that can take part in one.
fn actor(steps: &[Step], turn: u32, agents: usize) -> Option<u32> {
    let agents = agents.max(1) as u32;
    let wait = |agent: u32| (agent + agents - turn) % agents;
    let able = steps.iter().flat_map(|step| step.changes.iter().map(|(agent, _)| *agent));
    able.min_by_key(|agent| wait(*agent))
}

/// Positions of states by the hash of their content; states of equal hash are linked.
#[derive(Default)]
struct Table {
    last: FxHashMap<u64, u32>,
    before: Vec<Option<u32>>,
}

impl Table {
    /// The number of a state and whose turn it is, a new one if it is not there; `None` if there would be
    /// more than `max_states`.
    fn insert(
        &mut self,
        space: &mut Space,
        interpreter: &Interpreter<'_>,
        (state, turn): (&[BehaviourId], u32),
        max_states: usize,
    ) -> Option<u32> {
        let mut hasher = FxHasher::default();
        hasher.write_u32(turn);
        state.iter().for_each(|behaviour| hasher.write_usize(behaviour.index()));
        let hash = hasher.finish();
        let mut candidate = self.last.get(&hash).copied();
        while let Some(position) = candidate {
            if space.state(position) == state && space.turns.get(position as usize) == Some(&turn) {
                return Some(position);
            }
            candidate = self.before.get(position as usize).copied().flatten();
        }
        if space.lts.states() >= max_states {
            return None;
        }
        let position = space.lts.add_state(interpreter.is_terminated(state));
        space.states.extend_from_slice(state);
        space.turns.push(turn);
        self.before.push(self.last.insert(hash, position));
        Some(position)
    }
}
