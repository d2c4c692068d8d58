//! Agents and their parts.

use super::expression::{Names, Place, Scope, expression};
use super::input::{Input, ParseResult, RcheckInput, SyntaxError, name, sign};
use super::item::declarations;
use super::process::process;
use crate::ast::{Agent, Expr, Part, PartKind};
use crate::vocabulary::{Keyword, Symbol, TokenKind};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::rcheck::syntax as codes;
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// An agent, behind the word. A mistake in one part does not hide one in the next.
pub(crate) fn agent<'a>(input: Input<'a>, names: Names<'_>) -> ParseResult<'a, Agent> {
    let (mut rest, name) = name(input, "the name of an agent")?;
    let mut parts: Vec<Part> = Vec::new();
    let mut is_whole = true;
    while rest.begins_part() {
        let start = rest.peek().span;
        match part(rest, names) {
            Ok((behind, kind)) => {
                let span = behind.span_from(start);
                if let Some(first) = parts.iter().find(|one| is_same(&one.kind, &kind)) {
                    report_twice(rest, first.span);
                }
                parts.push(Part { span, kind });
                rest = behind;
            }
            Err(error) => {
                is_whole = false;
                if let Some(error) = SyntaxError::of(error) {
                    rest = error.at;
                    error.report();
                }
                if rest.peek().span == start {
                    rest = rest.advance();
                }
                while !rest.is_at_end() && !rest.begins_part() && !rest.begins_item() {
                    rest = rest.advance();
                }
            }
        }
    }
    if !rest.is_at_end() && !rest.begins_item() {
        return rest.fail(unknown_part(rest));
    }
    let has_process = parts.iter().any(|part| matches!(part.kind, PartKind::Repeat(_)));
    if is_whole && !has_process {
        let message = format!("the agent `{}` has no `repeat:`", name.text);
        rest.report(
            Diagnostic::new(&codes::PART_TWICE, message, name.span, "")
                .help("write what it does: `repeat: ( l: {true} *! (true)()[] )`"),
        );
    }
    Ok((rest, Agent { name, parts }))
}

fn is_same(one: &PartKind, other: &PartKind) -> bool {
    std::mem::discriminant(one) == std::mem::discriminant(other)
        && !matches!(one, PartKind::Local(_) | PartKind::Relabel(_))
}

fn report_twice(input: Input<'_>, first: Span) {
    let message = "this part of the agent is there already";
    input.report(
        Diagnostic::new(&codes::PART_TWICE, message, input.peek().span, "again")
            .label(first, "here it is first")
            .help("join the two, conditions by `&`"),
    );
}

fn unknown_part(input: Input<'_>) -> Diagnostic {
    let message = format!("expected a part of an agent, or of the file, found {}", input.found());
    Diagnostic::new(&codes::UNKNOWN_PART, message, input.peek().span, "no part begins here")
        .help("an agent has `local:`, `init:`, `relabel:`, `receive-guard:` and `repeat:`")
}

fn part<'a>(input: Input<'a>, names: Names<'_>) -> ParseResult<'a, PartKind> {
    let colon = |input: Input<'a>| sign(input, Symbol::Colon, &[Symbol::Assign, Symbol::Equal]);
    let condition = |input| expression(input, Scope::new(Place::Plain, names));
    match input.kind() {
        TokenKind::Keyword(Keyword::Local) => {
            let (rest, ()) = colon(input.advance())?;
            let (rest, locals) = declarations(rest)?;
            Ok((rest, PartKind::Local(locals)))
        }
        TokenKind::Keyword(Keyword::Init) => {
            let (rest, ()) = colon(input.advance())?;
            let (rest, init) = condition(rest)?;
            Ok((rest, PartKind::Init(init)))
        }
        TokenKind::Keyword(Keyword::Relabel) => {
            let (mut rest, ()) = colon(input.advance())?;
            let mut relabels: Vec<(Ident, Expr)> = Vec::new();
            loop {
                let (behind, variable) = name(rest, "a property variable")?;
                let (behind, ()) = sign(behind, Symbol::ToLeft, &[Symbol::Assign, Symbol::Equal])?;
                let (behind, value) = condition(behind)?;
                relabels.push((variable, value));
                rest = if behind.at(Symbol::Comma) { behind.advance() } else { behind };
                let goes_on = rest.kind() == TokenKind::Name && rest.is_ahead(1, Symbol::ToLeft);
                if behind.at(Symbol::Comma) {
                    let message = "relabels are not separated by `,`";
                    let place = behind.peek().span;
                    behind.report(Diagnostic::new(&codes::WRONG_SIGN, message, place, "leave it out"));
                }
                if !goes_on {
                    return Ok((rest, PartKind::Relabel(relabels)));
                }
            }
        }
        TokenKind::Keyword(Keyword::Repeat) => {
            let (rest, ()) = colon(input.advance())?;
            let (rest, process) = process(rest, names)?;
            Ok((rest, PartKind::Repeat(process)))
        }
        _ => {
            let (rest, ()) = colon(input.advance().advance().advance())?;
            let (rest, guard) = condition(rest)?;
            Ok((rest, PartKind::ReceiveGuard(guard)))
        }
    }
}
