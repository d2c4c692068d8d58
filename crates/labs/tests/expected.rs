//! The models with known answers: numbers of stores, verdicts, shortest ways, by the rules on process terms.

#![allow(clippy::expect_used, missing_docs)]

use paramcheck_labs::load;
use paramcheck_labs::model::{Modality, System};
use paramcheck_labs::semantics::check::{Answer, decide};
use paramcheck_labs::semantics::explore::{Space, explore, holds_in, initial_values};
use paramcheck_labs::semantics::step::Rules;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::limits::Budget;
use serde_json::Value;

#[path = "support/known.rs"]
mod known;

use known::{each_run, expected, folder, parameters, rules};

fn assert_as_expected(what: &str, system: &System, run: &Value, rules: &Rules) {
    let until = run["until"].as_str();
    let until = until.map(|name| system.properties.iter().find(|one| one.name == name).expect("a property"));
    let ends = |store: &paramcheck_labs::semantics::store::Store| {
        until.is_some_and(|one| holds_in(system, &one.formula, &store.cells, rules) == Ok(true))
    };
    let space = explore(system, *rules, 2_000_000, &Budget::unlimited(), ends).expect("small enough");
    assert_eq!(space.fault, None, "{what}");
    if let Some(initial) = run["initial"].as_u64() {
        assert_eq!(space.initial as u64, initial, "{what}: initial");
    }
    for (name, property) in run["properties"].as_object().into_iter().flatten() {
        assert_answer(&format!("{what}: {name}"), system, name, property, &space, rules);
    }
    if let Some(stores) = run["stores"].as_u64() {
        assert_eq!(space.stores() as u64, stores, "{what}: stores, of {} states", space.states.len());
    }
    if let Some(stuck) = run["stuck_stores"].as_u64() {
        assert_eq!(space.stuck_stores() as u64, stuck, "{what}: stuck stores");
    }
}

fn assert_answer(what: &str, system: &System, name: &str, expected: &Value, space: &Space, rules: &Rules) {
    let property = system.properties.iter().find(|one| one.name == name).expect("a property");
    let answer = decide(system, space, property, rules).expect("a value");
    match expected["verdict"].as_str() {
        Some("holds") => assert_eq!(answer, Answer::Holds, "{what}"),
        Some("violated") => {
            let Answer::Violated(state) = answer else { panic!("{what}: it holds") };
            if let (Some(shortest), Modality::Always) = (expected["shortest"].as_u64(), &property.modality) {
                assert_eq!(space.depth(state) as u64, shortest, "{what}: shortest");
            }
        }
        other => panic!("{what}: {other:?}"),
    }
}

fn assert_folder(name: &str) -> usize {
    each_run(name, |what, system, run| {
        if run["error"] == "no initial state" {
            let none = initial_values(system, &rules(run)[0], 1, &Budget::unlimited());
            assert_eq!(none, Ok(Vec::new()), "{what}");
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

#[test]
fn what_is_wrong_is_refused() {
    let folder = folder("bad");
    let expected = expected("bad");
    for (file, one) in expected.as_object().expect("an object") {
        if one["exit"] != 2 || one["kind"] == "no initial state" {
            continue;
        }
        let text = std::fs::read_to_string(folder.join(file)).expect("a file");
        let loaded = load(&text, &parameters(one));
        let errors: Vec<&Diagnostic> = loaded.diagnostics.iter().filter(|one| one.is_error()).collect();
        let [error] = errors.as_slice() else { panic!("{file}: {errors:?}") };
        let line = text[..error.labels[0].span.start].matches('\n').count() + 1;
        assert_eq!(line as u64, one["line"].as_u64().expect("a line"), "{file}: {}", error.message);
        // A message that names the right spelling needs no hint.
        assert!(error.help.is_some() || error.message.contains("is written"), "{file}: {}", error.message);
        if let Some(hint) = one["hint"].as_str() {
            let said = format!("{} {}", error.message, error.help.as_deref().unwrap_or(""));
            assert!(said.contains(hint), "{file}: {said}");
        }
    }
}
