//! The product of a system and an automaton, made as far as it is visited.
//!
//! A *pair* is a state of the system, the bits of the last step that atoms speak of, and a state of the
//! automaton. States and pairs have numbers. [`Product::expand`] makes the edges of a pair; where nothing can
//! happen, the state repeats itself.

use paramcheck_text::limits::{Budget, Stop};

use super::table::Table;
use crate::automaton::Automaton;
use crate::check::Options;
use crate::letter::words;
use crate::system::{Fairness, Kind, System};

/// Why a search ended before its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// There are too many pairs.
    States,
    /// The run must end.
    Stopped(Stop),
}

/// A pair, by the numbers of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Pair {
    pub(super) state: u32,
    pub(super) automaton: u32,
    last: u32,
}

/// An edge of the pair that was expanded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The pair it leads to.
    pub(super) target: u32,
    /// Its marks of the automaton.
    pub(super) marks: u64,
    /// The position of its step among those that were made.
    pub(super) step: usize,
}

/// The number of the empty set of bits of a last step.
const NO_LAST: u32 = 0;

/// How many edges lie between two looks at the limits.
const PACE: usize = 1 << 12;

/// The product, and the edges of the pair that was expanded last.
pub(crate) struct Product<'a, S: System> {
    system: &'a mut S,
    pub(crate) automaton: &'a Automaton,
    /// From which states of the automaton every run is read.
    reads_all: Vec<bool>,
    pub(super) fairness: Fairness,
    max_pairs: usize,
    memory: Option<usize>,
    budget: Budget,
    states: Table<S::State>,
    pairs: Table<Pair>,
    lasts: Table<Vec<u64>>,
    /// The first fault, and the pair in which it was met.
    pub(super) fault: Option<(u32, S::Fault)>,
    /// Only pairs that have a number are met.
    is_frozen: bool,
    unchecked: usize,
    /// Which atoms are about the step that is taken, and which about the last one.
    step_atoms: Vec<u64>,
    last_atoms: Vec<u64>,
    /// The steps of the pair that was expanded last; none, where nothing can happen.
    pub(super) made: Vec<(S::Step, S::State)>,
    /// Its edges.
    pub(super) edges: Vec<Edge>,
    /// Who acts in each of its steps: as many words as units need, per step.
    pub(super) acts: Vec<u64>,
    /// Who can act in it.
    pub(super) able: Vec<u64>,
    letter: Vec<u64>,
    base: Vec<u64>,
    bits: Vec<u64>,
}

impl<'a, S: System> Product<'a, S> {
    pub(crate) fn new(
        system: &'a mut S,
        automaton: &'a Automaton,
        options: &Options,
        budget: &Budget,
    ) -> Self {
        let atoms = system.atoms();
        let width = words(atoms.len());
        let of_kind = |kind| {
            let mut bits = vec![0; width];
            for (atom, _) in atoms.iter().enumerate().filter(|(_, other)| **other == kind) {
                bits[atom / 64] |= 1 << (atom % 64);
            }
            bits
        };
        let (step_atoms, last_atoms) = (of_kind(Kind::Step), of_kind(Kind::Last));
        let mut lasts = Table::new();
        lasts.add(vec![0; width]);
        let unit_words = if options.fairness == Fairness::None { 0 } else { words(system.units()) };
        Product {
            system,
            automaton,
            reads_all: (0..automaton.states.len() as u32).map(|state| automaton.reads_all(state)).collect(),
            fairness: options.fairness,
            max_pairs: options.max_states,
            memory: options.memory,
            budget: budget.clone(),
            states: Table::new(),
            pairs: Table::new(),
            lasts,
            fault: None,
            is_frozen: false,
            unchecked: 0,
            step_atoms,
            last_atoms,
            made: Vec::new(),
            edges: Vec::new(),
            acts: Vec::new(),
            able: vec![0; unit_words],
            letter: vec![0; width],
            base: vec![0; width],
            bits: vec![0; width],
        }
    }

