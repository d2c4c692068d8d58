//! Parallel compositions within an agent: what stands side by side there, and what comes after.
//!
//! From a behaviour to its [`Inner`] structure: whoever wants to see the operands one by one, as a picture
//! does, need not look at all their interleavings.

use rustc_hash::FxHashSet;

use super::behaviour::{Behaviour, BehaviourId, Behaviours};
use crate::model::{RelabellingId, RestrictionId, Term, TermId};
use paramcheck_text::index::Idx;

/// What a behaviour is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inner {
    /// It acts by itself: nothing stands side by side in it yet.
    Sequential,
    /// It is a parallel composition, perhaps with something after it.
    Parallel {
        /// What stands side by side, before the operators around the composition apply.
        operands: Vec<BehaviourId>,
        /// What comes when all operands have terminated.
        after: BehaviourId,
        /// Whether a restriction stands around the composition.
        is_restricted: bool,
    },
    /// A choice of which an alternative is a parallel composition: it is chosen by the first step of an
    /// operand, so the operands do not begin by themselves.
    Alternative,
}

/// What stands around the part of a behaviour that acts.
enum Around {
    Before(BehaviourId),
    Restrict(RestrictionId),
    Relabel(RelabellingId),
}

/// What acts in a behaviour.
enum Head<'a> {
    Parallel(Vec<BehaviourId>),
    Choice(&'a [TermId]),
    Other,
}

impl Behaviours<'_> {
    /// What a behaviour is made of.
    pub(crate) fn inner(&mut self, id: BehaviourId) -> Inner {
        let mut around = Vec::new();
        let operands = match self.head(id, |one| around.push(one)) {
            Head::Parallel(operands) => operands,
            Head::Choice(parts) if self.has_parallel(parts) => return Inner::Alternative,
            Head::Choice(_) | Head::Other => return Inner::Sequential,
        };
        let mut after = self.of_term(TermId::new(0));
        let mut is_restricted = false;
        for operator in around.into_iter().rev() {
            is_restricted |= matches!(operator, Around::Restrict(_));
            after = match operator {
                Around::Before(next) => self.sequence(after, next),
                _ if self.is_terminated(after) => after,
                Around::Restrict(set) => self.intern(Behaviour::Restrict(after, set)),
                Around::Relabel(map) => self.intern(Behaviour::Relabel(after, map)),
            };
        }
        Inner::Parallel { operands, after, is_restricted }
    }

    /// What acts in a behaviour; `visit` gets what stands around it, from the outside.
    fn head(&self, id: BehaviourId, mut visit: impl FnMut(Around)) -> Head<'_> {
        let mut at = id;
        loop {
            at = match &self.items[at] {
                Behaviour::Sequence(first, second) => {
                    visit(Around::Before(*second));
                    *first
                }
                Behaviour::Restrict(inside, set) => {
                    visit(Around::Restrict(*set));
                    *inside
                }
                Behaviour::Relabel(inside, map) => {
                    visit(Around::Relabel(*map));
                    *inside
                }
                Behaviour::Parallel(_, operands) => return Head::Parallel(operands.to_vec()),
                Behaviour::Term(term) => match &self.system.terms[*term] {
                    Term::Constant(constant) => self.of_term(self.system.constants[*constant].body),
                    Term::Choice(parts) => return Head::Choice(parts),
                    _ => return Head::Other,
                },
            };
        }
    }

    /// Whether one of these alternatives is a parallel composition.
    fn has_parallel(&self, alternatives: &[TermId]) -> bool {
        let mut todo = alternatives.to_vec();
        let mut known = FxHashSet::default();
        while let Some(term) = todo.pop() {
            if !known.insert(term) {
                continue;
            }
            match self.head(self.of_term(term), |_| ()) {
                Head::Parallel(_) => return true,
                Head::Choice(parts) => todo.extend(parts),
                Head::Other => {}
            }
        }
        false
    }
}
