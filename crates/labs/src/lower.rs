//! From a syntax tree and the values of its parameters to a well-formed [`System`].
//!
//! In four steps, each of which needs the one before without errors: cells are laid out and constants computed
//! (`layout`, `constant`); links, processes, and formulas are made in terms of these (`expression`, `process`,
//! `property`); recursion is looked at (`recursion`). Total: any tree gives a system, or errors. Whether there is
//! an initial state is found by who explores, not here.

use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::labs::meaning as codes;
use paramcheck_text::index::IndexVec;

use crate::Parameters;
use crate::ast::{self, Section};
use crate::model::{self, System};

mod constant;
mod expression;
mod layout;
mod names;
mod process;
mod property;
mod recursion;
#[cfg(test)]
mod tests;

/// What [`lower`] makes of a tree.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The system, unless something is wrong.
    pub system: Option<System>,
    /// What is wrong or strange, by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// The most agents of a system.
pub const MAX_AGENTS: usize = 10_000;
/// The most cells of a system.
pub const MAX_CELLS: usize = 1_000_000;

/// Gives a tree its meaning.
pub fn lower(file: &ast::File, parameters: &Parameters) -> Lowered {
    let mut diagnostics = Vec::new();
    let system = meaning(file, parameters, &mut diagnostics);
    diagnostics.sort_by_key(|diagnostic| diagnostic.labels.first().map_or(0, |label| label.span.start));
    // What is the same for many agents, or kinds, is said once.
    diagnostics.dedup();
    let is_sound = is_sound(&diagnostics);
    Lowered { system: system.filter(|_| is_sound), diagnostics }
}

/// The property in a text of its own, for a system.
///
/// # Errors
/// What is wrong with it; warnings come with the property.
pub fn property(
    system: &System,
    property: &ast::Property,
) -> Result<(model::Property, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    let lowered = property::property(system, property, &mut diagnostics);
    match lowered.filter(|_| is_sound(&diagnostics)) {
        Some(property) => Ok((property, diagnostics)),
        None => Err(diagnostics),
    }
}

fn is_sound(diagnostics: &[Diagnostic]) -> bool {
    !diagnostics.iter().any(Diagnostic::is_error)
}

fn meaning(file: &ast::File, parameters: &Parameters, diagnostics: &mut Vec<Diagnostic>) -> Option<System> {
    let mut system = layout::layout(file, parameters, diagnostics)?;
    if !is_sound(diagnostics) {
        return None;
    }
    let links = links(file, &system, diagnostics);
    let behaviors = process::behaviors(file, &system, diagnostics);
    let (mut assumptions, mut properties) = (Vec::new(), Vec::new());
    for section in &file.sections {
        match section {
            Section::Assume(section) => {
                let all = section.assumptions.iter();
                assumptions.extend(all.filter_map(|one| property::assumption(&system, one, diagnostics)));
            }
            Section::Check(section) => {
                let all = section.properties.iter();
                properties.extend(all.filter_map(|one| property::property(&system, one, diagnostics)));
            }
            Section::System(_) | Section::Stigmergy(_) | Section::Agent(_) => {}
        }
    }
    if !is_sound(diagnostics) {
        return None;
    }
    for (stigmergy, link) in system.stigmergies.iter_mut().zip(links) {
        stigmergy.link = link;
    }
    (system.assumptions, system.properties) = (assumptions, properties);
    behaviors.move_into(&mut system);
    recursion::check(file, &system, diagnostics);
    Some(system)
}

/// Per stigmergy its link.
fn links(file: &ast::File, system: &System, diagnostics: &mut Vec<Diagnostic>) -> Vec<model::Expr> {
    let sections = file.sections.iter().filter_map(|section| match section {
        Section::Stigmergy(section) => Some(section),
        _ => None,
    });
    let links = sections.filter_map(|section| {
        let (id, _) = system.stigmergies.enumerate().find(|(_, one)| one.name == section.name.text)?;
        let Some(link) = &section.link else {
            let message = format!("the stigmergy `{}` has no link", section.name.text);
            let help = "say who hears whom: `link = true` is everybody";
            diagnostics.push(Diagnostic::new(&codes::NO_LINK, message, section.name.span, "").help(help));
            return None;
        };
        Some(expression::link(system, id, link, diagnostics))
    });
    links.collect()
}

/// A system with nothing in it.
fn empty() -> System {
    System {
        parameters: Vec::new(),
        environment: Vec::new(),
        kinds: IndexVec::new(),
        agents: IndexVec::new(),
        first_cells: IndexVec::new(),
        names: IndexVec::new(),
        stigmergies: IndexVec::new(),
        tuples: IndexVec::new(),
        initial: Vec::new(),
        processes: IndexVec::new(),
        definitions: IndexVec::new(),
        guards: IndexVec::new(),
        actions: IndexVec::new(),
        assumptions: Vec::new(),
        properties: Vec::new(),
    }
}
