//! Checks in linear temporal logic: what they share with `always` and `eventually` has the same answer, under
//! every scheduler, and violations replay.

use paramcheck_process::Language::{Ccs, Chor};
use paramcheck_process::model::System;
use paramcheck_process::semantics::check::{Outcome, Schedule, decide, replay};
use paramcheck_process::semantics::explore::{explore_with, with_interpreter};
use paramcheck_process::{Language, load};
use paramcheck_text::limits::Budget;

use super::random::Generator;

const SCHEDULES: [Schedule; 4] =
    [Schedule::Any, Schedule::WeaklyFair, Schedule::StronglyFair, Schedule::RoundRobin];

/// A random system with checks, each twice: in the words of processes, and in temporal logic.
fn system(seed: u64) -> Option<System> {
    let mut random = Generator::new(seed);
    let (text, language, a) = match seed % 3 {
        2 => (format!("system {}; a@x;\n", random.choreography(3)), Chor, "a"),
        _ => (random.file(), Ccs, "'b"),
    };
    let checks = format!(
        "check one = eventually did {a}; check one_ltl = ltl F did {a};
         check two = always !did {a} | did tau; check two_ltl = ltl G (did {a} -> did tau);
         check three = always !did {a}; check three_ltl = ltl (!did {a}) & G [[{a}]] false;
         check four = eventually can {a} | terminated; check four_ltl = ltl true U (can {a} | terminated);
         check five = always can {a}; check five_ltl = ltl false R can {a};
         check six = always terminated; check six_ltl = ltl terminated W false;"
    );
    load(&(text + &checks), language).system
}

#[test]
fn always_and_eventually_are_cases_of_temporal_logic() {
    let (mut violated, mut held) = (0, 0);
    for seed in 0..240 {
        let Some(system) = system(seed) else { continue };
        let budget = Budget::unlimited();
        with_interpreter(&system, &budget, |interpreter| {
            let space = explore_with(interpreter, &system, 3_000, &budget);
            for schedule in SCHEDULES {
                let outcomes = system.checks.iter().map(|check| {
                    let outcome = decide(&space, &check.goal, schedule, &budget).unwrap();
                    if let Outcome::Violated(run) = &outcome {
                        let replayed = replay(interpreter, &check.goal, schedule, run);
                        replayed.unwrap_or_else(|mismatch| panic!("{seed}: {}: {mismatch}", check.name));
                    }
                    outcome
                });
                let outcomes: Vec<Outcome> = outcomes.collect();
                for (pair, checks) in outcomes.chunks(2).zip(system.checks.chunks(2)) {
                    let is_violated = [0, 1].map(|at| matches!(pair[at], Outcome::Violated(_)));
                    if space.lts.incomplete.is_none() {
                        assert_eq!(is_violated[0], is_violated[1], "{seed}: {} {schedule:?}", checks[0].name);
                    } else {
                        assert!(pair.iter().all(|outcome| *outcome != Outcome::Holds));
                    }
                    *if is_violated[0] { &mut violated } else { &mut held } += 1;
                }
            }
        })
        .unwrap();
    }
    assert!(violated > 500 && held > 500, "{violated} violated, {held} hold");
}

/// Per scheduler, whether a formula holds in a system.
fn holds(text: &str, formula: &str, language: Language) -> [bool; 4] {
    let text = format!("{text} check it = ltl {formula};");
    let loaded = load(&text, language);
    let system = loaded.system.unwrap_or_else(|| panic!("{text}: {:?}", loaded.diagnostics));
    let budget = Budget::unlimited();
    let found = with_interpreter(&system, &budget, |interpreter| {
        let space = explore_with(interpreter, &system, 10_000, &budget);
        SCHEDULES.map(|schedule| match decide(&space, &system.checks[0].goal, schedule, &budget).unwrap() {
            Outcome::Holds => true,
            Outcome::Violated(run) => {
                replay(interpreter, &system.checks[0].goal, schedule, &run).unwrap();
                false
            }
            Outcome::Unknown(incomplete) => panic!("{formula}: {incomplete}"),
        })
    });
    found.unwrap()
}

#[test]
fn formulas_have_the_right_answers() {
    let ends = "system a.b.0;";
    let round = "P = a.P; Q = b.Q; system P | Q;";
    let rows = [
        (ends, "X did a", [true; 4]),
        (ends, "X X (did b & terminated)", [true; 4]),
        // The last state repeats, with what was done last.
        (ends, "F G did b", [true; 4]),
        (ends, "G <<true>> true", [false; 4]),
        (ends, "<<a>> <<b>> [[true]] false", [true; 4]),
        (ends, "[[b]] false", [true; 4]),
        (ends, "!did b W did a", [true; 4]),
        (ends, "did b R !did a", [false; 4]),
        (round, "G F did a", [false, true, true, true]),
        (round, "(G F did a) | F G did b", [true; 4]),
        (round, "G (did a -> X did b)", [false, false, false, true]),
        // Only with the turn a step is possible.
        (round, "G !(can a & can b)", [false, false, false, true]),
        (round, "G (can a & can b)", [true, true, true, false]),
        (round, "F (did a & !did a)", [false; 4]),
        (round, "G (did a | !did a)", [true; 4]),
    ];
    for (text, formula, expected) in rows {
        assert_eq!(holds(text, formula, Ccs), expected, "{text} {formula}");
    }
    let chor = "system *(a@[x, y]); check@y;";
    let rows = [
        ("[[check@y]] false", [true; 4]),
        ("G [[a@[x, y]]] !did check", [true; 4]),
        ("F did check U did a", [false; 4]),
    ];
    for (formula, expected) in rows {
        assert_eq!(holds(chor, formula, Chor), expected, "{formula}");
    }
}

#[test]
fn what_is_not_known_is_no_answer() {
    let text = "P = a.b.c.d.P; system P ^ 4; check live = ltl G F did a; check first = ltl X !did a;";
    let system = load(text, Ccs).system.unwrap();
    let budget = Budget::unlimited();
    with_interpreter(&system, &budget, |interpreter| {
        let space = explore_with(interpreter, &system, 20, &budget);
        let answers = system.checks.iter().map(|check| decide(&space, &check.goal, Schedule::Any, &budget));
        let answers: Vec<Outcome> = answers.map(Result::unwrap).collect();
        assert!(matches!(answers[0], Outcome::Unknown(_)));
        // A violation in the known part counts.
        assert!(matches!(answers[1], Outcome::Violated(_)));
    })
    .unwrap();
}
