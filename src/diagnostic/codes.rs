//! The table of all kinds of diagnostics.

use super::Code;

pub mod model;
pub mod syntax;

/// All kinds, in the order of their codes.
pub fn all() -> impl Iterator<Item = Code> {
    syntax::ALL.iter().chain(model::ALL).copied()
}

/// The kind with this code (case-insensitive).
pub fn find(id: &str) -> Option<Code> {
    all().find(|code| code.id.eq_ignore_ascii_case(id))
}
