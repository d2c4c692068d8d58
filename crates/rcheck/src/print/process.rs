//! What agents do.

use super::Printer;
use super::expression::{Within, begins_with_sign};
use crate::ast::{Action, Assignment, Channel, Command, Expr, ExprKind, Process, ProcessKind};
use paramcheck_text::document::Doc;
use paramcheck_text::source::Span;

/// How tightly a process binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Choice,
    Sequence,
    Base,
}

fn strength(process: &Process) -> Strength {
    match process.kind {
        ProcessKind::Choice(_) => Strength::Choice,
        ProcessKind::Sequence(_) => Strength::Sequence,
        _ => Strength::Base,
    }
}

impl Printer<'_> {
    pub(super) fn process(self, process: &Process) -> Doc {
        self.within(process, Strength::Choice)
    }

    fn within(self, process: &Process, least: Strength) -> Doc {
        if strength(process) < least {
            return self.parenthesised(process.span, self.plain("("), process, self.plain(")"));
        }
        match &process.kind {
            ProcessKind::Choice(all) => self.joined(process.span, all, "+", Strength::Sequence),
            ProcessKind::Sequence(all) => self.joined(process.span, all, ";", Strength::Base),
            ProcessKind::Rep(inner) => {
                let parts = vec![
                    self.text("rep", process.span.start),
                    Doc::Blank,
                    self.within(inner, Strength::Base),
                ];
                self.group(parts, process.span, false)
            }
            ProcessKind::Parenthesised(inner) => {
                let (open, close) = (self.text("(", process.span.start), self.last(")", process.span));
                self.parenthesised(process.span, open, inner, close)
            }
            ProcessKind::Command(command) => self.command(process.span, command),
        }
    }

    fn parenthesised(self, span: Span, open: Doc, inner: &Process, close: Doc) -> Doc {
        let is_broken =
            self.ends_line(span.start, inner.span.start) || self.ends_line(inner.span.end, span.end);
        let inside = Doc::Indented(vec![Doc::Soft, self.within(inner, Strength::Choice)]);
        self.group(vec![open, inside, Doc::Soft, close], span, is_broken)
    }

    /// `a; b` and `a + b`: the sign ends a line, or begins one.
    fn joined(self, span: Span, all: &[Process], sign: &str, least: Strength) -> Doc {
        let mut parts = Vec::new();
        let mut is_broken = false;
        let mut last: Option<Span> = None;
        for process in all {
            if let Some(last) = last {
                is_broken |= self.ends_line(last.end, process.span.start);
                let sign = self.behind(sign, last.end);
                match least {
                    Strength::Base => parts.extend([sign, Doc::Line]),
                    _ => parts.extend([Doc::Line, sign, Doc::Blank]),
                }
            }
            parts.push(self.within(process, least));
            last = Some(process.span);
        }
        self.group(parts, span, is_broken)
    }

    fn command(self, span: Span, command: &Command) -> Doc {
        let mut parts = Vec::new();
        if let Some(label) = &command.label {
            parts.extend([self.name(label), self.behind(":", label.span.end), Doc::Blank]);
        }
        self.guard(&mut parts, &command.guard);
        parts.push(Doc::Blank);
        let end = command.guard.span.end;
        // Brackets are found from the end of the command backwards.
        let (update, at) =
            self.assignments("[", self.last("]", span), &command.update, span.end.saturating_sub(1));
        let data = |parts: &mut Vec<Doc>| {
            let (close, at) = self.before(")", at);
            let (data, at) = self.assignments("(", close, &command.data, at);
            parts.extend(data);
            at
        };
        match &command.action {
            Action::Send(channel, to) => {
                parts.extend([self.channel(channel), self.behind("!", channel.span.end), Doc::Blank]);
                parts.push(self.expr(to, Within::alone()));
                if !matches!(to.kind, ExprKind::Parenthesised(_) | ExprKind::Call(..)) {
                    parts.push(Doc::Blank);
                }
                data(&mut parts);
            }
            Action::Receive(channel) => {
                parts.extend([self.channel(channel), self.behind("?", channel.span.end), Doc::Blank]);
            }
            Action::Get(whom) => {
                parts.extend([self.behind("GET", end), self.plain("@("), self.expr(whom, Within::alone())]);
                let mut behind = Vec::new();
                let at = data(&mut behind);
                parts.push(self.before(")", at).0);
                parts.append(&mut behind);
            }
            Action::Supply { is_myself, span } => {
                parts.extend([self.behind("SUPPLY", end), self.plain("@(")]);
                parts.push(self.text(if *is_myself { "myself" } else { "any" }, span.start));
                parts.push(self.behind(")", span.end));
                data(&mut parts);
            }
        }
        parts.extend(update);
        self.group(vec![Doc::Indented(parts)], span, false)
    }

    /// `{ψ}`, `<ψ>`
    fn guard(self, parts: &mut Vec<Doc>, guard: &Expr) {
        let inside = self.expr(guard, Within::alone());
        let (open, close) = if self.is_article() { ("<", ">") } else { ("{", "}") };
        parts.push(self.before(open, guard.span.start).0);
        if self.is_article() && begins_with_sign(guard, open) {
            parts.push(Doc::Blank);
        }
        parts.extend([inside, self.behind(close, guard.span.end)]);
    }

    fn channel(self, channel: &Channel) -> Doc {
        self.text(channel.name.as_deref().unwrap_or("*"), channel.span.start)
    }

    /// Assignments in brackets, the closing one of which stands at `end`, and where the opening one stands.
    fn assignments(self, open: &str, close: Doc, all: &[Assignment], end: usize) -> (Vec<Doc>, usize) {
        let start = all.first().map_or(end, |first| first.name.span.start);
        let (open, at) = self.before(open, start);
        let all = all.iter().map(|Assignment { name, value }| {
            let span = name.span.to(value.span);
            let parts = vec![
                self.name(name),
                Doc::Blank,
                self.behind(":=", name.span.end),
                Doc::Blank,
                self.expr(value, Within::alone()),
            ];
            (self.group(parts, span, false), span)
        });
        (vec![open, self.list(all.collect()), close], at)
    }
}
