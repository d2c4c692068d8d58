use super::{Condition, NoCondition};
use crate::triple::{CounterId, LocationId};
use paramcheck_model::component::StateId;
use paramcheck_model::error::ErrorFormula;
use paramcheck_model::lower::load;
use paramcheck_model::system::System;
use paramcheck_nets::instance::enumerate::trees;
use paramcheck_nets::instance::marking::ErrorCheck;
use paramcheck_nets::instance::net::Net;
use paramcheck_nets::instance::term::parse_term;
use paramcheck_nets::instance::unfold::unfold;
use paramcheck_text::index::Idx;

fn system(text: &str) -> System {
    let loaded = load(text);
    loaded.system.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics))
}

/// Whether a marking is in a condition, by the plainest reading of it.
fn holds(condition: &Condition, net: &Net, is_final: bool, marking: &[StateId]) -> bool {
    let at = |counter: CounterId, locations: &[LocationId]| {
        locations.iter().any(|location| location.index() == marking[counter.index()].index())
    };
    match condition {
        Condition::Constant(value) => *value,
        Condition::Stuck => net.is_dead(&marking.iter().copied().collect()),
        Condition::Terminated => is_final,
        Condition::At(counter, locations) => at(*counter, locations),
        Condition::Did(_) | Condition::Can(_) | Condition::Holds(_) => panic!("{condition:?}"),
        Condition::Count(terms, comparison, bound) => {
            let inside = terms.iter().filter(|term| at(term.counter, &term.locations));
            comparison.holds(inside.map(|term| term.weight).sum(), *bound)
        }
        Condition::Not(inner) => !holds(inner, net, is_final, marking),
        Condition::And(parts) => parts.iter().all(|part| holds(part, net, is_final, marking)),
        Condition::Or(parts) => parts.iter().any(|part| holds(part, net, is_final, marking)),
    }
}

/// Holds the condition of a formula against [`ErrorCheck`] in all markings of small instances, reachable or
/// not; how many are in it.
fn compare(system: &System, formula: &ErrorFormula, sizes: std::ops::RangeInclusive<usize>) -> usize {
    let mut count = 0;
    for tree in sizes.flat_map(|size| trees(system, size)) {
        let net = unfold(system, &tree);
        let condition = Condition::of_error(system, &net, formula).unwrap();
        let check = ErrorCheck::new(system, &net, formula);
        let places = net.components().iter().map(|component| (0..component.state_count).map(StateId::new));
        for marking in itertools::Itertools::multi_cartesian_product(places) {
            let is_final = net
                .components()
                .iter()
                .zip(&marking)
                .all(|(component, state)| system.types[component.component_type].states[*state].is_final);
            let expected = check.holds(&net, &marking.iter().copied().collect()).unwrap();
            assert_eq!(holds(&condition, &net, is_final, &marking), expected, "{condition:?} {marking:?}");
            count += usize::from(expected);
        }
    }
    count
}

const CHAIN: &str = "
    component C { states a, b, c, d, e; init a; final e; a -p-> b; b -> c; c -q-> d; d -p-> e; }
    component D { states a, f; init a; final f; a -q-> f; }
    A() <- new x, y . <q(x) q(y)> forbid near <f(x)> (B(x, y));
    B(x, y) <- <p(y)> forbid near <b(x) c(y)> (C(x), C(y)) | (D(x), C(y));
    B(x, y) <- new z . <q(x) q(z)> forbid near <C.c(x) a(z)> (C(x), B(z, y));
";

#[test]
fn conditions_are_what_errors_are() {
    let errors = "
        error counts = #a + #b + #b >= 3 | #C.c == 1 & !(#e < 1);
        error sums = #a + #f + #a + #d + #d + #d + #d + #d + #d <= 5;
        error some = near & !deadlock | deadlock & #f > 0;
        error every = #a + #b + #c + #d + #e + #f == 3;
        error large = #a + #b >= 18446744073709551615 | #c != 18446744073709551615 & #c + #d > 1;
        error equal = wsks { ex1 x, y: x in b & y in c & x != y } & near;
        error sets = wsks { all2 X: b sub X => X = C };";
    let system = system(&format!("{CHAIN}{errors}"));
    assert_eq!(system.errors.len(), 8);
    for error in system.errors.iter().chain([&System::deadlock()]) {
        let count = compare(&system, &error.formula, 2..=4);
        assert!(count > 0 && count < 2_000, "{}: {count}", error.name);
    }
}

#[test]
fn formulas_over_components_are_counted_in_the_instance_where_need_be() {
    // Too many cases for all instances at once.
    let errors = "error many = wsks { ex2 X, Y: ex1 x: x in X & x in a & Y sub b & Y != c
        & (d = Y | e sub Y) & (x in f | X sub D | x in Y | f sub X) };";
    let system = system(&format!("{CHAIN}{errors}"));
    let formula = &system.errors.iter().last().unwrap().formula;
    assert!(formula.counting().is_err());
    assert!(compare(&system, formula, 2..=4) > 0);
    let large = unfold(&system, &trees(&system, 12).next().unwrap());
    let refused = Condition::of_error(&system, &large, formula).unwrap_err();
    assert!(matches!(refused, NoCondition::Components(_)), "{refused}");
}

#[test]
fn sums_that_no_program_can_add_are_refused() {
    let term = "#a + ".repeat(20_000);
    let system = system(&format!("{CHAIN} error huge = {term}#b >= 20000;"));
    let formula = &system.errors.iter().last().unwrap().formula;
    let net = |chain: usize| {
        let tree = parse_term(&system, &format!("A.1(B.3^{chain}(B.1))")).unwrap();
        unfold(&system, &tree)
    };
    assert!(matches!(Condition::of_error(&system, &net(50_000), formula), Ok(Condition::Count(..))));
    assert_eq!(Condition::of_error(&system, &net(110_000), formula), Err(NoCondition::Sum));
}
