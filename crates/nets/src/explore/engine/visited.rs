//! The states found: each once, in shards by hash, in the order of their distance.
//!
//! A shard holds its states in one array, so that each distance (*level*) is a range of it, and a table
//! ([`Table`]) whose entries are 32 bits: eight of the state's hash, and its position. Nothing else is
//! kept of a state, in particular no parent; a trace is found backwards through the levels.
//!
//! Shards serve three ends. Threads fill different ones without meeting; a shard's share of a batch finds its
//! table in the cache, for it is a small part of the whole; and what grows is one shard at a time, so that
//! memory grows by a little. (More than are needed for this cost time: successors are then written to more
//! places than the nearest cache has room for.) Their number depends on the number of states alone, never on
//! that of threads: so does the order in which states come. A small search has one shard. A large one makes
//! room at once for what is coming as far as it can be extrapolated, for growing step by step was a seventh
//! of its time.

use std::ops::Range;

use crate::explore::engine::table::{Hash, MAX_ENTRIES, Table, bytes_of, lines_between, lines_for};
use crate::explore::system::State;

mod intake;

pub(super) use intake::{Intake, Refused};

/// How many states are looked up at a time: their places in memory are fetched together.
const TOGETHER: usize = 32;
/// Numbers of states from which on there are as many shards, as a power of two.
const SHARDS: [(usize, u32); 3] = [(0, 0), (1 << 18, 4), (1 << 25, 10)];

/// With this many times the states that are enough for more shards, a level is divided before its end.
const CROWDED: usize = 4;

/// An action that leads to a state, plus 1, if it is small enough; else 0.
type Last = u16;

fn last(action: u32) -> Last {
    // A greatest action that is too large to be kept is as good as none: it must only be one that is true.
    Last::try_from(action.saturating_add(1)).unwrap_or(0)
}

/// From this many states on room is reserved for what is coming.
const MIN_LARGE_SEARCH: usize = 1 << 6;

/// How many more states are expected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Coming {
    /// In the next level.
    pub(super) next: usize,
    /// In the next two.
    pub(super) soon: usize,
    /// In all, but no more than some times as many as there are.
    pub(super) all: usize,
}

/// States that may be new, and by which action they came.
#[derive(Clone, Debug)]
pub(super) struct Bucket<S> {
    pub(super) states: Vec<S>,
    lasts: Vec<Last>,
}

impl<S> Bucket<S> {
    pub(super) fn new() -> Self {
        Bucket { states: Vec::new(), lasts: Vec::new() }
    }

    /// Adds a state that `action` leads to (none to an initial one).
    pub(super) fn push(&mut self, state: S, action: Option<u32>) {
        if self.states.len() == self.states.capacity() {
            self.grow();
        }
        self.states.push(state);
        self.lasts.push(action.map_or(0, last));
    }

    /// By a quarter: what is reserved and not used counts as memory too.
    #[cold]
    fn grow(&mut self) {
        let more = self.states.len() / 4 + 8;
        self.states.reserve_exact(more);
        self.lasts.reserve_exact(more);
    }

    fn clear(&mut self) {
        self.states.clear();
        self.lasts.clear();
    }

    pub(super) fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<S>() + self.lasts.capacity() * size_of::<Last>()
    }
}

/// Some of the states found.
#[derive(Clone, Debug)]
struct Shard<S> {
    states: Vec<S>,
    table: Table,
    /// Where each level starts.
    levels: Vec<u32>,
    /// The states before this one were given out to make their successors.
    given: usize,
    /// Per state of the level begun last, and of the one before, the greatest action known that leads there
    /// from the level before; 0 for none.
    lasts: Vec<Last>,
    lasts_before: Vec<Last>,
    /// What the states use beside their array.
    heap_bytes: usize,
}

