//! What the parsers of R-CHECK share: looking ahead, names, lists, frequent messages.

use crate::vocabulary::{Keyword, Rcheck, Symbol, Syntax, TokenKind};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::rcheck::syntax as codes;
use paramcheck_text::reading::{self, Ident, Spelt};
use paramcheck_text::source::Span;

/// The tokens still to be read.
pub(crate) type Input<'a> = reading::Input<'a, Rcheck>;

/// The result of a parser.
pub(crate) type ParseResult<'a, T> = reading::ParseResult<'a, Rcheck, T>;

/// Why a construct could not be read.
pub(crate) type SyntaxError<'a> = reading::SyntaxError<'a, Rcheck>;

/// How deep parentheses, signs, quantifiers and `rep` may be nested.
pub const MAX_DEPTH: usize = 100;

/// How the parsers of R-CHECK read the next tokens.
pub(crate) trait RcheckInput<'a>: Copy {
    /// Whether the file is in the article's syntax.
    fn is_article(self) -> bool;
    /// Whether the next token is this name.
    fn at_word(self, word: &str) -> bool;
    /// Whether the next three tokens are two words with a hyphen between.
    fn at_hyphenated(self, first: &str, second: &str) -> bool;
    /// Whether a part of a file begins here, beyond doubt.
    fn begins_item(self) -> bool;
    /// Whether a part of an agent begins here.
    fn begins_part(self) -> bool;
    /// The next token as a name.
    fn ident(self) -> Ident;
    /// Reports a construct of the other syntax at `span`.
    fn report_other_syntax(self, span: Span, right: &str);
}

impl<'a> RcheckInput<'a> for Input<'a> {
    fn is_article(self) -> bool {
        self.language().syntax == Syntax::Article
    }

    fn at_word(self, word: &str) -> bool {
        self.kind() == TokenKind::Name && self.word() == word
    }

    fn at_hyphenated(self, first: &str, second: &str) -> bool {
        self.word() == first
            && self.is_ahead(1, Symbol::Minus)
            && self.text_of(self.peek_at(2)) == second
            && self.kind() == TokenKind::Name
    }

    fn begins_item(self) -> bool {
        match self.kind() {
            TokenKind::Keyword(Keyword::Enum | Keyword::Agent | Keyword::System | Keyword::Spec) => true,
            TokenKind::Keyword(Keyword::Guard) => self.behind(1, Symbol::Minus).is_none(),
            TokenKind::Name => {
                self.at_word("channels") && self.is_ahead(1, Symbol::Colon)
                    || self.at_hyphenated("message", "structure")
                    || self.at_hyphenated("property", "variables")
                    || self.at_hyphenated("communication", "variables")
            }
            _ => false,
        }
    }

    fn begins_part(self) -> bool {
        match self.kind() {
            TokenKind::Keyword(Keyword::Local | Keyword::Init | Keyword::Relabel | Keyword::Repeat) => true,
            TokenKind::Name => self.at_hyphenated("receive", "guard"),
            _ => false,
        }
    }

    fn ident(self) -> Ident {
        Ident { text: self.word().to_owned(), span: self.peek().span }
    }

    fn report_other_syntax(self, span: Span, right: &str) {
        let (this, other) = match self.language().syntax {
            Syntax::Today => ("today's", "the article's"),
            Syntax::Article => ("the article's", "today's"),
        };
        let why = match self.language().syntax {
            Syntax::Today => "a file with `channels:` is in the article's syntax, this has none",
            Syntax::Article => "this file has `channels:`, so it is in the article's syntax",
        };
        let message = format!("`{}` is {other} syntax, this file is in {this}", shown(self.slice(span)));
        self.report(
            Diagnostic::new(&codes::OTHER_SYNTAX, message, span, "").help(format!("write {right}; {why}")),
        );
    }
}

/// A part of the text in a message, on one line.
fn shown(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    paramcheck_text::reading::shortened(&words.join(" "))
}

/// A name. A reserved word is reported, and taken as the name.
pub(crate) fn name<'a>(input: Input<'a>, what: &'static str) -> ParseResult<'a, Ident> {
    match input.kind() {
        TokenKind::Keyword(_) => input.report_reserved_word(what),
        TokenKind::Name => {}
        _ => return input.expected(what),
    }
    Ok((input.advance(), input.ident()))
}

/// Elements separated by commas, at least one.
pub(crate) fn list<'a, T>(
    mut input: Input<'a>,
    element: impl Fn(Input<'a>) -> ParseResult<'a, T>,
) -> ParseResult<'a, Vec<T>> {
    let mut elements = Vec::new();
    loop {
        let (rest, next) = element(input)?;
        elements.push(next);
        if !rest.at(Symbol::Comma) {
            return Ok((rest, elements));
        }
        input = rest.advance();
    }
}

/// Skips a sign that is next. Another one that is next in its place is reported, and taken for it.
pub(crate) fn sign<'a>(input: Input<'a>, right: Symbol, wrong: &[Symbol]) -> ParseResult<'a, ()> {
    if input.at(right) {
        return Ok((input.advance(), ()));
    }
    let sign = right.spelling();
    let message = format!("expected `{sign}`, found {}", input.found());
    let label = format!("expected `{sign}`");
    let span = input.peek().span;
    if wrong.iter().any(|wrong| input.at(*wrong)) {
        input.report(Diagnostic::new(&codes::WRONG_SIGN, message, span, label));
        return Ok((input.advance(), ()));
    }
    input.fail(Diagnostic::new(&codes::UNEXPECTED, message, span, label))
}

/// Skips an opening bracket that is next, and returns its place.
pub(crate) fn open<'a>(input: Input<'a>, bracket: Symbol, what: &str) -> ParseResult<'a, Span> {
    let span = input.peek().span;
    if input.at(bracket) {
        return Ok((input.advance(), span));
    }
    let sign = bracket.spelling();
    let message = format!("expected `{sign}` {what}, found {}", input.found());
    input.fail(Diagnostic::new(&codes::UNEXPECTED, message, span, format!("expected `{sign}`")))
}

/// What begins here is nested too deep.
pub(crate) fn too_deep(span: Span) -> Diagnostic {
    let message = format!("nested more than {MAX_DEPTH} deep");
    Diagnostic::new(&codes::NESTED_TOO_DEEP, message, span, "")
        .help("give a part a name: conditions by `guard`")
}
