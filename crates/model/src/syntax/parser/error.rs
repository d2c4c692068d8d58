//! Error definitions: Boolean formulas over counts, `deadlock`, names and formulas over components.

mod foreign;

use nom::Parser;
use nom::combinator::{cut, opt};

use super::input::{Input, ParseResult, SyntaxError, keyword, name, semicolon};
use super::item::{begins_item, equals, qualified};
use super::wsks;
use crate::syntax::ast::{Comparison, Count, CountTerm, ErrorDefinition, ErrorExpression};
use crate::syntax::vocabulary::{Keyword, Symbol, Token, TokenKind};
use paramcheck_text::diagnostic::{Diagnostic, codes};
use paramcheck_text::join::joined;
use paramcheck_text::reading::Ident;
use paramcheck_text::reading::Spelt;
use paramcheck_text::reading::shortened;
use paramcheck_text::source::Span;

/// How deep parentheses and negations may be nested.
const MAX_DEPTH: usize = 200;

/// `error NAME = …;`
pub(crate) fn definition(input: Input<'_>) -> ParseResult<'_, ErrorDefinition> {
    let (input, start) = keyword(Keyword::Error).parse(input)?;
    let (input, definition) = cut(named_body(start)).parse(input)?;
    let (input, ()) = semicolon(input)?;
    Ok((input, definition))
}

/// `NAME = …` and nothing else; `error` and `;` may be there.
pub(crate) fn single_definition(input: Input<'_>) -> ParseResult<'_, ErrorDefinition> {
    let start = input.peek().span;
    let (input, _) = opt(keyword(Keyword::Error)).parse(input)?;
    let is_nameless = !matches!(input.kind(), TokenKind::Name | TokenKind::Keyword(_) | TokenKind::End);
    if is_nameless && !input.at(Symbol::Equal) {
        let formula = input.slice(input.peek().span.to(input.peek_at(usize::MAX).span));
        let message = format!("expected a name for the error, found {}", input.found());
        let diagnostic = Diagnostic::new(
            &codes::syntax::UNEXPECTED,
            message,
            input.peek().span,
            "expected a name and `=`",
        );
        return input.fail(diagnostic.help(format!("name it: 'NAME = {}'", shortened(formula.trim_end()))));
    }
    let (input, definition) = named_body(start).parse(input)?;
    let input = if input.at(Symbol::Semicolon) { input.advance() } else { input };
    if input.is_at_end() { Ok((input, definition)) } else { input.expected("the end of the definition") }
}

fn named_body<'a>(start: Span) -> impl Parser<Input<'a>, Output = ErrorDefinition, Error = SyntaxError<'a>> {
    move |input: Input<'a>| {
        let (input, name) = name("a name for the error").parse(input)?;
        let (input, ()) = equals("an error").parse(input)?;
        let (input, body) = formula(input)?;
        Ok((input, ErrorDefinition { name, body, span: input.span_from(start) }))
    }
}

/// A connective in another spelling, and the right one.
pub(super) fn wrong_connective(input: Input<'_>, right: &str) -> Diagnostic {
    Diagnostic::new(
        &codes::syntax::WRONG_CONNECTIVE,
        format!("{} is written `{right}`", input.found()),
        input.peek().span,
        format!("expected `{right}`"),
    )
}

/// Skips a connective, reporting another spelling of it; `None` where there is none.
pub(super) fn connective<'a>(
    input: Input<'a>,
    right: Symbol,
    doubled: Symbol,
    word: &str,
) -> Option<Input<'a>> {
    let token = input.peek();
    if token.kind == TokenKind::Symbol(right) {
        return Some(input.advance());
    }
    let is_word = token.kind == TokenKind::Name && input.text_of(token).eq_ignore_ascii_case(word);
    if token.kind == TokenKind::Symbol(doubled) || is_word {
        input.report(wrong_connective(input, right.spelling()));
        return Some(input.advance());
    }
    None
}

/// What is read of a formula between two parentheses, or of the whole.
#[derive(Default)]
struct Level {
    /// The opening parenthesis.
    open: Span,
    /// The disjuncts that are complete.
    disjuncts: Vec<ErrorExpression>,
    /// The conjuncts of the disjunct being read.
    conjuncts: Vec<ErrorExpression>,
    /// The negations before the next operand.
    negations: Vec<Span>,
}

