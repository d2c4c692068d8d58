//! What is warned of as never happening happens in no instance: random systems, and exploration of all their
//! small instances.

use std::collections::BTreeSet;

use paramcheck_model::lower::load;
use paramcheck_model::system::System;
use paramcheck_nets::instance::enumerate::{smallest_size, trees};
use paramcheck_nets::instance::net::Net;
use paramcheck_nets::instance::unfold::unfold;

use super::support::{plain, random, seeds};

/// Sizes explored from the smallest on, instances of each, and markings of an instance.
const SIZES: usize = 4;
const INSTANCES: usize = 6;
const MAX_MARKINGS: usize = 2_000;

/// Component types, each with the name of a state or port.
type Named = BTreeSet<(String, String)>;

/// The states and the ports of which the warnings about a text say that they are never entered, and that they
/// never fire.
fn warned(text: &str) -> (Named, Named) {
    let (mut states, mut ports) = (Named::new(), Named::new());
    for diagnostic in load(text).diagnostics {
        for label in &diagnostic.labels {
            let component = text[..label.span.start].rsplit_once("component ").map(|(_, rest)| rest);
            let component = component.and_then(|rest| rest.split_whitespace().next()).unwrap_or_default();
            let named = (component.to_owned(), text[label.span.start..label.span.end].to_owned());
            match (diagnostic.code.id, label.text.as_str()) {
                ("W0215", _) => states.insert(named),
                ("W0216", "waits for ever" | "so does this one") => ports.insert(named),
                _ => continue,
            };
        }
    }
    (states, ports)
}

/// The states that components enter in an instance, and the ports that fire; `None` if it has too many
/// markings.
fn happens(system: &System, net: &Net) -> Option<(Named, Named)> {
    let (mut states, mut ports) = (Named::new(), Named::new());
    let explored = plain::explore(net, MAX_MARKINGS, |marking| {
        for (component, &state) in net.components().iter().zip(marking.iter()) {
            let component = &system.types[component.component_type];
            states.insert((component.name.clone(), component.states[state].name.clone()));
        }
        for (id, transition) in net.transitions().enumerate() {
            if net.fire(id, marking).is_none() {
                continue;
            }
            for part in &transition.moves {
                let component = &system.types[net.components()[part.component].component_type];
                if let Some(port) = component.transitions[part.transition].port {
                    ports.insert((component.name.clone(), system.ports[port].clone()));
                }
            }
        }
    });
    explored.map(|_| (states, ports))
}

#[test]
fn what_is_warned_of_happens_in_no_instance() {
    let (mut with_states, mut with_ports) = (0, 0);
    for seed in seeds(1_500, 6_000) {
        let Some((text, system)) = random::system(seed) else { continue };
        let (states, ports) = warned(&text);
        with_states += usize::from(!states.is_empty());
        with_ports += usize::from(!ports.is_empty());
        if states.is_empty() && ports.is_empty() {
            continue;
        }
        let smallest = smallest_size(&system) as usize;
        let sizes = smallest..smallest + SIZES;
        for tree in sizes.flat_map(|size| trees(&system, size).take(INSTANCES)) {
            let Some((entered, fired)) = happens(&system, &unfold(&system, &tree)) else { continue };
            assert!(entered.is_disjoint(&states), "seed {seed}: {entered:?}, {states:?}\n{text}");
            assert!(fired.is_disjoint(&ports), "seed {seed}: {fired:?}, {ports:?}\n{text}");
        }
    }
    assert!(with_states > 100 && with_ports > 30, "{with_states} with states, {with_ports} with ports");
}
