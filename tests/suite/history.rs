//! Components that remember, on random systems: the same behaviour, whatever they remember.

use std::collections::BTreeMap;

use paramcheck_model::error::NamedError;
use paramcheck_model::history::{History, with_history};
use paramcheck_model::system::System;
use paramcheck_nets::explore::engine::SearchOptions;
use paramcheck_nets::explore::search::{Reduction, find};
use paramcheck_nets::instance::enumerate::trees;
use paramcheck_nets::instance::unfold::unfold;
use paramcheck_text::limits::Budget;

use super::support::{errors, random, seeds};

/// Instances of so many components are compared.
const SIZES: usize = 4;
/// Systems with more instances of one size are left out.
const MAX_INSTANCES: usize = 40;

/// How many instances of each size reach the error, by the length of a shortest trace; `None` where there are too
/// many instances of a size. (Some of them would not be the same: their order is another one.)
fn distances(system: &System, error: &NamedError) -> Option<BTreeMap<(usize, Option<usize>), usize>> {
    let mut counted = BTreeMap::new();
    for size in 1..=SIZES {
        let all: Vec<_> = trees(system, size).take(MAX_INSTANCES + 1).collect();
        if all.len() > MAX_INSTANCES {
            return None;
        }
        for tree in all {
            let net = unfold(system, &tree);
            let options = SearchOptions { max_states: 100_000, ..SearchOptions::default() };
            let unlimited = Budget::unlimited();
            let mut found = find(system, &net, &error.formula, Reduction::default(), &options, &unlimited);
            let steps = found.errors.remove(0).trace.map(|trace| trace.steps.len());
            *counted.entry((size, steps)).or_default() += 1;
        }
    }
    Some(counted)
}

#[test]
fn memory_changes_nothing_in_what_a_system_does() {
    let mut compared = 0;
    for seed in seeds(40, 400) {
        let Some((text, system)) = random::system(seed) else { continue };
        for error in errors(&system).iter().take(2) {
            let Some(before) = distances(&system, error) else { continue };
            for (component, definition) in system.types.enumerate() {
                for state in definition.states.indices() {
                    for history in [History::Visited(state), History::CameBy(state)] {
                        let Some(after) = with_history(&system, error, component, history) else { continue };
                        let found = distances(&after.system, &after.error);
                        assert_eq!(
                            found.as_ref(),
                            Some(&before),
                            "seed {seed}, {history:?}, {}\n{text}",
                            error.name
                        );
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared > 100, "{compared}");
}
