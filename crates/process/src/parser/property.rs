//! Formulas of checks: `did a`, `can a`, `terminated`, with `!` before `&` before `|`.

use super::MAX_DEPTH;
use super::expression::too_deep;
use super::input::{Input, ParseResult, ProcessInput, action};
use crate::Language;
use crate::ast::{Action, ActionKind, Atom, Formula, Place};
use crate::vocabulary::{Keyword, Symbol, TokenKind};
use paramcheck_temporal::formula::parser::Notation;
use paramcheck_text::diagnostic::codes::process::syntax as codes;
use paramcheck_text::diagnostic::{Code, Diagnostic};
use paramcheck_text::join::joined;
use paramcheck_text::reading::Spelt;
use paramcheck_text::source::Span;

/// What helps where a formula is nested too deep: parts of formulas have no names.
const FLATTER: &str = "leave out `!!` and parentheses that change nothing: `!` binds before `&` before `|`";

/// What is read of a formula between two parentheses, or of the whole.
#[derive(Default)]
struct Level {
    open: Span,
    disjuncts: Vec<Formula>,
    conjuncts: Vec<Formula>,
    /// How many negations stand before the next operand.
    negations: usize,
}

impl Level {
    /// The whole; there is at least one operand.
    fn finish(mut self) -> Formula {
        self.disjuncts.push(joined(self.conjuncts, Formula::And));
        joined(self.disjuncts, Formula::Or)
    }

    /// Takes an operand with the negations before it.
    fn operand(&mut self, mut operand: Formula) {
        for _ in 0..std::mem::take(&mut self.negations) {
            operand = Formula::Not(Box::new(operand));
        }
        self.conjuncts.push(operand);
    }
}

/// A formula. Without recursion: the stack may be small.
pub(crate) fn formula(mut input: Input<'_>) -> ParseResult<'_, Formula> {
    let mut outer: Vec<Level> = Vec::new();
    let mut level = Level::default();
    let mut depth = 0;
    loop {
        // An operand, or what stands before it.
        if input.at(Symbol::Not) || input.at(Symbol::LeftParen) {
            depth += 1;
            if depth > MAX_DEPTH {
                return input.fail(too_deep(input.peek().span, FLATTER));
            }
            if input.at(Symbol::Not) {
                level.negations += 1;
            } else {
                let fresh = Level { open: input.peek().span, ..Level::default() };
                outer.push(std::mem::replace(&mut level, fresh));
            }
            input = input.advance();
            continue;
        }
        let (rest, atom) = atom(input, "`did`, `can`, `terminated`, `!` or `(`")?;
        depth -= level.negations;
        level.operand(atom);
        input = rest;
        // What stands behind it.
        loop {
            if input.at(Symbol::RightParen)
                && let Some(around) = outer.pop()
            {
                let inner = std::mem::replace(&mut level, around);
                depth -= 1 + level.negations;
                level.operand(inner.finish());
                input = input.advance();
                continue;
            }
            break;
        }
        if let Some(rest) = connective(input, Symbol::Ampersand, Symbol::DoubleAmpersand, "and") {
            input = rest;
        } else if let Some(rest) = connective(input, Symbol::Bar, Symbol::DoubleBar, "or") {
            let conjuncts = std::mem::take(&mut level.conjuncts);
            level.disjuncts.push(joined(conjuncts, Formula::And));
            input = rest;
        } else if input.at(Symbol::Arrow) || input.at(Symbol::DoubleArrow) {
            let message = format!("formulas of one moment have no {}", input.found());
            return input.fail(
                Diagnostic::new(
                    &codes::WRONG_OPERATOR,
                    message,
                    input.peek().span,
                    "expected `&`, `|` or `;`",
                )
                .help("`φ -> ψ` is written `!φ | ψ`; it stands as it is in formulas about runs: `ltl G (φ -> F ψ)`"),
            );
        } else if input.at(Symbol::Equal) {
            let message = "formulas have no `=`";
            return input.fail(
                Diagnostic::new(
                    &codes::WRONG_OPERATOR,
                    message,
                    input.peek().span,
                    "expected `&`, `|` or `;`",
                )
                .help("`φ => ψ` is written `!φ | ψ`"),
            );
        } else if outer.is_empty() {
            return Ok((input, level.finish()));
        } else {
            return input.fail(input.unclosed(level.open, Symbol::RightParen));
        }
    }
}

/// Skips a connective, reporting another spelling of it; `None` where there is none.
fn connective<'a>(input: Input<'a>, right: Symbol, doubled: Symbol, word: &str) -> Option<Input<'a>> {
    if input.at(right) {
        return Some(input.advance());
    }
    let is_word = input.at_action_name() && input.word() == word;
    if !input.at(doubled) && !is_word {
        return None;
    }
    let right = right.spelling();
    input.report(Diagnostic::new(
        &codes::WRONG_OPERATOR,
        format!("{} is written `{right}`", input.found()),
        input.peek().span,
        format!("expected `{right}`"),
    ));
    Some(input.advance())
}

