//! Quantifiers: in front of the formulas of assumptions and properties, and behind `:=`.

use super::expression::{Place, Scope, condition};
use super::input::{Form, Input, LabsInput, MAX_DEPTH, ParseResult, name, too_deep};
use crate::ast::{Expr, ExprKind, Quantifier};
use crate::vocabulary::{Keyword, Symbol};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::labs::syntax as codes;
use paramcheck_text::reading::Ident;

/// A condition with quantifiers in front: `qpred` of the grammar.
pub(crate) fn formula(input: Input<'_>, scope: Scope) -> ParseResult<'_, Expr> {
    let start = input.peek().span;
    let mut input = input;
    let mut quantifiers = Vec::new();
    while input.at_keyword(Keyword::Forall) || input.at_keyword(Keyword::Exists) {
        if quantifiers.len() == MAX_DEPTH {
            return input.fail(too_deep(input.peek().span));
        }
        let is_universal = input.at_keyword(Keyword::Forall);
        let (rest, (kind, variable)) = bound(input)?;
        quantifiers.push(Quantifier { is_universal, kind, variable });
        input = rest;
    }
    let (input, body) = condition(input, scope)?;
    if quantifiers.is_empty() {
        return Ok((input, body));
    }
    let span = input.span_from(start);
    Ok((input, Expr { span, kind: ExprKind::Quantified(quantifiers, Box::new(body)) }))
}

/// `count Kind x, φ`
pub(crate) fn count(input: Input<'_>, scope: Scope) -> ParseResult<'_, Expr> {
    let start = input.peek().span;
    let (rest, (kind, variable)) = bound(input)?;
    let (rest, condition) = condition(rest, scope)?;
    let span = rest.span_from(start);
    Ok((rest, Expr { span, kind: ExprKind::Count { kind, variable, condition: Box::new(condition) } }))
}

/// `Kind x,` behind the word that is next.
fn bound(input: Input<'_>) -> ParseResult<'_, (Ident, Ident)> {
    let word = input.word();
    let at = input.advance();
    if at.at_form(Form::Low) {
        let variable = at.word();
        let message = format!("expected a kind of agents, found {}", at.found());
        return at.fail(
            Diagnostic::new(&codes::MALFORMED_QUANTIFIER, message, at.peek().span, "expected a kind")
                .help(format!("the kind stands first: `{word} Kind {variable}, …`")),
        );
    }
    let (at, kind) = name(at, Form::Up, "a kind of agents")?;
    let (at, variable) = name(at, Form::Low, "a variable")?;
    if at.at(Symbol::Comma) {
        return Ok((at.advance(), (kind, variable)));
    }
    let message = format!("missing `,` before {}", at.found());
    let diagnostic = Diagnostic::new(&codes::MISSING_COMMA, message, at.gap(), "expected `,`")
        .help(format!("write `{word} {} {}, …`", kind.text, variable.text));
    at.report(diagnostic);
    let is_other = [Symbol::Colon, Symbol::Semicolon].iter().any(|sign| at.at(*sign));
    Ok((if is_other { at.advance() } else { at }, (kind, variable)))
}

/// The quantifier that is next is not in front of a formula.
pub(crate) fn misplaced(input: Input<'_>, scope: Scope) -> Diagnostic {
    let found = input.found();
    let diagnostic = |message: String, help: &str| {
        Diagnostic::new(&codes::MALFORMED_QUANTIFIER, message, input.peek().span, "").help(help)
    };
    if input.at_keyword(Keyword::Count) {
        return diagnostic(
            format!("{found} stands behind `:=` only"),
            "count into a local first: `{ n := count Kind x, …; … }`",
        );
    }
    match scope.place {
        Place::Property => diagnostic(
            format!("{found} stands inside of a formula"),
            "write all quantifiers in front: `forall Kind a, exists Kind b, …`",
        ),
        Place::Process => diagnostic(
            format!("in a process {found} stands behind `:=` only"),
            "put it into a local first: `{ all := forall Kind a, …; … }`; it is 1 or 0",
        ),
        Place::Pair | Place::Constant => diagnostic(
            format!("{found} can't stand here"),
            "quantifiers stand in assumptions, in properties, and behind `:=` in blocks",
        ),
    }
}
