//! Sets of values: a few intervals, and whether the value may be undefined.

use super::word::{GREATEST, LEAST};

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

    /// And undefined, if it may be.
    #[must_use]
    pub fn or_undefined(self, is_undefined: bool) -> Self {
        Values { is_undefined: self.is_undefined || is_undefined, ..self }
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

    /// The numbers that belong to both.
    #[must_use]
    pub fn meet(&self, other: &Values) -> Values {
        let mut both = Values::none();
        for (low, high) in &other.intervals {
            for (from, to) in &self.within(*low, *high).intervals {
                both.add(*from, *to);
            }
        }
        both
    }

    /// All but one number.
    #[must_use]
    pub fn without(&self, number: i64) -> Values {
        let mut rest = Values { intervals: Vec::new(), is_undefined: self.is_undefined };
        for (low, high) in &self.intervals {
            if (*low..=*high).contains(&number) {
                rest.add(*low, number - 1);
                rest.add(number + 1, *high);
            } else {
                rest.add(*low, *high);
            }
        }
        rest
    }

    /// The numbers alone.
    #[must_use]
    pub fn defined(&self) -> Values {
        Values { intervals: self.intervals.clone(), is_undefined: false }
    }

    /// What a function makes of each two intervals.
    #[must_use]
    pub(crate) fn combine(
        &self,
        other: &Values,
        make: impl Fn((i64, i64), (i64, i64)) -> (i64, i64),
    ) -> Values {
        let mut made =
            Values { intervals: Vec::new(), is_undefined: self.is_undefined || other.is_undefined };
        for left in &self.intervals {
            for right in &other.intervals {
                let (low, high) = make(*left, *right);
                made.add(low, high);
            }
        }
        made
    }
}
