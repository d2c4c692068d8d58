//! Slices of words with numbers, each once: all in one vector, found by open addressing.

/// The slices found so far.
#[derive(Debug)]
pub(super) struct Pool {
    words: Vec<u64>,
    /// Where each slice ends, if they are of different lengths.
    ends: Vec<usize>,
    /// How long each slice is, if they are of one length.
    stride: Option<usize>,
    /// Half a hash and a number plus 1; 0 is free. As many as a power of two.
    slots: Vec<u64>,
    count: usize,
}

/// The least number of slots.
const LEAST: usize = 1 << 8;
/// The most slices.
const MAX_SLICES: usize = u32::MAX as usize - 8;

/// A hash in which every bit is as good as any other. (The finisher is that of SplitMix64.)
#[inline]
fn hash(words: &[u64]) -> u64 {
    let mut mixed = words.len() as u64;
    for word in words {
        mixed = (mixed.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

impl Pool {
    /// For slices of one length, or of any.
    pub(super) fn new(stride: Option<usize>) -> Pool {
        Pool { words: Vec::new(), ends: Vec::new(), stride, slots: vec![0; LEAST], count: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Bytes used.
    pub(super) fn bytes(&self) -> usize {
        (self.words.capacity() + self.ends.capacity() + self.slots.capacity()) * 8
    }

    #[inline]
    pub(super) fn get(&self, number: u32) -> &[u64] {
        let at = number as usize;
        match self.stride {
            Some(stride) => &self.words[at * stride..(at + 1) * stride],
            None => {
                let begin = if at == 0 { 0 } else { self.ends[at - 1] };
                &self.words[begin..self.ends[at]]
            }
        }
    }

    /// The number of a slice, which gets one if it has none; none, if there are too many.
    #[inline]
    pub(super) fn number(&mut self, slice: &[u64]) -> Option<u32> {
        let hash = hash(slice);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                break;
            }
            let number = slot as u32 - 1;
            if slot >> 32 == hash >> 32 && self.get(number) == slice {
                return Some(number);
            }
            at = (at + 1) & mask;
        }
        if self.count >= MAX_SLICES {
            return None;
        }
        let number = self.count as u32;
        self.slots[at] = hash >> 32 << 32 | u64::from(number + 1);
        self.words.extend_from_slice(slice);
        if self.stride.is_none() {
            self.ends.push(self.words.len());
        }
        self.count += 1;
        if self.count > self.slots.len() / 4 * 3 {
            self.grow();
        }
        Some(number)
    }

    #[cold]
    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        let mut slots = vec![0u64; size];
        for number in 0..self.count as u32 {
            let hash = hash(self.get(number));
            let mut at = hash as usize & (size - 1);
            while slots[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            slots[at] = hash >> 32 << 32 | u64::from(number + 1);
        }
        self.slots = slots;
    }
}

#[cfg(test)]
mod tests {
    use super::Pool;

    #[test]
    fn slices_are_numbered_in_the_order_in_which_they_come() {
        for stride in [None, Some(2)] {
            let mut pool = Pool::new(stride);
            let mut known = std::collections::BTreeMap::new();
            for number in 0..5_000u64 {
                let mut slice = vec![number % 71, number % 13];
                if stride.is_none() {
                    slice.truncate(number as usize % 3);
                }
                let next = known.len() as u32;
                let wanted = *known.entry(slice.clone()).or_insert(next);
                assert_eq!(pool.number(&slice), Some(wanted));
                assert_eq!(pool.get(wanted), slice);
            }
            assert_eq!(pool.len(), known.len());
            assert!(known.len() > 80);
        }
    }
}
