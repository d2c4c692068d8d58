//! Sets of variables of a piece, as bits.

use rustc_hash::FxHashMap;

use crate::formula::Variable;

/// The most variables that are distinguished.
pub(crate) const LIMIT: usize = 256;

/// A set of numbered variables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tracks([u64; LIMIT / 64]);

impl Tracks {
    /// One variable.
    pub(crate) fn single(number: usize) -> Tracks {
        let mut tracks = Tracks::default();
        if let Some(word) = tracks.0.get_mut(number / 64) {
            *word = 1 << (number % 64);
        }
        tracks
    }

    fn zip(self, other: Tracks, operation: impl Fn(u64, u64) -> u64) -> Tracks {
        let mut result = self;
        result.0.iter_mut().zip(other.0).for_each(|(one, two)| *one = operation(*one, two));
        result
    }

    /// Those in either set.
    pub(crate) fn union(self, other: Tracks) -> Tracks {
        self.zip(other, |one, two| one | two)
    }

    /// Those in both.
    pub(crate) fn intersection(self, other: Tracks) -> Tracks {
        self.zip(other, |one, two| one & two)
    }

    /// Those not in `other`.
    pub(crate) fn without(self, other: Tracks) -> Tracks {
        self.zip(other, |one, two| one & !two)
    }

    /// Whether no variable is in both.
    pub(crate) fn is_disjoint(self, other: Tracks) -> bool {
        self.intersection(other) == Tracks::default()
    }

    /// How many there are.
    pub(crate) fn len(self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }
}

/// Numbers for variables.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    numbers: FxHashMap<Variable, usize>,
}

impl Numbers {
    /// Numbers the variables. `false` if there are too many: then some share a number, which is good
    /// enough for predictions, and for nothing else.
    pub(crate) fn extend(&mut self, variables: impl IntoIterator<Item = Variable>) -> bool {
        for variable in variables {
            let next = self.numbers.len();
            self.numbers.entry(variable).or_insert(next % LIMIT);
        }
        self.numbers.len() <= LIMIT
    }

    /// The set of one variable. One without a number occurs nowhere.
    pub(crate) fn track(&self, variable: Variable) -> Tracks {
        self.numbers.get(&variable).map_or_else(Tracks::default, |&number| Tracks::single(number))
    }

    /// The set of some variables.
    pub(crate) fn tracks(&self, variables: &[Variable]) -> Tracks {
        variables.iter().fold(Tracks::default(), |tracks, &variable| tracks.union(self.track(variable)))
    }
}
