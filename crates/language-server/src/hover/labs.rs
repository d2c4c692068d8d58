//! What is known of the names of a system of agents.

use paramcheck_labs::ast::{
    AgentSection, Declaration, File, Initial, Modality, Property, Section, StigmergySection, SystemSection,
    Within,
};
use paramcheck_text::source::Span;

use super::code;
use crate::index::{Kind, Symbol};

/// What is known of `symbol`.
pub(super) fn describe(symbol: &Symbol, tree: &File, text: &str) -> String {
    let name = symbol.name.as_str();
    let written = |span: Span| code("labs", text.get(span.start..span.end).unwrap_or_default().trim_end());
    let found = match symbol.kind {
        Kind::Variable => Some(variable(name, tree, text)),
        Kind::Parameter => {
            let value = name.trim_start_matches('_');
            Some(format!("parameter `{name}`: its value follows the file in a call, as in `{value}=3`"))
        }
        Kind::Agents => agents(tree).find(|one| one.name.text == name).map(|one| {
            let count = systems(tree).flat_map(|system| &system.spawn).find(|spawn| spawn.kind.text == name);
            let count = count.map_or("none", |spawn| slice(text, spawn.count.span));
            format!("kind of agents `{name}`, of which there are: `{count}`\n\n{}", written(one.span))
        }),
        Kind::Stigmergy => stigmergies(tree).find(|one| one.name.text == name).map(|one| written(one.span)),
        Kind::Definition => definition(symbol, tree).map(written),
        Kind::Property => properties(tree).find(|one| one.name.text == name).map(|one| property(one, text)),
        Kind::Assumption => {
            let sections = tree.sections.iter().filter_map(|section| match section {
                Section::Assume(section) => Some(section),
                _ => None,
            });
            let mut all = sections.flat_map(|section| &section.assumptions);
            all.find(|one| one.name.text == name)
                .map(|one| format!("assumption: every initial state has\n\n{}", written(one.formula.span)))
        }
        _ => None,
    };

    found.unwrap_or_else(|| match symbol.kind {
        Kind::Local => format!("`{name}`, known in this block or formula alone"),
        kind => format!("{} `{name}`, which is not defined", kind.word()),
    })
}

fn slice(text: &str, span: Span) -> &str {
    text.get(span.start..span.end).unwrap_or_default()
}

fn systems(tree: &File) -> impl Iterator<Item = &SystemSection> {
    tree.sections.iter().filter_map(|section| match section {
        Section::System(section) => Some(section),
        _ => None,
    })
}

fn agents(tree: &File) -> impl Iterator<Item = &AgentSection> {
    tree.sections.iter().filter_map(|section| match section {
        Section::Agent(section) => Some(section),
        _ => None,
    })
}

fn stigmergies(tree: &File) -> impl Iterator<Item = &StigmergySection> {
    tree.sections.iter().filter_map(|section| match section {
        Section::Stigmergy(section) => Some(section),
        _ => None,
    })
}

fn properties(tree: &File) -> impl Iterator<Item = &Property> {
    tree.sections
        .iter()
        .filter_map(|section| match section {
            Section::Check(section) => Some(section),
            _ => None,
        })
        .flat_map(|section| &section.properties)
}

/// All declarations of a name: whose they are, and with which initial values.
fn variable(name: &str, tree: &File, text: &str) -> String {
    let mut lines = Vec::new();
    let initial = |initial: &Initial| initial_values(initial, text);
    let of = |all: &[Declaration], what: &str, lines: &mut Vec<String>| {
        for one in all.iter().filter(|one| one.variable.name.text == name) {
            let array = extents(&one.variable.extents, text);
            lines.push(format!("{what} `{name}{array}`, at first {}", initial(&one.initial)));
        }
    };
    systems(tree).for_each(|one| of(&one.environment, "variable of the environment", &mut lines));
    for agent in agents(tree) {
        of(&agent.interface, &format!("attribute of `{}`:", agent.name.text), &mut lines);
    }
    for stigmergy in stigmergies(tree) {
        for tuple in &stigmergy.tuples {
            let Some(at) = tuple.variables.iter().position(|one| one.name.text == name) else { continue };
            let array = extents(&tuple.variables[at].extents, text);
            let values = tuple.initials.get(at).map_or("not given".to_owned(), initial);
            let others = tuple.variables.iter().filter(|one| one.name.text != name);
            let others = itertools::join(others.map(|one| format!("`{}`", one.name.text)), ", ");
            let together = if others.is_empty() { others } else { format!("; travels with {others}") };
            let whose = &stigmergy.name.text;
            lines.push(format!(
                "variable of the stigmergy `{whose}`: `{name}{array}`, at first {values}{together}"
            ));
        }
    }
    match lines.is_empty() {
        true => format!("variable `{name}`, which is not declared"),
        false => lines.join("\n\n"),
    }
}

fn extents(extents: &[paramcheck_labs::ast::Expr], text: &str) -> String {
    match extents {
        [] => String::new(),
        _ => format!("[{}]", itertools::join(extents.iter().map(|one| slice(text, one.span)), ", ")),
    }
}

fn initial_values(initial: &Initial, text: &str) -> String {
    let value = |expr: &paramcheck_labs::ast::Expr| slice(text, expr.span).to_owned();
    match initial {
        Initial::Undefined(_) => "undefined".to_owned(),
        Initial::OneOf(values) => format!("one of `{}`", itertools::join(values.iter().map(value), ", ")),
        Initial::Range(low, high) => {
            format!("from `{}` to the one before `{}`", value(low), value(high))
        }
        Initial::Value(one) => format!("`{}`", value(one)),
    }
}

/// The process of this name: of the kind, or of the system.
fn definition(symbol: &Symbol, tree: &File) -> Option<Span> {
    let of_kind = agents(tree).filter(|agent| agent.name.text == symbol.container);
    let of_kind = of_kind.flat_map(|agent| &agent.definitions);
    let of_system = systems(tree).flat_map(|system| &system.definitions);
    let mut all = of_kind.chain(of_system.filter(|_| symbol.container.is_empty()));
    let found = all.find(|one| one.name.text == symbol.name)?;
    Some(found.name.span.to(found.body.span))
}

/// A property as written, and when its formula is to hold.
fn property(property: &Property, text: &str) -> String {
    let whole = slice(text, property.name.span.to(property.formula.span));
    let words = match &property.modality {
        Modality::Always => "holds if the formula is true in every reachable state".to_owned(),
        Modality::Eventually { .. } => {
            "holds if every run, finite or infinite, comes to a state in which the formula is true".to_owned()
        }
        Modality::Fairly => {
            "holds if the formula, as long as it has not become true, still can become true".to_owned()
        }
        Modality::FairlyInfinite => {
            "holds if from every reachable state one can be reached in which the formula is true".to_owned()
        }
        Modality::Scope { is_open, within, .. } => {
            let scopes =
                if *is_open { "each scope, also one that never closes," } else { "each scope that closes" };
            let what = match within {
                Within::ThereIs => "has a state in which the formula is true",
                Within::Always => "has only states in which the formula is true",
                Within::Precedes(_) => {
                    "has no state in which the formula is true before the first in which the other one is"
                }
            };
            format!("holds if {scopes} {what}")
        }
    };
    format!("{}\n\n{words}", code("labs", whole))
}
