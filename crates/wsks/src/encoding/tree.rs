//! Rewriting trees and markings: RTree (Fig. 4), mark, and where components start.

use crate::encoding::Encoder;
use crate::formula::FormulaId;
use crate::tracks::Places;
use paramcheck_model::component::StateId;
use paramcheck_model::rule::RuleId;
use paramcheck_text::index::Idx;

impl Encoder<'_> {
    /// *RTree*(U), Fig. 4: U is a rewriting tree.
    ///
    /// Line (8) in the paper makes the first rule label the root and nothing else. Here the root has any
    /// rule of the system's predicate, which may occur below again.
    pub fn rtree(&mut self) -> FormulaId {
        if let Some(known) = self.rtree {
            return known;
        }
        let mut parts = vec![self.rtree_disjoint(), self.rtree_root(), self.rtree_prefix_closed()];
        for position in 0..self.tracks.labels.len() {
            let rule = self.tracks.labels[position].0;
            parts.push(self.rtree_children(rule));
        }
        let formula = self.store.and(parts);
        self.define(formula, "RTree", "RTree(U), Fig. 4: the sets U are a rewriting tree.");
        self.rtree = Some(formula);
        formula
    }

    /// Line (8), first half: no node has two rules.
    fn rtree_disjoint(&mut self) -> FormulaId {
        let rules: Vec<RuleId> = self.rules();
        let mut parts = Vec::new();
        for (position, &one) in rules.iter().enumerate() {
            for &two in rules.iter().skip(position + 1) {
                let (one, two) = (self.labelled(self.node, one), self.labelled(self.node, two));
                let both = self.store.and([one, two]);
                parts.push(self.store.not(both));
            }
        }
        let all = self.store.and(parts);
        self.everywhere(all)
    }

    /// Line (8), second half: the root has a rule of the system's predicate.
    fn rtree_root(&mut self) -> FormulaId {
        let root = self.store.root();
        self.labelled_any(root, self.rules_of(self.system.root).iter().copied())
    }

    /// Line (9): the parent of a node is a node.
    fn rtree_prefix_closed(&mut self) -> FormulaId {
        let rules: Vec<RuleId> = self.rules();
        let here = self.labelled_any(self.node, rules.iter().copied());
        let parts: Vec<FormulaId> = (0..usize::from(self.kappa))
            .map(|call| {
                let child = self.child(call);
                let below = self.labelled_any(child, rules.iter().copied());
                self.store.implies(below, here)
            })
            .collect();
        let all = self.store.and(parts);
        self.everywhere(all)
    }

    /// Lines (10) and (11) for one rule: its nodes have a child for every predicate atom, with a rule of
    /// that predicate, and no others.
    fn rtree_children(&mut self, rule: RuleId) -> FormulaId {
        let here = self.labelled(self.node, rule);
        let rules: Vec<RuleId> = self.rules();
        let predicates: Vec<_> = self.rule(rule).predicate_atoms().map(|atom| atom.predicate).collect();
        let parts: Vec<FormulaId> = (0..usize::from(self.kappa))
            .map(|call| {
                let child = self.child(call);
                match predicates.get(call) {
                    Some(&predicate) => {
                        let rules = self.rules_of(predicate).iter().copied();
                        self.labelled_any(child, rules)
                    }
                    None => {
                        let any = self.labelled_any(child, rules.iter().copied());
                        self.store.not(any)
                    }
                }
            })
            .collect();
        let children = self.store.and(parts);
        let formula = self.store.implies(here, children);
        self.everywhere(formula)
    }

    /// The paper's *inst*(Z, U) with Z eliminated: the places of `set` belong to components that exist.
    pub fn inst(&mut self, set: &Places) -> FormulaId {
        let mut parts = Vec::new();
        for (j, tracks) in set.iter().enumerate() {
            for (s, &track) in tracks.iter().enumerate() {
                let rules = self.rules_with(j, StateId::new(s));
                let inside = self.store.member(self.node, track);
                let exists = self.labelled_any(self.node, rules);
                parts.push(self.store.implies(inside, exists));
            }
        }
        let all = self.store.and(parts);
        self.everywhere(all)
    }

    /// *mark*(X, U): every component is in exactly one state, of its own type (the paper's leaves the
    /// type open).
    pub fn mark(&mut self) -> FormulaId {
        if let Some(known) = self.mark {
            return known;
        }
        let marking = self.tracks.marking.clone();
        let mut parts = vec![self.inst(&marking)];
        for (j, tracks) in marking.iter().enumerate() {
            let states: Vec<FormulaId> =
                tracks.iter().map(|&track| self.store.member(self.node, track)).collect();
            let rules = self.rules_with(j, StateId::new(0));
            let exists = self.labelled_any(self.node, rules);
            let any = self.store.or(states.iter().copied());
            let some = self.store.implies(exists, any);
            let only = self.at_most_one_of(&states);
            let both = self.store.and([some, only]);
            parts.push(self.everywhere(both));
        }
        let formula = self.store.and(parts);
        self.mark = Some(formula);
        self.define(formula, "mark", "mark(X, U): every component is in exactly one state of its type.")
    }

    pub(super) fn at_most_one_of(&mut self, parts: &[FormulaId]) -> FormulaId {
        let mut pairs = Vec::new();
        for (position, &one) in parts.iter().enumerate() {
            for &two in parts.iter().skip(position + 1) {
                let both = self.store.and([one, two]);
                pairs.push(self.store.not(both));
            }
        }
        self.store.and(pairs)
    }

    /// Every component that may start in several states starts in exactly one of them.
    pub fn choices(&mut self) -> FormulaId {
        if let Some(known) = self.choices {
            return known;
        }
        let tracks = self.tracks.choices.clone();
        let instances = self.instances();
        let mut parts = Vec::new();
        for (j, tracks) in tracks.iter().enumerate() {
            let mut chosen = Vec::new();
            for (s, track) in tracks.iter().enumerate() {
                let Some(track) = *track else { continue };
                let inside = self.store.member(self.node, track);
                chosen.push(inside);
                let rules = instances
                    .iter()
                    .filter(|(_, number, atom)| {
                        *number == j && atom.initial.len() > 1 && atom.initial.contains(&StateId::new(s))
                    })
                    .map(|(rule, ..)| *rule);
                let allowed = self.labelled_any(self.node, rules);
                let formula = self.store.implies(inside, allowed);
                parts.push(self.everywhere(formula));
            }
            let rules = instances
                .iter()
                .filter(|(_, number, atom)| *number == j && atom.initial.len() > 1)
                .map(|i| i.0);
            let needed = self.labelled_any(self.node, rules);
            let any = self.store.or(chosen.iter().copied());
            let some = self.store.implies(needed, any);
            let only = self.at_most_one_of(&chosen);
            let both = self.store.and([some, only]);
            parts.push(self.everywhere(both));
        }
        let formula = self.store.and(parts);
        self.choices = Some(formula);
        self.define(formula, "choices", "Components with several initial states start in one of them.")
    }

    /// The j-th component of node x starts in its state number s.
    pub(super) fn starts_in(&mut self, j: usize, s: usize) -> FormulaId {
        let instances = self.instances();
        let fixed = instances
            .iter()
            .filter(|(_, number, atom)| *number == j && atom.initial == [StateId::new(s)])
            .map(|(rule, ..)| *rule);
        let fixed = self.labelled_any(self.node, fixed);
        let chosen = match self.tracks.choices.get(j).and_then(|tracks| tracks.get(s)).copied().flatten() {
            Some(choice) => self.store.member(self.node, choice),
            None => self.store.falsity(),
        };
        self.store.or([fixed, chosen])
    }

    /// Per component of node x: it starts in a place of `set`. (The paper quantifies the initial marking,
    /// *init*, instead.)
    pub(crate) fn initially_in(&mut self, set: &Places) -> Vec<FormulaId> {
        let mut result = Vec::new();
        for (j, tracks) in set.iter().enumerate() {
            let mut parts = Vec::new();
            for (s, &track) in tracks.iter().enumerate() {
                let inside = self.store.member(self.node, track);
                let starts = self.starts_in(j, s);
                parts.push(self.store.and([starts, inside]));
            }
            result.push(self.store.or(parts));
        }
        result
    }

    /// Per component of node x: it is, in the marking X, in a place of `set`.
    pub(crate) fn marked_in(&mut self, set: &Places) -> Vec<FormulaId> {
        let marking = self.tracks.marking.clone();
        let mut result = Vec::new();
        for (ours, theirs) in marking.iter().zip(set) {
            // A chain of cases, though mark lets only one of them be: so the diagram of this condition
            // is as small before the product with mark as after it.
            let mut condition = self.store.falsity();
            for (&one, &two) in ours.iter().zip(theirs).rev() {
                let (one, two) = (self.store.member(self.node, one), self.store.member(self.node, two));
                let here = self.store.and([one, two]);
                let other = self.store.not(one);
                let later = self.store.and([other, condition]);
                condition = self.store.or([here, later]);
            }
            result.push(condition);
        }
        result
    }
}
