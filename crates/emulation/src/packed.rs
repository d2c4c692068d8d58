//! Structures for the explicit-state engine: counters as bit fields, steps as numbered actions.
//!
//! A [`Rule`] is a triple without data: which locations its counters may be at, and where they are put. Joins that a
//! step may enable are known beforehand, and taken at once. What a question asks of the last step is one bit of
//! the state per set of labels; without such bits the states are those of the structure. An action's
//! number is that of a rule; [`Packed::triple`] says of which triple.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use paramcheck_nets::explore::pack::{Condition as Cube, Cubes, FieldId, Layout, Value};
use paramcheck_nets::explore::system::{Goal, State, TransitionSystem};
use paramcheck_process::model::LabelId;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::{Budget, Stop};

use super::evolution::{self, Evolution};
use super::question::{Condition, Term};
use super::triple::{CounterId, LocationId, OfferId, Structure, Triple, TripleId};

/// Structures with more rules are not packed: the tables of their conditions would be too large. (Rules are made of a
/// triple for each combination of locations that its larger counters may be at.)
const MAX_RULES: usize = 1 << 16;

/// A counter with more locations is asked for one of them at a time. (As many bits as a chunk of `Cubes` has.)
const MAX_LOCATIONS: usize = 1 << 6;

/// What is put where: word, bits there, their value.
type Assignment = (usize, u64, u64);

/// A step or a join.
#[derive(Debug)]
struct Rule {
    triple: TripleId,
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
    /// Sets of labels, each with the component that says whether the last step had one of them.
    did: Vec<(Vec<LabelId>, FieldId)>,
    rules: Vec<Rule>,
    enabled: Cubes,
    joins: Vec<Join>,
}

impl<'a> Packed<'a> {
    /// A structure, with what `conditions` ask of the last step. `None` if it has variables, or counters with so
    /// many locations that there would be too many rules: then [`states`](super::states) explores it.
    ///
    /// # Errors
    /// The budget ended before it was prepared.
    pub fn new(
        structure: &'a Structure,
        conditions: &[&Condition],
        budget: &Budget,
    ) -> Result<Option<Packed<'a>>, Stop> {
        if !structure.variables.is_empty() {
            return Ok(None);
        }
        let mut sets: Vec<Vec<LabelId>> = Vec::new();
        conditions.iter().for_each(|condition| condition.each_did(&mut |labels| sets.push(labels.to_vec())));
        sets.sort();
        sets.dedup();
        let counters = structure.counters.iter().map(|counter| counter.locations.len());
        let layout = Layout::of_counts(counters.chain(sets.iter().map(|_| 2)));
        let first = structure.counters.len();
        let did = sets.into_iter().enumerate();
        let did: Vec<_> = did.map(|(position, set)| (set, FieldId::new(first + position))).collect();

