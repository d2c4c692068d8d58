//! What a triple structure does: the evolution condition of Definition 3.2, start and join triples first.

use std::convert::Infallible;
use std::ops::ControlFlow;

use paramcheck_text::index::{Idx, IndexVec};

use super::expression::Expression;
use super::triple::{CounterId, Location, LocationId, Structure, Triple, TripleId};

/// A state of a structure.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// Where each counter is.
    pub(crate) counters: Vec<LocationId>,
    /// The value of each variable.
    pub values: Vec<i64>,
}

impl State {
    /// Where a counter is; location 0 for one that there is not.
    pub fn location(&self, counter: CounterId) -> LocationId {
        self.counters.get(counter.index()).copied().unwrap_or(LocationId::new(0))
    }
}

impl Structure {
    /// Whether the entry condition and the guard of a triple hold.
    pub(crate) fn is_enabled(&self, state: &State, triple: &Triple) -> bool {
        let offers = |counter: CounterId| {
            self.location(counter, state.location(counter)).map_or(&[][..], |location| &location.offers)
        };
        triple.entry.iter().all(|(counter, offer)| offers(*counter).binary_search(offer).is_ok())
            && (triple.guard.is_true() || triple.guard.value(self, state).is_some_and(|value| value != 0))
    }

    /// Whether every agent has terminated.
    pub fn is_terminated(&self, state: &State) -> bool {
        self.agents.iter().all(|agent| {
            self.location(agent.counter, state.location(agent.counter))
                .is_some_and(|location| location.is_final)
        })
    }

    fn location(&self, counter: CounterId, location: LocationId) -> Option<&Location> {
        self.counters.get(counter)?.locations.get(location)
    }
}

/// Executes a structure. Triples are found by where counters are, not tried one after the other.
#[derive(Debug)]
pub struct Evolution<'a> {
    structure: &'a Structure,
    /// For each location of each counter, the steps whose first entry condition is offered there; ascending.
    steps: IndexVec<CounterId, Vec<Vec<TripleId>>>,
    /// The steps without entry condition.
    free: Vec<TripleId>,
    /// For each location, the start and join triples of which some entry condition is offered there.
    silent: IndexVec<CounterId, Vec<Vec<TripleId>>>,
}

impl<'a> Evolution<'a> {
    /// Of a structure that is well-formed.
    pub fn new(structure: &'a Structure) -> Self {
        let holders = holders(structure);
        let nothing = || {
            let none = |counter: &super::triple::Counter| vec![Vec::new(); counter.locations.len()];
            structure.counters.iter().map(none).collect::<IndexVec<CounterId, Vec<Vec<TripleId>>>>()
        };
        let (mut steps, mut silent, mut free) = (nothing(), nothing(), Vec::new());
        for (id, triple) in structure.triples.enumerate() {
            let (index, conditions) = match (triple.label(), triple.entry.first()) {
                (Some(_), None) => {
                    free.push(id);
                    continue;
                }
                (Some(_), Some(first)) => (&mut steps, std::slice::from_ref(first)),
                (None, _) => (&mut silent, triple.entry.as_slice()),
            };
            for (counter, offer) in conditions {
                let here = holders.get(offer.0 as usize).map_or(&[][..], Vec::as_slice);
                for location in here {
                    index[*counter][location.index()].push(id);
                }
            }
        }
        Evolution { structure, steps, free, silent }
    }

