//! Packed states: fields of as few bits as their values need.
//!
//! The fields of a state are the cells, per agent the sets of tuples to confirm and to propagate (as bits), per
//! tuple the ranks of its agents, the program counters, whose turn it is, and where a run stands with respect to
//! scopes. A word of 64 bits holds whole fields. The highest bit of the last word is for states that are not of the
//! system: those to which a run comes that leaves the language ([`Layout::fault`]).
//!
//! A value that a field has no room for is never cut short: packing fails ([`Layout::set`]).

use paramcheck_labs::number::Fault;
use paramcheck_nets::explore::system::State;

use super::code::Cells;
use super::values::Values;
use super::word::{UNDEFINED, is_number};

/// A field.
#[derive(Clone, Debug)]
struct Field {
    word: usize,
    shift: u32,
    mask: u64,
    /// The first number: of one interval all others follow.
    low: i64,
    /// Code 0 is undefined; numbers come after.
    is_undefined: bool,
    /// How many codes there are.
    codes: u64,
    /// The intervals, if there are several.
    intervals: Box<[(i64, i64)]>,
    /// The words of all codes, if they do not just follow one another and are few.
    words: Box<[i64]>,
}

/// The most codes that are listed.
const MAX_LISTED: u64 = 1 << 8;

impl Field {
    #[inline]
    fn word_of(&self, code: u64) -> i64 {
        match self.words.get(code as usize) {
            Some(word) => *word,
            None if self.is_plain() => self.low.wrapping_add_unsigned(code),
            None => self.computed(code),
        }
    }

    /// Whether numbers just follow one another.
    #[inline]
    fn is_plain(&self) -> bool {
        !self.is_undefined && self.intervals.is_empty()
    }

    fn computed(&self, code: u64) -> i64 {
        if self.is_undefined && code == 0 {
            return UNDEFINED;
        }
        let mut number = code - u64::from(self.is_undefined);
        if self.intervals.is_empty() {
            return self.low.wrapping_add_unsigned(number);
        }
        for (low, high) in &self.intervals {
            let size = high.abs_diff(*low) + 1;
            if number < size {
                return low.wrapping_add_unsigned(number);
            }
            number -= size;
        }
        UNDEFINED
    }

    #[inline]
    fn code_of(&self, word: i64) -> Option<u64> {
        if !is_number(word) {
            return (word == UNDEFINED && self.is_undefined).then_some(0);
        }
        let first = u64::from(self.is_undefined);
        if self.intervals.is_empty() {
            // Numbers below the first are far beyond the last.
            let code = (word.wrapping_sub(self.low) as u64).checked_add(first)?;
            return (code < self.codes).then_some(code);
        }
        let mut before = first;
        for (low, high) in &self.intervals {
            if *low <= word && word <= *high {
                return Some(before + word.abs_diff(*low));
            }
            before += high.abs_diff(*low) + 1;
        }
        None
    }
}

/// Where the fields of a state are.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    fields: Vec<Field>,
    /// The fields that have more than one value.
    varying: Vec<usize>,
    words: usize,
    bits: u32,
}

