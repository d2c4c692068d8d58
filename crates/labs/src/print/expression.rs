//! Expressions: parentheses where operators bind otherwise, or where `of` and `else` would take what follows.

use super::Printer;
use crate::ast::{Expr, ExprKind, Operator, Quantifier, Reference, Who};
use crate::parser::expression::Level;
use paramcheck_text::document::Doc;
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// How an expression stands in another one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Within {
    /// How tightly it must bind.
    pub(super) least: Level,
    /// Whether an operator of numbers follows, which what is open at its right end would take.
    pub(super) is_followed: bool,
    /// Whether what stands behind `of` takes what follows: in processes.
    pub(super) is_process: bool,
}

impl Within {
    /// Alone.
    pub(super) fn alone(least: Level, is_process: bool) -> Within {
        Within { least, is_followed: false, is_process }
    }

    fn least(self, least: Level) -> Within {
        Within { least, ..self }
    }

    /// As what it must be within brackets.
    fn enclosed(self, least: Level) -> Within {
        Within { least, is_followed: false, ..self }
    }
}

/// How tightly an expression binds.
fn level(kind: &ExprKind) -> Level {
    match kind {
        ExprKind::Binary(operator, ..) => operator.level(),
        ExprKind::Not(_) => Level::Negation,
        ExprKind::Negative(_) => Level::Sign,
        // They take all to their right; those that call take care.
        ExprKind::Quantified(..) | ExprKind::Count { .. } => Level::Logic,
        _ => Level::Atom,
    }
}

/// Whether what follows an expression would become a part of it.
fn is_open(kind: &ExprKind, within: Within) -> bool {
    match kind {
        ExprKind::If(_) => true,
        ExprKind::Reference(Reference { of: Some(who), .. }) | ExprKind::Id(Some(who)) => {
            within.is_process && matches!(**who, Who::Agent(_))
        }
        _ => false,
    }
}

