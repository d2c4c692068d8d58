//! Breadth-first search of one instance's reachable markings.
//!
//! Markings are kept once, as bytes (one per component, two or four where a type has that many
//! states), in one growing array; a marking is known by its position there, and the way to it by its
//! parent's position and the transition fired. A table of positions, hashed by content, tells whether a
//! marking is new. The order is fixed by the net, so the same question gives the same trace.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use crate::explore::trace::Trace;
use crate::instance::marking::Marking;
use crate::instance::net::{Net, NetTransitionId};
use crate::model::component::StateId;
use crate::support::index::Idx;
use crate::support::limits::{Budget, Stop};

#[cfg(test)]
mod tests;

/// How a search ended. `states` is the number of markings found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchOutcome {
    /// The goal was reached, by a shortest trace.
    Reached {
        /// From the initial marking to one that is a goal.
        trace: Trace,
        /// Markings found before the search ended.
        states: usize,
    },
    /// All reachable markings were seen, none is a goal.
    Exhausted {
        /// The number of reachable markings.
        states: usize,
    },
    /// There are more reachable markings than allowed; none of those seen is a goal.
    StateLimit {
        /// Markings seen.
        states: usize,
    },
    /// Whether a marking is a goal could not be decided; none of those before is one.
    Undecided {
        /// Markings seen.
        states: usize,
    },
    /// The budget ended; none of the markings seen is a goal.
    Stopped {
        /// Why.
        reason: Stop,
        /// Markings seen.
        states: usize,
    },
}

impl SearchOutcome {
    /// The number of markings found.
    pub fn states(&self) -> usize {
        match self {
            SearchOutcome::Reached { states, .. }
            | SearchOutcome::Exhausted { states }
            | SearchOutcome::StateLimit { states }
            | SearchOutcome::Undecided { states }
            | SearchOutcome::Stopped { states, .. } => *states,
        }
    }
}

/// How many transitions are tried between two looks at the budget.
const STEPS_PER_CHECK: usize = 4096;

/// Searches the reachable markings of `net` breadth first for one that `goal` accepts, at most
/// `max_states` of them. `goal` is asked once per marking, in the order of their distance from the
/// initial one; where it has no answer (`None`) the search ends.
pub fn search(
    net: &Net,
    mut goal: impl FnMut(&Marking) -> Option<bool>,
    max_states: usize,
    budget: &Budget,
) -> SearchOutcome {
    // Positions are 32-bit numbers, the greatest of which means "none".
    let max_states = max_states.min(u32::MAX as usize - 1);
    let mut found = Found::new(net);
    let mut marking = net.initial();
    if max_states == 0 {
        return SearchOutcome::StateLimit { states: 0 };
    }
    found.insert(&marking, (NONE, NetTransitionId::new(0)));
    match goal(&marking) {
        Some(true) => return SearchOutcome::Reached { trace: found.trace(net, 0), states: 1 },
        Some(false) => {}
        None => return SearchOutcome::Undecided { states: 1 },
    }
    let mut enabled = Vec::new();
    let mut steps_to_check = 0;
    let mut position = 0;
    while position < found.len() {
        found.read(position, &mut marking);
        enabled.clear();
        enabled.extend(net.enabled(&marking));
        for &transition in &enabled {
            if steps_to_check == 0 {
                if let Err(reason) = budget.check() {
                    return SearchOutcome::Stopped { reason, states: found.len() };
                }
                steps_to_check = STEPS_PER_CHECK;
            }
            steps_to_check -= 1;
            let moves = &net.transitions()[transition].moves;
            for m in moves {
                marking[m.component] = m.to;
            }
            if found.insert(&marking, (position as u32, transition)) {
                let last = found.len() - 1;
                match goal(&marking) {
                    Some(true) => {
                        let trace = found.trace(net, last);
                        return SearchOutcome::Reached { trace, states: found.len() };
                    }
                    Some(false) => {}
                    None => return SearchOutcome::Undecided { states: found.len() },
                }
                if last >= max_states {
                    return SearchOutcome::StateLimit { states: max_states };
                }
            }
            for m in moves {
                marking[m.component] = m.from;
            }
        }
        position += 1;
    }
    SearchOutcome::Exhausted { states: found.len() }
}

