//! Packed states: small fields packed into words, and tests of many conditions on a packed state at once.
//!
//! A [`Layout`] is where each field of a state stands. A field takes as many bits as its values need, none if
//! it has one value. The first field stands in the most significant bits of the first word, and no field is
//! divided between words. So packed states are ordered as the lists of their values are: by the value of the
//! first field, then of the second, and so on. What a field means is the caller's: a component of a net (see
//! `petri`), a counter of a program.
//!
//! [`Cubes`] finds out which of many conditions hold ("these fields have these values"; a transition's
//! pre-set, a pattern). The bits of a state are cut into small chunks; per chunk and value, a table has one
//! bit per condition: whether it is compatible with this value. The conjunction over the chunks is the set of
//! conditions that hold, 64 at a time, in some ten instructions.

use std::ops::Range;

use crate::explore::system::State;
use paramcheck_text::define_index;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::{Budget, Stop};

#[cfg(test)]
mod tests;

define_index! {
    /// A field of a state.
    pub struct FieldId;
    /// What a field holds, from 0.
    pub struct Value;
}

/// The bits of a chunk, at most.
const CHUNK_BITS: u32 = 6;

/// Where a field stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Field {
    word: usize,
    shift: u32,
    bits: u32,
}

impl Field {
    fn mask(self) -> u64 {
        // A field of no bits may stand behind the last bit of a word.
        if self.bits == 0 { 0 } else { ((1 << self.bits) - 1) << self.shift }
    }

    fn bits_of(self, value: Value) -> u64 {
        if self.bits == 0 { 0 } else { (value.index() as u64) << self.shift }
    }

    fn get(self, words: &[u64]) -> Value {
        let value = if self.bits == 0 { 0 } else { (words[self.word] & self.mask()) >> self.shift };
        Value::new(value as usize)
    }
}

/// How states are packed.
#[derive(Clone, Debug)]
pub struct Layout {
    fields: IndexVec<FieldId, Field>,
    words: usize,
    chunks: Vec<Chunk>,
}

/// Some bits of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Chunk {
    word: usize,
    shift: u32,
    bits: u32,
}

impl Chunk {
    fn mask(self) -> u64 {
        ((1 << self.bits) - 1) << self.shift
    }
}

impl Layout {
    /// The layout for fields with these numbers of values.
    pub fn of_counts(counts: impl IntoIterator<Item = usize>) -> Layout {
        let mut fields = IndexVec::new();
        let mut chunks: Vec<Chunk> = Vec::new();
        let (mut word, mut free) = (0, u64::BITS);
        for count in counts {
            let bits = usize::BITS - count.saturating_sub(1).leading_zeros();
            if bits > free {
                word += 1;
                free = u64::BITS;
            }
            free -= bits;
            fields.push(Field { word, shift: free, bits });
            // Chunks end where fields do, except within one that is larger than a chunk.
            match chunks.last_mut() {
                Some(last) if last.word == word && last.bits + bits <= CHUNK_BITS => {
                    last.bits += bits;
                    last.shift = free;
                }
                _ => {
                    let mut left = bits;
                    while left > 0 {
                        let some = left.min(CHUNK_BITS);
                        left -= some;
                        chunks.push(Chunk { word, shift: free + left, bits: some });
                    }
                }
            }
        }
        Layout { fields, words: word + 1, chunks }
    }

    /// The words of a packed state.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The bits that are used.
    pub(crate) fn bits(&self) -> u32 {
        self.fields.iter().map(|field| field.bits).sum()
    }

    /// The fields, ascending.
    pub(super) fn fields(&self) -> impl Iterator<Item = FieldId> + use<> {
        self.fields.indices()
    }

    /// The bits that a field takes.
    pub(crate) fn bits_of(&self, field: impl Into<FieldId>) -> u32 {
        self.fields[field.into()].bits
    }

    /// The value of a field.
    pub fn get(&self, state: &impl State, field: impl Into<FieldId>) -> Value {
        self.fields[field.into()].get(state.words())
    }

    /// Gives a field another value.
    pub fn set(&self, state: &mut impl State, field: impl Into<FieldId>, to: impl Into<Value>) {
        let field = self.fields[field.into()];
        if let Some(word) = state.words_mut().get_mut(field.word) {
            *word = (*word & !field.mask()) | field.bits_of(to.into());
        }
    }

    /// The bits that give a field a value, whatever it was: word, its bits there, their value.
    pub fn assignment(&self, field: impl Into<FieldId>, to: impl Into<Value>) -> (usize, u64, u64) {
        let field = self.fields[field.into()];
        (field.word, field.mask(), field.bits_of(to.into()))
    }

    /// The bits in which two values of a field differ: word and bits.
    pub(super) fn difference<V: Into<Value>>(
        &self,
        field: impl Into<FieldId>,
        from: V,
        to: V,
    ) -> (usize, u64) {
        let field = self.fields[field.into()];
        (field.word, field.bits_of(from.into()) ^ field.bits_of(to.into()))
    }
}

/// Fields, and the values that they may have.
pub type Condition = Vec<(FieldId, Vec<Value>)>;

/// Many conditions on states, prepared to be tested at once. See the module's text.
#[derive(Clone, Debug, Default)]
pub struct Cubes {
    groups: Vec<Group>,
    /// Where the groups look things up.
    lookups: Vec<Lookup>,
    /// Per lookup, and value of the bits from there on, the conditions of its group that are compatible with
    /// it. (Bits beyond the chunk make no difference: tables of one size are looked up without a branch.)
    tables: Vec<Table>,
}

