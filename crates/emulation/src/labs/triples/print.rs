//! Triples as text: locations by what they offer, and triples by entry condition, guard, action, and exit.

use std::fmt::Write as _;

use paramcheck_labs::model::{GuardId, KindId, System};
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::source::Span;

use super::Structure;

/// The triples as a table; `text` is what the system was read from.
pub fn table(system: &System, all: &IndexVec<KindId, Structure>, text: &str) -> String {
    let mut out = String::new();
    for (kind, structure) in all.enumerate() {
        let _ = writeln!(out, "{}: {} triples", system.kinds[kind].name, structure.triples.len());
        for (id, component) in structure.components.enumerate() {
            let at = if id.index() == 0 { Some(structure.initial) } else { None };
            for (number, location) in component.locations.enumerate() {
                let offers: Vec<String> =
                    location.offers.iter().map(|triple| triple.index().to_string()).collect();
                let what = match location.joined {
                    Some(joined) => format!("waits for its operands, then {}", joined.index()),
                    None if number.index() == 0 => "ended".to_owned(),
                    None => format!("offers {{{}}}", offers.join(", ")),
                };
                let first = if at == Some(number) { ", initial" } else { "" };
                let _ = writeln!(out, "  pc{}={}: {what}{first}", id.index(), number.index());
            }
        }
        for (id, triple) in structure.triples.enumerate() {
            let guards: Vec<String> = triple.guards.iter().map(|one| guard(system, *one, text)).collect();
            let guards = if guards.is_empty() { "true".to_owned() } else { guards.join(" and ") };
            let action = triple.action.map_or("Skip", |action| slice(text, system.actions[action].span));
            let exit: Vec<String> = triple
                .exit
                .iter()
                .map(|(component, location)| format!("pc{}={}", component.index(), location.index()))
                .collect();
            let (at, component) = (id.index(), triple.component.index());
            let exit = exit.join(", ");
            let _ = writeln!(out, "  {at}: pc{component} offers {at}, {guards} ▷ {action} ◁ {exit}");
        }
    }
    out
}

fn guard(system: &System, (guard, is_positive): (GuardId, bool), text: &str) -> String {
    let text = slice(text, system.guards[guard].span);
    if is_positive { format!("({text})") } else { format!("not ({text})") }
}

fn slice(text: &str, span: Span) -> &str {
    text.get(span.start..span.end).unwrap_or("?")
}
