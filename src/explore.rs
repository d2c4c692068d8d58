//! Exhaustive exploration of concrete instances: what the three answers' evidence is made of.
//!
//! [`search`] walks through the reachable markings of one instance, [`trace`] holds firing sequences
//! and replays them by the plain semantics, [`instances`] searches all instances of given sizes.
//! Exploration alone never proves anything about all sizes.

pub mod instances;
pub mod search;
pub mod trace;
