//! Configurations: what markings of subtrees show their context, from the leaves up, smallest first.
//!
//! A configuration of a symbol holds the places of its slots, the error state, and the set Q of
//! elements (a learnt set with the number of its places marked) that could still refute the marking.
//! Q is a subset construction: it follows all learnt sets at once. A smaller Q is easier to make an
//! error of, so of two configurations with the same places and error the one with the larger Q is
//! dropped, unless it comes from a smaller tree. Configurations are settled in the order of
//! their trees' size (Knuth's generalisation of Dijkstra's algorithm), so the first failing one at
//! the root is a smallest failing instance.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use rustc_hash::FxHashMap;

use crate::model::rule::Parameter;
use crate::model::system::System;
use crate::support::index::IndexVec;
use crate::support::limits::{Budget, Stop};

use super::dead::{Combination, DeadInteractions};
use super::error::{ErrorAutomaton, ErrorStateId, Group};
use super::exclusive::Exclusive;
use super::grammar::{Grammar, Production, ProductionId, SlotInteraction, SymbolId, SymbolKind};
use super::place::{PlaceId, Places};
use super::sets::Sets;

/// A configuration of a symbol.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// Interned places of the slots.
    pub places: u32,
    /// The error state.
    pub error: ErrorStateId,
    /// Interned Q.
    pub refuting: u32,
    /// Components of the smallest tree that shows it.
    pub size: u32,
    /// How it was made.
    pub origin: Origin,
    /// Settled, waiting, or dropped.
    status: Status,
}

/// How a configuration was made.
#[derive(Clone, Copy, Debug)]
pub enum Origin {
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

/// Interned vectors.
#[derive(Clone, Debug)]
struct Interner<T> {
    ids: FxHashMap<Box<[T]>, u32>,
    list: Vec<Box<[T]>>,
}

impl<T: Clone + Eq + std::hash::Hash> Interner<T> {
    fn new() -> Self {
        Interner { ids: FxHashMap::default(), list: vec![] }
    }

    fn intern(&mut self, items: &[T]) -> u32 {
        if let Some(&id) = self.ids.get(items) {
            return id;
        }
        let id = self.list.len() as u32;
        let boxed: Box<[T]> = items.into();
        self.list.push(boxed.clone());
        self.ids.insert(boxed, id);
        id
    }

    fn get(&self, id: u32) -> &[T] {
        &self.list[id as usize]
    }
}

/// The configurations of one symbol.
struct SymbolState {
    places: Interner<PlaceId>,
    refuting: Interner<u64>,
    configurations: Vec<Configuration>,
    /// Configurations, not dropped, by places and error.
    groups: FxHashMap<(u32, ErrorStateId), Vec<u32>>,
}

/// What joining two parts with certain places gives.
#[derive(Clone, Copy)]
enum Joint {
    /// No reachable marking looks so, or none is needed.
    Blocked,
    /// The result's places, whether an interaction is enabled, which patterns occur.
    Fits { places: u32, live: bool, patterns: u64 },
}

/// Two configurations and the production that joins them.
#[derive(Clone, Copy)]
struct Meeting {
    production: ProductionId,
    left: u32,
    right: Option<u32>,
}

/// A configuration in the making.
#[derive(Clone, Copy)]
struct Joined {
    symbol: SymbolId,
    places: u32,
    error: ErrorStateId,
    refuting: u32,
    size: u32,
}

/// Memos and indices of one production.
struct ProductionState {
    joints: FxHashMap<(u32, u32), Joint>,
    refuting: FxHashMap<(u32, u32), u32>,
    /// What must agree between left and right parts, numbered.
    keys: Interner<PlaceId>,
    /// Per key, the left and the right parts met.
    met: Vec<(Vec<u32>, Vec<u32>)>,
}

impl ProductionState {
    fn at(&mut self, key: u32) -> (&mut Vec<u32>, &mut Vec<u32>) {
        let key = key as usize;
        if self.met.len() <= key {
            self.met.resize(key + 1, (vec![], vec![]));
        }
        let (left, right) = &mut self.met[key];
        (left, right)
    }
}

/// Why a fixpoint was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
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
/// How many joins make a run dear.
const DEAR: u64 = 100_000;

/// The interaction that is asked to be dead.
pub struct Suspect {
    /// The interaction.
    pub rule: crate::model::rule::RuleId,
    /// Which of the rule's.
    pub interaction: crate::model::rule::InteractionId,
    /// In which combination.
    pub combination: Combination,
}

/// A fixpoint computation: one question with the sets learnt so far.
pub struct Fixpoint<'a> {
    system: &'a System,
    places: &'a Places,
    grammar: &'a Grammar,
    sets: &'a Sets<'a>,
    dead: &'a DeadInteractions,
    exclusive: &'a Exclusive,
    suspect: Option<&'a Suspect>,
    error: &'a mut ErrorAutomaton,
    symbols: IndexVec<SymbolId, SymbolState>,
    productions: IndexVec<ProductionId, ProductionState>,
    queue: BinaryHeap<Reverse<(u32, u64, SymbolId, u32)>>,
    created: u64,
    /// Work done in joining elements, not yet taken off the effort.
    work: u64,
    scratch: Vec<u64>,
    bound: Vec<PlaceId>,
    output: Vec<PlaceId>,
    /// Failing configurations of the root, how many of each size, and the smallest size.
    failing: Vec<u32>,
    failing_of: FxHashMap<u32, usize>,
    failing_size: u32,
}

