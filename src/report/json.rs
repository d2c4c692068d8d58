//! What every document of `--json` has in common beside its shape: diagnostics and sizes of systems as data.
//! The shape is [`document`](super::document).

use serde::Serialize;

use paramcheck_model::statistics::Statistics;
use paramcheck_text::diagnostic::{Diagnostic, Severity};
use paramcheck_text::source::{SourceFile, Span};

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
