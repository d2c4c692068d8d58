//! Faults in triples, against the recheck: what it accepts must be the process.

use paramcheck_emulation::Structure;
use paramcheck_emulation::triple::{Action, TripleId};
use paramcheck_process::semantics::bisimulation::are_bisimilar;
use paramcheck_process::semantics::explore::explore;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::Budget;
use paramcheck_verdict::process::{Process, ProcessChecks};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::triples::{lts, random, structure, with_agents};
use crate::suite::support::seeds;

/// Random systems with more states are not compared.
const MAX_STATES: usize = 200;
/// How many faults are put into each system.
const FAULTS: usize = 6;

/// Changes one thing in a structure that keeps its shape: drops or relabels a triple, or has a step go elsewhere,
/// want something else, or name other participants; or changes what a location offers, where a counter begins,
/// or where it may end. `None` if the random choice has nothing to change.
fn with_fault(structure: &Structure, random: &mut SmallRng) -> Option<(Structure, &'static str)> {
    let mut changed = structure.clone();
    let kind = random.random_range(0..8);
    let id = TripleId::new(random.random_range(0..structure.triples.len()));
    let is_step = structure.triples[id].label().is_some();
    let counter = structure.counters.indices().nth(random.random_range(0..structure.counters.len()))?;
    let locations = structure.counters[counter].locations.len();
    let location = structure.counters[counter].locations.indices().nth(random.random_range(0..locations))?;
    let label = structure.labels.indices().nth(random.random_range(0..structure.labels.len()))?;
    let triple = &mut changed.triples[id];
    let what = match kind {
        0 => {
            let kept = structure.triples.enumerate().filter(|(own, _)| *own != id);
            changed.triples = kept.map(|(_, triple)| triple.clone()).collect::<IndexVec<_, _>>();
            "a triple dropped"
        }
        1 if is_step => {
            triple.action = Action::Step(label);
            "a step relabelled"
        }
        2 if is_step => {
            let position = random.random_range(0..triple.parts.len());
            triple.parts[position] = label;
            "a part relabelled"
        }
        3 if is_step => {
            let position = random.random_range(0..triple.exit.len());
            let (counter, exit) = &mut triple.exit[position];
            let locations = &structure.counters[*counter].locations;
            *exit = locations.indices().nth(random.random_range(0..locations.len()))?;
            "a step that leads elsewhere"
        }
        4 if is_step => {
            let position = random.random_range(0..triple.entry.len());
            let (counter, wanted) = &mut triple.entry[position];
            let offers: Vec<_> =
                structure.counters[*counter].locations.iter().flat_map(|one| &one.offers).collect();
            *wanted = **offers.get(random.random_range(0..offers.len()))?;
            "a step that wants something else"
        }
        5 => {
            let offers = &mut changed.counters[counter].locations[location].offers;
            if offers.is_empty() {
                return None;
            }
            offers.remove(random.random_range(0..offers.len()));
            "an offer dropped"
        }
        6 => {
            changed.counters[counter].initial = location;
            "another initial location"
        }
        7 => {
            let is_final = &mut changed.counters[counter].locations[location].is_final;
            *is_final = !*is_final;
            "another end"
        }
        _ => return None,
    };
    Some((changed, what))
}

#[test]
fn what_the_recheck_of_triples_accepts_is_the_process() {
    let budget = Budget::unlimited();
    let (mut refused, mut accepted) = (0, 0);
    for seed in seeds(300, 1_500) {
        let (system, text) = random(seed);
        let reference = explore(&system, MAX_STATES, &budget).lts;
        if reference.incomplete.is_some() {
            continue;
        }
        let reference = with_agents(&reference);
        let right = structure(&system);
        if right.triples.is_empty() || right.labels.is_empty() {
            continue;
        }
        let process = ProcessChecks { name: "faulty", system: &system, checks: &system.checks };
        let mut random = SmallRng::seed_from_u64(seed);
        for _ in 0..FAULTS {
            let Some((faulty, what)) = with_fault(&right, &mut random) else { continue };
            if process.is_faithful(&faulty, MAX_STATES, &budget) != Ok(true) {
                refused += 1;
                continue;
            }
            let own = lts(&faulty, 40 * MAX_STATES);
            assert_eq!(own.incomplete, None, "seed {seed}, {what}: {text}");
            let is_right = are_bisimilar(&with_agents(&own), &reference, &budget).unwrap();
            assert!(is_right, "seed {seed}, {what}: accepted, but not the process\n{text}");
            accepted += 1;
        }
    }
    assert!(refused > 300 && accepted > 50, "{refused} refused, {accepted} accepted");
}
