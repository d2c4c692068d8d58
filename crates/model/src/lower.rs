//! From syntax tree to [`System`]: names become ids, abbreviations are replaced, and everything that
//! the model's types promise is checked.
//!
//! The steps, one submodule each: `component` types; `link`s; `rule`s, still as *drafts* in
//! which anything may be broken; which predicates derive finite trees and are reachable
//! (`productive`); who creates each variable's component (`ownership`); what types it can have
//! (`types`); `error`s. A broken part is reported once and marked, so that later steps do not
//! complain of its consequences. Only without any error a system is made (`finish`), and only then
//! merely `unused` things are looked for, and what `never` happens. `exclusion`: errors in which no marking
//! is. `wsks`: formulas over components, for `error`.
//!
//! All steps take time near-linear in the text and in the result, and none recurses over what the
//! user wrote, except over an error's formula, whose depth is bounded.

use crate::syntax::{ast, parser};
use crate::system::System;
use paramcheck_text::diagnostic::Diagnostic;

mod component;
mod draft;
mod duplicate;
mod error;
mod exclusion;
mod finish;
mod link;
mod names;
mod never;
mod ownership;
mod productive;
mod property;
mod resolve;
mod root;
mod rule;
mod types;
mod unused;
mod wsks;

#[cfg(test)]
mod tests;

pub use error::lower_error;
pub use property::lower_property;

/// What a syntax tree means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lowered {
    /// The system; there is one exactly if no diagnostic is an error.
    pub system: Option<System>,
    /// What is wrong, by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// Gives a syntax tree its meaning. Total: any tree gives a system or at least one error.
pub fn lower(model: &ast::Model) -> Lowered {
    let mut report = names::Report::default();
    let mut budget = link::Budget::new();
    let components = component::lower_components(model, &mut report);
    let groups = draft::Groups::collect(model);
    let links = link::expand_links(model, &components, &groups, &mut budget, &mut report);
    let mut draft = rule::draft_rules(model, components, groups, &links, &mut budget, &mut report);
    draft.note_created();
    root::find_root(model, &mut draft, &mut report);
    let derivable = &productive::analyse(&draft, &mut report);
    let owners = &ownership::infer(&draft, derivable, &mut report);
    let types = &types::infer(&draft, derivable, owners, &mut report);
    let conditions = &types::check(&draft, types, &mut report);
    let errors = error::lower_errors(model, &draft, &mut report);
    let findings = finish::Findings { draft: &draft, derivable, owners, types, conditions };
    let system = finish::finish(&findings, errors, &mut report);
    if system.is_some() {
        unused::warn(&draft, &links, derivable, types, &mut report);
        never::warn(&draft, derivable, types, &mut report);
    }
    let mut diagnostics = report.into_diagnostics();
    diagnostics.sort_by_key(|diagnostic| diagnostic.labels.first().map(|label| label.span));
    Lowered { system, diagnostics }
}

/// Reads a text and gives it its meaning. A text that can't be read in full is not given a meaning: what
/// is missing would be complained of as unknown.
pub fn load(text: &str) -> Lowered {
    let parsed = parser::parse(text);
    if parsed.diagnostics.iter().any(Diagnostic::is_error) {
        return Lowered { system: None, diagnostics: parsed.diagnostics };
    }
    let mut lowered = lower(&parsed.model);
    lowered.diagnostics.splice(0..0, parsed.diagnostics);
    lowered
}
