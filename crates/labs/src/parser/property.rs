//! Assumptions and properties.

use super::expression::{Place, Scope};
use super::input::{Form, Input, LabsInput, ParseResult, defining, name};
use super::quantifier::formula;
use crate::ast::{Assumption, Expr, Modality, Property, Within};
use crate::vocabulary::{Keyword, Symbol, TokenKind};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::labs::syntax as codes;
use paramcheck_text::reading::shortened;
use paramcheck_text::source::Span;

/// The words that begin what a property demands.
const MODALITIES: [&str; 7] = ["always", "eventually", "finally", "fairly", "fairly_inf", "between", "from"];

/// What can be demanded of a scope.
const IN_A_SCOPE: &str = "behind the scope stands `thereIs φ`, `always φ` or `ψ precedes φ`";

fn scope() -> Scope {
    Scope::new(Place::Property)
}

/// `NAME = φ`
pub(crate) fn assumption(input: Input<'_>) -> ParseResult<'_, Assumption> {
    let (input, name) = name(input, Form::Up, "an assumption")?;
    let (input, ()) = equals(input, "an assumption is written `NAME = φ`")?;
    if MODALITIES.contains(&input.word()) && begins_formula(input.advance()) {
        return input.fail(
            Diagnostic::new(
                &codes::MALFORMED_PROPERTY,
                format!("an assumption has no {}", input.found()),
                input.peek().span,
                "expected a condition",
            )
            .help("assumptions are about the initial states"),
        );
    }
    let (input, formula) = formula(input, scope())?;
    Ok((input, Assumption { name, formula }))
}

/// Whether a formula begins here, beyond doubt: a word that stands before is no variable.
fn begins_formula(input: Input<'_>) -> bool {
    match input.kind() {
        TokenKind::Name => !input.begins_part() && !input.begins_section() && !input.at_word("precedes"),
        TokenKind::Number => true,
        TokenKind::Keyword(keyword) => !matches!(keyword, Keyword::Of | Keyword::And | Keyword::Or),
        TokenKind::Symbol(symbol) => matches!(symbol, Symbol::LeftParen | Symbol::Not),
        _ => false,
    }
}

/// Whether a word that stands before is a variable: an operator follows that begins no formula.
fn compares(input: Input<'_>) -> bool {
    const BEGIN: [Symbol; 5] =
        [Symbol::LeftParen, Symbol::LeftBracket, Symbol::Minus, Symbol::Not, Symbol::Dollar];
    match input.kind() {
        TokenKind::Symbol(symbol) => !BEGIN.contains(&symbol),
        TokenKind::Keyword(keyword) => matches!(keyword, Keyword::Of | Keyword::And | Keyword::Or),
        _ => false,
    }
}

fn equals<'a>(input: Input<'a>, help: &str) -> ParseResult<'a, ()> {
    defining(input, Symbol::Equal, &[Symbol::Colon, Symbol::ToLocal], help)
}

