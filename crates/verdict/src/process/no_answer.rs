//! Why there is no answer to a check.

use std::time::Duration;

use paramcheck_emulation::process::NotEncoded;
use paramcheck_process::semantics::network::Incomplete;
use paramcheck_text::limits::Stop;

/// Why there is no answer to a check, or none that is believed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// Not all states are known, and those that are do not violate it.
    #[error("{0}")]
    Incomplete(Incomplete),
    /// Another verifier took too long, where the call has no limit.
    #[error("no answer within {} s, the limit for each where none is given", .0.as_secs())]
    Patience(Duration),
    /// The verifier can't decide questions of this kind.
    #[error("{0}")]
    Refused(String),
    /// There are no triples.
    #[error("{0}")]
    NotEncoded(NotEncoded),
    /// Another verifier has no answer.
    #[error("{0}")]
    Inconclusive(String),
    /// Another verifier failed.
    #[error("{0}")]
    Failed(String),
    /// What is claimed to be a violation is none.
    #[error("{0}")]
    NotReplayed(String),
    /// A violation is claimed without a run.
    #[error("{0}")]
    NoRun(String),
    /// It is too much work to decide whether some states violate it.
    #[error("it is too much work to decide whether some markings are in the error")]
    Undecided,
}

impl NoAnswer {
    /// The code of the reason in documents, which never changes.
    pub fn code(&self) -> &'static str {
        let stopped = |stop: &Stop| match stop {
            Stop::Time | Stop::Work => "time-limit",
            Stop::Memory => "memory-limit",
            Stop::Interrupted => "interrupted",
        };
        match self {
            NoAnswer::Incomplete(Incomplete::Stopped(stop))
            | NoAnswer::NotEncoded(NotEncoded::Stopped(stop)) => stopped(stop),
            NoAnswer::Incomplete(Incomplete::States(_)) => "state-limit",
            NoAnswer::Incomplete(Incomplete::Agents) => "too-many-agents",
            NoAnswer::Incomplete(Incomplete::Formula) => "formula-too-large",
            NoAnswer::Patience(_) => "time-limit",
            NoAnswer::Refused(_) => "refused",
            NoAnswer::NotEncoded(NotEncoded::Triples | NotEncoded::Conditions) => "not-encoded",
            NoAnswer::Inconclusive(_) => "tool-inconclusive",
            NoAnswer::Failed(_) => "tool-failed",
            NoAnswer::NotReplayed(_) => "not-replayed",
            NoAnswer::NoRun(_) => "no-run",
            NoAnswer::Undecided => "not-decided",
        }
    }
}

impl From<Stop> for NoAnswer {
    fn from(stop: Stop) -> Self {
        NoAnswer::Incomplete(Incomplete::Stopped(stop))
    }
}
