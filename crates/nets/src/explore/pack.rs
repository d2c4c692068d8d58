//! How markings of a net are packed into words, and tests of many conditions on a packed marking at once.
//!
//! A component takes as many bits as its states need, none if it has one; the first component stands in the most
//! significant bits of the first word, and no component is divided between words. So packed markings are
//! ordered as the markings are: by the state of the first component, then of the second, and so on.
//!
//! [`Cubes`] finds out which of many conditions hold ("these components are in these states"; a transition's
//! pre-set, a pattern). The bits of a marking are cut into small chunks; per chunk and value, a table has one bit
//! per condition that says whether it is compatible with this value. The conjunction over the chunks says which
//! conditions hold, 64 at a time, in some ten instructions.

use std::ops::Range;

use crate::explore::system::State;
use crate::instance::marking::Marking;
use crate::instance::net::{ComponentId, Net};
use paramcheck_model::component::StateId;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::{Budget, Stop};

#[cfg(test)]
mod tests;

/// The bits of a chunk, at most.
const CHUNK_BITS: u32 = 6;

/// Where a component's state stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field {
    word: usize,
    shift: u32,
    bits: u32,
}

impl Field {
    fn mask(self) -> u64 {
        // A component of no bits may stand behind the last bit of a word.
        if self.bits == 0 { 0 } else { ((1 << self.bits) - 1) << self.shift }
    }

    fn value(self, state: StateId) -> u64 {
        if self.bits == 0 { 0 } else { (state.index() as u64) << self.shift }
    }

    fn get(self, words: &[u64]) -> StateId {
        let value = if self.bits == 0 { 0 } else { (words[self.word] & self.mask()) >> self.shift };
        StateId::new(value as usize)
    }
}

/// How the markings of a net are packed.
#[derive(Clone, Debug)]
pub struct Layout {
    fields: IndexVec<ComponentId, Field>,
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
    /// The layout for markings of `net`.
    pub fn new(net: &Net) -> Layout {
        Layout::of_counts(net.components().iter().map(|component| component.state_count))
    }

    /// The layout for components with so many states each, of whatever they are.
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
            // Chunks end where components do, except within one that is larger than a chunk.
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

    /// The words of a packed marking.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The bits that are really used.
    pub fn bits(&self) -> u32 {
        self.fields.iter().map(|field| field.bits).sum()
    }

    /// The bits that a component takes.
    pub fn bits_of(&self, component: ComponentId) -> u32 {
        self.fields[component].bits
    }

    /// `marking`, packed.
    pub fn pack<S: State>(&self, marking: &Marking) -> S {
        let mut state = S::zero(self.words);
        for (field, &component) in self.fields.iter().zip(marking) {
            state.words_mut()[field.word] |= field.value(component);
        }
        state
    }

    /// The marking that `state` is.
    pub fn unpack<S: State>(&self, state: &S) -> Marking {
        self.fields.iter().map(|field| field.get(state.words())).collect()
    }

    /// The state of one component.
    pub fn get<S: State>(&self, state: &S, component: ComponentId) -> StateId {
        self.fields[component].get(state.words())
    }

    /// Puts one component into another state.
    pub fn set<S: State>(&self, state: &mut S, component: ComponentId, to: StateId) {
        let field = self.fields[component];
        if let Some(word) = state.words_mut().get_mut(field.word) {
            *word = (*word & !field.mask()) | field.value(to);
        }
    }

    /// The bits that put a component into a state, wherever it was: word, its bits there, their value.
    pub fn assignment(&self, component: ComponentId, to: StateId) -> (usize, u64, u64) {
        let field = self.fields[component];
        (field.word, field.mask(), field.value(to))
    }

    /// The bits in which two states of a component differ: word and bits.
    pub(super) fn difference(&self, component: ComponentId, from: StateId, to: StateId) -> (usize, u64) {
        let field = self.fields[component];
        (field.word, field.value(from) ^ field.value(to))
    }
}

/// Components, and the states that they may be in.
pub type Condition = Vec<(ComponentId, Vec<StateId>)>;

/// Many conditions on markings, prepared to be tested at once. See the module's text.
#[derive(Clone, Debug, Default)]
pub struct Cubes {
    groups: Vec<Group>,
    /// Where the groups look things up.
    lookups: Vec<Lookup>,
    /// Per lookup, and value of the bits from there on, the conditions of its group that are compatible with it. (Bits beyond
    /// the chunk make no difference: a table of one size for all is looked up without a question.)
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
    /// Conditions that ask for some of a component's states. `None` where one does so of a component that
    /// is larger than a chunk.
    ///
    /// # Errors
    /// `budget` ended.
    pub fn new(layout: &Layout, conditions: &[Condition], budget: &Budget) -> Result<Option<Cubes>, Stop> {
        let is_possible = |(component, states): &(ComponentId, Vec<StateId>)| {
            states.len() == 1 || layout.fields[*component].bits <= CHUNK_BITS
        };
        let are_possible = conditions.iter().flatten().all(is_possible);
        if !are_possible {
            return Ok(None);
        }
        Self::build(layout, conditions, |(component, states)| (*component, states.as_slice()), budget)
            .map(Some)
    }

    /// Conditions that ask for one state of each component named.
    ///
    /// # Errors
    /// `budget` ended.
    pub(super) fn of_states(
        layout: &Layout,
        conditions: &[Vec<(ComponentId, StateId)>],
        budget: &Budget,
    ) -> Result<Cubes, Stop> {
        Self::build(
            layout,
            conditions,
            |(component, state)| (*component, std::slice::from_ref(state)),
            budget,
        )
    }

    fn build<C>(
        layout: &Layout,
        conditions: &[Vec<C>],
        parts: impl Fn(&C) -> (ComponentId, &[StateId]),
        budget: &Budget,
    ) -> Result<Cubes, Stop> {
        let mut cubes = Cubes::default();
        // Per chunk of the layout its table in the current group, if it has one.
        let mut tables: Vec<Option<Box<Table>>> = vec![None; layout.chunks.len()];
        for group in conditions.chunks(64) {
            budget.check()?;
            let all = u64::MAX >> (64 - group.len());
            for (bit, condition) in group.iter().enumerate() {
                for (component, states) in condition.iter().map(&parts) {
                    let field = layout.fields[component];
                    if field.bits == 0 {
                        // It is in its only state.
                        continue;
                    }
                    for number in layout.chunks_of(field) {
                        let chunk = layout.chunks[number];
                        // What the chunk sees of the component.
                        let mask = field.mask() & chunk.mask();
                        let seen = |value: u64| (value & mask) >> chunk.shift;
                        let allowed = states
                            .iter()
                            .fold(0_u64, |allowed, &state| allowed | 1 << seen(field.value(state)));
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
    /// The chunks in which a component stands.
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
