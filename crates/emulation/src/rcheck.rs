//! R-CHECK on packed states: the steps of a system, its state space, and its LTOL properties as what the crate
//! `temporal` decides.
//!
//! [`Engine`] makes the steps of a state, of which each has a number; [`Engine::explore`] goes through all
//! states breadth first. A [`Question`] is a formula whose atoms are conditions on states, labels and
//! observations; with the engine it is a [`Checked`], which `temporal` searches. The rules as they are written
//! are in `paramcheck_rcheck::semantics`: what is found here is held against them by the crate `verdict`. [`smv`]
//! writes a system for NuSMV.

use paramcheck_rcheck::model::InstanceId;
use paramcheck_rcheck::semantics::evaluate::NoValue;

mod code;
mod engine;
mod explore;
mod layout;
mod observed;
mod pool;
mod program;
mod question;
pub mod smv;

pub use engine::{Engine, Halt, Step};
pub use explore::{Counts, Explored, Incomplete, Way};
pub use question::{Checked, Question};

/// Why the initial states of a system are not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// There are too many, or too many values to try for them.
    TooManyInitial,
    /// A condition on them has no value.
    NoValue(InstanceId, NoValue),
}
