//! Tokens to syntax tree.
//!
//! [`parse`] is total: whatever the text, it returns every item that could be read and diagnostics
//! for the rest, in linear time and with bounded recursion. After an error reading goes on behind
//! the next `;` or `}`, or at the next token that can only begin an item. One parser per construct:
//! `item` (components, links, …, heads of rules), `body` (bodies of rules), `error` (formulas), `wsks`
//! (formulas over components); `input` has what they share.
//!
//! What is wrong beyond doubt in a small way (`=` for `<-`, a missing `)`) is reported and read as
//! meant, so that later errors are found in the same run. The tree of a text with errors is thus a
//! best guess and must not be given a meaning.

use nom::Parser;

use crate::diagnostic::{Diagnostic, codes};
use crate::source::Span;
use crate::syntax::MAX_DIAGNOSTICS;
use crate::syntax::ast::{ErrorDefinition, Model};
use crate::syntax::lexer::token::{Symbol, TokenKind};
use crate::syntax::lexer::{self, Comment};

mod body;
mod error;
mod input;
mod item;
mod wsks;

#[cfg(test)]
mod tests;

use input::{Input, ParseResult, Sink, SyntaxError};

/// What [`parse`] makes of a text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// Every item that could be read, in source order.
    pub model: Model,
    /// The comments of the text, in source order.
    pub comments: Vec<Comment>,
    /// What is wrong, by place; at most [`MAX_DIAGNOSTICS`] and one that says there is more.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a model. Never fails: see [`Parsed::diagnostics`].
pub fn parse(text: &str) -> Parsed {
    let lexed = lexer::lex(text);
    let sink = Sink::new(lexed.is_cut_short);
    let mut input = Input::new(text, &lexed.tokens, &sink);
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

/// Reads one error definition given apart from a model: `NAME = #busy >= 2`, with or without the
/// word `error` before and `;` behind. The definition is there if it could be read, even if
/// something was reported.
pub fn parse_error_definition(text: &str) -> (Option<ErrorDefinition>, Vec<Diagnostic>) {
    let lexed = lexer::lex(text);
    let sink = Sink::new(lexed.is_cut_short);
    let definition = match error::single_definition(Input::new(text, &lexed.tokens, &sink)) {
        Ok((_, definition)) => Some(definition),
        Err(error) => {
            if let Some(error) = inner(error) {
                error.report();
            }
            None
        }
    };
    (definition, merged(lexed.diagnostics, sink.into_diagnostics()))
}

/// The diagnostics of lexer and parser by place, cut off at the limit.
fn merged(mut diagnostics: Vec<Diagnostic>, more: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.extend(more);
    diagnostics.sort_by_key(|diagnostic| diagnostic.labels.first().map_or(0, |label| label.span.start));
    if let Some(first_hidden) = diagnostics.get(MAX_DIAGNOSTICS) {
        let span = first_hidden.labels.first().map_or(Span::default(), |label| label.span);
        diagnostics.truncate(MAX_DIAGNOSTICS);
        diagnostics.push(
            Diagnostic::new(&codes::syntax::TOO_MANY, "there are more errors from here on", span, "")
                .help("repair the first ones and try again"),
        );
    }
    diagnostics
}

/// The error itself; no parser here is ever short of input.
fn inner(error: nom::Err<SyntaxError<'_>>) -> Option<SyntaxError<'_>> {
    match error {
        nom::Err::Error(error) | nom::Err::Failure(error) => Some(error),
        nom::Err::Incomplete(_) => None,
    }
}

/// Reports an error in the item that begins at `start` and finds the place to go on, at least one
/// token later.
fn recover<'a>(start: Input<'a>, error: nom::Err<SyntaxError<'a>>) -> Input<'a> {
    let mut input = start;
    if let Some(error) = inner(error) {
        input = error.at;
        error.report();
    }
    if input.position() == start.position() {
        input = input.advance();
    }
    while !input.is_at_end() && !item::begins_item(input) {
        let is_end = input.at(Symbol::Semicolon) || input.at(Symbol::RightBrace);
        input = input.advance();
        if is_end {
            break;
        }
    }
    input
}

/// Repeats a parser as long as the next token is of the right kind.
fn while_at<'a, T>(
    begins: impl Fn(TokenKind) -> bool,
    mut parser: impl Parser<Input<'a>, Output = T, Error = SyntaxError<'a>>,
) -> impl Parser<Input<'a>, Output = Vec<T>, Error = SyntaxError<'a>> {
    move |mut input: Input<'a>| -> ParseResult<'a, Vec<T>> {
        let mut values = Vec::new();
        while begins(input.kind()) {
            let (rest, value) = parser.parse(input)?;
            values.push(value);
            input = rest;
        }
        Ok((input, values))
    }
}
