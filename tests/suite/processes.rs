//! Processes: the cases with known answers, random processes, and everything that can be written wrong.

mod laws;
mod messages;
mod random;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use paramcheck::process::model::System;
use paramcheck::process::{Language, load};
use paramcheck::semantics::bisimulation::{class_transitions, classes};
use paramcheck::semantics::explore::explore;
use paramcheck::support::limits::Budget;

/// The files of the corpus of processes.
fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/emulation")
}

fn language_of(path: &Path) -> Language {
    Language::of_extension(path.extension().unwrap().to_str().unwrap()).unwrap()
}

/// The text of a file of the corpus.
fn text(name: &str) -> String {
    std::fs::read_to_string(corpus().join(name)).unwrap()
}

/// The system of a file of the corpus, which must be without fault.
fn system(name: &str) -> System {
    let loaded = load(&text(name), language_of(Path::new(name)));
    assert!(loaded.diagnostics.is_empty(), "{name}: {:#?}", loaded.diagnostics);
    loaded.system.unwrap()
}

/// A file of right answers.
fn expected(name: &str) -> BTreeMap<String, serde_json::Value> {
    serde_json::from_str(&text(name)).unwrap()
}

#[test]
fn the_corpus_has_the_right_sizes() {
    for (name, answers) in expected("expected.json") {
        let space = explore(&system(&name), 1_000_000, &Budget::unlimited());
        let lts = &space.lts;
        assert_eq!(lts.incomplete, None);
        let classes = classes(lts, &Budget::unlimited()).unwrap();
        let found = [
            lts.states(),
            lts.transition_count(),
            classes.iter().max().map_or(0, |class| *class as usize + 1),
            class_transitions(lts, &classes),
        ];
        let right = ["states", "transitions", "classes", "class_transitions"]
            .map(|key| answers[key].as_u64().unwrap() as usize);
        assert_eq!(found, right, "{name}: states, transitions, classes, transitions between classes");
    }
}

/// A tree without its places.
fn without_spans(model: &paramcheck::process::ast::Model) -> String {
    // Places are the only fields called `span`, and print as two numbers.
    let text = format!("{model:?}");
    let mut parts = text.split("Span { ");
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        result.push_str(part.split_once(" }").map_or("", |(_, rest)| rest));
    }
    result
}
