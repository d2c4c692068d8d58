//! States with numbers, each once, and a mark for each.
//!
//! The explicit-state engine has its own tables, which give states no numbers; a search that goes in depth needs
//! them. Entries are 64 bits: half of a state's hash, and its number. What a mark says is for the search to say; it
//! stands beside the state, where looking up has just been.

use paramcheck_nets::explore::system::State;

/// The states found so far.
#[derive(Debug)]
pub(crate) struct Table<S> {
    states: Vec<(S, u32)>,
    /// Half a hash and a number plus 1; 0 is free. As many as a power of two.
    slots: Vec<u64>,
}

/// The least number of slots.
const LEAST: usize = 1 << 10;
/// There are no more states than that.
const MOST: usize = u32::MAX as usize - 1;

impl<S: State> Table<S> {
    pub(crate) fn new() -> Self {
        Table { states: Vec::new(), slots: vec![0; LEAST] }
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// The state of a number.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> &S {
        &self.states[number as usize].0
    }

    /// The mark of a state; 0, unless another was set.
    #[inline]
    pub(crate) fn mark(&self, number: u32) -> u32 {
        self.states[number as usize].1
    }

    /// Marks a state.
    #[inline]
    pub(crate) fn set_mark(&mut self, number: u32, mark: u32) {
        self.states[number as usize].1 = mark;
    }

    /// Bytes used.
    pub(crate) fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<(S, u32)>() + self.slots.len() * 8
    }

    /// Bytes used while the table grows the next time; none, if it does not yet.
    pub(crate) fn bytes_to_come(&self, more: usize) -> usize {
        let grows = self.states.len() + more > self.room();
        if grows { self.bytes() * 2 } else { self.bytes() }
    }

    fn room(&self) -> usize {
        self.slots.len() / 4 * 3
    }

    /// Reads the slot of a hash, so that it is in the cache; the result is of no use.
    #[inline]
    pub(crate) fn touch(&self, hash: u64) -> u64 {
        self.slots[hash as usize & (self.slots.len() - 1)]
    }

    /// Reads the state that a slot may stand for, so that it is in the cache; the result is of no use.
    #[inline]
    pub(crate) fn touch_state(&self, hash: u64) -> u32 {
        let slot = self.slots[hash as usize & (self.slots.len() - 1)];
        (slot as u32).checked_sub(1).map_or(0, |number| self.mark(number))
    }

    /// The number of a state, and whether it is new; none, if there are too many.
    #[inline]
    pub(crate) fn add(&mut self, state: &S, hash: u64) -> Option<(u32, bool)> {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                break;
            }
            if slot >> 32 == hash >> 32 {
                let number = slot as u32 - 1;
                if self.states[number as usize].0 == *state {
                    return Some((number, false));
                }
            }
            at = (at + 1) & mask;
        }
        if self.states.len() >= MOST {
            return None;
        }
        let number = self.states.len() as u32;
        self.slots[at] = hash >> 32 << 32 | u64::from(number + 1);
        self.states.push((state.clone(), 0));
        if self.states.len() > self.room() {
            self.grow();
        }
        Some((number, true))
    }

    #[cold]
    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        self.slots = Vec::new();
        self.slots = vec![0; size];
        for (number, (state, _)) in (1u64..).zip(&self.states) {
            let hash = state.hash();
            let mut at = hash as usize & (size - 1);
            while self.slots[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = hash >> 32 << 32 | number;
        }
    }
}
