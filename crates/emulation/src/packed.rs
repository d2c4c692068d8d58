//! Structures for the explicit-state engine: counters as bit fields, steps as numbered actions.
//!
//! A [`Rule`] is a triple without data: which locations its counters may be at, and where they are put. Joins
//! that a step may enable are known beforehand, and taken at once. The packed states are those of the
//! structure, one to one. An action's number is that of a rule; [`Packed::triple`] gives its triple. What
//! must never be is prepared in [`violation`]: a condition on the last step is evaluated at the state before
//! it, so states need not remember it.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use paramcheck_nets::explore::pack::{Condition as Cube, Cubes, FieldId, Layout, Value};
use paramcheck_nets::explore::system::{State, TransitionSystem};
use paramcheck_process::model::LabelId;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::{Budget, Stop};

use super::evolution::{self, Evolution};
use super::triple::{CounterId, LocationId, OfferId, Structure, Triple, TripleId};

mod violation;

pub use violation::Violation;

/// Structures with more rules are not packed: the tables of their conditions would be too large. (Rules are
/// made of a triple for each combination of locations that its larger counters may be at.)
const MAX_RULES: usize = 1 << 16;

/// The condition on a counter with more locations names one of them at a time. (As many bits as a chunk of
/// `Cubes` has.)
const MAX_LOCATIONS: usize = 1 << 6;

/// What is put where: word, bits there, their value.
type Assignment = (usize, u64, u64);

/// A step or a join.
#[derive(Debug)]
struct Rule {
    triple: TripleId,
    label: LabelId,
    /// What is put where; one per word.
    assignments: Vec<Assignment>,
    /// The joins that may be enabled afterwards, in an order in which none enables one before it.
    joins: Vec<usize>,
}

/// A join, tested by itself.
#[derive(Debug)]
struct Join {
    wanted: Cube,
    assignments: Vec<Assignment>,
}

/// A structure without variables, prepared to be explored.
#[derive(Debug)]
pub struct Packed<'a> {
    structure: &'a Structure,
    layout: Layout,
    rules: Vec<Rule>,
    enabled: Cubes,
    joins: Vec<Join>,
}

