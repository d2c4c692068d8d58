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

/// A hash in which every bit is as good as any other: slots of neighbours would else be neighbours. (The
/// finisher of SplitMix64.)
fn hash<T: Hash>(thing: &T) -> u64 {
    let mut mixed = FxBuildHasher.hash_one(thing);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
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
    #[cfg(test)]
    fn find(&self, thing: &T) -> Option<u32> {
        self.slot(thing, hash(thing)).ok()
    }

    /// The number of a thing, which gets one if it has none; none, if there are too many.
    pub(super) fn add(&mut self, thing: T) -> Option<u32>
    where
        T: Clone,
    {
        self.number(&thing, MAX_THINGS)
    }

    /// The number of a thing, which gets one if it has none; none, if there were more than `most` then.
    #[inline]
    pub(super) fn number(&mut self, thing: &T, most: usize) -> Option<u32>
    where
        T: Clone,
    {
        let hash = hash(thing);
        let at = match self.slot(thing, hash) {
            Ok(number) => return Some(number),
            Err(at) => at,
        };
        if self.things.len() >= most.min(MAX_THINGS) {
            return None;
        }
        let number = self.things.len() as u32;
        self.slots[at] = hash >> 32 << 32 | u64::from(number + 1);
        self.things.push(thing.clone());
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
