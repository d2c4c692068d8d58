//! The search: from a system and properties to claims, each with the run that shows it. Nothing here is
//! believed before it is rechecked.
//!
//! [`search`] is the only way in. Packed states (`packed`) have almost all systems; for others there are process
//! terms (`terms`).

use paramcheck_labs::model::{Property, System};
use paramcheck_labs::number::Fault;
use paramcheck_labs::semantics::evidence::Violation;
use paramcheck_labs::semantics::run::Run;
use paramcheck_labs::semantics::step::{Label, Rules};

use super::{NoAnswer, NoStart, Options};

mod packed;
mod terms;

/// What was explored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Explored {
    /// How many states were seen: stores, and what each agent has left to do.
    pub states: usize,
    /// What was counted beside; counting takes time, and questions can be answered without.
    pub counts: Option<Counts>,
    /// Whether these are all.
    pub is_complete: bool,
}

/// What is counted of states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// How many are initial.
    pub initial: usize,
    /// How many different stores: values, pending messages, ages.
    pub stores: usize,
    /// How many stores of states in which nothing can happen.
    pub stuck_stores: usize,
    /// How many transitions.
    pub transitions: usize,
}

/// What the search claims of a property.
pub(super) enum Claim {
    /// It holds: all states are known.
    Holds,
    /// A run violates it.
    Violated(Violation),
    /// Nothing.
    Unknown(NoAnswer),
    /// At the end of this run a formula of it has no value.
    NoValue(Run, Fault),
    /// Nothing: the search is wrong, and how.
    Bug(String),
}

/// What the search claims.
pub(super) struct Claims {
    pub(super) explored: Explored,
    /// A run, and the step behind it that leads out of the language.
    pub(super) fault: Option<(Run, Label, Fault)>,
    /// Per property.
    pub(super) answers: Vec<Claim>,
}

/// Searches all states, as far as the limits allow; without properties they are counted.
///
/// # Errors
/// There is no initial state.
pub(super) fn search(
    system: &System,
    properties: &[Property],
    rules: Rules,
    options: &Options,
) -> Result<Claims, NoStart> {
    match packed::search(system, properties, rules, options) {
        Ok(claims) => Ok(claims),
        Err(packed::NotPacked::NoStart(reason)) => Err(reason),
        Err(packed::NotPacked::Unfit) => terms::search(system, properties, rules, options),
    }
}
