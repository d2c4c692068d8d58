//! All states of a small system, breadth first.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::evaluate::NoValue;
use super::initial::{Initial, initial_states};
use super::step::{Fault, Halt, Message, State, steps};
use crate::model::{InstanceId, System};
use paramcheck_text::limits::{Budget, Stop};

/// All states, and the steps between them.
#[derive(Clone, Debug)]
pub struct Space {
    /// The states; the initial ones are the first.
    pub states: Vec<State>,
    /// How many are initial.
    pub initial: usize,
    /// Per state its steps: what is sent, and the number of the state behind.
    pub steps: Vec<Vec<(Message, usize)>>,
    /// Per state but the initial ones, the state and the step by which it was found.
    pub parents: Vec<Option<(usize, usize)>>,
    /// The first state that shows an error of the model. What would follow such a state is not explored.
    pub fault: Option<(usize, Fault)>,
    /// The states that show one.
    pub faulty: BTreeSet<usize>,
}

/// Why a space is not complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incomplete {
    /// There are more states than may be.
    TooManyStates,
    /// A message could be received in too many ways.
    TooManySteps,
    /// There are too many initial states, or values to try for them.
    TooManyInitial,
    /// A condition on initial states has no value.
    NoValue(InstanceId, NoValue),
    /// A limit of the run.
    Stopped(Stop),
}

/// Explores a system that has at most so many states.
///
/// # Errors
/// Why it could not be explored completely.
pub fn explore(system: &System, max_states: usize, budget: &Budget) -> Result<Space, Incomplete> {
    let states = match initial_states(system) {
        Initial::Values(states) => states,
        Initial::TooMany => return Err(Incomplete::TooManyInitial),
        Initial::NoValue(id, why) => return Err(Incomplete::NoValue(id, why)),
    };
    let mut numbers: FxHashMap<State, usize> = FxHashMap::default();
    for (number, state) in states.iter().enumerate() {
        numbers.insert(state.clone(), number);
    }
    let mut space = Space {
        initial: states.len(),
        parents: vec![None; states.len()],
        states,
        steps: Vec::new(),
        fault: None,
        faulty: BTreeSet::new(),
    };
    while let Some(state) = space.states.get(space.steps.len()) {
        budget.check().map_err(Incomplete::Stopped)?;
        let number = space.steps.len();
        let found = match steps(system, state) {
            Ok(found) => found,
            Err(Halt::TooMany) => return Err(Incomplete::TooManySteps),
            Err(Halt::Fault(fault)) => {
                space.fault.get_or_insert((number, fault));
                space.faulty.insert(number);
                Vec::new()
            }
        };
        let mut outgoing = Vec::new();
        for (position, step) in found.into_iter().enumerate() {
            let next = numbers.len();
            let target = *numbers.entry(step.target).or_insert_with_key(|state| {
                space.states.push(state.clone());
                space.parents.push(Some((number, position)));
                next
            });
            outgoing.push((step.message, target));
        }
        if space.states.len() > max_states {
            return Err(Incomplete::TooManyStates);
        }
        space.steps.push(outgoing);
    }
    Ok(space)
}

impl Space {
    /// How many pairs of states have a step from the one to the other.
    pub fn transitions(&self) -> usize {
        let targets = |steps: &Vec<(Message, usize)>| {
            steps.iter().map(|(_, target)| *target).collect::<BTreeSet<_>>().len()
        };
        self.steps.iter().map(targets).sum()
    }

    /// The states without a step.
    pub fn deadlocks(&self) -> Vec<usize> {
        let is_stuck =
            |state: &usize| self.steps.get(*state).is_some_and(Vec::is_empty) && !self.faulty.contains(state);
        (0..self.states.len()).filter(is_stuck).collect()
    }

    /// A shortest way to a state: states and the step taken in each, from an initial state on.
    pub fn way_to(&self, state: usize) -> Vec<(usize, usize)> {
        let mut way = Vec::new();
        let mut at = state;
        while let Some((before, step)) = self.parents.get(at).copied().flatten() {
            way.push((before, step));
            at = before;
        }
        way.reverse();
        way
    }
}
