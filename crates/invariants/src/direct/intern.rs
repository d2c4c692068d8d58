//! Numbers for rows of equal length, all rows in one piece of memory.
//!
//! A run meets a great many small values (places of slots, bit sets, error states). A box for each would be
//! allocated one by one and, what users notice, freed one by one.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

/// Rows of one length, numbered in the order of their first appearance.
#[derive(Clone, Debug)]
pub(crate) struct Interner<T> {
    width: usize,
    rows: Vec<T>,
    /// Per hash, the last row that has it.
    last: FxHashMap<u64, u32>,
    /// Per row, the one before it with the same hash.
    before: Vec<Option<u32>>,
}

impl<T: Copy + Eq + Hash> Interner<T> {
    /// No rows yet; all will have `width` items.
    pub(crate) fn new(width: usize) -> Self {
        Interner { width, rows: vec![], last: FxHashMap::default(), before: vec![] }
    }

    /// The number of `row`.
    pub(crate) fn intern(&mut self, row: &[T]) -> u32 {
        debug_assert_eq!(row.len(), self.width);
        let mut hasher = FxHasher::default();
        for item in row {
            item.hash(&mut hasher);
        }
        let hash = hasher.finish();
        let last = self.last.get(&hash).copied();
        let mut next = last;
        while let Some(id) = next {
            if self.get(id) == row {
                return id;
            }
            next = self.before[id as usize];
        }
        let id = self.before.len() as u32;
        self.rows.extend_from_slice(row);
        self.before.push(last);
        self.last.insert(hash, id);
        id
    }

    /// The row with this number.
    pub(crate) fn get(&self, id: u32) -> &[T] {
        let start = id as usize * self.width;
        &self.rows[start..start + self.width]
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.before.len()
    }
}
