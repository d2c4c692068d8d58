//! Automata of formulas by the first practical construction: Gerth, Peled, Vardi and Wolper, *Simple
//! on-the-fly automatic verification of linear temporal logic*, PSTV 1995, Figure 1. States are labelled,
//! transitions are not.

use std::collections::BTreeSet;

use crate::letter::holds;
use crate::normal::{Arena, Node, NormalId};

type Set = BTreeSet<NormalId>;

/// A state of the automaton.
#[derive(Clone, Debug)]
pub(crate) struct Labelled {
    old: Set,
    next: Set,
    /// From which states it is reached; [`INITIAL`] if it is an initial one.
    pub(crate) incoming: BTreeSet<usize>,
}

/// Before the first state.
pub(crate) const INITIAL: usize = usize::MAX;

pub(crate) struct Gpvw<'a> {
    arena: &'a Arena,
    pub(crate) states: Vec<Labelled>,
    pub(crate) untils: Vec<(NormalId, NormalId)>,
}

impl<'a> Gpvw<'a> {
    pub(crate) fn new(arena: &'a Arena, formula: NormalId) -> Gpvw<'a> {
        let mut automaton = Gpvw { arena, states: Vec::new(), untils: Vec::new() };
        automaton.expand(vec![formula], Set::new(), Set::new(), BTreeSet::from([INITIAL]));
        let all: Set = automaton.states.iter().flat_map(|state| state.old.iter().copied()).collect();
        automaton.untils = all
            .into_iter()
            .filter_map(|id| match arena.node(id) {
                Node::Until(_, goal) => Some((id, *goal)),
                _ => None,
            })
            .collect();
        automaton
    }

    /// Whether a state may read a letter.
    pub(crate) fn reads(&self, state: usize, letter: &[u64]) -> bool {
        self.states[state].old.iter().all(|id| match self.arena.node(*id) {
            Node::Literal { atom, holds: wanted } => holds(letter, *atom) == *wanted,
            _ => true,
        })
    }

    /// Whether a state is in the acceptance set of this `U`.
    pub(crate) fn accepts(&self, state: usize, until: (NormalId, NormalId)) -> bool {
        let old = &self.states[state].old;
        !old.contains(&until.0) || old.contains(&until.1)
    }

    fn expand(&mut self, mut new: Vec<NormalId>, mut old: Set, mut next: Set, incoming: BTreeSet<usize>) {
        let Some(id) = new.pop() else {
            if let Some(same) = self.states.iter_mut().find(|state| state.old == old && state.next == next) {
                same.incoming.extend(incoming);
                return;
            }
            let number = self.states.len();
            self.states.push(Labelled { old, next: next.clone(), incoming });
            return self.expand(next.into_iter().collect(), Set::new(), Set::new(), BTreeSet::from([number]));
        };
        if old.contains(&id) {
            return self.expand(new, old, next, incoming);
        }
        let is_contrary = |other: &NormalId| match (self.arena.node(id), self.arena.node(*other)) {
            (Node::Literal { atom, holds }, Node::Literal { atom: other, holds: other_holds }) => {
                atom == other && holds != other_holds
            }
            _ => false,
        };
        if *self.arena.node(id) == Node::False || old.iter().any(is_contrary) {
            return;
        }
        old.insert(id);
        match self.arena.node(id).clone() {
            Node::True | Node::False | Node::Literal { .. } => self.expand(new, old, next, incoming),
            Node::And(parts) => {
                new.extend(parts);
                self.expand(new, old, next, incoming);
            }
            Node::Or(parts) => {
                for part in parts {
                    let mut new = new.clone();
                    new.push(part);
                    self.expand(new, old.clone(), next.clone(), incoming.clone());
                }
            }
            Node::Next(inner) => {
                next.insert(inner);
                self.expand(new, old, next, incoming);
            }
            Node::Until(hold, goal) => {
                let (mut held, mut later) = (new.clone(), next.clone());
                held.push(hold);
                later.insert(id);
                self.expand(held, old.clone(), later, incoming.clone());
                new.push(goal);
                self.expand(new, old, next, incoming);
            }
            Node::Release(goal, kept) => {
                let (mut held, mut later) = (new.clone(), next.clone());
                held.push(kept);
                later.insert(id);
                self.expand(held, old.clone(), later, incoming.clone());
                new.extend([goal, kept]);
                self.expand(new, old, next, incoming);
            }
        }
    }
}
