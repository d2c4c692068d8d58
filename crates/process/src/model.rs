//! The resolved process model: terms, labels, constants and checks, all by id; no text is read again.
//!
//! A [`System`] is made by [`lower`](super::lower) only and is well-formed: every id is valid; every cycle
//! of constants is guarded and in tail position; the parts of a term come before it in the arena, and
//! equal terms are one term (so a term's id is the term up to spelling). A term's depth is not bounded
//! (a prefix may be a million actions long): walk terms without recursion, in the order of their ids or with
//! a stack. Constants that refer to each other make the unfolding deep as well.
//!
//! Prefixes carry a label only. Guards, assignments and variables (LAbS) will stand beside the label in
//! [`Term::Prefix`], and atoms over variables beside those of [`Formula`].

use std::collections::BTreeMap;

use crate::Language;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::source::Span;

paramcheck_text::define_index! {
    /// A label of steps: an action of the model, or `tau`.
    pub struct LabelId;
    /// A term.
    pub struct TermId;
    /// A constant.
    pub struct ConstantId;
    /// How the operands of a parallel composition come together.
    pub struct SynchronisationId;
    /// A set of restricted labels.
    pub struct RestrictionId;
    /// A relabelling.
    pub struct RelabellingId;
    /// A peer of a choreography.
    pub struct PeerId;
}

/// The invisible action: the first label of every system.
pub fn tau() -> LabelId {
    LabelId::new(0)
}

/// A model with its meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct System {
    /// The language it was written in.
    pub language: Language,
    /// All labels; the first is `tau`.
    pub labels: IndexVec<LabelId, Label>,
    /// The peers, in the order in which they first act; empty for CCS.
    pub peers: IndexVec<PeerId, Peer>,
    /// All terms; the first is [`Term::Nil`].
    pub terms: IndexVec<TermId, Term>,
    /// All constants, in source order. None are left in the projections of a choreography.
    pub constants: IndexVec<ConstantId, Constant>,
    /// All synchronisations.
    pub synchronisations: IndexVec<SynchronisationId, Synchronisation>,
    /// All restrictions: their labels, actions and co-actions, ascending.
    pub restrictions: IndexVec<RestrictionId, Vec<LabelId>>,
    /// All relabellings: what changes; actions and co-actions, never `tau`.
    pub relabellings: IndexVec<RelabellingId, BTreeMap<LabelId, LabelId>>,
    /// The system. For a choreography: its peers in parallel.
    pub root: TermId,
    /// Its checks, in source order.
    pub checks: Vec<Check>,
}

/// A label.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// The invisible action.
    Tau,
    /// An action of CCS, or its co-action.
    Action {
        /// Its name.
        name: String,
        /// Whether it is `'name`.
        is_co: bool,
    },
    /// `name@peer`
    Local {
        /// The action's name.
        name: String,
        /// Who takes it.
        peer: PeerId,
    },
    /// `name@[first,second]`
    Communication {
        /// The action's name.
        name: String,
        /// Who takes it: two different peers, in the order in which they are first written. No other label
        /// has the same name and peers.
        peers: [PeerId; 2],
    },
}

/// A peer of a choreography.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peer {
    /// Its name.
    pub name: String,
    /// What it does: the natural projection.
    pub projection: TermId,
}

/// A constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Its name.
    pub(crate) name: String,
    /// What it stands for.
    pub body: TermId,
}

/// A term. What each does is defined in Tables 1 and 2 of the paper and, for `;` and for choreographies, in
/// `semantics`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// `0`: terminated.
    Nil,
    /// `a.P`; `a@x` alone is `a@x` before [`Term::Nil`].
    Prefix(LabelId, TermId),
    /// A constant.
    Constant(ConstantId),
    /// `P; Q`. `P; Q; R` is `P; (Q; R)`.
    Sequence(TermId, TermId),
    /// `P + Q`, decided by the first step of a side.
    Choice(Vec<TermId>),
    /// `P + Q` of choreographies, decided by a `tau` step of its own.
    InternalChoice(Vec<TermId>),
    /// `*(P)` of choreographies: a `tau` step to the end or to `P; *(P)`.
    Loop(TermId),
    /// Operands side by side.
    Parallel(SynchronisationId, Vec<TermId>),
    /// `P \ {…}`
    Restrict(TermId, RestrictionId),
    /// `P[…]`
    Relabel(TermId, RelabellingId),
}

