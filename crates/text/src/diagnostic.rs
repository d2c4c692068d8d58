//! Diagnostics: what is wrong with a text, where, and what to do about it.
//!
//! A [`Diagnostic`] is plain data with a stable [`Code`]; it is turned into lines and carets by
//! [`render`]. Parser and lowering only make them; nothing here prints.

use crate::source::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The model has no meaning: nothing is decided.
    Error,
    /// The model has a meaning, perhaps not the intended one.
    Warning,
}

/// A place with a remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The text of its label; may be empty.
    pub text: String,
}

/// One message about a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable code, e.g. `E0201`; `paramcheck explain` knows it.
    pub code: Code,
    /// One sentence, without a full stop.
    pub message: String,
    /// Where; the first label is the primary place.
    pub labels: Vec<Label>,
    /// What the user can do, where something is known to help.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A message with its primary place.
    pub fn new(code: Code, message: impl Into<String>, span: Span, label: impl Into<String>) -> Self {
        Diagnostic {
            code,
            message: message.into(),
            labels: vec![Label { span, text: label.into() }],
            help: None,
        }
    }

    /// Adds a secondary place.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Adds a hint on what can be done.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Whether the model has no meaning because of it.
    pub fn is_error(&self) -> bool {
        self.code.severity == Severity::Error
    }
}

/// A kind of diagnostic; there is one static value per kind, in [`codes`].
pub type Code = &'static CodeInfo;

/// What is known of a kind of diagnostic.
#[derive(Debug, PartialEq, Eq)]
pub struct CodeInfo {
    /// The stable code: `E` or `W` and four digits. Codes are never reused.
    pub id: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// The kind in a few words.
    pub title: &'static str,
    /// What `paramcheck explain` prints: a paragraph or two, and a small wrong and right example.
    pub explanation: &'static str,
}

pub mod codes;
pub mod render;
