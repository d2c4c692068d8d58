//! Replay of trace documents: true ones replay, altered ones are caught or still true.

use paramcheck::replay::{ReplayError, ends_in, replay};
use paramcheck::report::build;
use paramcheck::report::document::Document;
use paramcheck::report::trace::{TraceDocument, read};
use paramcheck_model::error::NamedError;
use paramcheck_model::system::System;
use paramcheck_text::source::SourceFile;
use paramcheck_verdict::{Options, decide};
use serde_json::Value;

use super::support::{case, expected, system};

/// A trace of the model to the error, which is violated.
fn document(system: &System, error: &NamedError) -> TraceDocument {
    let verdict = decide(system, error, &Options::default()).unwrap();
    TraceDocument::of(system.name(), &build::question(system, &verdict)).expect("violated")
}

fn traces() -> Vec<(System, NamedError, TraceDocument)> {
    let mut all = Vec::new();
    for (model, error) in [
        ("table1/alt-philo-sym.rs", "deadlock"),
        ("classic/swimming-pool.rs", "deadlock"),
        ("classic/tree-termination-bug.rs", "early"),
    ] {
        let system = case(model);
        let error = system.error_named(error).unwrap();
        let document = document(&system, &error);
        all.push((system, error, document));
    }
    let internal = system(
        "component A { states a, b, c; init a, c; a -go-> b; b -> c; c -stay-> c; c -go-> a; }
         S() <- new x, y . <go(x) go(y) + stay(x)> (A(x), B(y)); B(x) <- <stay(x)> (A(x));
         error late = #b == 1 & #c == 1;",
    );
    let error = internal.error_named("late").unwrap();
    let document = document(&internal, &error);
    all.push((internal, error, document));
    all
}

#[test]
fn traces_of_the_corpus_replay() {
    for folder in ["table1", "more", "classic"] {
        for (model, error, entry) in expected(folder) {
            if entry["smallest_size"].is_null() {
                continue;
            }
            let system = case(&model);
            let error = system.error_named(&error).unwrap();
            let verdict = decide(&system, &error, &Options::default()).unwrap();
            // What is not found at once is another test's matter.
            let Some(document) = TraceDocument::of(system.name(), &build::question(&system, &verdict)) else {
                continue;
            };
            let text = SourceFile::new("t", document.to_text().unwrap());
            assert_eq!(read(&text, "", None).unwrap(), document, "{model}");
            let replayed = replay(&system, &document).unwrap_or_else(|reason| panic!("{model}: {reason}"));
            assert_eq!(replayed.steps.len(), document.trace.len());
            assert_eq!(ends_in(&system, &document, &replayed, &error), Ok(Some(true)), "{model}");
        }
    }
}

/// The places of all values below `value`.
fn places(value: &Value, here: &str, found: &mut Vec<String>) {
    found.push(here.to_owned());
    match value {
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(index, item)| places(item, &format!("{here}/{index}"), found));
        }
        Value::Object(items) => {
            items.iter().for_each(|(key, item)| places(item, &format!("{here}/{key}"), found));
        }
        _ => {}
    }
}

/// Other values that could stand in the place of `value`.
fn others(value: &Value, strings: &[String]) -> Vec<Value> {
    match value {
        Value::String(text) => strings
            .iter()
            .filter(|other| *other != text)
            .map(|other| Value::from(other.as_str()))
            .chain([Value::from(format!("{text}x")), Value::Null, Value::from(1)])
            .collect(),
        Value::Number(number) => {
            let number = number.as_u64().unwrap();
            let mut all: Vec<Value> =
                (0..8).chain([u64::MAX]).filter(|&n| n != number).map(Value::from).collect();
            all.extend([Value::Null, Value::from(-1), Value::from(0.5)]);
            all
        }
        Value::Null => vec![Value::from(0), Value::from(1), Value::from("out")],
        Value::Array(items) => {
            let mut all = vec![Value::Null, Value::Array(vec![])];
            for index in 0..items.len() {
                let mut without = items.clone();
                without.remove(index);
                let mut twice = items.clone();
                twice.insert(index, items[index].clone());
                let mut swapped = items.clone();
                swapped.swap(index, 0);
                all.extend([without, twice, swapped].map(Value::Array));
            }
            all.retain(|other| other != value);
            all
        }
        Value::Object(_) => vec![Value::Null],
        Value::Bool(_) => vec![],
    }
}

