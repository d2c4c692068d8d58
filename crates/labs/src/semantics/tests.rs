use paramcheck_text::limits::Budget;

use super::check::{Answer, decide};
use super::evidence::{Found, Violation, find};
use super::explore::{Limits, NoSpace, Space, explore, explore_within};
use super::run::{Ending, NoRun, Run, replay};
use super::step::{Rules, Schedule};
use crate::model::System;
use crate::number::Fault;
use crate::{Parameters, load};

fn system(text: &str) -> System {
    load(text, &Parameters::new()).system.expect("it has a meaning")
}

fn space(system: &System, rules: Rules) -> Space {
    explore(system, rules, 10_000, &Budget::unlimited(), |_| false).expect("small")
}

/// The way to a state, as evidence.
fn run_to(space: &Space, state: usize) -> Run {
    let mut way: Vec<usize> = std::iter::successors(Some(state), |state| space.parents[*state]).collect();
    way.reverse();
    let steps = way.windows(2).map(|pair| {
        let (label, _) = space.transitions[pair[0]].iter().find(|(_, to)| *to == pair[1]).expect("a step");
        (label.clone(), space.states[pair[1]].store.clone())
    });
    Run { initial: space.states[way[0]].store.cells.clone(), steps: steps.collect() }
}

#[test]
fn runs_are_replayed_and_forged_ones_are_not() {
    let text = "system { spawn = A: 2 }
        stigmergy S { link = true  v: id }
        agent A { interface = x: [0, 1]  stigmergies = S  Behavior = x = 0 -> v <~ 5; x <- v }
        check { P = always forall A a, x of a != 5 }";
    let system = system(text);
    let rules = Rules::default();
    let space = space(&system, rules);
    let answer = decide(&system, &space, &system.properties[0], &rules).expect("a value");
    let Answer::Violated(state) = answer else { panic!("it is violated") };
    let run = run_to(&space, state);
    let states = replay(&system, rules, &run, &Ending::Open).expect("a run");
    assert_eq!(states.last(), Some(&space.states[state]));
    assert_eq!(replay(&system, rules, &run, &Ending::Stuck), Err(NoRun::Ending));
    for step in 0..run.steps.len() {
        let mut forged = run.clone();
        forged.steps[step].1.cells[0] = Some(3);
        assert_eq!(replay(&system, rules, &forged, &Ending::Open), Err(NoRun::Step(step)), "{forged:?}");
    }
    let forged = Run { initial: vec![Some(2); system.initial.len()], steps: Vec::new() };
    assert_eq!(replay(&system, rules, &forged, &Ending::Open), Err(NoRun::Initial));
}

#[test]
fn a_run_ends_as_it_says() {
    let text = "system { spawn = A: 1 } agent A { interface = x: 0; a[2]: 0
        Behavior = (x <- 1; x <- 0; Behavior) ++ (a[0] <- 1; a[2] <- 1) ++ (a[1] <- 1; Nil) }";
    let system = system(text);
    let rules = Rules::default();
    let space = space(&system, rules);
    let (at, label, fault) = space.fault.clone().expect("there is one");
    assert_eq!(fault, Fault::Index);
    let run = run_to(&space, at);
    assert!(replay(&system, rules, &run, &Ending::Fault(label.clone(), fault)).is_ok());
    assert_eq!(replay(&system, rules, &run, &Ending::Fault(label, Fault::Overflow)), Err(NoRun::Ending));
    let stuck = space.transitions.iter().enumerate().position(|(state, all)| all.is_empty() && state != at);
    assert!(replay(&system, rules, &run_to(&space, stuck.expect("Nil")), &Ending::Stuck).is_ok());
    let around = run_to(&space, 0);
    let turned =
        space.transitions.iter().position(|all| all.iter().any(|(_, to)| *to == 0)).expect("a cycle");
    let mut cycle = run_to(&space, turned);
    let (label, _) = space.transitions[turned].iter().find(|(_, to)| *to == 0).expect("back");
    cycle.steps.push((label.clone(), space.states[0].store.clone()));
    assert!(replay(&system, rules, &cycle, &Ending::BackTo(0)).is_ok());
    assert_eq!(replay(&system, rules, &cycle, &Ending::BackTo(1)), Err(NoRun::Ending));
    assert_eq!(replay(&system, rules, &around, &Ending::BackTo(0)), Err(NoRun::Ending));
}

