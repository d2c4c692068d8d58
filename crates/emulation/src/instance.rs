//! Instances of rewriting systems as triples: each component is an agent whose program counter is its state,
//! each net transition one n-party triple. (Synchronisation on named interactions, without partial
//! synchronisations: the net has the tuples already.)

use paramcheck_model::component::StateId;
use paramcheck_model::system::System;
use paramcheck_nets::instance::net::{ComponentId, Net};
use paramcheck_text::index::Idx;

use super::expression::Expression;
use super::triple::{Action, Agent, Counter, CounterId, Location, LocationId, OfferId, Structure, Triple};

/// The triples of a net, an instance of `system`: triple n is net transition n, counter n component n,
/// location n state n. Linear in the size of the net.
pub fn encode(system: &System, net: &Net) -> Structure {
    let mut structure = Structure::default();
    let mut first_offers = Vec::with_capacity(net.components().len());
    let mut offers = 1;
    for (id, component) in net.components().enumerate() {
        first_offers.push(offers);
        let states = &system.types[component.component_type].states;
        let location = |(position, state): (usize, &paramcheck_model::component::State)| Location {
            offers: vec![OfferId(offers + position as u32)],
            is_final: state.is_final,
            name: state.name.clone(),
        };
        let agent = structure.agents.len() as u32;
        structure.agents.push(Agent { name: component.name.clone(), counter: counter(id) });
        structure.counters.push(Counter {
            name: component.name.clone(),
            agent,
            parent: None,
            locations: states.iter().enumerate().map(location).collect(),
            initial: LocationId::new(component.initial.index()),
        });
        offers += states.len() as u32;
    }
    for (id, transition) in net.transitions().enumerate() {
        let mut moves = transition.moves.clone();
        moves.sort_by_key(|one| one.component);
        let label = structure.labels.push(net.transition_name(system, id));
        let offer = |component: usize, state: usize| {
            OfferId(first_offers.get(component).copied().unwrap_or(0) + state as u32)
        };
        structure.triples.push(Triple {
            entry: moves
                .iter()
                .map(|one| (counter(one.component), offer(one.component.index(), one.from.index())))
                .collect(),
            guard: Expression::TRUE,
            action: Action::Step(label),
            assignments: Vec::new(),
            exit: moves.iter().map(|one| (counter(one.component), LocationId::new(one.to.index()))).collect(),
            agents: moves.iter().map(|one| one.component.index() as u32).collect(),
            via: None,
            parts: Vec::new(),
        });
    }
    structure
}

/// The counter of a component.
pub(crate) fn counter(component: ComponentId) -> CounterId {
    CounterId::new(component.index())
}

/// The locations of states.
pub(crate) fn locations(states: &[StateId]) -> Vec<LocationId> {
    states.iter().map(|state| LocationId::new(state.index())).collect()
}

#[cfg(test)]
mod tests;
