//! Agents of LAbS: models with known answers through the library, with evidence that is held against the
//! rules; and what is wrong, by the program.

use paramcheck_labs::model::{Modality, System};
use paramcheck_labs::semantics::explore::holds_in;
use paramcheck_labs::semantics::run::Ending;
use paramcheck_labs::semantics::step::Rules;
use paramcheck_labs::{Parameters, load};
use paramcheck_verdict::Status;
use paramcheck_verdict::labs::simulate::{Simulation, simulate};
use paramcheck_verdict::labs::{NoAnswer, NoStart, Options, Violation, decide};

mod forged;

#[path = "../../crates/labs/tests/support/known.rs"]
pub(super) mod known;

use known::{each_run, rules};
use serde_json::Value;

/// Whether a violation shows what it claims, as far as its stores tell.
fn assert_shown(what: &str, system: &System, rules: &Rules, number: usize, violation: &Violation) {
    let property = &system.properties[number];
    let run = &violation.run;
    let holds = |at: usize| holds_in(system, &property.formula, &run.stores[at].cells, rules).unwrap();
    let length = run.labels.len();
    assert_eq!((run.stores.len(), run.places.len()), (length + 1, length), "{what}");
    match property.modality {
        Modality::Always => assert!(!holds(length) && (0..length).all(holds), "{what}"),
        Modality::Eventually { .. } => {
            assert!(!(0..=length).any(holds), "{what}");
            assert!(matches!(run.ending, Ending::Stuck | Ending::BackTo(_)), "{what}: {:?}", run.ending);
        }
        Modality::Fairly => assert!(!(0..=length).any(holds) && violation.searched > Some(0), "{what}"),
        Modality::FairlyInfinite => assert!(!holds(length) && violation.searched > Some(0), "{what}"),
        Modality::Scope { .. } => assert!(length > 0, "{what}"),
    }
}

/// The states are as many as expected; they are counted where nothing is asked.
fn assert_counted(what: &str, system: &System, run: &Value, rules: Rules) {
    let counted = decide(system, &[], rules, &Options::default()).unwrap();
    assert!(counted.explored.is_complete && counted.fault.is_none(), "{what}");
    let counts = counted.explored.counts.unwrap();
    let found =
        [("initial", counts.initial), ("stores", counts.stores), ("stuck_stores", counts.stuck_stores)];
    for (key, found) in found {
        if let Some(right) = run[key].as_u64() {
            assert_eq!(found as u64, right, "{what}: {key}");
        }
    }
}

fn assert_folder(name: &str) -> usize {
    let mut compared = 0;
    each_run(name, |what, system, run| {
        for rules in rules(run) {
            let decision = decide(system, &system.properties, rules, &Options::default());
            if run["error"] == "no initial state" {
                assert_eq!(decision.unwrap_err(), NoStart::NoInitialState, "{what}");
                continue;
            }
            let decision = decision.unwrap();
            assert!(decision.fault.is_none(), "{what}");
            // Some runs have no end behind a property.
            if !run["until"].is_string() {
                assert_counted(what, system, run, rules);
            }
            for (number, answer) in decision.answers.iter().enumerate() {
                let what = format!("{what}: {}", answer.property);
                assert_eq!(answer.bug, None, "{what}");
                let expected = &run["properties"][&answer.property];
                match (&answer.status, expected["verdict"].as_str()) {
                    (_, None) => continue,
                    (Status::Proved(_), Some("holds")) => {}
                    (Status::Violated(violation), Some("violated")) => {
                        assert_shown(&what, system, &rules, number, violation);
                        let is_always = system.properties[number].modality == Modality::Always;
                        if let Some(shortest) = expected["shortest"].as_u64().filter(|_| is_always) {
                            assert_eq!(violation.run.labels.len() as u64, shortest, "{what}");
                        }
                    }
                    (status, right) => panic!("{what}: {status:?}, not {right:?}"),
                }
                compared += 1;
            }
        }
    });
    compared
}

#[test]
fn the_authors_models_are_decided_with_evidence() {
    assert!(assert_folder("examples") > 60);
}

#[test]
fn each_rule_is_decided_with_evidence() {
    assert!(assert_folder("points") > 100);
}

/// A system without parameters.
fn small(text: &str) -> System {
    load(text, &Parameters::new()).system.unwrap()
}

