//! The models with known answers: numbers of stores, verdicts, shortest ways, by the packed engine.
#![allow(clippy::expect_used, clippy::panic)]

use paramcheck_emulation::labs::Unfit;
use paramcheck_emulation::labs::engine::{Engine, Options, Outcome};
use paramcheck_labs::model::{Modality, System};
use paramcheck_labs::semantics::step::Rules;
use paramcheck_text::limits::Budget;
use serde_json::Value;

#[path = "../../labs/tests/support/known.rs"]
mod known;

use known::{each_run, rules};

fn assert_as_expected(what: &str, system: &System, run: &Value, rules: &Rules) {
    let until = run["until"].as_str();
    let until = until.map(|name| system.properties.iter().find(|one| one.name == name).expect("a property"));
    let engine = Engine::new(system, *rules, &Budget::unlimited()).expect("it fits");
    let options = Options::default();
    let ends = until.map(|property| &property.formula);
    let counts = engine.explore(ends, &options, &Budget::unlimited()).expect("it has states");
    assert_eq!(counts.fault, None, "{what}");
    if let Some(initial) = run["initial"].as_u64() {
        assert_eq!(counts.initial, initial, "{what}: initial");
    }
    if let Some(stores) = run["stores"].as_u64() {
        assert_eq!(counts.stores, stores, "{what}: stores, of {} states", counts.states);
    }
    if let Some(stuck) = run["stuck_stores"].as_u64() {
        assert_eq!(counts.stuck_stores, stuck, "{what}: stuck stores");
    }
    for (name, property) in run["properties"].as_object().into_iter().flatten() {
        assert_answer(&format!("{what}: {name}"), system, &engine, name, property);
    }
}

fn assert_answer(what: &str, system: &System, engine: &Engine<'_>, name: &str, expected: &Value) {
    let property = system.properties.iter().find(|one| one.name == name).expect("a property");
    let outcome = engine.decide(property, &Options::default(), &Budget::unlimited()).expect("it has states");
    match expected["verdict"].as_str() {
        Some("holds") => assert!(matches!(outcome, Outcome::Holds(_)), "{what}: {outcome:?}"),
        Some("violated") => {
            let Outcome::Violated(evidence) = outcome else { panic!("{what}: {outcome:?}") };
            if let (Some(shortest), Modality::Always) = (expected["shortest"].as_u64(), &property.modality) {
                assert_eq!(evidence.len() as u64, shortest, "{what}: shortest");
            }
        }
        other => panic!("{what}: {other:?}"),
    }
}

fn assert_folder(name: &str) -> usize {
    each_run(name, |what, system, run| {
        if run["error"] == "no initial state" {
            let engine = Engine::new(system, rules(run)[0], &Budget::unlimited()).expect("it fits");
            let counts = engine.explore(None, &Options::default(), &Budget::unlimited());
            assert_eq!(counts, Err(Unfit::NoInitialState), "{what}");
            return;
        }
        for rules in rules(run) {
            assert_as_expected(what, system, run, &rules);
        }
    })
}

#[test]
fn the_authors_models_have_the_known_answers() {
    assert!(assert_folder("examples") > 40);
}

#[test]
fn each_rule_has_the_known_answers() {
    assert!(assert_folder("points") > 50);
}
