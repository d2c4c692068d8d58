//! Processes and choreographies: operators by precedence, with a stack of its own instead of recursion,
//! for a frame of parsers is large and the stack may be small.
//!
//! CCS binds `.`, then `\ {…}` `[…]` `^ n`, then `;`, then `+`, then the parallel operators; choreographies
//! `*( )`, `;`, `+`, `||`. A `;` ends the process where an item follows (within parentheses that is an error,
//! for they are not closed).

use super::MAX_DEPTH;
use super::input::{Input, ParseResult, ProcessInput, SyntaxError, action, list, small_name};
use crate::ast::{
    Action, ActionKind, ParallelOperator, Postfix, PostfixKind, Process, ProcessKind, Renaming,
};
use crate::vocabulary::{ARROW, Keyword, Symbol, TokenKind, is_foreign_end};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::process::syntax as codes;
use paramcheck_text::source::Span;

/// The largest `n` in `P ^ n`.
const MAX_COPIES: u32 = 1 << 16;

/// What is read between two parentheses, or of the whole.
#[derive(Default)]
struct Level {
    /// The opening parenthesis, or the beginning of the whole.
    open: Span,
    /// The star before it, if it is that of a loop.
    star: Option<Span>,
    /// The actions before the operand that is being read, `a.b.`
    prefix: Vec<Action>,
    /// Complete operands of `;`, of `+`, of parallel operators.
    sequence: Vec<Process>,
    choice: Vec<Process>,
    parallel: Vec<Process>,
    /// The parallel operator that joins the last, and where it first stands.
    operator: Option<(ParallelOperator, Span)>,
}

impl Level {
    /// Ends a sequence: its operands are an operand of `+`.
    fn end_sequence(&mut self) {
        let whole = joined(std::mem::take(&mut self.sequence), ProcessKind::Sequence);
        self.choice.extend(whole);
    }

    /// Ends a choice: its operands are an operand of a parallel operator.
    fn end_choice(&mut self) {
        self.end_sequence();
        let whole = joined(std::mem::take(&mut self.choice), ProcessKind::Choice);
        self.parallel.extend(whole);
    }

    /// The whole; `None` if there is no operand, which no caller lets happen.
    fn finish(mut self) -> Option<Process> {
        self.end_choice();
        let operator = self.operator.map_or(ParallelOperator::Synchronise, |(operator, _)| operator);
        joined(self.parallel, |operands| ProcessKind::Parallel(operands, operator))
    }
}

/// The only operand, or all of them as one process.
fn joined(operands: Vec<Process>, kind: impl FnOnce(Vec<Process>) -> ProcessKind) -> Option<Process> {
    let span = operands.first()?.span.to(operands.last()?.span);
    if operands.len() > 1 {
        return Some(Process { kind: kind(operands), span });
    }
    operands.into_iter().next()
}

