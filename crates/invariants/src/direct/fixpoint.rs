//! Configurations: what markings of subtrees show their context, from the leaves up, smallest first.
//!
//! A configuration of a symbol is a cell (places of its slots and error state, see [`frame`](super::frame))
//! with the set Q of elements (a learnt set with the number of its places marked) that could still refute the
//! marking. Q is a subset construction: it follows all learnt sets at once. A smaller Q is easier to make an
//! error of, so of two configurations of one cell the one with the larger Q is dropped, unless it
//! comes from a smaller tree. Configurations are settled in the order of their trees' size (Knuth's
//! generalisation of Dijkstra's algorithm), so the first failing one at the root is a smallest failing
//! instance.
//!
//! Lists of configurations are chained through the configurations: there may be a million cells with one
//! each.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use rustc_hash::FxHashMap;

use paramcheck_text::index::IndexVec;
use paramcheck_text::limits::{Budget, Stop};

use super::error::ErrorState;
use super::frame::{CellId, Frame, Leaf};
use super::grammar::{ProductionId, SymbolId};
use super::intern::Interner;
use super::place::PlaceId;
use super::sets::Sets;

/// A configuration of a symbol.
#[derive(Clone, Debug)]
pub(crate) struct Configuration {
    /// Places and error state.
    pub cell: CellId,
    /// The number of its Q.
    pub refuting: u32,
    /// Components of the smallest tree that shows it.
    pub size: u32,
    /// How it was made.
    pub origin: Origin,
    /// Settled, waiting, or dropped.
    status: Status,
    /// The next one, not dropped, of the same cell.
    next: Option<u32>,
    /// The next one of the same cell that joins were tried with.
    next_met: Option<u32>,
}

/// How a configuration was made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin {
    /// A component that started in the `initial`-th of its atom's initial states.
    Instance {
        /// Position in `InstanceAtom::initial`.
        initial: u32,
    },
    /// A guess for a borrowed component.
    Borrowed,
    /// A production applied to configurations of its parts.
    Joined {
        /// The production.
        production: ProductionId,
        /// Configuration of the left part.
        left: u32,
        /// Configuration of the right part, if there is one.
        right: u32,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Waiting,
    Settled,
    Dropped,
}

/// The configurations of one symbol.
struct SymbolState {
    refuting: Interner<u64>,
    configurations: Vec<Configuration>,
    /// Per cell, the first of its configurations that are not dropped, and of those met.
    first: Vec<(Option<u32>, Option<u32>)>,
}

impl SymbolState {
    fn at(&mut self, cell: CellId) -> &mut (Option<u32>, Option<u32>) {
        let cell = cell as usize;
        if self.first.len() <= cell {
            self.first.resize(cell + 1, (None, None));
        }
        &mut self.first[cell]
    }

    fn first_met(&self, cell: CellId) -> Option<u32> {
        self.first.get(cell as usize).and_then(|first| first.1)
    }

    fn refuting_of(&self, id: u32) -> &[u64] {
        self.refuting.get(self.configurations[id as usize].refuting)
    }
}

/// A configuration in the making.
#[derive(Clone, Copy)]
struct Joined {
    symbol: SymbolId,
    cell: CellId,
    refuting: u32,
    size: u32,
    origin: Origin,
}

/// Why a fixpoint was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// The run must end.
    Stopped(Stop),
    /// More joins than it may try for now.
    Effort,
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Halt::Stopped(stop)
    }
}

/// How many failing configurations of one size are collected before learning from them.
const BATCH: usize = 64;
/// How many failing configurations in all, beyond those of the smallest size.
const BATCHES: usize = 256;
/// How many combinations of elements are about as much work as a join.
const COMBINATIONS_PER_JOIN: u64 = 16;
/// How many joins make a run expensive.
const EXPENSIVE: u64 = 100_000;

/// A fixpoint computation: one question with the sets learnt so far.
pub(crate) struct Fixpoint<'f, 'a> {
    frame: &'f mut Frame<'a>,
    sets: &'f Sets<'f>,
    symbols: IndexVec<SymbolId, SymbolState>,
    /// Per production, what it makes of two Q.
    joins: IndexVec<ProductionId, FxHashMap<(u32, u32), u32>>,
    queue: BinaryHeap<Reverse<(u32, u64, SymbolId, u32)>>,
    created: u64,
    /// Joins tried, not yet taken off the effort.
    joined: u64,
    scratch: Vec<u64>,
    /// Failing configurations of the root, how many of each size, and the smallest size.
    failing: Vec<u32>,
    failing_of: FxHashMap<u32, usize>,
    failing_size: u32,
}

