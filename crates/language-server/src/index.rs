//! The names of a document: what each stands for, and where it is written.
//!
//! In: a syntax tree. Out: an [`Index`], plain data, made once per version of a document. Navigation,
//! renaming, completion and hovering read it. A name that means several things in one place (a state that two
//! component types have) has an [`Occurrence`] for each.

use rustc_hash::FxHashMap;

use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

mod labs;
mod process;
mod rewriting;

pub(crate) use labs::index as index_labs;
pub(crate) use process::index as index_process;
pub(crate) use rewriting::index as index_rewriting;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    ComponentType,
    State,
    Port,
    Predicate,
    Variable,
    Link,
    Error,
    Definition,
    Action,
    Peer,
    Check,
    /// Of agents.
    Agents,
    Parameter,
    Stigmergy,
    Local,
    Assumption,
    Property,
}

impl Kind {
    /// Its word.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Kind::ComponentType => "component type",
            Kind::State => "state",
            Kind::Port => "port",
            Kind::Predicate => "predicate",
            Kind::Variable => "variable",
            Kind::Link => "link",
            Kind::Error => "error",
            Kind::Definition => "process",
            Kind::Action => "action",
            Kind::Peer => "peer",
            Kind::Check => "check",
            Kind::Agents => "kind of agents",
            Kind::Parameter => "parameter",
            Kind::Stigmergy => "stigmergy",
            Kind::Local => "local",
            Kind::Assumption => "assumption",
            Kind::Property => "property",
        }
    }
}

/// A named thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Symbol {
    pub(crate) kind: Kind,
    pub(crate) name: String,
    /// The component type of a state; the kind that a process of agents belongs to; the number of the scope of a
    /// variable; else empty.
    pub(crate) container: String,
}

/// A place where a name is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Occurrence {
    pub(crate) span: Span,
    /// The position of what it stands for in [`Index::symbols`].
    pub(crate) symbol: usize,
    pub(crate) is_definition: bool,
}

/// All names of a document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    pub(crate) symbols: Vec<Symbol>,
    /// By place.
    pub(crate) occurrences: Vec<Occurrence>,
}

impl Index {
    /// What is written at a byte, or ends there.
    pub(crate) fn at(&self, offset: usize) -> Vec<Occurrence> {
        let touching = |one: &&Occurrence| one.span.start <= offset && offset <= one.span.end;
        // Names do not overlap: only the last that begins before, and those of the same place, can touch.
        let end = self.occurrences.partition_point(|one| one.span.start <= offset);
        let candidates = self.occurrences.get(..end).unwrap_or(&[]);
        let Some(last) = candidates.last().filter(touching) else { return Vec::new() };
        candidates.iter().rev().take_while(|one| one.span == last.span).copied().collect()
    }

    /// All places of one symbol.
    pub(crate) fn of(&self, symbol: usize) -> impl Iterator<Item = &Occurrence> {
        self.occurrences.iter().filter(move |one| one.symbol == symbol)
    }

    /// Where a symbol is defined; where nothing defines it, its first place.
    pub(crate) fn definitions(&self, symbol: usize) -> Vec<Span> {
        let defined: Vec<Span> =
            self.of(symbol).filter(|one| one.is_definition).map(|one| one.span).collect();
        match defined.is_empty() {
            false => defined,
            true => self.of(symbol).take(1).map(|one| one.span).collect(),
        }
    }

    /// The symbols of a kind.
    pub(crate) fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Symbol> {
        self.symbols.iter().filter(move |symbol| symbol.kind == kind)
    }
}

/// An index under construction.
#[derive(Default)]
struct Builder {
    index: Index,
    known: FxHashMap<(Kind, String, String), usize>,
    scopes: usize,
}

impl Builder {
    fn define(&mut self, kind: Kind, container: &str, name: &Ident) {
        self.add(kind, container, name, true);
    }

    fn mention(&mut self, kind: Kind, container: &str, name: &Ident) {
        self.add(kind, container, name, false);
    }

    fn add(&mut self, kind: Kind, container: &str, name: &Ident, is_definition: bool) {
        let key = (kind, container.to_owned(), name.text.clone());
        let symbols = &mut self.index.symbols;
        let symbol = *self.known.entry(key).or_insert_with(|| {
            symbols.push(Symbol { kind, name: name.text.clone(), container: container.to_owned() });
            symbols.len() - 1
        });
        self.index.occurrences.push(Occurrence { span: name.span, symbol, is_definition });
    }

    /// A scope of its own for variables.
    fn scope(&mut self) -> String {
        self.scopes += 1;
        self.scopes.to_string()
    }

    fn finish(mut self) -> Index {
        self.index.occurrences.sort_by_key(|one| (one.span, one.symbol));
        self.index.occurrences.dedup();
        self.index
    }
}
