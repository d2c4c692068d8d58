//! Warnings where the published tool reads a text otherwise than it is read here.
//!
//! Its grammar has `&`, `|`, `->`, `U`, `R` and `W` on one level, from the left, arithmetic looser than
//! these, and `rep` takes everything to its right. One warning for each part of a text without parentheses
//! that differs, unless both readings are true alike. In the article's syntax the tool takes `F a & b` as `F
//! (a & b)` where both are conditions on states.

use crate::ast::{
    Action, Assignment, Expr, ExprKind, File, ItemKind, Level, Operator, PartKind, Process, ProcessKind,
};
use crate::vocabulary::Syntax;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::rcheck::meaning as codes;

/// So many different operands are compared by all their truth values.
const MAX_OPERANDS: usize = 10;

/// Warns of all.
pub(super) fn warn(file: &File, text: &str, diagnostics: &mut Vec<Diagnostic>) {
    let mut reader = Reader { syntax: file.syntax, text, diagnostics };
    for item in &file.items {
        match &item.kind {
            ItemKind::Guard(guard) => reader.expr(&guard.body, false),
            ItemKind::Spec(formula) => reader.expr(formula, false),
            ItemKind::System(all) => all.iter().for_each(|instance| reader.expr(&instance.init, false)),
            ItemKind::Agent(agent) => {
                for part in &agent.parts {
                    match &part.kind {
                        PartKind::Local(_) => {}
                        PartKind::Init(expr) | PartKind::ReceiveGuard(expr) => reader.expr(expr, false),
                        PartKind::Relabel(all) => all.iter().for_each(|(_, value)| reader.expr(value, false)),
                        PartKind::Repeat(process) => reader.process(process),
                    }
                }
            }
            ItemKind::Channels(_) | ItemKind::Enum(..) | ItemKind::Messages(_) | ItemKind::Properties(_) => {}
        }
    }
}

struct Reader<'a> {
    syntax: Syntax,
    text: &'a str,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Reader<'_> {
    fn process(&mut self, process: &Process) {
        match &process.kind {
            ProcessKind::Choice(all) => {
                self.repetition(all);
                all.iter().for_each(|one| self.process(one));
            }
            ProcessKind::Sequence(all) => all.iter().for_each(|one| self.process(one)),
            ProcessKind::Rep(inner) | ProcessKind::Parenthesised(inner) => self.process(inner),
            ProcessKind::Command(command) => {
                self.expr(&command.guard, false);
                match &command.action {
                    Action::Send(_, expr) | Action::Get(expr) => self.expr(expr, false),
                    Action::Receive(_) | Action::Supply { .. } => {}
                }
                let values = command.data.iter().chain(&command.update);
                values.for_each(|Assignment { value, .. }| self.expr(value, false));
            }
        }
    }

    /// Warns of the first `rep` that has alternatives to its right.
    fn repetition(&mut self, all: &[Process]) {
        if self.syntax == Syntax::Article {
            return;
        }
        let ends_in_rep = |process: &&Process| match &process.kind {
            ProcessKind::Rep(_) => true,
            ProcessKind::Sequence(all) => {
                all.last().is_some_and(|last| matches!(last.kind, ProcessKind::Rep(_)))
            }
            _ => false,
        };
        let Some((_, before)) = all.split_last() else { return };
        if let Some(rep) = before.iter().find(ends_in_rep) {
            let message = "the published tool takes `rep` to go on to the closing parenthesis";
            self.diagnostics.push(
                Diagnostic::new(&codes::READ_OTHERWISE, message, rep.span, "here it ends with this")
                    .help("with `rep` as the last alternative, both read the same"),
            );
        }
    }

    /// `is_within` an expression without parentheses that has been looked at.
    fn expr(&mut self, expr: &Expr, is_within: bool) {
        let is_chain = matches!(&expr.kind, ExprKind::Chain(_, rest) if !is_comparison(rest));
        match self.syntax {
            Syntax::Today if is_chain && !is_within && differs(expr, self.text) => {
                self.warn(expr);
            }
            Syntax::Today if !is_within && compares_sums(expr) => self.warn(expr),
            Syntax::Article => self.article(expr),
            Syntax::Today => {}
        }
        // A comparison is an operand of the operators around it, not their continuation.
        let goes_on = is_chain || is_within && matches!(expr.kind, ExprKind::Chain(..));
        expr.children(&mut |child| self.expr(child, goes_on));
    }

    fn warn(&mut self, expr: &Expr) {
        let message = "the published tool reads this otherwise";
        let (label, help) = match written(expr, self.text) {
            Some([ours, theirs]) => (
                format!("here this is `{ours}`"),
                format!("the tool reads `{theirs}`: put parentheses where you want them, or use `--as-rcheck`"),
            ),
            None => (
                "here arithmetic binds tighter than comparison, this than `&`, `&` than `|`, `|` than `->`".to_owned(),
                "the tool takes all operators of logic from the left, and arithmetic last: put parentheses where \
                 you want them, or use `--as-rcheck`"
                    .to_owned(),
            ),
        };
        self.diagnostics.push(Diagnostic::new(&codes::READ_OTHERWISE, message, expr.span, label).help(help));
    }

    /// `F a & b` with conditions on states.
    fn article(&mut self, expr: &Expr) {
        let ExprKind::Chain(first, rest) = &expr.kind else { return };
        let ExprKind::Temporal(operator, body) = &first.kind else { return };
        let is_state = |expr: &Expr| !is_temporal(expr);
        if !is_comparison(rest) && is_state(body) && rest.iter().any(|(_, operand)| is_state(operand)) {
            let word = operator.spelling();
            let message =
                format!("the article's tool takes `{word}` to reach over the conditions that follow");
            self.diagnostics.push(
                Diagnostic::new(
                    &codes::READ_OTHERWISE,
                    message,
                    expr.span,
                    "here it takes the next comparison",
                )
                .help(format!("write `({word} a) & b` or `{word} (a & b)`")),
            );
        }
    }
}

