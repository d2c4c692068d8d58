//! Completion in processes and choreographies.

use lsp_types::CompletionItem;

use super::Place;
use crate::document::Language;
use crate::index::Kind;

/// What can stand here.
pub(super) fn complete(mut place: Place<'_>, language: Language) -> Vec<CompletionItem> {
    let texts: Vec<&str> = place.before.iter().map(|word| word.text(place.text)).collect();
    let start = texts.iter().rposition(|&text| text == ";").map_or(0, |at| at + 1);
    let is_item = |text: &str| matches!(text, "system" | "check" | "=");
    // `;` also stands within processes: then what stands before it belongs to the item.
    let begins = texts.iter().rposition(|&text| is_item(text));
    let in_check = begins.is_some_and(|at| {
        let first = if texts.get(at) == Some(&"=") { at.checked_sub(2) } else { Some(at) };
        at >= start && first.is_some_and(|first| texts.get(first) == Some(&"check"))
    });
    match (place.back(0), place.back(1)) {
        ("@", _) | ("[", "@") => place.symbols(Kind::Peer),
        (",", _) if language == Language::Chor => place.symbols(Kind::Peer),
        ("check", _) => place.keywords(&["deadlock"]),
        ("'" | "did" | "can", _) => {
            place.symbols(Kind::Action);
            place.keywords(&["tau"]);
        }
        ("=", _) if in_check => place.keywords(&["always", "eventually", "ltl", "deadlock"]),
        ("always" | "eventually" | "ltl" | "!" | "&" | "|" | "->" | "<->" | "(" | ">>", _) if in_check => {
            place.keywords(&["did", "can", "terminated"]);
        }
        ("{" | "," | "[" | "/", _) => place.symbols(Kind::Action),
        ("." | "=" | "+" | "|" | "||" | "(" | "system" | ";" | "", _) => {
            if matches!(place.back(0), ";" | "") {
                place.keywords(&["system", "check"]);
            }
            place.symbols(Kind::Definition);
            place.symbols(Kind::Action);
            place.keywords(&["tau"]);
        }
        _ => {}
    }
    place.items
}
