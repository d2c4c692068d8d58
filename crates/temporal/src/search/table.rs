//! Things with numbers, each once: open addressing, 64 bits an entry (half of a hash, and a number).

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

/// The things found so far.
#[derive(Debug)]
pub(super) struct Table<T> {
    things: Vec<T>,
    /// Half a hash and a number plus 1; 0 is free. As many as a power of two.
    slots: Vec<u64>,
}

/// The least number of slots.
const LEAST: usize = 1 << 6;
/// There are no more things than that; numbers above have meanings of their own in searches.
const MAX_THINGS: usize = u32::MAX as usize - 2;

fn hash<T: Hash>(thing: &T) -> u64 {
    // Both halves of the product are as good as any.
    let product = u128::from(FxBuildHasher.hash_one(thing)) * 0x9e37_79b9_7f4a_7c15;
    (product as u64) ^ ((product >> 64) as u64)
}

impl<T: Eq + Hash> Table<T> {
    pub(super) fn new() -> Self {
        Table { things: Vec::new(), slots: vec![0; LEAST] }
    }

    pub(super) fn len(&self) -> usize {
        self.things.len()
    }

    #[inline]
    pub(super) fn get(&self, number: u32) -> &T {
        &self.things[number as usize]
    }

    /// Bytes used once the table has grown the next time; what a thing has on the heap is not counted.
    pub(super) fn bytes(&self) -> usize {
        (self.things.capacity() * size_of::<T>() + self.slots.len() * 8) * 2
    }

    /// Where a thing is, or where it would be.
    fn slot(&self, thing: &T, hash: u64) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return Err(at);
            }
            let number = slot as u32 - 1;
            if slot >> 32 == hash >> 32 && self.things[number as usize] == *thing {
                return Ok(number);
            }
            at = (at + 1) & mask;
        }
    }

    /// The number of a thing, if it has one.
    pub(super) fn find(&self, thing: &T) -> Option<u32> {
        self.slot(thing, hash(thing)).ok()
    }

    /// The number of a thing, which gets one if it has none; none, if there are too many.
    pub(super) fn add(&mut self, thing: T) -> Option<u32> {
        let hash = hash(&thing);
        let at = match self.slot(&thing, hash) {
            Ok(number) => return Some(number),
            Err(at) => at,
        };
        if self.things.len() >= MAX_THINGS {
            return None;
        }
        let number = self.things.len() as u32;
        self.slots[at] = hash >> 32 << 32 | u64::from(number + 1);
        self.things.push(thing);
        if self.things.len() > self.slots.len() / 4 * 3 {
            self.grow();
        }
        Some(number)
    }

    #[cold]
    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        self.slots = vec![0; size];
        for (number, thing) in (1u64..).zip(&self.things) {
            let hash = hash(thing);
            let mut at = hash as usize & (size - 1);
            while self.slots[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = hash >> 32 << 32 | number;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn things_are_numbered_in_the_order_in_which_they_come() {
        let mut table = Table::new();
        let things: Vec<u64> = (0..10_000).map(|number| number * number % 7919).collect();
        let mut first = std::collections::BTreeMap::new();
        for thing in &things {
            let count = first.len() as u32;
            let number = *first.entry(*thing).or_insert(count);
            assert_eq!(table.add(*thing), Some(number));
        }
        assert_eq!(table.len(), first.len());
        assert!(first.iter().all(|(thing, number)| table.find(thing) == Some(*number)));
        assert_eq!(table.find(&7919), None);
    }
}
