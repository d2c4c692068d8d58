//! What all parsers of process files share: the token input, the error type, single tokens, actions.
//!
//! As in the parser of rewriting systems: [`Input`] is a cheap, copyable view of the remaining tokens;
//! what does not end a construct is reported to a sink behind it, the rest is the `Err` of a parser. The
//! grammar is decided by the next few tokens, so nothing that was reported is ever read again. The sink
//! keeps one diagnostic per place.

use std::cell::{Cell, RefCell};

use nom::IResult;
use nom::error::{ErrorKind, ParseError};

use crate::diagnostic::Diagnostic;
use crate::diagnostic::codes::process::syntax as codes;
use crate::process::Language;
use crate::process::ast::{Action, ActionKind, Place};
use crate::process::token::{Keyword, Symbol, Token, TokenKind};
use crate::source::Span;
use crate::syntax::MAX_DIAGNOSTICS;
use crate::syntax::ast::Ident;

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
    language: Language,
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
                &codes::UNEXPECTED,
                format!("expected {what}, found {}", self.at.found()),
                token.span,
                format!("expected {what}"),
            ),
        };
        self.at.report(diagnostic);
    }
}

impl<'a> Input<'a> {
    /// All tokens of a text.
    pub fn new(text: &'a str, tokens: &'a [Token], language: Language, sink: &'a Sink) -> Self {
        Input { text, tokens, position: 0, language, sink }
    }

    /// Whether this is a choreography.
    pub fn is_chor(self) -> bool {
        self.language == Language::Chor
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

    /// Whether the next token is this keyword, as a keyword: in choreographies a word before `@` is an action.
    pub fn at_keyword(self, keyword: Keyword) -> bool {
        self.kind() == TokenKind::Keyword(keyword) && !self.is_action_word()
    }

    /// Whether the next token is a reserved word that names an action (`check@mk`).
    fn is_action_word(self) -> bool {
        self.is_chor() && matches!(self.kind(), TokenKind::Keyword(_)) && self.is_ahead(1, Symbol::At)
    }

    /// Whether the next token is the name of an action (or of a peer).
    pub fn at_action_name(self) -> bool {
        self.kind() == TokenKind::Action || self.is_action_word()
    }

    /// Whether all is read.
    pub fn is_at_end(self) -> bool {
        self.kind() == TokenKind::End
    }

    /// Whether an item begins with the next token: what a `;` in front of it ends.
    pub fn begins_item(self) -> bool {
        match self.kind() {
            TokenKind::Keyword(Keyword::System | Keyword::Check) => !self.is_action_word(),
            TokenKind::Constant | TokenKind::Action | TokenKind::Keyword(_) => {
                self.is_ahead(1, Symbol::Equal)
            }
            _ => false,
        }
    }

    /// The place of this symbol, if it is the token `back` places before the next one.
    pub fn behind(self, back: usize, symbol: Symbol) -> Option<Span> {
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

    /// The text of the next token.
    pub fn word(self) -> &'a str {
        self.peek().text(self.text)
    }

    /// The next token as a name.
    pub fn ident(self) -> Ident {
        Ident { text: self.word().to_owned(), span: self.peek().span }
    }

    /// How to speak of the next token.
    pub fn found(self) -> String {
        self.peek().describe(self.text)
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

    /// The error that something else was expected here.
    pub fn expected<T>(self, what: &'static str) -> ParseResult<'a, T> {
        Err(nom::Err::Error(SyntaxError { at: self, what: Problem::Expected(what) }))
    }

    /// The error with a message of its own.
    pub fn fail<T>(self, diagnostic: Diagnostic) -> ParseResult<'a, T> {
        Err(nom::Err::Failure(SyntaxError { at: self, what: Problem::Diagnosed(Box::new(diagnostic)) }))
    }
}

/// The name of an action, a peer: small letter first. A reserved word or a capital letter is reported
/// and taken as the name.
pub fn small_name<'a>(input: Input<'a>, what: &'static str) -> ParseResult<'a, Ident> {
    let text = input.word();
    match input.kind() {
        _ if input.at_action_name() => {}
        TokenKind::Keyword(Keyword::Tau) => input.report(
            Diagnostic::new(
                &codes::MISPLACED_ACTION,
                "`tau` has no name that could stand here",
                input.peek().span,
                format!("expected {what}"),
            )
            .help("the invisible action can't be restricted, relabelled or synchronised"),
        ),
        TokenKind::Keyword(_) => input.report(
            Diagnostic::new(
                &codes::RESERVED_WORD,
                format!("`{text}` is a reserved word"),
                input.peek().span,
                format!("expected {what}"),
            )
            .help(format!("choose another name, such as `{text}_`")),
        ),
        TokenKind::Constant => input.report(
            Diagnostic::new(
                &codes::WRONG_CASE,
                format!("{what} begins with a small letter"),
                input.peek().span,
                "",
            )
            .help("capital letters begin the names of processes"),
        ),
        _ => return input.expected(what),
    }
    Ok((input.advance(), input.ident()))
}

/// `a`, `'a` or `tau`, in choreographies with the place it is taken at, if it is there.
pub fn action<'a>(input: Input<'a>) -> ParseResult<'a, Action> {
    let start = input.peek().span;
    if input.at_keyword(Keyword::Tau) {
        return Ok((input.advance(), Action { kind: ActionKind::Tau, span: start }));
    }
    let is_co = input.at(Symbol::Quote);
    let name_at = if is_co { input.advance() } else { input };
    if is_co && input.is_chor() {
        input.report(
            Diagnostic::new(&codes::OTHER_LANGUAGE, "choreographies have no co-actions", start, "")
                .help("a communication names both peers: `a@[x, y]`"),
        );
    }
    if is_co && name_at.at_keyword(Keyword::Tau) {
        name_at.report(Diagnostic::new(
            &codes::MISPLACED_ACTION,
            "the invisible action `tau` has no co-action",
            start.to(name_at.peek().span),
            "",
        ));
        let span = start.to(name_at.peek().span);
        return Ok((name_at.advance(), Action { kind: ActionKind::Tau, span }));
    }
    let (input, name) = small_name(name_at, "an action")?;
    let (input, place) = if input.at(Symbol::At) { place(input)? } else { (input, Place::Anywhere) };
    let span = input.span_from(start);
    Ok((input, Action { kind: ActionKind::Visible { name, is_co, place }, span }))
}