/// A process.
pub(crate) fn process(mut input: Input<'_>) -> ParseResult<'_, Process> {
    let mut outer: Vec<Level> = Vec::new();
    let mut level = Level { open: input.peek().span, ..Level::default() };
    loop {
        let start = level.prefix.first().map_or(input.peek().span, |first| first.span);
        let operand;
        (input, operand) = operand_of(input, &mut level)?;
        let Some(operand) = operand else {
            // A parenthesis has been read: its contents first.
            if outer.len() >= MAX_DEPTH {
                return input.fail(too_deep(input.previous(), "give inner parts names of their own"));
            }
            let star = input.behind(2, Symbol::Star).filter(|_| input.is_chor());
            let fresh = Level { open: input.previous(), star, ..Level::default() };
            outer.push(std::mem::replace(&mut level, fresh));
            continue;
        };
        input = take(input, &mut level, start, operand)?.0;
        while input.at(Symbol::RightParen)
            && let Some(around) = outer.pop()
        {
            let inner = std::mem::replace(&mut level, around);
            input = input.advance();
            let span = input.span_from(inner.star.unwrap_or(inner.open));
            let is_loop = inner.star.is_some();
            let Some(inside) = inner.finish() else { return input.expected("a process") };
            let kind = if is_loop { ProcessKind::Loop(Box::new(inside)) } else { inside.kind };
            let operand = Process { kind, span };
            let start = level.prefix.first().map_or(span, |first| first.span);
            input = take(input, &mut level, start, operand)?.0;
        }
        let Some(rest) = operator(input, &mut level)? else {
            if !outer.is_empty() {
                return input.fail(input.unclosed(level.open, Symbol::RightParen));
            }
            return match level.finish() {
                Some(process) => Ok((input, process)),
                None => input.expected("a process"),
            };
        };
        input = rest;
    }
}

/// Puts prefix and postfix operators to an operand and the result to the sequence.
fn take<'a>(
    mut input: Input<'a>,
    level: &mut Level,
    start: Span,
    mut operand: Process,
) -> ParseResult<'a, ()> {
    let mut actions = std::mem::take(&mut level.prefix);
    if !actions.is_empty() {
        let span = input.span_from(start);
        let inner = match operand.kind {
            // `a.(b.P)` is `a.b.P`.
            ProcessKind::Prefix(more, inner) => {
                actions.extend(more);
                inner
            }
            kind => Box::new(Process { kind, ..operand }),
        };
        operand = Process { kind: ProcessKind::Prefix(actions, inner), span };
    }
    let mut operators = Vec::new();
    while let Some((rest, postfix)) = postfix(input)? {
        operators.push(postfix);
        input = rest;
    }
    if !operators.is_empty() {
        let span = input.span_from(start);
        let inner = match operand.kind {
            ProcessKind::Postfix(inner, mut earlier) => {
                earlier.append(&mut operators);
                operators = earlier;
                inner
            }
            kind => Box::new(Process { kind, ..operand }),
        };
        operand = Process { kind: ProcessKind::Postfix(inner, operators), span };
    }
    level.sequence.push(operand);
    Ok((input, ()))
}

/// The next token names an action as if it were one of the `things` that have capital letters.
fn capital_action(input: Input<'_>, things: &str) -> Diagnostic {
    let message = format!("the action {} begins with a capital letter", input.found());
    let label = format!("capital letters begin {things}");
    Diagnostic::new(&codes::WRONG_CASE, message, input.peek().span, label)
}

/// The actions and the constant, `0`, action or opening parenthesis that begin an operand; `None` for a
/// parenthesis.
fn operand_of<'a>(mut input: Input<'a>, level: &mut Level) -> ParseResult<'a, Option<Process>> {
    loop {
        let span = input.peek().span;
        // A reserved word before a dot can only stand for an action.
        let is_misnamed = matches!(input.kind(), TokenKind::Keyword(_))
            && input.is_ahead(1, Symbol::Dot)
            && !input.is_chor();
        let is_action = input.at_action_name()
            || input.at(Symbol::Quote)
            || input.at_keyword(Keyword::Tau)
            || is_misnamed;
        if is_action && input.is_chor() {
            let (rest, action) = chor_action(input)?;
            let span = action.span;
            return Ok((rest, Some(Process { kind: ProcessKind::Action(action), span })));
        }
        if is_action {
            let (rest, action) = action(input)?;
            if !rest.at(Symbol::Dot) {
                rest.report(bare_action(input, &action, rest));
                level.prefix.push(action);
                return Ok((rest, Some(Process { kind: ProcessKind::Nil, span: rest.gap() })));
            }
            level.prefix.push(action);
            input = rest.advance();
            continue;
        }
        return match input.kind() {
            TokenKind::Name if !input.is_chor() && input.is_ahead(1, Symbol::Dot) => input.fail(
                capital_action(input, "processes")
                    .help("actions begin with a small letter; one process after the other is written `P; Q`"),
            ),
            TokenKind::Name if input.is_ahead(1, Symbol::At) => input.fail(
                capital_action(input, "choreographies").help("actions begin with a small letter"),
            ),
            TokenKind::Name => {
                let kind = ProcessKind::Constant(input.word().to_owned());
                Ok((input.advance(), Some(Process { kind, span })))
            }
            TokenKind::Number if input.word() == "0" && !input.is_chor() => {
                Ok((input.advance(), Some(Process { kind: ProcessKind::Nil, span })))
            }
            TokenKind::Number if input.is_chor() => input.fail(
                Diagnostic::new(&codes::OTHER_LANGUAGE, "choreographies have no `0`", span, "")
                    .help("write `tau`, which does nothing visible; at the end write nothing: a choreography ends by itself"),
            ),
            TokenKind::Symbol(Symbol::Star) if input.is_chor() => {
                let inside = input.advance();
                if inside.at(Symbol::LeftParen) {
                    return Ok((inside.advance(), None));
                }
                inside.fail(
                    Diagnostic::new(
                        &codes::UNEXPECTED,
                        format!("expected `(` after `*`, found {}", inside.found()),
                        inside.peek().span,
                        "expected `(`",
                    )
                    .help("a loop is written `*(P)`"),
                )
            }
            TokenKind::Symbol(Symbol::Star) => input.fail(
                Diagnostic::new(&codes::OTHER_LANGUAGE, "CCS has no loop", span, "")
                    .help("let a constant go on with itself: `P = a.P;`"),
            ),
            TokenKind::Symbol(Symbol::LeftParen) => Ok((input.advance(), None)),
            _ if input.is_chor() => input.expected("an action, a choreography or `(`"),
            _ => input.expected("a process"),
        };
    }
}

