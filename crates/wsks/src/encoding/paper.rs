//! The paper's own definitions by a flow formula (4.1, 4.2): Φ quantifies the pre- and post-set of a
//! transition and the nodes where its components sit; invariants and deadlocks speak of all of them.
//!
//! Questions are built from equivalent formulas that say the same node by node (files `binding`,
//! `invariant`, `error`): there no set is quantified that is not needed. Measured on the token ring with
//! stand-alone MONA, both kinds: these take a hundred times as long, and fail for want of memory on
//! larger systems. Tests hold the two against each other.

use crate::encoding::{EncodeError, Encoder};
use crate::flow::{Case, Firing};
use crate::formula::{FormulaId, NodeVariable, SetVariable};
use crate::tracks::Places;
use paramcheck_model::component::TypeId;
use paramcheck_model::rule::{RuleId, VariableId};
use paramcheck_text::index::Idx;

/// The most ways to choose positions for the components of one transition.
const MAX_WAYS: usize = 1_000;

impl Encoder<'_> {
    /// A tuple of new variables of the form of X.
    pub fn new_places(&mut self, name: &str) -> Places {
        let widths: Vec<usize> = self.tracks.marking.iter().map(Vec::len).collect();
        let mut number = 0;
        let mut next = || {
            number += 1;
            format!("{name}{number}")
        };
        widths.into_iter().map(|states| (0..states).map(|_| self.store.new_set(next())).collect()).collect()
    }

    /// Per component of node x: some place of it is in both tuples.
    fn common(&mut self, one: &Places, two: &Places) -> Vec<(u64, FormulaId)> {
        let mut result = Vec::new();
        for (ones, twos) in one.iter().zip(two) {
            for (&one, &two) in ones.iter().zip(twos) {
                let (one, two) = (self.store.member(self.node, one), self.store.member(self.node, two));
                result.push((1, self.store.and([one, two])));
            }
        }
        result
    }

    /// *inter*(X, Y): some place is in both.
    ///
    /// # Errors
    /// Never.
    pub fn inter(&mut self, one: &Places, two: &Places) -> Result<FormulaId, EncodeError> {
        let common = self.common(one, two);
        self.at_least(&common, 1)
    }

    /// *single*(X, Y): exactly one place is in both. (The paper counts nodes; several components may sit
    /// on one.)
    ///
    /// # Errors
    /// Never.
    pub fn single(&mut self, one: &Places, two: &Places) -> Result<FormulaId, EncodeError> {
        let common = self.common(one, two);
        self.exactly(&common, 1)
    }

    /// *init*(X): X is the initial marking.
    pub fn init(&mut self, set: &Places) -> FormulaId {
        let here: Vec<FormulaId> = {
            let mut parts = Vec::new();
            for (j, tracks) in set.iter().enumerate() {
                for (s, &track) in tracks.iter().enumerate() {
                    let inside = self.store.member(self.node, track);
                    let starts = self.starts_in(j, s);
                    parts.push(self.store.iff(inside, starts));
                }
            }
            parts
        };
        let all = self.store.and(here);
        self.everywhere(all)
    }

    /// Φ(X, X′, U), (12): the tuples are the pre- and post-set of some transition.
    ///
    /// # Errors
    /// Too many ways to place components.
    pub fn flow(&mut self, pre: &Places, post: &Places) -> Result<FormulaId, EncodeError> {
        let mut parts = Vec::new();
        for position in 0..self.firings.alive.len() {
            for firing in self.firings.alive[position].combinations() {
                parts.push(self.psi(&firing, pre, post)?);
            }
        }
        Ok(self.store.or(parts))
    }

    /// Ψ(X, X′, U), (13)–(15), for one family of transitions.
    fn psi(&mut self, firing: &Firing, pre: &Places, post: &Places) -> Result<FormulaId, EncodeError> {
        let moves: Vec<(VariableId, Case)> =
            firing.moves.iter().flat_map(|m| m.cases.iter().map(|&case| (m.variable, case))).collect();
        // Where each component can sit: positions j of instance atoms of its type.
        let mut ways: Vec<Vec<usize>> = vec![Vec::new()];
        for (_, case) in &moves {
            let mut positions: Vec<usize> = self
                .instances()
                .into_iter()
                .filter(|(_, _, atom)| atom.component == case.component)
                .map(|(_, j, _)| j)
                .collect();
            positions.sort_unstable();
            positions.dedup();
            if ways.len().saturating_mul(positions.len()) > MAX_WAYS {
                return Err(EncodeError::Firings);
            }
            ways = ways
                .iter()
                .flat_map(|way| positions.iter().map(move |&j| [way.as_slice(), &[j]].concat()))
                .collect();
        }
        let nodes: Vec<NodeVariable> =
            (0..moves.len()).map(|position| self.counted_node(position + 2)).collect();
        let start = self.counted_node(1);
        let mut parts = Vec::new();
        for way in ways {
            let at_start = self.store.node(start);
            let mut body = vec![self.labelled(at_start, firing.rule)];
            for ((&(variable, case), &node), &j) in moves.iter().zip(&nodes).zip(&way) {
                body.push(self.leads_to((firing.rule, variable), case.component, j, start, node));
            }
            for (set, state) in [(pre, true), (post, false)] {
                for (j, tracks) in set.iter().enumerate() {
                    for (s, &track) in tracks.iter().enumerate() {
                        let mut sits = Vec::new();
                        for (((_, case), &node), &position) in moves.iter().zip(&nodes).zip(&way) {
                            let place = if state { case.from } else { case.to };
                            if position == j && place.index() == s {
                                let node = self.store.node(node);
                                sits.push(self.store.equal(self.node, node));
                            }
                        }
                        let is_one = self.store.or(sits);
                        let inside = self.store.member(self.node, track);
                        let same = self.store.iff(inside, is_one);
                        body.push(self.everywhere(same));
                    }
                }
            }
            let body = self.store.and(body);
            let all = [&[start], nodes.as_slice()].concat();
            parts.push(all.into_iter().rev().fold(body, |part, node| self.store.exists_node(node, part)));
        }
        Ok(self.store.or(parts))
    }

    /// (14): the component bound to a variable at the node x is the j-th of the node y, of this type.
    fn leads_to(
        &mut self,
        from: (RuleId, VariableId),
        component: TypeId,
        j: usize,
        x: NodeVariable,
        y: NodeVariable,
    ) -> FormulaId {
        let targets: Vec<(RuleId, VariableId)> = self
            .instances()
            .into_iter()
            .filter(|(_, number, atom)| *number == j && atom.component == component)
            .map(|(rule, _, atom)| (rule, atom.variable))
            .collect();
        let parts: Vec<FormulaId> = targets.into_iter().map(|to| self.path(from, to, x, y)).collect();
        self.store.or(parts)
    }

    /// ∀Y¹, Y². Φ(Y¹, Y², U) ⇒ φ(Y¹, Y²)
    fn for_all_flows(
        &mut self,
        then: impl FnOnce(&mut Self, &Places, &Places) -> Result<FormulaId, EncodeError>,
    ) -> Result<FormulaId, EncodeError> {
        let (pre, post) = (self.new_places("P"), self.new_places("Q"));
        let rtree = self.rtree();
        let flow = self.flow(&pre, &post)?;
        let flow = self.store.and([rtree, flow]);
        let then = then(self, &pre, &post)?;
        let body = self.store.implies(flow, then);
        let sets: Vec<SetVariable> = pre.into_iter().chain(post).flatten().collect();
        Ok(self.store.forall_sets(&sets, body))
    }

    /// *trap*^Φ(θ, U): every transition that takes a place of θ gives one back.
    ///
    /// # Errors
    /// Φ is too large.
    pub fn trap_by_flow(&mut self, theta: &Places) -> Result<FormulaId, EncodeError> {
        self.for_all_flows(|encoder, pre, post| {
            let (taken, given) = (encoder.inter(theta, pre)?, encoder.inter(theta, post)?);
            Ok(encoder.store.implies(taken, given))
        })
    }

    /// *mutex*^Φ(θ, U), in the weaker form: every transition that takes none or one place of θ gives as
    /// many.
    ///
    /// # Errors
    /// Φ is too large.
    pub fn mutex_by_flow(&mut self, theta: &Places) -> Result<FormulaId, EncodeError> {
        self.for_all_flows(|encoder, pre, post| {
            let (taken, given) = (encoder.inter(theta, pre)?, encoder.inter(theta, post)?);
            let (one, other) = (encoder.single(theta, pre)?, encoder.single(theta, post)?);
            let kept = encoder.store.implies(one, other);
            let none = encoder.store.implies(given, taken);
            Ok(encoder.store.and([none, kept]))
        })
    }

    /// *TrapInv*^Φ(X, U): X meets every trap that is initially marked. U must be a rewriting tree and X a
    /// marking of it.
    ///
    /// # Errors
    /// Φ is too large.
    pub fn trap_inv_by_flow(&mut self) -> Result<FormulaId, EncodeError> {
        let (start, theta) = (self.new_places("S"), self.theta.clone());
        let (rtree, mark, inst) = (self.rtree(), self.mark(), self.inst(&theta));
        let init = self.init(&start);
        let meets = self.inter(&start, &theta)?;
        let trap = self.trap_by_flow(&theta)?;
        let marking = self.tracks.marking.clone();
        let marked = self.inter(&marking, &theta)?;
        let applies = self.store.and([rtree, inst, trap, init, meets, mark]);
        let body = self.store.implies(applies, marked);
        let sets: Vec<SetVariable> = start.into_iter().chain(theta).flatten().collect();
        Ok(self.store.forall_sets(&sets, body))
    }

    /// *MutexInv*^Φ(X, U): X meets every mutex in one place.
    ///
    /// # Errors
    /// Φ is too large.
    pub fn mutex_inv_by_flow(&mut self) -> Result<FormulaId, EncodeError> {
        let (start, theta) = (self.new_places("S"), self.theta.clone());
        let (rtree, mark, inst) = (self.rtree(), self.mark(), self.inst(&theta));
        let init = self.init(&start);
        let meets = self.single(&start, &theta)?;
        let mutex = self.mutex_by_flow(&theta)?;
        let marking = self.tracks.marking.clone();
        let marked = self.single(&marking, &theta)?;
        let applies = self.store.and([rtree, inst, mutex, init, meets, mark]);
        let body = self.store.implies(applies, marked);
        let sets: Vec<SetVariable> = start.into_iter().chain(theta).flatten().collect();
        Ok(self.store.forall_sets(&sets, body))
    }

    /// *DeadLock*^Φ(X, U): every transition lacks a pre-place (`final` states left out of account).
    ///
    /// # Errors
    /// Φ is too large.
    pub fn deadlock_by_flow(&mut self) -> Result<FormulaId, EncodeError> {
        let marking = self.tracks.marking.clone();
        self.for_all_flows(|encoder, pre, _| {
            let mut missing = Vec::new();
            for (&taken, &marked) in pre.iter().flatten().zip(marking.iter().flatten()) {
                let inside = encoder.store.member(encoder.node, taken);
                let marked = encoder.store.member(encoder.node, marked);
                let unmarked = encoder.store.not(marked);
                missing.push(encoder.store.and([inside, unmarked]));
            }
            let any = encoder.store.or(missing);
            Ok(encoder.somewhere(any))
        })
    }
}
