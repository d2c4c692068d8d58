//! Exhaustive exploration of concrete instances: what the three answers' evidence is made of.
//!
//! [`system`] says what can be explored: anything with packed states and numbered actions. [`engine`] explores
//! it, breadth first, by several threads. [`pack`] and [`petri`] make such a system of an instance's net
//! (`needless` says which of its transitions need not be fired), [`goal`] makes questions about its states of error
//! formulas, and [`search`] puts these together, with the reductions that are asked for: `stubborn` sets and [`symmetry`], applied by `reduced`.
//! [`trace`] holds firing sequences and replays them by the plain semantics, [`instances`] searches all
//! instances of given sizes. Exploration alone never proves anything about all sizes.

pub mod engine;
pub mod goal;
pub mod instances;
mod needless;
pub mod pack;
pub mod petri;
mod reduced;
pub mod search;
mod stubborn;
pub mod symmetry;
pub mod system;
pub mod trace;
