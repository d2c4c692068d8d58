//! Tokens to syntax tree, for both syntaxes.
//!
//! [`parse`] is total: whatever the text, it returns every part that could be read and diagnostics for the
//! rest, in linear time and with bounded recursion. After an error reading goes on at the next part of the
//! agent, or at the next part of the file. `item` reads parts of a file, `agent` those of agents, `process`
//! what agents do, `expression` conditions and properties; `input` has what they share.
//!
//! A construct of the other syntax is reported with its translation, and read as if it were right. The tree
//! of a text with errors is a best guess and must not be given a meaning.

use rustc_hash::FxHashSet;

use crate::ast::File;
use crate::vocabulary::{Keyword, Rcheck, Symbol, Syntax, TokenKind};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::reading::{self, Comment, Token};

mod agent;
mod expression;
mod input;
mod item;
mod process;

#[cfg(test)]
mod tests;

pub use input::MAX_DEPTH;

/// How texts are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether operators and `rep` of today's syntax are read as the published tool reads them. The tree then
    /// has parentheses where this differs from our reading.
    pub as_rcheck: bool,
}

/// What [`parse`] makes of a text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// Every part that could be read, in source order.
    pub file: File,
    /// The comments of the text, in source order.
    pub comments: Vec<Comment>,
    /// What is wrong, by place; at most [`MAX_DIAGNOSTICS`](reading::MAX_DIAGNOSTICS) and one that reports
    /// that there are more.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a file. Never fails: see [`Parsed::diagnostics`].
pub fn parse(text: &str, options: Options) -> Parsed {
    let tokens = reading::lex(Rcheck::default(), text).tokens;
    let syntax = syntax_of(text, &tokens);
    let instances = instances(text, &tokens);
    // The published tool reads today's syntax alone.
    let as_rcheck = options.as_rcheck && syntax == Syntax::Today;
    let language = Rcheck { syntax, as_rcheck };
    let read = reading::read(language, text, |input| {
        let names = expression::Names::new(&instances);
        reading::items(input, |input| item::item(input, names), item::next_item)
    });
    Parsed {
        file: File { syntax, items: read.value },
        comments: read.comments,
        diagnostics: read.diagnostics,
    }
}

/// A file with `channels:` is in the article's syntax.
fn syntax_of(text: &str, tokens: &[Token<Rcheck>]) -> Syntax {
    let is_article = tokens.windows(2).any(|pair| {
        pair[0].kind == TokenKind::Name
            && pair[0].text(text) == "channels"
            && pair[1].kind == TokenKind::Symbol(Symbol::Colon)
    });
    if is_article { Syntax::Article } else { Syntax::Today }
}

/// The names of the instances: whether `a - b` in a property is a name or a difference depends on them.
fn instances<'a>(text: &'a str, tokens: &[Token<Rcheck>]) -> FxHashSet<&'a str> {
    let mut found = FxHashSet::default();
    let mut is_system = false;
    let mut depth = 0_usize;
    for (position, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Keyword(Keyword::System) => (is_system, depth) = (true, 0),
            TokenKind::Keyword(Keyword::Spec | Keyword::Agent | Keyword::Enum) => is_system = false,
            TokenKind::Symbol(Symbol::RightParen) => depth = depth.saturating_sub(1),
            TokenKind::Symbol(Symbol::LeftParen) if !is_system || depth > 0 => depth += 1,
            TokenKind::Symbol(Symbol::LeftParen) => {
                depth += 1;
                let around = [position.wrapping_sub(1), position + 1, position + 2].map(|at| tokens.get(at));
                if let [Some(agent), Some(name), Some(comma)] = around
                    && agent.kind == TokenKind::Name
                    && name.kind == TokenKind::Name
                    && comma.kind == TokenKind::Symbol(Symbol::Comma)
                {
                    found.insert(name.text(text));
                }
            }
            _ => {}
        }
    }
    found
}
