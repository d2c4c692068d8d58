//! Where terms and labels are collected while lowering: equal things are one thing.

use std::collections::BTreeMap;
use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::model::{
    Label, LabelId, RelabellingId, RestrictionId, Synchronisation, SynchronisationId, Term, TermId,
};
use paramcheck_text::index::{Idx, IndexVec};

/// Things with their ids.
pub(crate) struct Table<I, T> {
    pub(crate) items: IndexVec<I, T>,
    ids: FxHashMap<T, I>,
}

impl<I: Idx, T> Default for Table<I, T> {
    fn default() -> Self {
        Table { items: IndexVec::new(), ids: FxHashMap::default() }
    }
}

impl<I: Idx, T: Clone + Eq + Hash> Table<I, T> {
    /// The id of `item`, a new one if it is not there.
    pub(crate) fn intern(&mut self, item: T) -> I {
        if let Some(id) = self.ids.get(&item) {
            return *id;
        }
        let id = self.items.push(item.clone());
        self.ids.insert(item, id);
        id
    }

    /// The id of `item`, if it is there.
    pub(crate) fn find(&self, item: &T) -> Option<I> {
        self.ids.get(item).copied()
    }
}

/// The parts of a system that terms are made of.
pub(crate) struct Arena {
    pub(crate) labels: Table<LabelId, Label>,
    pub(crate) terms: Table<TermId, Term>,
    pub(crate) synchronisations: Table<SynchronisationId, Synchronisation>,
    pub(crate) restrictions: Table<RestrictionId, Vec<LabelId>>,
    pub(crate) relabellings: Table<RelabellingId, BTreeMap<LabelId, LabelId>>,
}

impl Arena {
    /// With `tau` as the only label.
    pub(crate) fn new() -> Self {
        let mut labels = Table::default();
        labels.intern(Label::Tau);
        Arena {
            labels,
            terms: Table::default(),
            synchronisations: Table::default(),
            restrictions: Table::default(),
            relabellings: Table::default(),
        }
    }

    /// The term.
    pub(crate) fn term(&mut self, term: Term) -> TermId {
        self.terms.intern(term)
    }

    /// `P; Q; …`; there is at least one operand.
    pub(crate) fn sequence(&mut self, operands: Vec<TermId>) -> TermId {
        let mut operands = operands.into_iter().rev();
        let last = operands.next().unwrap_or_else(|| self.term(Term::Nil));
        operands.fold(last, |rest, operand| self.term(Term::Sequence(operand, rest)))
    }
}
