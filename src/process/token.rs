//! Tokens of process files: what the lexer yields and the parser reads.
//!
//! A token is a kind and a place; its text stays in the source.

use crate::source::Span;
use crate::syntax::lexer::token::shortened;

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
            TokenKind::Action | TokenKind::Constant | TokenKind::Symbol(_) | TokenKind::Junk => {
                format!("`{}`", shortened(self.text(source)))
            }
        }
    }
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name with a small letter first: of an action, a peer, a check.
    Action,
    /// A name with a capital letter first: of a process, a check.
    Constant,
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
    /// `system`
    System,
    /// `check`
    Check,
    /// `always`
    Always,
    /// `eventually`
    Eventually,
    /// `deadlock`
    Deadlock,
    /// `did`
    Did,
    /// `can`
    Can,
    /// `terminated`
    Terminated,
    /// `tau`, `τ`
    Tau,
}

impl Keyword {
    /// All reserved words in their canonical spelling.
    pub const ALL: [(&'static str, Keyword); 9] = [
        ("system", Keyword::System),
        ("check", Keyword::Check),
        ("always", Keyword::Always),
        ("eventually", Keyword::Eventually),
        ("deadlock", Keyword::Deadlock),
        ("did", Keyword::Did),
        ("can", Keyword::Can),
        ("terminated", Keyword::Terminated),
        ("tau", Keyword::Tau),
    ];

    /// The keyword with this spelling.
    pub fn find(text: &str) -> Option<Keyword> {
        let text = if text == "τ" { "tau" } else { text };
        Self::ALL.iter().find(|(spelling, _)| *spelling == text).map(|(_, keyword)| *keyword)
    }
}

/// Punctuation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // each is what its spelling below says
pub enum Symbol {
    Semicolon,
    Comma,
    Dot,
    Quote,
    LeftParen,
    RightParen,
    LeftBrace,
    RightBrace,
    LeftBracket,
    RightBracket,
    Plus,
    Star,
    Bar,
    DoubleBar,
    Ampersand,
    DoubleAmpersand,
    Not,
    Equal,
    At,
    Caret,
    Backslash,
    Slash,
}

impl Symbol {
    /// All spellings; where one begins with another, the longer one comes first.
    pub const SPELLINGS: [(&'static str, Symbol); 22] = [
        ("||", Symbol::DoubleBar),
        ("&&", Symbol::DoubleAmpersand),
        (";", Symbol::Semicolon),
        (",", Symbol::Comma),
        (".", Symbol::Dot),
        ("'", Symbol::Quote),
        ("(", Symbol::LeftParen),
        (")", Symbol::RightParen),
        ("{", Symbol::LeftBrace),
        ("}", Symbol::RightBrace),
        ("[", Symbol::LeftBracket),
        ("]", Symbol::RightBracket),
        ("+", Symbol::Plus),
        ("*", Symbol::Star),
        ("|", Symbol::Bar),
        ("&", Symbol::Ampersand),
        ("!", Symbol::Not),
        ("=", Symbol::Equal),
        ("@", Symbol::At),
        ("^", Symbol::Caret),
        ("\\", Symbol::Backslash),
        ("/", Symbol::Slash),
    ];

    /// Its spelling.
    pub fn spelling(self) -> &'static str {
        Self::SPELLINGS.iter().find(|(_, symbol)| *symbol == self).map_or("", |(spelling, _)| spelling)
    }
}
