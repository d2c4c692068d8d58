//! Processes: `;` binds more tightly than `++`, `++` more than `||`; a guard takes all to its right.
//!
//! Whether a parenthesis holds a process or a part of a guard is decided by what stands behind its partner:
//! an operator of expressions or the arrow of a guard.

use super::assignment;
use super::expression::{Scope, condition, other_spelling};
use super::input::{
    Form, Input, LabsInput, MAX_DEPTH, ParseResult, close, extra_separator, missing_semicolon, wrong_name,
    wrong_separator,
};
use crate::ast::{Arrow, Assignment, Expr, ExprKind, Operator, Process, ProcessKind, Reference, Target};
use crate::vocabulary::{Keyword, Symbol, TokenKind};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::labs::syntax as codes;
use paramcheck_text::join::joined;
use paramcheck_text::source::Span;

/// How processes are joined.
const OPERATORS: &str =
    "one process after the other is written `P; Q`, a choice `P ++ Q`, both at once `P || Q`";

/// A process, as far as it goes.
pub(crate) fn process(mut input: Input<'_>, scope: Scope) -> ParseResult<'_, Process> {
    let mut parallel = Vec::new();
    let mut choice = Vec::new();
    let mut sequence = Vec::new();
    loop {
        let (rest, operand) = base(input, scope)?;
        sequence.push(operand);
        let Some(rest) = operator(rest, &mut sequence, &mut choice, &mut parallel) else {
            end(&mut sequence, &mut choice, ProcessKind::Sequence);
            end(&mut choice, &mut parallel, ProcessKind::Choice);
            return Ok((skip_semicolon(rest), whole(parallel, ProcessKind::Parallel)));
        };
        input = rest;
    }
}

/// Ends a list of operands: all together are one of the next.
fn end(operands: &mut Vec<Process>, next: &mut Vec<Process>, kind: fn(Vec<Process>) -> ProcessKind) {
    next.push(whole(std::mem::take(operands), kind));
}

/// The only operand, or all of them as one process.
fn whole(operands: Vec<Process>, kind: impl FnOnce(Vec<Process>) -> ProcessKind) -> Process {
    joined(operands, |operands| {
        let span = match (operands.first(), operands.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => Span::default(),
        };
        Process { span, kind: kind(operands) }
    })
}

/// Skips a `;` behind which nothing comes, and reports it.
fn skip_semicolon(input: Input<'_>) -> Input<'_> {
    if !input.at(Symbol::Semicolon) {
        return input;
    }
    input.report(extra_separator(input));
    input.advance()
}

/// The input behind the operator that is next, which ends what binds more tightly; `None` where the process
/// ends.
fn operator<'a>(
    input: Input<'a>,
    sequence: &mut Vec<Process>,
    choice: &mut Vec<Process>,
    parallel: &mut Vec<Process>,
) -> Option<Input<'a>> {
    match input.kind() {
        TokenKind::Symbol(Symbol::Semicolon) => {
            let rest = input.advance();
            (!rest.ends_process()).then_some(rest)
        }
        TokenKind::Symbol(Symbol::DoublePlus | Symbol::Plus) => {
            if input.at(Symbol::Plus) {
                input.report(other_spelling(input, "++"));
            }
            end(sequence, choice, ProcessKind::Sequence);
            Some(input.advance())
        }
        TokenKind::Symbol(Symbol::DoubleBar | Symbol::Bar) => {
            if input.at(Symbol::Bar) {
                input.report(other_spelling(input, "||"));
            }
            end(sequence, choice, ProcessKind::Sequence);
            end(choice, parallel, ProcessKind::Choice);
            Some(input.advance())
        }
        TokenKind::Symbol(Symbol::Comma) if input.advance().begins_process() => {
            input.report(wrong_separator(input, ';', OPERATORS));
            Some(input.advance())
        }
        _ if input.begins_process() => {
            input.report(missing_semicolon(input, OPERATORS));
            Some(input)
        }
        _ => None,
    }
}

