//! Declarations: variables with initial values, tuples of stigmergies, how many agents there are.

use super::expression::{Place, Scope, indices, number, range_sign};
use super::input::{
    Form, Input, LabsInput, ParseResult, defining, extra_separator, list, missing_semicolon, name,
    wrong_separator,
};
use crate::ast::{Declaration, Initial, Spawn, Tuple, Variable};
use crate::vocabulary::{Keyword, Symbol, TokenKind};

const CONSTANT: fn() -> Scope = || Scope::new(Place::Constant);

/// What separates declarations.
const BY_SEMICOLON: &str = "declarations are separated by semicolons: `x: 0; y: 1`";

/// Whether a variable is next, and no part of a section.
fn at_variable(input: Input<'_>) -> bool {
    let is_link = input.at_word("link") && input.is_ahead(1, Symbol::Equal);
    input.at_form(Form::Low) && !is_link && !input.begins_part() && !input.begins_section()
}

/// `x: 0; y: 0..5`
pub(crate) fn declarations(mut input: Input<'_>) -> ParseResult<'_, Vec<Declaration>> {
    let mut declarations = Vec::new();
    loop {
        let (rest, variable) = variable(input)?;
        if rest.at(Symbol::Comma) && at_variable(rest.advance()) {
            let help = "each has an initial value of its own: `x: 0; y: 0`";
            return rest.fail(wrong_separator(rest, ':', help));
        }
        let (rest, ()) = colon(rest)?;
        let (rest, initial) = initial(rest)?;
        declarations.push(Declaration { variable, initial });
        let next = rest.advance();
        if rest.at(Symbol::Semicolon) {
            if !at_variable(next) && next.kind() != TokenKind::Junk {
                rest.report(extra_separator(rest));
                return Ok((next, declarations));
            }
            input = next;
        } else if rest.at(Symbol::Comma) {
            if !at_variable(next) {
                rest.report(extra_separator(rest));
                return Ok((next, declarations));
            }
            rest.report(wrong_separator(rest, ';', BY_SEMICOLON));
            input = next;
        } else if at_variable(rest)
            && (rest.is_ahead(1, Symbol::Colon) || rest.is_ahead(1, Symbol::LeftBracket))
        {
            rest.report(missing_semicolon(rest, BY_SEMICOLON));
            input = rest;
        } else {
            return Ok((rest, declarations));
        }
    }
}

fn colon(input: Input<'_>) -> ParseResult<'_, ()> {
    defining(
        input,
        Symbol::Colon,
        &[Symbol::Equal, Symbol::ToLocal, Symbol::ToAttribute, Symbol::ToStigmergy, Symbol::ToEnvironment],
        "initial values stand behind `:`, as in `x: 0`, `x: [0, 1]`, `x: 0..5`, `x: undef`",
    )
}

/// `x`, `x[3]`
fn variable(input: Input<'_>) -> ParseResult<'_, Variable> {
    let (rest, name) = name(input, Form::Low, "a variable")?;
    let (rest, extents) = indices(rest, CONSTANT())?;
    Ok((rest, Variable { name, extents }))
}

/// Initial values.
fn initial(input: Input<'_>) -> ParseResult<'_, Initial> {
    let open = input.peek().span;
    if input.at_keyword(Keyword::Undef) {
        return Ok((input.advance(), Initial::Undefined(open)));
    }
    let closing = match input.kind() {
        TokenKind::Symbol(Symbol::LeftBracket) => Symbol::RightBracket,
        TokenKind::Symbol(Symbol::LeftBrace) => Symbol::RightBrace,
        _ => {
            let (rest, low) = number(input, CONSTANT())?;
            if !rest.at(Symbol::DoubleDot) {
                return Ok((rest, Initial::Value(low)));
            }
            let (rest, high) = number(rest.advance(), CONSTANT())?;
            return Ok((rest, Initial::Range(low, high)));
        }
    };
    let (rest, mut values) = list(input.advance(), |input| number(input, CONSTANT()))?;
    if values.len() == 1 && rest.at(Symbol::DoubleDot) {
        let (rest, high) = number(range_sign(rest)?.0, CONSTANT())?;
        let (rest, ()) = rest.close(open, closing)?;
        let range = values.pop().map(|low| Initial::Range(low, high));
        return Ok((rest, range.unwrap_or(Initial::Undefined(open))));
    }
    let (rest, ()) = rest.close(open, closing)?;
    Ok((rest, Initial::OneOf(values)))
}

/// `a, b: 0, 0; c: 1`: the `;` may be left out.
pub(crate) fn tuples(mut input: Input<'_>) -> ParseResult<'_, Vec<Tuple>> {
    let mut tuples = Vec::new();
    loop {
        let (rest, variables) = list(input, variable)?;
        let (mut rest, ()) = colon(rest)?;
        let mut initials = Vec::new();
        loop {
            let (behind, value) = initial(rest)?;
            initials.push(value);
            rest = behind;
            if !rest.at(Symbol::Comma) || rest.advance().at_form(Form::Low) {
                break;
            }
            rest = rest.advance();
        }
        tuples.push(Tuple { variables, initials });
        let next = rest.advance();
        if rest.at(Symbol::Semicolon) {
            if !at_variable(next) && next.kind() != TokenKind::Junk {
                rest.report(extra_separator(rest));
                return Ok((next, tuples));
            }
            input = next;
        } else if rest.at(Symbol::Comma) {
            let help = "tuples are separated by semicolons: `a, b: 0, 0; c: 1`";
            rest.report(wrong_separator(rest, ';', help));
            input = next;
        } else if at_variable(rest) {
            input = rest;
        } else {
            return Ok((rest, tuples));
        }
    }
}

/// `Kind: 3, Other: _n`
pub(crate) fn spawned(mut input: Input<'_>) -> ParseResult<'_, Vec<Spawn>> {
    const BY_COMMA: &str = "kinds are separated by commas: `spawn = A: 1, B: 2`";
    let mut spawned = Vec::new();
    loop {
        let (rest, kind) = name(input, Form::Up, "a kind of agents")?;
        let help = "how many agents there are stands behind `:`, as in `spawn = A: 2`";
        let (rest, ()) = defining(rest, Symbol::Colon, &[Symbol::Equal, Symbol::ToLocal], help)?;
        let (rest, count) = number(rest, CONSTANT())?;
        spawned.push(Spawn { kind, count });
        let next = rest.advance();
        let goes_on = |input: Input<'_>| input.at_form(Form::Up) && input.is_ahead(1, Symbol::Colon);
        if rest.at(Symbol::Comma) && next.kind() == TokenKind::Name && !next.begins_part() {
            input = next;
        } else if rest.at(Symbol::Semicolon) && goes_on(next) {
            rest.report(wrong_separator(rest, ',', BY_COMMA));
            input = next;
        } else if rest.at(Symbol::Comma) || rest.at(Symbol::Semicolon) {
            rest.report(extra_separator(rest));
            return Ok((next, spawned));
        } else if goes_on(rest) {
            rest.report_missing_comma("kinds are separated by commas");
            input = rest;
        } else {
            return Ok((rest, spawned));
        }
    }
}
