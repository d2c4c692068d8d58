//! Transition-based generalised Büchi automata.
//!
//! An automaton reads a run letter by letter. A run satisfies the formula if the automaton can read it so
//! that each of its *marks* stands on infinitely many of the transitions taken. What a transition demands of
//! a letter is a [`Cube`].
//!
//! A formula in negation normal form comes in; [`Automaton::new`] makes a very weak alternating automaton
//! ([`alternating`]), of that a generalised one ([`tableau`]), and takes away what does not change the
//! language ([`reduce`], [`simulation`]).

mod alternating;
mod reduce;
mod simulation;
mod tableau;
#[cfg(test)]
mod tests;

use paramcheck_text::limits::{Budget, Stop};

use crate::letter::Cube;
use crate::normal::{Arena, NormalId};

/// The most marks: those of one automaton are bits of a word, and one bit is the search's.
pub(crate) const MAX_MARKS: usize = 63;
/// The most states.
pub(crate) const MAX_STATES: usize = 1 << 16;
/// The most moves of a formula, or of a state before they are reduced: the work grows with the square of their number.
pub(crate) const MAX_MOVES: usize = 1 << 13;
/// The most transitions.
pub(crate) const MAX_TRANSITIONS: usize = 1 << 20;

/// A transition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Transition {
    /// Where it leads.
    pub target: u32,
    /// Its marks.
    pub marks: u64,
    /// What it demands.
    pub cube: Cube,
}

/// An automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// Where it may begin, ascending.
    pub initial: Vec<u32>,
    /// The transitions of each state, ascending.
    pub states: Vec<Vec<Transition>>,
    /// All marks there are.
    pub marks: u64,
}

/// Why there is no automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It would have too many marks, states or transitions.
    TooLarge,
    /// The run must end.
    Stopped(Stop),
}

impl From<Stop> for Refused {
    fn from(stop: Stop) -> Self {
        Refused::Stopped(stop)
    }
}

impl Automaton {
    /// An automaton for the runs that satisfy a formula.
    ///
    /// # Errors
    /// It would be too large, or the budget is used up.
    pub fn new(arena: &Arena, formula: NormalId, budget: &Budget) -> Result<Automaton, Refused> {
        let mut automaton = tableau::build(arena, formula, budget)?;
        automaton.merge_equal();
        automaton.trim();
        automaton.reduce_by_simulation(budget)?;
        automaton.trim();
        Ok(automaton)
    }

    /// Whether every run is read from this state on, whatever happens.
    pub(crate) fn reads_all(&self, state: u32) -> bool {
        self.states[state as usize].iter().any(|transition| {
            transition.target == state && transition.marks == self.marks && transition.cube.is_all()
        })
    }

    /// How many transitions it has.
    pub fn transitions(&self) -> usize {
        self.states.iter().map(Vec::len).sum()
    }
}
