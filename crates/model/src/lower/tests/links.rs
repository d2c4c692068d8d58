//! What links stand for.

use pretty_assertions::assert_eq;

use super::{NODE, codes, system};
use crate::rule::Rule;
use crate::system::System;

/// A rule's interactions and patterns as text, in order.
fn contents(system: &System, rule: &Rule) -> Vec<String> {
    let name = |variable| rule.variables[variable].name.as_str();
    let interactions = rule.interactions.iter().map(|interaction| {
        let parts = interaction.participants.iter();
        let parts = parts.map(|&(port, variable)| format!("{}({})", system.ports[port], name(variable)));
        parts.collect::<Vec<_>>().join(" ")
    });
    let patterns = rule.patterns.iter().map(|pattern| {
        let parts = pattern.conditions.iter().map(|(variable, states)| {
            let states: Vec<String> = states.iter().map(|&(t, s)| system.state_name(t, s)).collect();
            format!("{}({})", states.join("|"), name(*variable))
        });
        format!("{}: {}", system.pattern_groups[pattern.group], parts.collect::<Vec<_>>().join(" "))
    });
    interactions.chain(patterns).collect()
}

fn first_rule(text: &str) -> Vec<String> {
    let system = system(text);
    contents(&system, system.rules.iter().next().unwrap())
}

#[test]
fn a_link_is_replaced_in_place() {
    let text = format!(
        "{NODE}link pass(a, b) = <out(a) in(b) + in(a) out(b)> forbid <busy(a) busy(b)> forbid near <idle(b)>;
         Ring() <- new x, y . <in(x) + pass(y, x) + out(x)> forbid <idle(x)> (Node(x), Node(y));"
    );
    assert_eq!(
        first_rule(&text),
        [
            "in(x)",
            "out(y) in(x)",
            "in(y) out(x)",
            "out(x)",
            "forbidden: Node.busy(y) Node.busy(x)",
            "near: Node.idle(x)",
            "forbidden: Node.idle(x)",
        ]
    );
}

#[test]
fn links_in_links_in_any_order() {
    let text = format!(
        "{NODE}link all(a, b, c) = <pass(a, b) + pass(b, c) + pass(c, a) + rest(a)>;
         link rest(z) = <in(z)>;
         link pass(a, b) = <out(a) in(b)>;
         Ring() <- new x, y, z . <all(z, y, x)> (Node(x), Node(y), Node(z));"
    );
    assert_eq!(first_rule(&text), ["out(z) in(y)", "out(y) in(x)", "out(x) in(z)", "in(z)"]);
}

#[test]
fn the_same_variable_for_two_parameters_is_fine_if_it_does_not_meet_itself() {
    let text = format!(
        "{NODE}link each(a, b) = <out(a) + in(b)>;
         Ring() <- new x . <each(x, x)> (Node(x));"
    );
    assert_eq!(first_rule(&text), ["out(x)", "in(x)"]);
    assert_eq!(codes(&text.replace("out(a) + in(b)", "out(a) in(b)")), ["E0214"]);
    let pattern = text.replace("in(b)>;", "in(b)> forbid <idle(a) busy(b)>;");
    assert_eq!(codes(&pattern), ["E0214"]);
}

#[test]
fn what_links_bring_in_twice_is_there_once() {
    let text = format!(
        "{NODE}link pass(a, b) = <out(a) in(b)>;
         Ring() <- new x, y . <pass(x, y) + in(y) out(x) + in(x)> (Node(x), Node(y));"
    );
    assert_eq!(codes(&text), ["W0202"]);
    let system = super::load(&text).system.unwrap();
    assert_eq!(contents(&system, system.rules.iter().next().unwrap()), ["out(x) in(y)", "in(x)"]);
}

#[test]
fn patterns_of_a_link_that_no_rule_uses_are_no_error() {
    let text = format!(
        "{NODE}link never(a) = <out(a)> forbid rare <busy(a)>;
         Ring() <- new x . <out(x) + in(x)> forbid <busy(x)> (Node(x));"
    );
    assert_eq!(codes(&text), ["W0207"]);
    let system = super::load(&text).system.unwrap();
    assert_eq!(system.pattern_groups.as_slice(), ["forbidden"]);
    let errors: Vec<&str> = system.errors.iter().map(|error| error.name.as_str()).collect();
    assert_eq!(errors, ["forbidden"]);
    assert_eq!(codes(&format!("{text}\nerror e = rare;")), ["E0205"]);
}