#[test]
fn conditions_are_read_from_the_left() {
    let verdict = |condition: &str| {
        let text = format!(
            "system {{ environment = u: undef; a[2]: 1  spawn = A: 1 }}
            agent A {{ interface = i: 2; x: 0  Behavior = {condition} -> x <- 1 }}
            check {{ P = finally forall A a, x of a = 1 }}"
        );
        let system = system(&text);
        let space = space(&system, Rules::default());
        match (&space.fault, decide(&system, &space, &system.properties[0], &Rules::default())) {
            (Some(_), _) => "fault",
            (None, Ok(Answer::Holds)) => "true",
            (None, Ok(Answer::Violated(_))) => "not true",
            (None, Err(_)) => panic!("no value"),
        }
    };
    assert_eq!(verdict("(a[i] = 1)"), "fault");
    assert_eq!(verdict("i < 2 and a[i] = 1"), "not true");
    assert_eq!(verdict("!(i < 2 and a[i] = 1)"), "true");
    assert_eq!(verdict("i = 2 or a[i] = 1"), "true");
    assert_eq!(verdict("!(i < 2 and u = 1)"), "not true");
    assert_eq!(verdict("u = 1 or i = 2"), "true");
    assert_eq!(verdict("!(u = 1 or i = 3)"), "not true");
    assert_eq!(verdict("!(i / 0 = 1)"), "fault");
    assert_eq!(verdict("if u = 1 then 1 else 1"), "not true");
}

#[test]
fn a_turn_waits_for_messages_and_passes_who_can_do_nothing() {
    let text = "system { spawn = A: 1, B: 1 }
        stigmergy S { link = true  v: 0 }
        agent A { stigmergies = S  Behavior = v <~ 1; Nil }
        agent B { interface = y: 0  stigmergies = S  Behavior = y < 2 -> y <- y + 1; Behavior }
        check { P = always forall B b, y of b = 0 or v of b = 1 }";
    let system = system(text);
    let answer = |schedule| {
        let rules = Rules { schedule, ..Rules::default() };
        decide(&system, &space(&system, rules), &system.properties[0], &rules).expect("a value")
    };
    assert!(matches!(answer(Schedule::Free), Answer::Violated(_)));
    // B's first turn comes when A may still have its message; A's second when it is sent.
    let turns = Rules { schedule: Schedule::RoundRobin, ..Rules::default() };
    let all = space(&system, turns);
    let most = all.states.iter().map(|state| state.store.cells[1]).max().flatten();
    assert_eq!(most, Some(2));
    let strict = space(&system, Rules { schedule: Schedule::StrictTurns, ..Rules::default() });
    assert!(strict.states.iter().all(|state| state.store.cells[1] <= Some(1)));
}

/// What is found of the only property of a text, and its run replayed.
fn found(text: &str, rules: Rules, steps: Option<usize>) -> (Found, usize) {
    let system = system(text);
    let limits = Limits { max_states: 10_000, max_steps: steps, budget: &Budget::unlimited() };
    let (space, end) = explore_within(&system, rules, &limits, |_| false).expect("initial states");
    assert_eq!(end, None);
    let found = find(&system, &space, &system.properties[0], &rules, steps);
    let mut length = 0;
    if let Found::Violated(Violation { run, ending, .. }) = &found {
        replay(&system, rules, run, ending).expect("a run");
        length = run.steps.len();
    }
    (found, length)
}

/// An agent that counts to 2, and then stops or goes round.
fn counting(behavior: &str, property: &str) -> String {
    format!(
        "system {{ spawn = A: 1 }} agent A {{ interface = x: 0  Behavior = {behavior} }}
        check {{ P = {property} }}"
    )
}

