//! Writes a closed fixpoint down as a certificate, all by name.

use std::collections::BTreeSet;

use crate::firing::InteractionFiring;
use crate::kind::InvariantKind;
use paramcheck_certificate::data::{
    Certificate, Configuration, DroppedInteraction, ErrorState, ExclusivePair, Move, ParameterSet, Part,
    Place, PredicateSet, PrivatePlace, Proof, Refuting, VERSION,
};
use paramcheck_model::error::{NamedError, print::print_formula};
use paramcheck_model::rule::{RuleId, VariableId};
use paramcheck_model::system::System;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::{Budget, Stop};

use super::exclusive::{self, Exclusive};
use super::fixpoint::Fixpoint;
use super::grammar::{Grammar, SymbolId, SymbolKind};
use super::level;
use super::place::Places;
use super::sets::{PartId, Sets};

/// The certificate of a proof that rests on dropped interactions.
pub(crate) fn certificate(
    system: &System,
    error: &NamedError,
    dropped: &[(InteractionFiring, Proof)],
    exclusive: &Exclusive,
    proof: Proof,
) -> Certificate {
    let exclusive = exclusive.pairs.iter().map(|&(rule, first, second)| {
        let rule = &system.rules[rule];
        let place = |(variable, state): exclusive::PrivatePlace| {
            let component = rule.instance_atoms().find(|atom| atom.variable == variable);
            let states = component.map(|atom| &system.types[atom.component].states);
            PrivatePlace {
                variable: rule.variables[variable].name.clone(),
                state: states.map_or_else(String::new, |states| states[state].name.clone()),
            }
        };
        ExclusivePair { rule: rule.label.clone(), first: place(first), second: place(second) }
    });
    let dropped = dropped
        .iter()
        .map(|(firing, proof)| DroppedInteraction {
            rule: system.rules[firing.rule].label.clone(),
            interaction: firing.interaction.index(),
            combination: firing
                .combination
                .iter()
                .map(|&(component, transition)| {
                    let definition = &system.types[component];
                    let transition = &definition.transitions[transition];
                    Move {
                        component: definition.name.clone(),
                        from: definition.states[transition.from].name.clone(),
                        to: definition.states[transition.to].name.clone(),
                    }
                })
                .collect(),
            proof: proof.clone(),
        })
        .collect();
    Certificate {
        format: "paramcheck-certificate".to_owned(),
        version: VERSION,
        system: system.name().to_owned(),
        error: error.name.clone(),
        formula: print_formula(system, &error.formula),
        exclusive: exclusive.collect(),
        dropped,
        proof,
    }
}

/// The configurations of predicates that the proof needs (those listed beside the fixpoint), and the sets
/// they speak of.
///
/// # Errors
/// `budget` ended.
pub(crate) fn proof(
    system: &System,
    places: &Places,
    grammar: &Grammar,
    sets: &Sets<'_>,
    (fixpoint, needed): (&Fixpoint<'_, '_>, &IndexVec<SymbolId, Vec<u32>>),
    budget: &Budget,
) -> Result<Proof, Stop> {
    let mut pace = budget.pace();
    let mut proof = Proof { parts: parts(system, grammar, sets), sets: vec![], configurations: vec![] };
    for (id, predicate) in system.predicates.enumerate() {
        let symbol = SymbolId::new(id.index());
        // Only the sets that some configuration speaks of are worth listing.
        let mut positions: Vec<Option<usize>> = vec![None; sets.symbols[symbol].states.len()];
        for &configuration in &needed[symbol] {
            pace()?;
            let mut refuting: Vec<Refuting> = Vec::new();
            for (set, level) in fixpoint.refuting_of(symbol, configuration) {
                let kind = sets.symbols[symbol].states[set].kind;
                let position = *positions[set].get_or_insert_with(|| {
                    let state = &sets.symbols[symbol].states[set];
                    proof.sets.push(PredicateSet {
                        predicate: predicate.name.clone(),
                        kind: state.kind.to_string(),
                        parameters: state
                            .parts
                            .iter()
                            .map(|&part| parameter_set(system, sets, kind, part))
                            .collect(),
                        initial: state.initial.into(),
                    });
                    proof.sets.len() - 1
                });
                let claim = Refuting { set: position, marked: level::claim(kind, level) };
                // Levels ascend; a lower bound implies all those below it.
                match refuting.last_mut() {
                    Some(last) if last.set == position && level::is_bound(kind) => *last = claim,
                    _ => refuting.push(claim),
                }
            }
            let shown = fixpoint.places_of(symbol, configuration).iter().map(|&place| {
                let (component, state) = places.get(place);
                let definition = &system.types[component];
                Place { component: definition.name.clone(), state: definition.states[state].name.clone() }
            });
            let error = fixpoint.error_of(symbol, configuration);
            proof.configurations.push(Configuration {
                predicate: predicate.name.clone(),
                places: shown.collect(),
                error: ErrorState {
                    live: error.live,
                    unfinished: error.unfinished,
                    patterns: error.patterns,
                    counts: error.counts,
                },
                refuting,
            });
        }
    }
    Ok(proof)
}

fn parameter_set(system: &System, sets: &Sets<'_>, kind: InvariantKind, part: PartId) -> ParameterSet {
    let part = sets.parts.get(part);
    let definition = &system.types[part.component];
    let members = || definition.states.enumerate().filter(|(state, _)| part.weights[state.index()] != 0);
    let weights = members().map(|(state, _)| part.weights[state.index()]);
    ParameterSet {
        component: definition.name.clone(),
        states: members().map(|(_, state)| state.name.clone()).collect(),
        weights: kind.is_weighted().then(|| weights.map(i64::from).collect()),
    }
}

/// What the sets contain of the components at the leaves of rules.
fn parts(system: &System, grammar: &Grammar, sets: &Sets<'_>) -> Vec<Part> {
    let mut parts = BTreeSet::new();
    for (id, symbol) in grammar.symbols.enumerate() {
        let (rule, variable): (RuleId, VariableId) = match symbol.kind {
            SymbolKind::Instance { rule, variable, .. } | SymbolKind::Borrowed { rule, variable } => {
                (rule, variable)
            }
            SymbolKind::Predicate(_) | SymbolKind::Prefix => continue,
        };
        for state in &sets.symbols[id].states {
            let set = parameter_set(system, sets, state.kind, state.parts[0]);
            parts.insert(Part {
                rule: system.rules[rule].label.clone(),
                variable: system.rules[rule].variables[variable].name.clone(),
                kind: state.kind.to_string(),
                component: set.component,
                states: set.states,
                weights: set.weights,
            });
        }
    }
    parts.into_iter().collect()
}
