//! Checks on random processes: a violation replays, an answer under one scheduler bounds that under another,
//! and `eventually` in any order agrees with a definition by fixpoint.

use std::collections::BTreeSet;

use paramcheck_process::Language::{Ccs, Chor};
use paramcheck_process::load;
use paramcheck_process::model::{Formula, Goal, LabelId, System};
use paramcheck_process::semantics::check::{Outcome, Schedule, decide, replay};
use paramcheck_process::semantics::explore::{explore_turns_with, explore_with, with_interpreter};
use paramcheck_process::semantics::lts::Lts;
use paramcheck_process::show;
use paramcheck_text::limits::Budget;

use super::random::Generator;

/// A system with checks about what it does; `None` where the object of a check does not occur.
fn system(seed: u64) -> Option<System> {
    let mut random = Generator::new(seed);
    let (text, language, action) = match seed % 3 {
        2 => (format!("system {}; a@x;\n", random.choreography(3)), Chor, "a"),
        _ => (random.file(), Ccs, "'b"),
    };
    let checks = format!(
        "check one = eventually did {action};\n\
         check two = eventually (did {action} | terminated);\n\
         check three = always (!did {action} | did tau);\n\
         check four = eventually (did tau & !did {action});\n\
         check five = always !terminated;\n\
         check six = eventually (can {action} | terminated);\n\
         check deadlock;\n"
    );
    load(&(text + &checks), language).system
}

#[test]
fn answers_bound_each_other_and_violations_replay() {
    let mut violated = 0;
    let mut held = 0;
    for seed in 0..240 {
        let Some(system) = system(seed) else { continue };
        let budget = Budget::unlimited();
        with_interpreter(&system, &budget, |interpreter| {
            let space = explore_with(interpreter, &system, 5_000, &budget);
            let in_turn = explore_turns_with(interpreter, &system, 100_000, &budget);
            for check in &system.checks {
                let mut holds = |schedule| match decide(&space, &check.goal, schedule, &budget).unwrap() {
                    Outcome::Holds => {
                        held += 1;
                        true
                    }
                    Outcome::Violated(run) => {
                        violated += 1;
                        replay(interpreter, &check.goal, schedule, &run).unwrap_or_else(|mismatch| {
                            panic!("{seed}: {} {}: {mismatch}", check.name, schedule.words())
                        });
                        false
                    }
                    Outcome::Unknown(_) => false,
                };
                let [any, weak, strong, turns] =
                    [Schedule::Any, Schedule::WeaklyFair, Schedule::StronglyFair, Schedule::RoundRobin]
                        .map(&mut holds);
                if space.lts.incomplete.is_some() {
                    continue;
                }
                let context = format!("{seed}: {}", check.name);
                assert!(any <= weak && weak <= strong, "{context}");
                // Exploring in turn, and looking at turns in what was explored, is the same.
                assert_eq!(in_turn.lts.incomplete, None, "{context}");
                match decide(&in_turn, &check.goal, Schedule::Any, &budget).unwrap() {
                    Outcome::Violated(run) => {
                        assert!(!turns, "{context}");
                        replay(interpreter, &check.goal, Schedule::RoundRobin, &run).unwrap();
                    }
                    outcome => assert_eq!((outcome, turns), (Outcome::Holds, true), "{context}"),
                }
                // What can be is less when only one has the turn.
                assert!(any <= turns || check.name == "six", "{context}");
                match &check.goal {
                    Goal::Eventually(formula) => {
                        assert_eq!(any, naive_eventually(&space.lts, formula), "{context}");
                    }
                    // Fairness excludes no beginning of a run.
                    _ => assert_eq!((any, any), (weak, strong), "{context}"),
                }
            }
        })
        .unwrap();
    }
    assert!(violated > 300 && held > 300, "{violated} violated, {held} hold");
}

#[test]
fn reserved_words_ask_for_actions_of_any_place() {
    let text = "system check@x; check@[x,y]; tau@x; check c = always did check; check d = always did tau;";
    let system = load(text, Chor).system.unwrap();
    let asked: Vec<Vec<String>> = system
        .checks
        .iter()
        .map(|check| match &check.goal {
            Goal::Always(Formula::Did(labels)) => {
                labels.iter().map(|label| show::label(&system, *label)).collect()
            }
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(asked, [vec!["check@x", "check@[x,y]"], vec!["tau"]]);
}

/// Whether every maximal run has a moment with the formula: those moments without it from which a run can go
/// on without it for ever, or to an end, are what remains when all others are taken away.
fn naive_eventually(lts: &Lts, formula: &Formula) -> bool {
    let holds = |moment: &(Option<LabelId>, u32)| naive_holds(lts, formula, moment.0, moment.1);
    let mut moments: BTreeSet<(Option<LabelId>, u32)> = BTreeSet::from([(None, 0)]);
    for state in 0..lts.states() as u32 {
        moments.extend(
            lts.transitions(state).iter().map(|transition| (Some(transition.label), transition.target)),
        );
    }
    moments.retain(|moment| !holds(moment));
    loop {
        let goes_on = |moment: &(Option<LabelId>, u32)| {
            let next = lts.transitions(moment.1);
            next.is_empty()
                || next
                    .iter()
                    .any(|transition| moments.contains(&(Some(transition.label), transition.target)))
        };
        let remaining: BTreeSet<_> = moments.iter().copied().filter(goes_on).collect();
        if remaining.len() == moments.len() {
            return !moments.contains(&(None, 0));
        }
        moments = remaining;
    }
}

fn naive_holds(lts: &Lts, formula: &Formula, last: Option<LabelId>, state: u32) -> bool {
    match formula {
        Formula::Did(labels) => last.is_some_and(|last| labels.contains(&last)),
        Formula::Can(labels) => lts.transitions(state).iter().any(|one| labels.contains(&one.label)),
        Formula::Terminated => lts.is_terminated(state),
        Formula::Not(inner) => !naive_holds(lts, inner, last, state),
        Formula::And(parts) => parts.iter().all(|part| naive_holds(lts, part, last, state)),
        Formula::Or(parts) => parts.iter().any(|part| naive_holds(lts, part, last, state)),
    }
}
