//! Tests of the sweep over instances on the token ring.

use super::*;
use crate::explore::trace::replay;
use crate::instance::tests::token_ring;
use paramcheck_model::component::{StateId, TypeId};
use paramcheck_model::error::{Comparison, Count};
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Stop;

fn idle(comparison: Comparison, bound: u64) -> ErrorFormula {
    ErrorFormula::Count(Count { weights: vec![(TypeId::new(0), StateId::new(0), 1)], comparison, bound })
}

/// The complete sizes: their numbers of components, instances and states.
fn complete(sweep: &Sweep<'_>) -> Vec<(usize, usize, usize)> {
    let complete = sweep.sizes().iter().filter(|total| total.is_complete);
    complete.map(|total| (total.size, total.exhausted, total.states)).collect()
}

#[test]
fn errors_are_found_in_the_smallest_instance() {
    let system = token_ring();
    let error = idle(Comparison::AtLeast, 4);
    let mut sweep = Sweep::search(&system, &error, 1..=9, 1000);
    let reached = sweep.find(&Budget::unlimited()).unwrap();
    assert_eq!(sweep.end(), Some(End::Reached));
    assert_eq!(reached.tree.size(), 5);
    assert!(replay(&reached.net, &reached.trace).is_ok());
    assert_eq!(complete(&sweep), [(1, 0, 0), (2, 1, 2), (3, 1, 3), (4, 1, 4)]);
    assert_eq!(sweep.sizes().last().map(|total| total.reached.clone()), Some(vec![Reach::Reached]));
    assert!(sweep.next_within(&Budget::unlimited()).is_none());
}

#[test]
fn limits_leave_what_was_explored() {
    let system = token_ring();
    let run = |max_states| {
        let mut sweep = Sweep::search(&system, &ErrorFormula::Deadlock, 2..=6, max_states);
        assert!(sweep.find(&Budget::unlimited()).is_none());
        sweep
    };
    let all = run(1000);
    assert_eq!((all.end(), complete(&all).len(), all.states()), (Some(End::Exhausted), 5, 20));
    let some = run(8);
    assert_eq!((some.end(), some.states()), (Some(End::StateLimit), 8));
    assert_eq!(complete(&some), [(2, 1, 2), (3, 1, 3)]);
    // Where no state is left, nothing is reported about the next instance.
    let none = run(5);
    assert_eq!((none.end(), none.states()), (Some(End::StateLimit), 5));
    assert_eq!(none.sizes().last().map(|total| (total.size, total.instances)), Some((4, 0)));
}

#[test]
fn each_step_has_a_budget_of_its_own() {
    let system = token_ring();
    let mut sweep = Sweep::new(&system, &Selection::Sizes(2..=4), [], SearchOptions::default());
    let first = sweep.next_within(&Budget::unlimited()).expect("the ring of two");
    assert_eq!((first.tree.size(), first.found.states, sweep.end()), (2, 2, None));
    let stopped = Budget::unlimited();
    stopped.switch.stop(Stop::Memory);
    assert!(sweep.next_within(&stopped).is_none());
    assert_eq!(sweep.end(), Some(End::Stopped(Stop::Memory)));
    // Whether there is another instance of this size is not known.
    assert_eq!(complete(&sweep), []);
    assert_eq!(sweep.sizes().iter().map(|total| (total.size, total.exhausted)).collect::<Vec<_>>(), [(2, 1)]);
}
