//! What all parsers share: the token input, the error type, brackets, recovery.
//!
//! [`Input`] is a cheap, copyable view of the remaining tokens, as nom wants it. Diagnostics that do
//! not end a construct go to a sink behind the input; the others are the `Err` of a parser.
//! Invariant: the grammars are decided by the next few tokens, so no parser that has written to
//! the sink is ever tried again from an earlier place.
//!
//! A missing token that leaves no doubt is reported and taken as written. That can make a later
//! parser fail at the same place; the sink keeps one diagnostic per place, so nothing is reported twice.

use std::cell::{Cell, RefCell};

use nom::IResult;
use nom::error::{ErrorKind, ParseError};

use super::token::{Spelt, Token, TokenKind};
use super::{MAX_DIAGNOSTICS, Vocabulary};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// Collects the parser's diagnostics.
#[derive(Default)]
pub(crate) struct Sink {
    diagnostics: RefCell<Vec<Diagnostic>>,
    last_place: Cell<Option<usize>>,
    is_cut_short: bool,
}

impl Sink {
    /// An empty sink. The end of a text that `is_cut_short` is not reported: the lexer has done so.
    pub(crate) fn new(is_cut_short: bool) -> Self {
        Sink { is_cut_short, ..Sink::default() }
    }

    /// All that was collected, in the order of their places.
    pub(crate) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics.into_inner()
    }
}

/// The tokens still to be read.
#[derive(Clone, Copy)]
pub struct Input<'a, V: Vocabulary> {
    text: &'a str,
    tokens: &'a [Token<V>],
    position: usize,
    language: V,
    sink: &'a Sink,
}

/// The result of a parser: the input behind what was read, and its value.
///
/// Its error is `nom::Err::Error` where another alternative may be tried, and `nom::Err::Failure` where it
/// may not; both hold a [`SyntaxError`]. Small mistakes are no errors: they are reported to the sink, and
/// repaired.
pub type ParseResult<'a, V, T> = IResult<Input<'a, V>, T, SyntaxError<'a, V>>;

/// Why a construct could not be read, and where reading stopped.
#[derive(Clone)]
pub struct SyntaxError<'a, V: Vocabulary> {
    /// Where reading stopped; recovery goes on from there.
    pub at: Input<'a, V>,
    what: Problem,
}

#[derive(Clone)]
enum Problem {
    Expected(&'static str),
    Diagnosed(Box<Diagnostic>),
}

impl<'a, V: Vocabulary> ParseError<Input<'a, V>> for SyntaxError<'a, V> {
    fn from_error_kind(at: Input<'a, V>, _: ErrorKind) -> Self {
        SyntaxError { at, what: Problem::Expected("something else") }
    }

    fn append(_: Input<'a, V>, _: ErrorKind, other: Self) -> Self {
        other
    }
}

impl<V: Vocabulary> SyntaxError<'_, V> {
    /// The error itself; no parser here is ever short of input.
    pub fn of(error: nom::Err<Self>) -> Option<Self> {
        match error {
            nom::Err::Error(error) | nom::Err::Failure(error) => Some(error),
            nom::Err::Incomplete(_) => None,
        }
    }

    /// Reports to the sink.
    pub fn report(self) {
        let token = self.at.peek();
        let diagnostic = match self.what {
            Problem::Diagnosed(diagnostic) => *diagnostic,
            Problem::Expected(what) => Diagnostic::new(
                V::CODES.unexpected,
                format!("expected {what}, found {}", self.at.found()),
                token.span,
                format!("expected {what}"),
            ),
        };
        self.at.report(diagnostic);
    }
}

impl<'a, V: Vocabulary> Input<'a, V> {
    /// All tokens of a text.
    pub(super) fn new(text: &'a str, tokens: &'a [Token<V>], language: V, sink: &'a Sink) -> Self {
        Input { text, tokens, position: 0, language, sink }
    }

    /// The language of the text.
    pub fn language(self) -> V {
        self.language
    }

    /// The token `ahead` places after the next one; beyond the end, the end.
    pub fn peek_at(self, ahead: usize) -> Token<V> {
        let end = Span::new(self.text.len(), self.text.len());
        self.tokens.get(self.position.saturating_add(ahead)).copied().unwrap_or(Token {
            kind: TokenKind::End,
            span: end,
            starts_line: true,
        })
    }

    /// The next token.
    pub fn peek(self) -> Token<V> {
        self.peek_at(0)
    }

    /// The kind of the next token.
    pub fn kind(self) -> TokenKind<V> {
        self.peek().kind
    }

    /// Whether the next token is this symbol.
    pub fn at(self, symbol: V::Symbol) -> bool {
        self.is_ahead(0, symbol)
    }

    /// Whether the token `ahead` places after the next one is this symbol.
    pub fn is_ahead(self, ahead: usize, symbol: V::Symbol) -> bool {
        self.peek_at(ahead).kind == TokenKind::Symbol(symbol)
    }

    /// Whether the next token is this keyword.
    pub fn at_keyword(self, keyword: V::Keyword) -> bool {
        self.kind() == TokenKind::Keyword(keyword)
    }

    /// Whether all is read.
    pub fn is_at_end(self) -> bool {
        self.kind() == TokenKind::End
    }

    /// The place of this symbol, if it is the token `back` places before the next one.
    pub fn behind(self, back: usize, symbol: V::Symbol) -> Option<Span> {
        let token = self.position.checked_sub(back).and_then(|position| self.tokens.get(position))?;
        (token.kind == TokenKind::Symbol(symbol)).then_some(token.span)
    }

