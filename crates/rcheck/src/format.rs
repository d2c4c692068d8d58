//! A text in canonical form, with its comments; a text of the article's syntax in today's.
//!
//! As [`print`](mod@super::print) does, but comments are kept where they stand, blank lines too (at most one
//! after the other), and lists, processes and conditions stay in several lines if they are so.

use super::convert::to_today;
use super::parser::{Options, Parsed, parse};
use super::print::written;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::document::Source;

/// The canonical form of a text.
///
/// # Errors
/// The diagnostics of a text that can't be read completely: the rest would be lost.
pub fn format(text: &str, options: Options) -> Result<String, Vec<Diagnostic>> {
    let Parsed { file, comments, .. } = read(text, options)?;
    Ok(written(&file, Source { text, comments: &comments }))
}

/// The canonical form of a text in today's syntax. It has the same meaning, and its structure automata the
/// same numbers.
///
/// # Errors
/// The diagnostics of a text that can't be read completely.
pub fn format_to_today(text: &str, options: Options) -> Result<String, Vec<Diagnostic>> {
    let Parsed { file, comments, .. } = read(text, options)?;
    Ok(written(&to_today(&file), Source { text, comments: &comments }))
}

fn read(text: &str, options: Options) -> Result<Parsed, Vec<Diagnostic>> {
    let parsed = parse(text, options);
    if parsed.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(parsed.diagnostics);
    }
    Ok(parsed)
}
