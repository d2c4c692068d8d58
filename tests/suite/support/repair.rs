//! A prover that knows nothing but how to read refusals: the checker's worst enemy.
//!
//! It starts with no configurations and every part and every set there is. Each refusal names a
//! marking that no configuration covers, or claims that do not follow; it adds a configuration that
//! claims everything, or takes the claims away, until the checker accepts (then the system had better
//! be safe) or reports that the root is not refuted. It is hopeless for all but tiny systems, and keeps
//! one configuration per marking where a better prover keeps several; but what it proves was decided by
//! the checker alone.

use std::collections::HashMap;

use paramcheck_certificate::check::rejection::{Fault, Section};
use paramcheck_certificate::check::{self, Rejection};
use paramcheck_certificate::data::{
    self, Certificate, Configuration, DroppedInteraction, ErrorState, ParameterSet, Part, Place,
    PredicateSet, Proof, Refuting,
};
use paramcheck_model::component::TypeId;
use paramcheck_model::error::{NamedError, print::print_formula};
use paramcheck_model::rule::{Ownership, VariableId};
use paramcheck_model::system::System;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Budget;

/// What became of the attempt.
pub(crate) enum Outcome {
    /// The checker accepted this.
    Accepted(Box<Certificate>),
    /// The checker found the root not refuted.
    NotRefuted,
    /// Too many sets, or too many steps.
    GaveUp,
}

/// A kind: name, largest initial count, smallest and largest marked counts of use.
pub(crate) type Kind<'a> = (&'a str, u64, (i64, i64));

/// How far to go.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// The most sets.
    pub sets: usize,
    /// The most refusals.
    pub steps: usize,
}

