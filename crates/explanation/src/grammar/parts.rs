//! What a set may have of the component at a variable: what the certificate lists, and what follows from it.
//!
//! Names and weights of a document go in, weights per state come out. Whether a rule keeps them is not decided here:
//! [`join`](super::join) holds every combination against the transitions.

use std::collections::{BTreeMap, BTreeSet};

use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::rule::{RuleId, VariableId};
use paramcheck_model::system::System;
use paramcheck_text::index::Idx;

use super::{Content, Shape, Weights, falls_into_parts, type_named};

/// Per kind, rule and variable what a set may have of its component.
pub(super) type Parts = BTreeMap<(InvariantKind, RuleId, VariableId), Vec<Content>>;

/// The weights that a part of a document gives to the states of a type.
pub(super) fn content(
    system: &System,
    kind: InvariantKind,
    component: &str,
    states: &[String],
    weights: Option<&[i64]>,
) -> Option<Content> {
    let id = type_named(system, component)?;
    let mut all = vec![0; system.types[id].states.len()];
    for (position, name) in states.iter().enumerate() {
        let state = system.types[id].state_named(name)?;
        all[state.index()] = weights.map_or(Some(1), |weights| weights.get(position).copied())?;
    }
    if matches!(kind, InvariantKind::Linear(_)) {
        let initial = system.types[id].initial.first().map_or(0, |state| all[state.index()]);
        all = levelled(&all, initial);
    }
    Some((id, all))
}

/// How many states more may have a weight, for the sake of an initial state that has none.
const MORE_STATES: usize = 2;

/// Weights that differ as these do: a component is in one state, so all of them may be more or less by the same, if
/// only changes of a sum count. The initial state weighs nothing, unless few other states would have to weigh
/// something then. So what is said counts what happens, and begins at 0.
fn levelled(weights: &Weights, initial: i64) -> Weights {
    let by = |level: i64| -> Weights { weights.iter().map(|weight| weight - level).collect() };
    let nonzero = |weights: &Weights| weights.iter().filter(|weight| **weight != 0).count();
    let total = |weights: &Weights| weights.iter().map(|weight| weight.abs()).sum::<i64>();
    let from_start = by(initial);
    let others = weights.iter().map(|level| by(*level));
    let best = others.min_by_key(|one| (nonzero(one), total(one), one.clone()));
    match best {
        Some(best) if nonzero(&best) + MORE_STATES < nonzero(&from_start) => best,
        _ => from_start,
    }
}

/// Adds to the parts of each variable what the certificate lists of variables of other types, where the states
/// have the same names: what holds of an inner node, say, may hold of the root too. Every production is checked.
pub(super) fn also_of_like_types(system: &System, parts: &mut Parts) {
    let named = |(component, weights): &Content| -> BTreeMap<&str, i64> {
        let states = system.types[*component].states.iter().zip(weights);
        states
            .map(|(state, weight)| (state.name.as_str(), *weight))
            .filter(|(_, weight)| *weight != 0)
            .collect()
    };
    let mut listed: BTreeSet<(InvariantKind, BTreeMap<&str, i64>)> = BTreeSet::new();
    for ((kind, ..), contents) in parts.iter() {
        listed.extend(contents.iter().map(|content| (*kind, named(content))));
    }
    let listed: Vec<_> = listed.into_iter().filter(|(_, states)| !states.is_empty()).collect();
    for ((kind, rule, variable), known) in parts.iter_mut() {
        let mut atoms = system.rules[*rule].instance_atoms();
        let Some(atom) = atoms.find(|atom| atom.variable == *variable) else { continue };
        let component = &system.types[atom.component];
        for (_, states) in listed.iter().filter(|(of, _)| of == kind) {
            let weights: Weights = component
                .states
                .iter()
                .map(|state| states.get(state.name.as_str()).copied().unwrap_or(0))
                .collect();
            let is_whole = weights.iter().filter(|weight| **weight != 0).count() == states.len();
            let content = (atom.component, weights);
            if is_whole && !known.contains(&content) {
                known.push(content);
            }
        }
    }
}

/// Adds to the parts of each variable that it may have nothing in the set, where sets fall into parts.
pub(super) fn also_nothing(system: &System, shapes: &[Shape], parts: &mut Parts) {
    let kinds: BTreeSet<InvariantKind> = shapes.iter().map(|shape| shape.kind).collect();
    for kind in kinds.into_iter().filter(|kind| falls_into_parts(*kind)) {
        for (id, rule) in system.rules.enumerate() {
            for (variable, declared) in rule.variables.enumerate() {
                let known = parts.entry((kind, id, variable)).or_default();
                for component in &declared.types {
                    let nothing = (*component, vec![0; system.types[*component].states.len()]);
                    if !known.contains(&nothing) {
                        known.push(nothing);
                    }
                }
            }
        }
    }
}