/// An action of a choreography, which needs a place.
fn chor_action(input: Input<'_>) -> ParseResult<'_, Action> {
    let (rest, action) = action(input)?;
    let has_place = !matches!(&action.kind, ActionKind::Visible { place: crate::ast::Place::Anywhere, .. });
    if has_place {
        return Ok((rest, action));
    }
    let help = if rest.at(Symbol::Dot) {
        "write `a@x; b@x`: choreographies have no prefix"
    } else {
        "write `a@x` for an action of peer x, `a@[x, y]` for a communication"
    };
    let span = action.span;
    input.fail(
        Diagnostic::new(
            &codes::OTHER_LANGUAGE,
            "an action of a choreography needs a peer",
            span,
            "who takes it?",
        )
        .help(help),
    )
}

fn bare_action(input: Input<'_>, action: &Action, rest: Input<'_>) -> Diagnostic {
    let text: String = match &action.kind {
        ActionKind::Tau => "tau".to_owned(),
        ActionKind::Visible { name, is_co, .. } => (if *is_co { "'" } else { "" }).to_owned() + &name.text,
    };
    let is_ended =
        matches!(&action.kind, ActionKind::Visible { name, is_co: false, .. } if is_foreign_end(&name.text));
    let help = if rest.at(Symbol::Not) && !text.starts_with('\'') {
        format!("an output is the co-action, `'{text}`; an input is the action itself, `{text}`")
    } else if is_ended {
        format!("the process that has ended is written `0`; an action of this name, `{text}.0`")
    } else if rest.at(Symbol::LeftParen) || rest.at_action_name() || rest.at_constant() {
        format!("write `{text}.` and what follows")
    } else if rest.at(Symbol::Arrow) {
        ARROW.to_owned()
    } else if input.is_ahead(1, Symbol::Equal) {
        "a `;` is missing before the definition".to_owned()
    } else {
        format!("to stop after it, write `{text}.0`")
    };
    Diagnostic::new(
        &codes::BARE_ACTION,
        format!("the action `{text}` needs `.` and what follows"),
        action.span,
        "expected `.` behind it",
    )
    .help(help)
}

/// Whether `[]` is next, and behind it another operand: CSP's choice, no relabelling of nothing.
fn is_choice_of_csp(input: Input<'_>) -> bool {
    let behind = input.advance().advance();
    input.at(Symbol::LeftBracket)
        && input.is_ahead(1, Symbol::RightBracket)
        && !behind.begins_item()
        && (matches!(behind.kind(), TokenKind::Name | TokenKind::Number | TokenKind::Keyword(Keyword::Tau))
            || behind.at(Symbol::Quote)
            || behind.at(Symbol::LeftParen))
}

/// A postfix operator, if one is next.
fn postfix(input: Input<'_>) -> Result<Option<(Input<'_>, Postfix)>, nom::Err<SyntaxError<'_>>> {
    let start = input.peek().span;
    let is_postfix = input.at(Symbol::Backslash) || input.at(Symbol::LeftBracket) || input.at(Symbol::Caret);
    if !is_postfix || is_choice_of_csp(input) {
        return Ok(None);
    }
    if input.is_chor() {
        let what = format!("choreographies have no {}", input.found());
        let diagnostic = Diagnostic::new(&codes::OTHER_LANGUAGE, what, start, "");
        return input
            .fail(diagnostic.help("restriction, relabelling and copies are in CCS only"))
            .map(|(_, never)| never);
    }
    let (input, kind) = match input.kind() {
        TokenKind::Symbol(Symbol::Backslash) => restriction(input.advance())?,
        TokenKind::Symbol(Symbol::LeftBracket) => {
            let open = input.peek().span;
            let (input, renamings) = list(input.advance(), open, Symbol::RightBracket, renaming)?;
            (input, PostfixKind::Relabel(renamings))
        }
        _ => copies(input.advance())?,
    };
    Ok(Some((input, Postfix { kind, span: input.span_from(start) })))
}

