//! What properties are checked on: transition systems whose states and steps carry atoms.
//!
//! A language implements [`System`]. It says nothing of how a system is stored: a state may be a number that
//! the system has interned, or a packed word; the search keeps each state once. Successors are made again
//! wherever they are needed.
//!
//! At each position of a run a *letter* says which atoms hold there. An atom is of one of three [`Kind`]s:
//! about the state, about the step that is taken in it, or about the step that led to it. Where no step is
//! possible, the state repeats for ever, without steps.

use std::hash::Hash;

/// What an atom is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The state at this position.
    State,
    /// The step that is taken at this position; false where none is.
    Step,
    /// The step that led to this position; false at the first one.
    Last,
}

/// A transition system.
///
/// Its functions of a state and a step depend on nothing else: they are called again, in any order.
pub trait System {
    /// A state. Equal states are one state.
    type State: Clone + Eq + Hash;
    /// What a step is called, for the evidence.
    type Step: Clone + PartialEq;
    /// Why the model has no meaning in some state: an error of the model, which is reported like a violation.
    type Fault: Clone;

    /// What each atom is about. Letters have one bit for each.
    fn atoms(&self) -> &[Kind];

    /// The initial states; repetitions do no harm.
    fn initial(&mut self) -> Vec<Self::State>;

    /// Calls `each` with every step that is possible in a state, and where it leads, always in the same
    /// order.
    ///
    /// # Errors
    /// Something happens here that has no meaning. The steps given before exist; no run goes on by the
    /// others.
    fn steps(
        &mut self,
        state: &Self::State,
        each: &mut dyn FnMut(Self::Step, Self::State),
    ) -> Result<(), Self::Fault>;

    /// Sets the bits of the atoms of kind [`Kind::State`] that hold in a state; the letter is empty.
    fn state_letter(&self, state: &Self::State, letter: &mut [u64]);

    /// Sets the bits of the atoms of the kinds [`Kind::Step`] and [`Kind::Last`] that a step makes true; the
    /// letter is empty.
    fn step_letter(&self, from: &Self::State, step: &Self::Step, to: &Self::State, letter: &mut [u64]);

    /// Whether the atoms of kind [`Kind::Last`] stay as they are when a run has ended. If not, they are false
    /// from the position on at which the last state repeats itself for the first time.
    fn keeps_last(&self) -> bool {
        false
    }

    /// How many units there are to which a run may be fair: agents, for instance. Each step belongs to some
    /// of them.
    fn units(&self) -> usize {
        0
    }

    /// Sets the bits of the units that a step belongs to; the set is empty. A unit *can act* in a state if a
    /// step of its is possible there.
    fn actors(&self, _from: &Self::State, _step: &Self::Step, _units: &mut [u64]) {}

    /// Bytes that the system uses for what it has made so far, about. A limit of memory counts them.
    fn bytes(&self) -> usize {
        0
    }
}

/// Which runs without end count. Runs that end always do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fairness {
    /// All.
    #[default]
    None,
    /// Those in which no unit stops acting for ever while it can act in every state.
    Weak,
    /// Those in which no unit stops acting for ever while it can act infinitely often.
    Strong,
}

/// A run: evidence for a violation, or the way to a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run<S, M> {
    /// The states, each with the step that is taken in it. Only the last one may have none.
    pub positions: Vec<(S, Option<M>)>,
    /// How it goes on.
    pub end: End,
}

/// A run of `S`.
pub type RunOf<S> = Run<<S as System>::State, <S as System>::Step>;

/// How a run goes on behind its last position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The step of the last position leads to the state of this one, and so on for ever.
    Loop(usize),
    /// No step is possible in the last state.
    Stops,
    /// However it goes on.
    Open,
}
