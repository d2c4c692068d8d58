//! The words and signs of R-CHECK, in both syntaxes.
//!
//! A reserved word is one in either syntax, so that a file keeps its names when it is converted. The roles
//! `supplier`, `initiator` and `producer`, `p2p` and `PROGRESS` are not reserved: lowering knows them where
//! nothing else has their name.

use paramcheck_text::diagnostic::codes::rcheck::syntax as codes;
use paramcheck_text::reading::{self, Codes, Spelt, Vocabulary};

/// The two syntaxes of `.rcp` files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Syntax {
    /// That of the published tool.
    #[default]
    Today,
    /// That of the article: a file with `channels:`.
    Article,
}

/// The language R-CHECK as a file is read, for lexer and parsers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rcheck {
    /// Its syntax.
    pub syntax: Syntax,
    /// Whether operators and `rep` are read as the published tool reads them.
    pub as_rcheck: bool,
}

/// What a token of R-CHECK is.
pub type TokenKind = reading::TokenKind<Rcheck>;

/// Signs of other languages for what R-CHECK writes otherwise.
const FOREIGN: &[(&str, &str)] = &[
    ("<>", "unequal is written `!=`; `eventually` is written `F`"),
    ("/=", "unequal is written `!=`"),
    ("=<", "write `<=`"),
    ("=>", "an implication is written `->`"),
];

impl Vocabulary for Rcheck {
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
    const FOREIGN: &'static [&'static str] = &["<>", "/=", "=<", "=>"];

    fn hint(unreadable: &str) -> Option<&'static str> {
        if let Some((_, hint)) = FOREIGN.iter().find(|(sign, _)| *sign == unreadable) {
            return Some(hint);
        }
        Some(match unreadable.chars().next()? {
            '≥' => "write `>=`",
            '≤' => "write `<=`",
            '≠' => "write `!=`",
            '∧' => "write `&`",
            '∨' => "write `|`",
            '¬' | '~' => "negation is written `!`",
            '→' | '⇒' => "write `->`",
            '↔' | '⇔' => "write `<->`",
            '←' => "write `<-`",
            '∀' => "write `forall`",
            '∃' => "write `exists`",
            '⟨' | '〈' => "write `<<`, and `>>` behind it",
            '□' => "write `G`",
            '◇' | '♢' => "write `F`",
            '○' => "write `X`",
            '∥' | '‖' => "instances are separated by `||`",
            '\u{2010}'..='\u{2015}' | '\u{2212}' => "write the dash as `-`",
            '%' => "there is no remainder: `+`, `-`, `*` and `/` are what there is",
            _ => return None,
        })
    }
}

/// A reserved word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // each is named for its spelling below
pub enum Keyword {
    Enum,
    Agent,
    Guard,
    System,
    Spec,
    Local,
    Init,
    Relabel,
    Repeat,
    Rep,
    True,
    False,
    Bool,
    Int,
    Location,
    Chan,
    Myself,
    Any,
    Get,
    Supply,
    Sender,
    Getter,
    Forall,
    Exists,
    Next,
    Finally,
    Globally,
    Until,
    Release,
    WeakUntil,
}

impl Spelt for Keyword {
    const SPELLINGS: &'static [(&'static str, Keyword)] = &[
        ("enum", Keyword::Enum),
        ("agent", Keyword::Agent),
        ("guard", Keyword::Guard),
        ("system", Keyword::System),
        ("SPEC", Keyword::Spec),
        ("LTLSPEC", Keyword::Spec),
        ("LTOL", Keyword::Spec),
        ("LTL", Keyword::Spec),
        ("local", Keyword::Local),
        ("init", Keyword::Init),
        ("relabel", Keyword::Relabel),
        ("repeat", Keyword::Repeat),
        ("rep", Keyword::Rep),
        ("true", Keyword::True),
        ("TRUE", Keyword::True),
        ("false", Keyword::False),
        ("FALSE", Keyword::False),
        ("bool", Keyword::Bool),
        ("int", Keyword::Int),
        ("location", Keyword::Location),
        ("chan", Keyword::Chan),
        ("myself", Keyword::Myself),
        ("any", Keyword::Any),
        ("GET", Keyword::Get),
        ("SUPPLY", Keyword::Supply),
        ("sender", Keyword::Sender),
        ("getter", Keyword::Getter),
        ("forall", Keyword::Forall),
        ("exists", Keyword::Exists),
        ("X", Keyword::Next),
        ("F", Keyword::Finally),
        ("G", Keyword::Globally),
        ("U", Keyword::Until),
        ("R", Keyword::Release),
        ("W", Keyword::WeakUntil),
    ];
}

/// Punctuation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // each is named for its spelling below
pub enum Symbol {
    Iff,
    ToLeft,
    DoubleLess,
    AtMost,
    Less,
    Arrow,
    DoubleGreater,
    AtLeast,
    Greater,
    DoubleLeftBracket,
    LeftBracket,
    DoubleRightBracket,
    RightBracket,
    BigAnd,
    BigOr,
    DoubleBar,
    Bar,
    DoubleAmpersand,
    Ampersand,
    DoubleEqual,
    Equal,
    NotEqual,
    Not,
    Assign,
    Colon,
    DoubleDot,
    Dot,
    At,
    Question,
    Plus,
    Minus,
    Star,
    Slash,
    Semicolon,
    Comma,
    LeftParen,
    RightParen,
    LeftBrace,
    RightBrace,
}

impl Spelt for Symbol {
    const SPELLINGS: &'static [(&'static str, Symbol)] = &[
        ("<->", Symbol::Iff),
        ("<-", Symbol::ToLeft),
        ("<<", Symbol::DoubleLess),
        ("<=", Symbol::AtMost),
        ("<", Symbol::Less),
        ("->", Symbol::Arrow),
        (">>", Symbol::DoubleGreater),
        (">=", Symbol::AtLeast),
        (">", Symbol::Greater),
        ("[[", Symbol::DoubleLeftBracket),
        ("[", Symbol::LeftBracket),
        ("]]", Symbol::DoubleRightBracket),
        ("]", Symbol::RightBracket),
        ("/\\", Symbol::BigAnd),
        ("\\/", Symbol::BigOr),
        ("||", Symbol::DoubleBar),
        ("|", Symbol::Bar),
        ("&&", Symbol::DoubleAmpersand),
        ("&", Symbol::Ampersand),
        ("==", Symbol::DoubleEqual),
        ("=", Symbol::Equal),
        ("!=", Symbol::NotEqual),
        ("!", Symbol::Not),
        (":=", Symbol::Assign),
        (":", Symbol::Colon),
        ("..", Symbol::DoubleDot),
        (".", Symbol::Dot),
        ("@", Symbol::At),
        ("?", Symbol::Question),
        ("+", Symbol::Plus),
        ("-", Symbol::Minus),
        ("*", Symbol::Star),
        ("/", Symbol::Slash),
        (";", Symbol::Semicolon),
        (",", Symbol::Comma),
        ("(", Symbol::LeftParen),
        (")", Symbol::RightParen),
        ("{", Symbol::LeftBrace),
        ("}", Symbol::RightBrace),
    ];
}
