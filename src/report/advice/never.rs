//! What is said about combinations of transitions that never fire, in names of the model.

use crate::report::names::interaction;
use crate::report::text::plural;
use paramcheck_invariants::firing::InteractionFiring;
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::component::{PortId, TransitionId, TypeId};
use paramcheck_model::system::System;
use paramcheck_verdict::advice::{NeverFired, SplitPorts};

/// So many ports are named with what takes their place.
const MAX_PORTS: usize = 4;

/// That phases need ports of their own.
pub(super) fn split(system: &System, split: &SplitPorts, error: &str) -> String {
    let SplitPorts { never_fired, ports, phases, kinds } = split;
    let name = |id: PortId| format!("`{}`", system.ports[id]);
    let new = ports.iter().take(MAX_PORTS).map(|(port, names)| {
        let names = itertools::join(names.iter().map(|name| format!("`{name}`")), ", ");
        format!("{names} in place of {}", name(*port))
    });
    let mut new = itertools::join(new, "; ");
    if let Some((_, rest)) = ports.split_at_checked(MAX_PORTS).filter(|(_, rest)| !rest.is_empty()) {
        new += &format!("; and so for {}", itertools::join(rest.iter().map(|(port, _)| name(*port)), ", "));
    }
    // The ports of the example, as they would be: one of each phase.
    let example = never_fired.example.combination.iter().filter_map(|&(component, id)| {
        let port = phases.port_of(system, (component, id))?;
        Some(transition(system, component, id, &port))
    });
    format!(
        "{}. Give each phase a port of its own: {new} (such as {}). With those combinations gone, `{error}` is \
         proved, by {}. That changes nothing if they never fire, which is known only up to that size",
        fired(system, never_fired),
        itertools::join(example, ", "),
        itertools::join(kinds.iter().map(InvariantKind::to_string), " + "),
    )
}

/// How many combinations never fired, and one of them.
pub(super) fn fired(system: &System, found: &NeverFired) -> String {
    let NeverFired { rule, interaction: id, all, never, example, others, up_to_size } = found;
    let rule = &system.rules[*rule];
    let mut text = format!(
        "of the {all} combinations of transitions in which `{}` of rule {} could fire, {never} never did in \
         instances of up to {}, such as {}",
        interaction(system, rule, &rule.interactions[*id]),
        rule.label,
        plural(*up_to_size, "component"),
        combination(system, example),
    );
    if *others > 0 {
        text += &format!(
            "; {} also {} such combinations",
            plural(*others, "other interaction"),
            if *others == 1 { "has" } else { "have" }
        );
    }
    text
}

/// One transition of each participant: `Leaf workA -up-> arrA` with `Root b0 -got-> b1`.
fn combination(system: &System, firing: &InteractionFiring) -> String {
    let parts = firing.combination.iter().map(|&(component, id)| {
        let port = system.types[component].transitions[id].port;
        transition(system, component, id, port.map_or("", |port| &system.ports[port]))
    });
    itertools::join(parts, " with ")
}

/// A transition with its port under this name: `Leaf workA -up1-> arrA`.
fn transition(system: &System, component: TypeId, id: TransitionId, port: &str) -> String {
    let definition = &system.types[component];
    let transition = &definition.transitions[id];
    let state = |state| &definition.states[state].name;
    format!("`{} {} -{port}-> {}`", definition.name, state(transition.from), state(transition.to))
}
