//! Tokens to syntax tree, for both languages.
//!
//! [`parse`] is total: whatever the text, it returns every item that could be read and diagnostics for
//! the rest, in linear time and with bounded recursion. After an error reading goes on at the next
//! token that can only begin an item (`system`, `check`, `NAME =`). `expression` reads processes,
//! `property` formulas, `item` the rest; `input` has what they share. `merge` reports one slip once.

use crate::Language;
use crate::ast::Model;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::reading::{self, Comment};

mod expression;
mod input;
mod item;
mod merge;
mod property;

#[cfg(test)]
mod tests;

use input::{Input, ProcessInput};

/// How deep parentheses and negations may be nested.
pub(crate) const MAX_DEPTH: usize = 200;

/// What [`parse`] makes of a text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// Every item that could be read, in source order. The tree of a text with errors is a best guess
    /// and must not be given a meaning.
    pub model: Model,
    /// The comments of the text, in source order.
    pub comments: Vec<Comment>,
    /// What is wrong, by place; at most [`MAX_DIAGNOSTICS`](reading::MAX_DIAGNOSTICS) and one that reports
    /// that there are more.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a process file. Never fails: see [`Parsed::diagnostics`].
pub fn parse(text: &str, language: Language) -> Parsed {
    let mut read = reading::read(language, text, |input| reading::items(input, item::item, next_item));
    if read.diagnostics.iter().any(Diagnostic::is_error) {
        read.diagnostics = merge::merged(text, language, read.diagnostics);
    }
    Parsed { model: Model { items: read.value }, comments: read.comments, diagnostics: read.diagnostics }
}

/// Where to go on after an error.
fn next_item(mut input: Input<'_>) -> Input<'_> {
    while !input.is_at_end() && !input.begins_item() {
        input = input.advance();
    }
    input
}
