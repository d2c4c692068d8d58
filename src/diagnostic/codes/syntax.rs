//! Kinds of diagnostics found while reading (`E01..`, `W01..`).

use crate::diagnostic::Code;

/// All kinds of this file.
pub const ALL: &[Code] = &[];
