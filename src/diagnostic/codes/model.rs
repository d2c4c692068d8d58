//! Kinds of diagnostics found while giving a tree its meaning (`E02..`, `W02..`).

use crate::diagnostic::Code;

/// All kinds of this file.
pub const ALL: &[Code] = &[];
