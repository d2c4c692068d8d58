//! What the parsers of process files share: looking at tokens as both languages do, names, actions, lists.

use crate::Language;
use crate::ast::{Action, ActionKind, Place};
use crate::vocabulary::{Keyword, Symbol, TokenKind};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::process::syntax as codes;
use paramcheck_text::reading;
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// The tokens still to be read.
pub(crate) type Input<'a> = reading::Input<'a, Language>;

/// The result of a parser.
pub(crate) type ParseResult<'a, T> = reading::ParseResult<'a, Language, T>;

/// Why a construct could not be read.
pub(crate) type SyntaxError<'a> = reading::SyntaxError<'a, Language>;

/// How the parsers of process files read the next tokens.
pub(crate) trait ProcessInput: Copy {
    /// Whether this is a choreography.
    fn is_chor(self) -> bool;
    /// Whether the next token is the name of a process, or would be: one with a capital letter first.
    fn at_constant(self) -> bool;
    /// Whether the next token is the name of an action (or of a peer): one with a small letter first.
    fn at_action_name(self) -> bool;
    /// Whether an item begins with the next token: what a `;` in front of it ends.
    fn begins_item(self) -> bool;
    /// The next token as a name.
    fn ident(self) -> Ident;
}

impl ProcessInput for Input<'_> {
    fn is_chor(self) -> bool {
        self.language() == Language::Chor
    }

    fn at_constant(self) -> bool {
        self.kind() == TokenKind::Name && self.word().starts_with(char::is_uppercase)
    }

    fn at_action_name(self) -> bool {
        self.kind() == TokenKind::Name && !self.at_constant()
    }

    fn begins_item(self) -> bool {
        match self.kind() {
            TokenKind::Keyword(Keyword::System | Keyword::Check) => true,
            TokenKind::Name | TokenKind::Keyword(_) => self.is_ahead(1, Symbol::Equal),
            _ => false,
        }
    }

    fn ident(self) -> Ident {
        Ident { text: self.word().to_owned(), span: self.peek().span }
    }
}

/// The name of an action, a peer: small letter first. A reserved word or a capital letter is reported
/// and taken as the name.
pub(crate) fn small_name<'a>(input: Input<'a>, what: &'static str) -> ParseResult<'a, Ident> {
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
        TokenKind::Keyword(_) => input.report_reserved_word(what),
        TokenKind::Name => input.report(
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
pub(crate) fn action<'a>(input: Input<'a>) -> ParseResult<'a, Action> {
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
    let (input, ()) = input.close(open, Symbol::RightBracket)?;
    Ok((input, Place::Between(first, second)))
}

/// Elements separated by commas up to `closing`, possibly none; a comma at the end is harmless. A missing
/// comma is reported.
pub(crate) fn list<'a, T>(
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
            input.report_missing_comma("the actions of a set are separated by commas");
        } else {
            break;
        }
    }
    let (input, ()) = input.close(open, closing)?;
    Ok((input, elements))
}
