//! Conjunctions of an error that no marking satisfies, whatever the system: comparisons that exclude each
//! other.
//!
//! Only comparisons are looked at, in what a conjunction demands of its own: its parts, the parts of these,
//! and parts of a disjunction under `!`. Of two comparisons the sums need not be the same: where one counts
//! all that the other counts, its value is as large at least. (What excludes each other for other reasons,
//! as in a system with one lock only, is the business of a proof.)

use std::collections::{BTreeMap, BTreeSet};

use crate::component::{StateId, TypeId};
use crate::error::{Comparison, Count, ErrorFormula};

#[cfg(test)]
mod tests;

/// Comparisons of more parts of one conjunction are not looked at: pairs of them are.
const MAX_COMPARISONS: usize = 200;

/// The positions of parts of a conjunction that exclude each other: two, or more that have the same sum.
/// Parts that exclude each other within one of them are not looked for.
pub(super) fn excluding(parts: &[ErrorFormula]) -> Option<Vec<usize>> {
    let mut demands = Vec::new();
    for (position, part) in parts.iter().enumerate() {
        demanded(part, true, position, &mut demands);
    }
    if demands.len() > MAX_COMPARISONS {
        return None;
    }
    for (index, first) in demands.iter().enumerate() {
        let others = demands.iter().skip(index + 1).filter(|second| second.position != first.position);
        for second in others {
            if first.excludes(second) || second.excludes(first) {
                return Some(vec![first.position, second.position]);
            }
        }
    }
    // Two by two they agree; of one sum, all together may leave no value.
    let mut of_sum: BTreeMap<&BTreeMap<(TypeId, StateId), u64>, Vec<&Demand>> = BTreeMap::new();
    demands.iter().for_each(|demand| of_sum.entry(&demand.weights).or_default().push(demand));
    let all = of_sum.into_values().find(|demands| {
        let values = demands.iter().map(|demand| &demand.values);
        values.fold(Values::any(), |all, one| all.and(one)).is_empty()
    })?;
    let positions: BTreeSet<usize> = all.iter().map(|demand| demand.position).collect();
    (positions.len() > 1).then(|| positions.into_iter().collect())
}

/// A comparison that must hold.
struct Demand {
    position: usize,
    weights: BTreeMap<(TypeId, StateId), u64>,
    values: Values,
}

impl Demand {
    /// Whether no marking satisfies both, as this one's sum is at least the other's.
    fn excludes(&self, smaller: &Demand) -> bool {
        if self.weights == smaller.weights {
            return self.values.and(&smaller.values).is_empty();
        }
        let is_smaller = smaller
            .weights
            .iter()
            .all(|(state, weight)| self.weights.get(state).is_some_and(|own| own >= weight));
        is_smaller && self.values.most.is_some_and(|most| most < smaller.values.smallest())
    }
}

/// Collects the comparisons that must hold where `formula` is as `truth` says. As deep as formulas are.
fn demanded(formula: &ErrorFormula, truth: bool, position: usize, demands: &mut Vec<Demand>) {
    match formula {
        ErrorFormula::Count(count) => {
            let weights = count.weights.iter().map(|&(owner, state, weight)| ((owner, state), weight));
            demands.push(Demand { position, weights: weights.collect(), values: Values::of(count, truth) });
        }
        ErrorFormula::Not(inner) => demanded(inner, !truth, position, demands),
        ErrorFormula::And(parts) if truth => {
            parts.iter().for_each(|part| demanded(part, truth, position, demands));
        }
        ErrorFormula::Or(parts) if !truth => {
            parts.iter().for_each(|part| demanded(part, truth, position, demands));
        }
        ErrorFormula::And(_)
        | ErrorFormula::Or(_)
        | ErrorFormula::Deadlock
        | ErrorFormula::Pattern(_)
        | ErrorFormula::Components(_) => {}
    }
}

/// The values that a sum may have: those between two bounds, without some.
struct Values {
    least: u64,
    most: Option<u64>,
    without: BTreeSet<u64>,
}

impl Values {
    fn any() -> Self {
        Values { least: 0, most: None, without: BTreeSet::new() }
    }

    /// Those for which a comparison holds, or does not.
    fn of(count: &Count, truth: bool) -> Self {
        let (bound, any) = (count.bound, Values::any());
        let none = || Values { least: 1, most: Some(0), ..Values::any() };
        match (count.comparison, truth) {
            (Comparison::AtLeast, true) | (Comparison::Less, false) => Values { least: bound, ..any },
            (Comparison::Greater, true) | (Comparison::AtMost, false) => {
                bound.checked_add(1).map_or_else(none, |least| Values { least, ..any })
            }
            (Comparison::AtMost, true) | (Comparison::Greater, false) => Values { most: Some(bound), ..any },
            (Comparison::Less, true) | (Comparison::AtLeast, false) => {
                bound.checked_sub(1).map_or_else(none, |most| Values { most: Some(most), ..any })
            }
            (Comparison::Equal, true) | (Comparison::NotEqual, false) => {
                Values { least: bound, most: Some(bound), ..any }
            }
            (Comparison::NotEqual, true) | (Comparison::Equal, false) => {
                Values { without: BTreeSet::from([bound]), ..any }
            }
        }
    }

    fn and(&self, other: &Values) -> Values {
        Values {
            least: self.least.max(other.least),
            most: self.most.into_iter().chain(other.most).min(),
            without: &self.without | &other.without,
        }
    }

    /// The smallest value, if there is one at all.
    fn smallest(&self) -> u64 {
        let mut least = self.least;
        for &hole in self.without.range(self.least..) {
            if hole != least {
                break;
            }
            least = least.saturating_add(1);
        }
        least
    }

    fn is_empty(&self) -> bool {
        self.most.is_some_and(|most| self.smallest() > most)
    }
}
