//! A hash table of positions: where, of a list of states, one with a given hash may stand.
//!
//! Entries are 32 bits, eight of the state's hash and its position, and stand sixteen together in a *line* of
//! the processor's cache. A state belongs to the first line from the one its hash names that had room; a line
//! fills from its beginning, and is looked through at once, without a branch per entry. So a table may be
//! nearly full, and looking up is one line of memory nearly always. What states are is not known here.

#[cfg(test)]
mod tests;

/// The greatest position that an entry can hold.
pub(super) const MAX_ENTRIES: usize = (1 << 24) - 1;
/// Entries of a line.
const WIDTH: usize = 16;

/// A state's hash, divided up: shard, then line of the table, then what the entry remembers.
#[derive(Clone, Copy)]
pub(super) struct Hash(pub(super) u64);

impl Hash {
    pub(super) fn shard(self, shard_bits: u32) -> usize {
        (self.0 & ((1 << shard_bits) - 1)) as usize
    }

    fn line(self, lines: usize) -> usize {
        (((self.0 >> 32) * lines as u64) >> 32) as usize
    }

    /// Never 0, which is what a free entry has.
    fn tag(self) -> u64 {
        (self.0 >> 10 & 0xff).max(1)
    }
}

/// Sixteen entries, each 8 bits of a hash and 24 of a position.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line {
    /// A byte each, eight in a word.
    tags: [u64; 2],
    low: [u16; WIDTH],
    high: [u8; WIDTH],
}

impl Line {
    const EMPTY: Line = Line { tags: [0; 2], low: [0; WIDTH], high: [0; WIDTH] };

    /// Which entries have the tag: see [`entry_of`].
    #[inline]
    fn with_tag(&self, tag: u64) -> u64 {
        const ONES: u64 = 0x0101_0101_0101_0101;
        let [low, high] = self.tags.map(|tags| {
            // The top bit of each byte that is zero now (and of a 1 above one: it is looked at in vain).
            let difference = tags ^ (tag * ONES);
            difference.wrapping_sub(ONES) & !difference & (ONES << 7)
        });
        low >> 7 | high >> 3
    }

    #[inline]
    fn position(&self, entry: usize) -> usize {
        usize::from(self.low[entry % WIDTH]) | usize::from(self.high[entry % WIDTH]) << 16
    }

    #[inline]
    fn set(&mut self, entry: usize, tag: u64, position: usize) {
        self.tags[entry / 8 % 2] |= tag << (entry % 8 * 8);
        self.low[entry % WIDTH] = position as u16;
        self.high[entry % WIDTH] = (position >> 16) as u8;
    }
}

/// The first entry of those that [`Line::with_tag`] found.
#[inline]
fn entry_of(found: u64) -> usize {
    let bit = found.trailing_zeros() as usize;
    bit / 8 + (bit & 4) * 2
}

/// The table. There is at least one line, and always one that is not full.
#[derive(Clone, Debug)]
pub(super) struct Table {
    lines: Vec<Line>,
    /// Per line how many entries it has.
    used: Vec<u8>,
}

impl Table {
    /// An empty table.
    pub(super) fn new(lines: usize) -> Self {
        let lines = lines.max(1);
        Table { lines: vec![Line::EMPTY; lines], used: vec![0; lines] }
    }

    /// How many entries it may have.
    pub(super) fn most(&self) -> usize {
        self.lines.len() * WIDTH / 8 * 7
    }

    pub(super) fn bytes(&self) -> usize {
        bytes_of(self.lines.len())
    }

    /// Reads the line where a state with this hash should be, so that it is in the cache; the result is of no
    /// use.
    #[inline]
    pub(super) fn touch(&self, hash: Hash) -> u64 {
        self.lines[hash.line(self.lines.len())].tags[0]
    }

    /// The position for which `is_it` of those that have this hash, perhaps; else the line where it is to be
    /// put.
    #[inline]
    pub(super) fn find(&self, hash: Hash, is_it: impl Fn(usize) -> bool) -> Result<usize, usize> {
        let mut number = hash.line(self.lines.len());
        loop {
            let (line, used) = (&self.lines[number], usize::from(self.used[number]));
            let mut found = line.with_tag(hash.tag());
            while found != 0 {
                let position = line.position(entry_of(found));
                if is_it(position) {
                    return Ok(position);
                }
                found &= found - 1;
            }
            if used < WIDTH {
                return Err(number);
            }
            number = self.after(number);
        }
    }

    /// The line where a state with this hash that is not there is to be put.
    #[inline]
    pub(super) fn free_line(&self, hash: Hash) -> usize {
        let mut number = hash.line(self.lines.len());
        while usize::from(self.used[number]) >= WIDTH {
            number = self.after(number);
        }
        number
    }

    fn after(&self, line: usize) -> usize {
        if line + 1 == self.lines.len() { 0 } else { line + 1 }
    }

    /// Adds a position, in a line that [`find`](Self::find) or [`free_line`](Self::free_line) gave.
    #[inline]
    pub(super) fn put(&mut self, line: usize, hash: Hash, position: usize) {
        let used = &mut self.used[line];
        self.lines[line].set(usize::from(*used), hash.tag(), position);
        *used += 1;
    }
}

/// The bytes of a table with `lines` lines.
pub(super) fn bytes_of(lines: usize) -> usize {
    lines * (size_of::<Line>() + 1)
}

/// The lines of a table for `states` states, and a third more.
pub(super) fn lines_for(states: usize) -> usize {
    states * 3 / 31 + 1
}

/// The lines of a table for `states` states and the `part`th of `parts` steps from no more to a third more.
pub(super) fn lines_between(states: usize, part: usize, parts: usize) -> usize {
    states / 14 + states * part / (42 * parts) + 1
}