impl Printer<'_> {
    /// A condition, as in guards.
    pub(super) fn condition(self, expr: &Expr, is_process: bool) -> Doc {
        self.expr(expr, Within::alone(Level::Logic, is_process))
    }

    /// A number.
    pub(super) fn number(self, expr: &Expr, is_process: bool) -> Doc {
        self.expr(expr, Within::alone(Level::Sum, is_process))
    }

    /// An expression. Recursion is bounded by the parser's limits.
    pub(super) fn expr(self, expr: &Expr, within: Within) -> Doc {
        let is_enclosed =
            level(&expr.kind) < within.least || within.is_followed && is_open(&expr.kind, within);
        if !is_enclosed {
            return self.bare(expr, within);
        }
        let inside = self.bare(expr, within.enclosed(Level::Logic));
        Doc::group(vec![Doc::Text("(".to_owned(), None), inside, Doc::Text(")".to_owned(), None)], false)
    }

    fn bare(self, expr: &Expr, within: Within) -> Doc {
        let Span { start, end } = expr.span;
        let inner = |inner: &Expr, least: Level| self.expr(inner, within.enclosed(least));
        let list = |parts: &[Expr]| {
            self.separated(parts.iter().map(|part| (inner(part, Level::Sum), part.span)).collect(), ",")
        };
        let parts = match &expr.kind {
            ExprKind::Number(number) => vec![self.text(number.to_string(), start)],
            ExprKind::Extern(name) => vec![self.text(name, start)],
            ExprKind::Truth(truth) => vec![self.text(if *truth { "true" } else { "false" }, start)],
            ExprKind::Id(of) => {
                let mut parts = vec![self.text("id", start)];
                self.owner(&mut parts, of.as_deref(), within);
                parts
            }
            ExprKind::Reference(reference) => {
                let mut parts = vec![self.name(&reference.name)];
                self.indices(&mut parts, &reference.indices, within.is_process);
                self.owner(&mut parts, reference.of.as_deref(), within);
                parts
            }
            ExprKind::Negative(operand) => {
                vec![self.text("-", start), self.expr(operand, within.least(Level::Sign))]
            }
            ExprKind::Not(operand) => {
                vec![self.text("!", start), self.expr(operand, within.enclosed(Level::Negation))]
            }
            ExprKind::Binary(operator, left, right) => {
                return self.chain(expr.span, *operator, left, right, within);
            }
            ExprKind::AnyOf(low, high) => vec![
                self.text("[", start),
                inner(low, Level::Sum),
                self.behind("..", low.span.end),
                inner(high, Level::Sum),
                self.text("]", end.saturating_sub(1)),
            ],
            ExprKind::Absolute(operand) => {
                vec![
                    self.text("abs(", start),
                    inner(operand, Level::Sum),
                    self.text(")", end.saturating_sub(1)),
                ]
            }
            ExprKind::Extreme { is_max, operands } => {
                let word = if *is_max { "max(" } else { "min(" };
                vec![self.text(word, start), list(&operands[..]), self.text(")", end.saturating_sub(1))]
            }
            ExprKind::If(_) => return self.choice(expr, within),
            ExprKind::Foreign(name, arguments) => vec![
                self.text(format!("${name}("), start),
                list(arguments),
                self.text(")", end.saturating_sub(1)),
            ],
            ExprKind::Quantified(quantifiers, body) => {
                return self.quantified(expr.span, quantifiers, body, within);
            }
            ExprKind::Count { kind, variable, condition } => vec![
                self.text(format!("count {} {},", kind.text, variable.text), start),
                Doc::Line,
                inner(condition, Level::Logic),
            ],
            ExprKind::Parenthesised(inside) => {
                vec![
                    self.text("(", start),
                    inner(inside, Level::Logic),
                    self.text(")", end.saturating_sub(1)),
                ]
            }
        };
        self.group(parts, expr.span, false)
    }

    /// Operators of one strength, one after the other: the tree leans to the left, and may be high.
    fn chain(self, span: Span, operator: Operator, left: &Expr, right: &Expr, within: Within) -> Doc {
        let level = operator.level();
        let mut joined = vec![(operator, right)];
        let mut first = left;
        while let ExprKind::Binary(operator, left, right) = &first.kind
            && operator.level() == level
            && level != Level::Comparison
        {
            joined.push((*operator, right));
            first = left;
        }
        let is_of_numbers = level > Level::Negation;
        let [least, least_right] = operator.operands();
        let inner = |operand: &Expr, least: Level, is_last: bool| {
            let is_followed = is_of_numbers && (!is_last || within.is_followed);
            self.expr(operand, Within { least, is_followed, ..within })
        };
        let mut parts = Vec::new();
        let mut end = first.span.end;
        let mut is_broken = false;
        for (position, (operator, operand)) in joined.iter().rev().enumerate() {
            parts.push(Doc::Blank);
            parts.push(self.behind(operator.spelling(), end));
            parts.push(Doc::Line);
            is_broken |= self.ends_line(end, operand.span.start);
            parts.push(inner(operand, least_right, position + 1 == joined.len()));
            end = operand.span.end;
        }
        let rest = if level == Level::Logic { parts } else { vec![Doc::Indented(parts)] };
        let parts = std::iter::once(inner(first, least, false)).chain(rest).collect();
        self.group(parts, span, is_broken)
    }

    /// `if … then … else if …`
    fn choice(self, expr: &Expr, within: Within) -> Doc {
        let mut parts = Vec::new();
        let mut rest = expr;
        let mut is_broken = false;
        while let ExprKind::If(branches) = &rest.kind {
            let [condition, then, otherwise] = &**branches;
            parts.push(self.text("if", rest.span.start));
            parts.push(Doc::Blank);
            parts.push(self.expr(condition, within.enclosed(Level::Logic)));
            parts.push(Doc::Blank);
            parts.push(self.behind("then", condition.span.end));
            parts.push(Doc::Blank);
            parts.push(self.expr(then, within.enclosed(Level::Sum)));
            parts.push(Doc::Blank);
            parts.push(self.behind("else", then.span.end));
            parts.push(Doc::Line);
            is_broken |= self.ends_line(then.span.end, otherwise.span.start);
            rest = otherwise;
        }
        parts.push(self.expr(rest, within.enclosed(Level::Sum)));
        self.group(parts, expr.span, is_broken)
    }

    fn quantified(self, span: Span, quantifiers: &[Quantifier], body: &Expr, within: Within) -> Doc {
        let mut parts = Vec::new();
        let mut end = span.start;
        let mut is_broken = false;
        for quantifier in quantifiers {
            let Quantifier { is_universal, kind, variable } = quantifier;
            let word = if *is_universal { "forall" } else { "exists" };
            if !parts.is_empty() {
                parts.push(Doc::Blank);
            }
            let at = self.source.word_before(word, kind.span.start);
            parts.push(Doc::Text(format!("{word} {} {},", kind.text, variable.text), at));
            end = variable.span.end;
            // The comma.
            end = self.source.next(end).map_or(end, |comma| comma + 1);
        }
        is_broken |= self.ends_line(end, body.span.start);
        parts.push(Doc::Line);
        parts.push(self.expr(body, within.enclosed(Level::Logic)));
        self.group(vec![Doc::Indented(parts)], span, is_broken)
    }

    pub(super) fn name(self, name: &Ident) -> Doc {
        self.text(&name.text, name.span.start)
    }

    /// `[i, j]`, if there are indices.
    pub(super) fn indices(self, parts: &mut Vec<Doc>, indices: &[Expr], is_process: bool) {
        let (Some(first), Some(last)) = (indices.first(), indices.last()) else { return };
        let span = first.span.to(last.span);
        parts.push(self.before("[", span.start));
        let indices = indices.iter().map(|index| (self.number(index, is_process), index.span)).collect();
        parts.push(self.separated(indices, ","));
        parts.push(self.behind("]", span.end));
    }

    /// `of y`, if it is there.
    fn owner(self, parts: &mut Vec<Doc>, of: Option<&Who>, within: Within) {
        let Some(who) = of else { return };
        let start = match who {
            Who::Party { span, .. } => span.start,
            Who::Name(name) => name.span.start,
            Who::Agent(agent) => agent.span.start,
        };
        parts.extend([Doc::Blank, self.before("of", start), Doc::Blank]);
        parts.push(match who {
            Who::Party { is_second, span } => {
                let written = self.source.text.get(span.start..span.end).unwrap_or("");
                let plain = if *is_second { "2" } else { "1" };
                self.text(if written.is_empty() { plain } else { written }, span.start)
            }
            Who::Name(name) => self.name(name),
            Who::Agent(agent) => self.expr(agent, within.enclosed(Level::Sum)),
        });
    }
}
