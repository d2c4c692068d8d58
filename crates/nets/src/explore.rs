//! State-space exploration of concrete instances: explicit-state, exhaustive, breadth first.
//!
//! [`system`] defines what can be explored: anything with packed states and numbered actions. [`engine`]
//! explores it, breadth first, by several threads. [`pack`] packs states into words. None of the three knows
//! nets.
//!
//! [`petri`] makes a transition system of an instance's net (`redundant` finds those of its transitions that
//! need not be fired), [`goal`] makes goals of error formulas. [`search`] puts these together with the
//! reductions that are selected: `stubborn` sets and [`symmetry`], applied by `reduced`. [`sweep`] explores
//! all instances of given sizes. [`runs`] gives an instance to the crate `temporal`, for properties of runs.
//! [`trace`] holds firing sequences and replays them by the plain semantics.
//! Exploration alone never proves anything about all sizes.

mod directed;
pub mod engine;
pub mod goal;
pub mod pack;
pub mod petri;
mod reduced;
mod redundant;
pub mod runs;
pub mod search;
mod stubborn;
pub mod sweep;
pub mod symmetry;
pub mod system;
pub mod trace;

/// Whether an error is reached. Of several instances it is the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// In no reachable marking.
    Unreached,
    /// Not as far as is known: a limit ended the exploration, or some marking could not be decided.
    Undecided,
    /// In some reachable marking.
    Reached,
}