/// An atom; where there is none, `expected` says what might stand there.
fn atom<'a>(input: Input<'a>, expected: &'static str) -> ParseResult<'a, Formula> {
    let span = input.peek().span;
    match input.kind() {
        TokenKind::Keyword(Keyword::Terminated) => Ok((input.advance(), Formula::Terminated(span))),
        TokenKind::Keyword(Keyword::Did) => {
            let (input, action) = queried(input.advance())?;
            Ok((input, Formula::Did(action)))
        }
        TokenKind::Keyword(Keyword::Can) => {
            let (input, action) = queried(input.advance())?;
            Ok((input, Formula::Can(action)))
        }
        TokenKind::Keyword(Keyword::Always | Keyword::Eventually | Keyword::Ltl | Keyword::Deadlock) => input
            .fail(
                Diagnostic::new(
                    &codes::MALFORMED_CHECK,
                    format!("{} can't stand inside of a formula", input.found()),
                    span,
                    "expected `did`, `can`, `terminated`, `!` or `(`",
                )
                .help("`always`, `eventually`, `ltl` and `deadlock` begin a check, and nothing else"),
            ),
        TokenKind::Name if ["not", "never"].contains(&input.word()) => input.fail(Diagnostic::new(
            &codes::WRONG_OPERATOR,
            "negation is written `!`",
            span,
            "expected `!`",
        )),
        TokenKind::Name | TokenKind::Symbol(Symbol::Quote) if !input.at_constant() => {
            let (_, action) = action(input)?;
            let text =
                input.word().to_owned() + if input.at(Symbol::Quote) { input.advance().word() } else { "" };
            input.fail(
                Diagnostic::new(
                    &codes::MALFORMED_CHECK,
                    "an action alone is no formula",
                    action.span,
                    "expected `did` or `can` before it",
                )
                .help(format!("`did {text}`: the last step was it; `can {text}`: it is possible now")),
            )
        }
        _ => input.expected(expected),
    }
}

/// How temporal formulas are read in process files.
pub(super) struct Temporal;

impl Notation for Temporal {
    type Language = Language;
    type Atom = Atom;

    const TOO_DEEP: Code = &codes::NESTED_TOO_DEEP;
    const WRONG_OPERATOR: Code = &codes::WRONG_OPERATOR;

    fn atom(input: Input<'_>) -> ParseResult<'_, Atom> {
        let expected = "`did`, `can`, `terminated`, `X`, `F`, `G`, `<<`, `[[`, `!` or `(`";
        let (rest, atom) = atom(input, expected)?;
        match atom {
            Formula::Did(action) => Ok((rest, Atom::Did(action))),
            Formula::Can(action) => Ok((rest, Atom::Can(action))),
            Formula::Terminated(span) => Ok((rest, Atom::Terminated(span))),
            Formula::Not(_) | Formula::And(_) | Formula::Or(_) => input.expected("an atom"),
        }
    }

    fn observation(input: Input<'_>) -> ParseResult<'_, Atom> {
        if input.word() == "true" {
            return Ok((input.advance(), Atom::TakesAny(input.peek().span)));
        }
        let is_query = input.at_keyword(Keyword::Did) || input.at_keyword(Keyword::Can);
        if is_query && input.advance().kind() == TokenKind::Name {
            let word = input.word();
            return input.fail(
                Diagnostic::new(
                    &codes::MALFORMED_CHECK,
                    "what stands in these brackets is the step that is taken",
                    input.peek().span,
                    "expected an action",
                )
                .help(format!("leave out `{word}`: `<<a>> φ`, `[[a]] φ`")),
            );
        }
        let (rest, action) = queried(input)?;
        Ok((rest, Atom::Takes(action)))
    }
}

/// The action behind `did` or `can`. Reserved words name actions in choreographies, so `did check` looks for
/// `check@x` of any x: where the formula ends, or goes on, behind the word.
fn queried(input: Input<'_>) -> ParseResult<'_, Action> {
    let rest = input.advance();
    let is_word = matches!(input.kind(), TokenKind::Keyword(word) if word != Keyword::Tau);
    let is_whole = rest.is_at_end()
        || rest.begins_item()
        || ["U", "R", "W"].contains(&rest.word())
        || [
            Symbol::Arrow,
            Symbol::DoubleArrow,
            Symbol::RightAngles,
            Symbol::RightBracket,
            Symbol::Semicolon,
            Symbol::RightParen,
            Symbol::Ampersand,
            Symbol::DoubleAmpersand,
            Symbol::Bar,
            Symbol::DoubleBar,
        ]
        .iter()
        .any(|symbol| rest.at(*symbol));
    if !(input.is_chor() && is_word && is_whole) {
        return action(input);
    }
    let kind = ActionKind::Visible { name: input.ident(), is_co: false, place: Place::Anywhere };
    Ok((rest, Action { kind, span: input.peek().span }))
}
