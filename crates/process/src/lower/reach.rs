//! Which definitions there are, and which of them are reachable from the system.

use rustc_hash::FxHashMap;

use super::{Report, end, systems};
use crate::ast::{ActionKind, Definition, Item, Model, Place, Process, ProcessKind};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::process::meaning as codes;
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// The definitions of a file. Where a name is defined twice, the first counts.
pub(crate) struct Scope<'a> {
    /// In source order.
    pub(crate) definitions: Vec<&'a Definition>,
    /// Positions in `definitions`.
    by_name: FxHashMap<&'a str, usize>,
    /// The first system.
    pub(crate) system: Option<&'a Process>,
    /// Where a missing system is reported.
    end: Span,
}

/// What is reachable from the system.
pub(crate) struct Reach<'a> {
    /// Positions of definitions, ascending.
    pub(crate) definitions: Vec<usize>,
    /// The peers in the order in which they first act, each where it first stands.
    pub(crate) peers: Vec<&'a Ident>,
    /// Where the system stands.
    pub(crate) system: Span,
}

impl<'a> Scope<'a> {
    /// Collects the definitions and the system, reporting those that are there twice.
    pub(crate) fn new(model: &'a Model, report: &mut Report) -> Self {
        let mut scope = Scope {
            definitions: Vec::new(),
            by_name: FxHashMap::default(),
            system: systems(model).next().map(|system| &system.body),
            end: end(model),
        };
        for item in &model.items {
            let Item::Definition(definition) = item else { continue };
            let name = &definition.name;
            if let Some(first) = scope.find(&name.text) {
                let first = scope.definitions[first];
                report.push(
                    Diagnostic::new(
                        &codes::DUPLICATE_DEFINITION,
                        format!("`{}` is defined twice", name.text),
                        name.span,
                        "the second time",
                    )
                    .label(first.name.span, "the first time")
                    .help("alternatives are written with `+`"),
                );
                continue;
            }
            scope.by_name.insert(&name.text, scope.definitions.len());
            scope.definitions.push(definition);
        }
        for second in systems(model).skip(1) {
            let first = systems(model).next().map_or(second.span, |first| first.span);
            report.push(
                Diagnostic::new(&codes::SECOND_SYSTEM, "more than one system", second.span, "another one")
                    .label(first, "the first one")
                    .help("put them side by side in one, or in a file each to compare them"),
            );
        }
        scope
    }

    /// The position of the definition of `name`.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The positions of all definitions.
    pub(crate) fn everything(&self) -> Vec<usize> {
        (0..self.definitions.len()).collect()
    }
}

/// What is reachable from the system; `None`, with an error, if there is no system.
pub(crate) fn from_system<'a>(scope: &Scope<'a>, report: &mut Report) -> Option<Reach<'a>> {
    let Some(system) = scope.system else {
        let diagnostic =
            Diagnostic::new(&codes::NO_SYSTEM, "there is no system", scope.end, "expected `system …;`");
        let help = match scope.definitions.last() {
            Some(last) => format!("`system {};` for the last definition", last.name.text),
            None => "`system P;` says which process is meant".to_owned(),
        };
        report.push(diagnostic.help(help));
        return None;
    };
    let mut is_reached = vec![false; scope.definitions.len()];
    let mut peers: Vec<&Ident> = Vec::new();
    let mut known: FxHashMap<&str, ()> = FxHashMap::default();
    let mut stack = vec![system];
    while let Some(process) = stack.pop() {
        match &process.kind {
            ProcessKind::Nil => {}
            ProcessKind::Constant(name) => {
                if let Some(position) = scope.find(name)
                    && !std::mem::replace(&mut is_reached[position], true)
                {
                    stack.push(&scope.definitions[position].body);
                }
            }
            ProcessKind::Action(action) => {
                let ActionKind::Visible { place, .. } = &action.kind else { continue };
                let (first, second) = match place {
                    Place::Anywhere => (None, None),
                    Place::At(peer) => (Some(peer), None),
                    Place::Between(one, other) => (Some(one), Some(other)),
                };
                for peer in first.into_iter().chain(second) {
                    if known.insert(&peer.text, ()).is_none() {
                        peers.push(peer);
                    }
                }
            }
            ProcessKind::Prefix(_, inside) | ProcessKind::Loop(inside) | ProcessKind::Postfix(inside, _) => {
                stack.push(inside);
            }
            ProcessKind::Sequence(parts) | ProcessKind::Choice(parts) | ProcessKind::Parallel(parts, _) => {
                stack.extend(parts.iter().rev());
            }
        }
    }
    let definitions = (0..is_reached.len()).filter(|position| is_reached[*position]).collect();
    Some(Reach { definitions, peers, system: system.span })
}