/// `{a, b}` behind the backslash.
fn restriction(input: Input<'_>) -> ParseResult<'_, PostfixKind> {
    let open = input.peek().span;
    if !input.at(Symbol::LeftBrace) {
        return input.fail(
            Diagnostic::new(
                &codes::UNEXPECTED,
                format!("expected `{{` after `\\`, found {}", input.found()),
                open,
                "expected `{`",
            )
            .help("the restricted actions stand in braces: `P \\ {a, b}`"),
        );
    }
    let (input, names) = list(input.advance(), open, Symbol::RightBrace, |input| {
        let name_at = without_quote(input, "a restriction forbids an action and its co-action");
        small_name(name_at, "an action")
    })?;
    Ok((input, PostfixKind::Restrict(names)))
}

/// `new/old`
fn renaming(input: Input<'_>) -> ParseResult<'_, Renaming> {
    const WHY: &str = "a relabelling changes co-actions along with actions";
    let (input, new) = small_name(without_quote(input, WHY), "an action")?;
    if !input.at(Symbol::Slash) {
        return input.fail(
            Diagnostic::new(
                &codes::UNEXPECTED,
                format!("expected `/`, found {}", input.found()),
                input.peek().span,
                "expected `/`",
            )
            .help("`P[b/a]`: `a` becomes `b`"),
        );
    }
    let (input, old) = small_name(without_quote(input.advance(), WHY), "an action")?;
    Ok((input, Renaming { new, old }))
}

/// Skips the sign of a co-action where an action is enough.
fn without_quote<'a>(input: Input<'a>, why: &str) -> Input<'a> {
    if !input.at(Symbol::Quote) {
        return input;
    }
    let span = input.peek().span;
    input.report(
        Diagnostic::new(&codes::MISPLACED_ACTION, "expected an action without `'`", span, "not needed here")
            .help(why),
    );
    input.advance()
}

/// `n` behind `^`.
fn copies(input: Input<'_>) -> ParseResult<'_, PostfixKind> {
    if input.kind() != TokenKind::Number {
        return input.expected("the number of copies");
    }
    let count = input.word().parse::<u32>().ok().filter(|count| (1..=MAX_COPIES).contains(count));
    if count.is_none() {
        let span = input.peek().span;
        input.report(
            Diagnostic::new(
                &codes::BAD_COPIES,
                format!("{} is no number of copies", input.found()),
                span,
                format!("expected a number from 1 to {MAX_COPIES}"),
            )
            .help("`P ^ 3` is `P | P | P`"),
        );
    }
    Ok((input.advance(), PostfixKind::Power(count.unwrap_or(1))))
}

/// The operator behind an operand: ends what binds tighter and returns the input behind it; `None` where
/// the process ends.
fn operator<'a>(input: Input<'a>, level: &mut Level) -> Result<Option<Input<'a>>, nom::Err<SyntaxError<'a>>> {
    match input.kind() {
        TokenKind::Symbol(Symbol::Semicolon) => {
            let rest = input.advance();
            // A check without its first word is reported as such.
            let is_check = [Keyword::Always, Keyword::Eventually, Keyword::Deadlock]
                .iter()
                .any(|keyword| rest.at_keyword(*keyword));
            let is_end = rest.is_at_end() || rest.begins_item() || is_check;
            Ok((!is_end).then_some(rest))
        }
        TokenKind::Symbol(Symbol::Plus) => {
            level.end_sequence();
            Ok(Some(input.advance()))
        }
        TokenKind::Symbol(Symbol::LeftBracket) if is_choice_of_csp(input) => {
            level.end_sequence();
            let rest = input.advance().advance();
            let span = rest.span_from(input.peek().span);
            let message = "choice is written `+` here";
            input.report(Diagnostic::new(&codes::WRONG_OPERATOR, message, span, "expected `+`"));
            Ok(Some(rest))
        }
        TokenKind::Symbol(Symbol::Bar | Symbol::DoubleBar) => {
            level.end_choice();
            let (rest, found) = parallel_operator(input)?;
            let span = rest.span_from(input.peek().span);
            match &level.operator {
                None => level.operator = Some((found, span)),
                Some((operator, first)) if !is_same(operator, &found) => {
                    input.report(mixed(*first, span));
                }
                Some(_) => {}
            }
            Ok(Some(rest))
        }
        _ => Ok(None),
    }
}