impl<S: State> Shard<S> {
    fn new(levels: usize) -> Self {
        Shard {
            states: Vec::new(),
            table: Table::new(0),
            levels: vec![0; levels],
            given: 0,
            lasts: Vec::new(),
            lasts_before: Vec::new(),
            heap_bytes: 0,
        }
    }

    fn level(&self, level: usize) -> Range<usize> {
        let end = self.levels.get(level + 1).map_or(self.states.len(), |&end| end as usize);
        let start = self.levels.get(level).map_or(self.states.len(), |&start| start as usize);
        start..end
    }

    /// Where the state is, or the line of the table where it belongs.
    #[inline]
    fn find(&self, state: &S, hash: Hash) -> Result<usize, usize> {
        self.table.find(hash, |position| self.states[position] == *state)
    }

    /// What of a level was not given out.
    fn left(&self, level: usize) -> Range<usize> {
        let level = self.level(level);
        self.given.max(level.start)..level.end
    }

    /// Adds the state, to which `last` leads, unless it is known.
    fn insert(&mut self, state: S, last: Last, hash: Hash) {
        let line = match self.find(&state, hash) {
            Err(line) => line,
            Ok(position) => {
                // The successors of states of levels before have been made.
                let known = position
                    .checked_sub(self.levels.last().map_or(0, |&start| start as usize))
                    .and_then(|position| self.lasts.get_mut(position));
                if let Some(known) = known {
                    *known = last.max(*known);
                }
                return;
            }
        };
        self.table.put(line, hash, self.states.len());
        self.heap_bytes += state.heap_bytes();
        self.push(state);
        if self.lasts.len() == self.lasts.capacity() {
            self.lasts.reserve_exact(grown_states(self.lasts.len()) - self.lasts.len());
        }
        self.lasts.push(last);
        if self.states.len() > self.table.most() {
            self.table = Table::new(0);
            self.fill_table(self.states.len());
        }
    }

    /// Makes room for what is coming, so that it need not be made step by step.
    fn reserve(&mut self, coming: Coming) {
        let states = self.states.len();
        if states + coming.soon > grown_states(states) {
            self.states.reserve_exact(coming.soon);
        }
        self.lasts.shrink_to(coming.next);
        self.lasts.reserve_exact(coming.next);
        if states + coming.next > self.table.most() {
            // A little more, for not all shards get the same; and at least what one step is.
            let lines = lines_between(states + coming.all + coming.all / 64, 0, 1).max(lines_for(states));
            self.table = Table::new(0);
            self.fill(lines);
        }
    }

    fn push(&mut self, state: S) {
        if self.states.len() == self.states.capacity() {
            self.states.reserve_exact(grown_states(self.states.len()) - self.states.len());
        }
        self.states.push(state);
    }

    /// A table with room for more than `states` states, with those there are.
    fn fill_table(&mut self, states: usize) {
        self.fill(lines_for(states));
    }

    /// A table with `lines` lines, enough for the states there are, with these.
    fn fill(&mut self, lines: usize) {
        let mut table = Table::new(lines);
        for (position, state) in self.states.iter().enumerate() {
            let hash = Hash(state.hash());
            table.put(table.free_line(hash), hash, position);
        }
        self.table = table;
    }

    /// Adds what is new of `states` until more than `most` were; the number of new ones.
    fn insert_all(&mut self, bucket: &mut Bucket<S>, most: usize) -> usize {
        let Bucket { states, lasts } = bucket;
        let before = self.states.len();
        let most = most.min(MAX_ENTRIES.saturating_sub(before));
        let mut hashes = [Hash(0); TOGETHER];
        let mut rest = states.drain(..);
        let mut lasts = lasts.drain(..);
        loop {
            let some = rest.as_slice();
            let count = some.len().min(TOGETHER);
            if count == 0 {
                break;
            }
            // Touched first, so that the memory needed comes all at once and not one after the other.
            let mut touched = 0;
            for (hash, state) in hashes.iter_mut().zip(some) {
                *hash = Hash(state.hash());
                touched ^= self.table.touch(*hash);
            }
            std::hint::black_box(touched);
            // In this order, for the first that ends takes nothing of the others.
            for (hash, (state, last)) in hashes[..count].iter().zip(rest.by_ref().zip(lasts.by_ref())) {
                self.insert(state, last, *hash);
                if self.states.len() - before > most {
                    return self.states.len() - before;
                }
            }
        }
        self.states.len() - before
    }

