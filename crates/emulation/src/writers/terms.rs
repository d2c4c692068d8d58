//! The names of counters and variables in a text for Spin or NuSMV, and what is said with them: where counters are, and
//! when a triple may be taken.

use rustc_hash::FxHashMap;

use crate::emit::names::Names;
use crate::triple::{CounterId, LocationId, OfferId, Structure, Triple, TripleId};
use paramcheck_process::model::LabelId;
use paramcheck_text::index::{Idx, IndexVec};

use super::Ranges;
use super::infix::{Expressions, Syntax};
use super::offers::Offers;
use super::plan::Plan;

/// A program's names, in a language.
pub(super) struct Terms<'a> {
    pub(super) plan: Plan<'a>,
    pub(super) counters: IndexVec<CounterId, String>,
    pub(super) variables: Vec<String>,
    offers: Offers<'a>,
    /// The offers that have names.
    named: FxHashMap<(CounterId, OfferId), String>,
    syntax: Syntax,
    is_one_of: IsOneOf,
}

/// That what has this name is one of these numbers; the text holds together in any place.
type IsOneOf = fn(&str, &Ranges) -> String;

impl<'a> Terms<'a> {
    /// The names of counters and variables are taken from `names`.
    pub(super) fn new(plan: Plan<'a>, names: &mut Names, syntax: Syntax, is_one_of: IsOneOf) -> Self {
        let (counters, variables) = plan.program.structure.names(names);
        let offers = Offers::new(plan.program.structure);
        Terms { plan, counters, variables, offers, named: FxHashMap::default(), syntax, is_one_of }
    }

    /// Takes the names of offers from `names` too.
    pub(super) fn name_offers(&mut self, names: &mut Names) {
        for (counter, offer) in self.offers.nameworthy() {
            let name = names.take(&format!("at_{}_{}", offer.0, self.counters[counter]));
            self.named.insert((counter, offer), name);
        }
    }

    pub(super) fn structure(&self) -> &'a Structure {
        self.plan.program.structure
    }

    pub(super) fn expressions(&self) -> Expressions<'_> {
        Expressions { names: &self.variables, syntax: self.syntax }
    }

    /// The offers that have names, in a fixed order: name, and what it stands for.
    pub(super) fn offers(&self) -> impl Iterator<Item = (&str, String)> {
        let mut offers: Vec<_> = self.named.iter().collect();
        offers.sort();
        offers.into_iter().map(|((counter, offer), name)| (name.as_str(), self.offered(*counter, *offer)))
    }

    /// Each location of a counter in words, for a comment.
    pub(super) fn locations(
        &self,
        counter: CounterId,
        plain: impl Fn(&str) -> String,
    ) -> impl Iterator<Item = String> {
        self.structure().counters[counter].locations.enumerate().map(move |(id, location)| {
            let offers = itertools::join(location.offers.iter().map(|offer| offer.0), " ");
            let offers =
                if offers.is_empty() { "offers nothing".to_owned() } else { format!("offers {offers}") };
            let last = if location.is_final { " (terminated)" } else { "" };
            format!("{}: {}, {offers}{last}", id.index(), plain(&location.name))
        })
    }

    /// That a counter is at one of these locations (ascending).
    pub(super) fn at(&self, counter: CounterId, locations: impl IntoIterator<Item = LocationId>) -> String {
        (self.is_one_of)(&self.counters[counter], &Ranges::at(self.structure(), counter, locations))
    }

    /// That agents have terminated, for each of them.
    pub(super) fn terminated(&self) -> Vec<String> {
        let structure = self.structure();
        structure.agents.iter().map(|agent| self.at(agent.counter, structure.finals(agent.counter))).collect()
    }

    /// That it is the turn of somebody who takes part in a triple, where `turn` has the number.
    pub(super) fn is_turn(&self, turn: &str, triple: &Triple) -> String {
        let last = self.structure().agents.len().saturating_sub(1);
        let turns = Ranges::new(triple.agents.iter().map(|agent| *agent as usize), (0, last));
        (self.is_one_of)(turn, &turns)
    }

    /// That the last step had one of these numbers for `did` (ascending).
    pub(super) fn is_did(&self, did: &str, labels: &[LabelId]) -> String {
        let mut numbers: Vec<usize> =
            labels.iter().filter_map(|label| self.plan.did.get(label).copied()).collect();
        numbers.sort_unstable();
        (self.is_one_of)(did, &Ranges::new(numbers, (0, usize::MAX)))
    }

    /// That a step with one of `labels` (ascending) may be taken; `takes` says that one may.
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
        (self.is_one_of)(&self.counters[counter], &self.offers.of(counter, offer))
    }
}
