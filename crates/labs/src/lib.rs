//! LAbS: agents with attributes, an environment, and virtual stigmergies, from a text to a well-formed
//! [`System`](model::System) and its operational semantics.
//!
//! [`parser::parse`] reads a text, [`lower::lower`] gives the tree its meaning with the values of its parameters,
//! [`load`] does both; [`print`](mod@print) and [`format`](mod@format) go the other way. [`semantics`] has the
//! rules as they are in the sources, on process terms: slow, and what everything else is held against.
//!
//! Transition triples, the packed engine and programs for other verifiers are not here (crate `emulation`).
//! Sources: Di Stefano's thesis on LAbS, chapter 3; the paper on ATLAS (ISoLA 2021); the journal article on
//! sequential emulation, section 4. `docs/labs.md` shows the language and says where it differs from them.

use std::collections::BTreeMap;

use paramcheck_text::diagnostic::Diagnostic;

pub mod ast;
pub mod format;
pub mod lower;
pub mod model;
pub mod number;
pub mod parser;
pub mod print;
pub mod semantics;
pub mod vocabulary;

/// Values of parameters by name, without the `_`.
pub type Parameters = BTreeMap<String, i64>;

/// Reads a text and gives it its meaning. A text that can't be read in full is not given a meaning: what is missing
/// would be complained of as unknown.
pub fn load(text: &str, parameters: &Parameters) -> lower::Lowered {
    let parsed = parser::parse(text);
    if parsed.diagnostics.iter().any(Diagnostic::is_error) {
        return lower::Lowered { system: None, diagnostics: parsed.diagnostics };
    }
    let mut lowered = lower::lower(&parsed.file, parameters);
    lowered.diagnostics.splice(0..0, parsed.diagnostics);
    lowered
}