    fn bytes(&self) -> usize {
        let lasts = (self.lasts.capacity() + self.lasts_before.capacity()) * size_of::<Last>();
        self.states.capacity() * size_of::<S>() + self.table.bytes() + self.heap_bytes + lasts
    }

    /// What it would use with `more` more states, at most: while a table grows, only the new one is there.
    fn bytes_with(&self, more: usize) -> usize {
        let states = self.states.len() + more;
        let mut capacity = self.states.capacity();
        while capacity < states {
            capacity = grown_states(capacity);
        }
        let table = if states > self.table.most() { bytes_of(lines_for(states)) } else { self.table.bytes() };
        let each = self.states.last().map_or(0, State::heap_bytes);
        let lasts = (self.lasts.capacity() * 2 + more + self.lasts_before.capacity()) * size_of::<Last>();
        capacity * size_of::<S>() + table + self.heap_bytes + more * each + lasts
    }
}

fn grown_states(capacity: usize) -> usize {
    capacity + capacity / 32 + 8
}

/// The states found.
#[derive(Clone, Debug)]
pub struct Visited<S> {
    shards: Vec<Shard<S>>,
    shard_bits: u32,
    /// Levels begun.
    levels: usize,
}

/// A part of a level within one shard.
#[derive(Clone, Debug)]
pub(super) struct Part {
    shard: usize,
    range: Range<usize>,
}

impl Part {
    pub(super) fn len(&self) -> usize {
        self.range.len()
    }

    /// Its first states; `count` is at most its length.
    pub(super) fn first(&self, count: usize) -> Part {
        Part { shard: self.shard, range: self.range.start..self.range.start + count }
    }

    /// All but those.
    pub(super) fn without_first(&self, count: usize) -> Part {
        Part { shard: self.shard, range: self.range.start + count..self.range.end }
    }
}

