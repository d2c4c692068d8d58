//! The candidate document: a marking that no invariant excludes, kept to be taken up again.
//!
//! [`CandidateDocument`] is what `--candidate` writes when checking, and what other commands read by the option
//! of the same name: the instance and the marking, in the very types of a result of `--json` (its description
//! for readers is `docs/json.md`). [`read`] takes such a document. Whether it fits a model is found out by
//! [`replay::candidate`](crate::replay::candidate()). Keys that are not known are ignored.

use serde::{Deserialize, Serialize};

use crate::report::kind::Kind;
use crate::report::reading::refusal;
use crate::report::{Instance, Place, Question, reading};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::input::BAD_CANDIDATE;
use paramcheck_text::source::SourceFile;

/// What [`CandidateDocument::format`] is.
pub const FORMAT: &str = "paramcheck-candidate";
/// The version of the document. Raised when a key is renamed, removed or changes its meaning.
pub const VERSION: u32 = 1;

/// A marking of an instance that is an error and in every invariant, everything by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct CandidateDocument {
    /// Always [`FORMAT`].
    pub format: String,
    /// Always [`VERSION`].
    pub version: u32,
    /// The system's name.
    pub system: String,
    /// The name of the error that the marking is in.
    pub error: String,
    /// The error's definition, the names of other errors replaced by what they mean.
    pub formula: String,
    /// The instance.
    pub instance: Instance,
    /// The marking: a state per component.
    pub marking: Vec<Place>,
}

impl CandidateDocument {
    /// The candidate of a question that is answered *unknown*; `None` where there is none.
    pub fn of(system: &str, question: &Question) -> Option<CandidateDocument> {
        let first = question.candidates.first()?;
        Some(CandidateDocument {
            format: FORMAT.to_owned(),
            version: VERSION,
            system: system.to_owned(),
            error: question.error.clone(),
            formula: question.formula.clone(),
            instance: first.instance.clone(),
            marking: first.marking.clone(),
        })
    }

    /// The document as text, with a line break at the end.
    ///
    /// # Errors
    /// None that can be reached: every key is a string.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// What shows which document it is.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Form {
    format: Option<String>,
    version: Option<u32>,
}

/// Reads the candidate in `text`.
///
/// # Errors
/// What is wrong with the document, with its place where it has one.
pub fn read(text: &SourceFile) -> Result<CandidateDocument, Diagnostic> {
    let form: Form = parse(text)?;
    let help = match (form.format.as_deref(), form.version) {
        (Some(FORMAT), Some(VERSION)) => return parse(text),
        (Some(FORMAT), Some(version)) => {
            let what = format!("is a candidate of version {version}; this program reads {VERSION}");
            return Err(refusal(&BAD_CANDIDATE, text, &what, "write it again with `--candidate PATH`"));
        }
        _ => "a candidate is written by `paramcheck FILE --error NAME --candidate PATH`",
    };
    Err(match Kind::of(text) {
        Some(other) => other.instead_of("candidate", &BAD_CANDIDATE, text),
        None => refusal(&BAD_CANDIDATE, text, "is no candidate", help),
    })
}

/// `text` as a `T`, or the message that gives the place where it is none.
fn parse<'a, T: Deserialize<'a>>(text: &'a SourceFile) -> Result<T, Diagnostic> {
    reading::read(text, &BAD_CANDIDATE, "candidate", "docs/json.md")
}
