//! Kinds of diagnostics about process files, `.ccs` and `.chor` (`E03..` to `E05..`, `W04..`).
//!
//! Every kind but those about files and calls carries a small wrong and a small right text; a test reads
//! both and checks that the wrong one gives exactly this code and the right one none. An example is a
//! choreography if it contains `@`, otherwise CCS.

use crate::diagnostic::Code;

pub mod calls;
pub mod meaning;
pub mod syntax;

/// All kinds of these files, in the order of their codes: errors of a folder before its warnings.
pub fn all() -> impl Iterator<Item = &'static Code> {
    syntax::ALL.iter().chain(meaning::ALL).chain(calls::ALL)
}
