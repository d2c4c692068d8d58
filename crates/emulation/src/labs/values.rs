//! Sets of values: a few intervals, and whether the value may be undefined.

use super::word::{GREATEST, LEAST, UNDEFINED, is_number};

/// The most intervals of a set.
pub const MAX_INTERVALS: usize = 8;

/// A set of values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Values {
    /// Disjoint, not adjacent, ascending; both ends belong to them.
    intervals: Vec<(i64, i64)>,
    /// Whether the value may be undefined.
    pub is_undefined: bool,
}

impl Values {
    /// No value at all.
    pub fn none() -> Self {
        Values::default()
    }

    /// Undefined alone.
    pub fn undefined() -> Self {
        Values { intervals: Vec::new(), is_undefined: true }
    }

    /// The numbers of an interval; none, if the first end is beyond the second.
    pub fn between(low: i64, high: i64) -> Self {
        let intervals = if low <= high { vec![(low, high)] } else { Vec::new() };
        Values { intervals, is_undefined: false }
    }

    /// One number.
    pub fn one(number: i64) -> Self {
        Values::between(number, number)
    }

    /// The intervals, ascending.
    pub fn intervals(&self) -> &[(i64, i64)] {
        &self.intervals
    }

    /// Whether there is no number.
    pub fn has_no_number(&self) -> bool {
        self.intervals.is_empty()
    }

    /// The least and the greatest number.
    pub fn bounds(&self) -> Option<(i64, i64)> {
        Some((self.intervals.first()?.0, self.intervals.last()?.1))
    }

    /// Whether the word is a value of the set.
    pub(crate) fn has(&self, word: i64) -> bool {
        if is_number(word) {
            self.intervals.iter().any(|(low, high)| (*low..=*high).contains(&word))
        } else {
            word == UNDEFINED && self.is_undefined
        }
    }

    /// How many numbers there are.
    pub fn count(&self) -> u64 {
        self.intervals
            .iter()
            .fold(0u64, |sum, (low, high)| sum.saturating_add(high.abs_diff(*low)).saturating_add(1))
    }

    /// Adds an interval.
    pub fn add(&mut self, low: i64, high: i64) {
        let (low, high) = (low.max(LEAST), high.min(GREATEST));
        if low > high || self.intervals.iter().any(|(from, to)| *from <= low && high <= *to) {
            return;
        }
        let (mut low, mut high) = (low, high);
        self.intervals.retain(|(from, to)| {
            let touches = *from <= high.saturating_add(1) && low <= to.saturating_add(1);
            if touches {
                (low, high) = (low.min(*from), high.max(*to));
            }
            !touches
        });
        let at = self.intervals.partition_point(|(from, _)| *from < low);
        self.intervals.insert(at, (low, high));
        while self.intervals.len() > MAX_INTERVALS {
            self.close_smallest_gap();
        }
    }

    fn close_smallest_gap(&mut self) {
        let gap = |at: &usize| self.intervals[*at].0 - self.intervals[*at - 1].1;
        if let Some(at) = (1..self.intervals.len()).min_by_key(gap) {
            let (_, high) = self.intervals.remove(at);
            self.intervals[at - 1].1 = high;
        }
    }

    /// Adds all values of another set; whether that made a difference.
    pub fn join(&mut self, other: &Values) -> bool {
        let before = self.clone();
        for (low, high) in &other.intervals {
            self.add(*low, *high);
        }
        self.is_undefined |= other.is_undefined;
        *self != before
    }

    /// The numbers that are between two.
    #[must_use]
    pub fn within(&self, low: i64, high: i64) -> Values {
        let mut within = Values { intervals: Vec::new(), is_undefined: self.is_undefined };
        for (from, to) in &self.intervals {
            within.add((*from).max(low), (*to).min(high));
        }
        within
    }
}
