//! The document that `--json` prints. Its description for readers is `docs/json.md`.
//!
//! One run prints one document. With one file, the file's keys stand at the top level, where scripts
//! want them; with several, there is a list of files.

use serde::Serialize;

use crate::report::Question;
use paramcheck_model::statistics::Statistics;
use paramcheck_text::diagnostic::{Diagnostic, Severity};
use paramcheck_text::source::{SourceFile, Span};

/// The version of the document. Raised when a key is renamed, removed or changes its meaning; new keys
/// may appear without.
pub const SCHEMA_VERSION: u32 = 1;

/// The document of a command about any number of files.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Document<T = FileReport> {
    /// Always [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Who wrote it.
    pub tool: Tool,
    /// The answers.
    #[serde(flatten)]
    pub content: Content<T>,
}

/// Who wrote a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tool {
    /// Always `paramcheck`.
    pub name: &'static str,
    /// The program's version.
    pub version: &'static str,
}

impl Default for Tool {
    fn default() -> Self {
        Tool { name: "paramcheck", version: env!("CARGO_PKG_VERSION") }
    }
}

/// The document of a command about one file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CommandDocument<T> {
    /// Always [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Who wrote it.
    pub tool: Tool,
    /// The file as named in the call; `<stdin>` for `-`.
    pub file: String,
    /// The system's name; `None` where the file has errors.
    pub system: Option<String>,
    /// Errors and warnings.
    pub diagnostics: Vec<DiagnosticReport>,
    /// What the command found; its keys stand beside the others, and are missing where there is nothing.
    #[serde(flatten)]
    pub content: Option<T>,
}

impl<T: Serialize> CommandDocument<T> {
    /// A document about `file`, in which nothing stands yet.
    pub fn new(file: impl Into<String>) -> Self {
        CommandDocument {
            schema_version: SCHEMA_VERSION,
            tool: Tool::default(),
            file: file.into(),
            system: None,
            diagnostics: Vec::new(),
            content: None,
        }
    }

    /// The document as text, with a line break at the end.
    ///
    /// # Errors
    /// None that can be reached: every key is a string.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// One file's report at the top level, or several in a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Content<T = FileReport> {
    /// The call named one file.
    One(Box<T>),
    /// The call named several.
    Many {
        /// Their reports, in the order of the call.
        files: Vec<T>,
    },
}

/// What was found about one file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FileReport {
    /// The file as named in the call; `<stdin>` for `-`.
    pub file: String,
    /// The system's name; `None` where the file has errors.
    pub system: Option<String>,
    /// How large the system is; `None` where the file has errors.
    pub statistics: Option<SizeReport>,
    /// Errors and warnings.
    pub diagnostics: Vec<DiagnosticReport>,
    /// One per question; empty where the file or a question has errors.
    pub results: Vec<Question>,
}

/// How large a system is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SizeReport {
    /// Component types.
    pub component_types: usize,
    /// States of each component type.
    pub states: Vec<usize>,
    /// Predicates.
    pub predicates: usize,
    /// Rules.
    pub rules: usize,
    /// Interactions of all rules.
    pub interactions: usize,
    /// The greatest number of predicate atoms in one rule: 0 or 1 for lines, more for trees.
    pub kappa: usize,
}

impl From<&Statistics> for SizeReport {
    fn from(statistics: &Statistics) -> Self {
        let Statistics { types, states, predicates, rules, interactions, kappa } = statistics;
        SizeReport {
            component_types: *types,
            states: states.clone(),
            predicates: *predicates,
            rules: *rules,
            interactions: *interactions,
            kappa: *kappa,
        }
    }
}

/// An error or warning, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DiagnosticReport {
    /// Its stable code, which `paramcheck explain` knows.
    pub code: &'static str,
    /// `error` or `warning`; a warning that the call denies is an error.
    pub severity: &'static str,
    /// One sentence.
    pub message: String,
    /// The text that `line` and the others count in: the file, or `--error` for a definition given on
    /// the command line. `None` where the message is about no text.
    pub source: Option<String>,
    /// First line, from 1.
    pub line: Option<usize>,
    /// First column, from 1, in characters.
    pub column: Option<usize>,
    /// Last line.
    pub end_line: Option<usize>,
    /// One past the last column.
    pub end_column: Option<usize>,
    /// All places, the primary one first.
    pub labels: Vec<LabelReport>,
    /// What can be done.
    pub help: Option<String>,
}

/// A place with a remark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LabelReport {
    /// First line, from 1.
    pub line: usize,
    /// First column, from 1, in characters.
    pub column: usize,
    /// Last line.
    pub end_line: usize,
    /// One past the last column.
    pub end_column: usize,
    /// The text of its label; may be empty.
    pub text: String,
}

impl<T: Serialize> Document<T> {
    /// The document of a call. `reports` has one entry per file named.
    pub fn new(mut reports: Vec<T>) -> Self {
        let content = match reports.pop() {
            Some(report) if reports.is_empty() => Content::One(Box::new(report)),
            last => {
                reports.extend(last);
                Content::Many { files: reports }
            }
        };
        Document { schema_version: SCHEMA_VERSION, tool: Tool::default(), content }
    }

    /// The document as text, with a line break at the end.
    ///
    /// # Errors
    ///
    /// None that can be reached: every key is a string.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        Ok(text)
    }
}

impl FileReport {
    /// The report of a file of which nothing is known yet.
    pub fn new(file: impl Into<String>) -> Self {
        FileReport {
            file: file.into(),
            system: None,
            statistics: None,
            diagnostics: Vec::new(),
            results: Vec::new(),
        }
    }
}

/// A diagnostic of `source` as data; `source` is `None` for one that is about no text.
pub fn diagnostic(diagnostic: &Diagnostic, source: Option<&SourceFile>) -> DiagnosticReport {
    let labels: Vec<LabelReport> = match source {
        Some(source) => {
            diagnostic.labels.iter().map(|label| place(source, label.span, &label.text)).collect()
        }
        None => Vec::new(),
    };
    let first = labels.first();
    DiagnosticReport {
        code: diagnostic.code.id,
        severity: match diagnostic.code.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        message: diagnostic.message.clone(),
        source: source.filter(|_| first.is_some()).map(|source| source.name.clone()),
        line: first.map(|label| label.line),
        column: first.map(|label| label.column),
        end_line: first.map(|label| label.end_line),
        end_column: first.map(|label| label.end_column),
        help: diagnostic.help.clone(),
        labels,
    }
}

fn place(source: &SourceFile, span: Span, text: &str) -> LabelReport {
    let (line, column) = source.line_column(span.start);
    let (end_line, end_column) = source.line_column(span.end.max(span.start));
    LabelReport { line, column, end_line, end_column, text: text.to_owned() }
}
