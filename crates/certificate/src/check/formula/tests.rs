//! The optimistic evaluation against brute force, and the layout of error states.

use std::sync::Arc;

use super::Formula;
use crate::check::Rejection;
use crate::data::ErrorState;
use paramcheck_model::component::{ComponentType, State, StateId, TypeId};
use paramcheck_model::error::wsks::{Builder, Order, Part, Quantifier, Variable};
use paramcheck_model::error::{Comparison, Count, ErrorFormula};
use paramcheck_model::rule::PatternGroupId;
use paramcheck_text::index::{Idx, IndexVec};

const COMPARISONS: [Comparison; 6] = [
    Comparison::AtLeast,
    Comparison::AtMost,
    Comparison::Greater,
    Comparison::Less,
    Comparison::Equal,
    Comparison::NotEqual,
];

fn count(state: usize, comparison: Comparison, bound: u64) -> ErrorFormula {
    let weights = vec![(TypeId::new(0), StateId::new(state), 1)];
    ErrorFormula::Count(Count { weights, comparison, bound })
}

fn pattern(group: usize) -> ErrorFormula {
    ErrorFormula::Pattern(PatternGroupId::new(group))
}

fn not(formula: ErrorFormula) -> ErrorFormula {
    ErrorFormula::Not(Box::new(formula))
}

/// Formulas that meet every atom under both signs and both connectives.
fn formulas() -> Vec<ErrorFormula> {
    let mut atoms = vec![ErrorFormula::Deadlock, pattern(0)];
    for comparison in COMPARISONS {
        atoms.extend([0, 1, 2].map(|bound| count(0, comparison, bound)));
    }
    let mut formulas = vec![ErrorFormula::And(Vec::new()), ErrorFormula::Or(Vec::new())];
    for (number, atom) in atoms.iter().enumerate() {
        formulas.extend([atom.clone(), not(atom.clone())]);
        let other = &atoms[(number * 7 + 3) % atoms.len()];
        formulas.push(ErrorFormula::And(vec![atom.clone(), not(other.clone())]));
        formulas.push(not(ErrorFormula::Or(vec![atom.clone(), not(not(other.clone()))])));
        formulas.push(ErrorFormula::Or(vec![
            not(ErrorFormula::And(vec![atom.clone(), other.clone()])),
            pattern(0),
        ]));
    }
    formulas
}

/// All error states of a formula, counts up to 3.
fn states(formula: &Formula) -> Vec<ErrorState> {
    let mut states = vec![formula.empty_state()];
    let mut extend = |change: &dyn Fn(&ErrorState) -> Vec<ErrorState>| {
        states = states.iter().flat_map(change).collect();
    };
    extend(&|s| [false, true].map(|live| ErrorState { live, ..s.clone() }).to_vec());
    extend(&|s| [false, true].map(|unfinished| ErrorState { unfinished, ..s.clone() }).to_vec());
    for bit in 0..formula.empty_state().patterns.len() {
        extend(&|s| {
            let mut other = s.clone();
            other.patterns[bit] = true;
            vec![s.clone(), other]
        });
    }
    for index in 0..formula.empty_state().counts.len() {
        extend(&|s| {
            (0..=3)
                .map(|sum| {
                    let mut other = s.clone();
                    other.counts[index] = sum;
                    other
                })
                .collect()
        });
    }
    states.retain(|state| formula.fault_in(state).is_none());
    states
}

#[test]
fn what_can_come_true_is_never_given_up() {
    for error in formulas() {
        let formula = Formula::new(&error).unwrap();
        let states = states(&formula);
        for state in &states {
            let later = states.iter().any(|more| formula.holds(&formula.add(state, more)));
            if later {
                assert!(formula.can_hold(state), "{error:?} {state:?}");
            }
            // What a subtree gives up, everything around it gives up.
            if !formula.can_hold(state) {
                assert!(states.iter().all(|more| !formula.can_hold(&formula.add(state, more))));
            }
        }
    }
}

#[test]
fn single_atoms_are_given_up_in_time() {
    let mut atoms = vec![ErrorFormula::Deadlock, pattern(0), not(pattern(0))];
    for comparison in COMPARISONS {
        atoms.extend([0, 1, 2].map(|bound| count(0, comparison, bound)));
        atoms.extend([0, 1, 2].map(|bound| not(count(0, comparison, bound))));
    }
    for error in atoms {
        let formula = Formula::new(&error).unwrap();
        let states = states(&formula);
        for state in &states {
            let later = states.iter().any(|more| formula.holds(&formula.add(state, more)));
            assert_eq!(formula.can_hold(state), later, "{error:?} {state:?}");
        }
    }
}

#[test]
fn comparisons_of_one_sum_share_its_value() {
    let between = ErrorFormula::And(vec![
        count(0, Comparison::AtLeast, 1),
        count(1, Comparison::Less, 3),
        not(count(0, Comparison::Greater, 4)),
        count(0, Comparison::NotEqual, 2),
    ]);
    let formula = Formula::new(&between).unwrap();
    let state = |first, second| ErrorState { counts: vec![first, second], ..ErrorState::default() };
    assert_eq!(formula.empty_state(), state(0, 0));
    assert_eq!(formula.add(&state(4, 3), &state(4, 3)), state(5, 4));
    assert!(formula.fault_in(&state(5, 4)).is_none() && formula.fault_in(&state(6, 4)).is_some());
    for (first, second) in (0..=5).flat_map(|first| (0..=4).map(move |second| (first, second))) {
        let expected = first >= 1 && second < 3 && first <= 4 && first != 2;
        assert_eq!(formula.holds(&state(first, second)), expected);
        assert_eq!(formula.can_hold(&state(first, second)), second < 3 && first <= 4);
    }
}

