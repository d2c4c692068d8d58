//! All states, breadth first: how many there are, and shortest ways to states without steps and to errors of
//! the model.

use paramcheck_text::limits::{Budget, Stop};

use super::engine::{Engine, Halt};

/// A run to a state: states, each with the move that is made in it, and the last state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// States and moves.
    pub steps: Vec<(u32, u32)>,
    /// Where it ends.
    pub last: u32,
}

/// What is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// How many states are initial.
    pub initial: usize,
    /// How many states there are.
    pub states: usize,
    /// How many pairs of states have a step from the one to the other.
    pub transitions: usize,
    /// How many states have no step.
    pub deadlocks: usize,
    /// How many states show an error of the model.
    pub faults: usize,
}

/// Why not all states were seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incomplete {
    /// There are more than may be.
    States,
    /// A message can be received in too many ways.
    TooMany,
    /// The run must end.
    Stopped(Stop),
}

/// What was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explored {
    /// How much.
    pub counts: Counts,
    /// A shortest way to a state without steps.
    pub deadlock: Option<Way>,
    /// A shortest way to a state that shows an error of the model.
    pub fault: Option<Way>,
    /// Why this is not all, if it is not.
    pub incomplete: Option<Incomplete>,
}

/// What an exploration may use, and what ends it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) max_states: usize,
    pub(super) memory: Option<usize>,
}

/// No state.
const NONE: (u32, u32) = (u32::MAX, u32::MAX);

impl Engine<'_> {
    /// Goes through all states, at most so many, with at most so many bytes.
    pub fn explore(&mut self, max_states: usize, memory: Option<usize>, budget: &Budget) -> Explored {
        let limits = Limits { max_states, memory };
        let mut order: Vec<u32> = Vec::new();
        // Per state the one before it, and the move that leads here; `None` until it is found.
        let mut found: Vec<Option<(u32, u32)>> = Vec::new();
        let find = |found: &mut Vec<Option<(u32, u32)>>, order: &mut Vec<u32>, state: u32, by| {
            let at = state as usize;
            if found.len() <= at {
                found.resize(at + 1, None);
            }
            if found[at].is_none() {
                found[at] = Some(by);
                order.push(state);
            }
        };
        for state in self.initial().to_vec() {
            find(&mut found, &mut order, state, NONE);
        }
        let mut explored = Explored {
            counts: Counts { initial: order.len(), ..Counts::default() },
            deadlock: None,
            fault: None,
            incomplete: None,
        };
        let mut pace = budget.pace();
        let mut targets: Vec<u32> = Vec::new();
        let mut at = 0;
        while let Some(state) = order.get(at).copied() {
            let is_over = pace().map_err(Incomplete::Stopped).and_then(|()| limits.check(self, order.len()));
            if let Err(why) = is_over {
                explored.incomplete = Some(why);
                break;
            }
            if at.is_multiple_of(1 << 12) {
                budget.progress.set(at as u64);
            }
            at += 1;
            targets.clear();
            match self.steps(state) {
                Ok(steps) => {
                    for (executed, target) in steps {
                        targets.push(*target);
                        find(&mut found, &mut order, *target, (state, *executed));
                    }
                }
                Err(Halt::Fault) => {
                    explored.counts.faults += 1;
                    explored.fault.get_or_insert_with(|| way(&found, state));
                    continue;
                }
                Err(Halt::TooMany) => {
                    explored.incomplete = Some(Incomplete::TooMany);
                    break;
                }
                Err(Halt::Full) => {
                    explored.incomplete = Some(Incomplete::States);
                    break;
                }
            }
            if targets.is_empty() {
                explored.counts.deadlocks += 1;
                explored.deadlock.get_or_insert_with(|| way(&found, state));
            }
            targets.sort_unstable();
            targets.dedup();
            explored.counts.transitions += targets.len();
        }
        explored.counts.states = order.len();
        explored
    }
}

impl Limits {
    fn check(self, engine: &Engine<'_>, states: usize) -> Result<(), Incomplete> {
        if states > self.max_states {
            return Err(Incomplete::States);
        }
        match self.memory {
            Some(memory) if engine.bytes() + states * 20 > memory => Err(Incomplete::Stopped(Stop::Memory)),
            _ => Ok(()),
        }
    }
}

/// The way on which a state was found.
fn way(found: &[Option<(u32, u32)>], last: u32) -> Way {
    let mut steps = Vec::new();
    let mut at = last;
    while let Some(by) = found.get(at as usize).copied().flatten().filter(|by| *by != NONE) {
        steps.push(by);
        at = by.0;
    }
    steps.reverse();
    Way { steps, last }
}
