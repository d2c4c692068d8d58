//! Numbers for values: equal values get equal numbers, so that sets of them are small and comparing
//! them is cheap. The checker has its own, as it shares no data structure with the engine.

use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::FxHashMap;

/// Values of one kind, numbered in the order of their first appearance.
#[derive(Debug)]
pub(super) struct Interner<T> {
    numbers: FxHashMap<Rc<T>, u32>,
    values: Vec<Rc<T>>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner { numbers: FxHashMap::default(), values: Vec::new() }
    }
}

impl<T: Eq + Hash> Interner<T> {
    /// The number of `value`.
    pub(super) fn intern(&mut self, value: T) -> u32 {
        if let Some(number) = self.numbers.get(&value) {
            return *number;
        }
        // More than 2^32 values would not fit in memory.
        let number = self.values.len() as u32;
        let value = Rc::new(value);
        self.values.push(Rc::clone(&value));
        self.numbers.insert(value, number);
        number
    }

    /// The number of `value`, if it has one.
    pub(super) fn find(&self, value: &T) -> Option<u32> {
        self.numbers.get(value).copied()
    }

    /// The value with this number, which must have come from this interner.
    pub(super) fn get(&self, number: u32) -> &T {
        &self.values[number as usize]
    }

    /// All values, in the order of their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.values.iter().map(AsRef::as_ref)
    }
}
