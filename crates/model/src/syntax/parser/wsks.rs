//! Formulas over components: `wsks { … }`.
//!
//! From loose to tight: quantifiers, whose scope is as far to the right as possible; `=>` (to the right)
//! and `<=>`; `|`; `&`; `!`. A formula with `=>` beside `<=>`, or with two `<=>`, needs parentheses:
//! MONA and readers disagree about what it means without. The words `ex1 all1 ex2 all2 in notin sub true
//! false` are words only here; elsewhere they are names like any other, and so they are behind `in`.

use super::error::{connective, is_word_not, wrong_connective};
use super::input::{Input, ParseResult, SyntaxError};
use super::item::begins_item;
use crate::syntax::ast::{Quantifier, Wsks, WsksFormula, WsksQuantified};
use crate::syntax::vocabulary::{Symbol, TokenKind};
use paramcheck_text::diagnostic::{Diagnostic, codes};
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

mod atom;
mod quantifier;

use atom::operand;
use quantifier::{colon, quantifier, variables};

/// How deep parentheses, quantifiers and other operators may be nested.
const MAX_DEPTH: usize = 200;

/// The words of quantifiers.
const QUANTIFIERS: [&str; 4] = ["ex1", "all1", "ex2", "all2"];
/// Words that no variable can have as its name.
const WORDS: [&str; 9] = ["ex1", "all1", "ex2", "all2", "in", "notin", "sub", "true", "false"];

/// Whether `wsks {` comes next.
pub(super) fn begins(input: Input<'_>) -> bool {
    is_word(input, "wsks") && input.is_ahead(1, Symbol::LeftBrace)
}

/// `wsks { … }`, where it [`begins`]. What is wrong between the braces is reported, and reading goes on
/// behind them.
pub(super) fn block(input: Input<'_>) -> (Input<'_>, Wsks) {
    let start = input.peek().span;
    let open = input.peek_at(1).span;
    let inside = input.advance().advance();
    let (rest, formula) = match formula(inside) {
        Ok((rest, formula)) => {
            report_tail(rest);
            (rest, formula)
        }
        Err(error) => {
            let mut rest = inside;
            if let Some(error) = SyntaxError::of(error) {
                rest = error.at;
                error.report();
            }
            (rest, WsksFormula::Constant(true, open))
        }
    };
    let rest = close_block(rest, open);
    (rest, Wsks { formula, span: rest.span_from(start) })
}

/// Complains of what stands between a formula and the end of the block.
fn report_tail(input: Input<'_>) {
    let token = input.peek();
    match token.kind {
        TokenKind::Symbol(Symbol::RightBrace) | TokenKind::End => {}
        TokenKind::Symbol(Symbol::Semicolon) if !input.is_ahead(1, Symbol::RightBrace) => {}
        TokenKind::Symbol(Symbol::Semicolon) => input.report(
            Diagnostic::new(
                &codes::syntax::UNEXPECTED,
                "`;` within the braces of a formula",
                token.span,
                "expected `}`",
            )
            .help("the braces hold one formula; `;` stands behind them"),
        ),
        TokenKind::Symbol(Symbol::RightParen) => input.report(Diagnostic::new(
            &codes::syntax::UNMATCHED_BRACKET,
            "`)` without its partner",
            token.span,
            "no parenthesis is open here",
        )),
        _ if begins_item(input) => {}
        _ => input.report_expected("`&`, `|`, `=>`, `<=>` or `}`"),
    }
}

