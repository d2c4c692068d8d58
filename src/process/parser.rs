//! Tokens to syntax tree, for both languages.
//!
//! [`parse`] is total: whatever the text, it returns every item that could be read and diagnostics for
//! the rest, in linear time and with bounded recursion. After an error reading goes on at the next
//! token that can only begin an item (`system`, `check`, `NAME =`). `expression` reads processes,
//! `property` formulas, `item` the rest; `input` has what they share.

use crate::diagnostic::Diagnostic;
use crate::diagnostic::codes::process::syntax as codes;
use crate::process::Language;
use crate::process::ast::Model;
use crate::process::lexer;
use crate::source::Span;
use crate::syntax::MAX_DIAGNOSTICS;
use crate::syntax::lexer::Comment;

mod expression;
mod input;
mod item;
mod property;

#[cfg(test)]
mod tests;

use input::{Input, Sink, SyntaxError};

/// How deep parentheses and negations may be nested.
pub const MAX_DEPTH: usize = 200;

/// What [`parse`] makes of a text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// Every item that could be read, in source order. The tree of a text with errors is a best guess
    /// and must not be given a meaning.
    pub model: Model,
    /// The comments of the text, in source order.
    pub comments: Vec<Comment>,
    /// What is wrong, by place; at most [`MAX_DIAGNOSTICS`] and one that says there is more.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a process file. Never fails: see [`Parsed::diagnostics`].
pub fn parse(text: &str, language: Language) -> Parsed {
    let lexed = lexer::lex(text);
    let sink = Sink::new(lexed.is_cut_short);
    let mut input = Input::new(text, &lexed.tokens, language, &sink);
    let mut model = Model::default();
    while !input.is_at_end() {
        let start = input;
        input = match item::item(input) {
            Ok((rest, item)) => {
                model.items.extend(item);
                rest
            }
            Err(error) => recover(start, error),
        };
    }
    let diagnostics = merged(lexed.diagnostics, sink.into_diagnostics());
    Parsed { model, comments: lexed.comments, diagnostics }
}

/// The diagnostics of lexer and parser by place, cut off at the limit.
fn merged(mut diagnostics: Vec<Diagnostic>, more: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.extend(more);
    diagnostics.sort_by_key(|diagnostic| diagnostic.labels.first().map_or(0, |label| label.span.start));
    if let Some(first_hidden) = diagnostics.get(MAX_DIAGNOSTICS) {
        let span = first_hidden.labels.first().map_or(Span::default(), |label| label.span);
        diagnostics.truncate(MAX_DIAGNOSTICS);
        diagnostics.push(
            Diagnostic::new(&codes::TOO_MANY, "there are more errors from here on", span, "")
                .help("repair the first ones and try again"),
        );
    }
    diagnostics
}

/// Reports an error in the item that begins at `start` and finds the place to go on, at least one
/// token later.
fn recover<'a>(start: Input<'a>, error: nom::Err<SyntaxError<'a>>) -> Input<'a> {
    let mut input = start;
    // No parser here is ever short of input.
    if let nom::Err::Error(error) | nom::Err::Failure(error) = error {
        input = error.at;
        error.report();
    }
    if input.position() == start.position() {
        input = input.advance();
    }
    while !input.is_at_end() && !input.begins_item() {
        input = input.advance();
    }
    input
}