impl<'a> Packed<'a> {
    /// Packs a structure. `None` if it has variables, or if the locations of its counters would make
    /// too many rules: then [`states`](super::states) explores it.
    ///
    /// # Errors
    /// The budget ended before it was prepared.
    pub fn new(structure: &'a Structure, budget: &Budget) -> Result<Option<Packed<'a>>, Stop> {
        if !structure.variables.is_empty() {
            return Ok(None);
        }
        let layout = Layout::of_counts(structure.counters.iter().map(|counter| counter.locations.len()));
        let mut packed =
            Packed { structure, layout, rules: Vec::new(), enabled: Cubes::default(), joins: Vec::new() };
        let mut pace = budget.pace();
        let holders = holders(structure, &mut pace)?;
        let silent: Vec<&Triple> = structure.silent().map(|(_, triple)| triple).collect();
        for triple in &silent {
            pace()?;
            let wanted = wanted(&holders, triple);
            packed.joins.push(Join { wanted, assignments: packed.assignments(triple) });
        }
        let mut linked = Linked::new(structure, silent);
        let mut cubes = Vec::new();
        for (id, triple) in structure.steps() {
            let Some(label) = triple.label() else { continue };
            let assignments = packed.assignments(triple);
            let joins = linked.enabled_by(triple, &mut pace)?;
            let Some(own) = split(structure, wanted(&holders, triple)) else { return Ok(None) };
            for cube in own {
                pace()?;
                cubes.push(cube);
                packed.rules.push(Rule {
                    triple: id,
                    label,
                    assignments: assignments.clone(),
                    joins: joins.clone(),
                });
            }
            if packed.rules.len() > MAX_RULES {
                return Ok(None);
            }
        }
        let Some(enabled) = Cubes::new(&packed.layout, &cubes, budget)? else { return Ok(None) };
        packed.enabled = enabled;
        Ok(Some(packed))
    }

    /// The words that a state takes.
    pub fn words(&self) -> usize {
        self.layout.words()
    }

    /// The triple of an action.
    pub fn triple(&self, action: u32) -> Option<TripleId> {
        self.rules.get(action as usize).map(|rule| rule.triple)
    }

    /// A state as the structure's.
    pub fn unpack<S: State>(&self, packed: &S) -> evolution::State {
        let mut state = evolution::State::default();
        self.unpack_into(packed, &mut state);
        state
    }

    /// The same, in the memory of `state`.
    pub fn unpack_into<S: State>(&self, packed: &S, state: &mut evolution::State) {
        let location = |counter| self.layout.get(packed, FieldId::new(counter)).index();
        state.values.clear();
        state.counters.clear();
        state.counters.extend((0..self.structure.counters.len()).map(|at| LocationId::new(location(at))));
    }

    /// Whether a packed state is read as this one.
    pub fn stands_for<S: State>(&self, packed: &S, state: &evolution::State) -> bool {
        let location = |counter| self.layout.get(packed, FieldId::new(counter)).index();
        state.values.is_empty()
            && state.counters.len() == self.structure.counters.len()
            && state.counters.iter().enumerate().all(|(counter, at)| location(counter) == at.index())
    }

    /// Whether every agent has terminated.
    pub fn is_terminated<S: State>(&self, state: &S) -> bool {
        self.structure.agents.iter().all(|agent| {
            let here = self.layout.get(state, component(agent.counter));
            let counter = &self.structure.counters[agent.counter];
            counter.locations.get(LocationId::new(here.index())).is_some_and(|location| location.is_final)
        })
    }

    /// Puts counters where a triple puts them.
    fn assignments(&self, triple: &Triple) -> Vec<Assignment> {
        let mut by_word: Vec<Assignment> = Vec::new();
        for (counter, location) in &triple.exit {
            let (word, mask, value) =
                self.layout.assignment(component(*counter), Value::new(location.index()));
            // Words come in the order of components.
            match by_word.last_mut() {
                Some((own, own_mask, own_value)) if *own == word => {
                    *own_mask |= mask;
                    *own_value |= value;
                }
                _ => by_word.push((word, mask, value)),
            }
        }
        by_word
    }

    /// Whether a join is enabled.
    fn is_enabled<S: State>(&self, state: &S, join: &Join) -> bool {
        join.wanted
            .iter()
            .all(|(component, states)| states.binary_search(&self.layout.get(state, *component)).is_ok())
    }

    /// The state after a rule that is enabled, joins taken.
    #[inline]
    fn after<S: State>(&self, state: &S, rule: &Rule) -> S {
        let mut next = state.clone();
        assign(&mut next, &rule.assignments);
        for join in &rule.joins {
            let join = &self.joins[*join];
            if self.is_enabled(&next, join) {
                assign(&mut next, &join.assignments);
            }
        }
        next
    }

    /// The rules of a group that are enabled.
    #[inline]
    fn enabled_in<S: State>(&self, group: usize, state: &S) -> impl Iterator<Item = usize> + use<S> {
        ones(self.enabled.holding_in(group, state)).map(move |bit| group * GROUP + bit)
    }

    /// A state of the structure, packed.
    pub fn pack<S: State>(&self, state: &evolution::State) -> S {
        let mut result = S::zero(self.words());
        for (counter, location) in state.counters.iter().enumerate() {
            self.layout.set(&mut result, FieldId::new(counter), Value::new(location.index()));
        }
        result
    }
}

/// The rules of a group: one bit of a word each.
const GROUP: usize = 64;

/// The positions of the bits that are 1, ascending.
#[inline]
fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(bit)
    })
}

/// A [`Packed`] structure with states of a type.
#[derive(Debug)]
pub struct PackedSystem<'a, S> {
    packed: &'a Packed<'a>,
    state: std::marker::PhantomData<fn() -> S>,
}

impl<'a, S: State> PackedSystem<'a, S> {
    /// With states of at least [`words`](Packed::words) words.
    pub fn new(packed: &'a Packed<'a>) -> Self {
        PackedSystem { packed, state: std::marker::PhantomData }
    }
}

impl<S: State> TransitionSystem for PackedSystem<'_, S> {
    type State = S;
    /// The successors of a state, with their labels.
    type Scratch = Vec<(LabelId, S)>;

    fn initial(&self) -> Vec<S> {
        let initial = Evolution::new(self.packed.structure).initial();
        initial.iter().map(|state| self.packed.pack(state)).collect()
    }

    #[inline]
    fn successors(
        &self,
        state: &S,
        _: Option<u32>,
        scratch: &mut Self::Scratch,
        each: &mut impl FnMut(u32, S),
    ) -> usize {
        let packed = self.packed;
        scratch.clear();
        for group in 0..packed.enabled.groups() {
            for number in packed.enabled_in(group, state) {
                let rule = &packed.rules[number];
                let next = packed.after(state, rule);
                scratch.push((rule.label, next.clone()));
                each(number as u32, next);
            }
        }
        // Whoever takes part, steps with the same label to the same state are one transition.
        distinct(scratch)
    }

    fn weight(&self) -> usize {
        self.packed.enabled.groups()
    }
}

/// How many of these are different.
#[inline]
fn distinct<S: State>(successors: &mut Vec<(LabelId, S)>) -> usize {
    const FEW: usize = 24;
    if successors.len() > FEW {
        successors.sort_unstable();
        successors.dedup();
        return successors.len();
    }
    let is_new = |(position, one): (usize, &(LabelId, S))| !successors[..position].contains(one);
    successors.iter().enumerate().filter(|one| is_new(*one)).count()
}

