//! Tests of markings and errors on a ring built by hand.

use super::*;
use crate::instance::enumerate::trees;
use crate::instance::tests::{RuleParts, component, system, token_ring};
use crate::instance::unfold::unfold;
use crate::model::component::TypeId;
use crate::model::error::Count;

fn busy(comparison: Comparison, bound: u64) -> ErrorFormula {
    ErrorFormula::Count(Count { weights: vec![(TypeId::new(0), StateId::new(1), 1)], comparison, bound })
}

fn marking(states: &[usize]) -> Marking {
    states.iter().copied().map(StateId::new).collect()
}

#[test]
fn errors_of_a_ring() {
    let system = token_ring();
    let net = unfold(&system, &trees(&system, 3).next().unwrap());
    let holds = |formula: &ErrorFormula, states: &[usize]| {
        evaluate(&system, &net, formula, &marking(states)).expect("no formula over components")
    };
    assert!(holds(&busy(Comparison::AtLeast, 2), &[1, 0, 1]));
    assert!(!holds(&busy(Comparison::AtLeast, 2), &[1, 0, 0]));
    assert!(holds(&busy(Comparison::Equal, 0), &[0, 0, 0]));
    // Every transition needs one busy and one idle node.
    assert!(holds(&ErrorFormula::Deadlock, &[0, 0, 0]));
    assert!(holds(&ErrorFormula::Deadlock, &[1, 1, 1]));
    assert!(!holds(&ErrorFormula::Deadlock, &[1, 0, 1]));
    let pattern = ErrorFormula::Pattern(PatternGroupId::new(0));
    assert!(holds(&pattern, &[1, 0, 1]));
    assert!(!holds(&pattern, &[1, 1, 0]));
    let both =
        ErrorFormula::And(vec![pattern.clone(), ErrorFormula::Not(Box::new(busy(Comparison::Equal, 2)))]);
    assert!(!holds(&both, &[1, 0, 1]));
    assert!(holds(&both, &[1, 1, 1]));
    assert!(holds(&ErrorFormula::And(vec![]), &[0, 0, 0]));
    assert!(!holds(&ErrorFormula::Or(vec![]), &[0, 0, 0]));
}

#[test]
fn a_final_marking_is_no_deadlock() {
    // One component that goes from a to the final state B, and there rests.
    let types = vec![component("C", &["a", "B", "c"], &[0], &[(0, None, 1)])];
    let rule =
        RuleParts { head: 0, variables: (0, 1), instances: &[(0, &[0], 0)], calls: &[], interactions: &[] };
    let system = system(types, &[], &[("P", &[])], &[rule]);
    let net = unfold(&system, &trees(&system, 1).next().unwrap());
    let deadlock = |state| evaluate(&system, &net, &ErrorFormula::Deadlock, &marking(&[state]));
    assert_eq!(deadlock(0), Some(false));
    assert_eq!(deadlock(1), Some(false));
    assert_eq!(deadlock(2), Some(true));
}

#[test]
fn formulas_over_components_get_no_answer() {
    let system = token_ring();
    let net = unfold(&system, &trees(&system, 2).next().unwrap());
    let wsks = ErrorFormula::Wsks("true".to_owned());
    let or = ErrorFormula::Or(vec![ErrorFormula::And(vec![]), ErrorFormula::Not(Box::new(wsks))]);
    assert_eq!(evaluate(&system, &net, &or, &net.initial()), None);
    assert!(!is_evaluable(&or));
}

#[test]
fn markings_by_node_and_back() {
    let system = token_ring();
    let tree = trees(&system, 3).next().unwrap();
    let net = unfold(&system, &tree);
    let by_node = to_tree(&net, &marking(&[1, 0, 1]), tree.nodes.len());
    let state = StateId::new;
    assert_eq!(by_node, vec![vec![], vec![state(1)], vec![state(0), state(1)]]);
    assert_eq!(from_tree(&net, &by_node), Some(marking(&[1, 0, 1])));
    assert_eq!(from_tree(&net, &vec![vec![], vec![state(1)], vec![state(0)]]), None);
    assert_eq!(from_tree(&net, &vec![vec![], vec![state(1)], vec![state(0), state(7)]]), None);
    assert_eq!(from_tree(&net, &vec![vec![state(0)], vec![state(1)], vec![state(0)]]), None);
}