impl<'a> Fixpoint<'a> {
    /// Prepares the computation.
    pub fn new(
        system: &'a System,
        places: &'a Places,
        grammar: &'a Grammar,
        sets: &'a Sets<'a>,
        (dead, exclusive): (&'a DeadInteractions, &'a Exclusive),
        suspect: Option<&'a Suspect>,
        error: &'a mut ErrorAutomaton,
    ) -> Self {
        let symbols = sets
            .symbols
            .iter()
            .map(|_| SymbolState {
                places: Interner::new(),
                refuting: Interner::new(),
                configurations: vec![],
                groups: FxHashMap::default(),
            })
            .collect();
        let productions = grammar
            .productions
            .iter()
            .map(|_| ProductionState {
                joints: FxHashMap::default(),
                refuting: FxHashMap::default(),
                keys: Interner::new(),
                met: vec![],
            })
            .collect();
        Fixpoint {
            system,
            places,
            grammar,
            sets,
            dead,
            exclusive,
            suspect,
            error,
            symbols,
            productions,
            queue: BinaryHeap::new(),
            created: 0,
            work: 0,
            scratch: vec![],
            bound: vec![],
            output: vec![],
            failing: vec![],
            failing_of: FxHashMap::default(),
            failing_size: u32::MAX,
        }
    }

