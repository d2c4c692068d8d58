//! The rules: what a process can do next.
//!
//! A [`Behaviour`] is a term on its way: a term as written, or an operator around parts that have moved.
//! Behaviours are hash-consed (equal ones are one), and their steps are computed once, parts first, without
//! recursion: terms and chains of constants may be deep. In a sequence whose left side has terminated the
//! left side is dropped at once, so handing over is no step.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::combine::Algebra;
use crate::model::{
    LabelId, RelabellingId, RestrictionId, SynchronisationId, System, Term, TermId, tau, terminated,
};
use crate::show::{self, Level, Todo};
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::{Budget, Stop};

paramcheck_text::define_index! {
    /// A behaviour.
    pub struct BehaviourId;
}

/// A process on its way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Behaviour {
    /// A term as written: `0`, a prefix, a constant, a choice or a loop.
    Term(TermId),
    /// `P; Q`; P has not terminated.
    Sequence(BehaviourId, BehaviourId),
    /// Operands side by side.
    Parallel(SynchronisationId, Box<[BehaviourId]>),
    /// `P \ {…}`
    Restrict(BehaviourId, RestrictionId),
    /// `P[…]`
    Relabel(BehaviourId, RelabellingId),
}

/// A step of a behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// What is done.
    pub label: LabelId,
    /// What is left to do.
    pub target: BehaviourId,
}

/// All behaviours met so far and their steps.
pub(crate) struct Behaviours<'a> {
    pub(super) system: &'a System,
    algebra: &'a Algebra<'a>,
    budget: &'a Budget,
    pub(super) items: IndexVec<BehaviourId, Behaviour>,
    ids: FxHashMap<Behaviour, BehaviourId>,
    is_terminated: IndexVec<BehaviourId, bool>,
    moves: IndexVec<BehaviourId, Option<Rc<[Move]>>>,
    /// Each term as a behaviour.
    of_term: IndexVec<TermId, BehaviourId>,
    /// Which terms are terminated as written.
    terminated_terms: IndexVec<TermId, bool>,
}

impl<'a> Behaviours<'a> {
    /// The terms of a system as behaviours.
    pub(crate) fn new(system: &'a System, algebra: &'a Algebra<'a>, budget: &'a Budget) -> Self {
        let mut behaviours = Behaviours {
            system,
            algebra,
            budget,
            items: IndexVec::new(),
            ids: FxHashMap::default(),
            is_terminated: IndexVec::new(),
            moves: IndexVec::new(),
            of_term: IndexVec::new(),
            terminated_terms: terminated(&system.terms, &system.constants),
        };
        // Parts come before what is made of them.
        for (id, term) in system.terms.enumerate() {
            let of = |part: &TermId| behaviours.of_term[*part];
            let behaviour = match term {
                Term::Sequence(first, second) => {
                    let (first, second) = (of(first), of(second));
                    let id = behaviours.sequence(first, second);
                    behaviours.of_term.push(id);
                    continue;
                }
                Term::Parallel(synchronisation, parts) => {
                    Behaviour::Parallel(*synchronisation, parts.iter().map(of).collect())
                }
                Term::Restrict(inside, set) => Behaviour::Restrict(of(inside), *set),
                Term::Relabel(inside, map) => Behaviour::Relabel(of(inside), *map),
                _ => Behaviour::Term(id),
            };
            let id = behaviours.intern(behaviour);
            behaviours.of_term.push(id);
        }
        behaviours
    }

    /// A term as a behaviour.
    pub(crate) fn of_term(&self, term: TermId) -> BehaviourId {
        self.of_term[term]
    }

    /// Whether a behaviour is terminated: it may not stop, it has.
    pub(crate) fn is_terminated(&self, id: BehaviourId) -> bool {
        self.is_terminated[id]
    }