/// A formula. Without recursion: a frame of nom parsers is large, and the stack may be small.
fn formula(start: Input<'_>) -> ParseResult<'_, ErrorExpression> {
    let mut input = start;
    let mut outer: Vec<Level> = Vec::new();
    let mut level = Level::default();
    let mut depth = 0;
    loop {
        let token = input.peek();
        let is_sign = input.at(Symbol::Not) || input.at(Symbol::Tilde);
        let is_negation = is_sign || is_word_not(input);
        if is_negation || input.at(Symbol::LeftParen) {
            depth += 1;
            if depth > MAX_DEPTH {
                return input.fail(too_deep(token.span));
            }
            if is_negation {
                if !is_sign {
                    input.report(wrong_connective(input, "!"));
                }
                level.negations.push(token.span);
            } else {
                outer.push(std::mem::replace(&mut level, Level { open: token.span, ..Level::default() }));
            }
            input = input.advance();
            continue;
        }
        let (rest, mut operand) = operand(input)?;
        input = rest;
        // Now close whatever the operand completes, until another operand is due.
        loop {
            while let Some(start) = level.negations.pop() {
                operand = ErrorExpression::Not(Box::new(operand), input.span_from(start));
                depth -= 1;
            }
            level.conjuncts.push(operand);
            if let Some(after) = connective(input, Symbol::Ampersand, Symbol::DoubleAmpersand, "and") {
                input = after;
                break;
            }
            level.disjuncts.push(joined(std::mem::take(&mut level.conjuncts), ErrorExpression::And));
            if let Some(after) = connective(input, Symbol::Bar, Symbol::DoubleBar, "or") {
                input = after;
                break;
            }
            operand = joined(level.disjuncts, ErrorExpression::Or);
            let Some(next) = outer.pop() else { return Ok((input, operand)) };
            input = input.close(level.open, Symbol::RightParen)?.0;
            depth -= 1;
            level = next;
        }
    }
}

fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::new(
        &codes::syntax::NESTED_TOO_DEEP,
        format!("more than {MAX_DEPTH} parentheses and negations within one another"),
        span,
        "",
    )
    .help("give the inner part a name: `error inner = …;`")
}

/// Whether the word `not` stands for `!` here.
pub(super) fn is_word_not(input: Input<'_>) -> bool {
    let token = input.peek();
    token.kind == TokenKind::Name
        && input.text_of(token).eq_ignore_ascii_case("not")
        && matches!(
            input.peek_at(1).kind,
            TokenKind::Name
                | TokenKind::Symbol(Symbol::Hash | Symbol::LeftParen | Symbol::Not | Symbol::Tilde)
        )
}

