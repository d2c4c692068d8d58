//! Exploration of the corpus: errors are reached at the size expected, and nowhere else.

use paramcheck::explore::instances::{InstancesEnd, search_instances};
use paramcheck::explore::trace::replay;
use paramcheck::instance::marking::evaluate;
use paramcheck::support::limits::Budget;

use super::support::{case, expected};

/// Sizes explored of systems without the error.
const SIZES: usize = 6;

fn explore_folder(folder: &str) {
    for (model, error, entry) in expected(folder) {
        let system = case(&model);
        let formula = system.error_named(&error).expect("a known error").formula;
        let smallest = entry["smallest_size"].as_u64().map(|size| size as usize);
        let last = smallest.unwrap_or(SIZES);
        let outcome = search_instances(&system, &formula, 1..=last, 10_000_000, &Budget::unlimited());
        match smallest {
            Some(size) => {
                assert_eq!(outcome.end, InstancesEnd::Reached, "{model} {error}");
                let reached = outcome.reached.expect("reached");
                assert_eq!(reached.tree.size(), size, "{model} {error}");
                let marking = replay(&reached.net, &reached.trace).expect("a firing sequence");
                assert_eq!(
                    evaluate(&system, &reached.net, &formula, &marking),
                    Some(true),
                    "{model} {error}"
                );
            }
            None => assert_eq!(outcome.end, InstancesEnd::AllExplored, "{model} {error}"),
        }
    }
}

#[test]
fn table1() {
    explore_folder("table1");
}

#[test]
fn more() {
    explore_folder("more");
}

#[test]
fn classic() {
    explore_folder("classic");
}
