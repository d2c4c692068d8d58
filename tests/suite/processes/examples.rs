//! The processes under `examples/`: every one is listed with its right answers in the `expected.toml` beside
//! it.
//!
//! The answers were argued before they were compared: each model's header says why. A check that is not
//! listed under `any`, or a file that is not listed at all, fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use paramcheck_process::format::format;
use paramcheck_process::load;
use paramcheck_process::semantics::check::Schedule;

use super::{language_of, verdict};

/// Answers by check, by schedule.
type Answers = BTreeMap<String, BTreeMap<String, String>>;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name)
}

fn schedule(word: &str) -> Schedule {
    match word {
        "any" => Schedule::Any,
        "fair" => Schedule::WeaklyFair,
        "fair-strong" => Schedule::StronglyFair,
        "round-robin" => Schedule::RoundRobin,
        _ => panic!("there is no schedule `{word}`"),
    }
}

fn check_folder(name: &str) {
    let text = fs::read_to_string(folder(name).join("expected.toml")).unwrap();
    let expected: BTreeMap<String, Answers> = toml::from_str(&text).unwrap();
    let files: BTreeSet<String> = fs::read_dir(folder(name))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|file| file != "expected.toml")
        .collect();
    pretty_assertions::assert_eq!(files, expected.keys().cloned().collect::<BTreeSet<_>>());
    for (file, answers) in expected {
        let path = folder(name).join(&file);
        let text = fs::read_to_string(&path).unwrap();
        let loaded = load(&text, language_of(&path));
        assert!(loaded.diagnostics.is_empty(), "{file}: {:#?}", loaded.diagnostics);
        let system = loaded.system.unwrap();
        let mut found = Answers::new();
        for (word, listed) in &answers {
            let found = found.entry(word.clone()).or_default();
            for check in &system.checks {
                if word == "any" || listed.contains_key(&check.name) {
                    let answer = match verdict(&system, check, schedule(word)).0 {
                        "holds" => "proved",
                        other => other,
                    };
                    found.insert(check.name.clone(), answer.to_owned());
                }
            }
        }
        pretty_assertions::assert_eq!(found, answers, "{file}");
        // Whoever edits it can have it formatted.
        let formatted = format(&text, language_of(&path)).unwrap();
        let comments = |text: &str| text.lines().filter(|line| line.trim_start().starts_with("//")).count();
        assert!(comments(&text) > 0, "{file}: without a comment");
        assert_eq!(comments(&formatted), comments(&text));
    }
}

#[test]
fn processes_have_the_right_answers() {
    check_folder("ccs");
}

#[test]
fn choreographies_have_the_right_answers() {
    check_folder("chor");
}
