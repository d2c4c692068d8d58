//! R-CHECK: reconfigurable communicating agents, from a text to a well-typed [`System`](model::System), its
//! meaning, and the truth of its LTL and LTOL properties.
//!
//! [`parser::parse`] reads a text in either of the two syntaxes, [`lower::lower`] gives the tree its meaning,
//! [`load`] does both; [`print`](mod@print) and [`format`](mod@format) go the other way, and from the
//! article's syntax to today's. [`semantics`] has the rules as they are in the sources: slow, and what
//! everything else is held against.
//!
//! Transition triples, packed states and programs for other verifiers are not here (crate `emulation`).
//! Sources: the article *Language Support for Verifying Reconfigurable Interacting Systems*, and the grammar
//! of the published tool. `docs/rcheck.md` shows the language and says where it differs from them.
//!
//! ```
//! use paramcheck_rcheck::{load, parser::Options, semantics::{check, explore}};
//! use paramcheck_text::limits::Budget;
//!
//! let text = "message-structure: N : bool
//!     agent A local: x : bool init: !x repeat: ( on: {!x} *! (true)(N := true)[x := true] )
//!     system = A(one, true)
//!     SPEC F one-x";
//! let system = load(text, Options::default()).system.ok_or("it has a meaning")?;
//! let space = explore::explore(&system, 100, &Budget::unlimited()).map_err(|_| "it is small")?;
//! assert_eq!((space.states.len(), space.transitions()), (2, 1));
//! let answer = check::check(&system, &space, &system.specs[0], check::Fairness::Unfair);
//! assert_eq!(answer, check::Answer::Holds);
//! # Ok::<(), &str>(())
//! ```

use paramcheck_text::diagnostic::Diagnostic;

pub mod ast;
pub mod convert;
pub mod format;
pub mod lower;
pub mod model;
pub mod parser;
pub mod print;
pub mod semantics;
pub mod vocabulary;

/// Reads a text and gives it its meaning. A text that can't be read in full is not given a meaning: what is
/// missing would be complained of as unknown.
pub fn load(text: &str, options: parser::Options) -> lower::Lowered {
    let parsed = parser::parse(text, options);
    if parsed.diagnostics.iter().any(Diagnostic::is_error) {
        return lower::Lowered { system: None, diagnostics: parsed.diagnostics };
    }
    let mut lowered = lower::lower(&parsed.file, text, options.as_rcheck);
    lowered.diagnostics.splice(0..0, parsed.diagnostics);
    lowered
}