#[test]
fn exact_at_the_root() {
    let both = ErrorFormula::And(vec![ErrorFormula::Deadlock, not(count(0, Comparison::AtLeast, 2))]);
    let formula = Formula::new(&both).unwrap();
    let state = |live, unfinished, sum| ErrorState { live, unfinished, patterns: vec![], counts: vec![sum] };
    assert!(formula.holds(&state(false, true, 1)));
    assert!(!formula.holds(&state(true, true, 1)));
    assert!(!formula.holds(&state(false, false, 1)));
    assert!(!formula.holds(&state(false, true, 2)));
    for comparison in COMPARISONS {
        for (bound, sum) in (0..3).flat_map(|bound| (0..=bound + 1).map(move |sum| (bound, sum))) {
            let formula = Formula::new(&count(0, comparison, bound)).unwrap();
            let state = ErrorState { counts: vec![sum], ..ErrorState::default() };
            assert_eq!(formula.holds(&state), comparison.holds(sum, bound));
        }
    }
}

#[test]
fn atoms_are_numbered_from_left_to_right() {
    let error = ErrorFormula::Or(vec![
        not(ErrorFormula::And(vec![pattern(4), count(0, Comparison::Equal, 5)])),
        pattern(2),
        ErrorFormula::And(vec![count(1, Comparison::Less, 7), pattern(4)]),
    ]);
    let formula = Formula::new(&error).unwrap();
    assert_eq!(formula.bit_of(PatternGroupId::new(4)), Some(0));
    assert_eq!(formula.bit_of(PatternGroupId::new(2)), Some(1));
    assert_eq!(formula.bit_of(PatternGroupId::new(0)), None);
    let of_state = |state| {
        let component = formula.component_state(TypeId::new(0), StateId::new(state), false, true);
        component.counts
    };
    assert_eq!(of_state(0), [1, 0]);
    assert_eq!(of_state(1), [0, 1]);
    assert_eq!(of_state(2), [0, 0]);
    // Deadlock is not mentioned: nothing is noted of it.
    let component = formula.component_state(TypeId::new(0), StateId::new(0), false, true);
    assert!(!component.live && !component.unfinished);
}

#[test]
fn sums_are_saturated_above_the_bound() {
    let formula = Formula::new(&count(0, Comparison::Equal, 2)).unwrap();
    let state = |sum| ErrorState { counts: vec![sum], ..ErrorState::default() };
    assert_eq!(formula.add(&state(2), &state(3)), state(3));
    assert!(formula.fault_in(&state(3)).is_none());
    assert!(formula.fault_in(&state(4)).is_some());
    assert!(formula.fault_in(&ErrorState::default()).is_some());
    assert!(formula.fault_in(&ErrorState { live: true, ..state(0) }).is_some());
}

#[test]
fn unsupported_formulas() {
    let mut builder = Builder::default();
    let mut whole = builder.add(Part::Constant(true));
    for number in (0..30).rev() {
        let variable = Variable::new(number).unwrap();
        let quantifier = Quantifier { is_universal: false, order: Order::First };
        let inside = builder.add(Part::Same(variable, variable));
        let body = builder.add(Part::And(vec![inside, whole]));
        whole = builder.add(Part::Quantified { quantifier, variable, name: "x".to_owned(), body });
    }
    // Thirty different colours, each counted up to thirty.
    let state = |index: usize| State { name: format!("s{index}"), is_final: false };
    let states = (0..30).map(state).collect();
    let sets: Vec<_> = (0..30)
        .map(|index| builder.set((None, format!("s{index}")), &[(TypeId::new(0), StateId::new(index))]))
        .collect();
    assert_eq!(sets.len(), 30);
    let types = IndexVec::from_iter([ComponentType {
        name: "T".to_owned(),
        states,
        initial: Vec::new(),
        transitions: IndexVec::new(),
    }]);
    let large = ErrorFormula::Components(Arc::new(builder.finish(whole, &types, |_| true)));
    let hidden = not(ErrorFormula::And(vec![ErrorFormula::Deadlock, large]));
    assert!(matches!(Formula::new(&hidden), Err(Rejection::Unsupported { .. })));
}

#[test]
fn what_is_compared_with_the_greatest_number_may_be_greater() {
    use Comparison::{AtLeast, AtMost, Equal, Greater, Less, NotEqual};
    let is = |comparison, bound, sum| {
        let count = super::Count { sum: 0, comparison, bound };
        [count.is(true, sum), count.is(false, sum)]
    };
    for comparison in [AtLeast, AtMost, Greater, Less, Equal, NotEqual] {
        for (sum, bound) in [(3, u64::MAX), (u64::MAX - 1, u64::MAX), (u64::MAX, u64::MAX - 1), (3, 3)] {
            let holds = comparison.holds(sum, bound);
            assert_eq!(is(comparison, bound, sum), [holds, !holds], "{sum} {} {bound}", comparison.symbol());
        }
    }
    assert_eq!([AtLeast, Less].map(|one| is(one, u64::MAX, u64::MAX)), [[true, false], [false, true]]);
    for unclear in [AtMost, Greater, Equal, NotEqual] {
        assert_eq!(is(unclear, u64::MAX, u64::MAX), [true, true], "{}", unclear.symbol());
    }
}

#[test]
fn deep_formulas_do_not_exhaust_the_stack() {
    let mut deep = ErrorFormula::Deadlock;
    for _ in 0..3_000 {
        deep = not(ErrorFormula::Or(vec![deep]));
    }
    let formula = Formula::new(&deep).unwrap();
    let state = ErrorState { unfinished: true, ..ErrorState::default() };
    assert!(formula.holds(&state) && formula.can_hold(&state));
}
