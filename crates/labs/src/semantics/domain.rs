//! Sets of values that a cell may have.

use super::evaluate::Value;
use crate::model::Initial;

/// A set of values: intervals, both ends of which belong to it, and whether the value may be undefined.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Domain {
    intervals: Vec<(i64, i64)>,
    is_undefined: bool,
}

impl Domain {
    /// The set of these intervals; of one whose ends are in the wrong order nothing.
    pub fn new(intervals: impl IntoIterator<Item = (i64, i64)>, is_undefined: bool) -> Self {
        let mut all: Vec<(i64, i64)> = intervals.into_iter().filter(|(low, high)| low <= high).collect();
        all.sort_unstable();
        let mut intervals: Vec<(i64, i64)> = Vec::new();
        for (low, high) in all {
            match intervals.last_mut() {
                Some((_, end)) if low <= end.saturating_add(1) => *end = high.max(*end),
                _ => intervals.push((low, high)),
            }
        }
        Domain { intervals, is_undefined }
    }

    /// The initial values of a cell.
    pub fn of(initial: &Initial) -> Self {
        match initial {
            Initial::Undefined => Domain::new([], true),
            Initial::OneOf(values) => Domain::new(values.iter().map(|value| (*value, *value)), false),
            Initial::Range(low, high) => Domain::new([(*low, high.saturating_sub(1))], false),
        }
    }

    /// How many values there are.
    pub fn count(&self) -> u64 {
        let numbers = self.intervals.iter();
        let numbers = numbers.map(|(low, high)| high.abs_diff(*low).saturating_add(1));
        numbers.fold(u64::from(self.is_undefined), u64::saturating_add)
    }

    /// One of them, from 0; undefined comes last.
    pub fn value(&self, mut number: u64) -> Value {
        for (low, high) in &self.intervals {
            let count = high.abs_diff(*low).saturating_add(1);
            if number < count {
                return low.checked_add_unsigned(number);
            }
            number -= count;
        }
        None
    }

    /// Whether a value is one of them.
    pub fn has(&self, value: Value) -> bool {
        match value {
            None => self.is_undefined,
            Some(value) => self.intervals.iter().any(|(low, high)| (*low..=*high).contains(&value)),
        }
    }

    /// Whether all values of another set are in this one.
    pub fn includes(&self, other: &Domain) -> bool {
        let is_within =
            |(low, high): &(i64, i64)| self.intervals.iter().any(|(from, to)| from <= low && high <= to);
        (self.is_undefined || !other.is_undefined) && other.intervals.iter().all(is_within)
    }

    /// The values of this set that are not in another.
    #[must_use]
    pub fn without(&self, other: &Domain) -> Domain {
        let mut rest = self.intervals.clone();
        for (from, to) in &other.intervals {
            let cut = |(low, high): (i64, i64)| {
                let below = (low, high.min(from.saturating_sub(1)));
                let above = (low.max(to.saturating_add(1)), high);
                if high < *from || *to < low { [(low, high), (1, 0)] } else { [below, above] }
            };
            rest = rest.into_iter().flat_map(cut).filter(|(low, high)| low <= high).collect();
        }
        Domain::new(rest, self.is_undefined && !other.is_undefined)
    }
}

#[cfg(test)]
mod tests {
    use super::Domain;

    #[test]
    fn sets_are_what_their_values_are() {
        let values = -6..=6;
        let sets: Vec<Domain> = vec![
            Domain::new([], false),
            Domain::new([], true),
            Domain::new([(0, 0)], false),
            Domain::new([(3, 4), (-2, 1), (2, 2)], true),
            Domain::new([(-5, -3), (0, 1), (4, 5)], false),
            Domain::new([(1, 3), (2, 5), (6, 0)], true),
        ];
        let all = || std::iter::once(None).chain(values.clone().map(Some));
        for one in &sets {
            let members: Vec<_> = all().filter(|value| one.has(*value)).collect();
            assert_eq!(one.count(), members.len() as u64, "{one:?}");
            assert!((0..one.count()).all(|number| members.contains(&one.value(number))), "{one:?}");
            for other in &sets {
                let rest = one.without(other);
                assert_eq!(other.includes(one), members.iter().all(|value| other.has(*value)));
                for value in all() {
                    assert_eq!(rest.has(value), one.has(value) && !other.has(value), "{one:?} {other:?}");
                }
            }
        }
    }
}