impl<'f, 'a> Fixpoint<'f, 'a> {
    /// Prepares the computation.
    pub(crate) fn new(frame: &'f mut Frame<'a>, sets: &'f Sets<'f>) -> Self {
        let symbols = sets.symbols.iter().map(|known| SymbolState {
            refuting: Interner::new(known.words()),
            configurations: vec![],
            first: vec![],
        });
        let joins = frame.grammar().productions.iter().map(|_| FxHashMap::default());
        let (symbols, joins) = (symbols.collect(), joins.collect());
        Fixpoint {
            frame,
            sets,
            symbols,
            joins,
            queue: BinaryHeap::new(),
            created: 0,
            joined: 0,
            scratch: vec![],
            failing: vec![],
            failing_of: FxHashMap::default(),
            failing_size: u32::MAX,
        }
    }

    /// Runs to the end, or until some configurations of the root fail. Of those returned, ordered by size,
    /// the first come from smallest failing instances; none: proved. An expensive run goes on for as long
    /// again after the first failure: what fails later may teach something too, and costs less than another
    /// run.
    ///
    /// # Errors
    /// [`Halt::Stopped`] when the budget ends, [`Halt::Effort`] after `effort` joins, which are taken off it.
    pub(super) fn run(&mut self, budget: &Budget, effort: &mut u64) -> Result<Vec<u32>, Halt> {
        let mut pause = Pause::default();
        for position in 0..self.frame.leaves().len() {
            pause.step(1, budget)?;
            let leaf = self.frame.leaves()[position];
            self.leaf(&leaf);
        }
        let (mut settled, mut done) = (0u64, 0u64);
        let mut first_failed = None;
        let mut made = Vec::new();
        while let Some(Reverse((size, _, symbol, id))) = self.queue.pop() {
            // Nothing of this size or below fails any more.
            if size > self.failing_size {
                let enough = *first_failed.get_or_insert(if done < EXPENSIVE { done } else { 2 * done });
                if done >= enough || self.failing.len() >= BATCHES {
                    break;
                }
            }
            let configuration = &mut self.symbols[symbol].configurations[id as usize];
            if configuration.status != Status::Waiting {
                continue;
            }
            configuration.status = Status::Settled;
            settled += 1;
            if settled.is_multiple_of(64) {
                budget.check()?;
                budget.progress.set(settled);
            }
            self.meet(symbol, id, &mut made, &mut pause, budget)?;
            let work = std::mem::take(&mut self.joined);
            done += work;
            *effort = effort.checked_sub(work).ok_or(Halt::Effort)?;
            for joined in made.drain(..) {
                let compared = self.insert(joined);
                pause.step(compared, budget)?;
            }
        }
        let mut failing = std::mem::take(&mut self.failing);
        failing.sort_by_key(|&id| self.configuration(self.frame.grammar().root, id).size);
        Ok(failing)
    }

    /// After a proof: the configurations it needs, per symbol, ascending. Those of the leaves, and for
    /// whatever needed ones join to, one that covers it (same cell, no larger Q). Others were
    /// made on the way from configurations that better ones replaced.
    pub(crate) fn needed(&mut self, budget: &Budget) -> Result<IndexVec<SymbolId, Vec<u32>>, Stop> {
        let mut needed: IndexVec<SymbolId, BTreeSet<u32>> =
            self.symbols.iter().map(|_| BTreeSet::new()).collect();
        let mut open: Vec<(SymbolId, u32)> = Vec::new();
        let grammar = self.frame.grammar();
        for (symbol, definition) in grammar.symbols.enumerate() {
            let state = &mut self.symbols[symbol];
            state.first.iter_mut().for_each(|first| first.1 = None);
            if definition.made_by.is_empty() {
                let kept = |id: &u32| state.configurations[*id as usize].status != Status::Dropped;
                let leaves = (0..state.configurations.len() as u32).filter(kept);
                needed[symbol].extend(leaves.clone());
                open.extend(leaves.map(|id| (symbol, id)));
            }
        }
        let mut pause = Pause::default();
        let mut made = Vec::new();
        while let Some((symbol, id)) = open.pop() {
            self.meet(symbol, id, &mut made, &mut pause, budget)?;
            for joined in made.drain(..) {
                if let Some(cover) = self.cover(&joined, &needed[joined.symbol])
                    && needed[joined.symbol].insert(cover)
                {
                    open.push((joined.symbol, cover));
                }
            }
        }
        Ok(needed.iter().map(|ids| ids.iter().copied().collect()).collect())
    }