fn strings(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| strings(item, found)),
        Value::Object(items) => items.values().for_each(|item| strings(item, found)),
        _ => {}
    }
}

/// Whether what `document` states about steps and markings is true of the components that it names: written
/// from `docs/json.md` alone.
fn is_true(document: &Value) -> bool {
    let mut states: std::collections::BTreeMap<&str, &str> = document["instance"]["components"]
        .as_array()
        .unwrap()
        .iter()
        .map(|component| (component["name"].as_str().unwrap(), component["initial"].as_str().unwrap()))
        .collect();
    for step in document["trace"].as_array().unwrap() {
        for participant in step["participants"].as_array().unwrap() {
            let state = states.get_mut(participant["component"].as_str().unwrap()).unwrap();
            if *state != participant["from"] {
                return false;
            }
            *state = participant["to"].as_str().unwrap();
        }
    }
    let marking = document["marking"].as_array().unwrap();
    marking.len() == states.len()
        && marking.iter().all(|place| states[place["component"].as_str().unwrap()] == place["state"])
}

/// Whether a document, as text, is accepted as a trace to the error.
fn is_accepted(system: &System, error: &NamedError, document: &Value) -> bool {
    let text = SourceFile::new("t", document.to_string());
    let Ok(document) = read(&text, "", None) else { return false };
    if document.error.as_ref() != Some(&error.name) {
        return false;
    }
    let Ok(replayed) = replay(system, &document) else { return false };
    ends_in(system, &document, &replayed, error) == Ok(Some(true))
}

#[test]
fn every_alteration_is_caught_or_leaves_a_true_trace() {
    let (mut caught, mut harmless) = (0, Vec::new());
    for (system, error, document) in traces() {
        let document = serde_json::to_value(document).unwrap();
        assert!(is_true(&document) && is_accepted(&system, &error, &document));
        let (mut all_places, mut all_strings) = (Vec::new(), Vec::new());
        places(&document, "", &mut all_places);
        strings(&document, &mut all_strings);
        all_strings.sort();
        all_strings.dedup();
        for place in &all_places[1..] {
            let old = document.pointer(place).unwrap();
            for other in others(old, &all_strings) {
                let mut altered = document.clone();
                *altered.pointer_mut(place).unwrap() = other.clone();
                if !is_accepted(&system, &error, &altered) {
                    caught += 1;
                    continue;
                }
                assert!(is_true(&altered), "{place}: {old} became {other}");
                harmless.push((place.clone(), old.clone(), other));
            }
        }
    }
    assert!(caught > 5_000, "{caught}");
    // Only the order of independent steps may change, and a name that was not known may become unknown.
    for (place, old, other) in &harmless {
        let sorted = |value: &Value| {
            let mut items: Vec<String> = value.as_array().unwrap().iter().map(Value::to_string).collect();
            items.sort();
            items
        };
        assert!(place == "/trace" && sorted(old) == sorted(other), "{place}: {old} became {other}");
    }
    assert!(!harmless.is_empty());
}

#[test]
fn keys_that_are_missing_are_missed() {
    let (system, error, document) = traces().remove(0);
    let document = serde_json::to_value(document).unwrap();
    let mut all = Vec::new();
    places(&document, "", &mut all);
    for place in &all {
        let keys: Vec<String> = match document.pointer(place) {
            Some(Value::Object(items)) => items.keys().cloned().collect(),
            _ => continue,
        };
        for key in keys {
            let mut altered = document.clone();
            altered.pointer_mut(place).unwrap().as_object_mut().unwrap().remove(&key);
            // The root has no parent, and a trace may be to no error.
            let is_optional = altered.pointer(&format!("{place}/{key}")).is_none()
                && document.pointer(&format!("{place}/{key}")) == Some(&Value::Null);
            assert!(is_optional || !is_accepted(&system, &error, &altered), "{place}/{key}");
            // A later version may say more.
            let mut more = document.clone();
            more.pointer_mut(place).unwrap()["colour"] = Value::from("red");
            assert!(is_accepted(&system, &error, &more), "{place}");
        }
    }
}