impl Layout {
    /// For fields with these values; `None` if one has too many.
    pub(crate) fn new<'a>(fields: impl IntoIterator<Item = &'a Values>) -> Option<Layout> {
        // How many bits of each word are taken; the last word has one bit less.
        let mut taken: Vec<u32> = Vec::new();
        let (mut made, mut varying) = (Vec::new(), Vec::new());
        let mut bits = 0;
        for values in fields {
            let codes = values.count().checked_add(u64::from(values.is_undefined))?;
            if codes > 1 << 62 {
                return None;
            }
            let width = if codes <= 1 { 0 } else { (codes - 1).ilog2() + 1 };
            let word = match taken.iter().position(|taken| taken + width < 64) {
                Some(word) => word,
                None => {
                    taken.push(0);
                    taken.len() - 1
                }
            };
            let intervals = if values.intervals().len() > 1 { values.intervals() } else { &[] };
            let mut field = Field {
                word,
                shift: taken[word],
                mask: (1u64 << width) - 1,
                low: values.bounds().map_or(0, |(low, _)| low),
                is_undefined: values.is_undefined,
                codes: codes.max(1),
                intervals: intervals.into(),
                words: Box::new([]),
            };
            if !field.is_plain() && codes <= MAX_LISTED {
                field.words = (0..codes).map(|code| field.computed(code)).collect();
            }
            if width > 0 {
                varying.push(made.len());
            }
            made.push(field);
            taken[word] += width;
            bits += width;
        }
        Some(Layout { fields: made, varying, words: taken.len().max(1), bits })
    }

    /// How many words a state has.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// How many bits of them are used.
    pub(crate) fn bits(&self) -> u32 {
        self.bits
    }

    /// The words of all fields. What `fields` holds is that of another state, or nothing.
    #[inline]
    pub(crate) fn unpack<S: State>(&self, state: &S, fields: &mut Vec<i64>) {
        let words = state.words();
        let word_of = |field: &Field| field.word_of(words[field.word] >> field.shift & field.mask);
        if fields.len() != self.fields.len() {
            fields.clear();
            fields.extend(self.fields.iter().map(word_of));
            return;
        }
        for field in &self.varying {
            fields[*field] = word_of(&self.fields[*field]);
        }
    }

    /// The word of a field.
    #[inline]
    pub(crate) fn get<S: State>(&self, state: &S, field: usize) -> i64 {
        let field = &self.fields[field];
        field.word_of(state.words()[field.word] >> field.shift & field.mask)
    }

    /// Gives a field a word; whether there is room for it.
    #[inline]
    #[must_use]
    pub(crate) fn set<S: State>(&self, state: &mut S, field: usize, word: i64) -> bool {
        let field = &self.fields[field];
        let Some(code) = field.code_of(word) else { return false };
        let place = &mut state.words_mut()[field.word];
        *place = *place & !(field.mask << field.shift) | code << field.shift;
        true
    }

    /// The state with these words in its fields, if there is room.
    pub(crate) fn pack<S: State>(&self, fields: &[i64]) -> Option<S> {
        let mut state = S::zero(self.words);
        let all = fields.iter().enumerate().all(|(field, word)| self.set(&mut state, field, *word));
        all.then_some(state)
    }

    /// Sets all bits of these fields to 0.
    pub(crate) fn clear<S: State>(&self, state: &mut S, fields: std::ops::Range<usize>) {
        for field in &self.fields[fields] {
            state.words_mut()[field.word] &= !(field.mask << field.shift);
        }
    }

    /// Whether these fields have one value each.
    pub(crate) fn is_constant(&self, fields: std::ops::Range<usize>) -> bool {
        self.fields[fields].iter().all(|field| field.mask == 0)
    }

    /// The state of a run that has left the language.
    pub(crate) fn left<S: State>(&self, fault: Fault) -> S {
        let mut state = S::zero(self.words);
        let code = match fault {
            Fault::Overflow => 0,
            Fault::ZeroDivisor => 1,
            Fault::Index => 2,
            Fault::NoAgent => 3,
        };
        state.words_mut()[self.words - 1] = 1 << 63 | code;
        state
    }

    /// The fault by which a run has left the language, if it has.
    #[inline]
    pub(crate) fn fault<S: State>(&self, state: &S) -> Option<Fault> {
        let last = state.words()[self.words - 1];
        if last >> 63 == 0 {
            return None;
        }
        Some(match last & 3 {
            0 => Fault::Overflow,
            1 => Fault::ZeroDivisor,
            2 => Fault::Index,
            _ => Fault::NoAgent,
        })
    }
}

/// The cells of a packed state.
pub(crate) struct Packed<'a, S> {
    pub(crate) layout: &'a Layout,
    pub(crate) state: &'a S,
}

impl<S: State> Cells for Packed<'_, S> {
    #[inline]
    fn cell(&self, at: usize) -> i64 {
        self.layout.get(self.state, at)
    }
}
