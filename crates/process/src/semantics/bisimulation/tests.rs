//! Tests of partition refinement on large systems.

use super::classes;
use crate::semantics::lts::{Lts, Transition};
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::{Budget, Stop};

/// A chain of `length` transitions; the last state ends.
fn chain(length: u32) -> Lts {
    let mut lts = Lts::new(IndexVec::from_iter(["tau".to_owned()]), Vec::new());
    let no_agent = lts.agent_set(&[]);
    for state in 0..=length {
        lts.add_state(state == length);
    }
    for state in 0..=length {
        let next = Transition { label: Idx::new(0), target: state + 1, agents: no_agent };
        lts.expand(if state < length { vec![next] } else { Vec::new() });
    }
    lts
}

#[test]
fn a_long_chain_is_not_refined_again_and_again() {
    // A round per state over all states would be 10^10 steps.
    let found = classes(&chain(100_000), &Budget::unlimited()).unwrap();
    assert_eq!(found, (0..=100_000).collect::<Vec<u32>>());
}

#[test]
fn nothing_has_no_classes() {
    assert_eq!(classes(&Lts::default(), &Budget::unlimited()).unwrap(), [0; 0]);
}

#[test]
fn the_budget_ends_it() {
    let budget = Budget::unlimited();
    budget.switch.stop(Stop::Interrupted);
    assert_eq!(classes(&chain(10_000), &budget), Err(Stop::Interrupted));
}
