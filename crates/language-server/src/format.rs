//! The canonical form of a document, as `paramcheck fmt` prints it: the whole, or nothing where it can't be
//! read.

use lsp_types::{Position, Range, TextEdit};
use paramcheck_model::syntax;

use crate::document::Document;

/// The change that makes the text canonical; none where it is, or where it can't be read completely.
pub(crate) fn format(document: &Document) -> Vec<TextEdit> {
    let formatted = match document.language.process() {
        Some(language) => paramcheck_process::format::format(&document.text, language),
        None => syntax::format(&document.text),
    };
    match formatted {
        Ok(new_text) if *new_text != *document.text => {
            let range = Range { start: Position::default(), end: document.lines.end(&document.text) };
            vec![TextEdit { range, new_text }]
        }
        _ => Vec::new(),
    }
}
