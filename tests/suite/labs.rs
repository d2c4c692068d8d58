//! Agents of LAbS: models with known answers through the library, with evidence that is held against the
//! rules; and what is wrong, by the program.

use std::time::Duration;

use paramcheck_labs::model::{Modality, System};
use paramcheck_labs::number::Width;
use paramcheck_labs::semantics::explore::holds_in;
use paramcheck_labs::semantics::run::Ending;
use paramcheck_labs::semantics::step::{Fairness, Rules};
use paramcheck_labs::{Parameters, load};
use paramcheck_text::limits::{Budget, Stop};
use paramcheck_verdict::Status;
use paramcheck_verdict::labs::simulate::{Simulation, simulate};
use paramcheck_verdict::labs::{ClosedSet, NoAnswer, NoStart, Options, Proof, Violation, decide};

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
    let has_closed_set = violation.closed.is_some_and(|closed| closed.states > 0 && closed.is_rechecked);
    assert_eq!((run.stores.len(), run.places.len()), (length + 1, length), "{what}");
    match property.modality {
        Modality::Always => assert!(!holds(length) && (0..length).all(holds), "{what}"),
        Modality::Eventually { .. } => {
            assert!(!(0..=length).any(holds), "{what}");
            assert!(matches!(run.ending, Ending::Stuck | Ending::BackTo(_)), "{what}: {:?}", run.ending);
        }
        Modality::Fairly => assert!(!(0..=length).any(holds) && has_closed_set, "{what}"),
        Modality::FairlyInfinite => assert!(!holds(length) && has_closed_set, "{what}"),
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
fn initial_values_are_numbers_of_the_run() {
    let text = "system { environment = e: 40000  spawn = A: 1 } agent A { interface = x: 32766..32770  Behavior = Skip }
        check { Positive = always e > 0  Large = always forall A a, x of a > 0
                Smallest = always forall A a, x of a >= -32768 }";
    let system = small(text);
    let answers =
        |width| decide(&system, &system.properties, Rules { width, ..Rules::default() }, &Options::default());
    let width = |bits| Width::new(bits).unwrap();
    assert_eq!(answers(width(16)).unwrap_err(), NoStart::OutOfRange(0, 40_000));
    let proved = |width| -> Vec<bool> {
        let answers = answers(width).unwrap().answers;
        answers.iter().map(|one| matches!(one.status, Status::Proved(_))).collect()
    };
    assert_eq!(proved(width(32)), [true; 3]);
    // 40000 wraps around to -25536, 32768 to -32768.
    assert_eq!(proved(width(16).wrapping()), [false, false, true]);
    // There are more values than numbers: each number is one.
    let system = small(
        "system { spawn = A: 1 } agent A { interface = x: 0..1000  Behavior = Skip }
        check { All = always forall A a, x of a >= 0 }",
    );
    let rules = Rules { width: width(8).wrapping(), ..Rules::default() };
    let counted = decide(&system, &[], rules, &Options::default()).unwrap();
    assert_eq!(counted.explored.counts.unwrap().initial, 256);
}

#[test]
fn limits_and_bounds_leave_no_proof() {
    let system = small(
        "system { spawn = A: 1 }
        agent A { interface = x: 0; y: 0  Behavior = x < 9 -> x, y <- x + 1, y + 1; Behavior }
        check { Small = always forall A a, x of a = y of a  Nine = finally forall A a, x of a = 9 }",
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

/// What is answered of the only property of a text: the verdict, how the run ends, how long it is, and how many
/// states were searched behind it.
#[derive(Debug, PartialEq, Eq)]
enum Found {
    Holds,
    Open(&'static str),
    Violated(Ending, usize, Option<usize>),
}

fn found(text: &str, max_states: usize, max_steps: Option<usize>) -> Found {
    let system = small(text);
    let options = Options { max_states, max_steps, ..Options::default() };
    let decision = decide(&system, &system.properties, Rules::default(), &options).unwrap();
    let [answer] = decision.answers.as_slice() else { panic!("one property") };
    assert_eq!(answer.bug, None, "{text}");
    match &answer.status {
        Status::Proved(_) => Found::Holds,
        Status::Unknown(reason) => Found::Open(reason.code()),
        Status::Violated(one) => {
            let closed = one.closed.map(|closed| closed.states);
            Found::Violated(one.run.ending.clone(), one.run.labels.len(), closed)
        }
    }
}

/// An agent that counts, and then stops or goes round.
fn counting(behavior: &str, property: &str) -> String {
    format!(
        "system {{ spawn = A: 1 }} agent A {{ interface = x: 0  Behavior = {behavior} }}
        check {{ P = {property} }}"
    )
}

const STOPS: &str = "x <- 1; x <- 2; Nil";
const TURNS: &str = "x <- 1; (x <- 2; x <- 3; Turn)\nTurn = x <- 2; x <- 3; Turn";

#[test]
fn violations_come_with_runs() {
    let of = |behavior, property: &str| found(&counting(behavior, property), 1_000, None);
    assert_eq!(of(STOPS, "always forall A a, x of a < 2"), Found::Violated(Ending::Open, 2, None));
    assert_eq!(of(STOPS, "finally forall A a, x of a = 5"), Found::Violated(Ending::Stuck, 2, None));
    let endless = of(TURNS, "finally forall A a, x of a = 5");
    assert!(matches!(endless, Found::Violated(Ending::BackTo(_), 5, None)), "{endless:?}");
    assert_eq!(of(TURNS, "finally forall A a, x of a = 3"), Found::Holds);
    let never = of(TURNS, "fairly forall A a, x of a = 5");
    assert!(matches!(never, Found::Violated(Ending::Open, 0..=3, Some(2..))), "{never:?}");
    let again = of(TURNS, "fairly_inf forall A a, x of a = 1");
    assert!(matches!(again, Found::Violated(Ending::Open, 2, Some(2..=3))), "{again:?}");
    assert_eq!(of(TURNS, "fairly_inf forall A a, x of a = 2"), Found::Holds);
}

/// An agent that counts `x` up to 400, and `y` whenever that is over, for ever.
const LONG: &str = "(x < 400 -> x <- x + 1; Behavior) ++ (x = 400 -> (x, y <- 0, (y + 1) % 300; Behavior))";

fn status(behavior: &str, property: &str) -> Status<Proof, Violation, NoAnswer> {
    let text = counting(behavior, property).replace("x: 0", "x: 0; y: 0");
    let system = small(&text);
    let decision = decide(&system, &system.properties, Rules::default(), &Options::default()).unwrap();
    assert_eq!(decision.answers[0].bug, None, "{text}");
    decision.answers[0].status.clone()
}

#[test]
fn closed_sets_are_near_and_rechecked() {
    let closed = |behavior: &str, property: &str| match status(behavior, property) {
        Status::Violated(violation) => (violation.run.labels.len(), violation.closed.unwrap()),
        other => panic!("{other:?}"),
    };
    let set = |states, is_rechecked| ClosedSet { states, is_rechecked };
    // There are two ways to the same values, and from one of them it goes on.
    let ways = "(x <- 1; x <- 2) ++ (x <- 1; Nil)";
    assert_eq!(closed(ways, "fairly_inf forall A a, x of a = 2"), (1, set(1, true)));
    assert_eq!(closed(ways, "fairly forall A a, x of a = 2"), (1, set(1, true)));
    // A long way into a set, whichever comes first in the text, and a short one into another.
    let far = "(x <- 1; x <- 2; x <- 3; x <- 4; Nil)";
    let near = "(y <- 1; y <- 2; y <- 3; y <- 4; y <- 5; Nil)";
    let back = "(x <- 9; x <- 0; Behavior)";
    let wanted = "fairly_inf forall A a, x of a = 9";
    for behavior in [format!("{far} ++ {near} ++ {back}"), format!("{near} ++ {back} ++ {far}")] {
        let (steps, set) = closed(&behavior, wanted);
        assert!(steps == 1 && set.is_rechecked && [4, 5].contains(&set.states), "{steps} {set:?}");
    }
    let deep = format!("{back} ++ (x <- 1; x <- 2; ((x <- 9; {far}) ++ {near}))");
    assert_eq!(closed(&deep, wanted), (3, set(5, true)));
    // Too many states to be explored again: that is said.
    let (_, much) = closed(LONG, "fairly_inf forall A a, x of a = 401 and y of a = 7");
    assert!(!much.is_rechecked && much.states > 100_000, "{much:?}");
    // The search leaves out what does not matter, the rules do not.
    assert_eq!(closed(LONG, "fairly_inf forall A a, x of a = 401").1, set(401, false));
}

#[test]
fn proofs_are_rechecked_where_states_are_few() {
    let proof = |behavior: &str, property: &str| match status(behavior, property) {
        Status::Proved(proof) => proof,
        other => panic!("{other:?}"),
    };
    let few = "x < 3 -> x <- x + 1; Behavior";
    for property in ["finally x of 0 = 2", "fairly x of 0 = 3", "fairly_inf x of 0 = 3"] {
        assert_eq!(proof(few, property), Proof::Rechecked, "{property}");
    }
    assert_eq!(proof(LONG, "fairly_inf x of 0 = 3"), Proof::Explored);
    assert_eq!(proof(LONG, "finally x of 0 = 3"), Proof::Rechecked);
    let (values, related) = ("always x of 0 <= 400 and y of 0 < 300", "always x of 0 != 401 or y of 0 = 7");
    assert_eq!(proof(LONG, values), Proof::Values);
    assert_eq!(proof(LONG, related), Proof::Values);
    let together = "x, y <- 1 - x, 1 - y; Behavior";
    assert_eq!(proof(together, "always x of 0 = y of 0"), Proof::Rechecked);
}

#[test]
fn values_prove_no_system_that_may_leave_the_language() {
    // Of the values of `x` alone the step might divide by 0.
    let safe = "(x = 0 -> (x, y <- 1, 1; Behavior)) ++ (x = 1 -> (x <- x / y; y <- 1; Behavior))";
    assert!(matches!(status(safe, "always x of 0 < 2"), Status::Proved(Proof::Rechecked)));
    let faulty = "x <- 1; x <- x / y";
    assert!(matches!(status(faulty, "always x of 0 < 2"), Status::Unknown(NoAnswer::Fault)));
    // No initial state is no proof.
    let text = counting("Nil", "always x of 0 = 0") + " assume { Q = x of 0 = 1 }";
    let system = small(&text);
    let decision = decide(&system, &system.properties, Rules::default(), &Options::default());
    assert_eq!(decision.err(), Some(NoStart::NoInitialState));
}

#[test]
fn scopes_are_violated_with_runs() {
    let scope = |behavior, opens: &str, inside: &str| {
        found(&counting(behavior, &format!("{opens} (forall A a, x of a = 3), {inside}")), 1_000, None)
    };
    let one = "always forall A a, x of a = 1";
    let closed = scope(TURNS, "between (forall A a, x of a = 1) and", one);
    assert_eq!(closed, Found::Violated(Ending::Open, 3, None));
    let open = scope(TURNS, "from (forall A a, x of a = 1) until", one);
    assert_eq!(open, Found::Violated(Ending::Open, 2, None));
    let owing =
        "from (forall A a, x of a = 1) until (forall A a, x of a = 7), thereIs forall A a, x of a = 9";
    let endless = found(&counting(TURNS, owing), 1_000, None);
    assert!(matches!(endless, Found::Violated(Ending::BackTo(_), _, None)), "{endless:?}");
    assert!(matches!(found(&counting(STOPS, owing), 1_000, None), Found::Violated(Ending::Stuck, _, None)));
}

#[test]
fn bounded_runs_show_what_they_come_to() {
    let turns = "x <- 1; x <- 2; Turn\nTurn = x <- 3; x <- 2; Turn";
    let of = |property: &str, steps| found(&counting(turns, property), 1_000, Some(steps));
    // In the last state, or in some state up to then.
    assert!(matches!(of("finally forall A a, x of a = 2", 3), Found::Violated(_, 3, None)));
    assert_eq!(of("finally forall A a, x of a = 2", 2), Found::Open("step-bound"));
    assert_eq!(of("eventually forall A a, x of a = 1", 2), Found::Holds);
    assert!(matches!(of("eventually forall A a, x of a = 3", 2), Found::Violated(_, 2, None)));
    assert_eq!(of("eventually forall A a, x of a = 3", 9), Found::Holds);
    assert_eq!(of("always forall A a, x of a < 3", 2), Found::Open("step-bound"));
    assert!(matches!(of("always forall A a, x of a < 3", 3), Found::Violated(_, 3, None)));
    assert_eq!(of("always forall A a, x of a < 4", 9), Found::Holds);
    // A run that stops before is a run.
    let stops = counting("x <- 1; Nil", "finally forall A a, x of a = 2");
    assert!(matches!(found(&stops, 1_000, Some(5)), Found::Violated(_, 1, None)));
}

#[test]
fn fair_runs_leave_no_agent_out() {
    let answer = |worker: &str, property: &str, fairness| {
        let text = format!(
            "system {{ environment = door: 1; done: 0  spawn = Clock: 1, Worker: 1 }}
            agent Clock {{ Behavior = door <-- 1 - door; Behavior }}
            agent Worker {{ Behavior = {worker} -> done <-- 1 }} check {{ P = {property} }}"
        );
        let system = small(&text);
        let rules = Rules { fairness, ..Rules::default() };
        let decision = decide(&system, &system.properties, rules, &Options::default()).unwrap();
        let answer = &decision.answers[0];
        assert_eq!(answer.bug, None, "{text}");
        match &answer.status {
            Status::Proved(_) => true,
            Status::Violated(violation) => {
                assert!(matches!(violation.run.ending, Ending::BackTo(_)), "{text}");
                false
            }
            Status::Unknown(reason) => panic!("{reason}"),
        }
    };
    let scope = "from (done = 0) until (done = 2), thereIs done = 1";
    for property in ["finally done = 1", "eventually done = 1", scope] {
        // The clock alone, the door always open, open again and again, never open.
        let of = |worker| {
            [Fairness::None, Fairness::Weak, Fairness::Strong].map(|fair| answer(worker, property, fair))
        };
        assert_eq!(of("door >= 0"), [false, true, true], "{property}");
        assert_eq!(of("door = 1"), [false, false, true], "{property}");
        assert_eq!(of("door = 2"), [false, false, false], "{property}");
    }
    assert!(answer("door = 1", "fairly done = 1", Fairness::None));
}

#[test]
fn a_run_goes_round_until_what_is_left_to_do_is_the_same() {
    // What is left is alike in the first and the second place, but written otherwise.
    for behavior in
        ["Skip; (Behavior ++ Nil)", "Skip; (Nil ++ Behavior ++ Nil)", "(Skip; Skip; Behavior) ++ Nil"]
    {
        let text = counting(behavior, "finally x of 0 = 1");
        let endless = found(&text, 1_000, None);
        assert!(matches!(endless, Found::Violated(Ending::BackTo(_), 1.., None)), "{behavior}: {endless:?}");
    }
}

#[test]
fn a_limit_leaves_open_what_is_not_seen() {
    for modality in ["always", "fairly", "finally", "fairly_inf"] {
        // What values alone do not show.
        let formula = if modality == "always" { "y of a = x of a" } else { "x of a = 99" };
        let behavior = "x < 50 -> x, y <- x + 1, y + 1; Behavior";
        let text = counting(behavior, &format!("{modality} forall A a, {formula}"));
        let text = text.replace("x: 0", "x: 0; y: 0");
        assert_eq!(found(&text, 10, None), Found::Open("state-limit"), "{modality}");
    }
}

#[test]
fn a_step_with_very_many_choices_ends_at_the_limit_of_time() {
    let step = format!("x <- 0 * ({}); Nil", ["[0..30000]"; 8].join(" - "));
    for property in ["always forall A a, x of a = 0", "finally forall A a, x of a = 1"]
        .into_iter()
        .chain(["fairly forall A a, x of a = 1", "fairly_inf forall A a, x of a = 1"])
        .chain([
            "from (forall A a, x of a = 0) until (forall A a, x of a = 1), thereIs forall A a, x of a = 1",
        ])
    {
        let system = small(&counting(&step, property));
        for max_steps in [None, Some(3)] {
            let budget = Budget::for_duration(Duration::from_millis(50));
            let options = Options { max_steps, budget, ..Options::default() };
            let decision = decide(&system, &system.properties, Rules::default(), &options).unwrap();
            let status = &decision.answers[0].status;
            let is_late = matches!(status, Status::Unknown(NoAnswer::Stopped(Stop::Time)));
            assert!(is_late, "{property}, {max_steps:?}: {status:?}");
        }
    }
}

#[test]
fn a_hard_question_leaves_time_to_the_others() {
    let step = format!("x <- 0 * ({}); Nil", ["[0..30000]"; 8].join(" - "));
    let system = small(&format!(
        "system {{ spawn = A: 1 }} agent A {{ interface = x: 0  Behavior = {step} }}
        check {{ Hard = fairly x of 0 = 1  Easy = always x of 0 = 1 }}"
    ));
    let budget = Budget::for_duration(Duration::from_millis(500));
    let options = Options { budget, ..Options::default() };
    let decision = decide(&system, &system.properties, Rules::default(), &options).unwrap();
    let [hard, easy] = decision.answers.as_slice() else { panic!() };
    assert!(matches!(hard.status, Status::Unknown(NoAnswer::Stopped(Stop::Time))), "{hard:?}");
    assert!(
        matches!(&easy.status, Status::Violated(violation) if violation.run.labels.is_empty()),
        "{easy:?}"
    );
    // What is left is for the hard one, and how long each took is known.
    assert!(hard.elapsed > easy.elapsed && !decision.explored.is_complete);
}

#[test]
fn a_system_that_does_not_fit_has_no_answer() {
    let sum = "x of 0 + ".repeat(5);
    let all = (0..12).fold(format!("{sum}1 > 0"), |inner, agent| format!("forall A a{agent}, {inner}"));
    let text = format!(
        "system {{ spawn = A: 30 }} agent A {{ interface = x: 0  Behavior = x <- 1 }} check {{ P = always {all} }}"
    );
    assert_eq!(found(&text, 1_000, None), Found::Open("too-large"));
}

#[test]
fn simulations_are_as_their_seed() {
    let system = small(
        "system { spawn = A: 2 } agent A { interface = x: 0  Behavior = (x <- 1; Nil) ++ (x <- 2; Nil) }
        check { Ones = finally forall A a, x of a = 1  Small = always forall A a, x of a < 3 }",
    );
    let runs = |seed, threads| {
        let budget = Budget::unlimited();
        let simulation = Simulation { runs: 200, steps: 5, seed, threads, keeps_runs: true, budget };
        simulate(&system, &system.properties, Rules::default(), &simulation).unwrap()
    };
    let (one, again, other) = (runs(1, 1), runs(1, 3), runs(2, 1));
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
