//! Formulas in negation normal form, each once, simplified as they are made.
//!
//! Only `true`, `false`, literals, `&`, `|`, `X`, `U` and `R` are left. A formula is a number in an
//! [`Arena`]; equal formulas have equal numbers, so that comparing them is cheap and what is shared is stored
//! once. The arena is also where rewriting happens ([`rewrite`](self)): each formula is simplified when it is
//! made, from the inside out.
//!
//! A [`Formula`] over [`Atom`]s comes in ([`Arena::add`]); a number goes out, and [`Node`]s for who asks.

mod classes;
mod implied;
mod rewrite;
#[cfg(test)]
mod tests;

use paramcheck_text::index::{Idx, IndexVec};
use rustc_hash::FxHashMap;

use crate::formula::{Atom, Binary, Formula, Modality, Unary};
use classes::Classes;

paramcheck_text::define_index! {
    /// A formula of an arena.
    pub struct NormalId;
}

/// A formula in negation normal form: its outermost operator.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// `true`
    True,
    /// `false`
    False,
    /// An atom, or its negation.
    Literal {
        /// The atom.
        atom: Atom,
        /// Whether it is to hold.
        holds: bool,
    },
    /// A conjunction of two or more, ascending.
    And(Box<[NormalId]>),
    /// A disjunction of two or more, ascending.
    Or(Box<[NormalId]>),
    /// `X φ`
    Next(NormalId),
    /// `φ U ψ`; `F ψ` is `true U ψ`.
    Until(NormalId, NormalId),
    /// `φ R ψ`; `G ψ` is `false R ψ`.
    Release(NormalId, NormalId),
}

/// Formulas in negation normal form.
#[derive(Clone, Debug)]
pub struct Arena {
    nodes: IndexVec<NormalId, Node>,
    classes: IndexVec<NormalId, Classes>,
    ids: FxHashMap<Node, NormalId>,
    negations: FxHashMap<NormalId, NormalId>,
    implied: FxHashMap<(NormalId, NormalId), bool>,
    /// Whether formulas are simplified beyond constants and repetitions.
    rewrites: bool,
}

/// `true` in every arena.
pub(crate) fn always() -> NormalId {
    NormalId::new(0)
}

/// `false` in every arena.
pub(crate) fn never() -> NormalId {
    NormalId::new(1)
}

impl Default for Arena {
    fn default() -> Self {
        Arena::new()
    }
}

impl Arena {
    /// An arena that simplifies.
    pub fn new() -> Self {
        Arena::with_rewriting(true)
    }

    pub(crate) fn with_rewriting(rewrites: bool) -> Self {
        let mut arena = Arena {
            nodes: IndexVec::new(),
            classes: IndexVec::new(),
            ids: FxHashMap::default(),
            negations: FxHashMap::default(),
            implied: FxHashMap::default(),
            rewrites,
        };
        arena.intern(Node::True);
        arena.intern(Node::False);
        arena
    }

    /// The outermost operator of a formula.
    pub fn node(&self, id: NormalId) -> &Node {
        &self.nodes[id]
    }

    fn intern(&mut self, node: Node) -> NormalId {
        if let Some(id) = self.ids.get(&node) {
            return *id;
        }
        let classes = self.classes_of(&node);
        self.classes.push(classes);
        let id = self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }

    /// The formula in negation normal form.
    pub fn add(&mut self, formula: &Formula<Atom>) -> NormalId {
        self.signed(formula, true)
    }

    /// Its negation in negation normal form.
    pub fn add_negated(&mut self, formula: &Formula<Atom>) -> NormalId {
        self.signed(formula, false)
    }

