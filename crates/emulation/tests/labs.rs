//! The models with known answers: numbers of stores, verdicts, shortest ways, by the packed engine.
#![allow(clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

use paramcheck_emulation::labs::Unfit;
use paramcheck_emulation::labs::engine::{Engine, Options, Outcome};
use paramcheck_labs::model::{Modality, System};
use paramcheck_labs::semantics::step::{Rules, Schedule, Semantics};
use paramcheck_labs::{Parameters, load};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::limits::Budget;
use serde_json::Value;

/// Runs with more stores are left to the packed engine, unless the run is a long one.
const MOST_STORES: u64 = 3_000;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/labs").join(name)
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).expect("a file")).expect("JSON")
}

fn parameters(run: &Value) -> Parameters {
    let given = run["params"].as_object().into_iter().flatten();
    given.map(|(name, value)| (name.clone(), value.as_i64().expect("a number"))).collect()
}

fn rules(run: &Value) -> Vec<Rules> {
    let schedule = match run["schedule"].as_str() {
        Some("free") | None => Schedule::Free,
        Some("round-robin") => Schedule::RoundRobin,
        Some("round-robin-strict") => Schedule::StrictTurns,
        Some(other) => panic!("{other}"),
    };
    let semantics = match run["semantics"].as_str() {
        Some("paper") => vec![Semantics::Paper],
        Some("sliver") => vec![Semantics::Sliver],
        Some("any") | None => vec![Semantics::Paper, Semantics::Sliver],
        Some(other) => panic!("{other}"),
    };
    let is_sync = run["sync"].as_bool().unwrap_or(false);
    let all =
        semantics.into_iter().map(|semantics| Rules { semantics, schedule, is_sync, ..Rules::default() });
    all.collect()
}

/// The system of a run, with the properties that are not in the file.
fn system(text: &str, run: &Value, what: &str) -> System {
    let mut text = text.to_owned();
    for (name, property) in run["properties"].as_object().into_iter().flatten() {
        if let Some(formula) = property["text"].as_str() {
            text = format!("{text}\ncheck {{ {name} = {formula} }}\n");
        }
    }
    let loaded = load(&text, &parameters(run));
    assert!(!loaded.diagnostics.iter().any(Diagnostic::is_error), "{what}: {:?}", loaded.diagnostics);
    loaded.system.expect("it has a meaning")
}

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
    for (file, runs) in json(&folder.join("expected.json")).as_object().expect("an object") {
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