    pub(super) fn intern(&mut self, behaviour: Behaviour) -> BehaviourId {
        if let Some(id) = self.ids.get(&behaviour) {
            return *id;
        }
        let is_terminated = match &behaviour {
            Behaviour::Term(term) => self.terminated_terms[*term],
            // Otherwise it would not be a sequence any more.
            Behaviour::Sequence(..) => false,
            Behaviour::Parallel(_, parts) => parts.iter().all(|part| self.is_terminated[*part]),
            Behaviour::Restrict(inside, _) | Behaviour::Relabel(inside, _) => self.is_terminated[*inside],
        };
        let id = self.items.push(behaviour.clone());
        self.ids.insert(behaviour, id);
        self.is_terminated.push(is_terminated);
        self.moves.push(None);
        id
    }

    /// `first; second`
    pub(super) fn sequence(&mut self, first: BehaviourId, second: BehaviourId) -> BehaviourId {
        if self.is_terminated[first] { second } else { self.intern(Behaviour::Sequence(first, second)) }
    }

    /// The steps of a behaviour, ascending, each once.
    ///
    /// # Errors
    /// The budget ended.
    pub(crate) fn moves(&mut self, id: BehaviourId) -> Result<Rc<[Move]>, Stop> {
        if let Some(moves) = &self.moves[id] {
            return Ok(Rc::clone(moves));
        }
        // What is needed first lies above what needs it. No behaviour needs itself, for cycles of
        // constants are guarded.
        let mut stack = vec![id];
        let mut count = 0;
        while let Some(&next) = stack.last() {
            count += 1;
            if count % 1024 == 0 {
                self.budget.check()?;
            }
            if self.moves[next].is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            self.each_needed(next, |needed, is_known| {
                if !is_known {
                    stack.push(needed);
                }
            });
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let mut moves = self.step(next)?;
            moves.sort();
            moves.dedup();
            self.moves[next] = Some(moves.into());
        }
        Ok(self.known(id))
    }

    /// The behaviours whose steps are needed for those of `id`, and whether they are known.
    fn each_needed(&self, id: BehaviourId, mut visit: impl FnMut(BehaviourId, bool)) {
        let mut visit = |id: BehaviourId| visit(id, self.moves[id].is_some());
        match &self.items[id] {
            Behaviour::Term(term) => match &self.system.terms[*term] {
                Term::Constant(constant) => visit(self.of_term[self.system.constants[*constant].body]),
                Term::Choice(parts) => parts.iter().for_each(|part| visit(self.of_term[*part])),
                _ => {}
            },
            Behaviour::Sequence(first, _) => visit(*first),
            Behaviour::Parallel(_, parts) => parts.iter().for_each(|part| visit(*part)),
            Behaviour::Restrict(inside, _) | Behaviour::Relabel(inside, _) => visit(*inside),
        }
    }

    fn known(&self, id: BehaviourId) -> Rc<[Move]> {
        self.moves[id].as_ref().map_or_else(|| Rc::from([]), Rc::clone)
    }

    /// The steps of a behaviour; those that it needs are known.
    fn step(&mut self, id: BehaviourId) -> Result<Vec<Move>, Stop> {
        match self.items[id].clone() {
            Behaviour::Term(term) => Ok(self.step_of_term(term)),
            Behaviour::Sequence(first, second) => {
                let moves = self.known(first);
                let then = |step: &Move| Move { target: self.sequence(step.target, second), ..*step };
                Ok(moves.iter().map(then).collect())
            }
            Behaviour::Parallel(synchronisation, parts) => {
                let moves: Vec<Rc<[Move]>> = parts.iter().map(|part| self.known(*part)).collect();
                let labels: Vec<Vec<LabelId>> =
                    moves.iter().map(|moves| moves.iter().map(|step| step.label).collect()).collect();
                let mut result = Vec::new();
                let system = self.system;
                let algebra = self.algebra;
                algebra.combine(&system.synchronisations[synchronisation], &labels, |label, chosen| {
                    let mut after = parts.clone();
                    for (operand, step) in chosen {
                        after[*operand] = moves[*operand][*step].target;
                    }
                    let target = self.intern(Behaviour::Parallel(synchronisation, after));
                    result.push(Move { label, target });
                })?;
                Ok(result)
            }
            Behaviour::Restrict(inside, set) => {
                let forbidden = &self.system.restrictions[set];
                let allowed = |step: &&Move| forbidden.binary_search(&step.label).is_err();
                let moves = self.known(inside);
                let mut after = |step: &Move| self.intern(Behaviour::Restrict(step.target, set));
                Ok(moves.iter().filter(allowed).map(|step| Move { target: after(step), ..*step }).collect())
            }
            Behaviour::Relabel(inside, map) => {
                let names = &self.system.relabellings[map];
                let moves = self.known(inside);
                let renamed = |step: &Move| Move {
                    label: names.get(&step.label).copied().unwrap_or(step.label),
                    target: self.intern(Behaviour::Relabel(step.target, map)),
                };
                Ok(moves.iter().map(renamed).collect())
            }
        }
    }