    /// The formula, or its negation. (Baier, Katoen 2008, section 5.1.5, and the definitions of `<<o>>`,
    /// `[[o]]`.)
    fn signed(&mut self, formula: &Formula<Atom>, holds: bool) -> NormalId {
        match formula {
            Formula::True => self.constant(holds),
            Formula::False => self.constant(!holds),
            Formula::Atom(atom) => self.literal(*atom, holds),
            Formula::Not(inner) => self.signed(inner, !holds),
            Formula::And(parts) => self.list(parts, holds, holds),
            Formula::Or(parts) => self.list(parts, holds, !holds),
            Formula::Implies(left, right) => {
                let parts = [self.signed(left, !holds), self.signed(right, holds)];
                if holds { self.or(parts.to_vec()) } else { self.and(parts.to_vec()) }
            }
            Formula::Iff(left, right) => {
                // By negation, which is remembered: both signs of both sides would be exponential in the depth.
                let (left, right) = (self.signed(left, true), self.signed(right, holds));
                let (not_left, not_right) = (self.negation(left), self.negation(right));
                let both = [self.and(vec![left, right]), self.and(vec![not_left, not_right])];
                self.or(both.to_vec())
            }
            Formula::Unary(operator, inner) => {
                let inner = self.signed(inner, holds);
                match (operator, holds) {
                    (Unary::Next, _) => self.next(inner),
                    (Unary::Finally, true) | (Unary::Globally, false) => self.until(always(), inner),
                    (Unary::Finally, false) | (Unary::Globally, true) => self.release(never(), inner),
                }
            }
            Formula::Binary(operator, left, right) => {
                let (left, right) = (self.signed(left, holds), self.signed(right, holds));
                match (operator, holds) {
                    (Binary::Until, true) | (Binary::Release, false) => self.until(left, right),
                    (Binary::Until, false) | (Binary::Release, true) => self.release(left, right),
                    // φ W ψ is ψ R (φ | ψ), and its negation !ψ U (!φ & !ψ).
                    (Binary::WeakUntil, true) => {
                        let either = self.or(vec![left, right]);
                        self.release(right, either)
                    }
                    (Binary::WeakUntil, false) => {
                        let both = self.and(vec![left, right]);
                        self.until(right, both)
                    }
                }
            }
            // <<o>>φ is o & X φ, and [[o]]φ is !o | X φ: both hold where a step has what they need.
            Formula::Observation(modality, observation, inner) => {
                let inner = self.signed(inner, holds);
                let next = self.next(inner);
                let is_diamond = (*modality == Modality::Diamond) == holds;
                let literal = self.literal(*observation, is_diamond);
                if is_diamond { self.and(vec![literal, next]) } else { self.or(vec![literal, next]) }
            }
        }
    }

    fn list(&mut self, parts: &[Formula<Atom>], holds: bool, is_and: bool) -> NormalId {
        let parts = parts.iter().map(|part| self.signed(part, holds)).collect();
        if is_and { self.and(parts) } else { self.or(parts) }
    }

    fn constant(&self, holds: bool) -> NormalId {
        if holds { always() } else { never() }
    }

    fn literal(&mut self, atom: Atom, holds: bool) -> NormalId {
        self.intern(Node::Literal { atom, holds })
    }

    /// The negation of a formula.
    pub fn negation(&mut self, id: NormalId) -> NormalId {
        if let Some(negation) = self.negations.get(&id) {
            return *negation;
        }
        let negation = match self.nodes[id].clone() {
            Node::True => never(),
            Node::False => always(),
            Node::Literal { atom, holds } => self.literal(atom, !holds),
            Node::And(parts) => {
                let parts = parts.iter().map(|part| self.negation(*part)).collect();
                self.or(parts)
            }
            Node::Or(parts) => {
                let parts = parts.iter().map(|part| self.negation(*part)).collect();
                self.and(parts)
            }
            Node::Next(inner) => {
                let inner = self.negation(inner);
                self.next(inner)
            }
            Node::Until(left, right) => {
                let (left, right) = (self.negation(left), self.negation(right));
                self.release(left, right)
            }
            Node::Release(left, right) => {
                let (left, right) = (self.negation(left), self.negation(right));
                self.until(left, right)
            }
        };
        self.negations.insert(id, negation);
        self.negations.insert(negation, id);
        negation
    }
}
