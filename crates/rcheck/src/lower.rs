//! From a syntax tree to a well-typed [`System`].
//!
//! In three steps, each of which needs the one before without errors: names and types (`names`), agents
//! (`agent`, `automaton`, `relabel`; expressions by `value`, names in them by `scope`), instances and what
//! may hold of them in the beginning (`initial`), properties (`spec`). Beside these, `misplaced` finds
//! temporal operators in the model and `readings` what the published tool reads otherwise. Total: any tree
//! gives a system, or errors.

use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::rcheck::meaning as codes;

use crate::ast::File;
use crate::model::System;

mod agent;
mod automaton;
mod initial;
mod misplaced;
mod names;
mod observation;
mod readings;
mod relabel;
mod scope;
mod spec;
#[cfg(test)]
mod tests;
mod value;

/// The most instances of a system.
pub const MAX_INSTANCES: usize = 10_000;
/// The most nodes of all expressions, with guards inlined and quantifiers expanded.
pub const MAX_NODES: usize = 1_000_000;

/// What [`lower`] makes of a tree.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The system, unless something is wrong.
    pub system: Option<System>,
    /// What is wrong or strange, by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// What the steps share.
struct Context<'f> {
    diagnostics: Vec<Diagnostic>,
    /// The guards that are being inlined.
    guards: Vec<usize>,
    /// Nodes made so far.
    nodes: usize,
    text: &'f str,
}

impl Context<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn is_sound(&self) -> bool {
        !self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Gives a tree its meaning. `text` is the source: properties keep theirs.
pub fn lower(file: &File, text: &str, as_rcheck: bool) -> Lowered {
    let mut context = Context { diagnostics: Vec::new(), guards: Vec::new(), nodes: 0, text };
    let system = meaning(&mut context, file);
    if !as_rcheck {
        readings::warn(file, text, &mut context.diagnostics);
    }
    let mut diagnostics = context.diagnostics;
    diagnostics.sort_by_key(|diagnostic| diagnostic.labels.first().map_or(0, |label| label.span.start));
    // What is the same for many instances, or uses of a guard, is reported once.
    diagnostics.dedup();
    let is_sound = !diagnostics.iter().any(Diagnostic::is_error);
    Lowered { system: system.filter(|_| is_sound), diagnostics }
}

fn meaning(context: &mut Context<'_>, file: &File) -> Option<System> {
    misplaced::report(file, context);
    let (mut system, names) = names::collect(context, file);
    if context.diagnostics.iter().any(|one| one.code == &codes::DUPLICATE) || !context.is_sound() {
        return None;
    }
    agent::guards(context, &names, &system);
    agent::agents(context, &names, &mut system);
    agent::instances(context, &names, &mut system);
    if context.is_sound() {
        relabel::check(context, &names, &system);
        initial::bounds(context, &names, &mut system);
    }
    spec::specs(context, file, &names, &mut system);
    Some(system)
}
