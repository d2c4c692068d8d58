//! The quick forms of errors against their definition.

use super::*;
use crate::explore::system::Wide;
use crate::instance::enumerate::trees;
use crate::instance::marking::Marking;
use crate::instance::unfold::unfold;
use paramcheck_model::lower::load;

const MODEL: &str = "
    component A { states a, b, c; init a; a -p-> b; b -q-> c; c -r-> a; final a, c; }
    component B { states d, e; init d; d -p-> e; e -q-> d; final e; }
    S() <- new x, y . <p(x) p(y) + q(y)> forbid here <a(x) d(y) + c(x) e(y)> (A(x), T(x), B(y));
    T(x) <- new y . <q(x) p(y)> forbid here <b(x) e(y)> (B(y), T(x));
    T(x) <- new y . <r(x) q(y)> (A[*](y));
    error count = #a + #A.a + #e > 2;
    error mixed = deadlock | here & !(#c == 0);
    error rest = !deadlock & #d <= 1;
    error sets = wsks { ex1 x, y: x != y & x in c & y in e };";

#[test]
fn goals_hold_where_their_formulas_do() {
    let loaded = load(MODEL);
    let Some(system) = loaded.system else { panic!("{:#?}", loaded.diagnostics) };
    let mut holding = 0;
    for tree in (3..=6).flat_map(|size| trees(&system, size)) {
        let net = unfold(&system, &tree);
        let layout = Layout::new(&net);
        let mut markings: Vec<Marking> = vec![Marking::new()];
        for component in net.components() {
            let longer = markings.iter().flat_map(|marking| {
                (0..component.state_count).map(|state| {
                    let mut marking = marking.clone();
                    marking.push(paramcheck_model::component::StateId::new(state));
                    marking
                })
            });
            markings = longer.collect();
        }
        let errors = std::iter::once(System::deadlock()).chain(system.errors.iter().cloned());
        for error in errors {
            let check = ErrorCheck::new(&system, &net, &error.formula);
            let goal = goal::<Wide>(&system, &net, &layout, &error.formula);
            for marking in &markings {
                let expected = check.holds(&net, marking);
                let found = goal.holds(&layout.pack(marking), net.is_dead(marking));
                assert_eq!(found, expected, "{}: {marking:?}", error.name);
                holding += usize::from(found == Some(true));
            }
        }
    }
    assert!(holding > 100);
}

#[test]
fn formulas_that_imply_dead_markings_are_recognised() {
    let system = load(MODEL).system.expect("a system");
    let formula = |name: &str| system.error_named(name).expect("an error").formula;
    let (deadlock, mixed) = (formula("deadlock"), formula("mixed"));
    assert!(implies_dead(&deadlock) && !implies_dead(&mixed) && !implies_dead(&formula("rest")));
    assert!(implies_dead(&ErrorFormula::And(vec![mixed.clone(), deadlock.clone()])));
    assert!(!implies_dead(&ErrorFormula::Or(vec![mixed, deadlock.clone()])));
    assert!(implies_dead(&ErrorFormula::Or(vec![deadlock.clone(), deadlock.clone()])));
    assert!(!implies_dead(&ErrorFormula::Not(Box::new(deadlock))));
    assert!(depends_on_order(&formula("sets")) && !depends_on_order(&formula("count")));
}
