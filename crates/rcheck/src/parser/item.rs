//! Parts of a file. A mistake in one does not hide one in the next.

use super::agent::agent;
use super::expression::{Names, Place, Scope, expression};
use super::input::{Input, ParseResult, RcheckInput, list, name, open, sign};
use crate::ast::{Declaration, Guard, Instance, Item, ItemKind, TypeName};
use crate::vocabulary::{Keyword, Symbol, TokenKind};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::rcheck::syntax as codes;
use paramcheck_text::nearest::nearest;
use paramcheck_text::reading::Ident;

/// Where to go on after an error.
pub(crate) fn next_item(mut input: Input<'_>) -> Input<'_> {
    while !input.is_at_end() && !input.begins_item() {
        input = input.advance();
    }
    input
}

/// One part of a file; `None` for what is reported and skipped.
pub(crate) fn item<'a>(input: Input<'a>, names: Names<'_>) -> ParseResult<'a, Option<Item>> {
    let start = input.peek().span;
    let (rest, kind) = match input.kind() {
        TokenKind::Keyword(Keyword::Enum) => enumeration(input.advance())?,
        TokenKind::Keyword(Keyword::Guard) => guard(input.advance(), names)?,
        TokenKind::Keyword(Keyword::Agent) => {
            let (rest, agent) = agent(input.advance(), names)?;
            (rest, ItemKind::Agent(agent))
        }
        TokenKind::Keyword(Keyword::System) => system(input.advance(), names)?,
        TokenKind::Keyword(Keyword::Spec) => spec(input, names)?,
        TokenKind::Name if input.begins_item() => header(input)?,
        _ => return unknown(input),
    };
    Ok((rest, Some(Item { span: rest.span_from(start), kind })))
}

/// What begins no part of a file.
fn unknown(input: Input<'_>) -> ParseResult<'_, Option<Item>> {
    const WORDS: [&str; 6] = ["enum", "guard", "agent", "system", "SPEC", "channels"];
    let message = format!("expected a part of a file, found {}", input.found());
    let diagnostic = Diagnostic::new(&codes::UNKNOWN_PART, message, input.peek().span, "no part begins here");
    if input.begins_part() {
        return input.fail(diagnostic.help("what belongs to an agent stands behind `agent NAME`"));
    }
    let help = match nearest(input.word(), WORDS) {
        Some(near) if input.kind() == TokenKind::Name => format!("did you mean `{near}`?"),
        _ => "a file has `enum`, `message-structure:`, `property-variables:`, `guard`, `agent`, `system =` and \
              `SPEC`"
            .to_owned(),
    };
    input.fail(diagnostic.help(help))
}

/// `enum NAME {a, b}`
fn enumeration(input: Input<'_>) -> ParseResult<'_, ItemKind> {
    let (rest, enumeration) = name(input, "the name of an enum")?;
    if input.is_article() && enumeration.text == "channel" {
        input.report_other_syntax(enumeration.span, "`channels: a, b`");
    }
    let (rest, brace) = open(rest, Symbol::LeftBrace, "and the values of the enum")?;
    let (rest, cases) = list(rest, |input| name(input, "a value"))?;
    if rest.kind() == TokenKind::Name {
        rest.report_missing_comma("values are separated by commas");
        let (rest, _) = list(rest, |input| name(input, "a value"))?;
        let (rest, ()) = rest.close(brace, Symbol::RightBrace)?;
        return Ok((rest, ItemKind::Enum(enumeration, cases)));
    }
    let (rest, ()) = rest.close(brace, Symbol::RightBrace)?;
    Ok((rest, ItemKind::Enum(enumeration, cases)))
}

/// What begins with a word and a colon.
fn header(input: Input<'_>) -> ParseResult<'_, ItemKind> {
    if input.at_word("channels") {
        let (rest, names) = list(input.advance().advance(), |input| name(input, "a channel"))?;
        return Ok((rest, ItemKind::Channels(names)));
    }
    let words = [input.peek().span, input.peek_at(2).span];
    let span = words[0].to(words[1]);
    let word = input.word();
    match (word, input.is_article()) {
        ("communication", false) => input.report_other_syntax(span, "`property-variables`"),
        ("property", true) => input.report_other_syntax(span, "`communication-variables`"),
        _ => {}
    }
    let rest = input.advance().advance().advance();
    let (rest, ()) = sign(rest, Symbol::Colon, &[Symbol::Assign, Symbol::Equal])?;
    let (rest, declarations) = declarations(rest)?;
    let kind = match word {
        "message" => ItemKind::Messages(declarations),
        _ => ItemKind::Properties(declarations),
    };
    Ok((rest, kind))
}

/// `x : T, …`
pub(crate) fn declarations(input: Input<'_>) -> ParseResult<'_, Vec<Declaration>> {
    let (rest, declarations) = list(input, declaration)?;
    if rest.kind() == TokenKind::Name && rest.is_ahead(1, Symbol::Colon) && !rest.begins_item() {
        rest.report_missing_comma("declarations are separated by commas");
        let (rest, more) = list(rest, declaration)?;
        return Ok((rest, declarations.into_iter().chain(more).collect()));
    }
    Ok((rest, declarations))
}

fn declaration(input: Input<'_>) -> ParseResult<'_, Declaration> {
    let (rest, name) = name(input, "a variable")?;
    let (rest, ()) = sign(rest, Symbol::Colon, &[Symbol::Assign, Symbol::Equal])?;
    let start = rest.peek().span;
    let (rest, ty) = type_name(rest)?;
    Ok((rest, Declaration { name, span: rest.span_from(start), ty }))
}

fn type_name(input: Input<'_>) -> ParseResult<'_, TypeName> {
    let ty = match input.kind() {
        TokenKind::Keyword(Keyword::Bool) => TypeName::Bool,
        TokenKind::Keyword(Keyword::Int) => TypeName::Int,
        TokenKind::Keyword(Keyword::Location) => TypeName::Location,
        TokenKind::Name => TypeName::Named(input.word().to_owned()),
        TokenKind::Number | TokenKind::Symbol(Symbol::Minus) => {
            let (rest, low) = bound(input)?;
            let (rest, ()) = sign(rest, Symbol::DoubleDot, &[Symbol::Dot, Symbol::Minus])?;
            let (rest, high) = bound(rest)?;
            return Ok((rest, TypeName::Range(low, high)));
        }
        _ => return input.expected("a type: `bool`, `int`, a range such as `0..5`, `location`, or an enum"),
    };
    Ok((input.advance(), ty))
}

/// A number, perhaps with a sign.
fn bound(input: Input<'_>) -> ParseResult<'_, i64> {
    let is_negative = input.at(Symbol::Minus);
    let rest = if is_negative { input.advance() } else { input };
    if rest.kind() != TokenKind::Number {
        return rest.expected("a number");
    }
    let (rest, number) = number(rest);
    Ok((rest, if is_negative { -number } else { number }))
}

/// The number that is next.
pub(crate) fn number(input: Input<'_>) -> (Input<'_>, i64) {
    let number = input.word().parse::<i64>().ok();
    if number.is_none() {
        let message = format!("{} is too large", input.found());
        input.report(
            Diagnostic::new(&codes::NUMBER_TOO_LARGE, message, input.peek().span, "")
                .help(format!("the largest that can be read is {}", i64::MAX)),
        );
    }
    (input.advance(), number.unwrap_or(0))
}

/// `NAME(x : T, …) := …;`
fn guard<'a>(input: Input<'a>, names: Names<'_>) -> ParseResult<'a, ItemKind> {
    let (rest, name) = name(input, "the name of a guard")?;
    let (rest, paren) = open(rest, Symbol::LeftParen, "behind the name of a guard")?;
    let (rest, parameters) = match rest.at(Symbol::RightParen) {
        true => (rest, Vec::new()),
        false => declarations(rest)?,
    };
    let (rest, ()) = rest.close(paren, Symbol::RightParen)?;
    let (rest, ()) = sign(rest, Symbol::Assign, &[Symbol::Equal, Symbol::Colon])?;
    let (rest, body) = expression(rest, Scope::new(Place::Plain, names))?;
    let rest = match rest.at(Symbol::Semicolon) {
        true => rest.advance(),
        false => {
            let message = format!("missing `;` before {}", rest.found());
            rest.report(Diagnostic::new(&codes::UNEXPECTED, message, rest.gap(), "a guard ends with `;`"));
            rest
        }
    };
    Ok((rest, ItemKind::Guard(Guard { name, parameters, body })))
}

/// `= A(a, …) || …`
fn system<'a>(input: Input<'a>, names: Names<'_>) -> ParseResult<'a, ItemKind> {
    let (mut rest, ()) = sign(input, Symbol::Equal, &[Symbol::Assign, Symbol::Colon, Symbol::DoubleEqual])?;
    let mut instances = Vec::new();
    loop {
        let (behind, instance) = instance(rest, names)?;
        instances.push(instance);
        rest = behind;
        let right = if rest.is_article() { Symbol::Bar } else { Symbol::DoubleBar };
        if rest.at(Symbol::Bar) || rest.at(Symbol::DoubleBar) {
            if !rest.at(right) {
                let right = if rest.is_article() { "`|`" } else { "`||`" };
                rest.report_other_syntax(rest.peek().span, &format!("{right} between instances"));
            }
            rest = rest.advance();
        } else if rest.at(Symbol::Comma) {
            let (behind, ()) = sign(rest, right, &[Symbol::Comma])?;
            rest = behind;
        } else {
            let rest = if rest.at(Symbol::Semicolon) { rest.advance() } else { rest };
            return Ok((rest, ItemKind::System(instances)));
        }
    }
}

fn instance<'a>(input: Input<'a>, names: Names<'_>) -> ParseResult<'a, Instance> {
    let start = input.peek().span;
    let (rest, agent) = name(input, "an agent")?;
    let (rest, paren) = open(rest, Symbol::LeftParen, "behind an agent")?;
    let (rest, name): (_, Ident) = name(rest, "the name of an instance")?;
    if !rest.at(Symbol::Comma) {
        let message = format!("missing `,` before {}", rest.found());
        return rest.fail(
            Diagnostic::new(&codes::MISSING_COMMA, message, rest.gap(), "expected `,`").help(
                "behind its name stands what holds of the instance in the beginning: `Client(c1, true)`",
            ),
        );
    }
    let (rest, init) = expression(rest.advance(), Scope::new(Place::Plain, names))?;
    let (rest, ()) = rest.close(paren, Symbol::RightParen)?;
    Ok((rest, Instance { span: rest.span_from(start), agent, name, init }))
}

/// `SPEC …`, with or without `;`
fn spec<'a>(input: Input<'a>, names: Names<'_>) -> ParseResult<'a, ItemKind> {
    if !input.is_article() && input.word() != "SPEC" {
        input.report_other_syntax(input.peek().span, "`SPEC`");
    }
    let (rest, formula) = expression(input.advance(), Scope::new(Place::Spec, names))?;
    let rest = if rest.at(Symbol::Semicolon) { rest.advance() } else { rest };
    Ok((rest, ItemKind::Spec(formula)))
}
