//! The names of counters, locations and variables in a text for Spin or NuSMV, and the conditions over them:
//! where counters are, and when a triple may be taken.
//!
//! In programs for back ends locations are numbers, and many of them are intervals; in texts of instances
//! they have the names of states, which are listed.

use rustc_hash::FxHashMap;

use crate::expression::{DefinitionId, VariableId};
use crate::triple::{Counter, CounterId, LocationId, OfferId, Structure, Triple, TripleId};
use paramcheck_process::model::LabelId;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::names::Names;

use super::infix::{Expressions, Named, Syntax};
use super::offers::Offers;
use super::plan::Plan;
use super::{DataNames, Ranges};

/// A program's names, in a language.
pub(super) struct Terms<'a> {
    pub(super) plan: Plan<'a>,
    pub(super) counters: IndexVec<CounterId, String>,
    pub(super) variables: Vec<String>,
    /// The names of arrays; none, where the language has no arrays that can be indexed.
    pub(super) arrays: Vec<String>,
    /// The names of definitions.
    pub(super) definitions: Vec<String>,
    /// Per type of a legend what its locations are called; none without a legend.
    pub(super) states: Vec<Vec<String>>,
    offers: Offers<'a>,
    /// The offers that have names.
    named: FxHashMap<(CounterId, OfferId), String>,
    syntax: Syntax,
    membership: Membership,
}

/// How a language expresses that something is one of some values; the texts hold together in any place.
#[derive(Clone, Copy)]
pub(super) struct Membership {
    /// Of numbers.
    pub(super) of_numbers: fn(&str, &Ranges) -> String,
    /// Of names, at least one.
    pub(super) of_names: fn(&str, &[&str]) -> String,
}

impl<'a> Terms<'a> {
    /// The names of counters and variables are taken from `names`, those of locations by `name_states`, which
    /// gets a type's name and one of its counters.
    pub(super) fn new(
        plan: Plan<'a>,
        names: &mut Names,
        (syntax, has_arrays): (Syntax, bool),
        membership: Membership,
        mut name_states: impl FnMut(&mut Names, &str, &Counter) -> Vec<String>,
    ) -> Self {
        let structure = plan.structure;
        let prefix = if plan.legend.is_some() { "" } else { "pc_" };
        let DataNames { counters, variables, arrays, definitions } =
            structure.names(prefix, has_arrays, names);
        let mut states = Vec::new();
        if let Some(legend) = plan.legend {
            states = vec![Vec::new(); legend.types.len()];
            for (counter, own) in structure.counters.iter().zip(&legend.type_of) {
                if states[*own].is_empty() {
                    states[*own] = name_states(names, &legend.types[*own], counter);
                }
            }
        }
        let offers = Offers::new(structure);
        let named = FxHashMap::default();
        Terms { plan, counters, variables, arrays, definitions, states, offers, named, syntax, membership }
    }

    /// Takes the names of offers from `names` too.
    pub(super) fn name_offers(&mut self, names: &mut Names) {
        for (counter, offer) in self.offers.nameworthy() {
            let name = names.take(&format!("at_{}_{}", offer.0, self.counters[counter]));
            self.named.insert((counter, offer), name);
        }
    }

