//! Expressions: parentheses where operators bind otherwise, or where an operator before its operand would
//! take what follows.

use super::Printer;
use crate::ast::{Expr, ExprKind, Level, Operator, Word};
use crate::vocabulary::Syntax;
use paramcheck_text::document::Doc;
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// How an expression stands in another one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Within {
    /// How tightly it must bind.
    least: Level,
    /// How tightly the operator binds that comes next behind it, if there is one before the next bracket
    /// closes.
    follows: Option<Level>,
    /// Whether a `>` would close a bracket.
    is_closed_by_greater: bool,
}

impl Within {
    /// Alone.
    pub(super) fn alone() -> Within {
        Within { least: Level::Iff, follows: None, is_closed_by_greater: false }
    }
}

impl Printer<'_> {
    pub(super) fn expr(self, expr: &Expr, within: Within) -> Doc {
        if self.needs_parentheses(expr, within) {
            let inner = self.bare(expr, Within::alone());
            return self.group(
                vec![self.plain("("), Doc::Indented(vec![inner]), self.plain(")")],
                expr.span,
                false,
            );
        }
        self.bare(expr, within)
    }

    fn needs_parentheses(self, expr: &Expr, within: Within) -> bool {
        match &expr.kind {
            ExprKind::Chain(_, rest) => {
                let is_greater = |(operator, _): &(Operator, Expr)| *operator == Operator::Greater;
                rest.iter().any(|(operator, _)| operator.level() < within.least)
                    || within.is_closed_by_greater && rest.iter().any(is_greater)
            }
            ExprKind::Quantified { .. } => within.follows.is_some(),
            ExprKind::Temporal(..) | ExprKind::Observed { .. } => match self.syntax {
                Syntax::Today => within.follows.is_some(),
                Syntax::Article => within.follows.is_some_and(|level| level >= Level::Comparison),
            },
            _ => false,
        }
    }

    /// Without parentheses around it.
    fn bare(self, expr: &Expr, within: Within) -> Doc {
        let Span { start, .. } = expr.span;
        let operand = |inner: &Expr| self.expr(inner, Within { least: Level::Unary, ..within });
        let parts = match &expr.kind {
            ExprKind::Truth(truth) => vec![self.text(self.truth(*truth), start)],
            ExprKind::Number(number) => vec![self.text(number.to_string(), start)],
            ExprKind::Name(name) => vec![self.text(name, start)],
            ExprKind::Property(name) => vec![self.text(format!("@{name}"), start)],
            ExprKind::Word(word) => vec![self.text(self.word(*word), start)],
            ExprKind::Qualified(of, field) => {
                vec![self.name(of), self.behind("-", of.span.end), self.name(field)]
            }
            ExprKind::Place(of) => {
                let state = if self.is_article() { "-state" } else { "-automaton-state" };
                vec![self.name(of), self.plain(state)]
            }
            ExprKind::Call(guard, arguments) => return self.call(expr.span, guard, arguments),
            ExprKind::Not(inner) => vec![self.text("!", start), operand(inner)],
            ExprKind::Negative(inner) => vec![self.text("-", start), operand(inner)],
            ExprKind::Chain(first, rest) => return self.chain(expr.span, first, rest, within),
            ExprKind::Temporal(operator, body) => {
                vec![self.text(operator.spelling(), start), Doc::Blank, self.body(body, within)]
            }
            ExprKind::Observed { is_diamond, observation, body } => {
                return self.observed(expr.span, *is_diamond, observation, body, within);
            }
            ExprKind::Quantified { is_universal, variable, kinds, body } => {
                return self.quantified(expr.span, *is_universal, variable, kinds, body);
            }
            ExprKind::Addressed { is_universal, body } => vec![
                self.text(if *is_universal { "forall(" } else { "exists(" }, start),
                self.expr(body, Within::alone()),
                self.last(")", expr.span),
            ],
            ExprKind::Parenthesised(inner) => {
                let inside = self.expr(inner, Within::alone());
                vec![self.text("(", start), Doc::Indented(vec![inside]), self.last(")", expr.span)]
            }
        };
        self.group(parts, expr.span, false)
    }

    pub(super) fn truth(self, truth: bool) -> &'static str {
        match (truth, self.syntax) {
            (true, Syntax::Today) => "true",
            (false, Syntax::Today) => "false",
            (true, Syntax::Article) => "TRUE",
            (false, Syntax::Article) => "FALSE",
        }
    }

    fn word(self, word: Word) -> &'static str {
        match word {
            Word::Chan if self.is_article() => "channel",
            Word::Chan => "chan",
            Word::Star => "*",
            Word::Myself => "myself",
            Word::Sender => "sender",
            Word::Getter => "getter",
        }
    }

    /// What an operator before its operand takes.
    fn body(self, body: &Expr, within: Within) -> Doc {
        match self.syntax {
            Syntax::Today => self.expr(body, Within { least: Level::Iff, ..within }),
            Syntax::Article => self.expr(body, Within { least: Level::Comparison, ..within }),
        }
    }

    fn call(self, span: Span, guard: &Ident, arguments: &[Expr]) -> Doc {
        let all = arguments.iter().map(|one| (self.expr(one, Within::alone()), one.span)).collect();
        let parts =
            vec![self.name(guard), self.behind("(", guard.span.end), self.list(all), self.last(")", span)];
        self.group(parts, span, false)
    }

    fn chain(self, span: Span, first: &Expr, rest: &[(Operator, Expr)], within: Within) -> Doc {
        let level = rest.first().map_or(Level::Unary, |(operator, _)| operator.level());
        let least = level.tighter();
        let inner =
            |operand: &Expr, follows: Option<Level>| self.expr(operand, Within { least, follows, ..within });
        let mut end = first.span.end;
        let mut is_broken = false;
        let mut parts = Vec::new();
        for (position, (operator, operand)) in rest.iter().enumerate() {
            let follows = if position + 1 == rest.len() { within.follows } else { Some(level) };
            parts.push(Doc::Blank);
            parts.push(self.operator(*operator, end));
            parts.push(Doc::Line);
            is_broken |= self.ends_line(end, operand.span.start);
            parts.push(inner(operand, follows));
            end = operand.span.end;
        }
        let rest = if level <= Level::Until { parts } else { vec![Doc::Indented(parts)] };
        let parts = std::iter::once(inner(first, Some(level))).chain(rest).collect();
        self.group(parts, span, is_broken)
    }

    /// An operator, wherever it stands behind `end`; `==` and `&&` are written shorter.
    fn operator(self, operator: Operator, end: usize) -> Doc {
        let spelling = operator.spelling();
        let at = self.source.sign_behind(spelling, end);
        Doc::Text(spelling.to_owned(), at)
    }

    fn observed(self, span: Span, is_diamond: bool, observation: &Expr, body: &Expr, within: Within) -> Doc {
        let (open, close) = match (self.syntax, is_diamond) {
            (Syntax::Today, true) => ("<<", ">>"),
            (Syntax::Today, false) => ("[[", "]]"),
            (Syntax::Article, true) => ("<", ">"),
            (Syntax::Article, false) => ("[", "]"),
        };
        let is_closed_by_greater = self.is_article() && is_diamond;
        let inside = Within { is_closed_by_greater, ..Within::alone() };
        let inside = self.expr(observation, inside);
        let gap = if self.is_article() && begins_with_sign(observation, open) {
            Doc::Blank
        } else {
            self.plain("")
        };
        let parts = vec![
            self.text(open, span.start),
            gap,
            inside,
            self.behind(close, observation.span.end),
            Doc::Blank,
            self.body(body, within),
        ];
        self.group(parts, span, false)
    }

    fn quantified(
        self,
        span: Span,
        is_universal: bool,
        variable: &Ident,
        kinds: &[Ident],
        body: &Expr,
    ) -> Doc {
        let word = match (self.syntax, is_universal) {
            (Syntax::Today, true) => "forall",
            (Syntax::Today, false) => "exists",
            (Syntax::Article, true) => "/\\",
            (Syntax::Article, false) => "\\/",
        };
        let mut parts = vec![
            self.text(word, span.start),
            Doc::Blank,
            self.name(variable),
            Doc::Blank,
            self.behind(":", variable.span.end),
            Doc::Blank,
        ];
        let mut end = variable.span.end;
        for (position, kind) in kinds.iter().enumerate() {
            if position > 0 {
                parts.extend([Doc::Blank, self.behind("|", end), Doc::Blank]);
            }
            parts.push(self.name(kind));
            end = kind.span.end;
        }
        parts.extend([Doc::Blank, self.behind(".", end), Doc::Line]);
        parts.push(self.expr(body, Within::alone()));
        let is_broken = self.ends_line(end, body.span.start);
        self.group(vec![Doc::Indented(parts)], span, is_broken)
    }
}

/// Whether an opening `<` or `[` and the first sign of an expression would be read as one.
pub(super) fn begins_with_sign(expr: &Expr, open: &str) -> bool {
    match &expr.kind {
        ExprKind::Negative(_) => open == "<",
        ExprKind::Observed { is_diamond, .. } => *is_diamond == (open == "<"),
        ExprKind::Chain(first, rest) => {
            let level = rest.first().map_or(Level::Unary, |(operator, _)| operator.level());
            let is_enclosed = matches!(&first.kind, ExprKind::Chain(_, inner)
                if inner.iter().any(|(operator, _)| operator.level() < level.tighter()));
            !is_enclosed && begins_with_sign(first, open)
        }
        _ => false,
    }
}