/// Tries to get a certificate accepted, with sets of `kinds`: name, largest initial count, and smallest and
/// largest marked counts of use. Of `dropped` (whose proofs are not looked at) it keeps what it can prove.
pub(crate) fn repair(
    system: &System,
    error: &NamedError,
    kinds: &[Kind<'_>],
    dropped: Vec<DroppedInteraction>,
    limits: Limits,
) -> Outcome {
    let Some(sets) = all_sets(system, kinds, limits.sets) else { return Outcome::GaveUp };
    let marked: HashMap<&str, (i64, i64)> = kinds.iter().map(|(kind, _, marked)| (*kind, *marked)).collect();
    let start = Proof { parts: all_parts(system, kinds), sets, configurations: Vec::new() };
    let mut certificate = Certificate {
        format: "paramcheck-certificate".to_owned(),
        version: data::VERSION,
        system: system.name().to_owned(),
        error: error.name.clone(),
        formula: print_formula(system, &error.formula),
        dropped,
        exclusive: Vec::new(),
        proof: start.clone(),
    };
    for dropped in &mut certificate.dropped {
        dropped.proof = start.clone();
    }
    for _ in 0..limits.steps {
        let rejection = match check::check(system, error, &certificate, &Budget::unlimited()) {
            Ok(()) => return Outcome::Accepted(Box::new(certificate)),
            Err(rejection) => rejection,
        };
        let Rejection::Proof { section, fault } = rejection else {
            panic!("unexpected: {rejection}");
        };
        let proof = match section {
            Section::Main => &mut certificate.proof,
            Section::Dropped(index) => &mut certificate.dropped[index].proof,
        };
        match *fault {
            Fault::Malformed { item, problem } => panic!("malformed {item}: {problem}"),
            Fault::NotRefuted { .. } => match section {
                Section::Main => return Outcome::NotRefuted,
                Section::Dropped(index) => {
                    certificate.dropped.remove(index);
                }
            },
            Fault::NotClosed { nearest: Some(nearest), .. } => {
                let mut position = 0;
                proof.configurations[nearest.configuration].refuting.retain(|_| {
                    position += 1;
                    !nearest.unfounded.contains(&(position - 1))
                });
            }
            Fault::NotClosed { predicate, places, error, nearest: None, .. } => {
                let places = places.iter().map(|place| read_place(place)).collect();
                let configuration = claiming_everything(&proof.sets, &marked, predicate, places, error);
                proof.configurations.push(configuration);
            }
        }
    }
    Outcome::GaveUp
}

fn read_place(text: &str) -> Place {
    let (component, state) = text.split_once('.').expect("a place is a type and a state");
    Place { component: component.to_owned(), state: state.to_owned() }
}

fn claiming_everything(
    sets: &[PredicateSet],
    marked: &HashMap<&str, (i64, i64)>,
    predicate: String,
    places: Vec<Place>,
    error: ErrorState,
) -> Configuration {
    let fits = |set: &PredicateSet| {
        let types = set.parameters.iter().map(|parameter| &parameter.component);
        set.predicate == predicate && types.eq(places.iter().map(|place| &place.component))
    };
    let fitting = sets.iter().enumerate().filter(|(_, set)| fits(set));
    let claims = fitting.flat_map(|(set, description)| {
        let (least, most) = marked[description.kind.as_str()];
        (least..=most).map(move |marked| Refuting { set, marked })
    });
    let refuting = claims.collect();
    Configuration { predicate, places, error, refuting }
}

/// States, and their weights where the kind has some.
type Subset = (Vec<String>, Option<Vec<i64>>);

/// All sets of states of a component type, with all weights.
fn subsets(system: &System, component: TypeId, kind: &str) -> Vec<Subset> {
    let weights: Option<&[i64]> = match kind {
        _ if kind.starts_with("linear") => Some(&[1, -1]),
        "modulo:3" => Some(&[1, 2]),
        _ => None,
    };
    let mut subsets: Vec<Subset> = vec![(Vec::new(), weights.map(|_| Vec::new()))];
    for state in system.types[component].states.iter() {
        for position in 0..subsets.len() {
            for weight in weights.unwrap_or(&[1]) {
                let (mut states, mut known) = subsets[position].clone();
                states.push(state.name.clone());
                known.iter_mut().for_each(|known| known.push(*weight));
                subsets.push((states, known));
            }
        }
    }
    subsets
}

fn all_parts(system: &System, kinds: &[Kind<'_>]) -> Vec<Part> {
    let mut parts = Vec::new();
    for rule in system.rules.iter() {
        let mut add = |variable: VariableId, component: TypeId| {
            for (kind, _, _) in kinds {
                parts.extend(subsets(system, component, kind).into_iter().map(|(states, weights)| Part {
                    rule: rule.label.clone(),
                    variable: rule.variables[variable].name.clone(),
                    kind: (*kind).to_owned(),
                    component: system.types[component].name.clone(),
                    states,
                    weights,
                }));
            }
        };
        for instance in rule.instance_atoms() {
            add(instance.variable, instance.component);
        }
        for (position, parameter) in system.predicates[rule.head].parameters.iter().enumerate() {
            let variable = VariableId::new(position);
            let is_passed = rule.predicate_atoms().any(|call| call.arguments.contains(&variable));
            if parameter.ownership == Ownership::Borrowed && !is_passed {
                parameter.types.iter().for_each(|component| add(variable, *component));
            }
        }
    }
    parts
}

fn all_sets(system: &System, kinds: &[Kind<'_>], most: usize) -> Option<Vec<PredicateSet>> {
    let mut sets = Vec::new();
    for (predicate, (kind, initial, _)) in
        system.predicates.iter().flat_map(|predicate| kinds.iter().map(move |kind| (predicate, kind)))
    {
        let mut shown: Vec<Vec<ParameterSet>> = vec![Vec::new()];
        for parameter in &predicate.parameters {
            let mut longer = Vec::new();
            for start in &shown {
                for id in &parameter.types {
                    for (states, weights) in subsets(system, *id, kind) {
                        let component = system.types[*id].name.clone();
                        let mut next = start.clone();
                        next.push(ParameterSet { component, states, weights });
                        longer.push(next);
                        if longer.len() > most {
                            return None;
                        }
                    }
                }
            }
            shown = longer;
        }
        for initial in 0..=*initial {
            sets.extend(shown.iter().map(|parameters| PredicateSet {
                predicate: predicate.name.clone(),
                kind: (*kind).to_owned(),
                parameters: parameters.clone(),
                initial,
            }));
        }
    }
    (sets.len() <= most).then_some(sets)
}
