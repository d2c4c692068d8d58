//! Completion in systems of agents.

use lsp_types::CompletionItem;

use super::Place;
use crate::index::Kind;

/// What begins a section.
const SECTIONS: [&str; 5] = ["system", "stigmergy", "agent", "assume", "check"];
/// What stands behind the name of a property.
const MODALITIES: [&str; 7] = ["always", "finally", "eventually", "fairly", "fairly_inf", "between", "from"];
/// Words of expressions.
const WORDS: [&str; 14] =
    ["and", "or", "true", "false", "id", "if", "then", "else", "abs", "min", "max", "of", "forall", "exists"];

/// What can stand here.
pub(super) fn complete(mut place: Place<'_>) -> Vec<CompletionItem> {
    let (section, is_inside) = section_of(&place);
    match (section.as_str(), is_inside) {
        (_, false) => place.keywords(&SECTIONS),
        ("system", true) => system(&mut place),
        ("stigmergy", true) => stigmergy(&mut place),
        ("agent", true) => agent(&mut place),
        ("check" | "assume", true) => formula(&mut place, section == "check"),
        _ => {}
    }
    place.items
}

/// The word of the section that is open, and whether its brace is.
fn section_of(place: &Place<'_>) -> (String, bool) {
    let (mut section, mut depth) = (String::new(), 0_usize);
    for word in place.before {
        match word.text(place.text) {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            word if depth == 0 && SECTIONS.contains(&word) => section = word.to_owned(),
            _ => {}
        }
    }
    (section, depth > 0)
}

/// The word in front of the last `=`: what is being given.
fn given<'a>(place: &Place<'a>) -> &'a str {
    let texts = place.before.iter().map(|word| word.text(place.text));
    let texts: Vec<&str> = texts.collect();
    let sign = texts.iter().rposition(|text| *text == "=");
    sign.and_then(|at| at.checked_sub(1)).and_then(|at| texts.get(at)).copied().unwrap_or_default()
}

fn system(place: &mut Place<'_>) {
    match (place.back(0), given(place)) {
        ("{", _) => place.keywords(&["extern", "environment", "spawn"]),
        ("=" | ",", "spawn") => place.symbols(Kind::Agents),
        (_, "extern" | "environment" | "spawn") => {
            place.symbols(Kind::Parameter);
            place.keywords(&["extern", "environment", "spawn", "undef"]);
        }
        _ => process(place),
    }
}

fn stigmergy(place: &mut Place<'_>) {
    match place.back(0) {
        "{" | ";" => place.keywords(&["link"]),
        _ => expression(place),
    }
}

fn agent(place: &mut Place<'_>) {
    match (place.back(0), given(place)) {
        ("{", _) => place.keywords(&["interface", "stigmergies", "Behavior"]),
        ("=" | ";" | ",", "stigmergies") => place.symbols(Kind::Stigmergy),
        (_, "stigmergies") => place.keywords(&["interface", "Behavior"]),
        (_, "interface") => {
            place.symbols(Kind::Parameter);
            place.keywords(&["undef", "id", "stigmergies", "Behavior"]);
        }
        _ => process(place),
    }
}

fn process(place: &mut Place<'_>) {
    match place.back(0) {
        "pick" | "count" | "forall" | "exists" => return place.symbols(Kind::Agents),
        ":=" => place.keywords(&["pick", "count"]),
        _ => {}
    }
    place.keywords(&["Skip", "Nil"]);
    place.symbols(Kind::Definition);
    expression(place);
}

fn formula(place: &mut Place<'_>, is_property: bool) {
    match place.back(0) {
        "forall" | "exists" => return place.symbols(Kind::Agents),
        "{" => return,
        "=" if is_property => place.keywords(&MODALITIES),
        "," if is_property => place.keywords(&["thereIs", "always", "precedes"]),
        ")" if is_property => place.keywords(&["and", "until", "precedes"]),
        _ => {}
    }
    expression(place);
}

fn expression(place: &mut Place<'_>) {
    if place.back(0) == "of" {
        place.symbols(Kind::Local);
        return place.keywords(&["id"]);
    }
    place.symbols(Kind::Variable);
    place.symbols(Kind::Local);
    place.symbols(Kind::Parameter);
    place.keywords(&WORDS);
}
