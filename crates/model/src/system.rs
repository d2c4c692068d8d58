//! Rewriting systems: component types, predicates, rules and errors together.

use crate::component::{ComponentType, PortId, StateId, TypeId};
use crate::error::{ErrorFormula, ErrorId, NamedError};
use crate::rule::{PatternGroupId, Predicate, PredicateId, Rule, RuleId};
use paramcheck_text::index::IndexVec;

/// A rewriting system. Made by `model::lower` only; every reader may rely on the invariants stated at
/// the types: every predicate derives a finite tree, the root has no parameters, ids are valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct System {
    /// The component types.
    pub types: IndexVec<TypeId, ComponentType>,
    /// The port names.
    pub ports: IndexVec<PortId, String>,
    /// The predicates.
    pub predicates: IndexVec<PredicateId, Predicate>,
    /// The rules, those of unreachable predicates included, duplicates left out.
    pub rules: IndexVec<RuleId, Rule>,
    /// The predicate that is the system; it has no parameters.
    pub root: PredicateId,
    /// The names of the groups of patterns (`forbidden` for the unnamed).
    pub pattern_groups: IndexVec<PatternGroupId, String>,
    /// The errors of the file in source order: `error`s, `critical`, groups of patterns.
    pub errors: IndexVec<ErrorId, NamedError>,
}

impl System {
    /// The system's name: its root predicate's.
    pub fn name(&self) -> &str {
        &self.predicates[self.root].name
    }

    /// The error called `name`; `deadlock` is always there.
    pub fn error_named(&self, name: &str) -> Option<NamedError> {
        if name == "deadlock" {
            return Some(Self::deadlock());
        }
        self.errors.iter().find(|error| error.name == name).cloned()
    }

    /// The error `deadlock`.
    pub fn deadlock() -> NamedError {
        NamedError { name: "deadlock".to_owned(), formula: ErrorFormula::Deadlock }
    }

    /// The rule `id`'s predicate atoms are at most this many, over all rules: the branching degree κ
    /// of rewriting trees.
    pub fn kappa(&self) -> usize {
        self.rules.iter().map(|rule| rule.predicate_atoms().count()).max().unwrap_or(0)
    }

    /// A state's name with its type, as in `Node.busy`.
    pub fn state_name(&self, component: TypeId, state: StateId) -> String {
        let component = &self.types[component];
        format!("{}.{}", component.name, component.states[state].name)
    }
}
