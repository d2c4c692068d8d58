//! What all parsers share: the token input, the error type, and parsers of single tokens and lists.
//!
//! [`Input`] is a cheap, copyable view of the remaining tokens, as nom wants it. Diagnostics that do
//! not end a construct go to a sink behind the input; the others are the `Err` of a parser.
//! Invariant: the grammar is decided by the next one or two tokens, so no parser that has written to
//! the sink is ever tried again from an earlier place.
//!
//! A missing token that leaves no doubt is reported and taken as written. That can make a later
//! parser fail at the same place; the sink keeps one diagnostic per place, so nothing is said twice.

use std::cell::{Cell, RefCell};

use nom::error::{ErrorKind, ParseError};
use nom::{IResult, Parser};

use crate::diagnostic::{Diagnostic, codes};
use crate::source::Span;
use crate::syntax::MAX_DIAGNOSTICS;
use crate::syntax::ast::Ident;
use crate::syntax::lexer::token::{Keyword, Symbol, Token, TokenKind};

/// Collects the parser's diagnostics.
#[derive(Default)]
pub struct Sink {
    diagnostics: RefCell<Vec<Diagnostic>>,
    last_place: Cell<Option<usize>>,
    is_cut_short: bool,
}

impl Sink {
    /// An empty sink. Nothing is said about the end of a text that `is_cut_short`: the lexer has.
    pub fn new(is_cut_short: bool) -> Self {
        Sink { is_cut_short, ..Sink::default() }
    }

    /// All that was collected, in the order of their places.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics.into_inner()
    }
}

/// The tokens still to be read.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    text: &'a str,
    tokens: &'a [Token],
    position: usize,
    sink: &'a Sink,
}

/// The result of a parser.
pub type ParseResult<'a, T> = IResult<Input<'a>, T, SyntaxError<'a>>;

/// Why a construct could not be read, and where reading stopped.
#[derive(Clone)]
pub struct SyntaxError<'a> {
    /// Where reading stopped; recovery goes on from there.
    pub at: Input<'a>,
    what: Problem,
}

#[derive(Clone)]
enum Problem {
    Expected(&'static str),
    Diagnosed(Box<Diagnostic>),
}

impl<'a> ParseError<Input<'a>> for SyntaxError<'a> {
    fn from_error_kind(at: Input<'a>, _: ErrorKind) -> Self {
        SyntaxError { at, what: Problem::Expected("something else") }
    }

    fn append(_: Input<'a>, _: ErrorKind, other: Self) -> Self {
        other
    }
}

impl SyntaxError<'_> {
    /// Tells the sink.
    pub fn report(self) {
        let token = self.at.peek();
        let diagnostic = match self.what {
            Problem::Diagnosed(diagnostic) => *diagnostic,
            Problem::Expected(what) => Diagnostic::new(
                &codes::syntax::UNEXPECTED,
                format!("expected {what}, found {}", token.describe(self.at.text)),
                token.span,
                format!("expected {what}"),
            ),
        };
        self.at.report(diagnostic);
    }
}

impl<'a> Input<'a> {
    /// All tokens of a text.
    pub fn new(text: &'a str, tokens: &'a [Token], sink: &'a Sink) -> Self {
        Input { text, tokens, position: 0, sink }
    }

    /// The token `ahead` places after the next one; beyond the end, the end.
    pub fn peek_at(self, ahead: usize) -> Token {
        let end = Span::new(self.text.len(), self.text.len());
        self.tokens.get(self.position.saturating_add(ahead)).copied().unwrap_or(Token {
            kind: TokenKind::End,
            span: end,
            starts_line: true,
        })
    }

    /// The next token.
    pub fn peek(self) -> Token {
        self.peek_at(0)
    }

    /// The kind of the next token.
    pub fn kind(self) -> TokenKind {
        self.peek().kind
    }

    /// Whether the next token is this symbol.
    pub fn at(self, symbol: Symbol) -> bool {
        self.is_ahead(0, symbol)
    }