    fn step_of_term(&mut self, term: TermId) -> Vec<Move> {
        let silent = |target| Move { label: tau(), target };
        match &self.system.terms[term] {
            Term::Prefix(label, rest) => vec![Move { label: *label, target: self.of_term[*rest] }],
            Term::Constant(constant) => {
                self.known(self.of_term[self.system.constants[*constant].body]).to_vec()
            }
            Term::Choice(parts) => {
                parts.iter().flat_map(|part| self.known(self.of_term[*part]).to_vec()).collect()
            }
            Term::InternalChoice(parts) => parts.iter().map(|part| silent(self.of_term[*part])).collect(),
            Term::Loop(inside) => {
                let again = self.sequence(self.of_term[*inside], self.of_term[term]);
                vec![silent(self.of_term[TermId::new(0)]), silent(again)]
            }
            // The others are behaviours of their own.
            Term::Nil | Term::Sequence(..) | Term::Parallel(..) | Term::Restrict(..) | Term::Relabel(..) => {
                Vec::new()
            }
        }
    }

    /// A behaviour as it would be written, up to about `limit` bytes.
    pub(crate) fn show(&self, id: BehaviourId, limit: usize) -> String {
        enum Either {
            Term(TermId),
            Behaviour(BehaviourId),
        }
        show::write(Either::Behaviour(id), limit, |next| {
            let id = match next {
                Either::Term(term) => return of_terms(self.system, term, Either::Term),
                Either::Behaviour(id) => id,
            };
            let part = |id: &BehaviourId, level| Todo::Term(Either::Behaviour(*id), level);
            match &self.items[id] {
                Behaviour::Term(term) => of_terms(self.system, *term, Either::Term),
                Behaviour::Sequence(first, second) => {
                    let sign = Todo::Text("; ".to_owned());
                    (Level::Sequence, vec![part(first, Level::Postfix), sign, part(second, Level::Sequence)])
                }
                Behaviour::Parallel(synchronisation, parts) => {
                    let sign = show::operator(self.system, &self.system.synchronisations[*synchronisation]);
                    let parts = parts.iter().map(|part| Either::Behaviour(*part));
                    (Level::Parallel, show::joined(parts, &sign, Level::Choice))
                }
                Behaviour::Restrict(inside, set) => {
                    let sign = Todo::Text(show::restriction(self.system, *set));
                    (Level::Postfix, vec![part(inside, Level::Postfix), sign])
                }
                Behaviour::Relabel(inside, map) => {
                    let sign = Todo::Text(show::relabelling(self.system, *map));
                    (Level::Postfix, vec![part(inside, Level::Postfix), sign])
                }
            }
        })
    }
}

/// The parts of a term, as parts of something else.
fn of_terms<T>(system: &System, term: TermId, wrap: impl Fn(TermId) -> T) -> (Level, Vec<Todo<T>>) {
    let (level, parts) = show::expand(system, term);
    let parts = parts.into_iter().map(|part| match part {
        Todo::Text(text) => Todo::Text(text),
        Todo::Term(term, level) => Todo::Term(wrap(term), level),
    });
    (level, parts.collect())
}