/// `NAME = always φ`
pub(crate) fn property(input: Input<'_>) -> ParseResult<'_, Property> {
    let is_defined = input.is_ahead(1, Symbol::Equal) || input.is_ahead(1, Symbol::Colon);
    if !is_defined && MODALITIES.contains(&input.word()) {
        return input.fail(nameless(input).help("write `NAME = always φ`"));
    }
    let (input, name) = name(input, Form::Up, "a property")?;
    let (input, ()) = equals(input, "a property is written `NAME = always φ`")?;
    let span = input.peek().span;
    let rest = input.advance();
    let word = if input.kind() == TokenKind::Name { input.word() } else { "" };
    let modality = match word {
        "always" => Modality::Always,
        "eventually" => Modality::Eventually { is_finally: false },
        "finally" => Modality::Eventually { is_finally: true },
        "fairly" => Modality::Fairly,
        "fairly_inf" => Modality::FairlyInfinite,
        "between" | "from" => {
            let is_open = word == "from";
            let (rest, opens) = enclosed(rest)?;
            let (rest, ()) = between(rest, is_open)?;
            let (rest, closes) = enclosed(rest)?;
            let (rest, (within, formula)) = within(rest)?;
            let modality = Modality::Scope { is_open, opens, closes, within };
            return Ok((rest, Property { name, modality, formula }));
        }
        _ => return input.fail(no_modality(input, span)),
    };
    if MODALITIES.contains(&rest.word()) && begins_formula(rest.advance()) {
        return rest.fail(
            Diagnostic::new(
                &codes::MALFORMED_PROPERTY,
                format!("{} can't stand inside of a formula", rest.found()),
                rest.peek().span,
                "",
            )
            .help("a property has one such word; `fairly_inf φ`: φ can always be reached again"),
        );
    }
    let (rest, formula) = formula(rest, scope())?;
    Ok((rest, Property { name, modality, formula }))
}

/// What a property demands begins with none of the words for that.
fn no_modality(input: Input<'_>, span: Span) -> Diagnostic {
    let listed = "`always`, `eventually`, `finally`, `fairly`, `fairly_inf`, `between` or `from`";
    let message = format!("expected {listed}, found {}", input.found());
    let diagnostic = Diagnostic::new(&codes::MALFORMED_PROPERTY, message, span, "when is it to hold?");
    let near = paramcheck_text::nearest::nearest(input.word(), MODALITIES);
    match (input.word(), near) {
        ("never", _) => diagnostic.help("write `always` and the opposite: `always !(x of a = 1)`"),
        ("globally" | "invariant" | "AG", _) => diagnostic.help("write `always`"),
        ("until" | "inevitably" | "AF", _) => diagnostic.help("write `eventually`"),
        (word, Some(near)) if !word.is_empty() => diagnostic.help(format!("did you mean `{near}`?")),
        _ => diagnostic.help("to hold in all states, `always φ`; at some time, `eventually φ`"),
    }
}

/// `(φ)`
fn enclosed(input: Input<'_>) -> ParseResult<'_, Expr> {
    let open = input.peek().span;
    if !input.at(Symbol::LeftParen) {
        let message = format!("expected `(`, found {}", input.found());
        return input.fail(Diagnostic::new(&codes::MALFORMED_PROPERTY, message, open, "expected `(`").help(
            "a scope is written `between (p) and (q), …` or `from (p) until (q), …`, with parentheses",
        ));
    }
    let (input, formula) = formula(input.advance(), scope())?;
    let (input, ()) = input.close(open, Symbol::RightParen)?;
    Ok((input, formula))
}

/// `and` behind `between (p)`, `until` behind `from (p)`
fn between(input: Input<'_>, is_open: bool) -> ParseResult<'_, ()> {
    let is_there = if is_open { input.at_word("until") } else { input.at_keyword(Keyword::And) };
    if is_there {
        return Ok((input.advance(), ()));
    }
    let right = if is_open { "until" } else { "and" };
    let message = format!("expected `{right}`, found {}", input.found());
    input.fail(
        Diagnostic::new(
            &codes::MALFORMED_PROPERTY,
            message,
            input.peek().span,
            format!("expected `{right}`"),
        )
        .help("a scope is written `between (p) and (q), …`, or `from (p) until (q), …` if it need not close"),
    )
}

/// `, thereIs r`, `, always r`, `, s precedes r`
fn within(input: Input<'_>) -> ParseResult<'_, (Within, Expr)> {
    let input = match input.at(Symbol::Comma) {
        true => input.advance(),
        false => {
            input.report_missing_comma("a scope ends with `,`");
            input
        }
    };
    let is_word = input.kind() == TokenKind::Name && !compares(input.advance());
    if is_word && (input.word() == "thereIs" || input.word() == "always") {
        let is_all = input.word() == "always";
        let (rest, formula) = formula(input.advance(), scope())?;
        return Ok((rest, (if is_all { Within::Always } else { Within::ThereIs }, formula)));
    }
    if is_word && paramcheck_text::nearest::nearest(input.word(), ["thereIs", "always"]).is_some() {
        let message = format!("expected `thereIs` or `always`, found {}", input.found());
        return input.fail(
            Diagnostic::new(&codes::MALFORMED_PROPERTY, message, input.peek().span, "").help(IN_A_SCOPE),
        );
    }
    let (rest, first) = formula(input, scope())?;
    if !rest.at_word("precedes") {
        let message = format!("expected `precedes`, found {}", rest.found());
        return rest.fail(
            Diagnostic::new(&codes::MALFORMED_PROPERTY, message, rest.peek().span, "expected `precedes`")
                .help(IN_A_SCOPE),
        );
    }
    let (rest, formula) = formula(rest.advance(), scope())?;
    Ok((rest, (Within::Precedes(first), formula)))
}

/// A property has no name before what is next.
fn nameless(input: Input<'_>) -> Diagnostic {
    let message = format!("expected a name for the property, found {}", input.found());
    Diagnostic::new(&codes::MALFORMED_PROPERTY, message, input.peek().span, "expected a name and `=`")
}

/// A property given apart from a file.
pub(crate) fn single(input: Input<'_>) -> ParseResult<'_, Property> {
    let is_nameless = !input.is_ahead(1, Symbol::Equal) && !input.is_ahead(1, Symbol::Colon);
    if is_nameless && !input.is_at_end() {
        let text = input.slice(input.peek().span.to(input.peek_at(usize::MAX).span));
        return input.fail(nameless(input).help(format!("name it: 'NAME = {}'", shortened(text.trim_end()))));
    }
    let (input, property) = property(input)?;
    let input = if input.at(Symbol::Semicolon) { input.advance() } else { input };
    if input.is_at_end() { Ok((input, property)) } else { input.expected("the end of the property") }
}