fn is_comparison(rest: &[(Operator, Expr)]) -> bool {
    rest.iter().any(|(operator, _)| operator.level() == Level::Comparison)
}

fn is_temporal(expr: &Expr) -> bool {
    let mut found = match &expr.kind {
        ExprKind::Temporal(..) | ExprKind::Observed { .. } | ExprKind::Quantified { .. } => true,
        ExprKind::Chain(_, rest) => rest.iter().any(|(operator, _)| operator.is_temporal()),
        _ => false,
    };
    expr.children(&mut |child| found |= is_temporal(child));
    found
}

/// Whether arithmetic without parentheses is compared.
fn compares_sums(expr: &Expr) -> bool {
    let ExprKind::Chain(first, rest) = &expr.kind else { return false };
    let is_sum = |expr: &Expr| {
        matches!(&expr.kind, ExprKind::Chain(_, rest)
            if rest.iter().all(|(operator, _)| matches!(operator.level(), Level::Sum | Level::Product)))
    };
    is_comparison(rest) && (is_sum(first) || rest.iter().any(|(_, operand)| is_sum(operand)))
}

/// Whether an expression is read otherwise. Operands are what stands between the operators of logic.
fn differs(expr: &Expr, text: &str) -> bool {
    let mut operands: Vec<&Expr> = Vec::new();
    let mut operators: Vec<Operator> = Vec::new();
    flatten(expr, &mut operands, &mut operators);
    if operands.iter().any(|operand| compares_sums(operand)) {
        return true;
    }
    if is_left_nested(expr) {
        return false;
    }
    let is_logic = |operator: &Operator| operator.level() <= Level::And && *operator != Operator::Iff;
    if !operators.iter().all(is_logic) {
        // Of numbers both readings are the same; of `U` and the like it is not worked out whether they are.
        return operators.iter().any(|operator| operator.level() <= Level::Until);
    }
    let texts: Vec<&str> =
        operands.iter().map(|one| text.get(one.span.start..one.span.end).unwrap_or("")).collect();
    let mut distinct = texts.clone();
    distinct.sort_unstable();
    distinct.dedup();
    if distinct.len() > MAX_OPERANDS {
        return true;
    }
    let index: Vec<usize> = texts.iter().filter_map(|text| distinct.binary_search(text).ok()).collect();
    (0..1_usize << distinct.len()).any(|truths| {
        let values: Vec<bool> = index.iter().map(|position| truths >> position & 1 == 1).collect();
        let mut next = values.iter().copied();
        let ours = ours(expr, &mut next);
        let mut rest = values.iter().copied();
        let first = rest.next().unwrap_or(true);
        let theirs =
            operators.iter().zip(rest).fold(first, |left, (operator, right)| apply(*operator, left, right));
        ours != theirs
    })
}

