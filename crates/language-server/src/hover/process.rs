//! What is known of the names of a process or choreography.

use paramcheck_process::ast::{Item, Model};
use paramcheck_process::model::System;
use paramcheck_process::{print, show};

use super::code;
use crate::document::Document;
use crate::index::{Kind, Symbol};

/// Longer projections are cut off.
const MAX_TERM_BYTES: usize = 2_000;

/// What is known of `symbol`.
pub(super) fn describe(
    symbol: &Symbol,
    (tree, system): (&Model, Option<&System>),
    document: &Document,
) -> String {
    let name = &symbol.name;
    let language = document.language.process().map_or("text", |language| language.extension());
    match symbol.kind {
        Kind::Definition => {
            let items: Vec<Item> =
                tree.items.iter().filter(|item| is_definition_of(item, name)).cloned().collect();
            match items.is_empty() {
                true => format!("process `{name}`, which is not defined"),
                false => code(language, print::print(&Model { items }).trim_end()),
            }
        }
        Kind::Check => {
            match system.and_then(|system| Some(show::goal(system, &system.check_named(name)?.goal))) {
                Some(goal) => code(language, &format!("check {name} = {goal};")),
                None => format!("check `{name}`"),
            }
        }
        Kind::Peer => {
            let peer = system
                .and_then(|system| Some((system, system.peers.iter().find(|peer| peer.name == *name)?)));
            match peer {
                Some((system, peer)) => {
                    let term = show::term(system, peer.projection, MAX_TERM_BYTES);
                    format!("peer `{name}`, which does\n\n{}", code(language, &term))
                }
                None => format!("peer `{name}`"),
            }
        }
        _ => action(name, tree, document),
    }
}

fn is_definition_of(item: &Item, name: &str) -> bool {
    matches!(item, Item::Definition(definition) if definition.name.text == name)
}

/// An action, and the items that it stands in.
fn action(name: &str, tree: &Model, document: &Document) -> String {
    let mut owners: Vec<String> = Vec::new();
    for item in &tree.items {
        let span = item.span();
        let text = document.text.get(span.start..span.end).unwrap_or("");
        let (words, _) = crate::words::words(text, document.language);
        if !words.iter().any(|word| word.text(text) == name) {
            continue;
        }
        owners.push(match item {
            Item::Definition(definition) => format!("`{}`", definition.name.text),
            Item::System(_) => "`system`".to_owned(),
            Item::Check(check) => {
                format!("check `{}`", check.name.as_ref().map_or("deadlock", |name| name.text.as_str()))
            }
        });
    }
    match owners.is_empty() {
        true => format!("action `{name}`"),
        false => format!("action `{name}`, in {}", owners.join(", ")),
    }
}