    /// Whether the token `ahead` places after the next one is this symbol.
    pub fn is_ahead(self, ahead: usize, symbol: Symbol) -> bool {
        self.peek_at(ahead).kind == TokenKind::Symbol(symbol)
    }

    /// Whether the next token is this keyword.
    pub fn at_keyword(self, keyword: Keyword) -> bool {
        self.kind() == TokenKind::Keyword(keyword)
    }

    /// Whether all is read.
    pub fn is_at_end(self) -> bool {
        self.kind() == TokenKind::End
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
    pub fn text_of(self, token: Token) -> &'a str {
        token.text(self.text)
    }

    /// The text in a place.
    pub fn slice(self, span: Span) -> &'a str {
        self.text.get(span.start..span.end).unwrap_or("")
    }

    /// How to speak of the next token.
    pub fn found(self) -> String {
        self.peek().describe(self.text)
    }

    /// Reports that a `,` is missing before the next token; `help` says where commas stand.
    pub fn report_missing_comma(self, help: &str) {
        let message = format!("missing `,` before {}", self.found());
        let place = self.gap();
        self.report(
            Diagnostic::new(&codes::syntax::MISSING_COMMA, message, place, "expected `,`").help(help),
        );
    }

    /// Reports a problem at the next token without ending the construct. Silent about what the lexer
    /// has reported, and about a place that something was said of.
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

    /// The error that something else was expected here; another parser may be tried.
    pub fn expected<T>(self, what: &'static str) -> ParseResult<'a, T> {
        Err(nom::Err::Error(SyntaxError { at: self, what: Problem::Expected(what) }))
    }

    /// The error with a message of its own; no other parser is tried.
    pub fn fail<T>(self, diagnostic: Diagnostic) -> ParseResult<'a, T> {
        Err(nom::Err::Failure(SyntaxError { at: self, what: Problem::Diagnosed(Box::new(diagnostic)) }))
    }
}

/// This symbol.
pub fn symbol<'a>(
    symbol: Symbol,
    what: &'static str,
) -> impl Parser<Input<'a>, Output = Span, Error = SyntaxError<'a>> {
    move |input: Input<'a>| {
        if input.at(symbol) { Ok((input.advance(), input.peek().span)) } else { input.expected(what) }
    }
}

/// This keyword.
pub fn keyword<'a>(keyword: Keyword) -> impl Parser<Input<'a>, Output = Span, Error = SyntaxError<'a>> {
    move |input: Input<'a>| {
        if input.at_keyword(keyword) {
            Ok((input.advance(), input.peek().span))
        } else {
            input.expected("a keyword")
        }
    }
}

/// A name, called `what` in messages. A reserved word is reported and taken as the name, unless it
/// begins a line: then it more likely begins what follows.
pub fn name<'a>(what: &'static str) -> impl Parser<Input<'a>, Output = Ident, Error = SyntaxError<'a>> {
    move |input: Input<'a>| {
        let token = input.peek();
        let text = input.text_of(token);
        match token.kind {
            TokenKind::Name => {}
            TokenKind::Keyword(_) if !token.starts_line => input.report(
                Diagnostic::new(
                    &codes::syntax::RESERVED_WORD,
                    format!("`{text}` is a reserved word"),
                    token.span,
                    format!("expected {what}"),
                )
                .help(format!("choose another name, such as `{text}_`")),
            ),
            _ => return input.expected(what),
        }
        Ok((input.advance(), Ident { text: text.to_owned(), span: token.span }))
    }
}

/// Names separated by commas, at least one; a comma at the end is harmless. A comma missing within a
/// line is reported.
pub fn names<'a>(what: &'static str) -> impl Parser<Input<'a>, Output = Vec<Ident>, Error = SyntaxError<'a>> {
    move |input: Input<'a>| {
        let (mut input, first) = name(what).parse(input)?;
        let mut names = vec![first];
        loop {
            if input.at(Symbol::Comma) {
                input = input.advance();
                if input.kind() != TokenKind::Name && !is_misused_keyword(input) {
                    return Ok((input, names));
                }
            } else if is_name_after_missing_comma(input) {
                input.report_missing_comma("the names of a list are separated by commas");
            } else {
                return Ok((input, names));
            }
            let (rest, next) = name(what).parse(input)?;
            names.push(next);
            input = rest;
        }
    }
}

