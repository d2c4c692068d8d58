//! Component types: finite state machines whose transitions carry ports (paper, section 2).

pub mod print;

use paramcheck_text::define_index;
use paramcheck_text::index::{Idx, IndexVec};

define_index! {
    /// A component type of a system.
    pub struct TypeId;
    /// A state of a component type.
    pub struct StateId;
    /// A transition of a component type.
    pub struct TransitionId;
    /// A port name; several component types may have it.
    pub struct PortId;
}

/// A component type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComponentType {
    /// Its name.
    pub name: String,
    /// Its states; at least one.
    pub states: IndexVec<StateId, State>,
    /// Where `Type(x)` may start, ascending; one is chosen per instance. May be empty, if every
    /// instance of the type names its initial states itself.
    pub initial: Vec<StateId>,
    /// Its transitions, without duplicates.
    pub transitions: IndexVec<TransitionId, Transition>,
}

/// A state of a component type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Its name.
    pub name: String,
    /// Whether a component may rest here (`final`).
    pub is_final: bool,
}

/// A transition of a component type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The state left.
    pub from: StateId,
    /// The port it offers; `None`: internal, it fires alone.
    pub port: Option<PortId>,
    /// The state entered; may be `from`.
    pub to: StateId,
}

impl ComponentType {
    /// The transitions that offer `port`.
    pub fn transitions_on(&self, port: PortId) -> impl Iterator<Item = (TransitionId, &Transition)> {
        self.transitions.enumerate().filter(move |(_, transition)| transition.port == Some(port))
    }

    /// The transitions without a port.
    pub fn internal_transitions(&self) -> impl Iterator<Item = (TransitionId, &Transition)> {
        self.transitions.enumerate().filter(|(_, transition)| transition.port.is_none())
    }

    /// The state called `name`.
    pub fn state_named(&self, name: &str) -> Option<StateId> {
        self.states.iter().position(|state| state.name == name).map(StateId::new)
    }
}
