//! What a process can do next: its first steps, by the rules for processes (thesis, Table 3.4).
//!
//! A [`Term`] is what is left to do. Guards and calls are gone with the first step, so terms are few, and each has
//! its steps made once. A choice is decided by its first step, not before.

use paramcheck_text::define_index;
use paramcheck_text::index::IndexVec;
use rustc_hash::FxHashMap;

use crate::model::{ActionId, GuardId, KindId, Process, ProcessId, System};

define_index! {
    /// A term.
    pub struct TermId;
}

/// What is left to do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// Nothing: it has ended.
    Done,
    /// All of a process.
    Process(ProcessId),
    /// One after the other: the first, and then the parts of a sequence from a position on.
    Then(TermId, ProcessId, usize),
    /// Interleaved; at least two.
    Parallel(Vec<TermId>),
}

/// A first step of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The guards, outermost first, and whether each must be true or must not.
    pub guards: Vec<(GuardId, bool)>,
    /// What is done; a step that takes the place of what a guard leaves out does nothing.
    pub action: Option<ActionId>,
    /// What is left to do.
    pub next: TermId,
}

/// The terms met so far, and their steps.
#[derive(Debug)]
pub struct Control<'a> {
    system: &'a System,
    terms: IndexVec<TermId, Term>,
    known: FxHashMap<Term, TermId>,
    edges: FxHashMap<TermId, Vec<Edge>>,
}

impl<'a> Control<'a> {
    /// No term is met yet.
    pub fn new(system: &'a System) -> Self {
        Control { system, terms: IndexVec::new(), known: FxHashMap::default(), edges: FxHashMap::default() }
    }

    /// What an agent of a kind has to do in the beginning.
    pub fn initial(&mut self, kind: KindId) -> TermId {
        let body = self.system.definitions[self.system.kinds[kind].behavior].body;
        self.process(body)
    }

    fn term(&mut self, term: Term) -> TermId {
        if let Some(id) = self.known.get(&term) {
            return *id;
        }
        let id = self.terms.push(term.clone());
        self.known.insert(term, id);
        id
    }

    /// A process as a term; a call is what it calls.
    fn process(&mut self, process: ProcessId) -> TermId {
        match &self.system.processes[process] {
            Process::Call(definition) => {
                let body = self.system.definitions[*definition].body;
                self.process(body)
            }
            _ => self.term(Term::Process(process)),
        }
    }

    /// Whether nothing is left to do.
    pub fn is_done(&self, term: TermId) -> bool {
        self.terms[term] == Term::Done
    }

    /// The term itself.
    pub fn get(&self, term: TermId) -> &Term {
        &self.terms[term]
    }

    /// The first steps of a term.
    pub fn edges(&mut self, term: TermId) -> Vec<Edge> {
        if let Some(edges) = self.edges.get(&term) {
            return edges.clone();
        }
        let edges = match self.terms[term].clone() {
            Term::Done => Vec::new(),
            Term::Process(process) => self.first(process),
            Term::Then(first, sequence, from) => {
                let edges = self.edges(first);
                self.followed(edges, sequence, from)
            }
            Term::Parallel(parts) => self.interleaved(&parts),
        };
        self.edges.insert(term, edges.clone());
        edges
    }

    fn first(&mut self, process: ProcessId) -> Vec<Edge> {
        match &self.system.processes[process] {
            Process::Nil => Vec::new(),
            Process::Act(action) => {
                vec![Edge { guards: Vec::new(), action: Some(*action), next: self.term(Term::Done) }]
            }
            Process::Call(definition) => self.first(self.system.definitions[*definition].body),
            Process::Choice(parts) => parts.iter().flat_map(|part| self.first(*part)).collect(),
            Process::Sequence(parts) => {
                let edges = parts.first().map_or(Vec::new(), |part| self.first(*part));
                self.followed(edges, process, 1)
            }
            Process::Parallel(parts) => {
                let parts: Vec<TermId> = parts.iter().map(|part| self.process(*part)).collect();
                self.interleaved(&parts)
            }
            Process::Guarded { guard, is_conditional, body } => {
                let mut edges = self.first(*body);
                for edge in &mut edges {
                    edge.guards.insert(0, (*guard, true));
                }
                if *is_conditional {
                    let next = self.term(Term::Done);
                    edges.push(Edge { guards: vec![(*guard, false)], action: None, next });
                }
                edges
            }
        }
    }

    /// Steps after which the parts of a sequence come, from a position on.
    fn followed(&mut self, mut edges: Vec<Edge>, sequence: ProcessId, from: usize) -> Vec<Edge> {
        for edge in &mut edges {
            edge.next = self.then(edge.next, sequence, from);
        }
        edges
    }

    fn then(&mut self, first: TermId, sequence: ProcessId, from: usize) -> TermId {
        let Process::Sequence(parts) = &self.system.processes[sequence] else { return first };
        match parts.get(from) {
            None => first,
            Some(part) if self.is_done(first) => {
                let part = self.process(*part);
                self.then(part, sequence, from + 1)
            }
            Some(_) => self.term(Term::Then(first, sequence, from)),
        }
    }

    fn interleaved(&mut self, parts: &[TermId]) -> Vec<Edge> {
        let mut all = Vec::new();
        for (position, part) in parts.iter().enumerate() {
            for mut edge in self.edges(*part) {
                let mut left = parts.to_vec();
                left[position] = edge.next;
                left.retain(|one| !self.is_done(*one));
                edge.next = match left.as_slice() {
                    [] => self.term(Term::Done),
                    [only] => *only,
                    _ => self.term(Term::Parallel(left)),
                };
                all.push(edge);
            }
        }
        all
    }
}
