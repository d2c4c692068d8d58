//! What the texts for Spin and NuSMV have in common: what is written, and what of it is evaluated when.

use rustc_hash::FxHashMap;

use crate::evolution::Evolution;
use crate::program::Program;
use crate::question::{Demand, Question, Term};
use crate::triple::{CounterId, LocationId, OfferId, Structure, Triple, TripleId};
use paramcheck_process::model::LabelId;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::index::IndexVec;

use super::bounds::{Bounds, bounds, values};
use super::{Legend, Needs, NotWritable};

/// Integers of Spin and NuSMV, but for the least one, which has no literal.
const MAX_NUMBER: i64 = i32::MAX as i64;

/// What is written, and what is known of it before.
pub(crate) struct Plan<'a> {
    pub(super) structure: &'a Structure,
    /// One for a back end, any number of an instance.
    pub(super) questions: &'a [Question],
    pub(super) schedule: Schedule,
    /// What the text begins with, without marks of comments.
    pub(super) heading: String,
    /// What an instance is described by; `None` in programs for back ends.
    pub(super) legend: Option<&'a Legend>,
    /// Of all questions.
    pub(super) needs: Needs,
    /// Whether agents take turns: with one there is nothing to take.
    pub(super) takes_turns: bool,
    /// The start and join triples that may ever have to be taken: none, if all there is to start is started.
    pub(super) silent: Vec<TripleId>,
    /// What wakes them.
    wakers: Wakers,
    /// Whether some variable has a choice at first.
    pub(super) has_choice: bool,
    /// Where counters are at first; start triples are taken unless there is a choice.
    pub(super) initial: Vec<LocationId>,
    /// The numbers of the labels that `did` distinguishes: all others are 0.
    pub(super) did: FxHashMap<LabelId, usize>,
}

impl<'a> Plan<'a> {
    /// A program for a back end.
    ///
    /// # Errors
    /// A number that languages with 32 bits can't hold.
    pub(super) fn of_program(program: &Program<'a>) -> Result<Self, NotWritable> {
        let Program { structure, question, schedule, .. } = *program;
        Plan::new(structure, std::slice::from_ref(question), schedule, program.heading(), None)
    }

    /// An instance for people, with `questions` of reachability.
    ///
    /// # Errors
    /// As of programs.
    pub(crate) fn of_instance(
        structure: &'a Structure,
        questions: &'a [Question],
        legend: &'a Legend,
    ) -> Result<Self, NotWritable> {
        Plan::new(structure, questions, Schedule::Any, legend.heading.clone(), Some(legend))
    }

    fn new(
        structure: &'a Structure,
        questions: &'a [Question],
        schedule: Schedule,
        heading: String,
        legend: Option<&'a Legend>,
    ) -> Result<Self, NotWritable> {
        if !bounds(structure)?.is_within(-MAX_NUMBER, MAX_NUMBER) {
            return Err(NotWritable::Narrow);
        }
        // Arrays get their initial values as those that are chosen do.
        let has_choice = !structure.arrays.is_empty() || structure.has_choice();
        let initial = if has_choice {
            structure.counters.iter().map(|counter| counter.initial).collect()
        } else {
            Evolution::new(structure)
                .initial()
                .into_iter()
                .next()
                .map(|state| state.counters)
                .unwrap_or_default()
        };
        let mut labels: Vec<LabelId> = Vec::new();
        for question in questions {
            question.demand.condition().each_did(&mut |own| labels.extend(own));
        }
        labels.sort_unstable();
        labels.dedup();
        let did = labels.into_iter().enumerate().map(|(position, label)| (label, position + 1)).collect();
        let wakers = Wakers::new(structure);
        let is_needed = has_choice || structure.steps().any(|(_, triple)| wakers.wakes(triple));
        let silent = structure.silent().map(|(id, _)| id).filter(|_| is_needed).collect();
        Ok(Plan {
            structure,
            questions,
            schedule,
            heading,
            legend,
            needs: Needs::of(questions.iter().map(|question| question.demand.condition())),
            takes_turns: schedule == Schedule::RoundRobin && structure.agents.len() > 1,
            silent,
            wakers,
            has_choice,
            initial,
            did,
        })
    }

