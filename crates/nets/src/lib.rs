//! Instances of rewriting systems as Petri nets, and the exploration of their state spaces.
//!
//! [`instance`] unfolds a rewriting tree into a net, enumerates trees by size, and reads and prints their
//! terms; [`explore`] is the explicit-state engine for any transition system, instances as such systems, and
//! traces with their replay. Systems and trees come in, markings, traces and state counts go out. Proofs for
//! all sizes are not here (see the crates `invariants` and `verdict`).

pub mod explore;
pub mod instance;
