//! What agents do: choices, sequences, `rep`, commands.

use super::expression::{Names, Place, Scope, expression};
use super::input::{Input, MAX_DEPTH, ParseResult, RcheckInput, list, name, open, sign, too_deep};
use crate::ast::{Action, Assignment, Channel, Command, Expr, Process, ProcessKind};
use crate::vocabulary::{Keyword, Symbol, TokenKind};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::rcheck::syntax as codes;
use paramcheck_text::source::Span;

/// A process, as far as it goes.
pub(crate) fn process<'a>(input: Input<'a>, names: Names<'_>) -> ParseResult<'a, Process> {
    choice(input, names, 0)
}

fn choice<'a>(input: Input<'a>, names: Names<'_>, depth: usize) -> ParseResult<'a, Process> {
    let start = input.peek().span;
    let (mut rest, first) = sequence(input, names, depth)?;
    let mut all = vec![first];
    while rest.at(Symbol::Plus) {
        let (behind, next) = sequence(rest.advance(), names, depth)?;
        all.push(next);
        rest = behind;
    }
    Ok((rest, joined(all, rest.span_from(start), ProcessKind::Choice)))
}

fn sequence<'a>(input: Input<'a>, names: Names<'_>, depth: usize) -> ParseResult<'a, Process> {
    let start = input.peek().span;
    let (mut rest, first) = base(input, names, depth)?;
    let mut all = vec![first];
    while rest.at(Symbol::Semicolon) {
        let (behind, next) = base(rest.advance(), names, depth)?;
        all.push(next);
        rest = behind;
    }
    Ok((rest, joined(all, rest.span_from(start), ProcessKind::Sequence)))
}

/// Several processes as one; of one, itself.
fn joined(mut all: Vec<Process>, span: Span, kind: fn(Vec<Process>) -> ProcessKind) -> Process {
    match (all.len(), all.pop()) {
        (1, Some(only)) => only,
        (_, last) => {
            all.extend(last);
            Process { span, kind: kind(all) }
        }
    }
}

fn base<'a>(input: Input<'a>, names: Names<'_>, depth: usize) -> ParseResult<'a, Process> {
    if depth > MAX_DEPTH {
        return input.fail(too_deep(input.peek().span));
    }
    let start = input.peek().span;
    match input.kind() {
        TokenKind::Symbol(Symbol::LeftParen) => {
            let (rest, inner) = choice(input.advance(), names, depth + 1)?;
            let (rest, ()) = rest.close(start, Symbol::RightParen)?;
            let kind = ProcessKind::Parenthesised(Box::new(inner));
            Ok((rest, Process { span: rest.span_from(start), kind }))
        }
        TokenKind::Keyword(Keyword::Rep) => repetition(input, names, depth + 1),
        _ => command(input, names),
    }
}

/// `rep P`. The published tool takes everything to its right; that is read as if it were in parentheses.
fn repetition<'a>(input: Input<'a>, names: Names<'_>, depth: usize) -> ParseResult<'a, Process> {
    let start = input.peek().span;
    let (rest, inner) = match input.language().as_rcheck {
        false => base(input.advance(), names, depth)?,
        true => {
            let (rest, inner) = choice(input.advance(), names, depth)?;
            let is_one = !matches!(inner.kind, ProcessKind::Choice(_) | ProcessKind::Sequence(_));
            let span = inner.span;
            let kind = ProcessKind::Parenthesised(Box::new(inner));
            match (is_one, kind) {
                (true, ProcessKind::Parenthesised(inner)) => (rest, *inner),
                (_, kind) => (rest, Process { span, kind }),
            }
        }
    };
    let kind = ProcessKind::Rep(Box::new(inner));
    Ok((rest, Process { span: rest.span_from(start), kind }))
}

fn command<'a>(input: Input<'a>, names: Names<'_>) -> ParseResult<'a, Process> {
    let start = input.peek().span;
    let is_labelled = input.is_ahead(1, Symbol::Colon)
        && matches!(input.kind(), TokenKind::Name | TokenKind::Keyword(_))
        && !input.begins_part();
    let (rest, label) = match is_labelled {
        true => {
            let (rest, label) = name(input, "a label")?;
            (rest.advance(), Some(label))
        }
        false => (input, None),
    };
    let (rest, guard) = guard(rest, names)?;
    let (rest, (action, data)) = action(rest, names)?;
    let (rest, update) = update(rest, names)?;
    let command = Command { label, guard, action, data, update };
    Ok((rest, Process { span: rest.span_from(start), kind: ProcessKind::Command(Box::new(command)) }))
}

/// `{ψ}`, `<ψ>` in the article's syntax
fn guard<'a>(input: Input<'a>, names: Names<'_>) -> ParseResult<'a, Expr> {
    let span = input.peek().span;
    match input.kind() {
        TokenKind::Symbol(Symbol::LeftBrace) => {
            if input.is_article() {
                input.report_other_syntax(span, "`<`, and `>` behind the condition");
            }
            let (rest, guard) = expression(input.advance(), Scope::new(Place::Plain, names))?;
            let (rest, ()) = rest.close(span, Symbol::RightBrace)?;
            Ok((rest, guard))
        }
        TokenKind::Symbol(Symbol::Less) => {
            let (rest, guard) = expression(input.advance(), Scope::new(Place::ArticleGuard, names))?;
            if !rest.at(Symbol::Greater) {
                return rest.fail(rest.unclosed(span, Symbol::Greater));
            }
            let rest = rest.advance();
            if !input.is_article() {
                let right = format!("`{{{}}}`", input.slice(guard.span));
                input.report_other_syntax(rest.span_from(span), &right);
            }
            Ok((rest, guard))
        }
        _ => {
            let message = format!("expected a command, found {}", input.found());
            let example = match input.is_article() {
                true => "`l: <TRUE> c! (TRUE)(MSG := m)[x := 1]` or `l: <TRUE> c? [x := MSG]`",
                false => "`l: {true} c! (true)(MSG := m)[x := 1]` or `l: {true} c? [x := MSG]`",
            };
            input.fail(
                Diagnostic::new(&codes::UNEXPECTED, message, span, "expected a command")
                    .help(format!("a command is written {example}; its label may be left out")),
            )
        }
    }
}

