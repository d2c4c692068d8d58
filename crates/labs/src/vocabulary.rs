//! The words and signs of LAbS.
//!
//! Few words are reserved. Those that begin sections and properties are names elsewhere: `agent` may be a
//! variable.

use paramcheck_text::diagnostic::codes::labs::syntax as codes;
use paramcheck_text::reading::{self, Codes, Comments, Spelt, Vocabulary};

/// The language LAbS, for lexer and parsers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Labs;

/// What a token of LAbS is.
pub type TokenKind = reading::TokenKind<Labs>;

/// Signs of other languages for what LAbS writes otherwise.
const FOREIGN: &[(&str, &str)] = &[
    ("<>", "unequal is written `!=`"),
    ("/=", "unequal is written `!=`"),
    ("=<", "write `<=`"),
    ("+=", "write `x <- x + 1`"),
    ("-=", "write `x <- x - 1`"),
];

impl Vocabulary for Labs {
    type Keyword = Keyword;
    type Symbol = Symbol;

    const CODES: Codes = Codes {
        unreadable: &codes::UNREADABLE,
        // There are none that could be without end.
        unterminated_comment: &codes::UNREADABLE,
        bad_number: &codes::BAD_NUMBER,
        reserved_word: &codes::RESERVED_WORD,
        unexpected: &codes::UNEXPECTED,
        missing_comma: &codes::MISSING_COMMA,
        unclosed_bracket: &codes::UNCLOSED_BRACKET,
        too_many: &codes::TOO_MANY,
    };
    const FOREIGN: &'static [&'static str] = &["<>", "/=", "=<", "+=", "-="];
    const COMMENTS: Comments = Comments::Hash;

    fn hint(unreadable: &str) -> Option<&'static str> {
        if let Some((_, hint)) = FOREIGN.iter().find(|(sign, _)| *sign == unreadable) {
            return Some(hint);
        }
        Some(match unreadable.chars().next()? {
            '≥' => "write `>=`",
            '≤' => "write `<=`",
            '≠' => "write `!=`",
            '∧' => "write `and`",
            '∨' => "write `or`",
            '¬' | '~' => "negation is written `!`",
            '→' => "write `->`",
            '⇒' => "write `=>`",
            '←' => "write `<-`",
            '↜' | '⇜' => "write `<~`",
            '∀' => "write `forall`",
            '∃' => "write `exists`",
            '√' => "the process that does nothing is written `Skip`",
            '∥' | '‖' => "parallel composition is written `||`",
            '\u{2010}'..='\u{2015}' | '\u{2212}' => "write the dash as `-`",
            '.' => "a range is written `0..5`; there are whole numbers only",
            '?' => "write `if … then … else …`",
            '^' => "powers are written as products",
            _ => return None,
        })
    }
}

/// A reserved word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // each is named for its spelling below
pub enum Keyword {
    Abs,
    And,
    Or,
    Else,
    False,
    Id,
    If,
    Max,
    Min,
    Of,
    Pick,
    Then,
    True,
    Undef,
    Where,
    Forall,
    Exists,
    Count,
    Skip,
    Nil,
}

impl Spelt for Keyword {
    const SPELLINGS: &'static [(&'static str, Keyword)] = &[
        ("abs", Keyword::Abs),
        ("and", Keyword::And),
        ("or", Keyword::Or),
        ("else", Keyword::Else),
        ("false", Keyword::False),
        ("id", Keyword::Id),
        ("if", Keyword::If),
        ("max", Keyword::Max),
        ("min", Keyword::Min),
        ("of", Keyword::Of),
        ("pick", Keyword::Pick),
        ("then", Keyword::Then),
        ("true", Keyword::True),
        ("undef", Keyword::Undef),
        ("where", Keyword::Where),
        ("forall", Keyword::Forall),
        ("exists", Keyword::Exists),
        ("count", Keyword::Count),
        ("Skip", Keyword::Skip),
        ("Nil", Keyword::Nil),
    ];
}

/// Punctuation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // each is named for its spelling below
pub enum Symbol {
    ToEnvironment,
    ToAttribute,
    ToStigmergy,
    ToLocal,
    Arrow,
    DoubleArrow,
    DoublePlus,
    DoubleBar,
    DoubleAmpersand,
    DoubleEqual,
    DoubleDot,
    NotEqual,
    AtMost,
    AtLeast,
    Less,
    Greater,
    Equal,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Colon,
    Bar,
    Ampersand,
    Not,
    Semicolon,
    Comma,
    Dollar,
    LeftParen,
    RightParen,
    LeftBrace,
    RightBrace,
    LeftBracket,
    RightBracket,
}

impl Spelt for Symbol {
    const SPELLINGS: &'static [(&'static str, Symbol)] = &[
        ("<--", Symbol::ToEnvironment),
        ("<-", Symbol::ToAttribute),
        ("<~", Symbol::ToStigmergy),
        (":=", Symbol::ToLocal),
        ("->", Symbol::Arrow),
        ("=>", Symbol::DoubleArrow),
        ("++", Symbol::DoublePlus),
        ("||", Symbol::DoubleBar),
        ("&&", Symbol::DoubleAmpersand),
        ("==", Symbol::DoubleEqual),
        ("..", Symbol::DoubleDot),
        ("!=", Symbol::NotEqual),
        ("<=", Symbol::AtMost),
        (">=", Symbol::AtLeast),
        ("<", Symbol::Less),
        (">", Symbol::Greater),
        ("=", Symbol::Equal),
        ("+", Symbol::Plus),
        ("-", Symbol::Minus),
        ("*", Symbol::Star),
        ("/", Symbol::Slash),
        ("%", Symbol::Percent),
        (":", Symbol::Colon),
        ("|", Symbol::Bar),
        ("&", Symbol::Ampersand),
        ("!", Symbol::Not),
        (";", Symbol::Semicolon),
        (",", Symbol::Comma),
        ("$", Symbol::Dollar),
        ("(", Symbol::LeftParen),
        (")", Symbol::RightParen),
        ("{", Symbol::LeftBrace),
        ("}", Symbol::RightBrace),
        ("[", Symbol::LeftBracket),
        ("]", Symbol::RightBracket),
    ];
}