    /// The input after the next token.
    pub fn advance(self) -> Self {
        Input { position: (self.position + 1).min(self.tokens.len()), ..self }
    }

    /// How many tokens are read.
    pub fn position(self) -> usize {
        self.position
    }

    /// The place of the token before the next one; at the beginning, the beginning.
    pub fn previous(self) -> Span {
        let last = self.position.checked_sub(1).and_then(|before| self.tokens.get(before));
        last.map_or(Span::new(0, 0), |token| token.span)
    }

    /// The place just behind the token before the next one, where something is missing.
    pub fn gap(self) -> Span {
        let end = self.previous().end;
        Span::new(end, end)
    }

    /// From `start` to the end of the last token read.
    pub fn span_from(self, start: Span) -> Span {
        Span::new(start.start, self.previous().end.max(start.end))
    }

    /// The text of a token.
    pub fn text_of(self, token: Token<V>) -> &'a str {
        token.text(self.text)
    }

    /// The text of the next token.
    pub fn word(self) -> &'a str {
        self.text_of(self.peek())
    }

    /// The text in a place.
    pub fn slice(self, span: Span) -> &'a str {
        self.text.get(span.start..span.end).unwrap_or("")
    }

    /// How to speak of the next token.
    pub fn found(self) -> String {
        self.peek().describe(self.text)
    }

    /// Reports that a `,` is missing before the next token; `help` states where commas stand.
    pub fn report_missing_comma(self, help: &str) {
        let message = format!("missing `,` before {}", self.found());
        let place = self.gap();
        self.report(Diagnostic::new(V::CODES.missing_comma, message, place, "expected `,`").help(help));
    }

    /// Reports that the next token is a reserved word where `what` was expected.
    pub fn report_reserved_word(self, what: &str) {
        let word = self.word();
        let message = format!("`{word}` is a reserved word");
        let label = format!("expected {what}");
        self.report(
            Diagnostic::new(V::CODES.reserved_word, message, self.peek().span, label)
                .help(format!("choose another name, such as `{word}_`")),
        );
    }

    /// Reports a problem at the next token without ending the construct. Silent about what the lexer
    /// has reported, and about a place that has a diagnostic.
    pub fn report(self, diagnostic: Diagnostic) {
        let is_known = match self.kind() {
            TokenKind::Junk => true,
            TokenKind::End => self.sink.is_cut_short,
            _ => false,
        };
        let place = Some(self.position);
        if is_known || self.sink.last_place.replace(place) == place {
            return;
        }
        let mut diagnostics = self.sink.diagnostics.borrow_mut();
        if diagnostics.len() <= MAX_DIAGNOSTICS {
            diagnostics.push(diagnostic);
        }
    }

    /// Reports that something else was expected, without ending the construct.
    pub fn report_expected(self, what: &'static str) {
        SyntaxError { at: self, what: Problem::Expected(what) }.report();
    }

    /// Fails: something else was expected here.
    ///
    /// # Errors
    /// Always; another parser may be tried.
    pub fn expected<T>(self, what: &'static str) -> ParseResult<'a, V, T> {
        Err(nom::Err::Error(SyntaxError { at: self, what: Problem::Expected(what) }))
    }

    /// Fails with a message of its own.
    ///
    /// # Errors
    /// Always; no other parser is tried.
    pub fn fail<T>(self, diagnostic: Diagnostic) -> ParseResult<'a, V, T> {
        Err(nom::Err::Failure(SyntaxError { at: self, what: Problem::Diagnosed(Box::new(diagnostic)) }))
    }

    /// The partner of the bracket at `open`. A missing one is reported and taken as written.
    ///
    /// # Errors
    /// None; the type is that of parsers.
    pub fn close(self, open: Span, partner: V::Symbol) -> ParseResult<'a, V, ()> {
        if self.at(partner) {
            return Ok((self.advance(), ()));
        }
        self.report(self.unclosed(open, partner));
        Ok((self, ()))
    }

    /// The diagnostic for the bracket at `open` whose partner is not where the input stands.
    pub fn unclosed(self, open: Span, partner: V::Symbol) -> Diagnostic {
        let closing = partner.spelling();
        Diagnostic::new(
            V::CODES.unclosed_bracket,
            format!("missing `{closing}` before {}", self.found()),
            self.gap(),
            format!("expected `{closing}`"),
        )
        .label(open, "to close this")
    }
}

/// Reads items to the end of the text. `item` yields `None` for what is reported and skipped. An error is
/// reported, and reading goes on, at least one token later, where `next_item` finds an item to begin.
pub fn items<'a, V: Vocabulary, T>(
    mut input: Input<'a, V>,
    item: impl Fn(Input<'a, V>) -> ParseResult<'a, V, Option<T>>,
    next_item: impl Fn(Input<'a, V>) -> Input<'a, V>,
) -> Vec<T> {
    let mut items = Vec::new();
    while !input.is_at_end() {
        let start = input;
        match item(input) {
            Ok((rest, item)) => {
                items.extend(item);
                input = rest;
            }
            Err(error) => {
                if let Some(error) = SyntaxError::of(error) {
                    input = error.at;
                    error.report();
                }
                if input.position() == start.position() {
                    input = input.advance();
                }
                input = next_item(input);
            }
        }
    }
    items
}
