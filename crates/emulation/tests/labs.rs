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

use known::{expected, folder, rules, system};

/// Runs with more stores are left to the packed engine, unless the run is a long one.
const MOST_STORES: u64 = 3_000;

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
    let folder = folder(name);
    let mut compared = 0;
    for (file, runs) in expected(name).as_object().expect("an object") {
        let text = std::fs::read_to_string(folder.join(file)).expect("a file");
        for run in runs.as_array().expect("runs") {
            let is_large = run["stores"].as_u64().is_some_and(|stores| stores > MOST_STORES);
            if run["parses"] == true || is_large && std::env::var_os("PARAMCHECK_LONG").is_none() {
                continue;
            }
            let what = format!("{file} {} {} {}", run["params"], run["schedule"], run["semantics"]);
            let system = system(&text, run, &what);
            if run["error"] == "no initial state" {
                let engine = Engine::new(&system, rules(run)[0], &Budget::unlimited()).expect("it fits");
                let counts = engine.explore(None, &Options::default(), &Budget::unlimited());
                assert_eq!(counts, Err(Unfit::NoInitialState), "{what}");
                continue;
            }
            for rules in rules(run) {
                assert_as_expected(&what, &system, run, &rules);
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn the_authors_models_have_the_known_answers() {
    assert!(assert_folder("examples") > 40);
}

#[test]
fn each_rule_has_the_known_answers() {
    assert!(assert_folder("points") > 50);
}
