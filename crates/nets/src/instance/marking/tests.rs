//! Tests of markings and errors on a ring built by hand.

use std::sync::Arc;

use super::*;
use crate::instance::enumerate::trees;
use crate::instance::tests::{RuleParts, component, system, token_ring};
use crate::instance::unfold::unfold;
use paramcheck_model::component::{StateId, TypeId};
use paramcheck_model::error::Count;
use paramcheck_model::error::wsks::{Builder, Order, Part, Quantifier, SetTerm, Variable};
use paramcheck_model::system::System;

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
        evaluate(&system, &net, formula, &marking(states)).expect("nothing that takes work")
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

/// `ex2 X₁ … ex2 Xₙ: ex1 x: x in X₁ & … & x in Xₙ & x in the set of the busy`.
fn common_to_sets(system: &System, sets: usize) -> ErrorFormula {
    let quantifier = |order| Quantifier { is_universal: false, order };
    let variable = |number| Variable::new(number).expect("few variables");
    let mut builder = Builder::default();
    let busy = builder.set((None, "busy".to_owned()), &[(TypeId::new(0), StateId::new(1))]);
    let mut parts = vec![builder.add(Part::In(variable(sets), SetTerm::States(busy)))];
    parts
        .extend((0..sets).map(|set| builder.add(Part::In(variable(sets), SetTerm::Variable(variable(set))))));
    let mut whole = builder.add(Part::And(parts));
    for number in (0..=sets).rev() {
        let order = if number == sets { Order::First } else { Order::Second };
        let (quantifier, variable) = (quantifier(order), variable(number));
        whole =
            builder.add(Part::Quantified { quantifier, variable, name: format!("v{number}"), body: whole });
    }
    ErrorFormula::Components(Arc::new(builder.finish(whole, &system.types, |_| true)))
}

#[test]
fn formulas_over_components_are_evaluated() {
    let system = token_ring();
    let net = unfold(&system, &trees(&system, 4).next().unwrap());
    let formula = common_to_sets(&system, 2);
    let check = ErrorCheck::new(&system, &net, &formula);
    for (states, expected) in [([0, 0, 0, 0], false), ([0, 0, 1, 0], true), ([1, 1, 1, 1], true)] {
        assert_eq!(check.holds(&net, &marking(&states)), Some(expected));
        // Once more, from what is known.
        assert_eq!(check.holds(&net, &marking(&states)), Some(expected));
    }
}

#[test]
fn what_takes_too_long_is_not_decided() {
    let system = token_ring();
    let net = unfold(&system, &trees(&system, 40).next().unwrap());
    let formula = || ErrorFormula::Not(Box::new(common_to_sets(&system, 40)));
    // No component is busy, so all choices have to be tried.
    let nothing = marking(&[0; 40]);
    assert_eq!(evaluate(&system, &net, &formula(), &nothing), None);
    // Unless it does not matter.
    let any = ErrorFormula::Or(vec![formula(), ErrorFormula::Deadlock]);
    assert_eq!(evaluate(&system, &net, &any, &nothing), Some(true));
    let all = ErrorFormula::And(vec![formula(), busy(Comparison::AtLeast, 1)]);
    assert_eq!(evaluate(&system, &net, &all, &nothing), Some(false));
    let all = ErrorFormula::And(vec![formula(), busy(Comparison::AtLeast, 0)]);
    assert_eq!(evaluate(&system, &net, &all, &nothing), None);
}

#[test]
fn work_on_many_markings_of_a_net_ends_too() {
    let system = token_ring();
    let net = unfold(&system, &trees(&system, 12).next().unwrap());
    // Somebody is busy and not busy: whoever and whatever sets are tried. Each marking alone is no trouble.
    let variable = |number| Variable::new(number).expect("few variables");
    let mut builder = Builder::default();
    let busy = SetTerm::States(builder.set((None, "busy".to_owned()), &[(TypeId::new(0), StateId::new(1))]));
    let inside = builder.add(Part::In(variable(2), busy));
    let outside = builder.add(Part::Not(inside));
    let sets = [0, 1].map(|set| builder.add(Part::In(variable(2), SetTerm::Variable(variable(set)))));
    let mut whole = builder.add(Part::And([sets.as_slice(), &[inside, outside]].concat()));
    for (number, order) in [(2, Order::First), (1, Order::Second), (0, Order::Second)] {
        let (quantifier, name) = (Quantifier { is_universal: false, order }, format!("v{number}"));
        whole = builder.add(Part::Quantified { quantifier, variable: variable(number), name, body: whole });
    }
    let formula = ErrorFormula::Components(Arc::new(builder.finish(whole, &system.types, |_| true)));
    let check = ErrorCheck::new(&system, &net, &formula);
    let with_busy = |busy: usize| marking(&(0..12).map(|node| usize::from(node < busy)).collect::<Vec<_>>());
    assert!((0..=12).all(|busy| evaluate(&system, &net, &formula, &with_busy(busy)) == Some(false)));
    let decided = || (0..=12).filter(|&busy| check.holds(&net, &with_busy(busy)).is_some()).count();
    let first = decided();
    assert!((2..12).contains(&first), "{first}");
    // Those that were decided stay so.
    assert_eq!(decided(), first);
}

#[test]
fn markings_are_read_by_node() {
    let system = token_ring();
    let tree = trees(&system, 3).next().unwrap();
    let net = unfold(&system, &tree);
    let state = StateId::new;
    let by_node = vec![vec![], vec![state(1)], vec![state(0), state(1)]];
    assert_eq!(from_tree(&net, &by_node), Some(marking(&[1, 0, 1])));
    assert_eq!(from_tree(&net, &vec![vec![], vec![state(1)], vec![state(0)]]), None);
    assert_eq!(from_tree(&net, &vec![vec![], vec![state(1)], vec![state(0), state(7)]]), None);
    assert_eq!(from_tree(&net, &vec![vec![state(0)], vec![state(1)], vec![state(0)]]), None);
}
