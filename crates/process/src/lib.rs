//! Processes: CCS with CSP's parallel operator (`.ccs`) and choreographies (`.chor`), from a text to a
//! resolved [`System`](model::System) and its operational semantics.
//!
//! [`parser::parse`] reads a text, [`lower::lower`] gives the tree its meaning, [`load`] does both;
//! [`print`](mod@print) and [`format`](mod@format) go the other way. Both languages end in the same terms: a
//! choreography means its peers in parallel, each a term made by natural projection. [`semantics`] has the
//! rules: labelled transition systems, bisimulation, checks under a scheduler.
//!
//! Triples and programs for other verifiers are not here (crate `emulation`), nor is the recheck of answers
//! (`verdict`). Sources: the papers on *sequential emulation*, Table 1 (CCS), Table 2 (`|[…]|`), section 5
//! (choreographies); `docs/processes.md` shows the languages.
//!
//! A text comes in as a string. A system and diagnostics go out, of a system its states and the answers to
//! its checks.
//!
//! # Example
//!
//! ```
//! use paramcheck_process::semantics::check::{Outcome, Schedule, decide};
//! use paramcheck_process::semantics::explore::explore;
//! use paramcheck_process::{Language, load};
//! use paramcheck_text::limits::Budget;
//!
//! let text = "PING = a.'b.PING; PONG = 'a.b.PONG; system (PING | PONG) \\ {a, b}; check deadlock;";
//! let system = load(text, Language::Ccs).system.expect("the text has a meaning");
//! let budget = Budget::unlimited();
//! let space = explore(&system, 1_000, &budget);
//! assert_eq!(space.lts.states(), 2);
//! let outcome = decide(&space, &system.checks[0].goal, Schedule::Any, &budget);
//! assert_eq!(outcome, Ok(Outcome::Holds));
//! ```

use paramcheck_text::diagnostic::Diagnostic;

pub mod ast;
pub mod format;
pub mod lower;
pub mod model;
pub mod parser;
pub mod print;
pub mod semantics;
pub mod show;
pub(crate) mod vocabulary;

/// The language of a process file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// CCS and CSP-style processes, `.ccs`
    Ccs,
    /// Choreographies, `.chor`
    Chor,
}

impl Language {
    /// The language of files whose names end in `.extension`.
    pub fn of_extension(extension: &str) -> Option<Language> {
        match extension {
            "ccs" => Some(Language::Ccs),
            "chor" => Some(Language::Chor),
            _ => None,
        }
    }

    /// How names of files in it end.
    pub fn extension(self) -> &'static str {
        match self {
            Language::Ccs => "ccs",
            Language::Chor => "chor",
        }
    }
}

/// Reads a text and gives it its meaning. A text that can't be read in full is not given a meaning: what
/// is missing would be complained of as unknown.
pub fn load(text: &str, language: Language) -> lower::Lowered {
    let parsed = parser::parse(text, language);
    if parsed.diagnostics.iter().any(Diagnostic::is_error) {
        return lower::Lowered { system: None, diagnostics: parsed.diagnostics };
    }
    let mut lowered = lower::lower(&parsed.model, language);
    lowered.diagnostics.splice(0..0, parsed.diagnostics);
    lowered
}