#[inline]
fn assign<S: State>(state: &mut S, assignments: &[Assignment]) {
    let words = state.words_mut();
    for (word, mask, value) in assignments {
        words[*word] = (words[*word] & !mask) | value;
    }
}

fn component(counter: CounterId) -> FieldId {
    FieldId::new(counter.index())
}

/// The entry condition of a triple: counters, and the locations that offer what is wanted; ascending.
fn wanted(holders: &Holders, triple: &Triple) -> Cube {
    let of = |wanted: &(CounterId, OfferId)| holders.get(wanted).cloned().unwrap_or_default();
    triple.entry.iter().map(|wanted| (component(wanted.0), of(wanted))).collect()
}

/// The locations of a counter that make an offer, ascending.
type Holders = FxHashMap<(CounterId, OfferId), Vec<Value>>;

/// All holders at once: looking through a counter's locations for each triple would take the square of its
/// size.
fn holders(structure: &Structure, pace: &mut impl FnMut() -> Result<(), Stop>) -> Result<Holders, Stop> {
    let mut holders = Holders::default();
    for (counter, own) in structure.counters.enumerate() {
        for (location, about) in own.locations.enumerate() {
            for offer in &about.offers {
                pace()?;
                let own = holders.entry((counter, *offer)).or_default();
                let here = Value::new(location.index());
                if own.last() != Some(&here) {
                    own.push(here);
                }
            }
        }
    }
    Ok(holders)
}

/// A condition as several that exclude each other, each of which names one location of every large counter.
fn split(structure: &Structure, cube: Cube) -> Option<Vec<Cube>> {
    let mut cubes: Vec<Cube> = vec![Vec::new()];
    for (component, states) in cube {
        let counter = CounterId::new(component.index());
        let is_large = structure.counters.get(counter)?.locations.len() > MAX_LOCATIONS;
        let choices: Vec<Vec<Value>> = match is_large || states.is_empty() {
            true => states.into_iter().map(|state| vec![state]).collect(),
            false => vec![states],
        };
        if cubes.len() * choices.len() > MAX_RULES {
            return None;
        }
        cubes = cubes
            .iter()
            .flat_map(|begun| {
                choices.iter().map(|choice| {
                    let mut longer = begun.clone();
                    longer.push((component, choice.clone()));
                    longer
                })
            })
            .collect();
    }
    Some(cubes)
}

/// Which start and join triples may be enabled by others.
struct Linked<'a> {
    structure: &'a Structure,
    silent: Vec<&'a Triple>,
    /// The positions of those with this offer in their entry condition.
    waiting: FxHashMap<OfferId, Vec<usize>>,
    /// Of those with an offer of this location in their entry condition; filled on first use, for many
    /// triples lead to the same location, and it may have many offers.
    at: FxHashMap<(CounterId, LocationId), Rc<[usize]>>,
}

impl<'a> Linked<'a> {
    fn new(structure: &'a Structure, silent: Vec<&'a Triple>) -> Self {
        let mut waiting: FxHashMap<OfferId, Vec<usize>> = FxHashMap::default();
        for (position, triple) in silent.iter().enumerate() {
            triple.entry.iter().for_each(|(_, offer)| waiting.entry(*offer).or_default().push(position));
        }
        Linked { structure, silent, waiting, at: FxHashMap::default() }
    }

    /// The positions of the start and join triples that may be enabled by a triple or by each other after it,
    /// ascending.
    fn enabled_by(
        &mut self,
        triple: &'a Triple,
        pace: &mut impl FnMut() -> Result<(), Stop>,
    ) -> Result<Vec<usize>, Stop> {
        let mut found: FxHashSet<usize> = FxHashSet::default();
        let mut todo = vec![triple];
        while let Some(triple) = todo.pop() {
            for (counter, location) in &triple.exit {
                for position in self.waiting_at(*counter, *location).iter() {
                    pace()?;
                    if let Some(other) = self.silent.get(*position)
                        && !found.contains(position)
                        && triple.may_enable(self.structure, other)
                    {
                        found.insert(*position);
                        todo.push(other);
                    }
                }
            }
        }
        let mut found: Vec<usize> = found.into_iter().collect();
        found.sort_unstable();
        Ok(found)
    }

    fn waiting_at(&mut self, counter: CounterId, location: LocationId) -> Rc<[usize]> {
        let Linked { structure, waiting, at, .. } = self;
        let known = at.entry((counter, location)).or_insert_with(|| {
            let about = structure.counters.get(counter).and_then(|counter| counter.locations.get(location));
            let offers = about.map_or(&[][..], |location| &location.offers);
            offers.iter().filter_map(|offer| waiting.get(offer)).flatten().copied().collect()
        });
        Rc::clone(known)
    }
}

#[cfg(test)]
mod tests;