#[test]
fn what_fails_is_said() {
    let (system, _, document) = traces().remove(0);
    let reason = |change: &dyn Fn(&mut TraceDocument)| {
        let mut altered = document.clone();
        change(&mut altered);
        replay(&system, &altered).unwrap_err().to_string()
    };
    let lines = [
        reason(&|one| one.system = "Ring".into()),
        reason(&|one| one.instance.tree[1].rule = "Chain.9".into()),
        reason(&|one| one.instance.tree[1].children = vec![1]),
        reason(&|one| one.instance.term = "Table.1(Chain.2(Chain.1))".into()),
        reason(&|one| one.instance.components[2].initial = "eat".into()),
        reason(&|one| one.instance.components[2].variable = "z".into()),
        reason(&|one| one.trace[1].node = 7),
        reason(&|one| one.trace[1].rule = "Chain.2".into()),
        reason(&|one| one.trace[1].interaction = Some(99)),
        reason(&|one| one.trace[1].text.push('!')),
        reason(&|one| one.trace[1].participants[0].component = "Phil#9".into()),
        reason(&|one| one.trace[1].participants.swap(0, 1)),
        reason(&|one| one.trace[1].participants.clear()),
        reason(&|one| one.trace[2] = one.trace[1].clone()),
        reason(&|one| drop(one.trace.pop())),
        reason(&|one| drop(one.marking.pop())),
    ];
    insta::assert_snapshot!("what-fails", lines.join("\n"));
    assert!(matches!(replay(&system, &document), Ok(replayed) if replayed.markings.len() == 4));
}

#[test]
fn another_definition_of_the_error_is_no_proof_of_this_one() {
    let (system, error, mut document) = traces().remove(0);
    document.formula = Some("#Phil.eat >= 2".into());
    let replayed = replay(&system, &document).unwrap();
    let refused = ends_in(&system, &document, &replayed, &error);
    assert!(matches!(refused, Err(ReplayError::Formula { .. })), "{refused:?}");
}

#[test]
fn documents_of_runs_are_read_too() {
    let (system, error, document) = traces().remove(0);
    let verdict = decide(&system, &error, &Options::default()).unwrap();
    let result = serde_json::to_value(build::question(&system, &verdict)).unwrap();
    let run = |files: &[(&str, &[&Value])]| {
        let mut run = Document::<(), Value>::new("check");
        for (file, results) in files {
            run.begin(*file);
            run.file().unwrap().system = Some(system.name().to_owned());
            results.iter().for_each(|&result| run.add(result.clone()));
        }
        SourceFile::new("run.json", run.to_text().unwrap())
    };
    // `explore` and `verify` have whole trace documents.
    let mut explored = Document::<(), Value>::new("explore");
    for (file, trace) in [("a", Value::Null), ("b", serde_json::to_value(&document).unwrap())] {
        explored.begin(file);
        explored.add(serde_json::json!({ "trace": trace }));
    }
    let explored = SourceFile::new("run.json", explored.to_text().unwrap());
    assert_eq!(read(&explored, "b", None).unwrap(), document);
    let mut proved = result.clone();
    proved["verdict"] = "proved".into();
    let mut other = result.clone();
    other["error"] = "other".into();
    assert_eq!(read(&run(&[("a", &[&proved, &result])]), "b", None).unwrap(), document);
    assert_eq!(read(&run(&[("a", &[&other, &result])]), "b", Some("deadlock")).unwrap(), document);
    assert_eq!(read(&run(&[("a", &[&other]), ("b", &[&result])]), "b", None).unwrap(), document);
    let mut old = run(&[("a", &[&result])]);
    old.text = old.text.replace("\"schema_version\": 2", "\"schema_version\": 1");
    let refused = [
        read(&run(&[("a", &[&proved])]), "a", None),
        read(&run(&[("a", &[&other, &result])]), "a", None),
        read(&run(&[("a", &[&other, &result])]), "a", Some("forbidden")),
        read(&run(&[("a", &[&result, &result])]), "a", None),
        read(&run(&[("a", &[&result, &other, &result])]), "a", Some("deadlock")),
        read(&run(&[("a", &[&other]), ("b", &[&result])]), "c", None),
        read(&old, "a", None),
        read(&explored, "a", None),
        read(&explored, "c", None),
        read(&SourceFile::new("deep", "[".repeat(1_000_000)), "a", None),
        read(&SourceFile::new("deep", format!("{{\"x\":{}", "{\"x\":".repeat(1_000_000))), "a", None),
        read(&SourceFile::new("null", "null"), "a", None),
    ];
    let messages = refused.map(|refused| {
        let diagnostic = refused.unwrap_err();
        format!("{} ({})", diagnostic.message, diagnostic.help.unwrap())
    });
    insta::assert_snapshot!("unread", messages.join("\n"));
}
