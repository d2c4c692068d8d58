//! Properties of the runs of an instance: linear temporal logic over markings and transitions.
//!
//! A property is asked of one instance, not of every size, so it stands in no model. `lower` gives it its
//! meaning. A component is named by its type and its number among those of the type; whether the instance has
//! it is found out where the instance is known.

use crate::component::{PortId, StateId, TypeId};
use crate::error::ErrorFormula;
use paramcheck_temporal::formula::Formula;
use paramcheck_text::source::Span;

/// What every run of an instance must satisfy.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// The formula as it is written.
    pub text: String,
    /// The formula.
    pub formula: Formula<Atom>,
}

/// What a property speaks of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// The marking is in an error.
    Error(ErrorFormula),
    /// A component is in a state.
    State(Component, StateId),
    /// The last transition moved a component by a port; false at first. Where a run has ended, it stays.
    Did(Port),
    /// Such a transition is enabled.
    Can(Port),
    /// Such a transition fires now.
    Fires(Port),
    /// A transition fires now.
    FiresAny,
}

/// A component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Component {
    /// Its type.
    pub component_type: TypeId,
    /// Which of this type, from 1.
    pub number: u64,
    /// Where it is named in the text of the property.
    pub span: Span,
}

/// A port of some components.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Port {
    /// Whose.
    pub owner: Owner,
    /// The port.
    pub port: PortId,
}

/// Whose port is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// That of any component.
    Any,
    /// That of any component of this type.
    Type(TypeId),
    /// That of this component.
    Component(Component),
}

impl Property {
    /// The components that it names, in source order.
    pub fn components(&self) -> Vec<Component> {
        let named = |atom: &&Atom| match atom {
            Atom::State(component, _) => Some(*component),
            Atom::Did(port) | Atom::Can(port) | Atom::Fires(port) => match port.owner {
                Owner::Component(component) => Some(component),
                Owner::Any | Owner::Type(_) => None,
            },
            Atom::Error(_) | Atom::FiresAny => None,
        };
        self.formula.atoms().iter().filter_map(named).collect()
    }
}
