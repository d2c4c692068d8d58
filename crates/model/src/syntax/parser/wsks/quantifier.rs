//! Quantifiers of formulas over components: `ex1 x, y:`.

use nom::Parser;

use super::{WORDS, is_relation};
use crate::syntax::ast::{Order, Quantifier};
use crate::syntax::parser::input::{Input, ParseResult, name};
use crate::syntax::vocabulary::{Symbol, TokenKind};
use paramcheck_text::diagnostic::{Diagnostic, codes};
use paramcheck_text::reading::Ident;

/// The quantifier whose word comes next. Another word for one is reported.
pub(super) fn quantifier(input: Input<'_>) -> Option<Quantifier> {
    let token = input.peek();
    if token.kind != TokenKind::Name {
        return None;
    }
    let text = input.text_of(token);
    if let Some(quantifier) = Quantifier::ALL.into_iter().find(|quantifier| quantifier.word() == text) {
        return Some(quantifier);
    }
    let word = text.to_ascii_lowercase();
    let is_universal = match word.as_str() {
        "ex" | "ex0" | "exist" | "exists" | "some" => false,
        "all" | "all0" | "forall" | "every" => true,
        _ => return None,
    };
    // Such a word may also be the name of a variable.
    let variable = input.peek_at(1);
    let first = input.text_of(variable);
    if variable.kind != TokenKind::Name || WORDS.contains(&first) || is_relation(input.advance()) {
        return None;
    }
    let order = if first.starts_with(char::is_uppercase) { Order::Second } else { Order::First };
    let (one, many) = if is_universal { ("all1", "all2") } else { ("ex1", "ex2") };
    input.report(
        Diagnostic::new(
            &codes::syntax::WRONG_QUANTIFIER,
            format!("`{text}` is no quantifier"),
            token.span,
            format!("expected `{one}` or `{many}`"),
        )
        .help(format!("`{one}` speaks of components, `{many}` of sets of components")),
    );
    Some(Quantifier { is_universal, order })
}

/// The variables of a quantifier. A missing comma is reported.
pub(super) fn variables(mut input: Input<'_>) -> ParseResult<'_, Vec<Ident>> {
    let mut variables = Vec::new();
    loop {
        let token = input.peek();
        let text = input.text_of(token);
        if token.kind == TokenKind::Name && WORDS.contains(&text) {
            input.report(
                Diagnostic::new(
                    &codes::syntax::RESERVED_WORD,
                    format!("`{text}` means something in formulas over components"),
                    token.span,
                    "expected a variable",
                )
                .help(format!("choose another name, such as `{text}_`")),
            );
        }
        let (rest, variable) = name("a variable").parse(input)?;
        variables.push(variable);
        input = rest;
        if input.at(Symbol::Comma) {
            input = input.advance();
            continue;
        }
        let next = input.peek();
        let goes_on = matches!(input.peek_at(1).kind, TokenKind::Symbol(Symbol::Comma | Symbol::Colon));
        let is_variable = next.kind == TokenKind::Name && !WORDS.contains(&input.text_of(next));
        if !(is_variable && goes_on) {
            return Ok((input, variables));
        }
        input.report_missing_comma("the variables of a quantifier are separated by commas");
    }
}

/// The `:` behind a quantifier's variables. A missing one is reported and taken as written.
pub(super) fn colon(input: Input<'_>, quantifier: Quantifier) -> Input<'_> {
    if input.at(Symbol::Colon) {
        return input.advance();
    }
    let is_dot = input.at(Symbol::Dot);
    let place = if is_dot { input.peek().span } else { input.gap() };
    input.report(
        Diagnostic::new(
            &codes::syntax::MISSING_COLON,
            format!("missing `:` behind the variables of `{}`", quantifier.word()),
            place,
            "expected `:`",
        )
        .help(format!("a quantifier is written `{} x: …`", quantifier.word())),
    );
    if is_dot { input.advance() } else { input }
}