    /// A configuration that covers `joined`: a needed one, or else one with the smallest Q.
    fn cover(&self, joined: &Joined, needed: &BTreeSet<u32>) -> Option<u32> {
        let state = &self.symbols[joined.symbol];
        let wanted = state.refuting.get(joined.refuting);
        let size = |id: u32| state.refuting_of(id).iter().map(|word| word.count_ones()).sum::<u32>();
        let mut best: Option<(u32, u32)> = None;
        let mut next = state.first.get(joined.cell as usize)?.0;
        while let Some(id) = next {
            next = state.configurations[id as usize].next;
            if !is_subset(state.refuting_of(id), wanted) {
                continue;
            }
            if needed.contains(&id) {
                return Some(id);
            }
            let candidate = (size(id), id);
            best = Some(best.map_or(candidate, |best| best.min(candidate)));
        }
        best.map(|(_, id)| id)
    }

    /// A configuration.
    pub(crate) fn configuration(&self, symbol: SymbolId, id: u32) -> &Configuration {
        &self.symbols[symbol].configurations[id as usize]
    }

    /// The places of a configuration's slots.
    pub(crate) fn places_of(&self, symbol: SymbolId, id: u32) -> &[PlaceId] {
        self.frame.places_of(symbol, self.configuration(symbol, id).cell)
    }

    /// The error state of a configuration.
    pub(crate) fn error_of(&self, symbol: SymbolId, id: u32) -> ErrorState {
        self.frame.error_of(symbol, self.configuration(symbol, id).cell)
    }