fn action<'a>(input: Input<'a>, names: Names<'_>) -> ParseResult<'a, (Action, Vec<Assignment>)> {
    let span = input.peek().span;
    match input.kind() {
        TokenKind::Keyword(Keyword::Get) => {
            report_point_to_point(input);
            let (rest, paren) = behind_at(input.advance())?;
            let (rest, whom) = expression(rest, Scope::new(Place::Plain, names))?;
            let (rest, ()) = rest.close(paren, Symbol::RightParen)?;
            let (rest, data) = data(rest, names)?;
            Ok((rest, (Action::Get(whom), data)))
        }
        TokenKind::Keyword(Keyword::Supply) => {
            report_point_to_point(input);
            let (rest, paren) = behind_at(input.advance())?;
            let span = rest.peek().span;
            let is_myself = rest.at_keyword(Keyword::Myself);
            if !is_myself && !rest.at_keyword(Keyword::Any) {
                return rest.expected("`any` or `myself`");
            }
            let (rest, ()) = rest.advance().close(paren, Symbol::RightParen)?;
            let (rest, data) = data(rest, names)?;
            Ok((rest, (Action::Supply { is_myself, span }, data)))
        }
        TokenKind::Name | TokenKind::Symbol(Symbol::Star) | TokenKind::Keyword(_) => {
            let (rest, name) = match input.at(Symbol::Star) {
                true => (input.advance(), None),
                false => {
                    let (rest, name) = name(input, "a channel")?;
                    (rest, Some(name.text))
                }
            };
            let channel = Channel { span, name };
            match rest.kind() {
                TokenKind::Symbol(Symbol::Not) => {
                    let (rest, guard) = expression(rest.advance(), Scope::new(Place::Plain, names))?;
                    let (rest, data) = data(rest, names)?;
                    Ok((rest, (Action::Send(channel, guard), data)))
                }
                TokenKind::Symbol(Symbol::Question) => {
                    Ok((rest.advance(), (Action::Receive(channel), Vec::new())))
                }
                _ => rest.expected("`!` or `?` behind the channel"),
            }
        }
        _ => input.expected("a channel, `GET@` or `SUPPLY@`"),
    }
}

fn report_point_to_point(input: Input<'_>) {
    if input.is_article() {
        let right = "the file in today's syntax (`enum channel {…}` for `channels:`): the article has no such \
                     command";
        input.report_other_syntax(input.peek().span, right);
    }
}

/// `@(`
fn behind_at(input: Input<'_>) -> ParseResult<'_, Span> {
    let (rest, ()) = sign(input, Symbol::At, &[])?;
    open(rest, Symbol::LeftParen, "behind `@`")
}

/// `(x := e, …)`
fn data<'a>(input: Input<'a>, names: Names<'_>) -> ParseResult<'a, Vec<Assignment>> {
    if !input.at(Symbol::LeftParen) {
        let message = format!("expected the data of the message in parentheses, found {}", input.found());
        return input.fail(
            Diagnostic::new(&codes::UNEXPECTED, message, input.peek().span, "expected `(`").help(
                "behind the send guard stand the data, `()` if there are none: `c! (true)(MSG := m)[]`",
            ),
        );
    }
    assignments(input, Symbol::RightParen, names)
}

/// `[x := e, …]`
fn update<'a>(input: Input<'a>, names: Names<'_>) -> ParseResult<'a, Vec<Assignment>> {
    if !input.at(Symbol::LeftBracket) {
        let message = format!("expected the assignments of the command in brackets, found {}", input.found());
        return input.fail(
            Diagnostic::new(&codes::UNEXPECTED, message, input.peek().span, "expected `[`")
                .help("a command ends with its assignments, `[]` if there are none"),
        );
    }
    assignments(input, Symbol::RightBracket, names)
}

fn assignments<'a>(input: Input<'a>, closing: Symbol, names: Names<'_>) -> ParseResult<'a, Vec<Assignment>> {
    let bracket = input.peek().span;
    let rest = input.advance();
    if rest.at(closing) {
        return Ok((rest.advance(), Vec::new()));
    }
    let (rest, all) = list(rest, |input| {
        let (rest, name) = name(input, "a variable")?;
        let (rest, ()) = sign(rest, Symbol::Assign, &[Symbol::Equal, Symbol::ToLeft, Symbol::DoubleEqual])?;
        let (rest, value) = expression(rest, Scope::new(Place::Plain, names))?;
        Ok((rest, Assignment { name, value }))
    })?;
    let (rest, ()) = rest.close(bracket, closing)?;
    Ok((rest, all))
}
