//! The models with known answers, as all tests of them read them: of the rules, of the engine, of the library.
#![allow(clippy::expect_used, clippy::panic, missing_docs, unreachable_pub)]

use std::path::{Path, PathBuf};

use paramcheck_labs::model::System;
use paramcheck_labs::semantics::step::{Rules, Schedule, Semantics};
use paramcheck_labs::{Parameters, load};
use paramcheck_text::diagnostic::Diagnostic;
use serde_json::Value;

/// A folder of models: `examples`, `points`, `bad`.
pub fn folder(name: &str) -> PathBuf {
    // The crate that includes this may be any of the workspace.
    let mut above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|one| one.join("tests/cases/labs"));
    above.find(|one| one.is_dir()).expect("the cases are there").join(name)
}

/// The known answers of a folder: by file its runs.
pub fn expected(name: &str) -> Value {
    let path = folder(name).join("expected.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("a file")).expect("JSON")
}

/// The parameters of a run.
pub fn parameters(run: &Value) -> Parameters {
    let given = run["params"].as_object().into_iter().flatten();
    given.map(|(name, value)| (name.clone(), value.as_i64().expect("a number"))).collect()
}

/// The rules of a run: of both semantics where they make no difference.
pub fn rules(run: &Value) -> Vec<Rules> {
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
pub fn system(text: &str, run: &Value, what: &str) -> System {
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

/// Runs with more stores wait for a long run of the tests.
const MOST_STORES: u64 = 3_000;

/// Hands every run of a folder to `compare`, with its system and what it is called; how many there were.
pub fn each_run(name: &str, mut compare: impl FnMut(&str, &System, &Value)) -> usize {
    let mut compared = 0;
    for (file, runs) in expected(name).as_object().expect("an object") {
        let text = std::fs::read_to_string(folder(name).join(file)).expect("a file");
        for run in runs.as_array().expect("runs") {
            let is_large = run["stores"].as_u64().is_some_and(|stores| stores > MOST_STORES);
            if run["parses"] == true || is_large && std::env::var_os("PARAMCHECK_LONG").is_none() {
                continue;
            }
            let what = format!("{file} {} {} {}", run["params"], run["schedule"], run["semantics"]);
            compare(&what, &system(&text, run, &what), run);
            compared += 1;
        }
    }
    compared
}
