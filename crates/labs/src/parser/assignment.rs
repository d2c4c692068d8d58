//! Assignments, and the statements of blocks.

use super::expression::{Place, Scope, condition, indices, number};
use super::input::{
    Form, Input, LabsInput, ParseResult, close, extra_separator, list, missing_semicolon, name,
    wrong_separator,
};
use super::quantifier;
use crate::ast::{Arrow, Assignment, Expr, ExprKind, Pick, Reference, Statement, Target};
use crate::vocabulary::{Keyword, Symbol, TokenKind};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::labs::syntax as codes;
use paramcheck_text::reading::shortened;
use paramcheck_text::source::Span;

/// Whether an assignment is next, and no guard.
pub(crate) fn is_next(input: Input<'_>) -> bool {
    let is_word = matches!(input.kind(), TokenKind::Keyword(_));
    if !input.at_form(Form::Low) && !is_word {
        return false;
    }
    let behind = input.advance();
    let behind = if behind.at(Symbol::LeftBracket) { behind.behind_bracket() } else { behind };
    behind.at(Symbol::Comma) && !is_word || arrow(behind).is_some()
}

/// Whether an assignment of one variable is next, or another process: what a `,` in front of it does not
/// belong to.
pub(crate) fn begins_anew(input: Input<'_>) -> bool {
    let is_other = input.at_form(Form::Up) && !input.begins_part()
        || input.at_keyword(Keyword::Skip)
        || input.at_keyword(Keyword::Nil);
    let behind = input.advance();
    is_other || is_next(input) && !behind.at(Symbol::Comma) && !next_is_list(behind)
}

/// Whether an index is next, and a `,` behind it.
fn next_is_list(input: Input<'_>) -> bool {
    input.at(Symbol::LeftBracket) && input.behind_bracket().at(Symbol::Comma)
}

/// The arrow that is next.
fn arrow(input: Input<'_>) -> Option<Arrow> {
    Some(match input.kind() {
        TokenKind::Symbol(Symbol::ToAttribute) => Arrow::Attribute,
        TokenKind::Symbol(Symbol::ToStigmergy) => Arrow::Stigmergy,
        TokenKind::Symbol(Symbol::ToEnvironment) => Arrow::Environment,
        TokenKind::Symbol(Symbol::ToLocal) => Arrow::Local,
        _ => return None,
    })
}

