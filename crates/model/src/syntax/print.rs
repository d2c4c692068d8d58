//! Syntax tree to text.
//!
//! [`print`](print()) gives the canonical text of a tree: ASCII spelling, one statement or item per line
//! where it fits, long ones broken before interactions, patterns, atoms and operands. [`format`](format())
//! does the same for a text and keeps its comments and single blank lines. Parsing the result gives the same
//! tree ([`same_tree`](super::same_tree())), and formatting it again gives the same text.
//!
//! `pieces` cuts a tree into pieces that are never broken, each with its place in the source;
//! `layout` puts pieces and comments on lines. A comment is written before the first piece that it
//! precedes in the source, so none can be lost, doubled or overtaken by another, and a piece keeps
//! its comments when the result is read again. Weaving comments into a general pretty-printer was
//! rejected: the tree does not keep punctuation, so there is nothing finer to attach them to.

use crate::syntax::ast::{Model, Wsks};
use crate::syntax::parser::parse;
use paramcheck_text::diagnostic::Diagnostic;

mod layout;
mod pieces;

#[cfg(test)]
mod tests;

use layout::Writer;

/// The canonical text of a tree.
pub fn print(model: &Model) -> String {
    write(model, Writer::new("", &[]))
}

/// The canonical text of a formula over components, in one line.
pub(crate) fn wsks(wsks: &Wsks) -> String {
    pieces::wsks_text(wsks)
}

/// The canonical text of a model with its comments, each exactly once and in order.
///
/// # Errors
///
/// The diagnostics of a text that cannot be read without error.
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let parsed = parse(text);
    if parsed.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(parsed.diagnostics);
    }
    Ok(write(&parsed.model, Writer::new(text, &parsed.comments)))
}

fn write(model: &Model, mut writer: Writer<'_>) -> String {
    let mut previous = None;
    for item in &model.items {
        writer.item(item, previous);
        previous = Some(item);
    }
    writer.finish()
}
