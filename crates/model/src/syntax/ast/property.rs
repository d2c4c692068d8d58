//! Properties of runs, as they are written: linear temporal logic over the markings and transitions of an
//! instance.

use super::ErrorExpression;
use paramcheck_temporal::formula::Formula;
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// `NAME = φ`
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyDefinition {
    /// Its name.
    pub name: Ident,
    /// What every run must satisfy.
    pub formula: Formula<PropertyAtom>,
    /// The formula's text.
    pub span: Span,
}

/// What a property speaks of.
#[derive(Clone, Debug, PartialEq)]
pub enum PropertyAtom {
    /// The marking is in an error: `#busy >= 2`, `deadlock`, the name of an error.
    Error(ErrorExpression),
    /// A component is in a state: `Node#1.busy`.
    State(Component, Ident),
    /// The last transition moved a component by this port: `did out`.
    Did(Port),
    /// Such a transition is enabled: `can out`.
    Can(Port),
    /// Such a transition fires now: `<<out>>`.
    Fires(Port),
    /// A transition fires now: `<<true>>`.
    FiresAny,
}

/// A component of the instance: `Node#1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// Its type.
    pub component_type: Ident,
    /// Which of this type, from 1.
    pub number: u64,
    /// The whole.
    pub span: Span,
}

/// A port: of any component, of those of a type, or of one: `out`, `Node.out`, `Node#1.out`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Whose.
    pub owner: Owner,
    /// The port.
    pub name: Ident,
}

/// Whose port is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// That of any component.
    Any,
    /// That of any component of this type.
    Type(Ident),
    /// That of this component.
    Component(Component),
}