#[test]
fn violations_come_with_runs() {
    let stops = "x <- 1; x <- 2; Nil";
    let turns = "x <- 1; (x <- 2; x <- 3; Turn)\nTurn = x <- 2; x <- 3; Turn";
    let of = |behavior, property: &str| found(&counting(behavior, property), Rules::default(), None);
    let ending = |found: &Found| match found {
        Found::Violated(violation) => (Some(violation.ending.clone()), violation.searched),
        _ => (None, None),
    };
    let (one, length) = of(stops, "always forall A a, x of a < 2");
    assert_eq!((ending(&one), length), ((Some(Ending::Open), None), 2));
    let (one, length) = of(stops, "finally forall A a, x of a = 5");
    assert_eq!((ending(&one), length), ((Some(Ending::Stuck), None), 2));
    let (one, length) = of(turns, "finally forall A a, x of a = 5");
    assert!(matches!(ending(&one), (Some(Ending::BackTo(_)), None)) && length == 5, "{one:?}");
    assert_eq!(of(turns, "finally forall A a, x of a = 3").0, Found::Holds);
    let (one, length) = of(turns, "fairly forall A a, x of a = 5");
    assert!(matches!(ending(&one), (Some(Ending::Open), Some(_))) && length == 0, "{one:?}");
    let (one, length) = of(turns, "fairly_inf forall A a, x of a = 1");
    assert!(matches!(ending(&one), (Some(Ending::Open), Some(2..=4))) && length == 2, "{one:?}");
    assert_eq!(of(turns, "fairly_inf forall A a, x of a = 2").0, Found::Holds);
    let scope = |end: &str, inside: &str| of(turns, &format!("{end} (forall A a, x of a = 3), {inside}"));
    let (one, length) = scope("between (forall A a, x of a = 1) and", "always forall A a, x of a = 1");
    assert_eq!((ending(&one).0, length), (Some(Ending::Open), 3));
    let (one, length) = scope("from (forall A a, x of a = 1) until", "always forall A a, x of a = 1");
    assert_eq!((ending(&one).0, length), (Some(Ending::Open), 2));
    let open = "from (forall A a, x of a = 1) until (forall A a, x of a = 7), thereIs forall A a, x of a = 9";
    assert!(matches!(ending(&of(turns, open).0).0, Some(Ending::BackTo(_))));
    assert_eq!(ending(&of(stops, open).0).0, Some(Ending::Stuck));
}

#[test]
fn bounded_runs_show_what_they_come_to() {
    let turns = "x <- 1; x <- 2; Turn\nTurn = x <- 3; x <- 2; Turn";
    let of = |property: &str, steps| found(&counting(turns, property), Rules::default(), Some(steps));
    // In the last state, or in some state up to then.
    assert!(matches!(of("finally forall A a, x of a = 2", 3), (Found::Violated(_), 3)));
    assert_eq!(of("finally forall A a, x of a = 2", 2).0, Found::Open);
    assert_eq!(of("eventually forall A a, x of a = 1", 2).0, Found::Open);
    assert!(matches!(of("eventually forall A a, x of a = 3", 2), (Found::Violated(_), 2)));
    assert_eq!(of("eventually forall A a, x of a = 3", 9).0, Found::Holds);
    assert_eq!(of("finally forall A a, x of a = 2", 10).0, Found::Holds);
    assert_eq!(of("always forall A a, x of a < 3", 2).0, Found::Open);
    assert!(matches!(of("always forall A a, x of a < 3", 3), (Found::Violated(_), 3)));
    assert_eq!(of("always forall A a, x of a < 4", 9).0, Found::Holds);
    // A run that stops before is a run.
    let stops = counting("x <- 1; Nil", "finally forall A a, x of a = 2");
    assert!(matches!(found(&stops, Rules::default(), Some(5)), (Found::Violated(_), 1)));
}

#[test]
fn a_limit_leaves_open_what_is_not_seen() {
    let text = counting("x < 50 -> x <- x + 1; Behavior", "fairly forall A a, x of a = 99");
    let system = system(&text);
    let limits = Limits { max_states: 10, max_steps: None, budget: &Budget::unlimited() };
    let (space, end) = explore_within(&system, Rules::default(), &limits, |_| false).expect("initial states");
    assert_eq!((end, space.states.len()), (Some(NoSpace::TooMany), 10));
    let rules = Rules::default();
    assert_eq!(find(&system, &space, &system.properties[0], &rules, None), Found::Open);
    for modality in ["always", "finally", "fairly_inf"] {
        let system = self::system(&text.replace("fairly", modality).replace("99", "0 or 1 = 1"));
        assert_eq!(find(&system, &space, &system.properties[0], &rules, None), Found::Open, "{modality}");
    }
}

#[test]
fn what_can_only_fault_is_not_stuck() {
    let text = "system { spawn = A: 1 } agent A { interface = x: 0  Behavior = x <- 1; x <- x / 0; Nil }
        check { P = finally forall A a, x of a = 5 }";
    let system = system(text);
    let space = space(&system, Rules::default());
    assert_eq!((space.fault.clone().map(|(at, _, _)| at), space.stuck_stores()), (Some(1), 0));
    assert_eq!(find(&system, &space, &system.properties[0], &Rules::default(), None), Found::Holds);
}
