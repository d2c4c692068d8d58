//! Places: (component type, state) pairs numbered through, and what they can do.

use paramcheck_model::component::{PortId, StateId, TypeId};
use paramcheck_model::system::System;
use paramcheck_text::define_index;
use paramcheck_text::index::{Idx, IndexVec};

define_index! {
    /// A component type and a state of it.
    pub(crate) struct PlaceId;
}

/// All places of a system.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    first: IndexVec<TypeId, usize>,
    list: IndexVec<PlaceId, (TypeId, StateId)>,
    offers: IndexVec<PlaceId, Vec<PortId>>,
}

impl Places {
    /// Numbers the places of `system`.
    pub(crate) fn new(system: &System) -> Self {
        let mut places = Places { first: IndexVec::new(), list: IndexVec::new(), offers: IndexVec::new() };
        for (id, component) in system.types.enumerate() {
            places.first.push(places.list.len());
            for state in component.states.indices() {
                places.list.push((id, state));
                let leaving = || component.transitions.iter().filter(|transition| transition.from == state);
                let mut ports: Vec<PortId> = leaving().filter_map(|transition| transition.port).collect();
                ports.sort();
                ports.dedup();
                places.offers.push(ports);
            }
        }
        places
    }

    /// The place of a state.
    pub(crate) fn id(&self, component: TypeId, state: StateId) -> PlaceId {
        PlaceId::new(self.first[component] + state.index())
    }

    /// Type and state of a place.
    pub(crate) fn get(&self, place: PlaceId) -> (TypeId, StateId) {
        self.list[place]
    }

    /// Whether a component there can take part by `port`.
    pub(crate) fn offers(&self, place: PlaceId, port: PortId) -> bool {
        self.offers[place].binary_search(&port).is_ok()
    }
}