/// An assignment that is a process of its own; `None` for what is reported and can stand in blocks only.
pub(crate) fn alone(input: Input<'_>, scope: Scope) -> ParseResult<'_, Option<Assignment>> {
    let start = input.peek().span;
    let (rest, statement) = statement(input, scope)?;
    let outside = |span: Span, message: &str| {
        let label = "this needs a block";
        input.report(
            Diagnostic::new(&codes::OUTSIDE_BLOCK, message, span, label)
                .help("put what belongs to one step in braces: `{ t := x; x <- t + 1 }`"),
        );
    };
    match statement {
        Statement::Pick(pick) => {
            outside(start.to(pick.span), "`pick` outside a block");
            Ok((rest, None))
        }
        Statement::Assign(assignment) => {
            if assignment.arrow == Arrow::Local {
                outside(assignment.arrow_span, "`:=` outside a block");
            }
            if rest.at(Symbol::Arrow) || rest.at(Symbol::DoubleArrow) {
                return rest.fail(guarded_by_assignment(rest, &assignment));
            }
            Ok((rest, Some(assignment)))
        }
    }
}

/// An arrow of guards is next, behind an assignment.
fn guarded_by_assignment(input: Input<'_>, assignment: &Assignment) -> Diagnostic {
    let message = format!("{} stands behind a condition, not behind an assignment", input.found());
    let diagnostic = Diagnostic::new(&codes::UNEXPECTED, message, input.peek().span, "")
        .label(assignment.arrow_span, "this makes it an assignment");
    match assignment.arrow {
        Arrow::Attribute => diagnostic.help("to compare with a negative number, leave a space: `x < -1`"),
        _ => diagnostic,
    }
}

/// `{ a; b }`
pub(crate) fn block(input: Input<'_>, scope: Scope) -> ParseResult<'_, Vec<Statement>> {
    const ONE_STEP: &str = "what a block does is one step; its statements are separated by `;`";
    let open = input.peek().span;
    let scope = scope.deeper(input)?;
    let mut input = input.advance();
    let mut statements = Vec::new();
    loop {
        let (rest, statement) = statement(input, scope)?;
        statements.push(statement);
        input = rest;
        if input.at(Symbol::Semicolon) {
            let rest = input.advance();
            if rest.at(Symbol::RightBrace) {
                input.report(extra_separator(input));
                input = rest;
                break;
            }
            input = rest;
        } else if input.at(Symbol::Comma) {
            input.report(wrong_separator(input, ';', ONE_STEP));
            input = input.advance();
        } else if input.begins_process() && !input.at(Symbol::LeftBrace) {
            input.report(missing_semicolon(input, ONE_STEP));
        } else {
            break;
        }
    }
    if let TokenKind::Symbol(Symbol::DoublePlus | Symbol::DoubleBar | Symbol::Arrow | Symbol::DoubleArrow) =
        input.kind()
    {
        return input.fail(no_assignment(input));
    }
    let (input, ()) = close(input, open, Symbol::RightBrace)?;
    Ok((input, statements))
}

/// What is next in a block is no assignment.
fn no_assignment(input: Input<'_>) -> Diagnostic {
    let message = format!("expected an assignment, found {}", input.found());
    let diagnostic = Diagnostic::new(&codes::NO_ASSIGNMENT, message, input.peek().span, "");
    let is_group = input.at(Symbol::LeftParen) || input.at(Symbol::LeftBrace);
    diagnostic.help(match is_group {
        true => "a block has nothing but assignments, separated by `;`; guards and choices stand around it",
        false => "a block has nothing but assignments; write `c -> { … }`, or `x <- if c then … else x`",
    })
}

/// A statement of a block.
fn statement(input: Input<'_>, scope: Scope) -> ParseResult<'_, Statement> {
    if !is_next(input) && (input.kind() != TokenKind::Name || input.at_form(Form::Up)) {
        let is_other = input.begins_process()
            || matches!(input.kind(), TokenKind::Name | TokenKind::Number | TokenKind::Keyword(_));
        return if is_other { input.fail(no_assignment(input)) } else { input.expected("an assignment") };
    }
    if input.is_ahead(1, Symbol::LeftBracket) && input.is_ahead(2, Symbol::RightBracket) {
        let (rest, pick) = pick(input, scope)?;
        return Ok((rest, Statement::Pick(pick)));
    }
    let start = input.peek().span;
    let (rest, targets) = list(input, |input| target(input, scope))?;
    let arrow_span = rest.peek().span;
    let Some(arrow) = arrow(rest) else { return no_arrow(rest) };
    let behind = rest.advance();
    if behind.at_keyword(Keyword::Pick) {
        let array = targets.first().map_or("p", |target| target.name.text.as_str());
        return behind.fail(
            Diagnostic::new(
                &codes::UNEXPECTED,
                "`pick` needs an array of locals",
                start.to(behind.peek().span),
                "",
            )
            .help(format!("write `{array}[] := pick …`, then `{array}[0]`, `{array}[1]`, …")),
        );
    }
    let is_single = targets.len() == 1 && arrow == Arrow::Local;
    let (rest, values) = if is_single { truth(behind, scope)? } else { values(behind, scope)? };
    let assignment = Assignment { span: rest.span_from(start), targets, arrow, arrow_span, values };
    Ok((rest, Statement::Assign(assignment)))
}

/// `x`, `x[i]`
fn target(input: Input<'_>, scope: Scope) -> ParseResult<'_, Target> {
    let (rest, name) = name(input, Form::Low, "a variable")?;
    if rest.at_keyword(Keyword::Of) {
        return rest.fail(of_another(rest.peek().span));
    }
    let (rest, indices) = indices(rest, scope)?;
    Ok((rest, Target { name, indices }))
}

/// What is assigned, at `span`, belongs to another agent.
fn of_another(span: Span) -> Diagnostic {
    let message = "an agent assigns its own variables, not those of others";
    Diagnostic::new(&codes::WRONG_ARROW, message, span, "")
        .help("others can read them: `x of y` stands on the right")
}

/// An arrow of assignments is next, behind a condition: what is wrong with it as what is to be assigned.
pub(crate) fn unassignable(input: Input<'_>, condition: &Expr) -> Option<Diagnostic> {
    arrow(input)?;
    let span = condition.span;
    Some(match &condition.kind {
        ExprKind::Reference(Reference { of: Some(_), .. }) | ExprKind::Id(_) => of_another(span),
        _ => {
            let message = format!("`{}` can't be assigned", shortened(input.slice(span)));
            Diagnostic::new(&codes::WRONG_ARROW, message, span, "")
                .label(input.peek().span, "this makes it an assignment")
                .help("variables and elements of arrays are assigned: `x <- 1`, `a[0] <- 1`")
        }
    })
}

/// Values of an assignment.
fn values(mut input: Input<'_>, scope: Scope) -> ParseResult<'_, Vec<Expr>> {
    let mut values = Vec::new();
    loop {
        let (rest, value) = number(input, scope)?;
        values.push(value);
        if !rest.at(Symbol::Comma) || begins_anew(rest.advance()) {
            return Ok((rest, values));
        }
        input = rest.advance();
    }
}

/// The value of one local, which may be a condition.
fn truth(input: Input<'_>, scope: Scope) -> ParseResult<'_, Vec<Expr>> {
    let (input, value) = match input.kind() {
        TokenKind::Keyword(Keyword::Count) => quantifier::count(input, scope)?,
        _ => quantifier::formula(input, scope)?,
    };
    if !input.at(Symbol::Comma) || begins_anew(input.advance()) {
        return Ok((input, vec![value]));
    }
    // That there are too many is found later.
    let (input, more) = values(input.advance(), scope)?;
    Ok((input, std::iter::once(value).chain(more).collect()))
}

/// No arrow is next, behind what is to be assigned.
fn no_arrow(input: Input<'_>) -> ParseResult<'_, Statement> {
    let is_condition = match input.kind() {
        TokenKind::Keyword(keyword) => matches!(keyword, Keyword::And | Keyword::Or),
        TokenKind::Symbol(symbol) => matches!(
            symbol,
            Symbol::Arrow
                | Symbol::DoubleArrow
                | Symbol::NotEqual
                | Symbol::Less
                | Symbol::AtMost
                | Symbol::Greater
                | Symbol::AtLeast
        ),
        _ => false,
    };
    if is_condition {
        return input.fail(no_assignment(input));
    }
    let found = input.found();
    let message = match input.kind() {
        TokenKind::Symbol(Symbol::Equal | Symbol::DoubleEqual) => {
            format!("{found} compares, it does not assign")
        }
        _ => format!("expected an arrow, found {found}"),
    };
    input.fail(wrong_arrow(input.peek().span, message))
}

/// An assignment has no arrow at `span`.
pub(crate) fn wrong_arrow(span: Span, message: String) -> Diagnostic {
    Diagnostic::new(&codes::WRONG_ARROW, message, span, "expected an arrow").help(
        "attributes are assigned by `<-`, variables of stigmergies by `<~`, the environment by `<--`, locals of \
         a block by `:=`",
    )
}

/// `p[] := pick 2 Kind where φ`
fn pick(input: Input<'_>, scope: Scope) -> ParseResult<'_, Pick> {
    let start = input.peek().span;
    let (rest, local) = name(input, Form::Low, "an array of locals")?;
    let rest = rest.advance().advance();
    if arrow(rest).is_none_or(|arrow| arrow != Arrow::Local) {
        let message = format!("expected `:=`, found {}", rest.found());
        return rest.fail(
            Diagnostic::new(&codes::WRONG_ARROW, message, rest.peek().span, "expected `:=`")
                .help("`p[]` stands before `:= pick` only, an element is `p[0]`"),
        );
    }
    let rest = rest.advance();
    if !rest.at_keyword(Keyword::Pick) {
        return rest.expected("`pick`");
    }
    let (rest, count) = number(rest.advance(), scope.at(Place::Constant))?;
    let (rest, kind) = match rest.kind() {
        TokenKind::Name if rest.at_form(Form::Up) || rest.at_form(Form::Low) && !is_next(rest) => {
            let (rest, kind) = name(rest, Form::Up, "a kind of agents")?;
            (rest, Some(kind))
        }
        _ => (rest, None),
    };
    let (rest, condition) = match rest.at_keyword(Keyword::Where) {
        true => {
            let (rest, condition) = condition(rest.advance(), scope.at(Place::Pair))?;
            (rest, Some(condition))
        }
        false => (rest, None),
    };
    Ok((rest, Pick { span: rest.span_from(start), local, count, kind, condition }))
}
