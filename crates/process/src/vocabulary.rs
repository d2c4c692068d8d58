//! The words and signs of processes and choreographies.

use super::Language;
use paramcheck_text::diagnostic::codes::process::syntax as codes;
use paramcheck_text::reading::{self, Codes, Spelt, Vocabulary};

/// A token of a process file.
pub(crate) type Token = reading::Token<Language>;

/// What a token of a process file is.
pub(crate) type TokenKind = reading::TokenKind<Language>;

impl Vocabulary for Language {
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

    // A `-` that begins `->` would else be read by itself.
    const FOREIGN: &'static [&'static str] = &["--"];

    fn hint(unreadable: &str) -> Option<&'static str> {
        Some(match unreadable.chars().next()? {
            '\u{2018}' | '\u{2019}' | '\u{2032}' | '`' => "the co-action of `a` is written `'a`",
            '∖' => "restriction is written `\\ {a, b}`",
            '∥' | '‖' => "parallel composition is written `|`, in choreographies `||`",
            '⊓' => "choice is written `+`",
            '·' | '\u{387}' | '\u{22c5}' => "the dot of a prefix is written `.`",
            '≜' | ':' | '≝' => "a process is defined with `=`",
            '?' => "in CCS an input is the action `a`, an output its co-action `'a`; no values are passed",
            '→' | '⇒' => ARROW,
            '-' if unreadable.starts_with("--") => "comments begin with `//`",
            '-' => "`-` means nothing here; names may contain `_`",
            '~' => "the co-action of `a` is written `'a`, negation in checks `!`",
            '¬' => "negation is written `!`",
            '%' | '#' => "comments begin with `//`",
            _ => return None,
        })
    }

    /// In choreographies a reserved word before `@` is the name of an action: `check@mk`.
    fn revise(self, tokens: &mut [Token]) {
        if self != Language::Chor {
            return;
        }
        let mut is_before_at = false;
        for token in tokens.iter_mut().rev() {
            if is_before_at && matches!(token.kind, TokenKind::Keyword(_)) {
                token.kind = TokenKind::Name;
            }
            is_before_at = token.kind == TokenKind::Symbol(Symbol::At);
        }
    }
}

/// The message about an arrow.
pub(crate) const ARROW: &str = "the prefix is written `a.P`, in checks `φ -> ψ` is `!φ | ψ` (but in `ltl` it stands as it is), in \
     choreographies what p and q do together is `a@[p, q]`";

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
    /// `ltl`
    Ltl,
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

impl Spelt for Keyword {
    const SPELLINGS: &'static [(&'static str, Keyword)] = &[
        ("system", Keyword::System),
        ("check", Keyword::Check),
        ("always", Keyword::Always),
        ("eventually", Keyword::Eventually),
        ("ltl", Keyword::Ltl),
        ("deadlock", Keyword::Deadlock),
        ("did", Keyword::Did),
        ("can", Keyword::Can),
        ("terminated", Keyword::Terminated),
        ("tau", Keyword::Tau),
        ("τ", Keyword::Tau),
    ];
}

/// Punctuation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // each is named for its spelling below
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
    Arrow,
    DoubleArrow,
    LeftAngles,
    RightAngles,
}

impl Spelt for Symbol {
    const SPELLINGS: &'static [(&'static str, Symbol)] = &[
        ("<->", Symbol::DoubleArrow),
        ("->", Symbol::Arrow),
        ("<<", Symbol::LeftAngles),
        (">>", Symbol::RightAngles),
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
}

/// Whether other languages call the process that has ended so.
pub(crate) fn is_foreign_end(name: &str) -> bool {
    ["nil", "stop", "skip"].contains(&name.to_lowercase().as_str())
}
