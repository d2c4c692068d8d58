//! Verdicts held against exploration: of what the parametric engines claim of every size, exhaustive
//! exploration of every instance up to some size sees a part, and there they must agree.
//!
//! [`sweep`] explores, [`compare`] holds one verdict against what it found. Neither proves anything: that a
//! proved error is not reached up to size 8 does not make it more proved. But one reached error that is
//! "proved", or a violation where exploration finds none, is a bug of this program, and that is what this is
//! for. Exploration is not trusted either: the trace that would convict an engine is replayed first.

mod compare;
mod sweep;

#[cfg(test)]
mod tests;

pub use compare::{Agreement, Contradiction, compare};
pub use sweep::{Observation, Plan, sweep};