impl Term {
    /// The terms it is made of, in source order. A constant's body is not among them.
    pub(crate) fn parts(&self) -> impl DoubleEndedIterator<Item = TermId> + '_ {
        let (two, many): ([Option<TermId>; 2], &[TermId]) = match self {
            Term::Nil | Term::Constant(_) => ([None, None], &[]),
            Term::Prefix(_, part) | Term::Loop(part) | Term::Restrict(part, _) | Term::Relabel(part, _) => {
                ([Some(*part), None], &[])
            }
            Term::Sequence(first, second) => ([Some(*first), Some(*second)], &[]),
            Term::Choice(parts) | Term::InternalChoice(parts) | Term::Parallel(_, parts) => {
                ([None, None], parts)
            }
        };
        two.into_iter().flatten().chain(many.iter().copied())
    }
}

/// A synchronisation algebra: which steps of operands are taken together, and as what.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Synchronisation {
    /// `|`: every step of an operand alone; `a` of one and `'a` of another together as `tau`.
    Ccs,
    /// `|[L]|`: labels of L by all operands together, under the same label; others alone. Ascending.
    Hoare(Vec<LabelId>),
    /// The peers of a choreography, operand by operand in the order of their ids: a communication by its two
    /// peers together, under the same label; others alone.
    Rendezvous,
}

/// What is checked of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Its name, unique in the system.
    pub name: String,
    /// What must hold.
    pub goal: Goal,
    /// Where it stands.
    pub span: Span,
}

/// What a check demands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// No state is reached that can't move and is not terminated.
    NoDeadlock,
    /// The formula holds in every state that is reached.
    Always(Formula),
    /// Every maximal run has a state, the first included, in which the formula holds.
    Eventually(Formula),
    /// Every maximal run satisfies the formula; where it has ended, its last state repeats for ever.
    Ltl(paramcheck_temporal::formula::Formula<Atom>),
}

/// An atom of a temporal formula: about one moment of a run. Sets of labels are ascending and never empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// The last step was one of these; false at first.
    Did(Vec<LabelId>),
    /// A step with one of these labels is possible.
    Can(Vec<LabelId>),
    /// The state is terminated.
    Terminated,
    /// The step that is taken is one of these.
    Takes(Vec<LabelId>),
    /// A step is taken.
    TakesAny,
}

/// A formula about one moment of a run: a state and the step before it. Sets of labels are ascending and
/// never empty. Its depth is bounded by the parser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// The last step was one of these; false at first.
    Did(Vec<LabelId>),
    /// A step with one of these labels is possible.
    Can(Vec<LabelId>),
    /// The state is terminated.
    Terminated,
    /// Not.
    Not(Box<Formula>),
    /// All of these.
    And(Vec<Formula>),
    /// One of these.
    Or(Vec<Formula>),
}

impl System {
    /// For each label the co-action, if it has one that is a label of the system.
    pub fn complements(&self) -> IndexVec<LabelId, Option<LabelId>> {
        let ids: BTreeMap<&Label, LabelId> = self.labels.enumerate().map(|(id, label)| (label, id)).collect();
        let complement = |label: &Label| match label {
            Label::Action { name, is_co } => {
                ids.get(&Label::Action { name: name.clone(), is_co: !is_co }).copied()
            }
            _ => None,
        };
        self.labels.iter().map(complement).collect()
    }

    /// The check of this name.
    pub fn check_named(&self, name: &str) -> Option<&Check> {
        self.checks.iter().find(|check| check.name == name)
    }
}

/// Which terms are terminated as they are written: `0`; sequences, choices and parallel compositions if all
/// operands are; restrictions, relabellings and constants if their inside is. Linear: a term is looked at
/// when the last of its parts turns out to be. (A constant that only comes back to itself is not.)
pub fn terminated(
    terms: &IndexVec<TermId, Term>,
    constants: &IndexVec<ConstantId, Constant>,
) -> IndexVec<TermId, bool> {
    let mut waiting: Vec<Vec<TermId>> = vec![Vec::new(); terms.len()];
    let mut missing: Vec<usize> = vec![0; terms.len()];
    let mut ready = Vec::new();
    for (id, term) in terms.enumerate() {
        let needs: Vec<TermId> = match term {
            Term::Prefix(..) | Term::InternalChoice(_) | Term::Loop(_) => continue,
            Term::Constant(constant) => vec![constants[*constant].body],
            _ => term.parts().collect(),
        };
        missing[id.index()] = needs.len();
        if needs.is_empty() {
            ready.push(id);
        }
        for need in needs {
            waiting[need.index()].push(id);
        }
    }
    let mut is_terminated: IndexVec<TermId, bool> = terms.iter().map(|_| false).collect();
    while let Some(id) = ready.pop() {
        is_terminated[id] = true;
        for waiter in std::mem::take(&mut waiting[id.index()]) {
            missing[waiter.index()] -= 1;
            if missing[waiter.index()] == 0 {
                ready.push(waiter);
            }
        }
    }
    is_terminated
}
