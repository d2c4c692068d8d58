//! R-CHECK: every known answer comes out, with evidence that the rules as they are written accept; errors of
//! the model are answers.

#![allow(clippy::expect_used, clippy::unwrap_used, missing_docs)]

use std::path::Path;

use paramcheck_rcheck::load;
use paramcheck_rcheck::model::System;
use paramcheck_rcheck::parser::Options as Reading;
use paramcheck_temporal::system::{End, Fairness};
use paramcheck_text::limits::Budget;
use paramcheck_verdict::Status;
use paramcheck_verdict::rcheck::{Answer, Decision, NoAnswer, NoStart, Options, Proof, decide};
use serde_json::Value;

#[path = "../../rcheck/tests/support/random.rs"]
mod random;

fn system(text: &str, as_rcheck: bool) -> Option<System> {
    load(text, Reading { as_rcheck }).system
}

fn options(fairness: Fairness) -> Options {
    let budget = Budget::unlimited();
    Options { fairness, max_states: 1_000_000, memory: None, deadlock: true, budget }
}

fn decided(system: &System, fairness: Fairness) -> Decision {
    let decision = decide(system, &options(fairness)).unwrap();
    let all = decision.answers.iter().chain(&decision.deadlock).chain(&decision.fault);
    all.for_each(|answer| assert_eq!(answer.bug, None));
    decision
}

fn word(answer: &Answer) -> &'static str {
    match &answer.status {
        Status::Proved(_) => "holds",
        Status::Violated(_) => "violated",
        Status::Unknown(_) => "unknown",
    }
}

#[test]
fn every_known_answer_comes_out() {
    let mut counts = [0; 3];
    for name in ["models", "upstream"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/rcheck").join(name);
        let expected: Value =
            serde_json::from_str(&std::fs::read_to_string(folder.join("expected.json")).unwrap()).unwrap();
        for (file, entry) in expected.as_object().unwrap() {
            let text = std::fs::read_to_string(folder.join(file)).unwrap();
            let plain = decided(&system(&text, false).unwrap(), Fairness::None);
            let deadlocks = entry["deadlocks"].as_u64().unwrap();
            let is_stuck = matches!(plain.deadlock.as_ref().unwrap().status, Status::Violated(_));
            assert_eq!(is_stuck, deadlocks > 0, "{file}");
            let fair = decided(&system(&text, false).unwrap(), Fairness::Weak);
            let theirs = system(&text, true).map(|system| decided(&system, Fairness::None));
            let properties = entry["properties"].as_array().unwrap();
            assert_eq!(plain.answers.len(), properties.len(), "{file}");
            for (at, property) in properties.iter().enumerate() {
                let what = format!("{file}: {}", property["text"]);
                assert_eq!(word(&plain.answers[at]), property["verdict"], "{what}");
                counts[0] += 1;
                if let Some(verdict) = property["fair"].as_str() {
                    assert_eq!(word(&fair.answers[at]), verdict, "{what}");
                    counts[1] += 1;
                }
                if let Some(verdict) = property["as_rcheck"].as_str() {
                    assert_eq!(word(&theirs.as_ref().unwrap().answers[at]), verdict, "{what}");
                    counts[2] += 1;
                }
            }
        }
    }
    assert!(counts[0] > 100 && counts[1] > 0 && counts[2] > 0, "{counts:?}");
}

#[test]
fn evidence_about_random_systems_stands_up() {
    let (mut violated, mut proved) = (0, 0);
    for seed in 1..60 {
        let text = random::Systems::new(seed).text(3);
        let system = system(&text, false).unwrap();
        for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
            let options = Options { max_states: 3_000, ..options(fairness) };
            let Ok(decision) = decide(&system, &options) else { continue };
            for answer in &decision.answers {
                assert_eq!(answer.bug, None, "seed {seed}:\n{text}");
                violated += usize::from(word(answer) == "violated");
                proved += usize::from(word(answer) == "holds");
                let is_fault = decision.fault.as_ref().is_some_and(|fault| word(fault) == "violated");
                assert!(!is_fault || word(answer) != "holds", "seed {seed}:\n{text}");
            }
        }
    }
    assert!(violated > 50 && proved > 50, "{violated} {proved}");
}

fn one(local: &str, init: &str, command: &str, specs: &str) -> System {
    let text = format!(
        "enum channel {{c}}\nmessage-structure: M : 0..1\nagent A local: {local} init: {init}\n\
         receive-guard: false repeat: ( {command} )\nsystem = A(one, true)\n{specs}"
    );
    system(&text, false).unwrap()
}

#[test]
fn nothing_is_proved_of_a_model_with_an_error() {
    let specs = "SPEC F one-n = 1; SPEC G one-n = 0; SPEC G one-n < 5";
    let system = one("n : 0..2", "n = 0", "{true} c! (true)()[n := n + 1]", specs);
    let decision = decided(&system, Fairness::None);
    let words: Vec<_> = decision.answers.iter().map(word).collect();
    assert_eq!(words, ["unknown", "violated", "unknown"]);
    assert!(matches!(decision.answers[0].status, Status::Unknown(NoAnswer::Fault)));
    let Some(Answer { status: Status::Violated(found), .. }) = decision.fault else { panic!() };
    assert_eq!((found.run.steps.len(), found.run.end), (2, End::Open));
    assert_eq!(found.fault.unwrap().message, "`n := 3` leaves the range 0..2");
}

#[test]
fn what_can_be_no_error_is_not_looked_for() {
    let system = one("n : 0..2", "n = 0", "{true} c! (true)()[n := 2 - n]", "SPEC G F one-n = 2");
    let options = Options { deadlock: false, ..options(Fairness::None) };
    let decision = decide(&system, &options).unwrap();
    assert!(matches!(decision.answers[0].status, Status::Proved(Proof::Rechecked)));
    assert!(decision.fault.is_none() && decision.deadlock.is_none());
}

#[test]
fn limits_are_answers() {
    let system =
        one("n : int", "n = 0", "{true} c! (true)()[n := n + 1]", "SPEC G one-n >= 0; SPEC G one-n < 9");
    let options = Options { max_states: 100, ..options(Fairness::None) };
    let decision = decide(&system, &options).unwrap();
    let words: Vec<_> = decision.answers.iter().map(word).collect();
    assert_eq!(words, ["unknown", "violated"]);
    assert!(matches!(decision.answers[0].status, Status::Unknown(NoAnswer::States(100))));
}

#[test]
fn without_initial_states_there_is_no_answer() {
    let system = one("n : 0..2", "n = 0 & n = 1", "{true} c! (true)()[]", "SPEC F false");
    assert!(matches!(decide(&system, &options(Fairness::None)), Err(NoStart::NoInitialState)));
}
