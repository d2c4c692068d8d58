//! The table of all kinds of diagnostics.

use super::Code;

pub mod input;
pub mod model;
pub mod syntax;

/// All kinds, in the order of their codes.
pub fn all() -> impl Iterator<Item = Code> {
    input::ALL.iter().chain(syntax::ALL).chain(model::ALL).copied()
}

/// The kind with this code (case-insensitive).
pub fn find(id: &str) -> Option<Code> {
    all().find(|code| code.id.eq_ignore_ascii_case(id))
}