const NONE: u32 = u32::MAX;

/// The markings found, with the way to each.
struct Found {
    /// The markings one after the other, `stride` bytes each.
    bytes: Vec<u8>,
    stride: usize,
    /// Bytes per component.
    width: usize,
    /// Per marking its parent's position, and the transition that leads here.
    parents: Vec<(u32, NetTransitionId)>,
    /// Positions by hash, with linear probing; at most half full; a power of two long.
    table: Vec<u32>,
    scratch: Vec<u8>,
}

impl Found {
    fn new(net: &Net) -> Found {
        let states = net.components().iter().map(|component| component.state_count).max().unwrap_or(0);
        let width = match states {
            0..=0x100 => 1,
            0x101..=0x1_0000 => 2,
            _ => 4,
        };
        Found {
            bytes: Vec::new(),
            stride: width * net.components().len(),
            width,
            parents: Vec::new(),
            table: vec![NONE; 1024],
            scratch: Vec::new(),
        }
    }

    fn len(&self) -> usize {
        self.parents.len()
    }

    fn at(&self, position: usize) -> &[u8] {
        &self.bytes[position * self.stride..(position + 1) * self.stride]
    }

    fn hash(&self, bytes: &[u8]) -> usize {
        let mut hasher = FxHasher::default();
        hasher.write(bytes);
        hasher.finish() as usize
    }

    /// Adds `marking` unless it is known; true where it was new.
    fn insert(&mut self, marking: &Marking, parent: (u32, NetTransitionId)) -> bool {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        for state in marking {
            scratch.extend_from_slice(&(state.index() as u32).to_le_bytes()[..self.width]);
        }
        let mask = self.table.len() - 1;
        let mut slot = self.hash(&scratch) & mask;
        let is_new = loop {
            match self.table[slot] {
                NONE => break true,
                known if self.at(known as usize) == scratch => break false,
                _ => slot = (slot + 1) & mask,
            }
        };
        if is_new {
            self.table[slot] = self.parents.len() as u32;
            self.bytes.extend_from_slice(&scratch);
            self.parents.push(parent);
            if self.parents.len() * 2 > self.table.len() {
                self.grow();
            }
        }
        self.scratch = scratch;
        is_new
    }

    fn grow(&mut self) {
        let mut table = vec![NONE; self.table.len() * 2];
        let mask = table.len() - 1;
        for position in 0..self.parents.len() {
            let mut slot = self.hash(self.at(position)) & mask;
            while table[slot] != NONE {
                slot = (slot + 1) & mask;
            }
            table[slot] = position as u32;
        }
        self.table = table;
    }

    /// Writes the marking at `position` over `marking`.
    fn read(&self, position: usize, marking: &mut Marking) {
        for (bytes, state) in self.at(position).chunks(self.width).zip(marking.iter_mut()) {
            let mut word = [0; 4];
            word[..self.width].copy_from_slice(bytes);
            *state = StateId::new(u32::from_le_bytes(word) as usize);
        }
    }

    /// The way from the initial marking to the one at `position`.
    fn trace(&self, net: &Net, position: usize) -> Trace {
        let mut steps = Vec::new();
        let mut markings = Vec::new();
        let mut next = position;
        loop {
            let mut marking = net.initial();
            self.read(next, &mut marking);
            markings.push(marking);
            let (parent, transition) = self.parents[next];
            if parent == NONE {
                break;
            }
            steps.push(transition);
            next = parent as usize;
        }
        steps.reverse();
        markings.reverse();
        Trace { steps, markings }
    }
}
