//! Completion in rewriting systems.

use lsp_types::{CompletionItem, CompletionItemKind};

use super::Place;
use crate::index::Kind;
use crate::words::{Word, WordKind};

/// What can stand here.
pub(super) fn complete(mut place: Place<'_>) -> Vec<CompletionItem> {
    let item = item_of(place.text, place.before);
    match item.first().map_or("", |word| word.text(place.text)) {
        "" => {
            place.keywords(&["component", "link", "error", "critical", "system"]);
            place.symbols(Kind::Predicate);
        }
        "component" => component(&mut place, item),
        "error" => error(&mut place, item),
        "critical" => term(&mut place),
        "system" => place.symbols(Kind::Predicate),
        _ => rule(&mut place, item),
    }
    place.items
}

/// The words of the item that is being written.
fn item_of<'a>(text: &str, before: &'a [Word]) -> &'a [Word] {
    let mut start = 0;
    let mut depth = 0_usize;
    for (position, word) in before.iter().enumerate() {
        let is_component = before.get(start).is_some_and(|first| first.text(text) == "component");
        match word.text(text) {
            "{" => depth += 1,
            "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 && is_component {
                    start = position + 1;
                }
            }
            ";" if depth == 0 => start = position + 1,
            // A component that is not closed yet: the next item begins all the same.
            "component" | "link" | "error" | "critical" | "system" if word.kind == WordKind::Keyword => {
                start = position;
                depth = 0;
            }
            _ => {}
        }
    }
    before.get(start..).unwrap_or(&[])
}

fn component(place: &mut Place<'_>, item: &[Word]) {
    let text = place.text;
    let Some(open) = item.iter().position(|word| word.text(text) == "{") else { return };
    let inside = item.get(open + 1..).unwrap_or(&[]);
    let start = inside.iter().rposition(|word| word.text(text) == ";").map_or(0, |at| at + 1);
    let statement = inside.get(start..).unwrap_or(&[]);
    let name = item.get(1).map_or("", |word| word.text(text));
    match (statement.first().map_or("", |word| word.text(text)), place.back(0)) {
        ("", _) => {
            states(place, name, inside);
            place.keywords(&["states", "init", "final"]);
        }
        ("states", _) => {}
        ("init" | "final", _) | (_, "->") => states(place, name, inside),
        (_, "-") => {
            // Its own ports first.
            let own =
                inside.windows(3).filter(|three| three[0].text(text) == "-" && three[2].text(text) == "->");
            let own: Vec<&str> = own.map(|three| three[1].text(text)).collect();
            own.iter().for_each(|port| place.add(port, CompletionItemKind::FIELD, format!("port of {name}")));
            place.symbols(Kind::Port);
        }
        _ => {}
    }
}

/// The states of a component type: those of the index, and those of the part of it that is written.
fn states(place: &mut Place<'_>, component: &str, inside: &[Word]) {
    let text = place.text;
    let mut is_list = false;
    for word in inside {
        match word.text(text) {
            "states" => is_list = true,
            ";" => is_list = false,
            state if is_list && word.kind == WordKind::Name => {
                place.add(state, CompletionItemKind::ENUM_MEMBER, format!("state of {component}"));
            }
            _ => {}
        }
    }
    states_of(place, component);
}

fn states_of(place: &mut Place<'_>, component: &str) {
    let analysis = place.analysis;
    for state in analysis.index.of_kind(Kind::State).filter(|state| state.container == component) {
        place.add(&state.name, CompletionItemKind::ENUM_MEMBER, format!("state of {component}"));
    }
}

/// A state, with its component type or without.
fn term(place: &mut Place<'_>) {
    if place.back(0) == "." {
        let component = place.back(1);
        return states_of(place, component);
    }
    place.symbols(Kind::State);
    place.symbols(Kind::ComponentType);
}

fn error(place: &mut Place<'_>, item: &[Word]) {
    let text = place.text;
    let is_inside = item.iter().any(|word| word.text(text) == "{");
    match place.back(0) {
        "error" => {}
        "#" | "." => term(place),
        _ if is_inside => {
            place.keywords(&["ex1", "all1", "ex2", "all2", "in", "notin", "sub", "true", "false"]);
            let binder = |word: &str| matches!(word, "ex1" | "all1" | "ex2" | "all2");
            let mut is_list = false;
            for word in item {
                match word.text(text) {
                    word if binder(word) => is_list = true,
                    ":" => is_list = false,
                    name if is_list && word.kind == WordKind::Name => {
                        place.add(name, CompletionItemKind::VARIABLE, "variable");
                    }
                    _ => {}
                }
            }
            term(place);
        }
        "=" | "&" | "|" | "!" | "(" => {
            place.symbols(Kind::Error);
            place.keywords(&["deadlock", "wsks"]);
        }
        _ => {}
    }
}

/// What is open where a rule or link is being written.
#[derive(Default)]
struct Open {
    is_body: bool,
    is_angle: bool,
    is_forbid: bool,
    /// Whether each open parenthesis has variables in it, and not atoms.
    parentheses: Vec<bool>,
    /// The component type before an open bracket.
    bracket: Option<String>,
    variables: Vec<String>,
}

fn rule(place: &mut Place<'_>, item: &[Word]) {
    let text = place.text;
    let mut open = Open::default();
    let mut is_binding = false;
    for (position, word) in item.iter().enumerate() {
        let before = position.checked_sub(1).and_then(|at| item.get(at)).copied();
        match word.text(text) {
            "<-" | "=" => open.is_body = true,
            "new" | "ν" => is_binding = true,
            "." | "·" => is_binding = false,
            "forbid" => open.is_forbid = true,
            "<" | "⟨" => open.is_angle = true,
            ">" | "⟩" => (open.is_angle, open.is_forbid) = (false, false),
            "(" => {
                let is_list =
                    before.is_some_and(|word| word.kind == WordKind::Name || word.text(text) == "]");
                open.parentheses.push(is_list);
            }
            ")" => {
                open.parentheses.pop();
            }
            "[" => open.bracket = before.map(|word| word.text(text).to_owned()),
            "]" => open.bracket = None,
            name if word.kind == WordKind::Name => {
                let is_parameter = !open.is_body && open.parentheses.last() == Some(&true);
                if is_binding || is_parameter {
                    open.variables.push(name.to_owned());
                }
            }
            _ => {}
        }
    }
    in_rule(place, &open, is_binding);
}

fn in_rule(place: &mut Place<'_>, open: &Open, is_binding: bool) {
    if !open.is_body || is_binding {
        return;
    }
    if open.parentheses.last() == Some(&true) {
        return open
            .variables
            .iter()
            .for_each(|name| place.add(name, CompletionItemKind::VARIABLE, "variable"));
    }
    if let Some(component) = &open.bracket {
        return states_of(place, component);
    }
    match (open.is_angle, open.is_forbid) {
        (true, true) => term(place),
        (true, false) => {
            place.symbols(Kind::Port);
            place.symbols(Kind::Link);
        }
        (false, true) => place.symbols(Kind::Error),
        (false, false) => {
            place.symbols(Kind::ComponentType);
            place.symbols(Kind::Predicate);
            if open.parentheses.is_empty() {
                place.keywords(&["new", "forbid"]);
            }
        }
    }
}
