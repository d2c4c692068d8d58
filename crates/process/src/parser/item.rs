//! Items: definitions of constants, `system`, `check`.

use super::expression::process;
use super::input::{Input, ParseResult, ProcessInput};
use super::property;
use crate::ast::{CheckItem, Definition, Goal, Item, SystemItem};
use crate::vocabulary::{ARROW, Keyword, Symbol, TokenKind};
use paramcheck_temporal::formula::parser;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::process::syntax as codes;
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// One item; `None` for a stray `;` or bracket.
pub(crate) fn item(input: Input<'_>) -> ParseResult<'_, Option<Item>> {
    if input.is_ahead(1, Symbol::Equal) && input.begins_item() {
        let (input, definition) = definition(input)?;
        return Ok((input, Some(Item::Definition(definition))));
    }
    if input.at_keyword(Keyword::System) {
        let start = input.peek().span;
        let (input, body) = process(input.advance())?;
        let span = input.span_from(start);
        let (input, ()) = semicolon(input)?;
        return Ok((input, Some(Item::System(SystemItem { body, span }))));
    }
    if input.at_keyword(Keyword::Check) {
        let (input, check) = check(input)?;
        return Ok((input, Some(Item::Check(check))));
    }
    match input.kind() {
        TokenKind::Symbol(Symbol::Semicolon) => Ok((input.advance(), None)),
        TokenKind::Symbol(Symbol::RightParen | Symbol::RightBrace | Symbol::RightBracket) => {
            input.report(Diagnostic::new(
                &codes::UNMATCHED_BRACKET,
                format!("{} without its partner", input.found()),
                input.peek().span,
                "no bracket is open here",
            ));
            Ok((input.advance(), None))
        }
        TokenKind::Keyword(Keyword::Always | Keyword::Eventually | Keyword::Ltl | Keyword::Deadlock) => input.fail(
            Diagnostic::new(
                &codes::MALFORMED_CHECK,
                format!("a check begins with `check`, not with {}", input.found()),
                input.peek().span,
                "expected `check`",
            )
            .help("write `check NAME = always …;`, `check NAME = eventually …;`, `check NAME = ltl …;` or `check deadlock;`"),
        ),
        TokenKind::Name if is_misspelt(input) => {
            let near = if input.word().to_lowercase().starts_with('c') { "check" } else { "system" };
            input.fail(
                Diagnostic::new(
                    &codes::UNEXPECTED,
                    format!("expected a definition, `system` or `check`, found {}", input.found()),
                    input.peek().span,
                    "",
                )
                .help(format!("did you mean `{near}`?")),
            )
        }
        TokenKind::Name if input.word() == "agent" => input.fail(
            Diagnostic::new(
                &codes::UNEXPECTED,
                "expected a definition, `system` or `check`, found `agent`",
                input.peek().span,
                "",
            )
            .help("a definition has no word in front, and ends with `;`: `P = a.P;`"),
        ),
        _ => input.expected("a definition `NAME = …;`, `system` or `check`"),
    }
}

/// Whether the next word is nearly `system` or `check`.
fn is_misspelt(input: Input<'_>) -> bool {
    let word = input.word().to_lowercase();
    ["system", "check"].iter().any(|keyword| strsim::osa_distance(&word, keyword) <= 2)
}

/// `NAME = P;`
fn definition(input: Input<'_>) -> ParseResult<'_, Definition> {
    let name = input.ident();
    if !input.at_constant() {
        let mut capital = name.text.clone();
        if let Some(first) = capital.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        input.report(
            Diagnostic::new(
                &codes::WRONG_CASE,
                format!("the process `{}` begins with a small letter", name.text),
                name.span,
                "small letters begin actions",
            )
            .help(format!("write `{capital}`")),
        );
    }
    let (input, body) = process(input.advance().advance())?;
    let span = input.span_from(name.span);
    let (input, ()) = semicolon(input)?;
    Ok((input, Definition { name, body, span }))
}

/// `check NAME = …;` or `check deadlock;`
fn check(input: Input<'_>) -> ParseResult<'_, CheckItem> {
    let start = input.peek().span;
    let input = input.advance();
    let is_quoted = input.at(Symbol::Quote);
    if is_quoted {
        input.report(
            Diagnostic::new(
                &codes::MALFORMED_CHECK,
                "the name of a check stands without quotes",
                input.peek().span,
                "not needed here",
            )
            .help("`'` stands before co-actions only"),
        );
    }
    let input = if is_quoted { input.advance() } else { input };
    let behind = input.advance();
    let behind = if is_quoted && behind.at(Symbol::Quote) { behind.advance() } else { behind };
    if behind.at(Symbol::Equal) {
        let name = name(input);
        let (input, goal) = goal(behind.advance())?;
        let span = input.span_from(start);
        let (input, ()) = semicolon(input)?;
        return Ok((input, CheckItem { name: Some(name), goal, span }));
    }
    let (input, goal) = match input.kind() {
        TokenKind::Keyword(Keyword::Deadlock | Keyword::Always | Keyword::Eventually | Keyword::Ltl) => {
            let at = input;
            let (input, goal) = goal(input)?;
            if goal != Goal::Deadlock {
                at.report(
                    Diagnostic::new(
                        &codes::MALFORMED_CHECK,
                        "a check without a name",
                        at.peek().span,
                        "expected a name and `=`",
                    )
                    .help("only `deadlock` needs none: `check safe = always …;`"),
                );
            }
            (input, goal)
        }
        TokenKind::Name => {
            let after = input.advance();
            return after.fail(
                Diagnostic::new(
                    &codes::MALFORMED_CHECK,
                    format!("expected `=`, found {}", after.found()),
                    after.peek().span,
                    "expected `=`",
                )
                .help("a check is written `check NAME = always …;`"),
            );
        }
        _ => return input.expected("a name for the check, or `deadlock`"),
    };
    let span = input.span_from(start);
    let (input, ()) = semicolon(input)?;
    Ok((input, CheckItem { name: None, goal, span }))
}

/// The name of a check, in front of its `=`.
fn name(input: Input<'_>) -> Ident {
    if input.kind() != TokenKind::Name {
        let help = if input.at_keyword(Keyword::Deadlock) {
            "`check deadlock;` is called so by itself".to_owned()
        } else {
            format!("choose another name, such as `{}_`", input.word())
        };
        input.report(
            Diagnostic::new(
                &codes::RESERVED_WORD,
                format!("a check can't be called {}", input.found()),
                input.peek().span,
                "expected a name",
            )
            .help(help),
        );
    }
    input.ident()
}

fn goal(input: Input<'_>) -> ParseResult<'_, Goal> {
    match input.kind() {
        TokenKind::Keyword(Keyword::Deadlock) => Ok((input.advance(), Goal::Deadlock)),
        TokenKind::Keyword(Keyword::Always) => {
            let (input, formula) = property::formula(input.advance())?;
            Ok((input, Goal::Always(formula)))
        }
        TokenKind::Keyword(Keyword::Eventually) => {
            let (input, formula) = property::formula(input.advance())?;
            Ok((input, Goal::Eventually(formula)))
        }
        TokenKind::Keyword(Keyword::Ltl) => {
            let (input, formula) = parser::formula::<property::Temporal>(input.advance())?;
            Ok((input, Goal::Ltl(formula)))
        }
        _ => {
            let help = if input.word() == "never" {
                "`never φ` is written `always !φ`: in every state not"
            } else {
                "`always φ`: in every state; `eventually φ`: at some time in every run; `ltl φ`: of every run, with `X F G U R W`"
            };
            input.fail(
                Diagnostic::new(
                    &codes::MALFORMED_CHECK,
                    format!("expected `always`, `eventually`, `ltl` or `deadlock`, found {}", input.found()),
                    input.peek().span,
                    "expected `always`, `eventually`, `ltl` or `deadlock`",
                )
                .help(help),
            )
        }
    }
}

/// The `;` at the end of an item. A missing one is reported, and taken as written before an item.
fn semicolon(input: Input<'_>) -> ParseResult<'_, ()> {
    if input.at(Symbol::Semicolon) {
        return Ok((input.advance(), ()));
    }
    let (span, message) = if input.is_at_end() || input.begins_item() {
        (input.gap(), format!("missing `;` before {}", input.found()))
    } else {
        (input.peek().span, format!("expected an operator or `;`, found {}", input.found()))
    };
    let is_gap = span == input.gap();
    let diagnostic = missing(input, span, message);
    if is_gap {
        input.report(diagnostic);
        return Ok((input, ()));
    }
    input.fail(diagnostic)
}

fn missing(input: Input<'_>, span: Span, message: String) -> Diagnostic {
    let code = if matches!(
        input.kind(),
        TokenKind::Symbol(Symbol::RightParen | Symbol::RightBrace | Symbol::RightBracket)
    ) {
        &codes::UNMATCHED_BRACKET
    } else if span == input.gap() {
        &codes::MISSING_SEMICOLON
    } else {
        &codes::UNEXPECTED
    };
    let diagnostic = Diagnostic::new(code, message, span, "expected `;`");
    if input.at(Symbol::Arrow) {
        return diagnostic.help(ARROW);
    }
    if code.id != codes::MISSING_SEMICOLON.id {
        return diagnostic;
    }
    diagnostic.help("every definition, system and check ends with `;`")
}
