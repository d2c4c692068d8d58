//! The models with known answers: sizes and verdicts, in our reading and in that of the published tool, with
//! and without fairness, by the rules as they are written.

#![allow(clippy::expect_used, clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};

use paramcheck_rcheck::format::format_to_today;
use paramcheck_rcheck::load;
use paramcheck_rcheck::model::System;
use paramcheck_rcheck::parser::Options;
use paramcheck_rcheck::semantics::check::{Answer, Fairness, check};
use paramcheck_rcheck::semantics::explore::{Space, explore};
use paramcheck_rcheck::semantics::lasso::{is_run, satisfies};
use paramcheck_rcheck::vocabulary::Syntax;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::limits::Budget;
use serde_json::Value;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/rcheck").join(name)
}

fn expected(name: &str) -> Value {
    let text = fs::read_to_string(folder(name).join("expected.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn explored(system: &System) -> Space {
    explore(system, 100_000, &Budget::unlimited()).expect("small enough")
}

/// Checks that a property has this verdict, and that what violates it is a run that does.
fn assert_verdict(
    what: &str,
    system: &System,
    space: &Space,
    index: usize,
    fairness: Fairness,
    verdict: &str,
) {
    let spec = &system.specs[index];
    match check(system, space, spec, fairness) {
        Answer::Holds => assert_eq!("holds", verdict, "{what}"),
        Answer::Violated(lasso) => {
            assert_eq!("violated", verdict, "{what}: {lasso:?}");
            assert!(is_run(system, space, spec, &lasso), "{what}: {lasso:?}");
            assert_eq!(satisfies(system, space, spec, &lasso), Ok(false), "{what}: {lasso:?}");
        }
        other => panic!("{what}: {other:?}"),
    }
}

fn assert_sizes(what: &str, space: &Space, sizes: &Value) {
    for (key, is) in [
        ("initial", space.initial),
        ("states", space.states.len()),
        ("transitions", space.transitions()),
        ("deadlocks", space.deadlocks().len()),
    ] {
        if let Some(wanted) = sizes[key].as_u64() {
            assert_eq!(is as u64, wanted, "{what}: {key}");
        }
    }
}

/// Checks all entries of a folder, and returns how many verdicts there were: ours, fair ones, those in the
/// tool's reading.
fn assert_folder(name: &str) -> [usize; 3] {
    let mut counts = [0; 3];
    for (file, entry) in expected(name).as_object().unwrap() {
        let text = fs::read_to_string(folder(name).join(file)).unwrap();
        let loaded = load(&text, Options::default());
        assert!(!loaded.diagnostics.iter().any(Diagnostic::is_error), "{file}: {:#?}", loaded.diagnostics);
        let system = loaded.system.expect("it has a meaning");
        let syntax = if entry["syntax"] == "article" { Syntax::Article } else { Syntax::Today };
        assert_eq!(system.syntax, syntax, "{file}");
        let space = explored(&system);
        assert_eq!(space.fault, None, "{file}");
        assert_sizes(file, &space, entry);
        let properties = entry["properties"].as_array().unwrap();
        assert_eq!(system.specs.len(), properties.len(), "{file}");
        let differs = entry.get("as_rcheck").is_some()
            || properties.iter().any(|property| property.get("as_rcheck").is_some());
        let theirs = load(&text, Options { as_rcheck: true }).system;
        let theirs = theirs.map(|system| (explored(&system), system));
        assert!(theirs.is_some() || !differs, "{file}");
        if let Some((space, _)) = &theirs {
            assert_sizes(
                &format!("{file}, as the tool reads"),
                space,
                entry.get("as_rcheck").unwrap_or(entry),
            );
        }
        for (index, property) in properties.iter().enumerate() {
            let verdict = property["verdict"].as_str().unwrap();
            assert_eq!(system.specs[index].text, property["text"], "{file}");
            let what = format!("{file}: {}", property["text"]);
            assert_verdict(&what, &system, &space, index, Fairness::Unfair, verdict);
            counts[0] += 1;
            let fair = property["fair"].as_str().unwrap_or(verdict);
            assert_verdict(&format!("{what}, fairly"), &system, &space, index, Fairness::Weak, fair);
            counts[1] += usize::from(fair != verdict);
            if let Some((space, system)) = &theirs {
                let read = property["as_rcheck"].as_str().unwrap_or(verdict);
                let what = format!("{what}, as the tool reads");
                assert_verdict(&what, system, space, index, Fairness::Unfair, read);
                counts[2] += 1;
            }
        }
    }
    counts
}

#[test]
fn models_of_our_own_have_their_answers() {
    assert_eq!(assert_folder("models"), [118, 7, 108]);
}

#[test]
fn models_of_the_authors_have_their_answers() {
    assert_eq!(assert_folder("upstream"), [17, 0, 17]);
}

#[test]
fn what_is_converted_has_the_same_meaning() {
    let text = fs::read_to_string(folder("models/allocation-seed.rcp")).unwrap();
    let today = format_to_today(&text, Options::default()).unwrap();
    let [before, after] = [&text, &today].map(|text| load(text, Options::default()));
    assert!(!after.diagnostics.iter().any(Diagnostic::is_error), "{today}\n{:#?}", after.diagnostics);
    let [before, after] = [before, after].map(|loaded| loaded.system.unwrap());
    let spaces = [&before, &after].map(explored);
    assert_eq!(spaces[0].states, spaces[1].states);
    assert_eq!(spaces[0].steps, spaces[1].steps);
    for (one, other) in before.specs.iter().zip(&after.specs) {
        assert_eq!(one.formula, other.formula, "{}", one.text);
    }
    assert_eq!(after.specs.len(), 5);
}
