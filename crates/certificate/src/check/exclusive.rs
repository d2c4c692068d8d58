//! Pairs of states that exclude each other: are those of the document closed?
//!
//! A variable is *private* to a rule if the rule instantiates it, it is no parameter, and no predicate atom
//! has it: then its component takes part in the rule's interactions at that node only, and moves by itself. A
//! list of pairs of private places is accepted if, for each of them,
//!
//! - the two components do not start in it, and
//! - every transition that moves one of the components there or both (what it does to components that are not
//!   private is not looked at) has, in its pre-places and the place of the component that stays, a pair of
//!   the list.
//!
//! So by induction on steps no reachable marking has a pair of the list at any node with the rule.

use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};

use super::rejection::Rejection;
use super::resolve::{self, Names};
use crate::data::{self, ExclusivePair};
use paramcheck_model::component::{StateId, TypeId};
use paramcheck_model::rule::{Atom, Rule, RuleId, VariableId};
use paramcheck_model::system::System;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Budget;

/// A private variable and a state of its component.
type Private = (VariableId, StateId);

/// The pairs of a rule, each in both orders.
pub(super) type Pairs = FxHashSet<(Private, Private)>;

/// The pairs of a document, by rule.
pub(super) type Exclusive = FxHashMap<RuleId, Pairs>;

/// An interaction with more combinations of private transitions is not looked at, and the list refused.
const MAX_COMBINATIONS: usize = 100_000;

/// Reads the list and checks it.
///
/// # Errors
/// [`Rejection::Exclusive`] for the first pair that makes no sense or does not follow;
/// [`Rejection::Stopped`].
pub(super) fn check(
    system: &System,
    names: &Names<'_>,
    listed: &[ExclusivePair],
    budget: &Budget,
) -> Result<Exclusive, Rejection> {
    let refuse = |index| move |problem| Rejection::Exclusive { index, problem };
    let mut exclusive = Exclusive::default();
    let mut read = Vec::with_capacity(listed.len());
    for (index, pair) in listed.iter().enumerate() {
        let (rule, one, other) = resolve_pair(system, names, pair).map_err(refuse(index))?;
        let pairs = exclusive.entry(rule).or_default();
        pairs.insert((one, other));
        pairs.insert((other, one));
        read.push((rule, one, other));
    }
    let mut transitions: FxHashMap<RuleId, Vec<Moves>> = FxHashMap::default();
    for (index, (rule_id, one, other)) in read.into_iter().enumerate() {
        budget.check()?;
        let rule = &system.rules[rule_id];
        if starts(rule, one) && starts(rule, other) {
            return Err(refuse(index)("the components may start there".to_owned()));
        }
        let transitions = match transitions.entry(rule_id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(open) => open.insert(private_transitions(system, rule).map_err(refuse(index))?),
        };
        let Some(pairs) = exclusive.get(&rule_id) else { continue };
        for moves in transitions.iter() {
            if leads_to(moves, one, other) && !is_excluded(pairs, moves, [one, other]) {
                return Err(refuse(index)("a transition leads there, and no pair excludes it".to_owned()));
            }
        }
    }
    Ok(exclusive)
}

/// What a transition does to private components.
type Moves = Vec<(VariableId, StateId, StateId)>;

/// Whether a transition moves one of the components into its place while the other comes or stays there.
fn leads_to(moves: &Moves, one: Private, other: Private) -> bool {
    let after = |(variable, state): Private| {
        let moved = moves.iter().find(|(moved, _, _)| *moved == variable);
        moved.map(|(_, _, to)| *to == state)
    };
    match (after(one), after(other)) {
        (None, None) => false,
        (one, other) => one.unwrap_or(true) && other.unwrap_or(true),
    }
}

/// Whether the pre-places, and those of `after` whose components stay, have an exclusive pair.
fn is_excluded(pairs: &Pairs, moves: &Moves, after: [Private; 2]) -> bool {
    let mut before: Vec<Private> = moves.iter().map(|(variable, from, _)| (*variable, *from)).collect();
    for place in after {
        if moves.iter().all(|(moved, _, _)| *moved != place.0) {
            before.push(place);
        }
    }
    before.iter().any(|one| before.iter().any(|other| pairs.contains(&(*one, *other))))
}

/// The type of a private variable.
fn private(rule: &Rule, variable: VariableId) -> Option<TypeId> {
    let mut created = None;
    for atom in &rule.atoms {
        match atom {
            Atom::Instance(instance) if instance.variable == variable => created = Some(instance.component),
            Atom::Instance(_) => {}
            Atom::Predicate(call) if call.arguments.contains(&variable) => return None,
            Atom::Predicate(_) => {}
        }
    }
    created.filter(|_| variable.index() >= rule.parameter_count)
}

/// Whether the component of a private variable may start in a state.
fn starts(rule: &Rule, (variable, state): Private) -> bool {
    rule.instance_atoms().any(|atom| atom.variable == variable && atom.initial.contains(&state))
}

/// Every transition of private components, as far as it moves them.
fn private_transitions(system: &System, rule: &Rule) -> Result<Vec<Moves>, String> {
    let mut result: Vec<Moves> = Vec::new();
    for interaction in rule.interactions.iter() {
        let mut combinations: Vec<Moves> = vec![Vec::new()];
        for (port, variable) in &interaction.participants {
            let Some(component) = private(rule, *variable) else { continue };
            let mut longer = Vec::new();
            for moves in &combinations {
                for (_, transition) in system.types[component].transitions_on(*port) {
                    if longer.len() == MAX_COMBINATIONS {
                        return Err("an interaction stands for too many combinations".to_owned());
                    }
                    let mut next: Moves = moves.clone();
                    next.push((*variable, transition.from, transition.to));
                    longer.push(next);
                }
            }
            combinations = longer;
        }
        result.extend(combinations);
    }
    for position in 0..rule.variables.len() {
        let variable = VariableId::new(position);
        let Some(component) = private(rule, variable) else { continue };
        for (_, transition) in system.types[component].internal_transitions() {
            result.push(vec![(variable, transition.from, transition.to)]);
        }
    }
    Ok(result)
}

fn resolve_pair(
    system: &System,
    names: &Names<'_>,
    pair: &ExclusivePair,
) -> Result<(RuleId, Private, Private), String> {
    let rule_id = names.rule(&pair.rule)?;
    let rule = &system.rules[rule_id];
    let resolve = |place: &data::PrivatePlace| -> Result<Private, String> {
        let position = rule.variables.iter().position(|variable| variable.name == place.variable);
        let variable = position.map(VariableId::new);
        let private = variable.and_then(|variable| Some((variable, private(rule, variable)?)));
        let (variable, component) =
            private.ok_or_else(|| format!("`{}` is not private to {}", place.variable, pair.rule))?;
        Ok((variable, resolve::state(system, component, &place.state)?))
    };
    let (one, other) = (resolve(&pair.first)?, resolve(&pair.second)?);
    if one.0 == other.0 {
        return Err("it is about one component".to_owned());
    }
    Ok((rule_id, one, other))
}

#[cfg(test)]
mod tests;
