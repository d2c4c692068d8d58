//! Interactions grouped by who takes part.

use rustc_hash::FxHashMap;

use crate::picture::font;
use paramcheck_model::system::System;
use paramcheck_nets::instance::marking::Marking;
use paramcheck_nets::instance::net::{ComponentId, Net};

/// Interactions of the same participants.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    /// Who takes part, ascending.
    pub participants: Vec<ComponentId>,
    /// The interactions: per participant its port.
    pub interactions: Vec<Vec<String>>,
    /// Each interaction in words.
    pub words: Vec<String>,
    /// Whether one of them is enabled.
    pub is_enabled: bool,
}

/// The interactions of an instance by participants, in the order of the net.
pub(crate) fn links(system: &System, net: &Net, marking: &Marking) -> Vec<Link> {
    let mut positions: FxHashMap<Vec<ComponentId>, usize> = FxHashMap::default();
    let mut links: Vec<Link> = Vec::new();
    for (id, transition) in net.transitions().enumerate() {
        if transition.interaction.is_none() {
            continue;
        }
        let mut ports: Vec<(ComponentId, String)> = transition
            .moves
            .iter()
            .map(|one| {
                let component_type = &system.types[net.components()[one.component].component_type];
                let port = component_type.transitions[one.transition].port;
                (one.component, port.map_or_else(String::new, |port| system.ports[port].clone()))
            })
            .collect();
        ports.sort();
        let (participants, ports): (Vec<_>, Vec<_>) = ports.into_iter().unzip();
        let position = *positions.entry(participants.clone()).or_insert_with(|| {
            let (interactions, words) = (Vec::new(), Vec::new());
            links.push(Link { participants, interactions, words, is_enabled: false });
            links.len() - 1
        });
        let link = &mut links[position];
        link.is_enabled |= net.is_enabled(id, marking);
        // One interaction stands for several transitions where ports have several.
        if !link.interactions.contains(&ports) {
            link.interactions.push(ports);
            let rule = &system.rules[transition.rule].label;
            link.words.push(format!("{rule}: {}", net.transition_name(system, id)));
        }
    }
    links
}

impl Link {
    /// The ports of a participant, one per interaction; one where they are all the same.
    pub(crate) fn ports(&self, participant: usize) -> Vec<String> {
        let all: Vec<&str> =
            self.interactions.iter().filter_map(|ports| Some(ports.get(participant)?.as_str())).collect();
        let first = all.first().copied().unwrap_or_default();
        if all.iter().all(|port| *port == first) {
            return vec![font::shortened(first)];
        }
        all.into_iter().map(font::shortened).collect()
    }
}