    /// Runs to the end, or until some configurations of the root fail. Of those returned, ordered by size, the
    /// first come from smallest failing instances; none: proved. A run that was dear goes on for as long
    /// again after the first failure: what fails later may teach something too, and costs less than
    /// another run.
    ///
    /// # Errors
    /// [`Halt::Stopped`] when the budget ends, [`Halt::Effort`] after `effort` joins, which are taken off it.
    pub fn run(&mut self, budget: &Budget, effort: &mut u64) -> Result<Vec<u32>, Halt> {
        self.seed();
        let (mut settled, mut steps, mut done) = (0u64, 0u32, 0u64);
        let mut first_failed = None;
        while let Some(Reverse((size, _, symbol, id))) = self.queue.pop() {
            // Nothing of this size or below fails any more.
            if size > self.failing_size {
                let enough = *first_failed.get_or_insert(if done < DEAR { done } else { 2 * done });
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
            let meetings = self.meetings(symbol, id);
            let work = meetings.len() as u64 + std::mem::take(&mut self.work);
            done += work;
            *effort = effort.checked_sub(work).ok_or(Halt::Effort)?;
            for meeting in meetings {
                pause(&mut steps, budget)?;
                if let Some(joined) = self.join(meeting) {
                    let Meeting { production, left, right } = meeting;
                    let origin = Origin::Joined { production, left, right: right.unwrap_or(0) };
                    self.insert(joined, origin);
                }
            }
        }
        let mut failing = std::mem::take(&mut self.failing);
        failing.sort_by_key(|&id| self.configuration(self.grammar.root, id).size);
        Ok(failing)
    }

    /// After a proof: the configurations it needs, per symbol, ascending. Those of the leaves, and for
    /// whatever needed ones join to, one that covers it (same places and error, no larger Q). Others were
    /// made on the way from configurations that better ones replaced.
    pub fn needed(&mut self, budget: &Budget) -> Result<IndexVec<SymbolId, Vec<u32>>, Stop> {
        for production in self.productions.iter_mut() {
            production.met.clear();
        }
        let mut needed: IndexVec<SymbolId, BTreeSet<u32>> =
            self.symbols.iter().map(|_| BTreeSet::new()).collect();
        let mut open: Vec<(SymbolId, u32)> = Vec::new();
        for (symbol, state) in self.symbols.enumerate() {
            if self.grammar.symbols[symbol].made_by.is_empty() {
                let mut leaves: Vec<u32> = state.groups.values().flatten().copied().collect();
                leaves.sort_unstable();
                needed[symbol].extend(leaves.iter().copied());
                open.extend(leaves.into_iter().map(|id| (symbol, id)));
            }
        }
        let mut steps = 0u32;
        while let Some((symbol, id)) = open.pop() {
            for meeting in self.meetings(symbol, id) {
                pause(&mut steps, budget)?;
                let Some(joined) = self.join(meeting) else { continue };
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
        let refuting = |id: u32| state.refuting.get(state.configurations[id as usize].refuting);
        let wanted = state.refuting.get(joined.refuting);
        let group = state.groups.get(&(joined.places, joined.error))?;
        let covers: Vec<u32> = group.iter().copied().filter(|&id| is_subset(refuting(id), wanted)).collect();
        let size = |id: &u32| refuting(*id).iter().map(|word| word.count_ones()).sum::<u32>();
        covers
            .iter()
            .copied()
            .find(|id| needed.contains(id))
            .or_else(|| covers.iter().copied().min_by_key(size))
    }

    /// A configuration.
    pub fn configuration(&self, symbol: SymbolId, id: u32) -> &Configuration {
        &self.symbols[symbol].configurations[id as usize]
    }

    /// The places of a configuration's slots.
    pub fn places_of(&self, symbol: SymbolId, id: u32) -> &[PlaceId] {
        let state = &self.symbols[symbol];
        state.places.get(state.configurations[id as usize].places)
    }

    /// The elements of a configuration's Q: learnt state and count.
    pub fn refuting_of(&self, symbol: SymbolId, id: u32) -> Vec<(usize, usize)> {
        let state = &self.symbols[symbol];
        let bits = state.refuting.get(state.configurations[id as usize].refuting);
        self.sets.symbols[symbol].elements_in(bits).collect()
    }

    /// The error states.
    pub fn error(&self) -> &ErrorAutomaton {
        self.error
    }

    fn seed(&mut self) {
        for symbol in self.grammar.symbols.indices() {
            match self.grammar.symbols[symbol].kind {
                SymbolKind::Instance { rule, atom, .. } => {
                    let Some(instance) = self.system.rules[rule].instance_atoms().nth(atom) else { continue };
                    for (position, &initial) in instance.initial.iter().enumerate() {
                        for state in self.system.types[instance.component].states.indices() {
                            let error = self.error.component(self.system, instance.component, state);
                            let start = self.places.id(instance.component, initial);
                            let place = self.places.id(instance.component, state);
                            let origin = Origin::Instance { initial: position as u32 };
                            self.leaf(symbol, place, Some(start), error, origin);
                        }
                    }
                }
                SymbolKind::Borrowed { rule, variable } => {
                    for &component in &self.system.rules[rule].variables[variable].types {
                        for state in self.system.types[component].states.indices() {
                            let error = self.error.nothing();
                            self.leaf(
                                symbol,
                                self.places.id(component, state),
                                None,
                                error,
                                Origin::Borrowed,
                            );
                        }
                    }
                }
                SymbolKind::Predicate(_) | SymbolKind::Prefix => {}
            }
        }
    }

    /// Adds the configuration of a single component at `place`, started at `start` (borrowed: nowhere).
    fn leaf(
        &mut self,
        symbol: SymbolId,
        place: PlaceId,
        start: Option<PlaceId>,
        error: ErrorStateId,
        origin: Origin,
    ) {
        if self.error.is_hopeless(error) {
            return;
        }
        let (component, state) = self.places.get(place);
        let start_state = start.map(|start| self.places.get(start).1);
        let bits = self.sets.leaf_elements(symbol, component, start_state, state);
        let here = &mut self.symbols[symbol];
        let places = here.places.intern(&[place]);
        let refuting = here.refuting.intern(&bits);
        self.insert(Joined { symbol, places, error, refuting, size: u32::from(start.is_some()) }, origin);
    }

    /// Adds a configuration unless another one makes it superfluous.
    fn insert(&mut self, joined: Joined, origin: Origin) {
        let Joined { symbol, places, error, refuting, size } = joined;
        if symbol == self.grammar.root && self.fails(error, refuting) {
            // Collected before others make it superfluous: each may teach something else.
            self.record_failing(Configuration {
                places,
                error,
                refuting,
                size,
                origin,
                status: Status::Settled,
            });
        }
        let state = &mut self.symbols[symbol];
        let group = state.groups.entry((places, error)).or_default();
        let mine = &state.refuting.list[refuting as usize];
        for &other in group.iter() {
            let configuration = &state.configurations[other as usize];
            if configuration.size <= size
                && is_subset(&state.refuting.list[configuration.refuting as usize], mine)
            {
                return;
            }
        }
        let configurations = &mut state.configurations;
        let interned = &state.refuting.list;
        group.retain(|&other| {
            let configuration = &mut configurations[other as usize];
            let beaten = configuration.status == Status::Waiting
                && size <= configuration.size
                && is_subset(mine, &interned[configuration.refuting as usize]);
            if beaten {
                configuration.status = Status::Dropped;
            }
            !beaten
        });
        let id = configurations.len() as u32;
        group.push(id);
        configurations.push(Configuration { places, error, refuting, size, origin, status: Status::Waiting });
        self.created += 1;
        self.queue.push(Reverse((size, self.created, symbol, id)));
    }

    /// All pairs that a configuration makes with those met before, and with itself; it is known from now on.
    fn meetings(&mut self, symbol: SymbolId, id: u32) -> Vec<Meeting> {
        let grammar = self.grammar;
        let mut meetings = Vec::new();
        for &production in &grammar.symbols[symbol].as_left {
            if grammar.productions[production].right.is_none() {
                meetings.push(Meeting { production, left: id, right: None });
                continue;
            }
            let key = self.shared_key(production, symbol, id, true);
            let (lefts, rights) = self.productions[production].at(key);
            meetings.extend(rights.iter().map(|&right| Meeting { production, left: id, right: Some(right) }));
            lefts.push(id);
        }
        for &production in &grammar.symbols[symbol].as_right {
            let key = self.shared_key(production, symbol, id, false);
            let (lefts, rights) = self.productions[production].at(key);
            // A symbol joined with itself comes twice: as a left part it met no right one, now itself.
            meetings.extend(lefts.iter().map(|&left| Meeting { production, left, right: Some(id) }));
            rights.push(id);
        }
        meetings
    }

    /// The number of what must agree between a configuration and its partners.
    fn shared_key(&mut self, production: ProductionId, symbol: SymbolId, id: u32, left: bool) -> u32 {
        let shared = &self.grammar.productions[production].shared;
        let places = self.symbols[symbol].places.get(self.configuration(symbol, id).places);
        let mut key = std::mem::take(&mut self.output);
        key.clear();
        key.extend(shared.iter().map(|&(l, r)| places[if left { l } else { r }]));
        let number = self.productions[production].keys.intern(&key);
        self.output = key;
        number
    }

    /// What two configurations make by a production, unless no reachable marking or no error looks so.
    fn join(&mut self, meeting: Meeting) -> Option<Joined> {
        let Meeting { production: id, left, right } = meeting;
        let production = &self.grammar.productions[id];
        let x = self.configuration(production.left, left);
        let (mut error, mut size) = (x.error, x.size);
        let (left_places, left_refuting) = (x.places, x.refuting);
        let (mut right_places, mut right_refuting) = (0, 0);
        if let (Some(symbol), Some(right)) = (production.right, right) {
            let y = self.configuration(symbol, right);
            (right_places, right_refuting) = (y.places, y.refuting);
            size += y.size;
            let other = y.error;
            error = self.error.sum(error, other);
        }
        if self.error.is_hopeless(error) {
            return None;
        }
        let joint = match self.productions[id].joints.get(&(left_places, right_places)) {
            Some(&joint) => joint,
            None => {
                let joint = self.joint(id, left_places, right_places);
                self.productions[id].joints.insert((left_places, right_places), joint);
                joint
            }
        };
        let Joint::Fits { places, live, patterns } = joint else { return None };
        let error = self.error.mark(error, live, patterns);
        if self.error.is_hopeless(error) {
            return None;
        }
        let key = (left_refuting, right_refuting);
        let refuting = match self.productions[id].refuting.get(&key) {
            Some(&refuting) => refuting,
            None => {
                let refuting = self.combine_refuting(id, left_refuting, right.map(|_| right_refuting));
                self.productions[id].refuting.insert(key, refuting);
                refuting
            }
        };
        Some(Joined { symbol: production.result, places, error, refuting, size })
    }

    /// Looks at the interactions and patterns of a production between two parts' places.
    fn joint(&mut self, id: ProductionId, left: u32, right: u32) -> Joint {
        let production = &self.grammar.productions[id];
        let mut bound = std::mem::take(&mut self.bound);
        bound.clear();
        bound.extend(self.symbols[production.left].places.get(left));
        if let Some(symbol) = production.right {
            bound.extend(self.symbols[symbol].places.get(right));
        }
        let joint = if self.exclusive.forbids(id, &bound) {
            Joint::Blocked
        } else {
            self.joint_of(production, &bound)
        };
        self.bound = bound;
        joint
    }

    fn joint_of(&mut self, production: &Production, bound: &[PlaceId]) -> Joint {
        let (mut live, mut patterns) = (false, 0u64);
        for interaction in &production.interactions {
            if !interaction.participants.iter().all(|&(port, slot)| self.places.offers(bound[slot], port)) {
                continue;
            }
            live = true;
            if let Some(dead) = self.dead.of(production.rule, interaction.id)
                && dead.iter().any(|combination| self.is_marked(interaction, combination, bound))
            {
                return Joint::Blocked;
            }
        }
        for (bit, group) in self.error.groups().iter().enumerate() {
            let occurs = match *group {
                Group::System(group) => production.patterns.iter().any(|pattern| {
                    pattern.group == group
                        && pattern
                            .conditions
                            .iter()
                            .all(|(slot, matching)| matching.binary_search(&bound[*slot]).is_ok())
                }),
                Group::Suspect => self.suspect.is_some_and(|suspect| {
                    suspect.rule == production.rule
                        && production.interactions.iter().any(|interaction| {
                            interaction.id == suspect.interaction
                                && self.is_marked(interaction, &suspect.combination, bound)
                        })
                }),
            };
            patterns |= u64::from(occurs) << bit;
        }
        let mut output = std::mem::take(&mut self.output);
        output.clear();
        output.extend(production.output.iter().map(|&slot| bound[slot]));
        // A borrower below may have guessed a type that this predicate's callers never pass.
        if let SymbolKind::Predicate(predicate) = self.grammar.symbols[production.result].kind {
            let parameters = &self.system.predicates[predicate].parameters;
            let fits = |(place, parameter): (&PlaceId, &Parameter)| {
                parameter.types.binary_search(&self.places.get(*place).0).is_ok()
            };
            if !output.iter().zip(parameters).all(fits) {
                return Joint::Blocked;
            }
        }
        let places = self.symbols[production.result].places.intern(&output);
        self.output = output;
        Joint::Fits { places, live, patterns }
    }

    /// Whether the pre-places of an interaction's combination are all marked.
    fn is_marked(&self, interaction: &SlotInteraction, combination: &Combination, bound: &[PlaceId]) -> bool {
        interaction.participants.iter().zip(combination).all(|(&(_, slot), &(component, transition))| {
            let from = self.system.types[component].transitions[transition].from;
            bound[slot] == self.places.id(component, from)
        })
    }

    fn combine_refuting(&mut self, id: ProductionId, left: u32, right: Option<u32>) -> u32 {
        let production = &self.grammar.productions[id];
        let left = self.symbols[production.left].refuting.get(left);
        let right =
            production.right.zip(right).map(|(symbol, right)| self.symbols[symbol].refuting.get(right));
        let mut bits = std::mem::take(&mut self.scratch);
        self.work += self.sets.join_elements(id, left, right, &mut bits) as u64 / COMBINATIONS_PER_JOIN;
        let interned = self.symbols[production.result].refuting.intern(&bits);
        self.scratch = bits;
        interned
    }

    /// Whether a marking of a whole instance is an error that no set refutes.
    fn fails(&self, error: ErrorStateId, refuting: u32) -> bool {
        self.error.is_error(error)
            && !self.sets.refutes(self.symbols[self.grammar.root].refuting.get(refuting))
    }

    fn record_failing(&mut self, configuration: Configuration) {
        let size = configuration.size;
        if size < self.failing_size {
            self.failing_size = size;
        }
        let same = self.failing_of.entry(size).or_default();
        if *same < BATCH && (size == self.failing_size || self.failing.len() < BATCHES) {
            *same += 1;
            let configurations = &mut self.symbols[self.grammar.root].configurations;
            self.failing.push(configurations.len() as u32);
            configurations.push(configuration);
        }
    }
}

/// Looks at the budget now and then.
fn pause(steps: &mut u32, budget: &Budget) -> Result<(), Stop> {
    *steps += 1;
    if steps.is_multiple_of(1024) { budget.check() } else { Ok(()) }
}

fn is_subset(small: &[u64], large: &[u64]) -> bool {
    small.iter().zip(large).all(|(&s, &l)| s & !l == 0)
}