/// Skips to the `}` of the block that is open since `open` and over it. A missing one is reported and
/// taken as written.
fn close_block(mut input: Input<'_>, open: Span) -> Input<'_> {
    // Braces within the block, which have been complained of.
    let mut inner = 0_usize;
    loop {
        if input.at(Symbol::LeftBrace) {
            inner += 1;
        } else if input.at(Symbol::RightBrace) {
            if inner == 0 {
                return input.advance();
            }
            inner -= 1;
        }
        let is_stray = input.at(Symbol::Semicolon) && input.is_ahead(1, Symbol::RightBrace);
        if input.is_at_end() || begins_item(input) || (input.at(Symbol::Semicolon) && !is_stray) {
            input.report(
                Diagnostic::new(
                    &codes::syntax::UNTERMINATED_BLOCK,
                    "the formula of a `wsks` error is not closed",
                    input.gap(),
                    "expected `}`",
                )
                .label(open, "to close this")
                .help("end the formula with `}` and the definition with `;`"),
            );
            return input;
        }
        input = input.advance();
    }
}

/// What is begun and waits for the formula to its right.
enum Open {
    Parenthesis(Span),
    Not(Span),
    Quantifier(Quantifier, Vec<Ident>, Span),
    And(Vec<WsksFormula>),
    Or(Vec<WsksFormula>),
    Implies(WsksFormula),
    Iff(WsksFormula),
}

/// A formula. Without recursion, as those of the other errors.
fn formula(start: Input<'_>) -> ParseResult<'_, WsksFormula> {
    let mut input = start;
    let mut stack: Vec<Open> = Vec::new();
    loop {
        let token = input.peek();
        if let Some(opened) = opens(input)? {
            input = opened.0;
            stack.push(opened.1);
            if stack.len() > MAX_DEPTH {
                return input.fail(too_deep(token.span));
            }
            continue;
        }
        let (rest, mut value) = operand(input)?;
        input = rest;
        // Now close whatever the operand completes, until another operand is due.
        loop {
            while matches!(stack.last(), Some(Open::Not(_))) {
                value = reduce(&mut stack, value, input);
            }
            let Some((after, next)) = next_connective(input) else {
                while !matches!(stack.last(), None | Some(Open::Parenthesis(_))) {
                    value = reduce(&mut stack, value, input);
                }
                let Some(Open::Parenthesis(open)) = stack.pop() else { return Ok((input, value)) };
                input = input.close(open, Symbol::RightParen)?.0;
                continue;
            };
            let tighter = |open: &Open| match open {
                Open::And(_) => next != Connective::And,
                Open::Or(_) => !matches!(next, Connective::And | Connective::Or),
                _ => false,
            };
            while stack.last().is_some_and(tighter) {
                value = reduce(&mut stack, value, input);
            }
            match (next, stack.last_mut()) {
                (Connective::And, Some(Open::And(parts))) | (Connective::Or, Some(Open::Or(parts))) => {
                    parts.push(value);
                }
                (Connective::And, _) => stack.push(Open::And(vec![value])),
                (Connective::Or, _) => stack.push(Open::Or(vec![value])),
                (Connective::Implies, Some(Open::Iff(_)))
                | (Connective::Iff, Some(Open::Implies(_) | Open::Iff(_))) => {
                    return input.fail(mixed(input));
                }
                (Connective::Implies, _) => stack.push(Open::Implies(value)),
                (Connective::Iff, _) => stack.push(Open::Iff(value)),
            }
            if stack.len() > MAX_DEPTH {
                return input.fail(too_deep(input.peek().span));
            }
            input = after;
            break;
        }
    }
}

/// Completes what was begun last, `value` being what it waited for and `input` what comes behind.
fn reduce(stack: &mut Vec<Open>, value: WsksFormula, input: Input<'_>) -> WsksFormula {
    let joined = |mut parts: Vec<WsksFormula>, join: fn(Vec<WsksFormula>) -> WsksFormula, value| {
        parts.push(value);
        join(parts)
    };
    match stack.pop() {
        None | Some(Open::Parenthesis(_)) => value,
        Some(Open::Not(start)) => WsksFormula::Not(Box::new(value), input.span_from(start)),
        Some(Open::Quantifier(quantifier, variables, span)) => {
            WsksFormula::Quantified(WsksQuantified { quantifier, variables, body: Box::new(value), span })
        }
        Some(Open::And(parts)) => joined(parts, WsksFormula::And, value),
        Some(Open::Or(parts)) => joined(parts, WsksFormula::Or, value),
        Some(Open::Implies(left)) => WsksFormula::Implies(Box::new(left), Box::new(value)),
        Some(Open::Iff(left)) => WsksFormula::Iff(Box::new(left), Box::new(value)),
    }
}

fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::new(
        &codes::syntax::NESTED_TOO_DEEP,
        format!("more than {MAX_DEPTH} parentheses and operators within one another"),
        span,
        "",
    )
    .help("split the formula: errors combine with `&`, `|` and `!`, as in `error e = wsks { … } & inner;`")
}

fn mixed(input: Input<'_>) -> Diagnostic {
    Diagnostic::new(
        &codes::syntax::MIXED_ARROWS,
        format!("{} beside another arrow needs parentheses", input.found()),
        input.peek().span,
        "what does it join?",
    )
    .help("write `(a => b) <=> c` or `a => (b <=> c)`, whichever is meant")
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Connective {
    And,
    Or,
    Implies,
    Iff,
}

/// The connective that comes next, and the input behind it. Another spelling is reported.
fn next_connective(input: Input<'_>) -> Option<(Input<'_>, Connective)> {
    if let Some(after) = connective(input, Symbol::Ampersand, Symbol::DoubleAmpersand, "and") {
        return Some((after, Connective::And));
    }
    if let Some(after) = connective(input, Symbol::Bar, Symbol::DoubleBar, "or") {
        return Some((after, Connective::Or));
    }
    match input.kind() {
        TokenKind::Symbol(Symbol::FatArrow) => Some((input.advance(), Connective::Implies)),
        TokenKind::Symbol(Symbol::DoubleArrow) => Some((input.advance(), Connective::Iff)),
        TokenKind::Symbol(Symbol::RightArrow) => {
            input.report(wrong_connective(input, "=>"));
            Some((input.advance(), Connective::Implies))
        }
        // `<->` is `<-` and `>`.
        TokenKind::Symbol(Symbol::LeftArrow) if input.is_ahead(1, Symbol::RightAngle) => {
            let span = input.peek().span.to(input.peek_at(1).span);
            let mut wrong = wrong_connective(input, "<=>");
            wrong.message = "`<->` is written `<=>`".to_owned();
            if let Some(label) = wrong.labels.first_mut() {
                label.span = span;
            }
            input.report(wrong);
            Some((input.advance().advance(), Connective::Iff))
        }
        _ => None,
    }
}

/// What opens before an operand: a parenthesis, a negation or a quantifier with its variables.
fn opens(input: Input<'_>) -> Result<Option<(Input<'_>, Open)>, nom::Err<super::SyntaxError<'_>>> {
    let span = input.peek().span;
    if input.at(Symbol::LeftParen) {
        return Ok(Some((input.advance(), Open::Parenthesis(span))));
    }
    if input.at(Symbol::Not) || input.at(Symbol::Tilde) {
        return Ok(Some((input.advance(), Open::Not(span))));
    }
    let Some(quantifier) = quantifier(input) else {
        if is_word_not(input) && !is_relation(input.advance()) {
            input.report(wrong_connective(input, "!"));
            return Ok(Some((input.advance(), Open::Not(span))));
        }
        return Ok(None);
    };
    let (input, variables) = variables(input.advance())?;
    let input = colon(input, quantifier);
    Ok(Some((input, Open::Quantifier(quantifier, variables, span))))
}

fn is_word(input: Input<'_>, word: &str) -> bool {
    let token = input.peek();
    token.kind == TokenKind::Name && input.text_of(token) == word
}

/// Whether a relation comes next.
fn is_relation(input: Input<'_>) -> bool {
    matches!(input.kind(), TokenKind::Symbol(Symbol::Equal | Symbol::NotEqual | Symbol::DoubleEqual))
        || ["in", "notin", "sub"].iter().any(|word| is_word(input, word))
}
