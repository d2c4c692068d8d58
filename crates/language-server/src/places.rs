//! From the steps of a trace to places in the text.
//!
//! In: a [`Place`], by names. Out: a span of the tree; where a step can't be found, that of what it belongs
//! to.

use paramcheck_model::syntax::ast::{Body, ComponentItem, Interaction, Item, Link, Model};
use paramcheck_process::ast::{Item as ProcessItem, Model as ProcessModel};
use paramcheck_text::source::Span;
use rustc_hash::FxHashMap;

use crate::analysis::{Analysis, Meaning};
use crate::answer::Place;
use crate::index::Kind;

/// Links within links are followed so deep.
const MAX_LINK_DEPTH: usize = 50;
/// The interactions of one rule are looked through up to so many, links inserted.
const MAX_INTERACTIONS: usize = 10_000;

/// Where a step stands in the text.
pub(crate) fn span(place: &Place, analysis: &Analysis, text: &str) -> Option<Span> {
    match (place, &analysis.meaning) {
        (Place::Interaction { rule, text: wanted }, Meaning::Rewriting { tree, .. }) => {
            interaction(tree, rule, wanted)
        }
        (Place::Transition { component, from, to }, Meaning::Rewriting { tree, .. }) => {
            transition(tree, component, from, to)
        }
        (Place::Action { action, agents }, Meaning::Process { tree, .. }) => {
            self::action(tree, (analysis, text), action.as_deref(), agents)
        }
        (Place::Text(span), _) => Some(*span),
        _ => None,
    }
}

/// The body with this label: the alternatives of a predicate are numbered through the text.
fn body<'a>(tree: &'a Model, label: &str) -> Option<&'a Body> {
    let (head, number) = label.rsplit_once('.')?;
    let number: usize = number.parse().ok()?;
    let rules = tree.items.iter().filter_map(|item| match item {
        Item::Rule(rule) if rule.head.text == head => Some(rule),
        _ => None,
    });
    rules.flat_map(|rule| &rule.bodies).nth(number.checked_sub(1)?)
}

fn interaction(tree: &Model, rule: &str, text: &str) -> Option<Span> {
    let body = body(tree, rule)?;
    let links: FxHashMap<&str, &Link> = tree
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Link(link) => Some((link.name.text.as_str(), link)),
            _ => None,
        })
        .collect();
    let mut left = MAX_INTERACTIONS;
    let found = body
        .interactions
        .iter()
        .find(|one| stands_for(one, text, &links, &FxHashMap::default(), MAX_LINK_DEPTH, &mut left));
    Some(found.map_or(body.span, |one| one.span))
}

/// Whether an interaction, or one that the use of a link stands for, reads as `text` once `names` are put in.
fn stands_for(
    one: &Interaction,
    text: &str,
    links: &FxHashMap<&str, &Link>,
    names: &FxHashMap<&str, &str>,
    depth: usize,
    left: &mut usize,
) -> bool {
    let Some(rest) = left.checked_sub(1) else { return false };
    *left = rest;
    let put = |name: &'_ str| -> String { names.get(name).map_or(name, |&new| new).to_owned() };
    let atoms = one.atoms.iter().map(|atom| {
        let arguments = atom.arguments.iter().map(|name| put(&name.text));
        format!("{}({})", atom.name.text, itertools::join(arguments, ", "))
    });
    if itertools::join(atoms, " ") == text {
        return true;
    }
    let [atom] = one.atoms.as_slice() else { return false };
    let Some(link) = links.get(atom.name.text.as_str()).filter(|_| depth > 0) else { return false };
    let arguments: Vec<String> = atom.arguments.iter().map(|name| put(&name.text)).collect();
    let inner: FxHashMap<&str, &str> = link
        .parameters
        .iter()
        .map(|name| name.text.as_str())
        .zip(arguments.iter().map(String::as_str))
        .collect();
    link.interactions.iter().any(|one| stands_for(one, text, links, &inner, depth - 1, left))
}

fn transition(tree: &Model, component: &str, from: &str, to: &str) -> Option<Span> {
    tree.items.iter().find_map(|item| {
        let Item::Component(one) = item else { return None };
        if one.name.text != component {
            return None;
        }
        let found = one.items.iter().find_map(|item| match item {
            ComponentItem::Transition(one)
                if one.port.is_none() && one.from.text == from && one.to.text == to =>
            {
                Some(one.span)
            }
            _ => None,
        });
        Some(found.unwrap_or(one.name.span))
    })
}

/// An action within the definition of one of the agents, with the sign of a co-action if it is one; else
/// within any; else the definition, else the system.
fn action(
    tree: &ProcessModel,
    (analysis, text): (&Analysis, &str),
    action: Option<&str>,
    agents: &[String],
) -> Option<Span> {
    // Several agents of one name are numbered.
    let is_of = |name: &str| {
        agents.iter().any(|agent| {
            agent
                .strip_prefix(name)
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        })
    };
    let definition = tree.items.iter().find_map(|item| match item {
        ProcessItem::Definition(one) if is_of(&one.name.text) => Some(one),
        _ => None,
    });
    let system = tree.items.iter().find_map(|item| match item {
        ProcessItem::System(one) => Some(one.span),
        _ => None,
    });
    let name = action.map(|action| action.trim_start_matches('\''));
    let is_co = name != action;
    let symbols = &analysis.index.symbols;
    let symbol = symbols.iter().position(|one| one.kind == Kind::Action && Some(one.name.as_str()) == name);
    let places = || symbol.into_iter().flat_map(|symbol| analysis.index.of(symbol)).map(|one| one.span);
    let has_sign = |span: &Span| text.get(..span.start).is_some_and(|before| before.ends_with('\'')) == is_co;
    let is_own =
        |span: &Span| definition.is_some_and(|one| one.span.start <= span.start && span.end <= one.span.end);
    let exact = places().filter(is_own).find(has_sign);
    exact
        .or_else(|| places().find(is_own))
        .or_else(|| places().find(has_sign))
        .or_else(|| places().next())
        .or(definition.map(|one| one.name.span))
        .or(system)
}
