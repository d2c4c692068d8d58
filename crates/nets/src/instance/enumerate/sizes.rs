//! Which sizes the subtrees of each predicate can have, up to a bound: what the enumeration of trees
//! is guided by. Nothing here builds trees.

use std::collections::VecDeque;

use paramcheck_model::rule::{PredicateId, RuleId};
use paramcheck_model::system::System;
use paramcheck_text::graph;
use paramcheck_text::index::{Idx, IndexVec};

/// A set of sizes up to a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SizeSet {
    /// Size s is in the set where bit s is 1.
    words: Vec<u64>,
    bound: usize,
}

impl SizeSet {
    fn empty(bound: usize) -> SizeSet {
        SizeSet { words: vec![0; bound / 64 + 1], bound }
    }

    pub(super) fn only(bound: usize, size: usize) -> SizeSet {
        let mut set = SizeSet::empty(bound);
        set.insert(size);
        set
    }

    fn insert(&mut self, size: usize) {
        if size <= self.bound {
            self.words[size / 64] |= 1 << (size % 64);
        }
    }

    pub(super) fn contains(&self, size: usize) -> bool {
        size <= self.bound && self.words[size / 64] >> (size % 64) & 1 == 1
    }

    /// The sizes, ascending.
    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(word, &bits)| {
            let mut bits = bits;
            std::iter::from_fn(move || {
                let bit = (bits != 0).then_some(bits.trailing_zeros() as usize)?;
                bits &= bits - 1;
                Some(word * 64 + bit)
            })
        })
    }

    fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Adds the sizes of `other`, each greater by `by`; true where that adds anything.
    fn add_shifted(&mut self, other: &SizeSet, by: usize) -> bool {
        let (skip, shift) = (by / 64, by % 64);
        let mut is_changed = false;
        let last = self.words.len() - 1;
        for position in skip..=last {
            let source = position - skip;
            let mut word = other.words[source] << shift;
            if shift > 0 && source > 0 {
                word |= other.words[source - 1] >> (64 - shift);
            }
            if position == last {
                word &= u64::MAX >> (63 - self.bound % 64);
            }
            is_changed |= word & !self.words[position] != 0;
            self.words[position] |= word;
        }
        is_changed
    }

    /// The sums of one size of each set, up to the bound, which is the same for both.
    pub(super) fn sum(&self, other: &SizeSet) -> SizeSet {
        let (few, many) = if self.len() <= other.len() { (self, other) } else { (other, self) };
        let mut result = SizeSet::empty(self.bound);
        for size in few.iter() {
            result.add_shifted(many, size);
        }
        result
    }

    /// Whether `total` is the sum of one size of each set.
    pub(super) fn sums_to(&self, other: &SizeSet, total: usize) -> bool {
        let (few, many) = if self.len() <= other.len() { (self, other) } else { (other, self) };
        few.iter().take_while(|&size| size <= total).any(|size| many.contains(total - size))
    }
}

/// The possible sizes of subtrees.
#[derive(Clone, Debug)]
pub(super) struct Sizes {
    bound: usize,
    predicates: IndexVec<PredicateId, SizeSet>,
    /// Per rule what it creates itself, and the possible sizes of its children together.
    rules: IndexVec<RuleId, (usize, SizeSet)>,
}

impl Sizes {
    /// The least sets that the rules allow: of predicates that need each other together, callees first.
    /// `step` is called for every rule looked at, and may end the work.
    pub(super) fn new<E>(
        system: &System,
        bound: usize,
        step: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<Sizes, E> {
        let mut predicates: IndexVec<PredicateId, SizeSet> =
            system.predicates.iter().map(|_| SizeSet::empty(bound)).collect();
        let children = |predicates: &IndexVec<PredicateId, SizeSet>, rule: RuleId| {
            let calls = system.rules[rule].predicate_atoms();
            calls.fold(SizeSet::only(bound, 0), |sum, call| sum.sum(&predicates[call.predicate]))
        };
        let created = |rule: RuleId| system.rules[rule].instance_atoms().count();
        let calls = Calls::new(system);
        let mut waits: IndexVec<RuleId, bool> = system.rules.iter().map(|_| false).collect();
        for members in &calls.components {
            let rules = members.iter().flat_map(|&member| &system.predicates[member].rules);
            let mut waiting: VecDeque<RuleId> = rules.copied().collect();
            waiting.iter().for_each(|&rule| waits[rule] = true);
            while let Some(id) = waiting.pop_front() {
                step()?;
                waits[id] = false;
                if created(id) > bound {
                    continue;
                }
                let (head, sizes) = (system.rules[id].head, children(&predicates, id));
                if !predicates[head].add_shifted(&sizes, created(id)) {
                    continue;
                }
                for &rule in &calls.again[head] {
                    if !std::mem::replace(&mut waits[rule], true) {
                        waiting.push_back(rule);
                    }
                }
            }
        }
        let mut rules = IndexVec::new();
        for rule in system.rules.indices() {
            step()?;
            rules.push((created(rule), children(&predicates, rule)));
        }
        Ok(Sizes { bound, predicates, rules })
    }

    /// The greatest size that is known of: no set has a greater one.
    pub(super) fn bound(&self) -> usize {
        self.bound
    }

    pub(super) fn of_predicate(&self, predicate: PredicateId) -> &SizeSet {
        &self.predicates[predicate]
    }

    pub(super) fn of_rule(&self, rule: RuleId) -> (usize, &SizeSet) {
        let (created, children) = &self.rules[rule];
        (*created, children)
    }
}

/// Which predicates need which.
pub(super) struct Calls {
    /// Predicates that need each other, together; callees before callers.
    pub(super) components: Vec<Vec<PredicateId>>,
    /// Per predicate the rules with an atom of it whose head is in the same component.
    pub(super) again: IndexVec<PredicateId, Vec<RuleId>>,
}

impl Calls {
    pub(super) fn new(system: &System) -> Self {
        let callees =
            |&rule: &RuleId| system.rules[rule].predicate_atoms().map(|call| call.predicate.index() as u32);
        let successors: Vec<Vec<u32>> = system
            .predicates
            .iter()
            .map(|predicate| predicate.rules.iter().flat_map(callees).collect())
            .collect();
        let component_of = graph::components(successors.len(), |node| &successors[node]);
        let count = component_of.iter().max().map_or(0, |&last| last as usize + 1);
        let mut components = vec![Vec::new(); count];
        for (predicate, component) in system.predicates.indices().zip(&component_of) {
            components[*component as usize].push(predicate);
        }
        let mut again: IndexVec<PredicateId, Vec<RuleId>> =
            system.predicates.iter().map(|_| Vec::new()).collect();
        for (id, rule) in system.rules.enumerate() {
            for call in rule.predicate_atoms() {
                if component_of[call.predicate.index()] == component_of[rule.head.index()] {
                    again[call.predicate].push(id);
                }
            }
        }
        Calls { components, again }
    }
}
