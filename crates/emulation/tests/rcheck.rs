//! The packed engine for R-CHECK against the rules as they are written: the same states, steps, and answers to
//! every property, on the models with known answers and on random ones.

#![allow(clippy::expect_used, clippy::unwrap_used, missing_docs)]

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use paramcheck_emulation::rcheck::{Checked, Counts, Engine, Halt, Question};
use paramcheck_rcheck::load;
use paramcheck_rcheck::model::System;
use paramcheck_rcheck::parser::Options;
use paramcheck_rcheck::semantics::check::{self as reference, Fairness};
use paramcheck_rcheck::semantics::explore::{Incomplete, Space, explore};
use paramcheck_temporal::check::{Answer, Options as Limits, check};
use paramcheck_temporal::replay::violates;
use paramcheck_temporal::system;
use paramcheck_text::limits::Budget;
use pretty_assertions::assert_eq;

#[path = "../../rcheck/tests/support/random.rs"]
mod random;

fn system(text: &str) -> System {
    let loaded = load(text, Options::default());
    assert!(loaded.system.is_some(), "{text}\n{:#?}", loaded.diagnostics);
    loaded.system.unwrap()
}

/// Checks that states and steps are the same.
fn assert_same_space(what: &str, space: &Space, engine: &mut Engine<'_>) {
    let explored = engine.explore(usize::MAX, None, &Budget::unlimited());
    let counts = Counts {
        initial: space.initial,
        states: space.states.len(),
        transitions: space.transitions(),
        deadlocks: space.deadlocks().len(),
        faults: space.faulty.len(),
    };
    assert_eq!(explored.counts, counts, "{what}");
    assert_eq!(explored.incomplete, None, "{what}");
    let length = |state: usize| space.way_to(state).len();
    let shortest = space.deadlocks().into_iter().map(length).min();
    assert_eq!(explored.deadlock.map(|way| way.steps.len()), shortest, "{what}");
    let fault = space.fault.as_ref().map(|(state, _)| length(*state));
    assert_eq!(explored.fault.map(|way| way.steps.len()), fault, "{what}");
    let numbers: HashMap<_, u32> =
        (0..engine.len() as u32).map(|state| (engine.state(state), state)).collect();
    for (at, state) in space.states.iter().enumerate() {
        let number = numbers[state];
        match engine.steps(number).map(<[_]>::to_vec) {
            Ok(steps) => {
                let made: Vec<_> =
                    steps.iter().map(|(by, to)| (engine.executed(*by), engine.state(*to))).collect();
                let wanted: Vec<_> = space.steps[at]
                    .iter()
                    .map(|(message, target)| {
                        let executed = std::iter::once(message.producer).chain(message.receivers.clone());
                        (executed.collect::<Vec<_>>(), space.states[*target].clone())
                    })
                    .collect();
                assert_eq!(made, wanted, "{what}: in {state:?}");
                assert!(!space.faulty.contains(&at), "{what}");
            }
            Err(halt) => {
                assert_eq!(halt, Halt::Fault, "{what}");
                assert!(space.faulty.contains(&at), "{what}: in {state:?}");
                assert!(engine.may_fail(), "{what}");
            }
        }
    }
}

/// Checks that all properties have the same answers, and counts them.
fn assert_same_answers<'a>(
    what: &str,
    system: &'a System,
    space: &Space,
    engine: &mut Engine<'a>,
    counts: &mut BTreeMap<&'static str, usize>,
) {
    let budget = Budget::unlimited();
    for (at, spec) in system.specs.iter().enumerate() {
        let what = format!("{what}: SPEC {}: {}", at + 1, spec.text);
        for (fairness, ours) in [
            (Fairness::Unfair, system::Fairness::None),
            (Fairness::Weak, system::Fairness::Weak),
            (Fairness::Strong, system::Fairness::Strong),
        ] {
            let wanted = reference::check(system, space, spec, fairness);
            let question = Question::new(engine, &spec.formula, &spec.observations);
            let mut checked = Checked { engine, question: &question };
            let limits = Limits { fairness: ours, ..Limits::default() };
            let report = check(&mut checked, question.formula(), &limits, &budget);
            let kind = match (&wanted, &report.answer) {
                (reference::Answer::Unknown(_), _) => {
                    assert!(question.is_undefined(), "{what}: {wanted:?}");
                    "undefined"
                }
                _ if question.is_undefined() => panic!("{what}: undefined, but {wanted:?}"),
                (reference::Answer::Holds, Answer::Holds) => "holds",
                (reference::Answer::Violated(_), Answer::Violated(run)) => {
                    assert_eq!(
                        violates(&mut checked, question.formula(), run, ours, &budget),
                        Ok(()),
                        "{what}: {run:?}"
                    );
                    "violated"
                }
                (reference::Answer::Fault, Answer::Holds | Answer::Fault(..)) => "fault",
                // What was lost before the error shows: for the reference no run goes there.
                (reference::Answer::Fault, Answer::Violated(run)) if run.end == system::End::Open => "lost",
                (wanted, found) => panic!("{what} ({fairness:?}): {found:?}, not {wanted:?}"),
            };
            *counts.entry(kind).or_default() += 1;
        }
    }
}

#[test]
fn models_with_known_answers_have_the_same_states_and_answers() {
    let mut counts = BTreeMap::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/rcheck");
    for name in ["models", "upstream"] {
        for entry in std::fs::read_dir(folder.join(name)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "rcp") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for as_rcheck in [false, true] {
                let loaded = load(&text, Options { as_rcheck });
                // Read as the published tool reads, types do not always fit.
                let Some(system) = loaded.system else {
                    assert!(as_rcheck, "{}: {:#?}", path.display(), loaded.diagnostics);
                    continue;
                };
                let what = path.display().to_string();
                let space = explore(&system, 100_000, &Budget::unlimited()).unwrap();
                let mut engine = Engine::new(&system, None).unwrap();
                assert_same_space(&what, &space, &mut engine);
                assert_same_answers(&what, &system, &space, &mut engine, &mut counts);
                *counts.entry("systems").or_default() += 1;
            }
        }
    }
    assert!(counts["systems"] == 29 && counts["holds"] > 500 && counts["violated"] > 200, "{counts:?}");
}

#[test]
fn random_systems_agree() {
    let number = |name: &str, default| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    let (begin, count) = (number("PARAMCHECK_SEED", 1), number("PARAMCHECK_SYSTEMS", 60));
    let mut counts = BTreeMap::new();
    for seed in begin..begin + count {
        let text = random::Systems::new(seed).text(2);
        let what = format!("seed {seed}:\n{text}");
        let system = system(&text);
        match explore(&system, 300, &Budget::unlimited()) {
            Ok(space) => {
                let mut engine = Engine::new(&system, None).unwrap();
                assert_same_space(&what, &space, &mut engine);
                assert_same_answers(&what, &system, &space, &mut engine, &mut counts);
            }
            Err(Incomplete::TooManyStates) => *counts.entry("large").or_default() += 1,
            Err(other) => panic!("{what}: {other:?}"),
        }
    }
    if count >= 60 {
        for kind in ["holds", "violated", "fault"] {
            assert!(counts.get(kind).is_some_and(|found| *found > 5), "{counts:?}");
        }
    }
}
