//! Candidates that are read: from the path of a document to an instance and a marking.

use std::path::Path;

use paramcheck::replay::{self, StandingCandidate};
use paramcheck::report::candidate::{self, CandidateDocument};
use paramcheck_model::system::System;
use paramcheck_text::diagnostic::codes::input::BAD_CANDIDATE;

use super::files::{self, Refused};

/// The candidate in the file `path`.
///
/// # Errors
/// What is wrong with the file, or does not fit `system`.
pub(super) fn read(system: &System, path: &Path) -> Result<(CandidateDocument, StandingCandidate), Refused> {
    let text = files::read(path, files::TRACE_BYTES)?;
    let document = match candidate::read(&text) {
        Ok(document) => document,
        Err(diagnostic) => {
            let source = (!diagnostic.labels.is_empty()).then_some(text);
            return Err(Box::new((diagnostic, source)));
        }
    };
    match replay::candidate(system, &document) {
        Ok(standing) => Ok((document, standing)),
        Err(reason) => {
            let message = format!("`{}` is no candidate of the model: {reason}", text.name);
            let help = "was the model changed since? check it again, with `--candidate PATH`";
            Err(Box::new((files::plain(&BAD_CANDIDATE, message).help(help), None)))
        }
    }
}
