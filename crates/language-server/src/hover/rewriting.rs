//! What is known of the names of a rewriting system.

use std::fmt::Write;

use itertools::Itertools;
use paramcheck_model::component::ComponentType;
use paramcheck_model::error::print::print_formula;
use paramcheck_model::rule::{Ownership, Rule};
use paramcheck_model::statistics::Statistics;
use paramcheck_model::syntax::ast::{ComponentItem, Item, Model};
use paramcheck_model::syntax::print;
use paramcheck_model::system::System;
use paramcheck_text::source::Span;

use super::code;
use crate::index::{Index, Kind, Symbol};

/// What is known of `symbol`, which stands `at` some place.
pub(super) fn describe(
    symbol: &Symbol,
    at: Span,
    (tree, system): (&Model, Option<&System>),
    index: &Index,
) -> String {
    let name = &symbol.name;
    let written = |is_it: &dyn Fn(&Item) -> bool| {
        let items: Vec<Item> = tree.items.iter().filter(|item| is_it(item)).cloned().collect();
        code("rws", print(&Model { items }).trim_end())
    };
    match symbol.kind {
        Kind::ComponentType => {
            written(&|item| matches!(item, Item::Component(one) if one.name.text == *name))
        }
        Kind::Link => written(&|item| matches!(item, Item::Link(one) if one.name.text == *name)),
        Kind::State => state(symbol, tree),
        Kind::Port => port(name, tree, index, symbol),
        Kind::Predicate => predicate(name, tree, system),
        Kind::Variable => variable(name, at, tree, system),
        Kind::Error => {
            let formula = system.and_then(|system| Some((system, system.error_named(name)?)));
            match formula {
                Some((system, error)) => {
                    code("rws", &format!("error {name} = {}", print_formula(system, &error.formula)))
                }
                None => format!("error `{name}`"),
            }
        }
        _ => format!("{} `{name}`", symbol.kind.word()),
    }
}

/// The transitions of all component types that are as wanted, a line each.
fn transitions(tree: &Model, is_wanted: impl Fn(&str, &str, Option<&str>, &str) -> bool) -> String {
    let mut lines = Vec::new();
    for item in &tree.items {
        let Item::Component(component) = item else { continue };
        for item in &component.items {
            let ComponentItem::Transition(one) = item else { continue };
            let port = one.port.as_ref().map(|port| port.text.as_str());
            if is_wanted(&component.name.text, &one.from.text, port, &one.to.text) {
                let arrow = port.map_or("->".to_owned(), |port| format!("-{port}->"));
                lines.push(format!("{}: {} {arrow} {}", component.name.text, one.from.text, one.to.text));
            }
        }
    }
    lines.join("\n")
}

fn state(symbol: &Symbol, tree: &Model) -> String {
    let Symbol { name, container, .. } = symbol;
    let lines =
        transitions(tree, |component, from, _, to| component == container && (from == name || to == name));
    let head = format!("state `{name}` of `{container}`");
    if lines.is_empty() {
        format!("{head}, with no transition")
    } else {
        format!("{head}\n\n{}", code("rws", &lines))
    }
}

fn port(name: &str, tree: &Model, index: &Index, symbol: &Symbol) -> String {
    let lines = transitions(tree, |_, _, port, _| port == Some(name));
    if lines.is_empty() {
        return format!("port `{name}`, on which no component has a transition");
    }
    let id = index.symbols.iter().position(|one| one == symbol).unwrap_or(usize::MAX);
    let uses = index.of(id).filter(|one| !one.is_definition).count();
    let times = if uses == 1 { "once".to_owned() } else { format!("{uses} times") };
    format!("port `{name}`, used {times} in interactions\n\n{}", code("rws", &lines))
}

fn types(system: &System, types: &[paramcheck_model::component::TypeId]) -> String {
    let names = types
        .iter()
        .filter_map(|&id| system.types.get(id))
        .map(|one: &ComponentType| format!("`{}`", one.name));
    names.format(" or ").to_string()
}

fn predicate(name: &str, tree: &Model, system: Option<&System>) -> String {
    let parameters = tree.items.iter().find_map(|item| match item {
        Item::Rule(rule) if rule.head.text == name => Some(&rule.parameters),
        _ => None,
    });
    let Some(parameters) = parameters else { return format!("predicate `{name}`, which no rule rewrites") };
    let list = parameters.iter().map(|name| &name.text).format(", ");
    let mut text = format!("predicate `{name}({list})`");
    let Some(system) = system else { return text };
    let Some(found) = system.predicates.iter().find(|one| one.name == name) else { return text };
    let rules = found.rules.len();
    let _ = write!(text, ", {rules} rule{}", if rules == 1 { "" } else { "s" });
    for (parameter, name) in found.parameters.iter().zip(parameters) {
        let owner = match parameter.ownership {
            Ownership::Owned => "created here or below",
            Ownership::Borrowed => "created elsewhere, and only used here",
        };
        let _ = write!(text, "\n- `{}`: {}, {owner}", name.text, types(system, &parameter.types));
    }
    if system.name() == name {
        let _ = write!(text, "\n\nIt is the system: {}.", Statistics::of(system));
    }
    text
}

/// A variable, with the component types that it can be in its rule.
fn variable(name: &str, at: Span, tree: &Model, system: Option<&System>) -> String {
    let plain = format!("variable `{name}`");
    let Some(system) = system else { return plain };
    let Some((labels, rule_name)) = labels_at(tree, at) else { return plain };
    let rules = system.rules.iter().filter(|rule| labels.contains(&rule.label));
    let found: Vec<String> = rules
        .filter_map(|rule: &Rule| rule.variables.iter().find(|variable| variable.name == name))
        .map(|variable| types(system, &variable.types))
        .unique()
        .collect();
    match found.is_empty() {
        true => format!("{plain} of `{rule_name}`"),
        false => format!("{plain} of `{rule_name}`: {}", found.join(" or ")),
    }
}

/// The labels of the rule alternatives around a place; of a head, all of its alternatives.
fn labels_at(tree: &Model, at: Span) -> Option<(Vec<String>, String)> {
    let mut counts: rustc_hash::FxHashMap<&str, usize> = rustc_hash::FxHashMap::default();
    for item in &tree.items {
        let Item::Rule(rule) = item else { continue };
        let head = rule.head.text.as_str();
        let first =
            *counts.entry(head).and_modify(|count| *count += rule.bodies.len()).or_insert(rule.bodies.len())
                - rule.bodies.len();
        if at.start < rule.span.start || at.start > rule.span.end {
            continue;
        }
        let label = |position: usize| format!("{head}.{}", first + position + 1);
        let inside =
            rule.bodies.iter().position(|body| body.span.start <= at.start && at.start <= body.span.end);
        return Some(match inside {
            Some(position) => (vec![label(position)], label(position)),
            None => ((0..rule.bodies.len()).map(label).collect(), head.to_owned()),
        });
    }
    None
}
