//! Warnings: what is in a file without effect.

use rustc_hash::FxHashSet;

use super::reach::{Reach, Scope};
use super::{Report, property, systems};
use crate::ast::{Action, ActionKind, Model, ParallelOperator, PostfixKind, Process, ProcessKind};
use crate::model::{Label, System};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::process::meaning as codes;
use paramcheck_text::index::Idx;
use paramcheck_text::source::Span;

/// Warns of constants that are not reachable from the system, and of operators that name no action of it.
pub(crate) fn warn(
    model: &Model,
    scope: &Scope<'_>,
    reach: &Reach<'_>,
    system: &System,
    report: &mut Report,
) {
    let mut is_used = vec![false; scope.definitions.len()];
    reach.definitions.iter().for_each(|position| is_used[*position] = true);
    for (definition, _) in scope.definitions.iter().zip(&is_used).filter(|(_, is_used)| !**is_used) {
        let name = &definition.name;
        let message = format!("the process `{}` is never used", name.text);
        let label = "the system does not come to it";
        report.push(Diagnostic::new(&codes::UNUSED_CONSTANT, message, name.span, label));
    }
    let occurs = property::alphabet(system);
    let alphabet: FxHashSet<(&str, bool)> = system
        .labels
        .enumerate()
        .filter(|(id, _)| occurs[id.index()])
        .filter_map(|(_, label)| match label {
            Label::Action { name, is_co } => Some((name.as_str(), *is_co)),
            _ => None,
        })
        .collect();
    let mut idle = Idle { alphabet, report };
    for position in &reach.definitions {
        idle.process(&scope.definitions[*position].body);
    }
    systems(model).for_each(|system| idle.process(&system.body));
}

struct Idle<'a, 'r> {
    /// Names of actions and whether they occur as co-actions.
    alphabet: FxHashSet<(&'a str, bool)>,
    report: &'r mut Report,
}

impl Idle<'_, '_> {
    /// Recursion is bounded by the parser's limit on nesting.
    fn process(&mut self, process: &Process) {
        match &process.kind {
            ProcessKind::Nil | ProcessKind::Constant(_) | ProcessKind::Action(_) => {}
            ProcessKind::Prefix(_, inside) | ProcessKind::Loop(inside) => self.process(inside),
            ProcessKind::Postfix(inside, operators) => {
                self.process(inside);
                for operator in operators {
                    match &operator.kind {
                        PostfixKind::Restrict(names) => {
                            names.iter().for_each(|name| self.name("restricted", &name.text, name.span));
                        }
                        PostfixKind::Relabel(renamings) => renamings.iter().for_each(|renaming| {
                            self.name("relabelled", &renaming.old.text, renaming.old.span)
                        }),
                        PostfixKind::Power(_) => {}
                    }
                }
            }
            ProcessKind::Sequence(parts) | ProcessKind::Choice(parts) => {
                parts.iter().for_each(|part| self.process(part));
            }
            ProcessKind::Parallel(parts, operator) => {
                parts.iter().for_each(|part| self.process(part));
                if let ParallelOperator::Hoare(set) = operator {
                    set.iter().for_each(|action| self.action(action));
                }
            }
        }
    }

    fn name(&mut self, what: &str, name: &str, span: Span) {
        if !self.alphabet.contains(&(name, false)) && !self.alphabet.contains(&(name, true)) {
            self.warn(what, name, span);
        }
    }

    fn action(&mut self, action: &Action) {
        if let ActionKind::Visible { name, is_co, .. } = &action.kind
            && !self.alphabet.contains(&(&name.text, *is_co))
        {
            self.warn("synchronised", &crate::print::action(action), action.span);
        }
    }

    fn warn(&mut self, what: &str, name: &str, span: Span) {
        self.report.push(Diagnostic::new(
            &codes::IDLE_OPERATOR,
            format!("the action `{name}` is {what} but occurs nowhere"),
            span,
            "nothing does it",
        ));
    }
}
