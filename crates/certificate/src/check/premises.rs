//! What the closure check takes for granted of a model, looked at once.
//!
//! The types of the model promise these things, and lowering keeps the promise; but a model that broke
//! them would let combinations slip through unseen, so the checker looks for itself:
//! the root has no parameters, every variable of a rule has exactly one owner (a borrowed parameter
//! none), arguments of an atom and participants of an interaction are distinct, and a component type that
//! can arrive at a variable is among those that the other atoms, and the head, reckon with. (So
//! distinct variables are distinct components, and each is created, and counted, once.) Rules that occur in
//! no rewriting tree don't matter.

use rustc_hash::FxHashSet;

use super::rejection::Rejection;
use super::resolve::parameter_types;
use paramcheck_model::component::TypeId;
use paramcheck_model::rule::{Atom, Ownership, PredicateId, Rule, RuleId, VariableId};
use paramcheck_model::system::System;
use paramcheck_text::index::Idx;

/// The rules that can occur in a rewriting tree: those of the root's predicate and of all that their
/// bodies lead to. Found here, not taken from the model: a rule left out is a rule not checked.
pub(super) fn occurring_rules(system: &System) -> Vec<RuleId> {
    let mut rules = Vec::new();
    let mut seen: FxHashSet<PredicateId> = FxHashSet::from_iter([system.root]);
    let mut open = vec![system.root];
    while let Some(predicate) = open.pop() {
        for (id, rule) in system.rules.enumerate().filter(|(_, rule)| rule.head == predicate) {
            rules.push(id);
            open.extend(rule.predicate_atoms().map(|atom| atom.predicate).filter(|next| seen.insert(*next)));
        }
    }
    rules.sort_unstable();
    rules
}

/// Checks every rule that occurs in some rewriting tree.
///
/// # Errors
/// [`Rejection::Model`] for the first rule that breaks a promise.
pub(super) fn check(system: &System) -> Result<(), Rejection> {
    if !system.predicates[system.root].parameters.is_empty() {
        let problem = "the system has parameters".to_owned();
        return Err(Rejection::Model { rule: system.name().to_owned(), problem });
    }
    for id in occurring_rules(system) {
        let rule = &system.rules[id];
        if let Some(problem) = fault_in(system, rule) {
            return Err(Rejection::Model { rule: rule.label.clone(), problem });
        }
    }
    Ok(())
}

fn fault_in(system: &System, rule: &Rule) -> Option<String> {
    let arity = system.predicates[rule.head].parameters.len();
    if arity != rule.parameter_count || rule.variables.len() < arity {
        return Some(format!("{} parameters instead of {arity}", rule.parameter_count));
    }
    let ownership = |predicate: PredicateId, position: usize| {
        system.predicates[predicate].parameters.get(position).map(|parameter| parameter.ownership)
    };
    for (id, variable) in rule.variables.enumerate() {
        let is_borrowed = id.index() < arity && ownership(rule.head, id.index()) == Some(Ownership::Borrowed);
        let mut owners = 0;
        // What can arrive at the variable, and who must reckon with it.
        let mut arriving: Vec<TypeId> = Vec::new();
        let mut reckoning: Vec<&[TypeId]> = vec![&variable.types];
        if id.index() < arity {
            let types = parameter_types(system, rule.head, id.index());
            if is_borrowed {
                arriving.extend(types);
            } else {
                reckoning.push(types);
            }
        }
        for atom in &rule.atoms {
            match atom {
                Atom::Instance(instance) if instance.variable == id => {
                    owners += 1;
                    arriving.push(instance.component);
                }
                Atom::Instance(_) => {}
                Atom::Predicate(call) => {
                    for position in positions(&call.arguments, id) {
                        let types = parameter_types(system, call.predicate, position);
                        if ownership(call.predicate, position) == Some(Ownership::Owned) {
                            owners += 1;
                            arriving.extend(types);
                        } else {
                            reckoning.push(types);
                        }
                    }
                }
            }
        }
        if owners != usize::from(!is_borrowed) {
            return Some(format!("the variable `{}` has {owners} owners", variable.name));
        }
        let unexpected = arriving.iter().find(|t| !reckoning.iter().all(|types| types.contains(t)));
        if let Some(unexpected) = unexpected {
            let name = &system.types[*unexpected].name;
            return Some(format!("the proof does not allow for `{}` being a `{name}`", variable.name));
        }
    }
    let is_distinct =
        |variables: &[VariableId]| variables.iter().all(|v| positions(variables, *v).count() == 1);
    for call in rule.predicate_atoms() {
        let callee = &system.predicates[call.predicate];
        if !is_distinct(&call.arguments) || call.arguments.len() != callee.parameters.len() {
            return Some(format!("the arguments of `{}` do not fit", callee.name));
        }
    }
    for (id, interaction) in rule.interactions.enumerate() {
        let variables: Vec<VariableId> = interaction.participants.iter().map(|(_, v)| *v).collect();
        if !is_distinct(&variables) {
            return Some(format!("a component takes part twice in interaction {}", id.index()));
        }
    }
    None
}

fn positions(variables: &[VariableId], wanted: VariableId) -> impl Iterator<Item = usize> {
    variables.iter().enumerate().filter(move |(_, variable)| **variable == wanted).map(|(at, _)| at)
}

#[cfg(test)]
mod tests;
