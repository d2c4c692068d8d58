//! Structural invariants of every instance at once: their kinds, and the engine that finds them.
//!
//! [`kind`] is the table of kinds; [`direct`] proves by tree automata over rewriting trees and writes a certificate
//! for what it proves; [`outcome`] is what any engine answers. A system and an error come in; a proof, or the
//! smallest marking that no invariant excludes, goes out. Whether an instance really reaches that marking is not
//! decided here, nor is a certificate checked: the checker (crate `certificate`) has a table of kinds of its own.

pub mod direct;
pub mod firing;
pub mod kind;
pub mod outcome;
pub mod record;
pub mod strategy;