        let mut packed = Packed {
            structure,
            layout,
            did,
            rules: Vec::new(),
            enabled: Cubes::default(),
            joins: Vec::new(),
        };
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
            let assignments = packed.assignments(triple);
            let joins = linked.enabled_by(triple, &mut pace)?;
            let Some(own) = split(structure, wanted(&holders, triple)) else { return Ok(None) };
            for cube in own {
                pace()?;
                cubes.push(cube);
                packed.rules.push(Rule {
                    triple: id,
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
    pub fn unpack<S: State>(&self, state: &S) -> evolution::State {
        let all = self.layout.unpack(state);
        let counters = all.iter().take(self.structure.counters.len());
        evolution::State {
            counters: counters.map(|state| LocationId::new(state.index())).collect(),
            values: Vec::new(),
        }
    }

    /// Whether every agent has terminated.
    pub fn is_terminated<S: State>(&self, state: &S) -> bool {
        self.structure.agents.iter().all(|agent| {
            let here = self.layout.get(state, component(agent.counter));
            let counter = &self.structure.counters[agent.counter];
            counter.locations.get(LocationId::new(here.index())).is_some_and(|location| location.is_final)
        })
    }

    /// A condition as a goal; it must be among those that this was made for. `None` if it can't be.
    ///
    /// # Errors
    /// The budget ended.
    pub fn goal<S: State>(
        &self,
        condition: &Condition,
        budget: &Budget,
    ) -> Result<Option<Goal<'_, S>>, Stop> {
        let mut pace = budget.pace();
        let holders = holders(self.structure, &mut pace)?;
        let Some(test) = self.test(condition, &holders, budget)? else { return Ok(None) };
        Ok(Some(if implies_stuck(condition) {
            Goal::of_dead(move |state| self.holds(&test, state, true))
        } else {
            Goal::new(move |state, is_dead| Some(self.holds(&test, state, is_dead)))
        }))
    }

    /// Puts counters where a triple puts them, and notes which step it was.
    fn assignments(&self, triple: &Triple) -> Vec<Assignment> {
        let mut by_word: Vec<Assignment> = Vec::new();
        let mut put = |component, state| {
            let (word, mask, value) = self.layout.assignment(component, state);
            // Words come in the order of components.
            match by_word.last_mut() {
                Some((own, own_mask, own_value)) if *own == word => {
                    *own_mask |= mask;
                    *own_value |= value;
                }
                _ => by_word.push((word, mask, value)),
            }
        };
        for (counter, location) in &triple.exit {
            put(component(*counter), Value::new(location.index()));
        }
        if let Some(label) = triple.label() {
            for (set, component) in &self.did {
                put(*component, Value::new(usize::from(set.binary_search(&label).is_ok())));
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

    /// Recursion is bounded by the nesting of what the model says.
    fn test(&self, condition: &Condition, holders: &Holders, budget: &Budget) -> Result<Option<Test>, Stop> {
        budget.check()?;
        let all = |parts: &[Condition]| -> Result<Option<Vec<Test>>, Stop> {
            parts.iter().map(|part| self.test(part, holders, budget)).collect()
        };
        Ok(match condition {
            Condition::Constant(value) => Some(Test::Constant(*value)),
            Condition::Did(labels) => {
                let position = self.did.binary_search_by(|(set, _)| set.cmp(labels)).ok();
                position.and_then(|position| self.did.get(position)).map(|(_, bit)| Test::Did(*bit))
            }
            Condition::Can(labels) => {
                let has_label = |triple: &Triple| {
                    triple.label().is_some_and(|label| labels.binary_search(&label).is_ok())
                };
                let mut cubes = Vec::new();
                for (_, triple) in self.structure.steps().filter(|(_, triple)| has_label(triple)) {
                    let Some(own) = split(self.structure, wanted(holders, triple)) else { return Ok(None) };
                    cubes.extend(own);
                }
                Cubes::new(&self.layout, &cubes, budget)?.map(Test::Can)
            }
            Condition::Stuck => Some(Test::Stuck),
            Condition::Terminated => Some(Test::Terminated),
            Condition::At(counter, locations) => Some(Test::At(component(*counter), states_of(locations))),
            Condition::Count(terms, comparison, bound) => {
                let term = |term: &Term| (term.weight, component(term.counter), states_of(&term.locations));
                Some(Test::Count(terms.iter().map(term).collect(), *comparison, *bound))
            }
            Condition::Not(inside) => {
                self.test(inside, holders, budget)?.map(|inside| Test::Not(Box::new(inside)))
            }
            Condition::And(parts) => all(parts)?.map(Test::And),
            Condition::Or(parts) => all(parts)?.map(Test::Or),
        })
    }

    /// Recursion is bounded by the nesting of what the model says.
    fn holds<S: State>(&self, test: &Test, state: &S, is_dead: bool) -> bool {
        let is_at =
            |component: &FieldId, states: &[Value]| states.contains(&self.layout.get(state, *component));
        match test {
            Test::Constant(value) => *value,
            Test::Did(component) => self.layout.get(state, *component).index() == 1,
            Test::Can(cubes) => cubes.any_holds(state),
            Test::Stuck => is_dead,
            Test::Terminated => self.is_terminated(state),
            Test::At(component, states) => is_at(component, states),
            Test::Count(terms, comparison, bound) => {
                let counted = terms.iter().filter(|(_, component, states)| is_at(component, states));
                comparison.holds(counted.fold(0, |sum: u64, term| sum.saturating_add(term.0)), *bound)
            }
            Test::Not(inside) => !self.holds(inside, state, is_dead),
            Test::And(parts) => parts.iter().all(|part| self.holds(part, state, is_dead)),
            Test::Or(parts) => parts.iter().any(|part| self.holds(part, state, is_dead)),
        }
    }
}

/// Whether the condition holds in states without successors only. Recursion is bounded by the nesting of what the model says.
fn implies_stuck(condition: &Condition) -> bool {
    match condition {
        Condition::Stuck => true,
        Condition::And(parts) => parts.iter().any(implies_stuck),
        Condition::Or(parts) => parts.iter().all(implies_stuck),
        _ => false,
    }
}

/// A condition, prepared.
enum Test {
    Constant(bool),
    Did(FieldId),
    Can(Cubes),
    Stuck,
    Terminated,
    At(FieldId, Vec<Value>),
    Count(Vec<(u64, FieldId, Vec<Value>)>, paramcheck_model::error::Comparison, u64),
    Not(Box<Test>),
    And(Vec<Test>),
    Or(Vec<Test>),
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
    type Scratch = ();

    fn initial(&self) -> Vec<S> {
        let packed = self.packed;
        let initial = Evolution::new(packed.structure).initial();
        let pack = |state: &evolution::State| {
            let mut result = S::zero(packed.words());
            for (counter, location) in state.counters.iter().enumerate() {
                packed.layout.set(&mut result, FieldId::new(counter), Value::new(location.index()));
            }
            result
        };
        initial.iter().map(pack).collect()
    }

    #[inline]
    fn successors(&self, state: &S, _: Option<u32>, (): &mut (), each: &mut impl FnMut(u32, S)) -> usize {
        let packed = self.packed;
        let mut count = 0;
        for group in 0..packed.enabled.groups() {
            let mut left = packed.enabled.holding_in(group, state);
            count += left.count_ones() as usize;
            while left != 0 {
                let number = group * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                let rule = &packed.rules[number];
                let mut next = state.clone();
                assign(&mut next, &rule.assignments);
                for join in &rule.joins {
                    let join = &packed.joins[*join];
                    if packed.is_enabled(&next, join) {
                        assign(&mut next, &join.assignments);
                    }
                }
                each(number as u32, next);
            }
        }
        count
    }

    fn weight(&self) -> usize {
        self.packed.enabled.groups()
    }
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

fn states_of(locations: &[LocationId]) -> Vec<Value> {
    locations.iter().map(|location| Value::new(location.index())).collect()
}

/// The entry condition of a triple: counters, and the locations that offer what is wanted; ascending.
fn wanted(holders: &Holders, triple: &Triple) -> Cube {
    let of = |wanted: &(CounterId, OfferId)| holders.get(wanted).cloned().unwrap_or_default();
    triple.entry.iter().map(|wanted| (component(wanted.0), of(wanted))).collect()
}

/// The locations of a counter that make an offer, ascending.
type Holders = FxHashMap<(CounterId, OfferId), Vec<Value>>;

/// All holders at once: looking through a counter's locations for each triple would take the square of its size.
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

/// A condition that asks each large counter for one location, as several conditions that exclude each other.
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
    /// The positions of those that ask for an offer.
    asking: FxHashMap<OfferId, Vec<usize>>,
    /// Of those that ask for an offer of a location; filled when it is first asked for, for many triples go to
    /// the same place, and it may offer much.
    at: FxHashMap<(CounterId, LocationId), Rc<[usize]>>,
}

impl<'a> Linked<'a> {
    fn new(structure: &'a Structure, silent: Vec<&'a Triple>) -> Self {
        let mut asking: FxHashMap<OfferId, Vec<usize>> = FxHashMap::default();
        for (position, triple) in silent.iter().enumerate() {
            triple.entry.iter().for_each(|(_, offer)| asking.entry(*offer).or_default().push(position));
        }
        Linked { structure, silent, asking, at: FxHashMap::default() }
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
                for position in self.asking_at(*counter, *location).iter() {
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

    fn asking_at(&mut self, counter: CounterId, location: LocationId) -> Rc<[usize]> {
        let Linked { structure, asking, at, .. } = self;
        let known = at.entry((counter, location)).or_insert_with(|| {
            let about = structure.counters.get(counter).and_then(|counter| counter.locations.get(location));
            let offers = about.map_or(&[][..], |location| &location.offers);
            offers.iter().filter_map(|offer| asking.get(offer)).flatten().copied().collect()
        });
        Rc::clone(known)
    }
}

#[cfg(test)]
mod tests;
