//! Tests of the search over instances on the token ring.

use super::*;
use crate::explore::trace::replay;
use crate::instance::tests::token_ring;
use paramcheck_model::component::{StateId, TypeId};
use paramcheck_model::error::{Comparison, Count};
use paramcheck_text::index::Idx;

fn idle(comparison: Comparison, bound: u64) -> ErrorFormula {
    ErrorFormula::Count(Count { weights: vec![(TypeId::new(0), StateId::new(0), 1)], comparison, bound })
}

#[test]
fn errors_are_found_in_the_smallest_instance() {
    let system = token_ring();
    let outcome = search_instances(&system, &idle(Comparison::AtLeast, 4), 1..=9, 1000, &Budget::unlimited());
    assert_eq!(outcome.end, InstancesEnd::Reached);
    let reached = outcome.reached.unwrap();
    assert_eq!(reached.tree.size(), 5);
    assert!(replay(&reached.net, &reached.trace).is_ok());
    let explored: Vec<_> = outcome.explored.iter().map(|e| (e.size, e.instances, e.states)).collect();
    assert_eq!(explored, [(1, 0, 0), (2, 1, 2), (3, 1, 3), (4, 1, 4)]);
}

#[test]
fn limits_leave_what_was_explored() {
    let system = token_ring();
    let deadlock = ErrorFormula::Deadlock;
    let all = search_instances(&system, &deadlock, 2..=6, 1000, &Budget::unlimited());
    assert_eq!((all.end, all.instances, all.states), (InstancesEnd::AllExplored, 5, 20));
    let some = search_instances(&system, &deadlock, 2..=6, 8, &Budget::unlimited());
    assert_eq!((some.end, some.instances, some.states), (InstancesEnd::StateLimit, 2, 8));
    assert_eq!(some.explored.last().map(|explored| explored.size), Some(3));
}
