//! What a triple structure does: the evolution condition of Definition 3.2, start and join triples first.

use crate::support::index::{Idx, IndexVec};

use super::expression::VariableId;
use super::triple::{CounterId, LocationId, Structure, Triple, TripleId};

/// A state of a structure.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// Where each counter is.
    pub counters: Vec<LocationId>,
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
    /// The initial states, start triples taken: one for every choice of the variables' initial values, in
    /// lexicographic order.
    pub fn initial(&self) -> Vec<State> {
        let mut choices: Vec<Vec<i64>> = vec![Vec::new()];
        for variable in &self.variables {
            choices = choices
                .iter()
                .flat_map(|begun| {
                    variable.initial.iter().map(|value| {
                        let mut longer = begun.clone();
                        longer.push(*value);
                        longer
                    })
                })
                .collect();
        }
        let counters: Vec<LocationId> = self.counters.iter().map(|counter| counter.initial).collect();
        choices.into_iter().map(|values| self.settled(State { counters: counters.clone(), values })).collect()
    }

    /// Whether the entry condition and the guard of a triple hold.
    pub fn is_enabled(&self, state: &State, triple: &Triple) -> bool {
        let offers = |counter: CounterId| {
            self.counters
                .get(counter)
                .and_then(|own| own.locations.get(state.location(counter)))
                .map_or(&[][..], |location| &location.offers)
        };
        triple.entry.iter().all(|(counter, offer)| offers(*counter).binary_search(offer).is_ok())
            && (triple.guard.is_true() || triple.guard.value(&values(state)).is_some_and(|value| value != 0))
    }

    /// The steps that are enabled, and where they lead, start and join triples taken; ascending by triple.
    pub fn successors(&self, state: &State) -> Vec<(TripleId, State)> {
        self.steps()
            .filter(|(_, triple)| self.is_enabled(state, triple))
            .filter_map(|(id, triple)| Some((id, self.settled(self.after(state, triple)?))))
            .collect()
    }

    /// Whether every agent has terminated.
    pub fn is_terminated(&self, state: &State) -> bool {
        self.agents.iter().all(|agent| {
            self.counters
                .get(agent.counter)
                .and_then(|counter| counter.locations.get(state.location(agent.counter)))
                .is_some_and(|location| location.is_final)
        })
    }

    /// After a triple that is enabled; `None` where a value is none or beyond its bounds.
    fn after(&self, state: &State, triple: &Triple) -> Option<State> {
        let mut next = state.clone();
        let old = values(state);
        for assignment in &triple.assignments {
            let value = assignment.value.value(&old)?;
            let variable = self.variables.get(assignment.variable)?;
            if !(variable.least..=variable.greatest).contains(&value) {
                return None;
            }
            *next.values.get_mut(assignment.variable.index())? = value;
        }
        for (counter, location) in &triple.exit {
            *next.counters.get_mut(counter.index())? = *location;
        }
        Some(next)
    }

    /// With all start and join triples taken that can be: in their order, for none enables one before it.
    fn settled(&self, mut state: State) -> State {
        for (_, triple) in self.silent() {
            if self.is_enabled(&state, triple)
                && let Some(next) = self.after(&state, triple)
            {
                state = next;
            }
        }
        state
    }
}

fn values(state: &State) -> IndexVec<VariableId, i64> {
    state.values.iter().copied().collect()
}
