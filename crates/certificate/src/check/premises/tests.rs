//! Models that lowering never makes.

use super::check;
use crate::check::Rejection;
use paramcheck_model::component::TypeId;
use paramcheck_model::lower::load;
use paramcheck_model::rule::{Atom, Ownership, PredicateId, RuleId, VariableId};
use paramcheck_model::system::System;
use paramcheck_text::index::Idx;

fn system() -> System {
    let text = "
        component Hub  { states free, taken; init free; free -grant-> taken; taken -back-> free; }
        component Leaf { states out, inside; init out; out -enter-> inside; inside -leave-> out; }
        Star() <- new h . (Hub(h), Leaves(h));
        Leaves(h) <- new x . <enter(x) grant(h) + leave(x) back(h)> (Leaf(x), Leaves(h));
        Leaves(h) <- new x . <enter(x) grant(h)> (Leaf(x));
        Unused(h) <- new x . (Leaf(x), Leaves(x), Leaves(h));";
    load(text).system.unwrap()
}

fn refused(change: impl FnOnce(&mut System)) -> String {
    let mut broken = system();
    change(&mut broken);
    match check(&broken) {
        Err(Rejection::Model { rule, problem }) => format!("{rule}: {problem}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_lowered_is_trusted() {
    // Also where a predicate that is not reachable passes types that never arrive.
    assert_eq!(check(&system()), Ok(()));
}

#[test]
fn broken_models_are_refused() {
    let (star, leaves) = (RuleId::new(0), RuleId::new(1));
    let (hub, leaf) = (TypeId::new(0), TypeId::new(1));
    let (root, predicate) = (PredicateId::new(0), PredicateId::new(1));
    let texts = [
        (refused(|s| s.root = predicate), "Leaves: the system has parameters"),
        (
            refused(|s| {
                s.rules[star].atoms.remove(0);
            }),
            "Star.1: the variable `h` has 0 owners",
        ),
        (
            refused(|s| {
                let atom = s.rules[star].atoms[0].clone();
                s.rules[star].atoms.push(atom);
            }),
            "Star.1: the variable `h` has 2 owners",
        ),
        (
            refused(|s| s.predicates[predicate].parameters[0].ownership = Ownership::Owned),
            "Star.1: the variable `h` has 2 owners",
        ),
        (
            refused(|s| s.predicates[predicate].parameters[0].types = vec![leaf]),
            "Star.1: the proof does not allow for `h` being a `Hub`",
        ),
        (
            refused(|s| s.rules[leaves].variables[VariableId::new(0)].types = vec![leaf]),
            "Leaves.1: the proof does not allow for `h` being a `Hub`",
        ),
        (
            refused(|s| s.rules[leaves].variables[VariableId::new(1)].types = vec![hub]),
            "Leaves.1: the proof does not allow for `x` being a `Leaf`",
        ),
        (
            refused(|s| {
                if let Atom::Predicate(call) = &mut s.rules[star].atoms[1] {
                    call.arguments.clear();
                }
            }),
            "Star.1: the arguments of `Leaves` do not fit",
        ),
        (
            refused(|s| {
                let interaction = &mut s.rules[leaves].interactions.iter_mut().next().unwrap();
                interaction.participants[1].1 = interaction.participants[0].1;
            }),
            "Leaves.1: a component takes part twice in interaction 0",
        ),
        (refused(|s| s.rules[leaves].head = root), "Leaves.1: 1 parameters instead of 0"),
    ];
    for (found, expected) in texts {
        assert_eq!(found, expected);
    }
}
