//! What formulas over components are made of: `x in busy`, `x = y`, `X sub Y`, `true`, `false`.

use nom::Parser;

use super::{QUANTIFIERS, is_relation, is_word};
use crate::syntax::ast::{WsksAtom, WsksFormula, WsksName, WsksRelation};
use crate::syntax::parser::input::{Input, ParseResult};
use crate::syntax::parser::item::qualified;
use crate::syntax::vocabulary::{Symbol, TokenKind};
use paramcheck_text::diagnostic::{Diagnostic, codes};
use paramcheck_text::reading::shortened;
use paramcheck_text::source::Span;

/// What formulas are made of: `true`, `false`, `x in busy` and the like.
pub(super) fn operand(input: Input<'_>) -> ParseResult<'_, WsksFormula> {
    let token = input.peek();
    let text = input.text_of(token);
    match token.kind {
        TokenKind::Name if matches!(text, "true" | "false") && !is_relation(input.advance()) => {
            Ok((input.advance(), WsksFormula::Constant(text == "true", token.span)))
        }
        TokenKind::Name => atom.map(WsksFormula::Atom).parse(input),
        TokenKind::Symbol(Symbol::Hash) => input.fail(
            malformed("a count within a formula over components", token.span)
                .help("counts stand outside of the braces: `#busy >= 2 & wsks { … }`"),
        ),
        TokenKind::Keyword(_) if !token.starts_line => atom.map(WsksFormula::Atom).parse(input),
        _ => input.expected("a formula such as `x in busy`, `x = y` or `ex1 x: …`"),
    }
}

/// `x in busy`, `x = y`, `X sub Y`
fn atom(start: Input<'_>) -> ParseResult<'_, WsksAtom> {
    let (input, left) = operand_name(start, "a variable")?;
    let (input, relation) = relation(input, &left)?;
    let what = match relation {
        WsksRelation::In | WsksRelation::NotIn => "a state, a component type or a set",
        WsksRelation::Sub => "a set, a state or a component type",
        WsksRelation::Equal | WsksRelation::NotEqual => "a variable",
    };
    let (input, right) = operand_name(input, what)?;
    Ok((input, WsksAtom { left, relation, right, span: input.span_from(start.peek().span) }))
}

fn operand_name<'a>(input: Input<'a>, what: &'static str) -> ParseResult<'a, WsksName> {
    let (input, (component, name)) = qualified(what).parse(input)?;
    Ok((input, WsksName { component, name }))
}

fn malformed(message: impl Into<String>, span: Span) -> Diagnostic {
    Diagnostic::new(&codes::syntax::MALFORMED_CONDITION, message, span, "expected such as `x in busy`")
}

/// The relation of `left` to what follows. Small slips are reported and repaired.
fn relation<'a>(input: Input<'a>, left: &WsksName) -> ParseResult<'a, WsksRelation> {
    let token = input.peek();
    let text = input.text_of(token);
    let found = match token.kind {
        TokenKind::Symbol(Symbol::Equal) => Some(WsksRelation::Equal),
        TokenKind::Symbol(Symbol::NotEqual) => Some(WsksRelation::NotEqual),
        TokenKind::Name => match text {
            "in" => Some(WsksRelation::In),
            "notin" => Some(WsksRelation::NotIn),
            "sub" => Some(WsksRelation::Sub),
            _ => None,
        },
        _ => None,
    };
    if let Some(relation) = found {
        return Ok((input.advance(), relation));
    }
    let slip = |span: Span, right: WsksRelation| {
        let message = format!("`{}` is written `{}`", shortened(input.slice(span)), right.spelling());
        input.report(
            Diagnostic::new(&codes::syntax::MALFORMED_CONDITION, message, span, "")
                .help(format!("write `{}`", right.spelling())),
        );
        right
    };
    match token.kind {
        TokenKind::Symbol(Symbol::DoubleEqual) => {
            Ok((input.advance(), slip(token.span, WsksRelation::Equal)))
        }
        TokenKind::Name if matches!(text, "subset" | "subseteq") => {
            Ok((input.advance(), slip(token.span, WsksRelation::Sub)))
        }
        TokenKind::Name if text == "not" && is_word(input.advance(), "in") => {
            let both = token.span.to(input.peek_at(1).span);
            Ok((input.advance().advance(), slip(both, WsksRelation::NotIn)))
        }
        TokenKind::Symbol(Symbol::LeftParen) => {
            let state = shortened(input.slice(left.span()));
            input.fail(
                malformed(format!("`{state}(…)` says nothing in a formula over components"), left.span())
                    .help(format!("that x is in a state is written `x in {state}`")),
            )
        }
        _ => {
            let name = shortened(input.slice(left.span()));
            let quantifier = QUANTIFIERS.iter().find(|word| name.eq_ignore_ascii_case(word));
            let help = if left.component.is_none() && name == "deadlock" {
                "errors are combined outside of the braces: `deadlock & wsks { … }`".to_owned()
            } else if let Some(quantifier) = quantifier {
                format!("did you mean `{quantifier}`?")
            } else if name == "wsks" {
                "one `wsks { … }` holds the whole formula; use parentheses inside".to_owned()
            } else if matches!(token.kind, TokenKind::Symbol(Symbol::AtMost)) {
                "that all components of one set are in another is written `X sub Y`".to_owned()
            } else {
                format!("say something of it, as in `{name} in busy` or `{name} = y`")
            };
            input.fail(
                Diagnostic::new(
                    &codes::syntax::MALFORMED_CONDITION,
                    format!("expected `in`, `=` or `sub` behind `{name}`, found {}", input.found()),
                    token.span,
                    "expected a relation",
                )
                .help(help),
            )
        }
    }
}