/// A process without an operator that joins, or a guard and all that it guards.
fn base(input: Input<'_>, scope: Scope) -> ParseResult<'_, Process> {
    let span = input.peek().span;
    let rest = input.advance();
    match input.kind() {
        TokenKind::Name | TokenKind::Keyword(_) if assignment::is_next(input) => {
            let (rest, assignment) = assignment::alone(input, scope)?;
            let kind = assignment.map_or(ProcessKind::Skip, ProcessKind::Assign);
            Ok((rest, Process { span: rest.span_from(span), kind }))
        }
        TokenKind::Keyword(Keyword::Skip) => Ok((rest, Process { span, kind: ProcessKind::Skip })),
        TokenKind::Keyword(Keyword::Nil) => Ok((rest, Process { span, kind: ProcessKind::Nil })),
        TokenKind::Keyword(Keyword::Pick) => input.fail(
            Diagnostic::new(&codes::OUTSIDE_BLOCK, "`pick` outside a block", span, "")
                .help("write `{ p[] := pick 1; … }`"),
        ),
        TokenKind::Symbol(Symbol::LeftBrace) => {
            let (rest, statements) = assignment::block(input, scope)?;
            Ok((rest, Process { span: rest.span_from(span), kind: ProcessKind::Block(statements) }))
        }
        TokenKind::Symbol(Symbol::LeftParen) if !is_of_guard(input) => {
            let (rest, inside) = process(rest, scope.deeper(input)?)?;
            let (rest, ()) = close(rest, span, Symbol::RightParen)?;
            let kind = ProcessKind::Parenthesised(Box::new(inside));
            Ok((rest, Process { span: rest.span_from(span), kind }))
        }
        TokenKind::Name if input.at_form(Form::Up) => {
            let ident = super::input::name(input, Form::Up, "a process")?.1;
            if rest.at(Symbol::Arrow) || rest.at(Symbol::DoubleArrow) {
                return input.fail(wrong_name(input, Form::Low, "a variable"));
            }
            Ok((rest, Process { span, kind: ProcessKind::Call(ident) }))
        }
        TokenKind::Name if input.at_form(Form::Low) && is_over(rest) => small_process(input),
        TokenKind::Name | TokenKind::Number | TokenKind::Keyword(_) => guarded(input, scope),
        TokenKind::Symbol(
            Symbol::LeftParen | Symbol::Not | Symbol::Minus | Symbol::LeftBracket | Symbol::Dollar,
        ) => guarded(input, scope),
        _ => input.expected("a process"),
    }
}

/// Whether the parenthesis that is next is a part of a guard.
fn is_of_guard(input: Input<'_>) -> bool {
    // What begins as a process is one: `(P) + Q` has a wrong sign, no guard.
    let mut inside = input.advance();
    while inside.at(Symbol::LeftParen) && inside.position() - input.position() <= MAX_DEPTH {
        inside = inside.advance();
    }
    let is_process = inside.at_form(Form::Up)
        || inside.at_keyword(Keyword::Skip)
        || inside.at_keyword(Keyword::Nil)
        || inside.at(Symbol::LeftBrace)
        || assignment::is_next(inside);
    let behind = input.behind_bracket();
    if is_process || behind.behind(1, Symbol::RightParen).is_none() {
        return false;
    }
    match behind.kind() {
        TokenKind::Keyword(keyword) => matches!(keyword, Keyword::And | Keyword::Or),
        TokenKind::Symbol(symbol) => matches!(
            symbol,
            Symbol::Arrow
                | Symbol::DoubleArrow
                | Symbol::Equal
                | Symbol::DoubleEqual
                | Symbol::NotEqual
                | Symbol::Less
                | Symbol::AtMost
                | Symbol::Greater
                | Symbol::AtLeast
                | Symbol::Plus
                | Symbol::Minus
                | Symbol::Star
                | Symbol::Slash
                | Symbol::Colon
                | Symbol::Percent
                | Symbol::Ampersand
                | Symbol::DoubleAmpersand
        ),
        _ => false,
    }
}

/// Whether nothing belongs to the name before.
fn is_over(input: Input<'_>) -> bool {
    matches!(input.kind(), TokenKind::Symbol(Symbol::Semicolon | Symbol::DoublePlus)) || input.ends_process()
}

/// A process whose name has a small letter; the right one is reported.
fn small_process(input: Input<'_>) -> ParseResult<'_, Process> {
    let span = input.peek().span;
    let (kind, right) = match input.word().to_lowercase().as_str() {
        "skip" => (ProcessKind::Skip, "Skip"),
        "nil" | "stop" => (ProcessKind::Nil, "Nil"),
        _ => return input.fail(wrong_name(input, Form::Up, "a process")),
    };
    let message = format!("{} is written `{right}`", input.found());
    input.report(Diagnostic::new(&codes::WRONG_NAME, message, span, format!("expected `{right}`")));
    Ok((input.advance(), Process { span, kind }))
}

/// `g -> P`, `g => P`
fn guarded(input: Input<'_>, scope: Scope) -> ParseResult<'_, Process> {
    let start = input.peek().span;
    let (rest, guard) = condition(input, scope)?;
    let is_conditional = rest.at(Symbol::DoubleArrow);
    if !is_conditional && !rest.at(Symbol::Arrow) {
        return without_arrow(rest, guard, scope);
    }
    let scope = scope.deeper(rest)?;
    let (rest, body) = process(rest.advance(), scope)?;
    let kind = ProcessKind::Guarded { guard, is_conditional, body: Box::new(body) };
    Ok((rest, Process { span: rest.span_from(start), kind }))
}

/// No arrow is next, behind a condition.
fn without_arrow(input: Input<'_>, guard: Expr, scope: Scope) -> ParseResult<'_, Process> {
    let is_process = assignment::is_next(input)
        || input.at_form(Form::Up)
        || [Symbol::LeftParen, Symbol::LeftBrace].iter().any(|open| input.at(*open))
        || [Keyword::Skip, Keyword::Nil].iter().any(|word| input.at_keyword(*word));
    if is_process && input.begins_process() {
        let message = format!("missing `->` before {}", input.found());
        input.report(
            Diagnostic::new(&codes::MISSING_ARROW, message, input.gap(), "expected `->`")
                .label(guard.span, "behind this guard")
                .help("`g -> P`: P, if g holds; `g => P`: P, or `Skip` if g does not hold"),
        );
        let (rest, body) = process(input, scope.deeper(input)?)?;
        let span = rest.span_from(guard.span);
        let kind = ProcessKind::Guarded { guard, is_conditional: false, body: Box::new(body) };
        return Ok((rest, Process { span, kind }));
    }
    if let Some(diagnostic) = assignment::unassignable(input, &guard) {
        return input.fail(diagnostic);
    }
    match assigned(input, guard) {
        Ok(process) => Ok((input, process)),
        Err(guard) => missing_arrow(input, guard.span),
    }
}

/// A condition alone, which is no process.
fn missing_arrow(input: Input<'_>, guard: Span) -> ParseResult<'_, Process> {
    let message = format!("a condition is no process: expected `->`, found {}", input.found());
    input.fail(
        Diagnostic::new(&codes::MISSING_ARROW, message, input.gap(), "expected `->` and a process")
            .label(guard, "the condition")
            .help("`g -> P`: P, if g holds; a variable is assigned by `<-`, `<~` or `<--`"),
    )
}

/// A comparison by `=` that is to be an assignment; it is reported, and taken for one. Otherwise the
/// comparison again.
fn assigned(input: Input<'_>, guard: Expr) -> Result<Process, Expr> {
    let span = guard.span;
    match guard.kind {
        ExprKind::Binary(Operator::Equal, left, right)
            if matches!(left.kind, ExprKind::Reference(Reference { of: None, .. })) =>
        {
            let ExprKind::Reference(Reference { name, indices, .. }) = left.kind else {
                return Err(Expr { span, kind: ExprKind::Truth(true) });
            };
            let arrow_span = Span::new(left.span.end, right.span.start);
            let sign = input.slice(arrow_span);
            let at = arrow_span.start + (sign.len() - sign.trim_start().len());
            let place = Span::new(at, at + 1);
            let message = "`=` compares, it does not assign".to_owned();
            input.report(assignment::wrong_arrow(place, message));
            let targets = vec![Target { name, indices }];
            let assignment = Assignment {
                span,
                targets,
                arrow: Arrow::Attribute,
                arrow_span: place,
                values: vec![*right],
            };
            Ok(Process { span, kind: ProcessKind::Assign(assignment) })
        }
        kind => Err(Expr { span, kind }),
    }
}