/// Both readings with all their parentheses, if they are short.
fn written(expr: &Expr, text: &str) -> Option<[String; 2]> {
    const MAX_SHOWN: usize = 60;
    let mut operands: Vec<&Expr> = Vec::new();
    let mut operators: Vec<Operator> = Vec::new();
    flatten(expr, &mut operands, &mut operators);
    if expr.span.end - expr.span.start > MAX_SHOWN || operands.iter().any(|operand| compares_sums(operand)) {
        return None;
    }
    let shown = |expr: &Expr| text.get(expr.span.start..expr.span.end).unwrap_or("").to_owned();
    let mut rest = operands.iter().map(|operand| shown(operand));
    let first = rest.next()?;
    let theirs = operators.iter().zip(rest).enumerate().fold(first, |left, (position, (operator, right))| {
        let left = if position == 0 { left } else { format!("({left})") };
        format!("{left} {} {right}", operator.spelling())
    });
    Some([ours_written(expr, &shown), theirs])
}

fn ours_written(expr: &Expr, shown: &impl Fn(&Expr) -> String) -> String {
    let ExprKind::Chain(first, rest) = &expr.kind else { return shown(expr) };
    if is_comparison(rest) {
        return shown(expr);
    }
    let inner = |expr: &Expr| match &expr.kind {
        ExprKind::Chain(_, rest) if !is_comparison(rest) => format!("({})", ours_written(expr, shown)),
        _ => shown(expr),
    };
    let leans_right = rest.iter().all(|(operator, _)| *operator == Operator::Implies);
    if leans_right && rest.len() > 1 {
        let operands: Vec<String> =
            std::iter::once(inner(first)).chain(rest.iter().map(|(_, one)| inner(one))).collect();
        let mut operands = operands.into_iter().rev();
        let last = operands.next().unwrap_or_default();
        return operands.enumerate().fold(last, |right, (position, left)| match position {
            0 => format!("{left} -> {right}"),
            _ => format!("{left} -> ({right})"),
        });
    }
    rest.iter().fold(inner(first), |left, (operator, operand)| {
        format!("{left} {} {}", operator.spelling(), inner(operand))
    })
}

/// Operands and operators of logic, from left to right.
fn flatten<'a>(expr: &'a Expr, operands: &mut Vec<&'a Expr>, operators: &mut Vec<Operator>) {
    match &expr.kind {
        ExprKind::Chain(first, rest) if !is_comparison(rest) => {
            flatten(first, operands, operators);
            for (operator, operand) in rest {
                operators.push(*operator);
                flatten(operand, operands, operators);
            }
        }
        _ => operands.push(expr),
    }
}

/// Whether the tree leans to the left all the way.
fn is_left_nested(expr: &Expr) -> bool {
    let ExprKind::Chain(first, rest) = &expr.kind else { return true };
    if is_comparison(rest) {
        return true;
    }
    let is_chain = |expr: &Expr| matches!(&expr.kind, ExprKind::Chain(_, rest) if !is_comparison(rest));
    let leans_right = rest.len() > 1 && rest.iter().all(|(operator, _)| *operator == Operator::Implies);
    !leans_right && !rest.iter().any(|(_, operand)| is_chain(operand)) && is_left_nested(first)
}

/// The truth of our reading, with truth values of the operands from left to right.
fn ours(expr: &Expr, next: &mut impl Iterator<Item = bool>) -> bool {
    match &expr.kind {
        ExprKind::Chain(first, rest) if !is_comparison(rest) => {
            let first = ours(first, next);
            let values: Vec<bool> = rest.iter().map(|(_, operand)| ours(operand, next)).collect();
            let all = || std::iter::once(first).chain(values.iter().copied());
            match rest.first().map(|(operator, _)| *operator) {
                Some(Operator::And) => all().all(|value| value),
                Some(Operator::Or) => all().any(|value| value),
                _ => {
                    let last = values.last().copied().unwrap_or(true);
                    let before = all().take(values.len()).collect::<Vec<_>>();
                    before.into_iter().rev().fold(last, |right, left| !left || right)
                }
            }
        }
        _ => next.next().unwrap_or(true),
    }
}

fn apply(operator: Operator, left: bool, right: bool) -> bool {
    match operator {
        Operator::And => left && right,
        Operator::Or => left || right,
        _ => !left || right,
    }
}