    /// Whether fairness is demanded and makes a difference: it takes nothing away from what is reached.
    pub(super) fn is_fair(&self) -> bool {
        let is_about_runs = |question: &Question| matches!(question.demand, Demand::Eventually(_));
        matches!(self.schedule, Schedule::WeaklyFair | Schedule::StronglyFair)
            && self.questions.iter().any(is_about_runs)
    }

    /// What a triple does, in words.
    pub(super) fn words(&self, id: TripleId, triple: &Triple) -> String {
        let what = self.structure.action_words(triple);
        match self.legend {
            Some(legend) => format!("{what} ({})", legend.triples[id]),
            None if triple.label().is_some() => format!("{what}, {}", self.structure.agent_words(triple)),
            None => what,
        }
    }

    /// The number that `did` has after a step.
    pub(super) fn did_after(&self, triple: &Triple) -> usize {
        triple.label().and_then(|label| self.did.get(&label)).copied().unwrap_or(0)
    }

    /// Whether start or join triples may have to be taken after a triple.
    pub(super) fn wakes(&self, triple: &Triple) -> bool {
        self.wakers.wakes(triple)
    }

    /// The start and join triples that may have to be taken.
    pub(super) fn silent(&self) -> impl Iterator<Item = (TripleId, &'a Triple)> {
        let triples = &self.structure.triples;
        self.silent.iter().filter_map(|id| Some((*id, triples.get(*id)?)))
    }

    /// Of an assignment, whether its value may be beyond the variable's bounds.
    pub(super) fn may_leave(&self, id: TripleId, position: usize) -> bool {
        let structure = self.structure;
        let assignment = &structure.triples[id].assignments[position];
        let variable = &structure.variables[assignment.variable];
        let own: Result<Bounds, _> = values(structure, id, &assignment.value);
        !own.is_ok_and(|own| own.is_within(variable.least, variable.greatest))
    }
}

/// Where start and join triples may become possible.
struct Wakers {
    /// The locations that offer what one of them requires.
    places: IndexVec<CounterId, IndexVec<LocationId, bool>>,
    /// Whether one of them is guarded: then assignments matter too.
    is_guarded: bool,
}

impl Wakers {
    fn new(structure: &Structure) -> Wakers {
        let mut wanted: FxHashMap<CounterId, Vec<OfferId>> = FxHashMap::default();
        for (_, triple) in structure.silent() {
            triple.entry.iter().for_each(|(counter, offer)| wanted.entry(*counter).or_default().push(*offer));
        }
        let places = structure.counters.enumerate().map(|(id, counter)| {
            let mut wanted = wanted.remove(&id).unwrap_or_default();
            wanted.sort_unstable();
            let is_wanted = |offer: &OfferId| wanted.binary_search(offer).is_ok();
            counter.locations.iter().map(|location| location.offers.iter().any(is_wanted)).collect()
        });
        let places = places.collect();
        Wakers { places, is_guarded: structure.silent().any(|(_, triple)| !triple.guard.is_true()) }
    }

    fn wakes(&self, triple: &Triple) -> bool {
        !triple.assignments.is_empty() && self.is_guarded
            || triple.exit.iter().any(|(counter, location)| self.places[*counter][*location])
    }
}

/// The weights and the bound of a count, as numbers of 32 bits: what is above the bound decides like anything
/// else above it.
///
/// # Errors
/// The sum may be too large all the same.
pub(super) fn counted(terms: &[Term], bound: u64) -> Result<(Vec<u64>, u64), NotWritable> {
    let cap = bound.saturating_add(1);
    let weights: Vec<u64> = terms.iter().map(|term| term.weight.min(cap)).collect();
    // A counter is at one location at a time.
    let mut most: FxHashMap<CounterId, FxHashMap<LocationId, u64>> = FxHashMap::default();
    for (term, weight) in terms.iter().zip(&weights) {
        let own = most.entry(term.counter).or_default();
        for location in &term.locations {
            let sum = own.entry(*location).or_default();
            *sum = sum.saturating_add(*weight);
        }
    }
    let most =
        most.values().filter_map(|own| own.values().max()).fold(0, |sum: u64, own| sum.saturating_add(*own));
    // No sum comes to what is beyond the most.
    let bound = bound.min(most.saturating_add(1));
    if most.max(bound) > MAX_NUMBER as u64 { Err(NotWritable::Sum) } else { Ok((weights, bound)) }
}