    pub(super) fn structure(&self) -> &'a Structure {
        self.plan.structure
    }

    pub(super) fn expressions(&self) -> Expressions<'_> {
        Expressions { names: self, syntax: self.syntax }
    }

    /// The definitions: name, and what it stands for.
    pub(super) fn meanings(&self) -> impl Iterator<Item = (&str, String)> {
        let write = self.expressions();
        let all = self.definitions.iter().zip(&self.structure().definitions);
        all.map(move |(name, definition)| {
            let value = &definition.value;
            let text = if value.is_condition() { write.condition(value) } else { write.number(value) };
            (name.as_str(), text)
        })
    }

    /// The offers that have names, in a fixed order: name, and what it stands for.
    pub(super) fn offers(&self) -> impl Iterator<Item = (&str, String)> {
        let mut offers: Vec<_> = self.named.iter().collect();
        offers.sort();
        offers.into_iter().map(|((counter, offer), name)| (name.as_str(), self.offered(*counter, *offer)))
    }

    /// Each location of a counter in words.
    pub(super) fn locations(&self, counter: CounterId) -> impl Iterator<Item = String> {
        self.structure().counters[counter].locations.enumerate().map(|(id, location)| {
            let offers = itertools::join(location.offers.iter().map(|offer| offer.0), " ");
            let offers =
                if offers.is_empty() { "offers nothing".to_owned() } else { format!("offers {offers}") };
            let last = if location.is_final { " (terminated)" } else { "" };
            format!("{}: {}, {offers}{last}", id.index(), location.name)
        })
    }

    /// The names of a counter's locations; `None` where they are numbers.
    pub(super) fn states_of(&self, counter: CounterId) -> Option<&[String]> {
        Some(&self.states[*self.plan.legend?.type_of.get(counter)?])
    }

    /// A location as a value.
    pub(super) fn location(&self, counter: CounterId, location: LocationId) -> String {
        match self.states_of(counter) {
            Some(states) => states[location.index()].clone(),
            None => location.index().to_string(),
        }
    }

    /// Where a counter is at first.
    pub(super) fn initial(&self, counter: CounterId) -> String {
        let initial = self.plan.initial.get(counter.index()).copied();
        self.location(counter, initial.unwrap_or(LocationId::new(0)))
    }

    /// That a counter is at one of these locations (ascending).
    pub(super) fn at(&self, counter: CounterId, locations: impl IntoIterator<Item = LocationId>) -> String {
        self.is_within(counter, &Ranges::at(self.structure(), counter, locations))
    }

    /// That a counter is at one of these locations.
    fn is_within(&self, counter: CounterId, ranges: &Ranges) -> String {
        let name = &self.counters[counter];
        match self.states_of(counter) {
            Some(states) if !ranges.ranges.is_empty() && ranges.ranges != [ranges.whole] => {
                let numbers = ranges.ranges.iter().flat_map(|(first, last)| *first..=*last);
                let states: Vec<&str> = numbers.map(|number| states[number].as_str()).collect();
                (self.membership.of_names)(name, &states)
            }
            _ => (self.membership.of_numbers)(name, ranges),
        }
    }

    /// That agents have terminated, for each of them.
    pub(super) fn terminated(&self) -> Vec<String> {
        let structure = self.structure();
        structure.agents.iter().map(|agent| self.at(agent.counter, structure.finals(agent.counter))).collect()
    }

    /// That it is the turn of an agent that takes part in a triple, where `turn` has the number.
    pub(super) fn is_turn(&self, turn: &str, triple: &Triple) -> String {
        let last = self.structure().agents.len().saturating_sub(1);
        let turns = Ranges::new(triple.agents.iter().map(|agent| *agent as usize), (0, last));
        (self.membership.of_numbers)(turn, &turns)
    }

    /// That the last step had one of these numbers for `did` (ascending).
    pub(super) fn is_did(&self, did: &str, labels: &[LabelId]) -> String {
        let mut numbers: Vec<usize> =
            labels.iter().filter_map(|label| self.plan.did.get(label).copied()).collect();
        numbers.sort_unstable();
        (self.membership.of_numbers)(did, &Ranges::new(numbers, (0, usize::MAX)))
    }

    /// That a step with one of `labels` (ascending) may be taken; `takes` expresses that one may.
    pub(super) fn can(&self, labels: &[LabelId], takes: impl Fn(TripleId, &Triple) -> String) -> String {
        let such = self.structure().steps_of(labels);
        let such: Vec<String> = such.map(|(id, triple)| format!("({})", takes(id, triple))).collect();
        format!("({})", self.syntax.any(&such))
    }

    /// That a triple may be taken, whoever has the turn, in parts: its entry condition, its guard, that all
    /// its values are.
    pub(super) fn guard(&self, id: TripleId, triple: &Triple) -> Vec<String> {
        let mut parts: Vec<String> = Vec::new();
        for place @ (counter, offer) in &triple.entry {
            parts.push(match self.named.get(place) {
                Some(name) => name.clone(),
                None => self.offered(*counter, *offer),
            });
        }
        let write = self.expressions();
        if !triple.guard.is_true() {
            parts.extend(write.defined(&triple.guard));
            parts.push(write.condition(&triple.guard));
        }
        for (position, assignment) in triple.assignments.iter().enumerate() {
            parts.extend(write.defined(&assignment.value));
            if self.plan.may_leave(id, position) {
                let variable = &self.structure().variables[assignment.variable];
                let value = write.number(&assignment.value);
                parts.push(format!("{value} >= {}", variable.least));
                parts.push(format!("{value} <= {}", variable.greatest));
            }
        }
        parts
    }

    fn offered(&self, counter: CounterId, offer: OfferId) -> String {
        self.is_within(counter, &self.offers.of(counter, offer))
    }
}

impl Named for Terms<'_> {
    fn variable(&self, variable: VariableId) -> String {
        self.variables[variable.index()].clone()
    }

    fn array(&self, array: usize) -> Option<String> {
        self.arrays.get(array).cloned()
    }

    fn elements(&self, array: usize) -> Vec<VariableId> {
        self.structure().arrays[array].variables().collect()
    }

    fn at(&self, counter: CounterId, locations: &[LocationId]) -> String {
        Terms::at(self, counter, locations.iter().copied())
    }

    fn definition(&self, definition: DefinitionId) -> String {
        self.definitions[definition.index()].clone()
    }
}
