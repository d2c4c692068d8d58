//! Properties of runs: formulas of linear temporal logic whose atoms are about markings and transitions.

use paramcheck_temporal::formula::parser::{self, Notation};
use paramcheck_text::diagnostic::{Code, Diagnostic, codes};
use paramcheck_text::reading::shortened;

use super::error;
use super::input::{Input, ParseResult, name};
use super::item::equals;
use crate::syntax::ast::property::{Component, Owner, Port, PropertyAtom, PropertyDefinition};
use crate::syntax::vocabulary::{Rewriting, Symbol, TokenKind};
use nom::Parser;

/// What an atom may be, for messages.
const ATOMS: &str =
    "a count such as `#busy >= 1`, `Node#1.busy`, `did port`, `can port` or the name of an error";

/// `NAME = φ` and nothing else; `;` may be there.
pub(crate) fn single_property(input: Input<'_>) -> ParseResult<'_, PropertyDefinition> {
    let is_nameless = input.kind() != TokenKind::End && !input.is_ahead(1, Symbol::Equal);
    if is_nameless {
        let text = input.slice(input.peek().span.to(input.peek_at(usize::MAX).span));
        let diagnostic = Diagnostic::new(
            &codes::syntax::UNEXPECTED,
            format!("expected a name for the property, found {}", input.found()),
            input.peek().span,
            "expected a name and `=`",
        );
        return input.fail(diagnostic.help(format!("name it: 'NAME = {}'", shortened(text.trim_end()))));
    }
    let (input, name) = name("a name for the property").parse(input)?;
    let (input, ()) = equals("a property").parse(input)?;
    let start = input.peek().span;
    let (input, formula) = parser::formula::<Temporal>(input)?;
    let span = input.span_from(start);
    let input = if input.at(Symbol::Semicolon) { input.advance() } else { input };
    if !input.is_at_end() {
        return input.expected("the end of the property");
    }
    Ok((input, PropertyDefinition { name, formula, span }))
}

/// How temporal formulas are read.
struct Temporal;

impl Notation for Temporal {
    type Language = Rewriting;
    type Atom = PropertyAtom;

    const TOO_DEEP: Code = &codes::syntax::NESTED_TOO_DEEP;
    const WRONG_OPERATOR: Code = &codes::syntax::WRONG_CONNECTIVE;

    fn atom(input: Input<'_>) -> ParseResult<'_, PropertyAtom> {
        if let Some(right) = other_spelling(input) {
            return input.fail(error::wrong_connective(input, right));
        }
        let is_before_name = input.peek_at(1).kind == TokenKind::Name;
        match input.word() {
            "did" if is_before_name => {
                let (input, port) = port(input.advance())?;
                Ok((input, PropertyAtom::Did(port)))
            }
            "can" if is_before_name => {
                let (input, port) = port(input.advance())?;
                Ok((input, PropertyAtom::Can(port)))
            }
            _ => match component(input)? {
                Some((input, component)) => {
                    let (input, state) = behind_dot(input, "a state")?;
                    Ok((input, PropertyAtom::State(component, state)))
                }
                None if matches!(input.kind(), TokenKind::Name | TokenKind::Symbol(Symbol::Hash))
                    || matches!(input.kind(), TokenKind::Keyword(_) | TokenKind::Number) =>
                {
                    let (input, operand) = error::operand(input)?;
                    Ok((input, PropertyAtom::Error(operand)))
                }
                None => input.expected(ATOMS),
            },
        }
    }

    fn observation(input: Input<'_>) -> ParseResult<'_, PropertyAtom> {
        if input.word() == "true" {
            return Ok((input.advance(), PropertyAtom::FiresAny));
        }
        let (input, port) = port(input)?;
        Ok((input, PropertyAtom::Fires(port)))
    }
}

/// The operator that a word or sign of other notations stands for, where one does.
fn other_spelling(input: Input<'_>) -> Option<&'static str> {
    let is_operand = matches!(
        input.peek_at(1).kind,
        TokenKind::Name | TokenKind::Symbol(Symbol::Hash | Symbol::LeftParen | Symbol::Not)
    );
    match input.word() {
        "always" | "globally" | "AG" | "Globally" if is_operand => Some("G"),
        "eventually" | "finally" | "AF" | "Finally" if is_operand => Some("F"),
        "next" | "AX" if is_operand => Some("X"),
        "not" if is_operand => Some("!"),
        "~" => Some("!"),
        _ => None,
    }
}

/// A component, if one stands here: `Node#1`.
fn component(input: Input<'_>) -> Result<Option<(Input<'_>, Component)>, nom::Err<super::SyntaxError<'_>>> {
    let number = input.peek_at(2);
    if input.kind() != TokenKind::Name || !input.is_ahead(1, Symbol::Hash) || number.kind != TokenKind::Number
    {
        return Ok(None);
    }
    let (rest, component_type) = name("a component type").parse(input)?;
    let rest = rest.advance();
    let span = input.peek().span.to(number.span);
    // No instance has a component with a number that large.
    let number = rest.word().parse().unwrap_or(u64::MAX);
    Ok(Some((rest.advance(), Component { component_type, number, span })))
}

/// The name behind a dot.
fn behind_dot<'a>(input: Input<'a>, what: &'static str) -> ParseResult<'a, paramcheck_text::reading::Ident> {
    if !input.at(Symbol::Dot) {
        return input.expected("`.`");
    }
    name(what).parse(input.advance())
}

/// `out`, `Node.out` or `Node#1.out`
fn port(input: Input<'_>) -> ParseResult<'_, Port> {
    const WHAT: &str = "a port";
    if let Some((input, component)) = component(input)? {
        let (input, name) = behind_dot(input, WHAT)?;
        return Ok((input, Port { owner: Owner::Component(component), name }));
    }
    let (rest, first) = name(WHAT).parse(input)?;
    if !rest.at(Symbol::Dot) {
        return Ok((rest, Port { owner: Owner::Any, name: first }));
    }
    let (rest, name) = behind_dot(rest, WHAT)?;
    Ok((rest, Port { owner: Owner::Type(first), name }))
}
