//! The words and signs of rewriting systems.

use paramcheck_text::diagnostic::codes::syntax as codes;
use paramcheck_text::reading::{self, Codes, Spelt, Vocabulary};

#[cfg(test)]
mod tests;

/// The language of rewriting systems, for lexer and parsers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rewriting;

/// A token of a rewriting system.
pub(crate) type Token = reading::Token<Rewriting>;

/// What a token of a rewriting system is.
pub type TokenKind = reading::TokenKind<Rewriting>;

impl Vocabulary for Rewriting {
    type Keyword = Keyword;
    type Symbol = Symbol;

    const CODES: Codes = Codes {
        unreadable: &codes::UNREADABLE,
        unterminated_comment: &codes::UNTERMINATED_COMMENT,
        bad_number: &codes::BAD_NUMBER,
        reserved_word: &codes::RESERVED_WORD,
        unexpected: &codes::UNEXPECTED,
        missing_comma: &codes::MISSING_COMMA,
        unclosed_bracket: &codes::UNCLOSED_BRACKET,
        too_many: &codes::TOO_MANY,
    };
    const FOREIGN: &'static [&'static str] = &["::=", ":=", ":-"];
    const HAS_PRIMES: bool = true;

    fn hint(unreadable: &str) -> Option<&'static str> {
        if Self::FOREIGN.contains(&unreadable) {
            return Some("the arrow of a rule is written `<-`");
        }
        Some(match unreadable.chars().next()? {
            '≥' => "write `>=`",
            '≤' => "write `<=`",
            '≠' => "write `!=`",
            '∧' => "write `&`",
            '∨' => "write `|`",
            '¬' => "write `!`",
            '→' => "write `->`",
            '⇒' => "write `=>`",
            '⇔' | '↔' => "write `<=>`",
            '∈' => "write `in`",
            '∉' => "write `notin`",
            '⊆' => "write `sub`",
            '∃' => "in `wsks { … }` write `ex1` or `ex2`; elsewhere count components, as in `#busy >= 1`",
            '∀' => "in `wsks { … }` write `all1` or `all2`; elsewhere count components, as in `#busy == 0`",
            '\u{2010}'..='\u{2015}' | '\u{2212}' => "write the dash as `-`",
            '\u{2018}' | '\u{2019}' | '\u{2032}' => "write the prime as `'`",
            '%' | '/' | '\\' => "comments begin with `//`, or stand between `/*` and `*/`",
            _ => return None,
        })
    }
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

impl Spelt for Keyword {
    const SPELLINGS: &'static [(&'static str, Keyword)] = &[
        ("component", Keyword::Component),
        ("states", Keyword::States),
        ("init", Keyword::Init),
        ("final", Keyword::Final),
        ("new", Keyword::New),
        ("ν", Keyword::New),
        // In mathematical italics.
        ("\u{1d708}", Keyword::New),
        ("forbid", Keyword::Forbid),
        ("link", Keyword::Link),
        ("error", Keyword::Error),
        ("critical", Keyword::Critical),
        ("system", Keyword::System),
    ];
}

impl Keyword {
    /// Whether a top-level item begins with it.
    pub(crate) fn starts_item(self) -> bool {
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

impl Spelt for Symbol {
    const SPELLINGS: &'static [(&'static str, Symbol)] = &[
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
}
