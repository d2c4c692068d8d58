//! From syntax tree to [`System`]: names become ids, and everything that the model's types promise is
//! checked.
//!
//! `reach` finds what is reachable from the system, `terms` makes terms (in an `arena`), `recursion` looks at
//! cycles of constants, `projection` makes the peers of a choreography, `property` the checks, `unused`
//! and `vacuous` warn. All definitions are searched for errors; the system is made of those reachable from it.
//!
//! All steps take time near-linear in the text and what is made of it, and recurse over
//! nothing but the tree, whose depth the parser bounds.

use crate::Language;
use crate::ast::{Item, Model};
use crate::model::System;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::reading::MAX_DIAGNOSTICS;
use paramcheck_text::source::Span;

mod arena;
mod projection;
mod property;
mod reach;
mod recursion;
mod terms;
mod unused;
mod vacuous;

/// What a syntax tree means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lowered {
    /// The system; there is one exactly if no diagnostic is an error.
    pub system: Option<System>,
    /// What is wrong, by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// Collects what is wrong.
#[derive(Default)]
struct Report {
    diagnostics: Vec<Diagnostic>,
}

impl Report {
    /// Keeps a diagnostic, unless there are more than will be shown.
    fn push(&mut self, diagnostic: Diagnostic) {
        if !self.is_full() {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Whether there are as many as will be shown.
    fn is_full(&self) -> bool {
        self.diagnostics.len() > MAX_DIAGNOSTICS
    }

    fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Gives a syntax tree its meaning. Total: any tree gives a system or at least one error.
pub(crate) fn lower(model: &Model, language: Language) -> Lowered {
    let mut report = Report::default();
    let system = system(model, language, &mut report);
    let mut diagnostics = report.diagnostics;
    diagnostics.sort_by_key(|diagnostic| diagnostic.labels.first().map(|label| label.span));
    let system = system.filter(|_| !diagnostics.iter().any(Diagnostic::is_error));
    Lowered { system, diagnostics }
}

fn system(model: &Model, language: Language, report: &mut Report) -> Option<System> {
    let scope = reach::Scope::new(model, report);
    let all = terms::lower(&scope, &scope.everything(), &[], language, report);
    recursion::check(&all, language, report);
    property::names(model, report);
    let reach = reach::from_system(&scope, report)?;
    if report.has_errors() {
        return None;
    }
    // Nothing is left to be wrong in this part, so nothing is reported twice.
    let used = terms::lower(&scope, &reach.definitions, &reach.peers, language, &mut Report::default());
    let lowered = projection::project(used, &reach, language, report)?;
    let system = property::with_checks(lowered, model, report);
    if !report.has_errors() {
        unused::warn(model, &scope, &reach, &system, report);
        vacuous::warn(model, &system, report);
    }
    Some(system)
}

/// The places of all items that are not definitions or checks: the systems.
fn systems(model: &Model) -> impl Iterator<Item = &crate::ast::SystemItem> {
    model.items.iter().filter_map(|item| match item {
        Item::System(system) => Some(system),
        _ => None,
    })
}

/// The end of the text as far as the tree knows it.
fn end(model: &Model) -> Span {
    let end = model.items.last().map_or(0, |item| item.span().end);
    Span::new(end, end)
}
