//! What the form of a formula says about it.
//!
//! Safety and guarantee: Sistla, *Safety, liveness and fairness in temporal logic*, Formal Aspects of
//! Computing 6 (1994); Manna and Pnueli, *A hierarchy of temporal properties*, PODC 1990. Pure eventuality
//! and universality: Etessami and Holzmann, *Optimizing Büchi automata*, CONCUR 2000, section 4.

use super::{Arena, Node, NormalId};

/// The classes a formula is seen to be in. It may be in others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classes {
    /// No `U`: a run that violates it has a prefix all of whose continuations do.
    pub is_safety: bool,
    /// No `R`: a run that satisfies it has a prefix all of whose continuations do.
    pub is_guarantee: bool,
    /// A run satisfies it if a suffix does.
    pub is_eventual: bool,
    /// All suffixes of a run that satisfies it do.
    pub is_universal: bool,
}

impl Classes {
    const CONSTANT: Classes =
        Classes { is_safety: true, is_guarantee: true, is_eventual: true, is_universal: true };

    fn and(self, other: Classes) -> Classes {
        Classes {
            is_safety: self.is_safety && other.is_safety,
            is_guarantee: self.is_guarantee && other.is_guarantee,
            is_eventual: self.is_eventual && other.is_eventual,
            is_universal: self.is_universal && other.is_universal,
        }
    }
}

impl Arena {
    /// The classes of a formula.
    pub fn classes(&self, id: NormalId) -> Classes {
        self.classes[id]
    }

    /// The classes of a formula whose parts are known.
    pub(super) fn classes_of(&self, node: &Node) -> Classes {
        match node {
            Node::True | Node::False => Classes::CONSTANT,
            Node::Literal { .. } => Classes { is_eventual: false, is_universal: false, ..Classes::CONSTANT },
            Node::And(parts) | Node::Or(parts) => {
                parts.iter().fold(Classes::CONSTANT, |all, part| all.and(self.classes[*part]))
            }
            Node::Next(inner) => self.classes[*inner],
            Node::Until(left, right) => {
                let both = self.classes[*left].and(self.classes[*right]);
                let is_eventual = *left == super::always() || both.is_eventual;
                Classes { is_safety: false, is_eventual, ..both }
            }
            Node::Release(left, right) => {
                let both = self.classes[*left].and(self.classes[*right]);
                let is_universal = *left == super::never() || both.is_universal;
                Classes { is_guarantee: false, is_universal, ..both }
            }
        }
    }
}