/// A keyword where a list goes on: in the same line, and the list goes on behind it.
fn is_misused_keyword(input: Input<'_>) -> bool {
    matches!(input.kind(), TokenKind::Keyword(_))
        && !input.peek().starts_line
        && matches!(
            input.peek_at(1).kind,
            TokenKind::Symbol(
                Symbol::Comma | Symbol::Semicolon | Symbol::RightParen | Symbol::RightBracket | Symbol::Dot
            )
        )
}

/// A name in the same line that is not the beginning of an atom, a transition or a comparison.
fn is_name_after_missing_comma(input: Input<'_>) -> bool {
    let token = input.peek();
    token.kind == TokenKind::Name
        && !token.starts_line
        && !matches!(
            input.peek_at(1).kind,
            TokenKind::Symbol(
                Symbol::LeftParen
                    | Symbol::LeftBracket
                    | Symbol::Dash
                    | Symbol::RightArrow
                    | Symbol::LeftArrow
            )
        )
}

/// The partner of the bracket at `open`. A missing one is reported and taken as written.
pub fn close<'a>(
    open: Span,
    partner: Symbol,
) -> impl Parser<Input<'a>, Output = (), Error = SyntaxError<'a>> {
    move |input: Input<'a>| {
        if input.at(partner) {
            return Ok((input.advance(), ()));
        }
        input.report(unclosed(input, open, partner));
        Ok((input, ()))
    }
}

/// The diagnostic for the bracket at `open` whose partner is not where the input stands.
pub fn unclosed(input: Input<'_>, open: Span, partner: Symbol) -> Diagnostic {
    let closing = partner.spelling();
    Diagnostic::new(
        &codes::syntax::UNCLOSED_BRACKET,
        format!("missing `{closing}` before {}", input.found()),
        input.gap(),
        format!("expected `{closing}`"),
    )
    .label(open, "to close this")
}

/// `(x, y)`: the variables of a head or an atom, possibly none.
pub fn arguments<'a>(
    what: &'static str,
) -> impl Parser<Input<'a>, Output = Vec<Ident>, Error = SyntaxError<'a>> {
    move |input: Input<'a>| {
        let (input, open) = symbol(Symbol::LeftParen, "`(`").parse(input)?;
        if input.at(Symbol::RightParen) {
            return Ok((input.advance(), Vec::new()));
        }
        let (input, list) = nom::combinator::cut(names(what)).parse(input)?;
        let (input, ()) = close(open, Symbol::RightParen).parse(input)?;
        Ok((input, list))
    }
}

/// The `;` at the end of an item or statement. A missing one is reported; it is taken as written
/// where the next token begins something new.
pub fn semicolon(input: Input<'_>) -> ParseResult<'_, ()> {
    if input.at(Symbol::Semicolon) {
        return Ok((input.advance(), ()));
    }
    let token = input.peek();
    let diagnostic = Diagnostic::new(
        &codes::syntax::MISSING_SEMICOLON,
        format!("missing `;` before {}", input.found()),
        input.gap(),
        "expected `;`",
    );
    let begins_anew = match token.kind {
        TokenKind::End | TokenKind::Symbol(Symbol::RightBrace) => true,
        TokenKind::Keyword(keyword) => !matches!(keyword, Keyword::New | Keyword::Forbid),
        TokenKind::Name => token.starts_line,
        _ => false,
    };
    if begins_anew {
        input.report(diagnostic);
        return Ok((input, ()));
    }
    input.fail(Diagnostic {
        message: format!("expected `;`, found {}", input.found()),
        labels: vec![crate::diagnostic::Label { span: token.span, text: "expected `;`".to_owned() }],
        ..diagnostic
    })
}
