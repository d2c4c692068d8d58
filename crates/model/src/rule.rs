//! Predicates and rewriting rules (paper, Def. 1, with borrowed parameters and instance atoms in
//! bodies).
//!
//! Invariants (kept by `lower`): the parameters of a rule are its first variables; arguments of one
//! atom are distinct; the participants of one interaction, and the variables of one pattern, are
//! distinct; every variable has exactly one owner among the atoms (an instance atom, or a predicate
//! atom at an owned position), except borrowed parameters, which have none; every participant can be
//! of a type that has the port.

use crate::component::{PortId, StateId, TransitionId, TypeId};
use paramcheck_text::define_index;
use paramcheck_text::index::IndexVec;

define_index! {
    /// A predicate of a system.
    pub struct PredicateId;
    /// A rule of a system.
    pub struct RuleId;
    /// A variable of a rule: its parameters first, then those bound by `new`.
    pub struct VariableId;
    /// An interaction of a rule.
    pub struct InteractionId;
    /// A named group of local patterns (one per error it is).
    pub struct PatternGroupId;
}

/// Where the component of a parameter is instantiated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ownership {
    /// Below the predicate, in every rule.
    Owned,
    /// Elsewhere; the predicate only uses it in interactions.
    Borrowed,
}

/// A predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Its rules, ascending; at least one.
    pub rules: Vec<RuleId>,
    /// Whether it occurs in some rewriting tree of the system.
    pub is_reachable: bool,
}

/// A parameter of a predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Whether its component is instantiated below.
    pub ownership: Ownership,
    /// The component types it can be, ascending. Never empty where the predicate is reachable.
    pub types: Vec<TypeId>,
}

/// A rewriting rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The predicate it rewrites.
    pub head: PredicateId,
    /// Its name in output: the predicate's name and the rule's number among its rules in the source from
    /// 1 (one left out as written twice keeps its number), as in `Chain.2`.
    pub label: String,
    /// How many of the variables are parameters.
    pub parameter_count: usize,
    /// All variables: parameters first.
    pub variables: IndexVec<VariableId, Variable>,
    /// Instance and predicate atoms in source order; at least one.
    pub atoms: Vec<Atom>,
    /// Its interactions, links inserted, without duplicates.
    pub interactions: IndexVec<InteractionId, Interaction>,
    /// Its local patterns, links inserted.
    pub patterns: Vec<Pattern>,
}

/// A variable of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The component types it can be, ascending.
    pub types: Vec<TypeId>,
}

/// An atom of a rule's body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Atom {
    /// `Type(x)`: creates a component.
    Instance(InstanceAtom),
    /// `A(x, y)`: goes on with a rule of `A`.
    Predicate(PredicateAtom),
}

/// `Type(x)`, `Type[s](x)`, `Type[*](x)`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceAtom {
    /// The component type.
    pub component: TypeId,
    /// Where the component may start, ascending, at least one state; one is chosen per instance.
    pub initial: Vec<StateId>,
    /// The variable bound to the new component.
    pub variable: VariableId,
}

/// `A(x, y)`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PredicateAtom {
    /// The predicate.
    pub predicate: PredicateId,
    /// Its arguments, distinct.
    pub arguments: Vec<VariableId>,
}

/// `out(x) in(y)`: stands for one net transition per combination of types that the variables' types
/// allow and of transitions that carry the ports. An instance in which some variable is bound to a
/// type without the port has no such transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interaction {
    /// Port and variable, in source order; the variables are distinct.
    pub participants: Vec<(PortId, VariableId)>,
}

/// The component type and transition of each participant of an interaction, in its order.
pub type Combination = Vec<(TypeId, TransitionId)>;

/// A local pattern: it occurs where every variable's component is in one of the places given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The group it belongs to.
    pub group: PatternGroupId,
    /// Per variable (distinct) the states that match, never empty.
    pub conditions: Vec<(VariableId, Vec<(TypeId, StateId)>)>,
}

impl Rule {
    /// The instance atoms in source order: the order of `TreeNode::initial`.
    pub fn instance_atoms(&self) -> impl Iterator<Item = &InstanceAtom> {
        self.atoms.iter().filter_map(|atom| match atom {
            Atom::Instance(instance) => Some(instance),
            Atom::Predicate(_) => None,
        })
    }

    /// The predicate atoms in source order: the order of `TreeNode::children`.
    pub fn predicate_atoms(&self) -> impl Iterator<Item = &PredicateAtom> {
        self.atoms.iter().filter_map(|atom| match atom {
            Atom::Instance(_) => None,
            Atom::Predicate(call) => Some(call),
        })
    }
}
