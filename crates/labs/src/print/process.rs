//! Processes and statements. A guard takes all to its right: it stands in parentheses where more follows.

use super::Printer;
use crate::ast::{Arrow, Assignment, Definition, Pick, Process, ProcessKind, Statement};
use crate::parser::expression::Level;
use paramcheck_text::document::Doc;
use paramcheck_text::source::Span;

/// How tightly a process binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Parallel,
    Choice,
    Sequence,
    Base,
}

fn strength(process: &Process) -> Strength {
    match process.kind {
        ProcessKind::Parallel(_) => Strength::Parallel,
        ProcessKind::Choice(_) => Strength::Choice,
        ProcessKind::Sequence(_) => Strength::Sequence,
        _ => Strength::Base,
    }
}

/// Whether a process stands in brackets.
fn is_bracketed(process: &Process) -> bool {
    matches!(process.kind, ProcessKind::Block(_) | ProcessKind::Parenthesised(_))
}

/// Whether a process is one word.
fn is_word(process: &Process) -> bool {
    matches!(process.kind, ProcessKind::Call(_) | ProcessKind::Skip | ProcessKind::Nil)
}

impl Printer<'_> {
    /// `NAME = process`
    pub(super) fn definition(self, definition: &Definition) -> Doc {
        let Definition { name, body } = definition;
        let mut parts = vec![self.name(name), Doc::Blank, self.behind("=", name.span.end)];
        let begins = match &body.kind {
            ProcessKind::Sequence(operands) => match operands.as_slice() {
                [first, second] => self.is_short(first, second),
                _ => false,
            },
            _ => is_bracketed(body),
        };
        let ends_line = self.ends_line(name.span.end, body.span.start);
        let body_doc = self.process(body, Strength::Parallel, true);
        if begins && !ends_line {
            parts.push(Doc::Blank);
            parts.push(body_doc);
        } else {
            parts.push(Doc::Indented(vec![Doc::Line, body_doc]));
        }
        self.group(parts, name.span.to(body.span), ends_line)
    }

    /// A process that binds as tightly as `least`; what follows it would become a part of a guard unless it
    /// `is_last`.
    fn process(self, process: &Process, least: Strength, is_last: bool) -> Doc {
        let is_guarded = matches!(process.kind, ProcessKind::Guarded { .. });
        if strength(process) < least || is_guarded && !is_last {
            let inside = self.process(process, Strength::Parallel, true);
            let [open, close] = ["(", ")"].map(|sign| Doc::Text(sign.to_owned(), None));
            return Doc::group(vec![open, Doc::Indented(vec![Doc::Soft, inside]), Doc::Soft, close], false);
        }
        let Span { start, end } = process.span;
        match &process.kind {
            ProcessKind::Parallel(operands) => self.joined(operands, "||", Strength::Choice, is_last),
            ProcessKind::Choice(operands) => self.joined(operands, "++", Strength::Sequence, is_last),
            ProcessKind::Sequence(operands) => self.sequence(operands, is_last),
            ProcessKind::Guarded { guard, is_conditional, body } => {
                let arrow = if *is_conditional { "=>" } else { "->" };
                let mut parts =
                    vec![self.condition(guard, true), Doc::Blank, self.behind(arrow, guard.span.end)];
                let ends_line = self.ends_line(guard.span.end, body.span.start);
                let inside = self.process(body, Strength::Parallel, true);
                if is_bracketed(body) && !ends_line {
                    parts.extend([Doc::Blank, inside]);
                } else {
                    parts.push(Doc::Indented(vec![Doc::Line, inside]));
                }
                self.group(parts, process.span, ends_line)
            }
            ProcessKind::Block(statements) => {
                let parts = statements.iter().map(|statement| self.statement(statement)).collect();
                let first = statements.first().map_or(end, |first| span_of(first).start);
                let block = vec![
                    self.text("{", start),
                    Doc::Indented(vec![Doc::Line, self.separated(parts, ";")]),
                    Doc::Line,
                    self.text("}", end.saturating_sub(1)),
                ];
                self.group(block, process.span, self.ends_line(start, first))
            }
            ProcessKind::Assign(assignment) => self.assignment(assignment),
            ProcessKind::Skip => self.text("Skip", start),
            ProcessKind::Nil => self.text("Nil", start),
            ProcessKind::Call(name) => self.name(name),
            ProcessKind::Parenthesised(inside) => {
                let body = self.process(inside, Strength::Parallel, true);
                let [open, close] = [self.text("(", start), self.text(")", end.saturating_sub(1))];
                let ends_line = self.ends_line(start, inside.span.start);
                let parts = if ends_line || self.source.text.is_empty() {
                    vec![open, Doc::Indented(vec![Doc::Soft, body]), Doc::Soft, close]
                } else if matches!(inside.kind, ProcessKind::Guarded { .. }) {
                    vec![open, body, close]
                } else {
                    vec![open, Doc::Indented(vec![body]), close]
                };
                self.group(parts, process.span, ends_line)
            }
        }
    }

    /// Operands of `++` or `||`.
    fn joined(self, operands: &[Process], sign: &str, least: Strength, is_last: bool) -> Doc {
        let count = operands.len();
        let parts = operands.iter().zip(1..).map(|(operand, position)| {
            (self.process(operand, least, is_last && position == count), operand.span)
        });
        self.joined_by(parts.collect(), sign, true)
    }

    /// Whether two processes, one after the other, need no line each, as `{ … }; Behavior`.
    fn is_short(self, first: &Process, second: &Process) -> bool {
        let gets_brackets =
            strength(first) < Strength::Base || matches!(first.kind, ProcessKind::Guarded { .. });
        (is_bracketed(first) || gets_brackets)
            && is_word(second)
            && !self.ends_line(first.span.end, second.span.start)
    }

    fn sequence(self, operands: &[Process], is_last: bool) -> Doc {
        let count = operands.len();
        let doc = |operand: &Process, position: usize| {
            (self.process(operand, Strength::Base, is_last && position == count), operand.span)
        };
        if let [first, second] = operands
            && self.is_short(first, second)
        {
            let sign = self.behind(";", first.span.end);
            let parts = vec![doc(first, 1).0, sign, Doc::Blank, doc(second, 2).0];
            return self.group(parts, first.span.to(second.span), false);
        }
        self.separated(
            operands.iter().zip(1..).map(|(operand, position)| doc(operand, position)).collect(),
            ";",
        )
    }

    fn statement(self, statement: &Statement) -> (Doc, Span) {
        let doc = match statement {
            Statement::Assign(assignment) => self.assignment(assignment),
            Statement::Pick(pick) => self.pick(pick),
        };
        (doc, span_of(statement))
    }

    fn assignment(self, assignment: &Assignment) -> Doc {
        let Assignment { span, targets, arrow, arrow_span, values } = assignment;
        let targets = targets.iter().map(|target| {
            let mut parts = vec![self.name(&target.name)];
            self.indices(&mut parts, &target.indices, true);
            let last = target.indices.last().map_or(target.name.span, |index| index.span);
            (Doc::group(parts, false), target.name.span.to(last))
        });
        let is_truth = *arrow == Arrow::Local && targets.len() == 1;
        let targets = self.separated(targets.collect(), ",");
        let values_from = values.first().map_or(arrow_span.end, |value| value.span.start);
        let values = values.iter().zip(0..).map(|(value, position)| {
            let level = if is_truth && position == 0 { Level::Logic } else { Level::Sum };
            let within = super::expression::Within::alone(level, true);
            (self.expr(value, within), value.span)
        });
        let parts = vec![
            targets,
            Doc::Blank,
            self.text(arrow.spelling(), arrow_span.start),
            Doc::Indented(vec![Doc::Line, self.separated(values.collect(), ",")]),
        ];
        self.group(parts, *span, self.ends_line(arrow_span.end, values_from))
    }

    fn pick(self, pick: &Pick) -> Doc {
        let Pick { span, local, count, kind, condition } = pick;
        let mut parts = vec![
            self.name(local),
            Doc::Text("[] :=".to_owned(), None),
            Doc::Blank,
            self.before("pick", count.span.start),
            Doc::Blank,
            self.number(count, false),
        ];
        if let Some(kind) = kind {
            parts.extend([Doc::Blank, self.name(kind)]);
        }
        if let Some(condition) = condition {
            parts.push(Doc::Indented(vec![
                Doc::Line,
                self.before("where", condition.span.start),
                Doc::Blank,
                self.condition(condition, false),
            ]));
        }
        self.group(parts, *span, false)
    }
}

fn span_of(statement: &Statement) -> Span {
    match statement {
        Statement::Assign(assignment) => assignment.span,
        Statement::Pick(pick) => pick.span,
    }
}
