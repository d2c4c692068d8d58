//! Every model with a known answer gets it: verdict, size of the smallest violation, and which
//! invariants suffice alone.

use std::fs;
use std::path::{Path, PathBuf};

use paramcheck::invariant::InvariantKind;
use paramcheck::model::error::NamedError;
use paramcheck::model::lower::load;
use paramcheck::model::system::System;
use paramcheck::verdict::{InvariantChoice, Options, Status, Verdict, decide};
use serde_json::Value;

/// One expected answer.
struct Case {
    file: PathBuf,
    error: String,
    expected: Value,
}

fn cases(folder: &str) -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(folder);
    let text = fs::read_to_string(folder.join("expected.json")).unwrap();
    let document: serde_json::Map<String, Value> = serde_json::from_str(&text).unwrap();
    let mut cases = Vec::new();
    for (file, errors) in document {
        for (error, expected) in errors.as_object().unwrap() {
            cases.push(Case { file: folder.join(&file), error: error.clone(), expected: expected.clone() });
        }
    }
    assert!(!cases.is_empty());
    cases
}

impl Case {
    fn load(&self) -> (System, NamedError) {
        let loaded = load(&fs::read_to_string(&self.file).unwrap());
        let system = loaded.system.unwrap_or_else(|| panic!("{}: {:?}", self.name(), loaded.diagnostics));
        let error =
            system.error_named(&self.error).unwrap_or_else(|| panic!("{}: no such error", self.name()));
        (system, error)
    }

    fn name(&self) -> String {
        format!("{} {}", self.file.display(), self.error)
    }

    fn decide(&self, invariants: InvariantChoice, max_states: usize) -> Verdict {
        let (system, error) = self.load();
        let options = Options { invariants, max_states, ..Options::default() };
        decide(&system, &error, &options).unwrap_or_else(|bug| panic!("{}: {bug}", self.name()))
    }
}

fn word(status: &Status) -> &'static str {
    match status {
        Status::Proved(_) => "proved",
        Status::Violated(_) => "violated",
        Status::Unknown(_) => "unknown",
    }
}

fn check_verdicts(folder: &str) {
    for case in cases(folder) {
        let verdict = case.decide(InvariantChoice::default(), 20_000);
        let found = word(&verdict.status);
        let allowed = [case.expected.get("verdict"), case.expected.get("or")];
        assert!(
            allowed.iter().flatten().any(|allowed| *allowed == found),
            "{}: {found}, expected {:?}",
            case.name(),
            case.expected
        );
        if let Status::Violated(violated) = &verdict.status {
            let size = case.expected["smallest_size"].as_u64().unwrap();
            assert_eq!(violated.tree.size() as u64, size, "{}", case.name());
        }
    }
}

#[test]
fn table1_verdicts() {
    check_verdicts("table1");
}

#[test]
fn more_verdicts() {
    check_verdicts("more");
}

#[test]
fn classic_verdicts() {
    check_verdicts("classic");
}

/// Where a set of invariants is said to suffice alone, it does. (Where it is said not to, ours may still
/// do: the mutexes here are stronger than the paper's; but traps are the same.)
#[test]
fn sufficient_invariants() {
    for case in ["table1", "more", "classic"].into_iter().flat_map(cases) {
        let Some(alone) = case.expected.get("alone").and_then(Value::as_object) else { continue };
        for (names, suffices) in alone {
            let kinds: Vec<InvariantKind> = names.split('+').map(|name| name.parse().unwrap()).collect();
            let only_traps = kinds == [InvariantKind::TRAP];
            let verdict = case.decide(InvariantChoice::only(kinds), 1_000);
            let proved = matches!(verdict.status, Status::Proved(_));
            if suffices == true || only_traps {
                assert_eq!(proved, suffices == true, "{} with {names}", case.name());
            }
        }
    }
}

/// The same question gets the same answer to the letter: certificate, or instance and trace.
#[test]
fn answers_are_deterministic() {
    for case in cases("more") {
        let evidence = || match case.decide(InvariantChoice::default(), 20_000).status {
            Status::Proved(proved) => serde_json::to_string(&proved.certificate).unwrap(),
            Status::Violated(violated) => format!("{:?} {:?}", violated.tree, violated.trace),
            Status::Unknown(unknown) => format!("{unknown:?}"),
        };
        assert_eq!(evidence(), evidence(), "{}", case.name());
    }
}
