//! Engines: from a question to a proof or a candidate.
//!
//! An engine looks for a marking that is in every invariant and in the error set. None: proved, with
//! a certificate. Some: the smallest is the *candidate*; whether its instance really reaches it is not
//! the engine's business (see `verdict`).
//!
//! [`mona`] does not know models but formulas: it answers what `logic` asks.

pub mod direct;
pub mod mona;
