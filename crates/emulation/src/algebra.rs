//! Synchronisation algebras: which actions may be taken alone, which together, and as what.
//!
//! The paper's σ (Definition 2.3), completed for λ and for choreographies. An [`Algebra`] is a value:
//! encoders are given one and query it, and know no parallel operator. In every algebra here an action has at
//! most one partner (for `|` its co-action, else itself), so triples that go together are found by their
//! labels, not by trying all pairs.

use paramcheck_process::model::{Label, LabelId, Synchronisation, System, tau};
use paramcheck_text::index::IndexVec;

use super::triple::Action;

#[cfg(test)]
mod tests;

/// How many operands a joint step has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arity {
    /// Two.
    Two,
    /// All: σ is applied to one operand after the other, and none may be left out.
    All,
}

/// A synchronisation algebra.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Algebra<'a> {
    labels: &'a IndexVec<LabelId, Label>,
    complements: &'a IndexVec<LabelId, Option<LabelId>>,
    kind: &'a Synchronisation,
}

impl<'a> Algebra<'a> {
    /// That of a parallel operator. `complements` are those of the system.
    pub(crate) fn new(
        system: &'a System,
        complements: &'a IndexVec<LabelId, Option<LabelId>>,
        kind: &'a Synchronisation,
    ) -> Self {
        Algebra { labels: &system.labels, complements, kind }
    }

    /// How many operands take a joint step.
    pub(crate) fn arity(&self) -> Arity {
        match self.kind {
            Synchronisation::Ccs | Synchronisation::Rendezvous => Arity::Two,
            Synchronisation::Hoare(_) => Arity::All,
        }
    }

    /// σ(μ, \*): what it is called where an operand takes μ alone; `None` for ⊥, where it may not.
    /// σ(λ, \*) = λ.
    pub(crate) fn alone(&self, action: Action) -> Option<Action> {
        let Action::Step(label) = action else { return Some(action) };
        let is_free = match self.kind {
            Synchronisation::Ccs => true,
            Synchronisation::Hoare(set) => set.binary_search(&label).is_err(),
            Synchronisation::Rendezvous => !matches!(self.labels[label], Label::Communication { .. }),
        };
        is_free.then_some(action)
    }

    /// The only action that goes together with this one, and what both are together; `None` where σ(μ, ·) = ⊥
    /// throughout, as for `tau`.
    pub(crate) fn partner(&self, label: LabelId) -> Option<(LabelId, LabelId)> {
        match self.kind {
            Synchronisation::Ccs => Some((self.complements[label]?, tau())),
            Synchronisation::Hoare(set) => set.binary_search(&label).ok().map(|_| (label, label)),
            Synchronisation::Rendezvous => {
                matches!(self.labels[label], Label::Communication { .. }).then_some((label, label))
            }
        }
    }
}
