//! Bodies of rules: binders, interactions, patterns, atoms.

use nom::Parser;
use nom::combinator::cut;

use super::input::{Input, ParseResult, arguments, keyword, name, names, symbol};
use super::item::{begins_item, qualified, state_set};
use super::while_at;
use crate::syntax::ast::{Atom, Body, Forbid, Interaction, PortAtom};
use crate::syntax::vocabulary::{Keyword, Symbol, TokenKind};
use paramcheck_text::diagnostic::{Diagnostic, codes};
use paramcheck_text::reading::Ident;
use paramcheck_text::reading::shortened;
use paramcheck_text::source::Span;

/// How far the parts of a body have come; they follow one another in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Binders,
    Interactions,
    Forbids,
    Atoms,
}

/// The body of a rule up to `|` or `;`. Parts out of order are reported and read all the same.
pub(crate) fn body(input: Input<'_>) -> ParseResult<'_, Body> {
    let start = input.peek().span;
    let mut body = Body {
        fresh: Vec::new(),
        interactions: Vec::new(),
        forbids: Vec::new(),
        atoms: Vec::new(),
        span: start,
    };
    let mut stage = Stage::Binders;
    let mut input = input;
    let mut has_atoms = false;
    loop {
        let (found, is_late) = match input.kind() {
            TokenKind::Keyword(Keyword::New) => (Stage::Binders, stage > Stage::Binders),
            TokenKind::Name if stage == Stage::Binders && is_glued_binder(input) => (Stage::Binders, false),
            TokenKind::Name if is_foreign_binder(input) => {
                return input.fail(foreign_binder(input));
            }
            TokenKind::Symbol(Symbol::LeftAngle) => (Stage::Interactions, stage >= Stage::Interactions),
            TokenKind::Keyword(Keyword::Forbid) => (Stage::Forbids, stage > Stage::Forbids),
            TokenKind::Name | TokenKind::Symbol(Symbol::LeftParen) if !has_atoms => (Stage::Atoms, false),
            _ => break,
        };
        if is_late {
            input.report(out_of_order(input, found, stage));
        }
        input = match found {
            Stage::Binders => {
                let (rest, fresh) = binders(input)?;
                body.fresh.extend(fresh);
                rest
            }
            Stage::Interactions => {
                let (rest, interactions) = group(input)?;
                body.interactions.extend(interactions);
                rest
            }
            Stage::Forbids => {
                let (rest, forbids) = forbids(input)?;
                body.forbids.extend(forbids);
                rest
            }
            Stage::Atoms => {
                let (rest, atoms) = atoms(input)?;
                has_atoms = true;
                body.atoms = atoms;
                rest
            }
        };
        // Binders may follow binders; everything else only what comes before it.
        stage = stage.max(found);
    }
    if !has_atoms {
        let is_body_end = matches!(
            input.kind(),
            TokenKind::End | TokenKind::Symbol(Symbol::Semicolon | Symbol::Bar | Symbol::DoubleBar)
        );
        if !is_body_end && !begins_item(input) {
            return input.expected("an atom such as `Node(x)`");
        }
        input.report(no_atoms(input.gap(), "expected an atom such as `Node(x)`"));
    }
    body.span = input.span_from(start);
    Ok((input, body))
}

fn no_atoms(span: Span, label: &str) -> Diagnostic {
    Diagnostic::new(&codes::syntax::NO_ATOMS, "a rule needs at least one atom", span, label)
        .help("say which component is created (`Node(x)`) or which predicate goes on (`Chain(x, y)`)")
}

fn out_of_order(input: Input<'_>, found: Stage, stage: Stage) -> Diagnostic {
    let (message, help) = match found {
        Stage::Interactions if stage == Stage::Interactions => {
            ("a second group of interactions", "join all interactions of a rule by `+` in one `<…>`")
        }
        Stage::Binders => ("`new` out of order", "`new …` comes first in a body"),
        Stage::Interactions => {
            ("interactions out of order", "interactions come after `new …`, before `forbid` and the atoms")
        }
        Stage::Forbids | Stage::Atoms => ("`forbid` out of order", "`forbid` comes before the atoms"),
    };
    Diagnostic::new(&codes::syntax::BODY_ORDER, message, input.peek().span, "").help(help)
}

/// Whether the next token is `νy`, written for `ν y`.
fn is_glued_binder(input: Input<'_>) -> bool {
    input.word().strip_prefix('ν').is_some_and(|name| !name.is_empty())
        && !input.is_ahead(1, Symbol::LeftParen)
        && !input.is_ahead(1, Symbol::LeftBracket)
}

/// Whether the next token is `exists` or its like, with a variable behind it where an atom has parentheses.
fn is_foreign_binder(input: Input<'_>) -> bool {
    ["exists", "ex", "ex1", "let", "nu"].contains(&input.word()) && input.peek_at(1).kind == TokenKind::Name
}

fn foreign_binder(input: Input<'_>) -> Diagnostic {
    let variable = input.advance().word();
    Diagnostic::new(
        &codes::syntax::UNEXPECTED,
        format!("variables are bound with `new`, not {}", input.found()),
        input.peek().span,
        "expected `new`",
    )
    .help(format!("write `new {} . …`", shortened(variable)))
}

/// `new x, y .`, or several binders in a row (`ν x ν y .`).
fn binders(input: Input<'_>) -> ParseResult<'_, Vec<Ident>> {
    let mut fresh = Vec::new();
    let mut input = input;
    let start = input.peek().span;
    while input.at_keyword(Keyword::New) || is_glued_binder(input) {
        if input.at_keyword(Keyword::New) {
            let (rest, list) = cut(names("a variable")).parse(input.advance())?;
            fresh.extend(list);
            input = rest;
        } else {
            let token = input.peek();
            let text = input.text_of(token).strip_prefix('ν').unwrap_or_default();
            input.report(
                Diagnostic::new(
                    &codes::syntax::UNEXPECTED,
                    format!("`ν{text}` is one name"),
                    token.span,
                    format!("expected `ν {text}`"),
                )
                .help("separate `ν` from the variable by a space"),
            );
            fresh.push(Ident { text: text.to_owned(), span: token.span });
            input = input.advance();
        }
    }
    if input.at(Symbol::Dot) {
        return Ok((input.advance(), fresh));
    }
    input.report(
        Diagnostic::new(
            &codes::syntax::MISSING_DOT,
            format!("missing `.` before {}", input.found()),
            input.gap(),
            "expected `.`",
        )
        .label(start, "to end this list of variables")
        .help("write `new x, y .` before the interactions"),
    );
    Ok((input, fresh))
}

/// `<out(x) in(y) + …>`, possibly empty.
pub(crate) fn group(input: Input<'_>) -> ParseResult<'_, Vec<Interaction>> {
    let (mut input, open) = symbol(Symbol::LeftAngle, "`<`").parse(input)?;
    let mut interactions = Vec::new();
    if input.at(Symbol::RightAngle) {
        return Ok((input.advance(), interactions));
    }
    loop {
        let (rest, next) = cut(interaction).parse(input)?;
        interactions.push(next);
        input = rest;
        let begins_atom = input.peek_at(1).kind == TokenKind::Name;
        let is_wrong = (input.at(Symbol::Bar) || input.at(Symbol::Ampersand) || input.at(Symbol::Semicolon))
            && begins_atom
            && !begins_item(input.advance());
        if is_wrong {
            input.report(wrong_separator(input, "interactions are joined by `+`"));
        } else if !input.at(Symbol::Plus) {
            break;
        }
        input = input.advance();
    }
    let (input, ()) = input.close(open, Symbol::RightAngle)?;
    Ok((input, interactions))
}

fn wrong_separator(input: Input<'_>, message: &str) -> Diagnostic {
    Diagnostic::new(&codes::syntax::WRONG_SEPARATOR, message, input.peek().span, "")
        .help("ports of one interaction stand side by side, `out(x) in(y)`; `+` begins another interaction")
}

/// Whether an atom begins here; a keyword before `(` is a name misused.
fn begins_port_atom(input: Input<'_>) -> bool {
    match input.kind() {
        TokenKind::Name => true,
        TokenKind::Keyword(_) => input.is_ahead(1, Symbol::LeftParen),
        _ => false,
    }
}

/// Port atoms side by side, `·` between them or not.
fn interaction(input: Input<'_>) -> ParseResult<'_, Interaction> {
    let start = input.peek().span;
    let (mut input, first) = port_atom(input)?;
    let mut atoms = vec![first];
    loop {
        if input.at(Symbol::Comma) && input.peek_at(1).kind == TokenKind::Name {
            input.report(wrong_separator(input, "no `,` between ports or interactions"));
            input = input.advance();
        } else if input.at(Symbol::MiddleDot) {
            input = input.advance();
        } else if !begins_port_atom(input) {
            break;
        }
        let (rest, next) = cut(port_atom).parse(input)?;
        atoms.push(next);
        input = rest;
    }
    Ok((input, Interaction { atoms, span: input.span_from(start) }))
}

fn port_atom(input: Input<'_>) -> ParseResult<'_, PortAtom> {
    let start = input.peek().span;
    let (input, (qualifier, name)) = qualified("a port with its variable, such as `out(x)`").parse(input)?;
    let (input, arguments) = cut(arguments("a variable")).parse(input)?;
    Ok((input, PortAtom { qualifier, name, arguments, span: input.span_from(start) }))
}

/// Any number of `forbid` clauses.
pub(crate) fn forbids(input: Input<'_>) -> ParseResult<'_, Vec<Forbid>> {
    while_at(|kind| kind == TokenKind::Keyword(Keyword::Forbid), forbid).parse(input)
}

/// `forbid <…>` or `forbid name <…>`.
fn forbid(input: Input<'_>) -> ParseResult<'_, Forbid> {
    let (input, start) = keyword(Keyword::Forbid).parse(input)?;
    let is_misused = matches!(input.kind(), TokenKind::Keyword(_)) && input.is_ahead(1, Symbol::LeftAngle);
    let (input, name) = if input.kind() == TokenKind::Name || is_misused {
        name("a name for the pattern").map(Some).parse(input)?
    } else {
        (input, None)
    };
    let (input, patterns) = cut(group).parse(input)?;
    Ok((input, Forbid { name, patterns, span: input.span_from(start) }))
}

/// Atoms between parentheses, or a single one without.
fn atoms(input: Input<'_>) -> ParseResult<'_, Vec<Atom>> {
    if !input.at(Symbol::LeftParen) {
        return bare_atoms(input);
    }
    let open = input.peek().span;
    let mut input = input.advance();
    let mut atoms = Vec::new();
    if input.at(Symbol::RightParen) {
        input.report(no_atoms(open.to(input.peek().span), "no atom between these parentheses"));
        return Ok((input.advance(), atoms));
    }
    loop {
        let (rest, next) = cut(atom).parse(input)?;
        atoms.push(next);
        input = rest;
        if input.at(Symbol::Comma) {
            input = input.advance();
            if input.at(Symbol::RightParen) {
                break;
            }
        } else if input.kind() == TokenKind::Name && !begins_item(input) {
            input.report(Diagnostic::new(
                &codes::syntax::MISSING_COMMA,
                format!("missing `,` before {}", input.found()),
                input.gap(),
                "expected `,`",
            ));
        } else {
            break;
        }
    }
    let (input, ()) = input.close(open, Symbol::RightParen)?;
    Ok((input, atoms))
}

fn bare_atoms(input: Input<'_>) -> ParseResult<'_, Vec<Atom>> {
    let (mut input, first) = atom(input)?;
    let mut atoms = vec![first];
    while input.at(Symbol::Comma) {
        if atoms.len() == 1 {
            input.report(
                Diagnostic::new(
                    &codes::syntax::BARE_ATOMS,
                    "several atoms need parentheses",
                    input.peek().span,
                    "",
                )
                .help("write `(A(x), B(y))`"),
            );
        }
        let (rest, next) = cut(atom).parse(input.advance())?;
        atoms.push(next);
        input = rest;
    }
    Ok((input, atoms))
}

/// `Node(x)`, `Node[busy](x)`, `Chain(x, y)`.
fn atom(input: Input<'_>) -> ParseResult<'_, Atom> {
    let start = input.peek().span;
    let (input, name) = name("a component type or predicate").parse(input)?;
    let (input, initial) = if input.at(Symbol::LeftBracket) {
        let (rest, set) = cut(state_set).parse(input.advance())?;
        let (rest, ()) = rest.close(input.peek().span, Symbol::RightBracket)?;
        (rest, Some(set))
    } else {
        (input, None)
    };
    let (input, arguments) = cut(arguments("a variable")).parse(input)?;
    Ok((input, Atom { name, initial, arguments, span: input.span_from(start) }))
}
