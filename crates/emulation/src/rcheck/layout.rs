//! Packed states: each field in as few bits as its bounds need.
//!
//! A field that may have any number takes a whole word. Values outside the bounds of their field never come
//! here: the code that assigns them has no value then.

use super::code::{ANY, Bounds};

/// A field.
#[derive(Clone, Copy, Debug)]
struct Field {
    word: usize,
    shift: u32,
    mask: u64,
    /// The value of the code 0.
    low: i64,
}

/// Where the fields of a state are.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    fields: Vec<Field>,
    words: usize,
    bounds: Vec<Bounds>,
}

impl Layout {
    /// For fields with these bounds. Fields of the same agent stand next to each other.
    pub(super) fn new(bounds: Vec<Bounds>) -> Layout {
        let (mut word, mut taken) = (0, 0);
        let mut fields = Vec::with_capacity(bounds.len());
        for (low, high) in &bounds {
            let width = 64 - low.abs_diff(*high).leading_zeros();
            if taken + width > 64 {
                word += 1;
                taken = 0;
            }
            let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
            // A field of one value has no bits; its shift must be one all the same.
            fields.push(Field { word, shift: taken.min(63), mask, low: *low });
            taken += width;
        }
        Layout { fields, words: word + 1, bounds }
    }

    /// How many words a state has.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// How many fields there are.
    pub(super) fn fields(&self) -> usize {
        self.fields.len()
    }

    /// The bounds of a field.
    pub(super) fn bounds(&self, field: usize) -> Bounds {
        self.bounds.get(field).copied().unwrap_or(ANY)
    }

    /// The value of a field.
    #[inline]
    pub(super) fn get(&self, words: &[u64], field: usize) -> i64 {
        let field = &self.fields[field];
        field.low.wrapping_add((words[field.word] >> field.shift & field.mask) as i64)
    }

    /// Gives a field a value within its bounds.
    #[inline]
    pub(super) fn set(&self, words: &mut [u64], field: usize, value: i64) {
        let field = &self.fields[field];
        let code = value.wrapping_sub(field.low) as u64 & field.mask;
        let word = &mut words[field.word];
        *word = *word & !(field.mask << field.shift) | code << field.shift;
    }

    /// The values of all fields.
    pub(super) fn unpack(&self, words: &[u64], values: &mut [i64]) {
        for (value, field) in values.iter_mut().zip(&self.fields) {
            *value = field.low.wrapping_add((words[field.word] >> field.shift & field.mask) as i64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::code::ANY;
    use super::Layout;

    #[test]
    fn every_value_within_its_bounds_comes_back() {
        let bounds =
            vec![(0, 1), (5, 5), (-3, 7), ANY, (i64::MIN, i64::MIN + 1), (0, i64::MAX), (7, 7), (0, 2)];
        let layout = Layout::new(bounds.clone());
        let mut words = vec![0; layout.words()];
        for round in 0..3 {
            let wanted: Vec<i64> = bounds
                .iter()
                .map(|(low, high)| match round {
                    0 => *low,
                    1 => *high,
                    _ => low + high.abs_diff(*low).min(1) as i64,
                })
                .collect();
            for (field, value) in wanted.iter().enumerate() {
                layout.set(&mut words, field, *value);
            }
            let mut values = vec![0; bounds.len()];
            layout.unpack(&words, &mut values);
            assert_eq!(values, wanted);
            assert!((0..bounds.len()).all(|field| layout.get(&words, field) == wanted[field]));
        }
    }
}
