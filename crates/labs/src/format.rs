//! A text in canonical form, with its comments.
//!
//! As [`print`](mod@super::print) does, but comments are kept where they stand, blank lines too (at most one
//! after the other), and lists, blocks and parentheses stay in several lines if they are so.

use super::parser::parse;
use super::print::{Source, written};
use paramcheck_text::diagnostic::Diagnostic;

/// The canonical form of a text.
///
/// # Errors
/// The diagnostics of a text that can't be read completely: the rest would be lost.
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let parsed = parse(text);
    if parsed.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(parsed.diagnostics);
    }
    Ok(written(&parsed.file, Source { text, comments: &parsed.comments }))
}
