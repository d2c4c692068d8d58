//! Counting: how many of the components that meet a condition there are in the whole tree.

use crate::encoding::{EncodeError, Encoder};
use crate::formula::{FormulaId, NodeVariable, SetVariable};

/// The largest bound.
pub(crate) const MAX_BOUND: u64 = 40;
/// Up to this bound nodes are quantified, beyond it partial sums are.
const MAX_QUANTIFIED: u64 = 3;

impl Encoder<'_> {
    /// Σ ≥ `bound` at one node: the conditions that hold there weigh at least that much together.
    pub(crate) fn at_least_of(&mut self, conditions: &[(u64, FormulaId)], bound: u64) -> FormulaId {
        let Some((&(weight, first), rest)) = conditions.split_first() else {
            return if bound == 0 { self.store.truth() } else { self.store.falsity() };
        };
        if bound == 0 {
            return self.store.truth();
        }
        // By dynamic programming, from the last condition: the sum of those after it is at least b.
        let mut table: Vec<FormulaId> = Vec::new();
        for b in 0..=bound {
            table.push(if b == 0 { self.store.truth() } else { self.store.falsity() });
        }
        for &(weight, condition) in rest.iter().rev() {
            table = (0..=bound).map(|b| self.with_condition(&table, weight, condition, b)).collect();
        }
        self.with_condition(&table, weight, first, bound)
    }

    fn with_condition(
        &mut self,
        table: &[FormulaId],
        weight: u64,
        condition: FormulaId,
        b: u64,
    ) -> FormulaId {
        let at = |b: u64| usize::try_from(b).ok().and_then(|b| table.get(b)).copied();
        let (Some(without), Some(with)) = (at(b), at(b.saturating_sub(weight))) else {
            return self.store.falsity();
        };
        if with == without {
            return with;
        }
        let taken = self.store.and([condition, with]);
        self.store.or([taken, without])
    }

    /// Exactly `bound` of the conditions hold at one node.
    pub(crate) fn exactly_of(&mut self, conditions: &[(u64, FormulaId)], bound: u64) -> FormulaId {
        let enough = self.at_least_of(conditions, bound);
        let more = self.at_least_of(conditions, bound + 1);
        let not_more = self.store.not(more);
        self.store.and([enough, not_more])
    }

    /// An odd number of the conditions hold at one node.
    pub(crate) fn odd_of(&mut self, conditions: &[FormulaId]) -> FormulaId {
        let mut odd = self.store.falsity();
        for &condition in conditions {
            let same = self.store.iff(odd, condition);
            odd = self.store.not(same);
        }
        odd
    }

    /// Σ ≥ `bound` over the whole tree: the conditions that hold at nodes x weigh at least that much.
    ///
    /// Small bounds: that many different nodes, of which each brings its part. Larger ones: C₁ … C_b
    /// are the nodes whose subtree sums up to 1 … b, which is a function of the tree.
    ///
    /// # Errors
    /// The bound is too large.
    pub(crate) fn at_least(
        &mut self,
        conditions: &[(u64, FormulaId)],
        bound: u64,
    ) -> Result<FormulaId, EncodeError> {
        if bound > MAX_BOUND {
            return Err(EncodeError::Bound(bound));
        }
        if bound == 0 {
            return Ok(self.store.truth());
        }
        Ok(if bound <= MAX_QUANTIFIED {
            let parts = self.partitions(conditions, bound);
            self.store.or(parts)
        } else {
            self.at_least_by_sums(conditions, bound)
        })
    }

    /// One formula per way to write `bound` as a sum of parts that single nodes bring.
    fn partitions(&mut self, conditions: &[(u64, FormulaId)], bound: u64) -> Vec<FormulaId> {
        let mut open: Vec<Vec<u64>> = vec![Vec::new()];
        let mut result = Vec::new();
        while let Some(parts) = open.pop() {
            let left = bound - parts.iter().sum::<u64>();
            if left == 0 {
                result.push(self.nodes_with(conditions, &parts));
            } else {
                let largest = parts.last().map_or(left, |&last| last.min(left));
                open.extend((1..=largest).map(|part| [parts.as_slice(), &[part]].concat()));
            }
        }
        result
    }

    /// Another node variable, distinguished from x by its number (from 1).
    pub(super) fn counted_node(&mut self, position: usize) -> NodeVariable {
        while self.counted.len() < position {
            let name = format!("x{}", self.counted.len() + 2);
            let node = self.store.new_node(name);
            self.counted.push(node);
        }
        self.counted.get(position.saturating_sub(1)).copied().unwrap_or(self.x)
    }

    /// There are different nodes, one per part, at each of which at least that much holds.
    fn nodes_with(&mut self, conditions: &[(u64, FormulaId)], parts: &[u64]) -> FormulaId {
        let mut nodes = vec![self.x];
        for position in 1..parts.len() {
            nodes.push(self.counted_node(position));
        }
        let mut formulas = Vec::new();
        for (&part, &node) in parts.iter().zip(&nodes) {
            let here = self.at_least_of(conditions, part);
            let term = self.store.node(node);
            let substitution = crate::formula::Substitution::new().with_node(self.x, term);
            formulas.push(self.store.substitute(here, &substitution));
        }
        for (position, &one) in nodes.iter().enumerate() {
            for &two in nodes.iter().skip(position + 1) {
                let (one, two) = (self.store.node(one), self.store.node(two));
                let same = self.store.equal(one, two);
                formulas.push(self.store.not(same));
            }
        }
        let body = self.store.and(formulas);
        nodes.into_iter().rev().fold(body, |part, node| self.store.exists_node(node, part))
    }

    fn at_least_by_sums(&mut self, conditions: &[(u64, FormulaId)], bound: u64) -> FormulaId {
        let sets: Vec<SetVariable> = (1..=bound).map(|b| self.store.new_set(format!("C{b}"))).collect();
        let mut parts = Vec::new();
        for (b, &set) in (1..=bound).zip(&sets) {
            // The ways in which own part and children's sums reach b.
            let mut ways = Vec::new();
            for own in 0..=b {
                let here = self.at_least_of(conditions, own);
                let below = self.children_at_least(&sets, b - own);
                ways.push(self.store.and([here, below]));
            }
            let sum = self.store.or(ways);
            let inside = self.store.member(self.node, set);
            let same = self.store.iff(inside, sum);
            parts.push(self.everywhere(same));
        }
        let root = self.store.root();
        if let Some(&last) = sets.last() {
            parts.push(self.store.member(root, last));
        }
        let body = self.store.and(parts);
        self.store.exists_sets(&sets, body)
    }

    /// The sums of the subtrees below x reach `bound` together.
    fn children_at_least(&mut self, sets: &[SetVariable], bound: u64) -> FormulaId {
        let mut ways = vec![(bound, self.store.truth())];
        for call in 0..usize::from(self.kappa) {
            let child = self.child(call);
            let is_last = call + 1 == usize::from(self.kappa);
            let mut next = Vec::new();
            for (left, so_far) in ways {
                for take in if is_last { left..=left } else { 0..=left } {
                    let reaches = match usize::try_from(take).ok().and_then(|t| t.checked_sub(1)) {
                        None => self.store.truth(),
                        Some(index) => match sets.get(index) {
                            Some(&set) => self.store.member(child, set),
                            None => self.store.falsity(),
                        },
                    };
                    next.push((left - take, self.store.and([so_far, reaches])));
                }
            }
            ways = next;
        }
        self.store.or(ways.into_iter().map(|(_, way)| way))
    }

    /// The number of conditions that hold, over all nodes x, is odd: O are the nodes whose subtree has an
    /// odd number.
    pub(crate) fn odd(&mut self, conditions: &[FormulaId]) -> FormulaId {
        let set = self.store.new_set("O");
        let mut all = conditions.to_vec();
        for call in 0..usize::from(self.kappa) {
            let child = self.child(call);
            all.push(self.store.member(child, set));
        }
        let sum = self.odd_of(&all);
        let inside = self.store.member(self.node, set);
        let same = self.store.iff(inside, sum);
        let everywhere = self.everywhere(same);
        let root = self.store.root();
        let at_root = self.store.member(root, set);
        let body = self.store.and([everywhere, at_root]);
        self.store.exists_set(set, body)
    }
}
