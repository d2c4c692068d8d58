//! The engine's certificates against the checker: what is in them is needed, and they prove nothing
//! about systems that are broken.
//!
//! Systems are broken by small changes of the model (more initial states, one more internal
//! transition, one interaction less); where exploration then reaches the error, neither the old
//! certificate nor any spoilt copy of it may be accepted.

use paramcheck_certificate::check;
use paramcheck_certificate::data::Certificate;
use paramcheck_model::component::{StateId, Transition, TypeId};
use paramcheck_model::error::NamedError;
use paramcheck_model::rule::{Atom, InteractionId, RuleId};
use paramcheck_model::system::System;
use paramcheck_nets::explore::sweep::Sweep;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Budget;
use paramcheck_verdict::{Options, Status, decide};

use super::support;
use super::support::forge::{self, Edit, Need};
use super::support::random;

/// A system, an error that it does not reach, and the engine's reason.
struct Safe {
    name: String,
    system: System,
    error: NamedError,
    certificate: Certificate,
}

fn prove(name: String, system: &System, error: NamedError) -> Option<Safe> {
    let options = Options { max_states: 1, ..Options::default() };
    match decide(system, &error, &options).expect("no bug").status {
        Status::Proved(proved) => {
            let system = system.clone();
            Some(Safe { name, system, error, certificate: proved.certificate? })
        }
        _ => None,
    }
}

/// What is proved of the corpus.
fn safe_cases(folder: &str) -> Vec<Safe> {
    let mut safe = Vec::new();
    for (model, error, entry) in support::expected(folder) {
        if entry["verdict"] == "proved" {
            let system = support::case(&model);
            let named = system.error_named(&error).expect("the error is defined");
            safe.extend(prove(format!("{model} {error}"), &system, named));
        }
    }
    assert!(!safe.is_empty(), "nothing is proved of {folder}");
    safe
}

/// What is proved of random systems.
fn safe_random(seeds: std::ops::Range<u64>) -> Vec<Safe> {
    let mut safe = Vec::new();
    for seed in seeds {
        let Some((_, system)) = random::system(seed) else { continue };
        for error in support::errors(&system) {
            safe.extend(prove(format!("seed {seed} {}", error.name), &system, error));
        }
    }
    safe
}

fn is_accepted(system: &System, error: &NamedError, certificate: &Certificate) -> bool {
    check::check(system, error, certificate, &Budget::unlimited()).is_ok()
}

/// At most `most` of `items`, spread over all.
fn some<T>(items: Vec<T>, most: usize) -> impl Iterator<Item = T> {
    let step = items.len().div_ceil(most).max(1);
    items.into_iter().step_by(step)
}

/// Configurations are needed, unless another covers the same.
fn check_that_configurations_are_needed(safe: &Safe) {
    let edits = forge::proofs(&safe.certificate).into_iter().flat_map(|(which, proof)| {
        let all: Vec<usize> = (0..proof.configurations.len()).collect();
        some(all, 12).map(move |position| (Edit::RemoveConfiguration(which, position), proof, position))
    });
    for (edit, proof, position) in edits {
        let spoilt = edit.apply(&safe.system, &safe.certificate);
        let is_accepted = is_accepted(&safe.system, &safe.error, &spoilt);
        match forge::need(proof, position) {
            Need::Needed => assert!(!is_accepted, "{}: {edit}", safe.name),
            Need::Redundant => assert!(is_accepted, "{}: {edit}", safe.name),
            Need::Unclear => {}
        }
    }
}

/// Systems like `system`, each a little different.
fn broken_variants(system: &System) -> Vec<System> {
    let mut variants = Vec::new();
    let mut everything_initial = system.clone();
    for rule in everything_initial.rules.indices().collect::<Vec<RuleId>>() {
        for atom in &mut everything_initial.rules[rule].atoms {
            if let Atom::Instance(instance) = atom {
                instance.initial = system.types[instance.component].states.indices().collect();
            }
        }
    }
    variants.push(everything_initial);
    for (component, definition) in system.types.enumerate() {
        let ends = (StateId::new(0), StateId::new(definition.states.len() - 1));
        for (from, to) in [ends, (ends.1, ends.0)] {
            variants.push(with_internal(system, component, from, to));
        }
    }
    for (rule, definition) in system.rules.enumerate() {
        for left_out in definition.interactions.indices() {
            variants.push(without_interaction(system, rule, left_out));
        }
    }
    variants
}

fn with_internal(system: &System, component: TypeId, from: StateId, to: StateId) -> System {
    let mut variant = system.clone();
    let transition = Transition { from, port: None, to };
    if !variant.types[component].transitions.iter().any(|known| *known == transition) {
        variant.types[component].transitions.push(transition);
    }
    variant
}

fn without_interaction(system: &System, rule: RuleId, left_out: InteractionId) -> System {
    let mut variant = system.clone();
    let interactions = system.rules[rule].interactions.enumerate();
    variant.rules[rule].interactions =
        interactions.filter(|(id, _)| *id != left_out).map(|(_, interaction)| interaction.clone()).collect();
    variant
}

/// Breaks the system in some ways; returns in how many of them the error is reached.
fn check_that_broken_systems_are_not_proved(safe: &Safe, variants: usize, edits: usize) -> usize {
    let mut broken = 0;
    for variant in some(broken_variants(&safe.system), variants) {
        let mut sweep = Sweep::search(&variant, &safe.error.formula, 1..=5, 2_000);
        if sweep.find(&Budget::unlimited()).is_none() {
            continue;
        }
        broken += 1;
        assert!(!is_accepted(&variant, &safe.error, &safe.certificate), "{}", safe.name);
        for edit in some(forge::edits(&variant, &safe.certificate), edits) {
            let spoilt = edit.apply(&variant, &safe.certificate);
            assert!(!is_accepted(&variant, &safe.error, &spoilt), "{}: {edit}", safe.name);
        }
        for (forgery, forged) in forge::forgeries(&safe.certificate) {
            assert!(!is_accepted(&variant, &safe.error, &forged), "{}: {forgery}", safe.name);
        }
    }
    broken
}

/// A certificate is about one system and one error.
fn check_that_headers_are_read(safe: &Safe) {
    for field in ["format", "version", "system", "error", "formula"] {
        let spoilt = Edit::Header(field).apply(&safe.system, &safe.certificate);
        assert!(!is_accepted(&safe.system, &safe.error, &spoilt), "{}: {field}", safe.name);
    }
    let json = serde_json::to_string(&safe.certificate).expect("certificates can be written");
    let read: Certificate = serde_json::from_str(&json).expect("and read");
    assert_eq!(read, safe.certificate);
    assert!(is_accepted(&safe.system, &safe.error, &read));
}

fn check_corpus(folder: &str) {
    let mut broken = 0;
    for safe in safe_cases(folder) {
        check_that_headers_are_read(&safe);
        check_that_configurations_are_needed(&safe);
        broken += check_that_broken_systems_are_not_proved(&safe, 8, 20);
    }
    assert!(broken >= 5, "only {broken} of the changed systems are broken");
}

#[test]
fn table1() {
    check_corpus("table1");
}

#[test]
fn more() {
    check_corpus("more");
}

#[test]
fn classic() {
    check_corpus("classic");
}

#[test]
fn random_systems() {
    let (mut proved, mut broken) = (0, 0);
    for safe in safe_random(0..40) {
        proved += 1;
        check_that_configurations_are_needed(&safe);
        broken += check_that_broken_systems_are_not_proved(&safe, 6, 10);
    }
    assert!(proved >= 10 && broken >= 10, "{proved} proved, {broken} broken: too few to tell");
}
