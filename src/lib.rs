//! Proves safety of distributed systems of every size at once.

pub mod certificate;
pub mod diagnostic;
pub mod engine;
pub mod explore;
pub mod instance;
pub mod invariant;
pub mod logic;
pub mod model;
pub mod source;
pub mod support;
pub mod syntax;
pub mod verdict;
