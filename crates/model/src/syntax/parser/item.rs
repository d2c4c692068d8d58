//! Items: components with their statements, heads of rules, links, `critical` and `system`.

use nom::Parser;
use nom::combinator::cut;

use super::body::{body, forbids, group};
use super::error::definition;
use super::input::{Input, ParseResult, SyntaxError, arguments, keyword, name, names, semicolon, symbol};
use crate::syntax::ast::{
    Component, ComponentItem, CountTerm, Critical, Item, Link, Rule, StateSet, SystemDeclaration, Transition,
};
use crate::syntax::vocabulary::{Keyword, Symbol, TokenKind};
use paramcheck_text::diagnostic::{Diagnostic, codes};
use paramcheck_text::reading::Ident;
use paramcheck_text::reading::shortened;
use paramcheck_text::source::Span;

/// One item; `None` where something was read that is none (a stray `;` or `}`, a component without a
/// name).
pub(crate) fn item(input: Input<'_>) -> ParseResult<'_, Option<Item>> {
    match input.kind() {
        TokenKind::Keyword(Keyword::Component) => component(input),
        TokenKind::Keyword(Keyword::Link) => link.map(|link| Some(Item::Link(link))).parse(input),
        TokenKind::Keyword(Keyword::Error) => definition.map(|error| Some(Item::Error(error))).parse(input),
        TokenKind::Keyword(Keyword::Critical) => {
            critical.map(|critical| Some(Item::Critical(critical))).parse(input)
        }
        TokenKind::Keyword(Keyword::System) => system.map(|system| Some(Item::System(system))).parse(input),
        TokenKind::Name if is_component_with_other_word(input) => {
            input.report(unknown(input, "item", &["component"]));
            component_after(input.peek().span, input.advance())
        }
        TokenKind::Name => rule.map(|rule| Some(Item::Rule(rule))).parse(input),
        TokenKind::Symbol(Symbol::Semicolon) => Ok((input.advance(), None)),
        TokenKind::Symbol(Symbol::RightBrace) => {
            input.report(Diagnostic::new(
                &codes::syntax::UNMATCHED_BRACKET,
                "`}` without its partner",
                input.peek().span,
                "no brace is open here",
            ));
            Ok((input.advance(), None))
        }
        TokenKind::Keyword(Keyword::States | Keyword::Init | Keyword::Final) => input.fail(
            Diagnostic::new(
                &codes::syntax::UNKNOWN_ITEM,
                format!("{} outside of a component", input.found()),
                input.peek().span,
                "",
            )
            .help("write it between the braces of a component: `component Node { states idle; init idle; }`"),
        ),
        TokenKind::Symbol(Symbol::Hash) => comment(input),
        TokenKind::Symbol(Symbol::Dash) if input.advance().at(Symbol::Dash) => comment(input),
        _ => input.expected("a component, rule, link, error, `critical` or `system`"),
    }
}

/// Reports what is a comment in other languages, and skips it to the end of its line.
fn comment(input: Input<'_>) -> ParseResult<'_, Option<Item>> {
    let message = format!("{} where an item should begin", input.found());
    input.report(
        Diagnostic::new(&codes::syntax::UNEXPECTED, message, input.peek().span, "")
            .help("comments begin with `//`, or stand between `/*` and `*/`"),
    );
    let mut input = input.advance();
    while !input.is_at_end() && !input.peek().starts_line {
        input = input.advance();
    }
    Ok((input, None))
}

/// Whether the next tokens can only begin an item.
pub(crate) fn begins_item(input: Input<'_>) -> bool {
    match input.kind() {
        // In formulas `critical` is the name of an error.
        TokenKind::Keyword(Keyword::Critical) => {
            matches!(input.peek_at(1).kind, TokenKind::Name | TokenKind::Symbol(Symbol::Hash))
        }
        TokenKind::Keyword(keyword) => keyword.starts_item(),
        TokenKind::Name => is_rule_head(input),
        _ => false,
    }
}

/// Whether `Head(x, y) <-` comes next. Names and commas between the parentheses begin no head
/// themselves, so a look at every token of a text costs linear time altogether.
fn is_rule_head(input: Input<'_>) -> bool {
    if input.kind() != TokenKind::Name || !input.is_ahead(1, Symbol::LeftParen) {
        return false;
    }
    let mut ahead = 2;
    while matches!(input.peek_at(ahead).kind, TokenKind::Name | TokenKind::Symbol(Symbol::Comma)) {
        ahead += 1;
    }
    input.is_ahead(ahead, Symbol::RightParen) && input.is_ahead(ahead + 1, Symbol::LeftArrow)
}

/// `word Name {`: nothing else begins so.
fn is_component_with_other_word(input: Input<'_>) -> bool {
    input.peek_at(1).kind == TokenKind::Name && input.is_ahead(2, Symbol::LeftBrace)
}

fn component(input: Input<'_>) -> ParseResult<'_, Option<Item>> {
    let (input, start) = keyword(Keyword::Component).parse(input)?;
    component_after(start, input)
}

/// A component behind its keyword, which is at `start`.
fn component_after(start: Span, input: Input<'_>) -> ParseResult<'_, Option<Item>> {
    let (input, name) = if input.at(Symbol::LeftBrace) {
        input.report_expected("a name for the component type");
        (input, None)
    } else {
        cut(name("a name for the component type")).map(Some).parse(input)?
    };
    let begins_statement =
        matches!(input.kind(), TokenKind::Keyword(Keyword::States | Keyword::Init | Keyword::Final));
    let (mut input, open) = if begins_statement {
        input.report_expected("`{`");
        (input, input.previous())
    } else {
        cut(symbol(Symbol::LeftBrace, "`{`")).parse(input)?
    };
    let mut items = Vec::new();
    loop {
        let is_misused = input.is_ahead(1, Symbol::Dash) || input.is_ahead(1, Symbol::RightArrow);
        if input.at(Symbol::RightBrace) {
            input = input.advance();
            break;
        }
        if input.is_at_end() || (begins_item(input) && !is_misused) {
            input.report(input.unclosed(open, Symbol::RightBrace));
            break;
        }
        if input.at(Symbol::Semicolon) {
            input = input.advance();
            continue;
        }
        input = match statement(input) {
            Ok((rest, item)) => {
                items.push(item);
                rest
            }
            Err(error) => recover_statement(input, error),
        };
    }
    let span = input.span_from(start);
    Ok((input, name.map(|name| Item::Component(Component { name, items, span }))))
}

/// Reports an error in the statement that begins at `start` and finds the next statement, the end of
/// the component, or the next item: at least one token later.
fn recover_statement<'a>(start: Input<'a>, error: nom::Err<SyntaxError<'a>>) -> Input<'a> {
    let mut input = start;
    if let Some(error) = SyntaxError::of(error) {
        input = error.at;
        error.report();
    }
    // What stands in braces belongs to the statement, with the `;` in it.
    let mut depth = 0usize;
    if input.position() == start.position() {
        depth += usize::from(input.at(Symbol::LeftBrace));
        input = input.advance();
    }
    loop {
        let token = input.peek();
        if depth > 0 && input.at(Symbol::RightBrace) {
            depth -= 1;
            input = input.advance();
            continue;
        }
        depth += usize::from(input.at(Symbol::LeftBrace));
        let begins_transition = token.kind == TokenKind::Name
            && token.starts_line
            && (input.is_ahead(1, Symbol::Dash) || input.is_ahead(1, Symbol::RightArrow));
        let begins_statement =
            matches!(token.kind, TokenKind::Keyword(Keyword::States | Keyword::Init | Keyword::Final));
        let is_end = input.is_at_end() || input.at(Symbol::RightBrace) || begins_item(input);
        if is_end || begins_transition || begins_statement {
            return input;
        }
        input = input.advance();
        if depth == 0 && token.kind == TokenKind::Symbol(Symbol::Semicolon) {
            return input;
        }
    }
}

/// One statement of a component with its `;`.
fn statement(input: Input<'_>) -> ParseResult<'_, ComponentItem> {
    let kind = if input.is_ahead(1, Symbol::Dash) || input.is_ahead(1, Symbol::RightArrow) {
        TokenKind::Name
    } else {
        input.kind()
    };
    let (input, item) = match kind {
        TokenKind::Keyword(Keyword::States) => listed(input, names("a state").map(ComponentItem::States))?,
        TokenKind::Keyword(Keyword::Init) => listed(input, state_set.map(ComponentItem::Init))?,
        TokenKind::Keyword(Keyword::Final) => listed(input, state_set.map(ComponentItem::Final))?,
        TokenKind::Name => transition.map(ComponentItem::Transition).parse(input)?,
        _ => return input.expected("`states`, `init`, `final`, a transition or `}`"),
    };
    let (input, ()) = semicolon(input)?;
    Ok((input, item))
}

/// What follows `states`, `init` or `final`, read by `list`. A sign before it and brackets around it are reported
/// once and skipped.
fn listed<'a>(
    statement: Input<'a>,
    list: impl Parser<Input<'a>, Output = ComponentItem, Error = SyntaxError<'a>>,
) -> ParseResult<'a, ComponentItem> {
    const SIGNS: [Symbol; 3] = [Symbol::Equal, Symbol::Colon, Symbol::LeftArrow];
    const BRACKETS: [(Symbol, Symbol); 3] = [
        (Symbol::LeftBrace, Symbol::RightBrace),
        (Symbol::LeftBracket, Symbol::RightBracket),
        (Symbol::LeftParen, Symbol::RightParen),
    ];
    let begin = statement.advance();
    let mut input = begin;
    if SIGNS.iter().any(|sign| input.at(*sign)) {
        input = input.advance();
    }
    let bracket = BRACKETS.into_iter().find(|(open, _)| input.at(*open));
    if bracket.is_some() {
        input = input.advance();
    }
    if input.position() != begin.position() {
        let word = statement.word();
        let span = begin.peek().span.to(input.previous());
        let message = format!("`{word}` is followed by names, not by `{}`", begin.slice(span));
        let example = if word == "states" { "idle, busy" } else { "idle" };
        begin.report(
            Diagnostic::new(&codes::syntax::UNEXPECTED, message, span, "expected a state")
                .help(format!("names stand alone, with commas between: `{word} {example};`")),
        );
    }
    let (input, item) = cut(list).parse(input)?;
    // A bracket that is not closed is part of what was reported.
    let is_closed = bracket.is_some_and(|(_, close)| input.at(close) && !is_last_brace(input));
    Ok((if is_closed { input.advance() } else { input }, item))
}

/// Whether the next token is a brace behind which no statement can stand: it ends the component.
fn is_last_brace(input: Input<'_>) -> bool {
    let behind = input.advance();
    input.at(Symbol::RightBrace) && (behind.is_at_end() || begins_item(behind))
}

/// `*`, or names of states.
pub(crate) fn state_set(input: Input<'_>) -> ParseResult<'_, StateSet> {
    if input.at(Symbol::Star) {
        return Ok((input.advance(), StateSet::All(input.peek().span)));
    }
    names("a state or `*`").map(StateSet::Names).parse(input)
}

fn malformed(message: impl Into<String>, span: Span, label: &str) -> Diagnostic {
    Diagnostic::new(&codes::syntax::MALFORMED_TRANSITION, message, span, label)
        .help("a transition is written `from -port-> to`, or `from -> to` without a port")
}

fn transition(input: Input<'_>) -> ParseResult<'_, Transition> {
    let statement = input;
    let (input, from) = name("a state").parse(input)?;
    let (input, port) = transition_arrow(statement, input)?;
    let (input, to) = cut(name("the state that is entered")).parse(input)?;
    if input.at(Symbol::RightArrow) || input.at(Symbol::Dash) {
        let message = format!("unexpected {} after a transition", input.found());
        return input.fail(malformed(message, input.peek().span, "a transition ends before this"));
    }
    let span = input.span_from(from.span);
    Ok((input, Transition { from, port, to, span }))
}

/// `->` or `-port->`, with the slips that leave no doubt. `statement` is where the statement begins.
fn transition_arrow<'a>(statement: Input<'a>, input: Input<'a>) -> ParseResult<'a, Option<Ident>> {
    let next = input.peek();
    if input.at(Symbol::RightArrow) {
        return Ok((input.advance(), None));
    }
    if input.at(Symbol::Dash) && input.is_ahead(1, Symbol::RightArrow) {
        let span = next.span.to(input.peek_at(1).span);
        input.report(malformed("no port between dash and arrow", span, "expected `->` or `-port->`"));
        return Ok((input.advance().advance(), None));
    }
    if next.kind == TokenKind::Name && !next.starts_line && input.is_ahead(1, Symbol::RightArrow) {
        let text = input.text_of(next);
        let label = format!("expected `-{text}->`");
        input.report(malformed(format!("missing `-` before the port `{text}`"), next.span, &label));
        let port = Ident { text: text.to_owned(), span: next.span };
        return Ok((input.advance().advance(), Some(port)));
    }
    if next.kind == TokenKind::Name && !next.starts_line {
        return input.fail(unknown(statement, "statement", &["states", "init", "final"]));
    }
    if !input.at(Symbol::Dash) {
        let message = format!("expected the arrow of a transition, found {}", input.found());
        return input.fail(malformed(message, next.span, "expected `->` or `-port->`"));
    }
    let (input, port) = cut(name("a port")).parse(input.advance())?;
    let span = next.span.to(input.peek().span);
    let label = format!("expected `-{}->`", port.text);
    if input.at(Symbol::RightArrow) {
        return Ok((input.advance(), Some(port)));
    }
    if input.at(Symbol::RightAngle) {
        input.report(malformed("malformed arrow of a transition", span, &label));
        return Ok((input.advance(), Some(port)));
    }
    if input.at(Symbol::Dash) && input.is_ahead(1, Symbol::RightAngle) {
        let span = span.to(input.peek_at(1).span);
        input.report(malformed("malformed arrow of a transition", span, &label));
        return Ok((input.advance().advance(), Some(port)));
    }
    let missing = malformed("missing arrow after the port", input.gap(), &label);
    if input.kind() == TokenKind::Name && !input.peek().starts_line {
        input.report(missing);
        return Ok((input, Some(port)));
    }
    input.fail(missing)
}

/// The diagnostic that no item or statement begins with the next token, a name.
fn unknown(start: Input<'_>, what: &str, candidates: &[&'static str]) -> Diagnostic {
    let token = start.peek();
    let text = start.text_of(token);
    let lower = shortened(text).to_lowercase();
    let synonym = match lower.as_str() {
        "process" | "type" | "agent" | "template" => Some("component"),
        "property" | "bad" | "assert" => Some("error"),
        "initial" | "start" => Some("init"),
        "location" | "locations" => Some("states"),
        _ => None,
    };
    let nearest = candidates
        .iter()
        .copied()
        .map(|candidate| (strsim::osa_distance(&lower, candidate), candidate))
        .filter(|(distance, _)| *distance <= 2)
        .min()
        .map(|(_, candidate)| candidate)
        .or(synonym.filter(|word| candidates.contains(word)));
    let diagnostic = Diagnostic::new(
        &codes::syntax::UNKNOWN_ITEM,
        format!("no {what} begins with {}", start.found()),
        token.span,
        "",
    );
    match nearest {
        None if ["invariant", "safety", "always", "never"].contains(&lower.as_str()) => {
            diagnostic.help("say what must never hold: `error NAME = …;`, as in `error two = #busy >= 2;`")
        }
        Some(nearest) => diagnostic.help(format!("did you mean `{nearest}`?")),
        None if what == "item" => diagnostic
            .help("a rule begins with a predicate and its parameters in parentheses: `Chain(x, y) <- …`"),
        None => diagnostic.help(
            "a component contains `states …;`, `init …;`, `final …;` and transitions `from -port-> to;`",
        ),
    }
}

fn rule(input: Input<'_>) -> ParseResult<'_, Rule> {
    let item = input;
    let (input, head) = name("a predicate").parse(input)?;
    let (input, parameters) = if input.at(Symbol::LeftParen) {
        cut(arguments("a parameter")).parse(input)?
    } else if input.at(Symbol::LeftArrow) {
        input.report(
            Diagnostic::new(
                &codes::syntax::UNEXPECTED,
                format!("missing parentheses after the predicate `{}`", head.text),
                head.span,
                "expected `(` and the parameters behind it",
            )
            .help(format!("without parameters it is written `{}()`", head.text)),
        );
        (input, Vec::new())
    } else {
        return input.fail(unknown(item, "item", &["component", "link", "error", "critical", "system"]));
    };
    let (input, ()) = rule_arrow(input)?;
    let (mut input, first) = cut(body).parse(input)?;
    let mut bodies = vec![first];
    while input.at(Symbol::Bar) || input.at(Symbol::DoubleBar) {
        if input.at(Symbol::DoubleBar) {
            input.report(
                Diagnostic::new(
                    &codes::syntax::WRONG_CONNECTIVE,
                    "the bodies of a rule are separated by `|`",
                    input.peek().span,
                    "expected `|`",
                )
                .help("write a single `|`"),
            );
        }
        let (rest, next) = cut(body).parse(input.advance())?;
        bodies.push(next);
        input = rest;
    }
    let span = input.span_from(head.span);
    let (input, ()) = semicolon(input)?;
    Ok((input, Rule { head, parameters, bodies, span }))
}

/// `<-`, and what is written instead of it.
fn rule_arrow(input: Input<'_>) -> ParseResult<'_, ()> {
    let token = input.peek();
    let wrong = |span, message: String| {
        Diagnostic::new(&codes::syntax::WRONG_ARROW, message, span, "expected `<-`")
            .help("head and body of a rule are joined by `<-`")
    };
    match token.kind {
        TokenKind::Symbol(Symbol::LeftArrow) | TokenKind::Junk => Ok((input.advance(), ())),
        TokenKind::Symbol(Symbol::LeftAngle) if input.is_ahead(1, Symbol::Dash) => {
            let span = token.span.to(input.peek_at(1).span);
            input.report(wrong(span, "the arrow of a rule is written without a space".to_owned()));
            Ok((input.advance().advance(), ()))
        }
        TokenKind::Symbol(
            Symbol::Equal
            | Symbol::DoubleEqual
            | Symbol::RightArrow
            | Symbol::AtMost
            | Symbol::FatArrow
            | Symbol::Dash,
        ) => {
            input.report(wrong(token.span, format!("the arrow of a rule is `<-`, not {}", input.found())));
            Ok((input.advance(), ()))
        }
        TokenKind::Keyword(Keyword::New | Keyword::Forbid)
        | TokenKind::Symbol(Symbol::LeftAngle | Symbol::LeftParen) => {
            input.report(wrong(input.gap(), format!("missing `<-` before {}", input.found())));
            Ok((input, ()))
        }
        _ => input.fail(wrong(token.span, format!("expected `<-`, found {}", input.found()))),
    }
}

/// `=`, and what is written instead of it.
pub(crate) fn equals<'a>(what: &'static str) -> impl Parser<Input<'a>, Output = (), Error = SyntaxError<'a>> {
    move |input: Input<'a>| match input.kind() {
        TokenKind::Symbol(Symbol::Equal) | TokenKind::Junk => Ok((input.advance(), ())),
        TokenKind::Symbol(
            Symbol::LeftArrow | Symbol::RightArrow | Symbol::DoubleEqual | Symbol::FatArrow,
        ) => {
            input.report(Diagnostic::new(
                &codes::syntax::UNEXPECTED,
                format!("{what} is defined with `=`, not {}", input.found()),
                input.peek().span,
                "expected `=`",
            ));
            Ok((input.advance(), ()))
        }
        _ => input.expected("`=`"),
    }
}

fn link(input: Input<'_>) -> ParseResult<'_, Link> {
    let (input, start) = keyword(Keyword::Link).parse(input)?;
    let (input, name) = cut(name("a name for the link")).parse(input)?;
    let (input, parameters) = cut(arguments("a parameter")).parse(input)?;
    let (input, ()) = cut(equals("a link")).parse(input)?;
    let (input, interactions) =
        if input.at_keyword(Keyword::Forbid) { (input, Vec::new()) } else { cut(group).parse(input)? };
    let (input, forbids) = forbids(input)?;
    let span = input.span_from(start);
    let (input, ()) = semicolon(input)?;
    Ok((input, Link { name, parameters, interactions, forbids, span }))
}

fn critical(input: Input<'_>) -> ParseResult<'_, Critical> {
    let (input, start) = keyword(Keyword::Critical).parse(input)?;
    let (mut input, first) = cut(critical_state).parse(input)?;
    let mut states = vec![first];
    while input.at(Symbol::Comma) {
        input = input.advance();
        if input.at(Symbol::Semicolon) {
            break;
        }
        let (rest, next) = cut(critical_state).parse(input)?;
        states.push(next);
        input = rest;
    }
    let span = input.span_from(start);
    let (input, ()) = semicolon(input)?;
    Ok((input, Critical { states, span }))
}

/// `s` or `Type.s`.
fn critical_state(input: Input<'_>) -> ParseResult<'_, CountTerm> {
    let start = input.peek().span;
    let input = if input.at(Symbol::Hash) {
        input.report(
            Diagnostic::new(
                &codes::syntax::UNEXPECTED,
                "critical states are named without `#`",
                start,
                "expected a state",
            )
            .help("`critical s;` is short for `error critical = #s >= 2;`"),
        );
        input.advance()
    } else {
        input
    };
    let (input, (component, state)) = qualified("a state").parse(input)?;
    Ok((input, CountTerm { component, state, span: input.span_from(start) }))
}

/// `name` or `Type.name`.
pub(crate) fn qualified<'a>(
    what: &'static str,
) -> impl Parser<Input<'a>, Output = (Option<Ident>, Ident), Error = SyntaxError<'a>> {
    move |input: Input<'a>| {
        let (input, first) = name(what).parse(input)?;
        if !input.at(Symbol::Dot) {
            return Ok((input, (None, first)));
        }
        let (input, second) = cut(name(what)).parse(input.advance())?;
        Ok((input, (Some(first), second)))
    }
}

fn system(input: Input<'_>) -> ParseResult<'_, SystemDeclaration> {
    let (input, start) = keyword(Keyword::System).parse(input)?;
    let (input, predicate) = cut(name("the predicate that is the system")).parse(input)?;
    let span = input.span_from(start);
    let input = if input.at(Symbol::LeftParen) {
        let open = input.peek().span;
        input.report(
            Diagnostic::new(
                &codes::syntax::UNEXPECTED,
                "`system` names a predicate, without parentheses",
                open,
                "expected `;`",
            )
            .help(format!("write `system {};`", predicate.text)),
        );
        let mut input = input.advance();
        while matches!(input.kind(), TokenKind::Name | TokenKind::Symbol(Symbol::Comma)) {
            input = input.advance();
        }
        input.close(open, Symbol::RightParen)?.0
    } else {
        input
    };
    let (input, ()) = semicolon(input)?;
    Ok((input, SystemDeclaration { predicate, span }))
}
