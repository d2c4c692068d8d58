//! Tests of checks that need more than an answer: what a run looks like, and that no other run passes.

use super::{Outcome, Run, Schedule, decide, replay};
use crate::Language::Ccs;
use crate::load;
use crate::model::System;
use crate::semantics::explore::{Space, explore_with, with_interpreter};
use crate::semantics::network::{Incomplete, Interpreter};
use paramcheck_text::limits::Budget;

/// Decides the only check of a text and hands the result over.
fn with_outcome<T>(
    text: &str,
    schedule: Schedule,
    max_states: usize,
    work: impl FnOnce(&System, &mut Interpreter<'_>, &Space, Outcome) -> T,
) -> T {
    let system = load(text, Ccs).system.unwrap();
    let budget = Budget::unlimited();
    with_interpreter(&system, &budget, |interpreter| {
        let space = explore_with(interpreter, &system, max_states, &budget);
        let outcome = decide(&space, &system.checks[0].goal, schedule, &budget).unwrap();
        work(&system, interpreter, &space, outcome)
    })
    .unwrap()
}

/// The run that violates the only check of a text: labels, and where the loop begins.
fn violation(text: &str, schedule: Schedule) -> Option<(String, Option<usize>)> {
    with_outcome(text, schedule, 1000, |system, interpreter, space, outcome| match outcome {
        Outcome::Holds => None,
        Outcome::Violated(run) => {
            replay(interpreter, &system.checks[0].goal, schedule, &run).unwrap();
            let labels: Vec<&str> =
                run.steps.iter().map(|step| space.lts.labels[step.label].as_str()).collect();
            Some((labels.join(" "), run.loop_start))
        }
        Outcome::Unknown(incomplete) => panic!("{incomplete}"),
    })
}

const TWO: &str = "A = a.A; B = b.B + c.0; system A | B;";

#[test]
fn a_loop_leaves_out_what_is_not_due() {
    let text = format!("{TWO} check c = eventually did b;");
    assert_eq!(violation(&text, Schedule::Any), Some(("a".to_owned(), Some(0))));
    assert_eq!(violation(&text, Schedule::WeaklyFair).unwrap().1, Some(1), "c first");
    let text = format!("{TWO} check c = eventually (did b | did c);");
    assert_eq!(violation(&text, Schedule::WeaklyFair), None);
    assert_eq!(violation(&text, Schedule::RoundRobin), None);
}

#[test]
fn strong_fairness_asks_for_more_than_weak() {
    // B can act every other time only.
    let text = "A = a.'l.u.A; L = l.'u.L + m.0; B = 'm.done.0; system (A | L | B) \\ {l, u, m}; check d = eventually did done;";
    assert!(violation(text, Schedule::Any).is_some());
    assert!(violation(text, Schedule::WeaklyFair).is_some());
    assert_eq!(violation(text, Schedule::StronglyFair), None);
}

#[test]
fn the_first_moment_and_the_last_count() {
    let holds =
        |check: &str| violation(&format!("system a.b.0; check c = {check};"), Schedule::Any).is_none();
    assert!(holds("eventually can a") && holds("eventually !did a") && holds("eventually terminated"));
    assert!(!holds("always !did b") && !holds("always !terminated") && !holds("always can a"));
    assert!(!holds("eventually (did a & can a)") && holds("eventually (did a & can b)"));
    assert!(holds("deadlock"));
    assert_eq!(
        violation("system a.(b.0 \\ {b}); check deadlock;", Schedule::Any),
        Some(("a".to_owned(), None))
    );
}

#[test]
fn the_known_part_may_be_enough() {
    let large = "system a.0 ^ 12; check c = ";
    let outcome = |check: &str| {
        with_outcome(&format!("{large}{check};"), Schedule::Any, 20, |_, _, _, outcome| outcome)
    };
    assert!(matches!(outcome("always !did a"), Outcome::Violated(run) if run.steps.len() == 1));
    assert_eq!(outcome("always !terminated"), Outcome::Unknown(Incomplete::States(20)));
    assert_eq!(outcome("eventually did a"), Outcome::Unknown(Incomplete::States(20)));
    assert_eq!(outcome("deadlock"), Outcome::Unknown(Incomplete::States(20)));
}

#[test]
fn a_forged_run_is_refused() {
    let text = format!("{TWO} check c = eventually did b;");
    with_outcome(&text, Schedule::WeaklyFair, 1000, |system, interpreter, _, outcome| {
        let Outcome::Violated(run) = outcome else { panic!("it is violated") };
        let goal = &system.checks[0].goal;
        let mut check = |schedule, run: &Run| replay(interpreter, goal, schedule, run).is_ok();
        assert!(check(Schedule::WeaklyFair, &run));
        let forged = |change: &dyn Fn(&mut Run)| {
            let mut run = run.clone();
            change(&mut run);
            run
        };
        assert!(!check(Schedule::WeaklyFair, &forged(&|run| run.loop_start = None)));
        assert!(!check(Schedule::WeaklyFair, &forged(&|run| run.loop_start = Some(0))));
        assert!(!check(Schedule::WeaklyFair, &forged(&|run| run.loop_start = Some(2))));
        assert!(!check(Schedule::WeaklyFair, &forged(&|run| run.steps[0].agents = vec![0])));
        assert!(!check(Schedule::WeaklyFair, &forged(&|run| run.steps.reverse())));
        assert!(!check(
            Schedule::WeaklyFair,
            &forged(&|run| {
                run.steps.remove(0);
                run.states.remove(0);
            })
        ));
        // It begins with B's step, and A has the turn.
        assert!(!check(Schedule::RoundRobin, &run));
        // A alone for ever is a run, but not a fair one.
        let alone = forged(&|run| {
            run.steps = vec![run.steps[1].clone()];
            run.states = vec![run.states[0].clone(); 2];
            run.loop_start = Some(0);
        });
        assert!(check(Schedule::Any, &alone) && !check(Schedule::WeaklyFair, &alone));
    });
}
