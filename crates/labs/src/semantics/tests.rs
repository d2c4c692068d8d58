use paramcheck_text::limits::Budget;

use super::check::{Answer, decide};
use super::explore::{Space, explore};
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

#[test]
fn what_can_only_fault_is_not_stuck() {
    let text = "system { spawn = A: 1 } agent A { interface = x: 0  Behavior = x <- 1; x <- x / 0; Nil }
        check { P = finally forall A a, x of a = 5 }";
    let system = system(text);
    let space = space(&system, Rules::default());
    assert_eq!((space.fault.clone().map(|(at, _, _)| at), space.stuck_stores()), (Some(1), 0));
    let answer = decide(&system, &space, &system.properties[0], &Rules::default());
    assert_eq!(answer, Ok(Answer::Holds));
}
