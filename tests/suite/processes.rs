//! Processes: the cases with known answers, random processes, and everything that can be written wrong.

mod checks;
mod examples;
mod faults;
mod laws;
mod ltl;
mod messages;
pub(super) mod random;
mod triples;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use paramcheck_process::model::{Check, Goal, System};
use paramcheck_process::semantics::bisimulation::classes;
use paramcheck_process::semantics::check::{Outcome, Schedule, decide, replay};
use paramcheck_process::semantics::explore::{explore, explore_with, with_interpreter};
use paramcheck_process::semantics::lts::Lts;
use paramcheck_process::{Language, load};
use paramcheck_text::limits::Budget;

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
fn without_spans(model: &paramcheck_process::ast::Model) -> String {
    // Places are the only fields called `span`, and print as two numbers.
    let text = format!("{model:?}");
    let mut parts = text.split("Span { ");
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        result.push_str(part.split_once(" }").map_or("", |(_, rest)| rest));
    }
    result
}

/// What a check came to, by the words of the files of right answers; and how long the run is that violates
/// it.
fn verdict(system: &System, check: &Check, schedule: Schedule) -> (&'static str, Option<usize>) {
    let budget = Budget::unlimited();
    let (outcome, replayed) = with_interpreter(system, &budget, |interpreter| {
        let space = explore_with(interpreter, system, 1_000_000, &budget);
        let outcome = decide(&space, &check.goal, schedule, &budget).unwrap();
        let replayed = match &outcome {
            Outcome::Violated(run) => {
                replay(interpreter, &check.goal, schedule, run).map(|evidence| evidence.steps.len())
            }
            _ => Ok(0),
        };
        (outcome, replayed)
    })
    .unwrap();
    let length = replayed.unwrap_or_else(|mismatch| panic!("{}: {mismatch}", check.name));
    match outcome {
        Outcome::Holds => ("holds", None),
        Outcome::Violated(run) => ("violated", Some(length).filter(|_| run.loop_start.is_none())),
        Outcome::Unknown(incomplete) => panic!("{}: {incomplete}", check.name),
    }
}

#[test]
fn the_corpus_has_the_right_answers() {
    for (name, answers) in expected("expected.json") {
        let system = system(&name);
        assert!(!system.checks.is_empty());
        for check in &system.checks {
            let (found, length) = verdict(&system, check, Schedule::Any);
            assert_eq!(found, answers[&check.name], "{name}: {}", check.name);
            if let Some(shortest) = answers["shortest"].get(&check.name) {
                assert_eq!(length, shortest.as_u64().map(|steps| steps as usize), "{name}: {}", check.name);
            }
            // Fairness excludes no finite run.
            if !matches!(check.goal, Goal::Eventually(_)) {
                for schedule in [Schedule::WeaklyFair, Schedule::StronglyFair] {
                    assert_eq!(verdict(&system, check, schedule).0, found, "{name}: {}", check.name);
                }
            }
        }
    }
}

#[test]
fn the_corpus_has_the_right_answers_under_schedulers() {
    let schedules = [
        ("fair", Schedule::WeaklyFair),
        ("fair-strong", Schedule::StronglyFair),
        ("round-robin", Schedule::RoundRobin),
    ];
    let mut count = 0;
    for (name, answers) in expected("expected-schedulers.json") {
        let system = system(&name);
        let agents = explore(&system, 1, &Budget::unlimited()).lts.agents.len();
        assert_eq!(answers["agents"], agents, "{name}");
        for (key, schedule) in schedules {
            for (check, right) in answers[key].as_object().unwrap() {
                let check = system.check_named(check).unwrap();
                assert_eq!(verdict(&system, check, schedule).0, right, "{name}: {} {key}", check.name);
                count += 1;
            }
        }
    }
    assert!(count > 100);
}

/// Milner's scheduler with the given number of cells, as in `scheduler-4.ccs`.
fn scheduler(cells: usize) -> String {
    let mut text = String::new();
    for cell in 1..=cells {
        let next = cell % cells + 1;
        text.push_str(&format!(
            "W{cell} = t{cell}.S{cell};\n\
             S{cell} = a{cell}.(b{cell}.'t{next}.W{cell} + 't{next}.R{cell});\n\
             R{cell} = b{cell}.W{cell};\n"
        ));
    }
    let others: Vec<String> = (2..=cells).map(|cell| format!("W{cell}")).collect();
    let tokens: Vec<String> = (1..=cells).map(|cell| format!("t{cell}")).collect();
    text + &format!("system (S1 | {}) \\ {{{}}};\n", others.join(" | "), tokens.join(", "))
}

/// How many transitions the quotient by `classes` has: labels and classes, each once per class.
fn class_transitions(lts: &Lts, classes: &[u32]) -> usize {
    let mut seen = vec![false; classes.len()];
    let mut count = 0;
    for state in 0..lts.expanded() as u32 {
        if std::mem::replace(&mut seen[classes[state as usize] as usize], true) {
            continue;
        }
        let mut leads: Vec<_> = lts
            .transitions(state)
            .iter()
            .map(|transition| (transition.label, classes[transition.target as usize]))
            .collect();
        leads.sort_unstable();
        leads.dedup();
        count += leads.len();
    }
    count
}
