//! Tokens to syntax tree.
//!
//! [`parse`] is total: whatever the text, it returns every item that could be read and diagnostics
//! for the rest, in linear time and with bounded recursion. After an error reading goes on behind
//! the next `;` or `}`, or at the next token that can only begin an item. One parser per construct:
//! `item` (components, links, …, heads of rules), `body` (bodies of rules), `error` (formulas), `wsks`
//! (formulas over components); `input` has what they share.
//!
//! What is wrong beyond doubt in a small way (`=` for `<-`, a missing `)`) is reported and read as
//! intended, so that later errors are found in the same run. The tree of a text with errors is thus a
//! best guess and must not be given a meaning.

use nom::Parser;

use crate::syntax::ast::property::PropertyDefinition;
use crate::syntax::ast::{ErrorDefinition, Model};
use crate::syntax::foreign;
use crate::syntax::vocabulary::{Rewriting, Symbol, TokenKind};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::reading::{self, Comment};

mod body;
mod error;
mod input;
mod item;
mod property;
mod wsks;

#[cfg(test)]
mod tests;

use input::{Input, ParseResult, SyntaxError};

/// What [`parse`] makes of a text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// Every item that could be read, in source order.
    pub model: Model,
    /// The comments of the text, in source order.
    pub comments: Vec<Comment>,
    /// What is wrong, by place; at most [`MAX_DIAGNOSTICS`](reading::MAX_DIAGNOSTICS) and one that reports
    /// that there are more.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a model. Never fails: see [`Parsed::diagnostics`].
pub fn parse(text: &str) -> Parsed {
    let mut read = reading::read(Rewriting, text, |input| reading::items(input, item::item, next_item));
    if read.diagnostics.iter().any(Diagnostic::is_error)
        && let Some(other) = foreign::recognised(text)
    {
        read.diagnostics = vec![other];
    }
    Parsed { model: Model { items: read.value }, comments: read.comments, diagnostics: read.diagnostics }
}

/// Reads one error definition given apart from a model: `NAME = #busy >= 2`, with or without the
/// word `error` before and `;` behind. The definition is there if it could be read, even if
/// something was reported.
pub fn parse_error_definition(text: &str) -> (Option<ErrorDefinition>, Vec<Diagnostic>) {
    single(text, error::single_definition)
}

/// Reads one property of runs given apart from a model: `NAME = G (#busy >= 1 -> F did out)`. It is there if it
/// could be read, even if something was reported.
pub fn parse_property(text: &str) -> (Option<PropertyDefinition>, Vec<Diagnostic>) {
    single(text, property::single_property)
}

/// Reads a text that consists of one construct.
fn single<T>(
    text: &str,
    construct: impl for<'a> Fn(Input<'a>) -> ParseResult<'a, T>,
) -> (Option<T>, Vec<Diagnostic>) {
    let read = reading::read(Rewriting, text, |input| match construct(input) {
        Ok((_, value)) => Some(value),
        Err(error) => {
            if let Some(error) = SyntaxError::of(error) {
                error.report();
            }
            None
        }
    });
    (read.value, read.diagnostics)
}

/// Where to go on after an error.
fn next_item(mut input: Input<'_>) -> Input<'_> {
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
