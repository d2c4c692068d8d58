//! Reading a text: what the languages of paramcheck (rewriting systems; processes) share between characters
//! and syntax trees.
//!
//! A language is a [`Vocabulary`]: its reserved words and signs, the codes of its diagnostics, hints about
//! what it can't read. [`lex`] makes tokens and comments of a text, [`Input`] is how parsers read the
//! tokens, [`read`] runs a parser on a text, [`items`] one item after the other, going on behind errors. The
//! grammars themselves are in the parsers of `syntax` and `process`.

use std::fmt::Debug;

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

mod input;
mod lexer;
mod quotes;
mod token;

pub use input::{Input, ParseResult, SyntaxError, items};
pub use lexer::{Comment, Lexed, lex};
pub use token::{Spelt, Token, TokenKind, shortened};

/// The most diagnostics reported for one text; one more reports that there are others.
pub const MAX_DIAGNOSTICS: usize = 50;

/// What lexer and parsers have to know of a language.
pub trait Vocabulary: Copy + Eq + Debug + 'static {
    /// The reserved words.
    type Keyword: Spelt;
    /// The signs.
    type Symbol: Spelt;

    /// The codes of the diagnostics that every language has.
    const CODES: Codes;
    /// Signs of other languages that are read, and reported, as one.
    const FOREIGN: &'static [&'static str] = &[];
    /// Whether names may have primes behind their first letter.
    const HAS_PRIMES: bool = false;
    /// How comments are written.
    const COMMENTS: Comments = Comments::Slashes;

    /// What helps where this text can't be read, beyond what helps in every language.
    fn hint(unreadable: &str) -> Option<&'static str>;

    /// Changes what tokens are because of those beside them.
    fn revise(self, _tokens: &mut [Token<Self>]) {}
}

/// How a language writes comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comments {
    /// `//` to the end of the line; `/*` to the next `*/`.
    Slashes,
    /// `#` to the end of the line. Those with slashes are reported, and skipped.
    Hash,
}

/// The kinds of diagnostics that every language has.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // each is explained where the codes are
pub struct Codes {
    pub unreadable: Code,
    pub unterminated_comment: Code,
    pub bad_number: Code,
    pub reserved_word: Code,
    pub unexpected: Code,
    pub missing_comma: Code,
    pub unclosed_bracket: Code,
    pub too_many: Code,
}

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// What [`read`] makes of a text.
#[derive(Clone, Debug)]
pub struct Reading<T> {
    /// The result of the parser.
    pub value: T,
    /// The comments of the text, in source order.
    pub comments: Vec<Comment>,
    /// What is wrong, by place; at most [`MAX_DIAGNOSTICS`] and one that reports that there are more.
    pub diagnostics: Vec<Diagnostic>,
}

/// Runs a parser on the tokens of a text.
pub fn read<V: Vocabulary, T>(language: V, text: &str, parser: impl FnOnce(Input<'_, V>) -> T) -> Reading<T> {
    let lexed = lex(language, text);
    let sink = input::Sink::new(lexed.is_cut_short);
    let value = parser(Input::new(text, &lexed.tokens, language, &sink));
    let diagnostics = merged::<V>(lexed.diagnostics, sink.into_diagnostics());
    Reading { value, comments: lexed.comments, diagnostics }
}

/// The diagnostics of lexer and parser by place, cut off at the limit.
fn merged<V: Vocabulary>(mut diagnostics: Vec<Diagnostic>, more: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.extend(more);
    diagnostics.sort_by_key(|diagnostic| diagnostic.labels.first().map_or(0, |label| label.span.start));
    if let Some(first_hidden) = diagnostics.get(MAX_DIAGNOSTICS) {
        let span = first_hidden.labels.first().map_or(Span::default(), |label| label.span);
        diagnostics.truncate(MAX_DIAGNOSTICS);
        diagnostics.push(
            Diagnostic::new(V::CODES.too_many, "there are more errors from here on", span, "")
                .help("repair the first ones and try again"),
        );
    }
    diagnostics
}
