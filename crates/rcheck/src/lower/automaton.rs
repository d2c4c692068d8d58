//! Structure automata: locations between commands, numbered as the published tool numbers them.
//!
//! Location 0 is start and end of the process. Each `;` takes the next number before its operands are
//! numbered, the left one first. In today's syntax `a; b; c` is `(a; b); c`, in the article's `a; (b; c)`.
//! `rep` loops where it starts: nothing behind it is ever reached.

use super::Context;
use crate::ast::{Command, Process, ProcessKind};
use crate::vocabulary::Syntax;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::rcheck::meaning as codes;
use paramcheck_text::source::Span;

/// A command between two locations.
pub(super) struct Edge<'f> {
    pub(super) command: &'f Command,
    pub(super) span: Span,
    pub(super) source: usize,
    pub(super) target: usize,
}

/// The structure automaton of a process.
pub(super) struct Automaton<'f> {
    syntax: Syntax,
    pub(super) locations: usize,
    pub(super) edges: Vec<Edge<'f>>,
}

impl<'f> Automaton<'f> {
    /// Without edges.
    pub(super) fn new(syntax: Syntax) -> Automaton<'f> {
        Automaton { syntax, locations: 1, edges: Vec::new() }
    }

    /// Adds the edges of the whole process.
    pub(super) fn process(&mut self, context: &mut Context<'_>, process: &'f Process) {
        self.between(context, process, 0, 0);
    }

    fn fresh(&mut self) -> usize {
        self.locations += 1;
        self.locations - 1
    }

    /// The recursion is bounded by that of the parser.
    fn between(&mut self, context: &mut Context<'_>, process: &'f Process, source: usize, target: usize) {
        match &process.kind {
            ProcessKind::Choice(all) => {
                all.iter().for_each(|one| self.between(context, one, source, target));
            }
            ProcessKind::Sequence(all) => self.sequence(context, all, source, target),
            ProcessKind::Rep(inner) => self.between(context, inner, source, source),
            ProcessKind::Parenthesised(inner) => self.between(context, inner, source, target),
            ProcessKind::Command(command) => {
                self.edges.push(Edge { command, span: process.span, source, target });
            }
        }
    }

    fn sequence(&mut self, context: &mut Context<'_>, all: &'f [Process], source: usize, target: usize) {
        let mut between: Vec<usize> = Vec::new();
        if self.syntax == Syntax::Today {
            between = (1..all.len()).map(|_| self.fresh()).collect();
            between.reverse();
        }
        let mut source = source;
        for (position, process) in all.iter().enumerate() {
            let is_last = position + 1 == all.len();
            let next = match (is_last, between.get(position)) {
                (true, _) => target,
                (false, Some(next)) => *next,
                (false, None) => self.fresh(),
            };
            self.between(context, process, source, next);
            source = next;
            if let (ProcessKind::Rep(_), Some(behind)) = (&process.bare().kind, all.get(position + 1)) {
                context.report(unreachable(self.syntax, process.span, behind));
            }
        }
    }
}

/// What stands behind a `rep`.
fn unreachable(syntax: Syntax, rep: Span, behind: &Process) -> Diagnostic {
    let message = "nothing behind `rep …;` is ever reached: `rep` has no way out";
    let diagnostic = Diagnostic::new(&codes::UNREACHABLE, message, behind.span, "this is never reached")
        .label(rep, "this goes on for ever");
    diagnostic.help(match syntax {
        Syntax::Today => {
            "the published tool reads it as `rep (a; b)`: write parentheses if that is intended; a choice, \
             `rep a + b`, leaves the loop by `b`"
        }
        Syntax::Article => "a choice, `rep a + b`, leaves the loop by `b`",
    })
}
