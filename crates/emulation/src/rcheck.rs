//! R-CHECK.

pub mod smv;
