//! The canonical form of a document, as `paramcheck fmt` prints it: the whole, or nothing where it can't be
//! read.

use lsp_types::{Position, Range, TextEdit};
use paramcheck_model::syntax;
use paramcheck_process::Language as ProcessLanguage;

use crate::document::{Document, Language};

/// The change that makes the text canonical; none where it is, or where it can't be read completely.
pub(crate) fn format(document: &Document) -> Vec<TextEdit> {
    let text = &document.text;
    let formatted = match document.language {
        Language::Rewriting => syntax::format(text),
        Language::Ccs => paramcheck_process::format::format(text, ProcessLanguage::Ccs),
        Language::Chor => paramcheck_process::format::format(text, ProcessLanguage::Chor),
        Language::Labs => paramcheck_labs::format::format(text),
    };
    match formatted {
        Ok(new_text) if *new_text != *document.text => {
            let range = Range { start: Position::default(), end: document.lines.end(&document.text) };
            vec![TextEdit { range, new_text }]
        }
        _ => Vec::new(),
    }
}