    /// The elements of a configuration's Q: learnt state and count.
    pub(crate) fn refuting_of(&self, symbol: SymbolId, id: u32) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.sets.symbols[symbol].elements_in(self.symbols[symbol].refuting_of(id))
    }

    /// Adds the configuration of a single component.
    fn leaf(&mut self, leaf: &Leaf) {
        let Leaf { symbol, place, start, cell } = *leaf;
        let (component, state) = self.frame.places().get(place);
        let start_state = start.map(|(start, _)| self.frame.places().get(start).1);
        let bits = self.sets.leaf_elements(symbol, component, start_state, state);
        let refuting = self.symbols[symbol].refuting.intern(&bits);
        let origin = start.map_or(Origin::Borrowed, |(_, initial)| Origin::Instance { initial });
        self.insert(Joined { symbol, cell, refuting, size: u32::from(start.is_some()), origin });
    }

    /// Adds a configuration unless another one makes it superfluous. Returns with how many it was compared,
    /// and one more.
    fn insert(&mut self, joined: Joined) -> u64 {
        let Joined { symbol, cell, refuting, size, origin } = joined;
        let mut configuration = Configuration {
            cell,
            refuting,
            size,
            origin,
            status: Status::Waiting,
            next: None,
            next_met: None,
        };
        if symbol == self.frame.grammar().root && self.fails(cell, refuting) {
            // Collected before others make it superfluous: each may teach something else.
            self.record_failing(Configuration { status: Status::Settled, ..configuration.clone() });
        }
        let state = &mut self.symbols[symbol];
        let first = state.at(cell).0;
        let mine = state.refuting.get(refuting);
        let mut next = first;
        let mut compared = 1;
        while let Some(other) = next {
            compared += 1;
            let other = &state.configurations[other as usize];
            if other.size <= size && is_subset(state.refuting.get(other.refuting), mine) {
                return compared;
            }
            next = other.next;
        }
        let (mut first, mut before) = (first, None::<u32>);
        let mut next = first;
        while let Some(id) = next {
            let other = &mut state.configurations[id as usize];
            next = other.next;
            let is_beaten = other.status == Status::Waiting
                && size <= other.size
                && is_subset(mine, state.refuting.get(other.refuting));
            if !is_beaten {
                before = Some(id);
                continue;
            }
            other.status = Status::Dropped;
            match before {
                Some(before) => state.configurations[before as usize].next = next,
                None => first = next,
            }
        }
        let id = state.configurations.len() as u32;
        configuration.next = first;
        state.configurations.push(configuration);
        state.at(cell).0 = Some(id);
        self.created += 1;
        self.queue.push(Reverse((size, self.created, symbol, id)));
        compared
    }

    /// Puts into `made` what a configuration makes with all those met before, and with itself; it is met from
    /// now on. The budget is looked at as the work goes on.
    fn meet(
        &mut self,
        symbol: SymbolId,
        id: u32,
        made: &mut Vec<Joined>,
        pause: &mut Pause,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let grammar = self.frame.grammar();
        let definition = &grammar.symbols[symbol];
        let cell = self.configuration(symbol, id).cell;
        for (position, &production) in definition.as_left.iter().enumerate() {
            let Some(right) = grammar.productions[production].right else {
                self.joined += 1;
                if let Some(result) = self.frame.join(production, cell, 0) {
                    made.push(self.combine(production, result, id, None));
                }
                continue;
            };
            let key = self.frame.key(symbol, cell, position);
            for index in 0.. {
                let Some(&partner) = self.frame.partners(production, 1, key).get(index) else { break };
                pause.step(1, budget)?;
                let mut next = self.symbols[right].first_met(partner);
                if next.is_none() {
                    continue;
                }
                let Some(result) = self.frame.join(production, cell, partner) else {
                    self.joined += 1;
                    continue;
                };
                while let Some(other) = next {
                    let before = self.joined;
                    self.joined += 1;
                    made.push(self.combine(production, result, id, Some(other)));
                    pause.step(self.joined - before, budget)?;
                    next = self.configuration(right, other).next_met;
                }
            }
        }
        // A symbol joined with itself comes twice: as a left part it met no right one, now itself.
        let state = &mut self.symbols[symbol];
        let before = state.at(cell).1.replace(id);
        state.configurations[id as usize].next_met = before;
        for (position, &production) in definition.as_right.iter().enumerate() {
            let left = grammar.productions[production].left;
            let key = self.frame.key(symbol, cell, definition.as_left.len() + position);
            for index in 0.. {
                let Some(&partner) = self.frame.partners(production, 0, key).get(index) else { break };
                pause.step(1, budget)?;
                let mut next = self.symbols[left].first_met(partner);
                if next.is_none() {
                    continue;
                }
                let Some(result) = self.frame.join(production, partner, cell) else {
                    self.joined += 1;
                    continue;
                };
                while let Some(other) = next {
                    let before = self.joined;
                    self.joined += 1;
                    made.push(self.combine(production, result, other, Some(id)));
                    pause.step(self.joined - before, budget)?;
                    next = self.configuration(left, other).next_met;
                }
            }
        }
        Ok(())
    }

    /// The configuration of cell `cell` that a production makes of two.
    fn combine(&mut self, id: ProductionId, cell: CellId, left: u32, right: Option<u32>) -> Joined {
        let production = &self.frame.grammar().productions[id];
        let x = self.configuration(production.left, left);
        let (mut size, left_refuting) = (x.size, x.refuting);
        let mut right_refuting = None;
        if let (Some(symbol), Some(right)) = (production.right, right) {
            let y = self.configuration(symbol, right);
            size += y.size;
            right_refuting = Some((symbol, y.refuting));
        }
        let key = (left_refuting, right_refuting.map_or(0, |(_, refuting)| refuting));
        let refuting = match self.joins[id].get(&key) {
            Some(&refuting) => refuting,
            None => {
                let left = self.symbols[production.left].refuting.get(left_refuting);
                let right = right_refuting.map(|(symbol, right)| self.symbols[symbol].refuting.get(right));
                let combined = self.sets.join_elements(id, left, right, &mut self.scratch) as u64;
                self.joined += combined / COMBINATIONS_PER_JOIN;
                let refuting = self.symbols[production.result].refuting.intern(&self.scratch);
                self.joins[id].insert(key, refuting);
                refuting
            }
        };
        let origin = Origin::Joined { production: id, left, right: right.unwrap_or(0) };
        Joined { symbol: production.result, cell, refuting, size, origin }
    }

    /// Whether a marking of a whole instance is an error that no set refutes.
    fn fails(&self, cell: CellId, refuting: u32) -> bool {
        self.frame.is_error(cell)
            && !self.sets.refutes(self.symbols[self.frame.grammar().root].refuting.get(refuting))
    }

    fn record_failing(&mut self, configuration: Configuration) {
        let size = configuration.size;
        if size < self.failing_size {
            self.failing_size = size;
        }
        let same = self.failing_of.entry(size).or_default();
        if *same < BATCH && (size == self.failing_size || self.failing.len() < BATCHES) {
            *same += 1;
            let configurations = &mut self.symbols[self.frame.grammar().root].configurations;
            self.failing.push(configurations.len() as u32);
            configurations.push(configuration);
        }
    }
}

/// How much work is done between two looks at the budget: milliseconds.
const WORK_PER_CHECK: u64 = 1024;

/// Looks at the budget now and then.
#[derive(Default)]
struct Pause(u64);

impl Pause {
    /// After some work, counted in joins or what takes no longer.
    fn step(&mut self, work: u64, budget: &Budget) -> Result<(), Stop> {
        self.0 += work;
        if self.0 < WORK_PER_CHECK {
            return Ok(());
        }
        self.0 = 0;
        budget.check()
    }
}

fn is_subset(small: &[u64], large: &[u64]) -> bool {
    small.iter().zip(large).all(|(&s, &l)| s & !l == 0)
}
