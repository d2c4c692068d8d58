//! Firing sequences, and their replay by the plain semantics.
//!
//! The replay uses nothing of the search: no index, no compact markings. What a trace claims is
//! believed only after it.

use thiserror::Error;

use crate::instance::marking::Marking;
use crate::instance::net::{Net, NetTransitionId};

#[cfg(test)]
mod tests;

/// A firing sequence of an instance from its initial marking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The transitions fired.
    pub steps: Vec<NetTransitionId>,
    /// The markings passed: the initial one, and one after each step.
    pub markings: Vec<Marking>,
}

/// What is wrong with a trace. Steps count from 1, as in output; step 0 is the initial marking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// The net has no such transition.
    #[error("step {step}: the instance has no such transition")]
    NoTransition {
        /// Which step.
        step: usize,
    },
    /// Some component is not in the state that the transition leaves, or takes part twice.
    #[error("step {step}: the transition is not enabled")]
    NotEnabled {
        /// Which step.
        step: usize,
    },
    /// The trace has another marking.
    #[error("step {step}: the trace claims another marking than the one reached")]
    OtherMarking {
        /// Which step.
        step: usize,
    },
}

/// Replays `trace` on `net` and gives the last marking.
///
/// # Errors
/// The first step that the net does not allow, or whose marking differs from that of the trace.
pub fn replay(net: &Net, trace: &Trace) -> Result<Marking, ReplayError> {
    let claims =
        |step: usize, marking: &Marking| trace.markings.get(step).is_some_and(|claimed| claimed == marking);
    let mut marking = net.initial();
    if !claims(0, &marking) {
        return Err(ReplayError::OtherMarking { step: 0 });
    }
    for (position, &id) in trace.steps.iter().enumerate() {
        let step = position + 1;
        let transition = net.transitions().get(id).ok_or(ReplayError::NoTransition { step })?;
        let mut next = marking.clone();
        for (number, m) in transition.moves.iter().enumerate() {
            let is_repeated = transition.moves[..number].iter().any(|other| other.component == m.component);
            if is_repeated || marking.get(m.component) != Some(&m.from) {
                return Err(ReplayError::NotEnabled { step });
            }
            next[m.component] = m.to;
        }
        if !claims(step, &next) {
            return Err(ReplayError::OtherMarking { step });
        }
        marking = next;
    }
    if trace.markings.len() != trace.steps.len() + 1 {
        return Err(ReplayError::OtherMarking { step: trace.steps.len() + 1 });
    }
    Ok(marking)
}
