//! Tokens: what the lexer yields and the parsers read.
//!
//! A token is a kind and a place; its text stays in the source.

use std::fmt::Debug;

use super::Vocabulary;
use crate::source::Span;

/// Words or signs with fixed spellings.
pub trait Spelt: Copy + Eq + Debug + 'static {
    /// All spellings; where one begins with another, the longer one comes first. The first spelling of
    /// each is the canonical one.
    const SPELLINGS: &'static [(&'static str, Self)];

    /// The canonical spelling.
    fn spelling(self) -> &'static str {
        Self::SPELLINGS.iter().find(|(_, one)| *one == self).map_or("", |(spelling, _)| spelling)
    }

    /// The one with this spelling.
    fn find(text: &str) -> Option<Self> {
        Self::SPELLINGS.iter().find(|(spelling, _)| *spelling == text).map(|(_, one)| *one)
    }
}

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<V: Vocabulary> {
    /// What it is.
    pub kind: TokenKind<V>,
    /// Where it stands.
    pub span: Span,
    /// Whether it is the first of its line.
    pub starts_line: bool,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind<V: Vocabulary> {
    /// A name.
    Name,
    /// A reserved word.
    Keyword(V::Keyword),
    /// Decimal digits.
    Number,
    /// Punctuation.
    Symbol(V::Symbol),
    /// What could not be read; a diagnostic has been given.
    Junk,
    /// The end of the text.
    End,
}

impl<V: Vocabulary> Token<V> {
    /// Its text in the source it was read from.
    pub fn text<'a>(&self, source: &'a str) -> &'a str {
        source.get(self.span.start..self.span.end).unwrap_or("")
    }

    /// How to speak of it in a message.
    pub(crate) fn describe(&self, source: &str) -> String {
        match self.kind {
            TokenKind::End => "the end of the text".to_owned(),
            TokenKind::Keyword(_) => format!("the keyword `{}`", self.text(source)),
            TokenKind::Number => format!("the number `{}`", shortened(self.text(source))),
            TokenKind::Name | TokenKind::Symbol(_) | TokenKind::Junk => {
                format!("`{}`", shortened(self.text(source)))
            }
        }
    }
}

/// The beginning of a text that may be too long for a message.
pub fn shortened(text: &str) -> String {
    const MAX_SHOWN: usize = 32;
    let is_short = text.chars().nth(MAX_SHOWN).is_none();
    let mut short: String =
        text.chars().take(MAX_SHOWN).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if !is_short {
        short.push('…');
    }
    short
}
