//! What the programs for Spin and NuSMV have in common: what has to be asked, and when.

use rustc_hash::FxHashMap;

use crate::evolution::Evolution;
use crate::program::Program;
use crate::question::Term;
use crate::triple::{CounterId, LocationId, OfferId, Structure, Triple, TripleId};
use paramcheck_process::model::LabelId;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::index::IndexVec;

use super::bounds::{Bounds, bounds, values};
use super::{Needs, NotWritable, condition};

/// Integers of Spin and NuSMV, but for the least one, which has no literal.
const MAX_NUMBER: i64 = i32::MAX as i64;

/// What is known of a program before it is written.
pub(super) struct Plan<'a> {
    pub(super) program: &'a Program<'a>,
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
    /// The numbers of the labels that `did` tells apart: all others are 0.
    pub(super) did: FxHashMap<LabelId, usize>,
}

impl<'a> Plan<'a> {
    /// # Errors
    /// A number that languages with 32 bits can't hold.
    pub(super) fn new(program: &'a Program<'a>) -> Result<Self, NotWritable> {
        let structure = program.structure;
        if !bounds(structure)?.is_within(-MAX_NUMBER, MAX_NUMBER) {
            return Err(NotWritable::Narrow);
        }
        let asked = condition(&program.question.demand);
        let has_choice = structure.variables.iter().any(|variable| variable.initial.len() > 1);
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
        asked.each_did(&mut |own| labels.extend(own));
        labels.sort_unstable();
        labels.dedup();
        let did = labels.into_iter().enumerate().map(|(position, label)| (label, position + 1)).collect();
        let wakers = Wakers::new(structure);
        let is_needed = has_choice || structure.steps().any(|(_, triple)| wakers.wakes(triple));
        let silent = structure.silent().map(|(id, _)| id).filter(|_| is_needed).collect();
        Ok(Plan {
            program,
            needs: Needs::of(asked),
            takes_turns: program.schedule == Schedule::RoundRobin && structure.agents.len() > 1,
            silent,
            wakers,
            has_choice,
            initial,
            did,
        })
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
        let triples = &self.program.structure.triples;
        self.silent.iter().filter_map(|id| Some((*id, triples.get(*id)?)))
    }

    /// Of an assignment, whether its value may be beyond the variable's bounds.
    pub(super) fn may_leave(&self, id: TripleId, position: usize) -> bool {
        let structure = self.program.structure;
        let assignment = &structure.triples[id].assignments[position];
        let variable = &structure.variables[assignment.variable];
        let own: Result<Bounds, _> = values(structure, id, &assignment.value);
        !own.is_ok_and(|own| own.is_within(variable.least, variable.greatest))
    }
}

/// Where start and join triples may become possible.
struct Wakers {
    /// The locations that offer what one of them asks for.
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

/// The weights and the bound of a count, as numbers of 32 bits: what is above the bound decides like anything else
/// above it.
///
/// # Errors
/// The sum may be too large all the same.
pub(super) fn counted(terms: &[Term], bound: u64) -> Result<(Vec<u64>, u64), NotWritable> {
    let cap = bound.saturating_add(1);
    let weights: Vec<u64> = terms.iter().map(|term| term.weight.min(cap)).collect();
    let most = weights.iter().try_fold(0_u64, |sum, weight| sum.checked_add(*weight));
    let most = most.filter(|most| *most < MAX_NUMBER as u64).ok_or(NotWritable::Sum)?;
    // No sum comes to what is beyond the most.
    Ok((weights, bound.min(most + 1)))
}