    /// The structure that is executed.
    pub(crate) fn structure(&self) -> &'a Structure {
        self.structure
    }

    /// The initial states, start triples taken: one for every choice of the variables' initial values that
    /// the assumption allows, in lexicographic order.
    pub fn initial(&self) -> Vec<State> {
        self.each_initial().collect()
    }

    /// The same, one after the other.
    pub(crate) fn each_initial(&self) -> impl Iterator<Item = State> + '_ {
        let variables = &self.structure.variables;
        let counters: Vec<LocationId> =
            self.structure.counters.iter().map(|counter| counter.initial).collect();
        let changed: Vec<CounterId> = self.structure.counters.indices().collect();
        let has_some = variables.iter().all(|variable| !variable.initial.is_empty());
        let mut next: Option<Vec<usize>> = has_some.then(|| vec![0; variables.len()]);
        let choices = std::iter::from_fn(move || {
            let numbers = next.take()?;
            let values = variables.iter().zip(&numbers).map(|(one, number)| one.initial[*number]).collect();
            // The last one is the first to go on.
            let mut numbers = numbers;
            for (variable, number) in variables.iter().zip(&mut numbers).rev() {
                *number += 1;
                if *number < variable.initial.len() {
                    next = Some(numbers);
                    break;
                }
                *number = 0;
            }
            Some(values)
        });
        choices.filter_map(move |values| {
            let mut state = State { counters: counters.clone(), values };
            let assumption = self.structure.assumption.as_ref();
            let is_allowed =
                |one: &Expression| one.value(self.structure, &state).is_some_and(|value| value != 0);
            if !assumption.is_none_or(is_allowed) {
                return None;
            }
            self.settle(&mut state, &mut changed.clone());
            Some(state)
        })
    }

    /// The steps that are enabled, and where they lead, start and join triples taken; ascending by triple.
    pub fn successors(&self, state: &State) -> Vec<(TripleId, State)> {
        let mut successors = Vec::new();
        let ControlFlow::Continue(()) = self.each_successor::<Infallible>(state, |id, next| {
            successors.push((id, next));
            ControlFlow::Continue(())
        });
        successors
    }

    /// Calls `each` with the same, one after the other, until it breaks: all at once may be more than fits
    /// into memory.
    pub fn each_successor<B>(
        &self,
        state: &State,
        mut each: impl FnMut(TripleId, State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.visit_successors(state, &mut Scratch::default(), |id, next| each(id, next.clone()))
    }

    /// The same, with nothing allocated once `scratch` is large enough.
    pub fn visit_successors<B>(
        &self,
        state: &State,
        scratch: &mut Scratch,
        mut each: impl FnMut(TripleId, &State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Scratch { candidates, changed, next } = scratch;
        candidates.clone_from(&self.free);
        for (counter, here) in self.steps.enumerate() {
            candidates.extend(here.get(state.location(counter).index()).into_iter().flatten());
        }
        candidates.retain(|id| self.structure.is_enabled(state, &self.structure.triples[*id]));
        candidates.sort_unstable();
        for id in candidates {
            let triple = &self.structure.triples[*id];
            next.counters.clone_from(&state.counters);
            next.values.clone_from(&state.values);
            if self.take(next, triple) {
                changed.clear();
                changed.extend(triple.exit.iter().map(|(counter, _)| *counter));
                self.settle(next, changed);
                each(*id, next)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Takes a triple that is enabled. False, and nothing done, where a value is none or beyond its bounds.
    fn take(&self, state: &mut State, triple: &Triple) -> bool {
        if !triple.assignments.is_empty() {
            let Some(values) = self.assigned(state, triple) else { return false };
            state.values = values;
        }
        for (counter, location) in &triple.exit {
            if let Some(at) = state.counters.get_mut(counter.index()) {
                *at = *location;
            }
        }
        true
    }

    /// The values after a triple; `None` where one is none or beyond its bounds.
    fn assigned(&self, state: &State, triple: &Triple) -> Option<Vec<i64>> {
        let mut new = state.values.clone();
        for assignment in &triple.assignments {
            let value = assignment.value.value(self.structure, state)?;
            let variable = self.structure.variables.get(assignment.variable)?;
            if !(variable.least..=variable.greatest).contains(&value) {
                return None;
            }
            *new.get_mut(assignment.variable.index())? = value;
        }
        Some(new)
    }

    /// Takes all start and join triples that can be taken, where before only those could that concern one of
    /// the `changed` counters. In any order: it makes no difference.
    fn settle(&self, state: &mut State, changed: &mut Vec<CounterId>) {
        while let Some(counter) = changed.pop() {
            let here = self.silent.get(counter).and_then(|own| own.get(state.location(counter).index()));
            let enabled = here
                .into_iter()
                .flatten()
                .map(|id| &self.structure.triples[*id])
                .find(|triple| self.structure.is_enabled(state, triple));
            if let Some(triple) = enabled
                && self.take(state, triple)
            {
                changed.push(counter);
                changed.extend(triple.exit.iter().map(|(counter, _)| *counter));
            }
        }
    }
}

/// Memory that [`Evolution::visit_successors`] uses again.
#[derive(Debug, Default)]
pub struct Scratch {
    candidates: Vec<TripleId>,
    changed: Vec<CounterId>,
    next: State,
}

/// For each id, the locations that offer it.
fn holders(structure: &Structure) -> Vec<Vec<LocationId>> {
    let mut holders: Vec<Vec<LocationId>> = Vec::new();
    for counter in &structure.counters {
        for (id, location) in counter.locations.enumerate() {
            for offer in &location.offers {
                let place = offer.0 as usize;
                if holders.len() <= place {
                    holders.resize(place + 1, Vec::new());
                }
                holders[place].push(id);
            }
        }
    }
    holders
}