/// What formulas are made of: a count, `deadlock`, a name, a formula over components.
pub(super) fn operand(input: Input<'_>) -> ParseResult<'_, ErrorExpression> {
    let token = input.peek();
    match token.kind {
        TokenKind::Symbol(Symbol::Hash) => cut(count).map(ErrorExpression::Count).parse(input),
        TokenKind::Name if wsks::begins(input) => {
            let (input, wsks) = wsks::block(input);
            Ok((input, ErrorExpression::Wsks(wsks)))
        }
        TokenKind::Name if is_temporal(input) => input.fail(temporal(input)),
        TokenKind::Name => match foreign::formula(input) {
            Some(diagnostic) => input.fail(diagnostic),
            None => named(input),
        },
        TokenKind::Number => input.fail(
            Diagnostic::new(
                &codes::syntax::WRONG_COMPARISON,
                "a comparison begins with a count",
                token.span,
                "expected a count such as `#busy`",
            )
            .help("write the number on the right: `#busy >= 2`"),
        ),
        // `critical s;` defines the error of that name, so here the word is no keyword.
        TokenKind::Keyword(Keyword::Critical) if !begins_item(input) => {
            let text = input.text_of(token).to_owned();
            Ok((input.advance(), ErrorExpression::Name(Ident { text, span: token.span })))
        }
        TokenKind::Keyword(_) => named(input),
        TokenKind::Symbol(Symbol::LeftAngle | Symbol::LeftBracket) if is_temporal_sign(input) => {
            input.fail(temporal(input))
        }
        _ => input.expected("a count such as `#busy >= 2`, `deadlock` or the name of an error"),
    }
}

/// Words for "in every state", in temporal logics and other checkers.
const ALWAYS: [&str; 6] = ["always", "globally", "never", "invariantly", "G", "AG"];

/// Words for what happens at some time.
const AT_SOME_TIME: [&str; 9] =
    ["eventually", "finally", "sometimes", "inevitably", "F", "AF", "EF", "EG", "next"];

/// Whether the next word is a temporal operator: one of their names, with its operand behind it.
fn is_temporal(input: Input<'_>) -> bool {
    let is_operand = matches!(
        input.peek_at(1).kind,
        TokenKind::Name | TokenKind::Symbol(Symbol::Hash | Symbol::LeftParen | Symbol::Not | Symbol::Tilde)
    );
    is_operand && (ALWAYS.contains(&input.word()) || AT_SOME_TIME.contains(&input.word()))
}

/// Whether `<>` or `[]` stands here.
fn is_temporal_sign(input: Input<'_>) -> bool {
    let right = if input.at(Symbol::LeftAngle) { Symbol::RightAngle } else { Symbol::RightBracket };
    input.is_ahead(1, right) && input.peek_at(1).span.start == input.peek().span.end
}

/// Where a temporal operator stands in an error.
fn temporal(input: Input<'_>) -> Diagnostic {
    let token = input.peek();
    let is_sign = token.kind != TokenKind::Name;
    let span = if is_sign { token.span.to(input.peek_at(1).span) } else { token.span };
    let is_always = ALWAYS.contains(&input.word()) || input.at(Symbol::LeftBracket);
    let message = format!("`{}` says nothing in an error, which is about one marking", input.slice(span));
    let help = match is_always {
        true => "say what must never be reached: `error two = #busy >= 2;` (docs/modelling.md)",
        false => {
            "what happens in the end can't be proved for all sizes; of one size it is asked by `verify FILE \
             --size N --ltl 'NAME = F …'` (docs/temporal.md)"
        }
    };
    Diagnostic::new(&codes::syntax::UNEXPECTED, message, span, "expected what must never be reached")
        .help(help)
}

/// A state without its `#`, `deadlock`, or the name of an error.
fn named(input: Input<'_>) -> ParseResult<'_, ErrorExpression> {
    if is_uncounted(input) {
        return count.map(ErrorExpression::Count).parse(input);
    }
    if input.kind() == TokenKind::Name && input.word() == "deadlock" {
        return Ok((input.advance(), ErrorExpression::Deadlock(input.peek().span)));
    }
    name("the name of an error").map(ErrorExpression::Name).parse(input)
}

/// Whether a state without `#` is summed up or compared here.
fn is_uncounted(input: Input<'_>) -> bool {
    let behind =
        if input.is_ahead(1, Symbol::Dot) && input.peek_at(2).kind == TokenKind::Name { 3 } else { 1 };
    matches!(
        input.peek_at(behind).kind,
        TokenKind::Symbol(
            Symbol::Plus
                | Symbol::AtLeast
                | Symbol::AtMost
                | Symbol::LeftAngle
                | Symbol::RightAngle
                | Symbol::DoubleEqual
                | Symbol::NotEqual
                | Symbol::Equal
                | Symbol::FatArrow
        )
    )
}

/// `#a + #T.b >= 2`
fn count(input: Input<'_>) -> ParseResult<'_, Count> {
    let start = input.peek().span;
    let (mut input, first) = term(input)?;
    let mut terms = vec![first];
    while input.at(Symbol::Plus) {
        let (rest, next) = cut(term).parse(input.advance())?;
        terms.push(next);
        input = rest;
    }
    let (input, comparison) = comparison(input)?;
    let (input, bound) = bound(input)?;
    Ok((input, Count { terms, comparison, bound, span: input.span_from(start) }))
}

/// `#s` or `#Type.s`; a missing `#` is reported.
fn term(input: Input<'_>) -> ParseResult<'_, CountTerm> {
    let start = input.peek();
    if let Some(diagnostic) = foreign::count(input) {
        return input.fail(diagnostic);
    }
    if let Some((diagnostic, length)) = foreign::bracketed(input) {
        input.report(diagnostic);
        let inner = input.advance().advance();
        let (rest, (component, state)) = qualified("a state").parse(inner)?;
        // The bracket is behind the state.
        let rest = if rest.position() == inner.position() + length { rest.advance() } else { rest };
        return Ok((rest, CountTerm { component, state, span: rest.span_from(start.span) }));
    }
    let input = match start.kind {
        TokenKind::Symbol(Symbol::Hash) => input.advance(),
        TokenKind::Name => {
            let is_qualified = input.is_ahead(1, Symbol::Dot) && input.peek_at(2).kind == TokenKind::Name;
            let last = input.peek_at(if is_qualified { 2 } else { 0 });
            let span = start.span.to(last.span);
            let text = input.slice(span);
            input.report(
                Diagnostic::new(
                    &codes::syntax::UNCOUNTED_STATE,
                    format!("missing `#` before `{}`", shortened(text)),
                    span,
                    "expected a count",
                )
                .help(format!("how many components are in a state is written `#{}`", shortened(text))),
            );
            input
        }
        _ => return input.expected("a count such as `#busy`"),
    };
    let (input, (component, state)) = qualified("a state").parse(input)?;
    Ok((input, CountTerm { component, state, span: input.span_from(start.span) }))
}

fn wrong_comparison(input: Input<'_>, message: impl Into<String>, span: Span) -> Diagnostic {
    let text = input.slice(span);
    let label = if text.is_empty() || input.is_at_end() { "expected a comparison" } else { "" };
    Diagnostic::new(&codes::syntax::WRONG_COMPARISON, message, span, label)
}

fn comparison(input: Input<'_>) -> ParseResult<'_, Comparison> {
    let token: Token = input.peek();
    let both = token.span.to(input.peek_at(1).span);
    let slip = |skipped: Input<'_>, span: Span, right: Comparison| {
        input.report(
            wrong_comparison(input, format!("`{}` is not a comparison", input.slice(span)), span)
                .help(format!("write `{}`", right.symbol())),
        );
        (skipped.position(), right)
    };
    let TokenKind::Symbol(found) = token.kind else {
        return no_comparison(input);
    };
    let comparison = match found {
        Symbol::AtLeast => Comparison::AtLeast,
        Symbol::AtMost => Comparison::AtMost,
        Symbol::DoubleEqual => Comparison::Equal,
        Symbol::NotEqual => Comparison::NotEqual,
        Symbol::RightAngle => Comparison::Greater,
        Symbol::LeftAngle if input.is_ahead(1, Symbol::RightAngle) => {
            let (_, right) = slip(input, both, Comparison::NotEqual);
            return Ok((input.advance().advance(), right));
        }
        Symbol::LeftAngle => Comparison::Less,
        Symbol::FatArrow => slip(input, token.span, Comparison::AtLeast).1,
        Symbol::Equal if input.is_ahead(1, Symbol::LeftAngle) => {
            let (_, right) = slip(input, both, Comparison::AtMost);
            return Ok((input.advance().advance(), right));
        }
        Symbol::Equal => slip(input, token.span, Comparison::Equal).1,
        _ => return no_comparison(input),
    };
    Ok((input.advance(), comparison))
}

fn no_comparison<T>(input: Input<'_>) -> ParseResult<'_, T> {
    let message = format!("expected a comparison, found {}", input.found());
    let help = if input.at(Symbol::RightParen) {
        "a sum stands without parentheses: `#a + #b >= 2`"
    } else if input.at(Symbol::LeftArrow) {
        "counts are never negative; `<-` is the arrow of rules"
    } else {
        "compare the count with a number: `#busy >= 2`"
    };
    input.fail(wrong_comparison(input, message, input.peek().span).help(help))
}

/// The number on the right of a comparison.
fn bound(input: Input<'_>) -> ParseResult<'_, u64> {
    let token = input.peek();
    match token.kind {
        TokenKind::Number => {
            let parsed = input.text_of(token).parse();
            if parsed.is_err() {
                input.report(
                    Diagnostic::new(
                        &codes::syntax::NUMBER_TOO_LARGE,
                        "the number is too large",
                        token.span,
                        "",
                    )
                    .help(format!("the largest bound is {}", u64::MAX)),
                );
            }
            Ok((input.advance(), parsed.unwrap_or(u64::MAX)))
        }
        TokenKind::Symbol(Symbol::Dash) => input.fail(
            wrong_comparison(input, "a bound cannot be negative", token.span)
                .help("compare with a number from 0"),
        ),
        TokenKind::Symbol(Symbol::Hash) | TokenKind::Name => input.fail(
            wrong_comparison(input, "a count is compared with a number only", token.span)
                .help("counts cannot be compared with one another"),
        ),
        _ => input.expected("a number"),
    }
}