/// `@x` or `@[x, y]`
fn place(input: Input<'_>) -> ParseResult<'_, Place> {
    if !input.is_chor() {
        return input.fail(
            Diagnostic::new(
                &codes::OTHER_LANGUAGE,
                "actions of CCS have no place",
                input.peek().span,
                "expected `.` and what follows",
            )
            .help("choreographies (`a@x`, `a@[x, y]`) stand in files that end in .chor"),
        );
    }
    let input = input.advance();
    if !input.at(Symbol::LeftBracket) {
        let (input, peer) = small_name(input, "a peer")?;
        return Ok((input, Place::At(peer)));
    }
    let open = input.peek().span;
    let (input, first) = small_name(input.advance(), "a peer")?;
    if !input.at(Symbol::Comma) {
        return input.fail(
            Diagnostic::new(
                &codes::UNEXPECTED,
                format!("expected `,` and the second peer, found {}", input.found()),
                input.peek().span,
                "expected `,`",
            )
            .help("a communication has two peers, `a@[x, y]`; a local action one, `a@x`"),
        );
    }
    let (input, second) = small_name(input.advance(), "a peer")?;
    if input.at(Symbol::Comma) {
        return input.fail(
            Diagnostic::new(
                &codes::UNEXPECTED,
                "a communication of more than two peers",
                open.to(input.peek().span),
                "expected `]` behind the second",
            )
            .help("let them talk one after the other: `a@[x, y]; a@[x, z]`"),
        );
    }
    let (input, ()) = close(input, open, Symbol::RightBracket)?;
    Ok((input, Place::Between(first, second)))
}

/// The partner of the bracket at `open`. A missing one is reported and taken as written.
pub fn close(input: Input<'_>, open: Span, partner: Symbol) -> ParseResult<'_, ()> {
    if input.at(partner) {
        return Ok((input.advance(), ()));
    }
    input.report(unclosed(input, open, partner));
    Ok((input, ()))
}

/// The diagnostic for the bracket at `open` whose partner is not where the input stands.
pub fn unclosed(input: Input<'_>, open: Span, partner: Symbol) -> Diagnostic {
    let closing = partner.spelling();
    Diagnostic::new(
        &codes::UNCLOSED_BRACKET,
        format!("missing `{closing}` before {}", input.found()),
        input.gap(),
        format!("expected `{closing}`"),
    )
    .label(open, "to close this")
}

/// Elements separated by commas up to `closing`, possibly none; a comma at the end is harmless. A missing
/// comma is reported.
pub fn list<'a, T>(
    mut input: Input<'a>,
    open: Span,
    closing: Symbol,
    element: impl Fn(Input<'a>) -> ParseResult<'a, T>,
) -> ParseResult<'a, Vec<T>> {
    let mut elements = Vec::new();
    while !input.at(closing) {
        let (rest, next) = element(input)?;
        elements.push(next);
        input = rest;
        if input.at(Symbol::Comma) {
            input = input.advance();
        } else if input.at_action_name() || input.at(Symbol::Quote) {
            input.report(
                Diagnostic::new(
                    &codes::MISSING_COMMA,
                    format!("missing `,` before {}", input.found()),
                    input.gap(),
                    "expected `,`",
                )
                .help("the actions of a set are separated by commas"),
            );
        } else {
            break;
        }
    }
    let (input, ()) = close(input, open, closing)?;
    Ok((input, elements))
}
