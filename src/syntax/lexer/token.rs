//! Tokens: what the lexer yields and the parser reads.
//!
//! A token is a kind and a place; its text stays in the source.

use crate::source::Span;

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
    /// Whether it is the first of its line.
    pub starts_line: bool,
}

impl Token {
    /// Its text in the source it was read from.
    pub fn text<'a>(&self, source: &'a str) -> &'a str {
        source.get(self.span.start..self.span.end).unwrap_or("")
    }

    /// How to speak of it in a message.
    pub fn describe(&self, source: &str) -> String {
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
    const LONGEST: usize = 32;
    let is_short = text.chars().nth(LONGEST).is_none();
    let mut short: String =
        text.chars().take(LONGEST).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if !is_short {
        short.push('…');
    }
    short
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name.
    Name,
    /// A reserved word.
    Keyword(Keyword),
    /// Decimal digits.
    Number,
    /// Punctuation.
    Symbol(Symbol),
    /// What could not be read; a diagnostic has been given.
    Junk,
    /// The end of the text.
    End,
}

/// A reserved word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keyword {
    /// `component`
    Component,
    /// `states`
    States,
    /// `init`
    Init,
    /// `final`
    Final,
    /// `new`, `ν`
    New,
    /// `forbid`
    Forbid,
    /// `link`
    Link,
    /// `error`
    Error,
    /// `critical`
    Critical,
    /// `system`
    System,
}

impl Keyword {
    /// All reserved words in their canonical spelling.
    pub const ALL: [(&'static str, Keyword); 10] = [
        ("component", Keyword::Component),
        ("states", Keyword::States),
        ("init", Keyword::Init),
        ("final", Keyword::Final),
        ("new", Keyword::New),
        ("forbid", Keyword::Forbid),
        ("link", Keyword::Link),
        ("error", Keyword::Error),
        ("critical", Keyword::Critical),
        ("system", Keyword::System),
    ];

    /// The keyword with this spelling; `ν` (also in mathematical italics) is `new`.
    pub fn find(text: &str) -> Option<Keyword> {
        match text {
            "ν" | "\u{1d708}" => Some(Keyword::New),
            _ => Self::ALL.iter().find(|(spelling, _)| *spelling == text).map(|(_, keyword)| *keyword),
        }
    }

    /// Whether a top-level item begins with it.
    pub fn starts_item(self) -> bool {
        matches!(
            self,
            Keyword::Component | Keyword::Link | Keyword::Error | Keyword::Critical | Keyword::System
        )
    }
}

/// Punctuation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // each is what its canonical spelling below says
pub enum Symbol {
    Semicolon,
    Colon,
    Comma,
    Dot,
    MiddleDot,
    LeftParen,
    RightParen,
    LeftBrace,
    RightBrace,
    LeftBracket,
    RightBracket,
    LeftAngle,
    RightAngle,
    LeftArrow,
    RightArrow,
    Dash,
    Plus,
    Star,
    Bar,
    DoubleBar,
    Ampersand,
    DoubleAmpersand,
    Not,
    Tilde,
    NotEqual,
    Equal,
    DoubleEqual,
    FatArrow,
    DoubleArrow,
    AtLeast,
    AtMost,
    Hash,
    /// Only in terms of rewriting trees.
    Caret,
}

impl Symbol {
    /// All spellings; where one begins with another, the longer one comes first. The first spelling
    /// of a symbol is the canonical one.
    pub const SPELLINGS: &'static [(&'static str, Symbol)] = &[
        ("<=>", Symbol::DoubleArrow),
        ("<-", Symbol::LeftArrow),
        ("->", Symbol::RightArrow),
        ("||", Symbol::DoubleBar),
        ("&&", Symbol::DoubleAmpersand),
        ("!=", Symbol::NotEqual),
        ("~=", Symbol::NotEqual),
        ("==", Symbol::DoubleEqual),
        ("=>", Symbol::FatArrow),
        (">=", Symbol::AtLeast),
        ("<=", Symbol::AtMost),
        (";", Symbol::Semicolon),
        (":", Symbol::Colon),
        (",", Symbol::Comma),
        (".", Symbol::Dot),
        ("(", Symbol::LeftParen),
        (")", Symbol::RightParen),
        ("{", Symbol::LeftBrace),
        ("}", Symbol::RightBrace),
        ("[", Symbol::LeftBracket),
        ("]", Symbol::RightBracket),
        ("<", Symbol::LeftAngle),
        (">", Symbol::RightAngle),
        ("-", Symbol::Dash),
        ("+", Symbol::Plus),
        ("*", Symbol::Star),
        ("|", Symbol::Bar),
        ("&", Symbol::Ampersand),
        ("!", Symbol::Not),
        ("~", Symbol::Tilde),
        ("=", Symbol::Equal),
        ("#", Symbol::Hash),
        ("^", Symbol::Caret),
        ("·", Symbol::MiddleDot),
        ("\u{387}", Symbol::MiddleDot),
        ("\u{22c5}", Symbol::MiddleDot),
        ("←", Symbol::LeftArrow),
        ("\u{27f5}", Symbol::LeftArrow),
        ("⟨", Symbol::LeftAngle),
        ("\u{2329}", Symbol::LeftAngle),
        ("\u{3008}", Symbol::LeftAngle),
        ("⟩", Symbol::RightAngle),
        ("\u{232a}", Symbol::RightAngle),
        ("\u{3009}", Symbol::RightAngle),
    ];

    /// The canonical spelling.
    pub fn spelling(self) -> &'static str {
        Self::SPELLINGS.iter().find(|(_, symbol)| *symbol == self).map_or("", |(spelling, _)| spelling)
    }
}
