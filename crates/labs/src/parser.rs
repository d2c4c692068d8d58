//! Tokens to syntax tree.
//!
//! [`parse`] is total: whatever the text, it returns every section that could be read and diagnostics for
//! the rest, in linear time and with bounded recursion. After an error reading goes on at the next part of the
//! section, or at the next section. `section` reads sections, `declaration` variables, `process` and
//! `assignment` what agents do, `expression` and `quantifier` conditions and numbers, `property` properties;
//! `input` has what they share.
//!
//! What is wrong beyond doubt in a small way (`,` for `;`) is reported and read as intended. The tree of a
//! text with errors is thus a best guess and must not be given a meaning.

use crate::ast::{File, Property};
use crate::vocabulary::Labs;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::reading::{self, Comment};

mod assignment;
mod declaration;
pub(crate) mod expression;
mod input;
mod process;
mod property;
mod quantifier;
mod section;

#[cfg(test)]
mod tests;

use input::{Input, LabsInput, SyntaxError};

/// What [`parse`] makes of a text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// Every section that could be read, in source order.
    pub file: File,
    /// The comments of the text, in source order.
    pub comments: Vec<Comment>,
    /// What is wrong, by place; at most [`MAX_DIAGNOSTICS`](reading::MAX_DIAGNOSTICS) and one that reports
    /// that there are more.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a file. Never fails: see [`Parsed::diagnostics`].
pub fn parse(text: &str) -> Parsed {
    let read = reading::read(Labs, text, |input| reading::items(input, section::section, next_section));
    Parsed { file: File { sections: read.value }, comments: read.comments, diagnostics: read.diagnostics }
}

/// Reads one property given apart from a file: `NAME = always …`, with or without `;` behind. The property is
/// there if it could be read, even if something was reported.
pub fn parse_property(text: &str) -> (Option<Property>, Vec<Diagnostic>) {
    let read = reading::read(Labs, text, |input| match property::single(input) {
        Ok((_, property)) => Some(property),
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
fn next_section(mut input: Input<'_>) -> Input<'_> {
    while !input.is_at_end() && !input.begins_section() {
        input = input.advance();
    }
    input
}
