//! Processes: CCS with CSP's parallel operator (`.ccs`) and choreographies (`.chor`), from text to a
//! resolved [`System`](model::System).
//!
//! [`parser::parse`] reads a text, [`lower::lower`] gives the tree its meaning, [`load`] does both;
//! [`print`](mod@print) and [`format`](mod@format) go the other way. Both languages end in the same terms: what a choreography means
//! is its peers in parallel, each a term made by natural projection. Sources: *Sequential emulation* papers,
//! Table 1 (CCS), Table 2 (`|[…]|`), section 5 (Chor). What a term does is not said here but in
//! `semantics`.

use paramcheck_text::diagnostic::Diagnostic;

pub mod ast;
pub mod format;
pub mod lower;
pub mod model;
pub mod parser;
pub mod print;
pub mod semantics;
pub mod show;
pub mod vocabulary;

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
