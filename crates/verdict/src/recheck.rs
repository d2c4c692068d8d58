//! The recheck of a violation: a trace is taken again by the plain semantics, and its end is looked at.
//!
//! Every trace that any part of the program finds (the engines' scouts, exploration, other verifiers) goes
//! through [`recheck`] before it is reported. Nothing of the search is used.

use paramcheck_model::error::NamedError;
use paramcheck_model::system::System;
use paramcheck_nets::explore::trace::{ReplayError, Trace, replay};
use paramcheck_nets::instance::marking::evaluate;
use paramcheck_nets::instance::net::Net;

/// Why a trace is no violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TraceError {
    /// It is no firing sequence of the instance.
    #[error("does not replay: {0}")]
    Replay(#[from] ReplayError),
    /// It is one, but its last marking is not in the error.
    #[error("replays but does not end in it")]
    WrongEnd,
    /// It is one, but to decide whether its last marking is in the error takes too much work.
    #[error("replays, but it is too much work to decide whether it ends in it")]
    Undecided,
}

/// Checks that `trace` is a firing sequence of `net`, an instance of `system`, to a marking in `error`.
///
/// # Errors
/// What is wrong with it.
pub fn recheck(system: &System, net: &Net, error: &NamedError, trace: &Trace) -> Result<(), TraceError> {
    let end = replay(net, trace)?;
    match evaluate(system, net, &error.formula, &end) {
        Some(true) => Ok(()),
        Some(false) => Err(TraceError::WrongEnd),
        None => Err(TraceError::Undecided),
    }
}

#[cfg(test)]
mod tests;
