//! What types variables can have, and what follows.

use super::{NODE, codes, system};
use crate::system::System;

const OTHERS: &str = "component Plain { states p, idle; init p; p -in-> p; p -> idle; }
component Root { states r; init r; r -in-> r; }\n";

fn names(system: &System, types: &[crate::component::TypeId]) -> Vec<String> {
    types.iter().map(|&component| system.types[component].name.clone()).collect()
}

/// The types of a variable of a rule.
fn types(system: &System, rule: &str, variable: &str) -> Vec<String> {
    let rule = system.rules.iter().find(|found| found.label == rule).unwrap();
    let variable = rule.variables.iter().find(|found| found.name == variable).unwrap();
    names(system, &variable.types)
}

#[test]
fn owned_types_come_from_below_and_are_exact_in_each_rule() {
    let system = system(&format!(
        "{NODE}{OTHERS}Main() <- new x, y . <out(x) in(y)> (Chain(x, y));
         Chain(x, y) <- <out(x) in(y) + in(x)> (Node(x), Root(y));
         Chain(x, y) <- new z . <out(z) in(y) + in(x)> (Plain(x), Chain(z, y));"
    ));
    assert_eq!(types(&system, "Main.1", "x"), ["Node", "Plain"]);
    assert_eq!(types(&system, "Main.1", "y"), ["Root"]);
    assert_eq!(types(&system, "Chain.1", "x"), ["Node"]);
    assert_eq!(types(&system, "Chain.2", "x"), ["Plain"]);
    assert_eq!(types(&system, "Chain.2", "z"), ["Node", "Plain"]);
    assert_eq!(
        names(&system, &system.predicates.iter().nth(1).unwrap().parameters[0].types),
        ["Node", "Plain"]
    );
}

#[test]
fn borrowed_types_come_from_callers_that_occur() {
    let text = format!(
        "{NODE}{OTHERS}Main() <- new x, y . <out(y)> (Node(x), Use(y, x), Plain(y));
         Use(y, x) <- new z, v . <out(z) in(x) + in(z) in(y)> (Node(z), Root(v), Use(v, x));
         Use(y, x) <- new z . <out(z) in(y) in(x)> (Node(z));
         Spare(x) <- new y, z . (Use(x, z), Root(z), Root(y));"
    );
    // A Plain has no port out.
    assert_eq!(codes(&text), ["E0218"]);
    let system = super::load(&text.replace("<out(y)>", "<in(y)>")).system.unwrap();
    assert_eq!(types(&system, "Use.1", "y"), ["Plain", "Root"]);
    assert_eq!(types(&system, "Use.1", "x"), ["Node"]);
    assert_eq!(types(&system, "Spare.1", "x"), [""; 0]);
}

#[test]
fn an_unreachable_predicate_is_not_blamed_for_what_it_borrows() {
    let text = format!(
        "{NODE}{OTHERS}Main() <- new x . <out(x) + in(x)> (Node(x), Use(x));
         Use(x) <- new p, y . <in(p) in(y)> (Plain(p), Root(y));
         Spare(x) <- new y . <out(x) in(y)> forbid <p(x) idle(y)> (Node(y));"
    );
    let mut found = codes(&text);
    found.retain(|code| code.starts_with('E'));
    assert_eq!(found, [""; 0]);
    // But for what it creates it is.
    assert!(
        codes(&text.replace("(Node(y));", "(Root(y));").replace("in(y)> forbid", "out(y)> forbid"))
            .contains(&"E0218")
    );
}

#[test]
fn a_pattern_state_without_type_means_the_types_the_variable_can_be() {
    let system = system(&format!(
        "{NODE}{OTHERS}Main() <- new x, y . <out(x) in(y)> forbid <idle(x) idle(y)> (Node(x), Sub(y));
         Sub(y) <- Node(y) | Plain(y) | Root(y);
         critical idle;"
    ));
    let rule = system.rules.iter().next().unwrap();
    let shown: Vec<Vec<String>> = rule.patterns[0]
        .conditions
        .iter()
        .map(|(_, states)| states.iter().map(|&(t, s)| system.state_name(t, s)).collect())
        .collect();
    assert_eq!(shown, [vec!["Node.idle"], vec!["Node.idle", "Plain.idle"]]);
}

#[test]
fn one_type_of_several_with_the_port_is_enough() {
    system(&format!(
        "{NODE}{OTHERS}Main() <- new x, y . <out(x) in(y)> (Sub(x), Sub(y));
         Sub(y) <- Node(y) | Plain(y) | Root(y);"
    ));
}

#[test]
fn a_port_that_a_variable_lacks_is_reported_once_per_rule() {
    let text = format!(
        "{NODE}{OTHERS}link pass(x, y) = <out(x) in(y) + out(x)>;
         Main() <- new x, y . <out(x) in(y) + in(y) + in(x) out(y) + pass(x, y) + out(x)> (Plain(x), Node(y));"
    );
    let mut found = codes(&text);
    found.retain(|code| code.starts_with('E'));
    assert_eq!(found, ["E0218"]);
}