fn mixed(first: Span, second: Span) -> Diagnostic {
    Diagnostic::new(
        &codes::MIXED_PARALLEL,
        "different parallel operators side by side need parentheses",
        second,
        "this one",
    )
    .label(first, "differs from this one")
    .help("say which belong together: `(P | Q) |[a]| R` or `P | (Q |[a]| R)`")
}

/// `|`, `|[a]|`, `||`.
fn parallel_operator(input: Input<'_>) -> ParseResult<'_, ParallelOperator> {
    let span = input.peek().span;
    let wrong = |right: &'static str| {
        input.report(Diagnostic::new(
            &codes::WRONG_OPERATOR,
            format!("parallel composition is written `{right}` here"),
            span,
            format!("expected `{right}`"),
        ));
    };
    if input.is_chor() {
        if input.at(Symbol::Bar) {
            wrong("||");
        }
        return Ok((input.advance(), ParallelOperator::Interleave));
    }
    if input.at(Symbol::DoubleBar) {
        let after = input.advance();
        if after.at(Symbol::Bar) && after.peek().span.start == span.end {
            let place = span.to(after.peek().span);
            let message = "interleaving without synchronisation is written `|[]|` here";
            input.report(Diagnostic::new(&codes::WRONG_OPERATOR, message, place, "expected `|[]|`"));
            return Ok((after.advance(), ParallelOperator::Hoare(Vec::new())));
        }
        wrong("|");
        return Ok((input.advance(), ParallelOperator::Synchronise));
    }
    if !input.is_ahead(1, Symbol::LeftBracket) {
        return Ok((input.advance(), ParallelOperator::Synchronise));
    }
    let input = input.advance();
    let open = input.peek().span;
    let (input, set) = list(input.advance(), open, Symbol::RightBracket, action)?;
    for tau in set.iter().filter(|action| action.kind == ActionKind::Tau) {
        input.report(Diagnostic::new(
            &codes::MISPLACED_ACTION,
            "the invisible action can't be synchronised",
            tau.span,
            "",
        ));
    }
    let (input, ()) = input.close(open, Symbol::Bar)?;
    Ok((input, ParallelOperator::Hoare(set)))
}

/// Whether two operators are the same; sets are.
fn is_same(one: &ParallelOperator, other: &ParallelOperator) -> bool {
    let (ParallelOperator::Hoare(one), ParallelOperator::Hoare(other)) = (one, other) else {
        return std::mem::discriminant(one) == std::mem::discriminant(other);
    };
    let key = |set: &[Action]| {
        let mut names: Vec<_> = set
            .iter()
            .map(|action| match &action.kind {
                ActionKind::Tau => None,
                ActionKind::Visible { name, is_co, .. } => Some((name.text.clone(), *is_co)),
            })
            .collect();
        names.sort();
        names.dedup();
        names
    };
    key(one) == key(other)
}

/// The diagnostic for one level too many; `help` explains how to do with fewer.
pub(crate) fn too_deep(span: Span, help: &str) -> Diagnostic {
    Diagnostic::new(
        &codes::NESTED_TOO_DEEP,
        format!("nested deeper than {MAX_DEPTH} levels"),
        span,
        "one level too many",
    )
    .help(help)
}
