//! A tree of the article's syntax as one of today's.
//!
//! Most differences are matters of spelling and parentheses, which the printer knows. Here is the rest:
//! channels become an enum; parameters of guards that hide a channel get another name; sequences nest as the
//! article nests them if a property asks for a location, whose number depends on it.

use std::collections::{BTreeMap, BTreeSet};

use crate::ast::{Agent, Expr, ExprKind, File, Guard, Item, ItemKind, Part, PartKind, Process, ProcessKind};
use crate::vocabulary::Syntax;
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// The same model in today's syntax.
pub fn to_today(file: &File) -> File {
    if file.syntax == Syntax::Today {
        return file.clone();
    }
    let mut names = BTreeSet::new();
    let mut channels = BTreeSet::new();
    for item in &file.items {
        match &item.kind {
            ItemKind::Channels(all) => channels.extend(all.iter().map(|one| one.text.clone())),
            ItemKind::Enum(name, cases) => {
                names.extend(cases.iter().chain([name]).map(|one| one.text.clone()));
            }
            ItemKind::Messages(all) | ItemKind::Properties(all) => {
                names.extend(all.iter().map(|one| one.name.text.clone()));
            }
            ItemKind::Guard(Guard { name, parameters, .. }) => {
                names.insert(name.text.clone());
                names.extend(parameters.iter().map(|one| one.name.text.clone()));
            }
            ItemKind::Agent(agent) => drop(names.insert(agent.name.text.clone())),
            ItemKind::System(all) => names.extend(all.iter().map(|one| one.name.text.clone())),
            ItemKind::Spec(_) => {}
        }
    }
    names.extend(channels.iter().cloned());
    let has_places = file.items.iter().any(|item| match &item.kind {
        ItemKind::Spec(formula) => has_place(formula),
        _ => false,
    });
    let items = file.items.iter().map(|item| {
        let mut kind = converted(&item.kind, &names, &channels);
        if let (true, ItemKind::Agent(agent)) = (has_places, &mut kind) {
            nest_all(agent);
        }
        Item { span: item.span, kind }
    });
    File { syntax: Syntax::Today, items: items.collect() }
}

fn converted(kind: &ItemKind, names: &BTreeSet<String>, channels: &BTreeSet<String>) -> ItemKind {
    match kind {
        ItemKind::Channels(all) => {
            let start = all.first().map_or(Span::default(), |first| first.span);
            let name = Ident { text: "channel".to_owned(), span: Span::new(start.start, start.start) };
            ItemKind::Enum(name, all.clone())
        }
        ItemKind::Guard(guard) => ItemKind::Guard(renamed(guard, names, channels)),
        other => other.clone(),
    }
}

fn has_place(expr: &Expr) -> bool {
    let mut found = matches!(expr.kind, ExprKind::Place(_));
    expr.children(&mut |child| found |= has_place(child));
    found
}

fn nest_all(agent: &mut Agent) {
    for Part { kind, .. } in &mut agent.parts {
        if let PartKind::Repeat(process) = kind {
            nest(process);
        }
    }
}

/// A guard whose parameters hide no channel.
fn renamed(guard: &Guard, names: &BTreeSet<String>, channels: &BTreeSet<String>) -> Guard {
    let mut guard = guard.clone();
    let mut new: BTreeMap<String, String> = BTreeMap::new();
    for parameter in &mut guard.parameters {
        let old = &mut parameter.name.text;
        if channels.contains(old) {
            let mut fresh = format!("{old}_");
            while names.contains(&fresh) || new.values().any(|one| *one == fresh) {
                fresh.push('_');
            }
            new.insert(old.clone(), fresh.clone());
            *old = fresh;
        }
    }
    rename(&mut guard.body, &new);
    guard
}

/// The recursion is bounded by the height of trees.
fn rename(expr: &mut Expr, new: &BTreeMap<String, String>) {
    match &mut expr.kind {
        ExprKind::Name(name) => {
            if let Some(fresh) = new.get(name) {
                *name = fresh.clone();
            }
        }
        ExprKind::Truth(_)
        | ExprKind::Number(_)
        | ExprKind::Property(_)
        | ExprKind::Word(_)
        | ExprKind::Qualified(..)
        | ExprKind::Place(_) => {}
        ExprKind::Call(_, arguments) => arguments.iter_mut().for_each(|one| rename(one, new)),
        ExprKind::Chain(first, rest) => {
            rename(first, new);
            rest.iter_mut().for_each(|(_, operand)| rename(operand, new));
        }
        ExprKind::Not(inner)
        | ExprKind::Negative(inner)
        | ExprKind::Temporal(_, inner)
        | ExprKind::Quantified { body: inner, .. }
        | ExprKind::Addressed { body: inner, .. }
        | ExprKind::Parenthesised(inner) => rename(inner, new),
        ExprKind::Observed { observation, body, .. } => {
            rename(observation, new);
            rename(body, new);
        }
    }
}

/// `a; b; c` as `a; (b; c)`. A sequence of very many is left in groups: parentheses nest only so deep, and
/// then its numbers change.
fn nest(process: &mut Process) {
    const MAX_NESTED: usize = 50;
    match &mut process.kind {
        ProcessKind::Choice(all) => all.iter_mut().for_each(nest),
        ProcessKind::Rep(inner) | ProcessKind::Parenthesised(inner) => nest(inner),
        ProcessKind::Command(_) => {}
        ProcessKind::Sequence(all) => {
            all.iter_mut().for_each(nest);
            if all.len() > MAX_NESTED {
                return;
            }
            while all.len() > 2 {
                let (Some(last), Some(before)) = (all.pop(), all.pop()) else { return };
                let span = before.span.to(last.span);
                let pair = Process { span, kind: ProcessKind::Sequence(vec![before, last]) };
                all.push(Process { span, kind: ProcessKind::Parenthesised(Box::new(pair)) });
            }
        }
    }
}
