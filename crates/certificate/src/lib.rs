//! Certificates of "proved for every size": finite evidence, and a checker that trusts nobody.
//!
//! [`data`] is the document as written to disk; [`check`] decides whether it proves what it claims.
//! The checker imports the model and nothing else: neither the engine that made the certificate nor
//! the table of invariant kinds that the engine used.

pub mod check;
pub mod data;