#[test]
fn with_a_fault_nothing_is_proved() {
    let text = "system { spawn = A: 1 }
        agent A { interface = x: 0; y: 1  Behavior = x <- 1; y <- 0; x <- x / y; Nil }
        check { Fine = always forall A a, y of a < 2  Wrong = always forall A a, x of a = 0
                Other = always forall A a, x of a / y of a < 9 }";
    let system = small(text);
    let decision = decide(&system, &system.properties, Rules::default(), &Options::default()).unwrap();
    let fault = decision.fault.unwrap();
    assert_eq!((fault.run.labels.len(), fault.property), (2, None));
    assert!(text[fault.place.unwrap().start..].starts_with("x <- x / y"));
    let [fine, wrong, other] = decision.answers.as_slice() else { panic!() };
    assert!(matches!(fine.status, Status::Unknown(NoAnswer::Fault)));
    assert!(matches!(&wrong.status, Status::Violated(violation) if violation.run.labels.len() == 1));
    assert!(matches!(other.status, Status::Unknown(NoAnswer::Fault)));
    // A formula without a value is one too.
    let system = small(&text.replace("x <- x / y; ", ""));
    let decision = decide(&system, &system.properties, Rules::default(), &Options::default()).unwrap();
    let fault = decision.fault.unwrap();
    assert_eq!((fault.run.labels.len(), fault.property.as_deref()), (2, Some("Other")));
    assert!(matches!(decision.answers[0].status, Status::Unknown(NoAnswer::Fault)));
}

#[test]
fn limits_and_bounds_leave_no_proof() {
    let system = small(
        "system { spawn = A: 1 } agent A { interface = x: 0  Behavior = x < 9 -> x <- x + 1; Behavior }
        check { Small = always forall A a, x of a < 99  Nine = finally forall A a, x of a = 9 }",
    );
    let with = |max_states, max_steps| {
        let options = Options { max_states, max_steps, ..Options::default() };
        decide(&system, &system.properties, Rules::default(), &options).unwrap()
    };
    let reason = |status: &Status<_, _, NoAnswer>| match status {
        Status::Unknown(reason) => Some(reason.code()),
        Status::Proved(_) | Status::Violated(_) => None,
    };
    let few = with(3, None);
    assert!(few.answers.iter().all(|one| reason(&one.status) == Some("state-limit")), "{:?}", few.answers);
    let short = with(1_000, Some(3));
    assert_eq!(reason(&short.answers[0].status), Some("step-bound"));
    // After three steps it is not there yet.
    assert!(matches!(&short.answers[1].status, Status::Violated(one) if one.run.labels.len() == 3));
    let long = with(1_000, Some(20));
    assert!(long.answers.iter().all(|one| matches!(one.status, Status::Proved(_))), "{:?}", long.answers);
}

#[test]
fn simulations_are_as_their_seed() {
    let system = small(
        "system { spawn = A: 2 } agent A { interface = x: 0  Behavior = (x <- 1; Nil) ++ (x <- 2; Nil) }
        check { Ones = finally forall A a, x of a = 1  Small = always forall A a, x of a < 3 }",
    );
    let runs = |seed| {
        let simulation = Simulation { runs: 200, steps: 5, seed, budget: Default::default() };
        simulate(&system, &system.properties, Rules::default(), &simulation).unwrap()
    };
    let (one, again, other) = (runs(1), runs(1), runs(2));
    let stores = |simulated: &paramcheck_verdict::labs::simulate::Simulated| {
        simulated.runs.iter().map(|run| run.stores.clone()).collect::<Vec<_>>()
    };
    assert_eq!(stores(&one), stores(&again));
    assert_ne!(stores(&one), stores(&other));
    assert!(one.runs.iter().all(|run| run.ending == Ending::Stuck && run.labels.len() == 2));
    // One of four, on the average.
    let held = one.properties[0].held.iter().filter(|held| **held).count();
    assert!((20..=80).contains(&held), "{held}");
    assert!(one.properties[0].violation.is_some() && one.properties[1].violation.is_none());
}

#[test]
fn what_is_wrong_in_a_formula_is_seen_in_scopes_as_well() {
    let system = small(
        "system { environment = o: 0; c: 0; r: 0  spawn = A: 1 }
        agent A { Behavior = o <-- 1; ((r <-- 1; c <-- 1; Nil) ++ (c <-- 1; Nil) ++ Stay)  Stay = Skip; Stay }
        check { There = between (o = 1) and (c = 1), thereIs r = 1
                Ever = from (o = 1) until (c = 1), thereIs r = 1
                Before = from (o = 1) until (c = 1), o = 1 precedes r = 1
                Never = from (o = 1) until (c = 1), always r = 0 }",
    );
    let decision = decide(&system, &system.properties, Rules::default(), &Options::default()).unwrap();
    let shown = |number: usize| match &decision.answers[number].status {
        Status::Violated(violation) => Some(violation.run.labels.len()),
        Status::Proved(_) | Status::Unknown(_) => None,
    };
    assert_eq!((shown(0), shown(1), shown(2), shown(3)), (Some(2), Some(2), None, Some(2)));
    assert!(matches!(decision.answers[2].status, Status::Proved(_)));
}