impl<S: State> Visited<S> {
    pub(super) fn new() -> Self {
        Visited { shards: vec![Shard::new(0)], shard_bits: 0, levels: 0 }
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.states.len()).sum()
    }

    /// The states, those of one shard after those of the other.
    pub fn iter(&self) -> impl Iterator<Item = &S> {
        self.shards.iter().flat_map(|shard| &shard.states)
    }

    /// The bytes that are used for them.
    pub(crate) fn bytes(&self) -> usize {
        self.shards.iter().map(Shard::bytes).sum()
    }

    /// To take in what follows a level of a search with one shard: no more than one above `most` states, and
    /// `memory` bytes.
    pub(super) fn intake(&mut self, level: usize, most: usize, memory: usize) -> Intake<'_, S> {
        Intake::new(&mut self.shards[0], level, most, memory)
    }

    pub(super) fn shard_count(&self) -> usize {
        self.shards.len()
    }

    /// Which shard a state belongs to.
    pub(super) fn shard_of(&self, state: &S) -> usize {
        if self.shard_bits == 0 { 0 } else { Hash(state.hash()).shard(self.shard_bits) }
    }

    /// What is added from now on is one step further.
    pub(super) fn begin_level(&mut self) {
        for shard in &mut self.shards {
            shard.levels.push(shard.states.len() as u32);
            std::mem::swap(&mut shard.lasts, &mut shard.lasts_before);
            shard.lasts.clear();
        }
        self.levels += 1;
    }

    /// Reserves room for what is coming, if the search is large and that takes less than half of `bytes`.
    pub(super) fn reserve(&mut self, coming: Coming, bytes: usize) {
        let each = size_of::<S>() + size_of::<Last>() + size_of::<u64>();
        let shards = self.shards.len();
        let count = self.len();
        if count >= MIN_LARGE_SEARCH && (count + coming.all).saturating_mul(each) < bytes / 2 {
            let Coming { next, soon, all } = coming;
            let coming = Coming { next: next / shards, soon: soon / shards, all: all / shards };
            self.shards.iter_mut().for_each(|shard| shard.reserve(coming));
        }
    }

    /// How many states of the level are left to be visited.
    pub(super) fn left(&self, level: usize) -> usize {
        self.shards.iter().map(|shard| shard.left(level).len()).sum()
    }

    /// Takes the next states of the level, at most `most`.
    pub(super) fn give(&mut self, level: usize, most: usize) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut wanted = most;
        for (number, shard) in self.shards.iter_mut().enumerate() {
            let left = shard.left(level);
            let range = left.start..left.end.min(left.start + wanted);
            if !range.is_empty() {
                wanted -= range.len();
                shard.given = range.end;
                parts.push(Part { shard: number, range });
            }
        }
        parts
    }

    /// The states of a level, divided into parts of at most `most`, in their order.
    pub(super) fn parts(&self, level: usize, most: usize) -> Vec<Part> {
        let mut parts = Vec::new();
        for (number, shard) in self.shards.iter().enumerate() {
            let mut range = shard.level(level);
            while !range.is_empty() {
                let end = range.end.min(range.start.saturating_add(most));
                parts.push(Part { shard: number, range: range.start..end });
                range.start = end;
            }
        }
        parts
    }

    pub(super) fn states_of(&self, part: &Part) -> &[S] {
        &self.shards[part.shard].states[part.range.clone()]
    }

    /// Per state of a part of the level before the one begun last, an action that leads there.
    pub(super) fn lasts_of(&self, part: &Part) -> impl Iterator<Item = Option<u32>> + '_ {
        let shard = &self.shards[part.shard];
        let level = shard.levels.len().checked_sub(2).map_or(0, |level| shard.levels[level] as usize);
        let lasts = shard.lasts_before.get(part.range.start - level..part.range.end - level);
        lasts.unwrap_or_default().iter().map(|&last| u32::from(last).checked_sub(1))
    }

    pub(super) fn level_len(&self, level: usize) -> usize {
        self.shards.iter().map(|shard| shard.level(level).len()).sum()
    }

    /// Whether the state is at this level.
    pub(super) fn is_in_level(&self, state: &S, level: usize) -> bool {
        let shard = &self.shards[self.shard_of(state)];
        let position = shard.table.find(Hash(state.hash()), |position| shard.states[position] == *state);
        position.is_ok_and(|position| shard.level(level).contains(&position))
    }

    /// Adds what is new in `buckets`, each of which holds one list of states per shard, in their order. False
    /// where there are more than `most` states, of which then `most` are kept.
    pub(super) fn insert_all(&mut self, buckets: &mut [Vec<Bucket<S>>], threads: usize, most: usize) -> bool {
        struct Job<'a, S> {
            shard: &'a mut Shard<S>,
            lists: Vec<&'a mut Bucket<S>>,
            is_full: bool,
        }
        let allowed = most.saturating_sub(self.len());
        let mut jobs: Vec<Job<'_, S>> = self
            .shards
            .iter_mut()
            .map(|shard| Job { shard, lists: Vec::with_capacity(buckets.len()), is_full: false })
            .collect();
        for bucket in buckets {
            for (job, list) in jobs.iter_mut().zip(bucket) {
                job.lists.push(list);
            }
        }
        super::parallel::each(threads, &mut jobs, |job| {
            let before = job.shard.states.len();
            for list in &mut job.lists {
                if job.is_full {
                    list.clear();
                    continue;
                }
                let new = job.shard.states.len() - before;
                job.shard.insert_all(list, allowed - new);
                job.is_full =
                    job.shard.states.len() - before > allowed || job.shard.states.len() > MAX_ENTRIES;
            }
        });
        let is_full = jobs.iter().any(|job| job.is_full);
        self.keep(most) && !is_full
    }

    /// If there are more than `most` states, the last ones beyond that are dropped; whether there were no
    /// more.
    pub(super) fn keep(&mut self, most: usize) -> bool {
        let mut excess = self.len().saturating_sub(most);
        if excess == 0 {
            return true;
        }
        for shard in self.shards.iter_mut().rev() {
            let start = shard.levels.last().map_or(0, |&start| start as usize);
            let given = excess.min(shard.states.len() - start);
            shard.states.truncate(shard.states.len() - given);
            excess -= given;
        }
        for shard in &mut self.shards {
            shard.fill_table(shard.states.len());
        }
        false
    }

    /// The bytes that would be used with these states added, at most.
    pub(super) fn bytes_with(&self, buckets: &[Vec<Bucket<S>>]) -> usize {
        let more = |shard: usize| {
            buckets.iter().map(|bucket| bucket.get(shard).map_or(0, |bucket| bucket.states.len())).sum()
        };
        self.shards.iter().enumerate().map(|(number, shard)| shard.bytes_with(more(number))).sum()
    }

    /// Divides the states into more shards in the middle of a level, if there are far more than was expected
    /// when it began: a shard has no room for any number.
    pub(super) fn divide_if_crowded(&mut self) {
        self.divide(self.len() / CROWDED);
    }

    /// Divides the states into as many shards as become the number expected. The order of states changes, but
    /// not that of those of one shard. To be called when no part of them is in use.
    pub(super) fn divide(&mut self, expected: usize) {
        let wanted = SHARDS.iter().rev().find(|(states, _)| expected >= *states).map_or(0, |row| row.1);
        if wanted <= self.shard_bits {
            return;
        }
        let (old_bits, levels) = (self.shard_bits, self.levels);
        let mut new: Vec<Shard<S>> = (0..1 << wanted).map(|_| Shard::new(levels)).collect();
        for mut old in std::mem::take(&mut self.shards) {
            // Not needed any more: its memory may be.
            old.table = Table::new(0);
            let mut counts = vec![0; 1 << (wanted - old_bits)];
            for state in &old.states {
                counts[Hash(state.hash()).shard(wanted) >> old_bits] += 1;
            }
            let start = |back: usize| {
                old.levels.len().checked_sub(back).map_or(0, |level| old.levels[level] as usize)
            };
            let (newest, before) = (start(1), start(2));
            let mut level = 0;
            let mut own = Vec::new();
            for (position, state) in old.states.into_iter().enumerate() {
                while old.levels.get(level).is_some_and(|&start| start as usize <= position) {
                    for &shard in &own {
                        let shard: &mut Shard<S> = &mut new[shard];
                        shard.levels[level] = shard.states.len() as u32;
                    }
                    level += 1;
                }
                let number = Hash(state.hash()).shard(wanted);
                if new[number].states.capacity() == 0 {
                    new[number].states.reserve_exact(counts[number >> old_bits]);
                    own.push(number);
                }
                new[number].heap_bytes += state.heap_bytes();
                new[number].push(state);
                let new = &mut new[number];
                new.given += usize::from(position < old.given);
                if position >= newest {
                    new.lasts.push(old.lasts[position - newest]);
                } else if position >= before {
                    new.lasts_before.extend(old.lasts_before.get(position - before));
                }
            }
            for &shard in &own {
                let states = new[shard].states.len();
                for start in new[shard].levels.iter_mut().skip(level) {
                    *start = states as u32;
                }
                // So filled that one after the other grows, not all at once.
                new[shard].fill(lines_between(states, shard, 1 << wanted));
            }
        }
        self.shards = new;
        self.shard_bits = wanted;
    }
}