    /// How many states and pairs were met.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.states.len(), self.pairs.len())
    }

    pub(super) fn len(&self) -> usize {
        self.pairs.len()
    }

    pub(super) fn pair(&self, number: u32) -> Pair {
        *self.pairs.get(number)
    }

    pub(super) fn state(&self, number: u32) -> &S::State {
        self.states.get(number)
    }

    /// How many words a set of units has; none, if fairness does not matter.
    pub(super) fn unit_words(&self) -> usize {
        self.able.len()
    }

    /// The set of all units.
    pub(super) fn all_units(&self) -> Vec<u64> {
        let units = self.system.units();
        let bits = |word: usize| match units.saturating_sub(word * 64) {
            64.. => u64::MAX,
            bits => (1 << bits) - 1,
        };
        (0..self.unit_words()).map(bits).collect()
    }

    /// From here on, pairs that have no number are passed over: for evidence, which is looked for in what was
    /// found.
    pub(super) fn freeze(&mut self) {
        self.is_frozen = true;
        self.budget = self.budget.for_evidence();
    }

    /// The pairs in which runs begin.
    pub(super) fn initial(&mut self) -> Result<Vec<u32>, Halt> {
        let last = NO_LAST;
        let mut pairs = Vec::new();
        for state in self.system.initial() {
            for automaton in &self.automaton.initial {
                let state = self.states.add(state.clone()).ok_or(Halt::States)?;
                let pair = Pair { state, automaton: *automaton, last };
                pairs.push(self.pairs.add(pair).ok_or(Halt::States)?);
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        Ok(pairs)
    }

    /// Whether the automaton reads every run that has come to this pair: in its state, or by what it reads of
    /// the letter without the step.
    pub(super) fn is_lost(&mut self, number: u32) -> bool {
        let pair = self.pair(number);
        if self.reads_all[pair.automaton as usize] {
            return true;
        }
        self.read_state(pair);
        self.automaton.states[pair.automaton as usize].iter().any(|one| {
            self.reads_all[one.target as usize]
                && !one.cube.names_any(&self.step_atoms)
                && one.cube.has(&self.base)
        })
    }

    /// Sets `base` to the letter of a pair without its step.
    fn read_state(&mut self, pair: Pair) {
        self.base.fill(0);
        self.system.state_letter(self.states.get(pair.state), &mut self.base);
        let last = self.lasts.get(pair.last);
        self.base.iter_mut().zip(last).for_each(|(word, last)| *word |= last);
    }

    /// Makes the edges of a pair; `extra` is how many bytes the search takes beside.
    pub(super) fn expand(&mut self, number: u32, extra: usize) -> Result<(), Halt> {
        self.look_at_limits(extra)?;
        let pair = self.pair(number);
        self.read_state(pair);
        let Product { system, states, made, .. } = self;
        made.clear();
        let outcome = system.steps(states.get(pair.state), &mut |step, target| made.push((step, target)));
        let is_faulty = outcome.is_err();
        if let Err(fault) = outcome {
            self.fault.get_or_insert((number, fault));
        }
        self.edges.clear();
        self.acts.clear();
        self.able.fill(0);
        if self.made.is_empty() {
            if !is_faulty {
                return self.repeat(pair);
            }
            return Ok(());
        }
        let words = self.unit_words();
        for position in 0..self.made.len() {
            self.step(pair, position)?;
            let begin = self.acts.len();
            self.acts.resize(begin + words, 0);
            if words > 0 {
                let (step, _) = &self.made[position];
                self.system.actors(self.states.get(pair.state), step, &mut self.acts[begin..]);
                self.able.iter_mut().zip(&self.acts[begin..]).for_each(|(able, acts)| *able |= acts);
            }
        }
        Ok(())
    }

    /// The edges of a pair in which nothing can happen.
    fn repeat(&mut self, pair: Pair) -> Result<(), Halt> {
        self.letter.clone_from(&self.base);
        let last = if self.system.keeps_last() { pair.last } else { NO_LAST };
        self.read(pair, last, 0)
    }

    /// The edges of a pair by the step at this position.
    fn step(&mut self, pair: Pair, position: usize) -> Result<(), Halt> {
        let (step, target) = &self.made[position];
        self.bits.fill(0);
        self.system.step_letter(self.states.get(pair.state), step, target, &mut self.bits);
        for (word, letter) in self.letter.iter_mut().enumerate() {
            *letter = self.base[word] | self.bits[word] & self.step_atoms[word];
            self.bits[word] &= self.last_atoms[word];
        }
        let last = if self.bits.iter().all(|word| *word == 0) {
            NO_LAST
        } else {
            self.lasts.number(&self.bits, usize::MAX).ok_or(Halt::States)?
        };
        self.read(pair, last, position)
    }

    /// The edges by which the automaton reads the letter. They lead to the state that the step at this
    /// position leads to, which is looked up if there are any; to the same state, if none was made.
    fn read(&mut self, pair: Pair, last: u32, step: usize) -> Result<(), Halt> {
        let automaton = self.automaton;
        let most = |limit: usize, is_frozen: bool| if is_frozen { 0 } else { limit };
        let mut target = None;
        for one in &automaton.states[pair.automaton as usize] {
            if !one.cube.has(&self.letter) {
                continue;
            }
            let state = match (target, self.made.get(step)) {
                (Some(state), _) => state,
                (None, None) => pair.state,
                (None, Some((_, state))) => {
                    match self.states.number(state, most(usize::MAX, self.is_frozen)) {
                        Some(state) => state,
                        None if self.is_frozen => return Ok(()),
                        None => return Err(Halt::States),
                    }
                }
            };
            target = Some(state);
            let next = Pair { state, automaton: one.target, last };
            match self.pairs.number(&next, most(self.max_pairs, self.is_frozen)) {
                Some(number) => self.edges.push(Edge { target: number, marks: one.marks, step }),
                None if self.is_frozen => {}
                None => return Err(Halt::States),
            }
        }
        Ok(())
    }

    fn look_at_limits(&mut self, extra: usize) -> Result<(), Halt> {
        self.unchecked += 1 + self.edges.len().max(self.made.len());
        if self.unchecked < PACE {
            return Ok(());
        }
        self.unchecked = 0;
        self.budget.check().map_err(Halt::Stopped)?;
        self.budget.progress.set(self.states.len() as u64);
        let tables = self.states.bytes() + self.pairs.bytes() + self.lasts.bytes();
        let bytes = tables + self.system.bytes() + extra;
        match self.memory {
            Some(memory) if bytes > memory && !self.is_frozen => Err(Halt::Stopped(Stop::Memory)),
            _ => Ok(()),
        }
    }
}
