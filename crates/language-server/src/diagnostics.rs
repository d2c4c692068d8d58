//! Diagnostics of a document, as the editor shows them.
//!
//! Code, severity, message and help; secondary labels as related places. What `paramcheck explain` prints
//! about the code is in `data`, and one code action away.

use lsp_types::{
    Diagnostic as Shown, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Uri,
};
use paramcheck_text::diagnostic::{Diagnostic, Severity};
use serde_json::json;

use crate::document::Document;

/// The diagnostics of a document.
pub(crate) fn diagnostics(document: &mut Document, uri: &Uri) -> Vec<Shown> {
    let analysis = document.analysis();
    analysis.diagnostics.iter().map(|diagnostic| shown(diagnostic, document, uri)).collect()
}

fn shown(diagnostic: &Diagnostic, document: &Document, uri: &Uri) -> Shown {
    let mut labels = diagnostic.labels.iter();
    let first = labels.next();
    let related: Vec<DiagnosticRelatedInformation> = labels
        .map(|label| DiagnosticRelatedInformation {
            location: Location { uri: uri.clone(), range: document.range(label.span) },
            message: if label.text.is_empty() { "here".to_owned() } else { label.text.clone() },
        })
        .collect();
    let mut message = diagnostic.message.clone();
    // What a label adds to the message; many say the same in fewer words.
    if let Some(label) = first.filter(|label| !message.contains(&label.text)) {
        message.push_str(": ");
        message.push_str(&label.text);
    }
    if let Some(help) = &diagnostic.help {
        message.push_str("\nhelp: ");
        message.push_str(help);
    }
    Shown {
        range: document.range(first.map(|label| label.span).unwrap_or_default()),
        severity: Some(match diagnostic.code.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: Some(NumberOrString::String(diagnostic.code.id.to_owned())),
        source: Some("paramcheck".to_owned()),
        message,
        related_information: Some(related).filter(|related| !related.is_empty()),
        data: Some(json!({ "explanation": diagnostic.code.explanation.trim() })),
        ..Shown::default()
    }
}
