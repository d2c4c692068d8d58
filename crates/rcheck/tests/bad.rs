//! Texts that must be refused or warned of: each message, where it stands, and what remains true.

#![allow(clippy::expect_used, clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use paramcheck_rcheck::load;
use paramcheck_rcheck::parser::Options;
use paramcheck_rcheck::semantics::check::{Answer, Fairness, check};
use paramcheck_rcheck::semantics::explore::explore;
use paramcheck_text::diagnostic::render::render;
use paramcheck_text::limits::Budget;
use paramcheck_text::source::SourceFile;
use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/rcheck/bad")
}

fn verdicts(text: &str, options: Options) -> Vec<&'static str> {
    let system = load(text, options).system.expect("it has a meaning");
    let space = explore(&system, 1_000, &Budget::unlimited()).expect("it is small");
    let answers = system.specs.iter().map(|spec| check(&system, &space, spec, Fairness::Unfair));
    let name = |answer| match answer {
        Answer::Holds => "holds",
        Answer::Violated(_) => "violated",
        Answer::Fault => "fault",
        Answer::Unknown(_) => "unknown",
    };
    answers.map(name).collect()
}

fn assert_verdicts(text: &str, options: Options, wanted: &Value, file: &str) {
    let wanted: Vec<&str> = wanted.as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    assert_eq!(verdicts(text, options), wanted, "{file}");
}

#[test]
fn bad_texts_get_their_messages() {
    let text = fs::read_to_string(folder().join("expected.json")).unwrap();
    let expected: Value = serde_json::from_str(&text).unwrap();
    let mut checked = 0;
    for (file, entry) in expected.as_object().unwrap() {
        let text = fs::read_to_string(folder().join(file)).unwrap();
        let loaded = load(&text, Options::default());
        let source = SourceFile::new(file, text.as_str());
        let rendered: Vec<String> =
            loaded.diagnostics.iter().map(|one| render(&source, one, false)).collect();
        insta::assert_snapshot!(file.trim_end_matches(".rcp"), rendered.join("\n\n"));
        let severity = entry["severity"].as_str().unwrap();
        assert_eq!(loaded.system.is_none(), severity == "error", "{file}");
        let lines: BTreeSet<usize> = loaded
            .diagnostics
            .iter()
            .flat_map(|one| one.labels.iter().map(|label| source.line_column(label.span.start).0))
            .collect();
        for line in entry["lines"].as_array().into_iter().flatten() {
            assert!(lines.contains(&(line.as_u64().unwrap() as usize)), "{file}: {line} of {lines:?}");
        }
        if severity == "warning" {
            assert!(!loaded.diagnostics.is_empty(), "{file}");
            assert_verdicts(&text, Options::default(), &entry["verdicts"], file);
            assert_verdicts(&text, Options { as_rcheck: true }, &entry["as_rcheck"], file);
        }
        checked += 1;
    }
    assert_eq!(checked, 10);
}

#[test]
fn the_places_that_the_authors_list_are_those_reported() {
    for (file, count) in [("duplicates.rcp", 17), ("ltol-in-expr.rcp", 7)] {
        let text = fs::read_to_string(folder().join(file)).unwrap();
        // Their columns are not always those of the file.
        let line = |comment: &str| {
            let (_, place) = comment.rsplit_once("[Ln ")?;
            place.split_once(',')?.0.parse::<usize>().ok()
        };
        let mut listed: Vec<usize> = text.lines().filter_map(line).collect();
        let source = SourceFile::new(file, text.as_str());
        let loaded = load(&text, Options::default());
        let mut reported: Vec<usize> =
            loaded.diagnostics.iter().map(|one| source.line_column(one.labels[0].span.start).0).collect();
        listed.sort_unstable();
        reported.sort_unstable();
        assert_eq!(reported, listed, "{file}");
        assert_eq!(listed.len(), count, "{file}");
    }
}

#[test]
fn an_assignment_outside_its_range_is_an_error_of_the_model() {
    let text = fs::read_to_string(folder().join("range.rcp")).unwrap();
    let system = load(&text, Options::default()).system.unwrap();
    let space = explore(&system, 1_000, &Budget::unlimited()).unwrap();
    let (state, fault) = space.fault.clone().expect("it has one");
    assert_eq!(fault.message, "`n := 3` leaves the range 0..2");
    assert_eq!(space.way_to(state).len(), 2);
    // What is violated without it stays so; nothing holds.
    assert_eq!(verdicts(&text, Options::default()), ["fault", "fault"]);
}
