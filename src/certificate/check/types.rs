//! Which component types a parameter can be: the model's claim, checked rule by rule.
//!
//! A configuration whose borrowed parameter has a type that no caller ever passes stands for no part of
//! any rewriting tree, and the closure check leaves it out. That is right only if the model knows *all*
//! types that are passed. So it is checked that every rule passes upwards and downwards only types that
//! the receiving parameter claims; by induction over the tree, the claims then hold everywhere.

use crate::model::component::TypeId;
use crate::model::rule::{Atom, Ownership, Rule, RuleId, VariableId};
use crate::model::system::System;
use crate::support::index::Idx;

use super::rejection::Rejection;
use super::resolve::parameter_types;

/// Checks the claims at all of `rules`.
///
/// # Errors
/// [`Rejection::Model`] for the first rule that passes a type which the receiver does not claim.
pub(super) fn check(system: &System, rules: &[RuleId]) -> Result<(), Rejection> {
    for &id in rules {
        let rule = &system.rules[id];
        let fault = |variable: VariableId| {
            let problem = format!("`{}` can be more than its receiver claims", rule.variables[variable].name);
            Rejection::Model { rule: rule.label.clone(), problem }
        };
        for (position, parameter) in system.predicates[rule.head].parameters.iter().enumerate() {
            let variable = VariableId::new(position);
            if parameter.ownership == Ownership::Owned
                && !is_within(&types(system, rule, variable), &parameter.types)
            {
                return Err(fault(variable));
            }
        }
        for call in rule.predicate_atoms() {
            for (position, &variable) in call.arguments.iter().enumerate() {
                let parameter = system.predicates[call.predicate].parameters.get(position);
                let is_borrowed =
                    parameter.is_some_and(|parameter| parameter.ownership == Ownership::Borrowed);
                let claimed = parameter_types(system, call.predicate, position);
                if is_borrowed && !is_within(&types(system, rule, variable), claimed) {
                    return Err(fault(variable));
                }
            }
        }
    }
    Ok(())
}

fn is_within(types: &[TypeId], claimed: &[TypeId]) -> bool {
    types.iter().all(|component| claimed.contains(component))
}

/// The types of a variable: those of its owner, or those that callers pass to a borrowed parameter.
fn types(system: &System, rule: &Rule, variable: VariableId) -> Vec<TypeId> {
    let mut types = Vec::new();
    for atom in &rule.atoms {
        match atom {
            Atom::Instance(instance) if instance.variable == variable => types.push(instance.component),
            Atom::Instance(_) => {}
            Atom::Predicate(call) => {
                for (position, _) in
                    call.arguments.iter().enumerate().filter(|(_, other)| **other == variable)
                {
                    let parameter = system.predicates[call.predicate].parameters.get(position);
                    if parameter.is_some_and(|parameter| parameter.ownership == Ownership::Owned) {
                        types.extend(parameter_types(system, call.predicate, position));
                    }
                }
            }
        }
    }
    let head = system.predicates[rule.head].parameters.get(variable.index());
    if head.is_some_and(|parameter| parameter.ownership == Ownership::Borrowed) {
        types.extend(parameter_types(system, rule.head, variable.index()));
    }
    types
}