/// 64 conditions, fewer in the last group.
#[derive(Clone, Debug)]
struct Group {
    all: u64,
    lookups: Range<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Lookup {
    word: usize,
    shift: u32,
}

/// Per value of some bits, conditions.
type Table = [u64; 1 << CHUNK_BITS];

impl Cubes {
    /// Conditions that allow some values of a field. `None` where one allows several values of a field that
    /// is larger than a chunk.
    ///
    /// # Errors
    /// `budget` ended.
    pub fn new(layout: &Layout, conditions: &[Condition], budget: &Budget) -> Result<Option<Cubes>, Stop> {
        let is_possible = |(field, values): &(FieldId, Vec<Value>)| {
            values.len() == 1 || layout.fields[*field].bits <= CHUNK_BITS
        };
        let are_possible = conditions.iter().flatten().all(is_possible);
        if !are_possible {
            return Ok(None);
        }
        Self::build(layout, conditions, |(field, values)| (*field, values.as_slice()), budget).map(Some)
    }

    /// Conditions that allow one value of each field named.
    ///
    /// # Errors
    /// `budget` ended.
    pub(super) fn of_values(
        layout: &Layout,
        conditions: &[Vec<(FieldId, Value)>],
        budget: &Budget,
    ) -> Result<Cubes, Stop> {
        Self::build(layout, conditions, |(field, value)| (*field, std::slice::from_ref(value)), budget)
    }

    fn build<C>(
        layout: &Layout,
        conditions: &[Vec<C>],
        parts: impl Fn(&C) -> (FieldId, &[Value]),
        budget: &Budget,
    ) -> Result<Cubes, Stop> {
        let mut cubes = Cubes::default();
        // Per chunk of the layout its table in the current group, if it has one.
        let mut tables: Vec<Option<Box<Table>>> = vec![None; layout.chunks.len()];
        for group in conditions.chunks(64) {
            budget.check()?;
            let all = u64::MAX >> (64 - group.len());
            for (bit, condition) in group.iter().enumerate() {
                for (field, values) in condition.iter().map(&parts) {
                    let field = layout.fields[field];
                    if field.bits == 0 {
                        // It has its only value.
                        continue;
                    }
                    for number in layout.chunks_of(field) {
                        let chunk = layout.chunks[number];
                        // What the chunk has of the field.
                        let mask = field.mask() & chunk.mask();
                        let seen = |value: u64| (value & mask) >> chunk.shift;
                        let allowed = values
                            .iter()
                            .fold(0_u64, |allowed, &value| allowed | 1 << seen(field.bits_of(value)));
                        let mask = seen(mask);
                        let table = tables[number].get_or_insert_with(|| Box::new([all; 1 << CHUNK_BITS]));
                        for (value, row) in table.iter_mut().enumerate() {
                            let is_allowed = allowed >> (value as u64 & mask) & 1;
                            *row &= !((is_allowed ^ 1) << bit);
                        }
                    }
                }
            }
            let first = cubes.lookups.len();
            for (chunk, table) in layout.chunks.iter().zip(&mut tables) {
                if let Some(table) = table.take() {
                    cubes.lookups.push(Lookup { word: chunk.word, shift: chunk.shift });
                    cubes.tables.push(*table);
                }
            }
            cubes.groups.push(Group { all, lookups: first..cubes.lookups.len() });
        }
        Ok(cubes)
    }

    /// How many groups of conditions there are.
    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    /// Which conditions of a group (64 conditions each) hold, as bits.
    #[inline]
    pub fn holding_in<S: State>(&self, group: usize, state: &S) -> u64 {
        let group = &self.groups[group];
        let words = state.words();
        let mut holding = group.all;
        let (lookups, tables) = (&self.lookups[group.lookups.clone()], &self.tables[group.lookups.clone()]);
        for (lookup, table) in lookups.iter().zip(tables) {
            holding &= table[(words[lookup.word] >> lookup.shift) as usize % table.len()];
        }
        holding
    }

    /// Calls `each` with the number of every condition that holds, ascending.
    #[inline]
    pub(super) fn holding<S: State>(&self, state: &S, mut each: impl FnMut(usize)) {
        for number in 0..self.groups.len() {
            let mut holding = self.holding_in(number, state);
            while holding != 0 {
                each(number * 64 + holding.trailing_zeros() as usize);
                holding &= holding - 1;
            }
        }
    }

    /// Whether some condition holds.
    pub fn any_holds<S: State>(&self, state: &S) -> bool {
        (0..self.groups.len()).any(|group| self.holding_in(group, state) != 0)
    }
}

impl Layout {
    /// The chunks in which a field stands.
    fn chunks_of(&self, field: Field) -> impl Iterator<Item = usize> + '_ {
        // Chunks come in the order of their bits, the most significant first.
        let before = |chunk: &Chunk| (chunk.word, u32::MAX - chunk.shift);
        let top = (field.word, u32::MAX - (field.shift + field.bits - 1));
        let first = self.chunks.partition_point(|chunk| before(chunk) < top);
        (first..self.chunks.len())
            .take_while(move |&number| self.chunks[number].mask() & field.mask() != 0)
            .filter(move |&number| self.chunks[number].word == field.word)
    }
}
