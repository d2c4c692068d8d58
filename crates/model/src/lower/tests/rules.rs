//! Rules, the system's predicate, duplicates, component types.

use pretty_assertions::assert_eq;

use super::{NODE, codes, load, system};
use crate::statistics::Statistics;
use crate::system::System;

fn labels(system: &System) -> Vec<&str> {
    system.rules.iter().map(|rule| rule.label.as_str()).collect()
}

#[test]
fn every_alternative_is_a_rule_numbered_per_predicate() {
    let system = system(&format!(
        "{NODE}Sys() <- new x, y . <out(x) in(y)> (Sub(x), Sub(y)) | (Sys(), Sys());
         Sub(x) <- Node(x) | Node[busy](x);
         Sys() <- new x . <in(x)> (Sub(x));
         Sub(x) <- Node[*](x);"
    ));
    assert_eq!(labels(&system), ["Sys.1", "Sys.2", "Sub.1", "Sub.2", "Sys.3", "Sub.3"]);
    assert_eq!(system.name(), "Sys");
    assert_eq!(system.kappa(), 2);
    assert_eq!(
        Statistics::of(&system).to_string(),
        "1 component type (2 states), 2 predicates, 6 rules, 2 interactions, κ = 2"
    );
}

#[test]
fn system_names_the_root() {
    let system =
        system(&format!("{NODE}system Sys;\nSub(x) <- <out(x) + in(x)> Node(x);\nSys() <- new x . Sub(x);"));
    assert_eq!(system.name(), "Sys");
}

#[test]
fn initial_states_per_type_and_per_instance() {
    let system = system(
        "component T { states a, b, c; init c, a; a -p-> b; b -p-> c; }
         component U { states a, b; a -> b; }
         Sys() <- new x, y, z, u, v . <p(x) + p(y) + p(z)> (T(x), T[b](y), T[*](z), U[b, a](u), U[*](v));",
    );
    let rule = system.rules.iter().next().unwrap();
    let initial: Vec<Vec<&str>> = rule
        .instance_atoms()
        .map(|atom| {
            let component = &system.types[atom.component];
            atom.initial.iter().map(|&state| component.states[state].name.as_str()).collect()
        })
        .collect();
    assert_eq!(initial, [vec!["a", "c"], vec!["b"], vec!["a", "b", "c"], vec!["a", "b"], vec!["a", "b"]]);
}

#[test]
fn final_and_init_of_all_states() {
    let system = system(
        "component T { states a, b; init *; final *; a -p-> b; }
         component U { states a, b; init a; final b; a -p-> b; }
         Sys() <- new x, y . <p(x) p(y)> (T(x), U(y));",
    );
    let finals: Vec<Vec<bool>> = system
        .types
        .iter()
        .map(|component| component.states.iter().map(|state| state.is_final).collect())
        .collect();
    assert_eq!(finals, [[true, true], [false, true]]);
    assert_eq!(system.types.iter().next().unwrap().initial.len(), 2);
}

#[test]
fn a_port_name_is_one_port_of_many_types_and_transitions() {
    let system = system(
        "component T { states a, b; init a; a -p-> b; b -p-> a; a -p-> a; b -> a; }
         component U { states a; init a; a -p-> a; }
         Sys() <- new x, y . <p(x) p(y)> (T(x), U(y));",
    );
    assert_eq!(system.ports.as_slice(), ["p"]);
    let component = system.types.iter().next().unwrap();
    let port = system.ports.indices().next().unwrap();
    assert_eq!(component.transitions_on(port).count(), 3);
    assert_eq!(component.internal_transitions().count(), 1);
}

#[test]
fn duplicates_are_left_out() {
    let text = format!(
        "{NODE}Sys() <- new x, y . <out(x) in(y)> (Sub(x), Node(y));
         Sub(x) <- new a, b, c . <out(a) in(b) + out(b) in(c) + out(c) in(x)> (Node(x), Node(a), Node(b), Node(c));
         Sub(y) <- new x, b, d . <in(y) out(d) + out(x) in(d) + out(b) in(x)> (Node(b), Node(d), Node(y), Node(x));
         Sub(x) <- new a, b, c . <out(a) in(b) + out(b) in(a) + out(c) in(x)> (Node(x), Node(a), Node(b), Node(c));
         Sub(x) <- Node(x);"
    );
    assert_eq!(codes(&text), ["W0201"]);
    let system = load(&text).system.unwrap();
    assert_eq!(labels(&system), ["Sys.1", "Sub.1", "Sub.3", "Sub.4"]);
    assert_eq!(Statistics::of(&system).interactions, 1 + 3 + 3);
}

#[test]
fn rules_that_differ_are_kept() {
    system(&format!(
        "{NODE}Sys() <- new x, y . <out(x) in(y)> (Sub(x, y));
         Sub(x, y) <- <out(x) in(y)> (Node(x), Node(y));
         Sub(x, y) <- <out(y) in(x)> (Node(x), Node(y));
         Sub(x, y) <- <out(x) in(y)> (Node[busy](x), Node(y));
         Sub(x, y) <- <out(x) in(y)> (Node(x), Node[busy](y));
         Sub(x, y) <- <out(x) in(y)> forbid <busy(x)> (Node(x), Node(y));
         Sub(x, y) <- <out(x) in(y)> forbid <busy(y)> (Node(x), Node(y));
         Sub(x, y) <- <out(x) in(y)> forbid near <busy(y)> (Node(x), Node(y));
         Sub(x, y) <- <out(x) in(y)> (Sub(x, y));
         Sub(x, y) <- <out(x) in(y)> (Sub(y, x));"
    ));
}

#[test]
fn faults_at_several_levels_are_each_reported_and_their_consequences_not() {
    // B and D are at fault themselves; Sys and C only need B.
    let text = format!(
        "{NODE}Sys() <- (B(), C());
         B() <- B();
         C() <- new x . <out(x)> (Node(x), B()) | C();
         D() <- (B(), D());"
    );
    assert_eq!(codes(&text), ["E0227", "E0227"]);
}
