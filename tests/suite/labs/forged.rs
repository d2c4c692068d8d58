//! Runs of agents as documents: those of violations replay and violate, and spoilt ones are refused, with the
//! step named.

use paramcheck::replay::labs::{NotReplayed, replay, violates};
use paramcheck::report::labs::document::{FORMAT, LabsTrace, RulesOfRun, VERSION, read};
use paramcheck::report::labs::{Action, End, RunReport};
use paramcheck_labs::model::System;
use paramcheck_text::source::SourceFile;
use paramcheck_verdict::Status;
use paramcheck_verdict::labs::{Options, decide};

use super::known::{each_run, rules};

/// The runs of all violations of a folder, each with its property's number.
fn each_violation(folder: &str, mut check: impl FnMut(&str, &System, usize, LabsTrace)) {
    each_run(folder, |what, system, run| {
        for rules in rules(run) {
            let Ok(decision) = decide(system, &system.properties, rules, &Options::default()) else {
                continue;
            };
            for (number, answer) in decision.answers.iter().enumerate() {
                let Status::Violated(violation) = &answer.status else { continue };
                let document = LabsTrace {
                    format: FORMAT.to_owned(),
                    version: VERSION,
                    system: String::new(),
                    rules: RulesOfRun::new(rules, &system.parameters),
                    check: Some(answer.property.clone()),
                    formula: Some(String::new()),
                    run: RunReport::new(system, &SourceFile::new("", ""), &violation.run),
                    fault: None,
                };
                check(what, system, number, document);
            }
        }
    });
}

#[test]
fn violations_replay_and_violate() {
    let mut replayed = 0;
    for folder in ["examples", "points"] {
        each_violation(folder, |what, system, number, document| {
            // As it comes out of a file.
            let text = SourceFile::new("run.json", document.to_text().unwrap());
            let document = read(&text, None).unwrap();
            let mut run = replay(system, &document).unwrap_or_else(|reason| panic!("{what}: {reason}"));
            let judged = violates(system, &system.properties[number], &mut run, None);
            assert!(matches!(judged, Some(Ok(_))), "{what}: {}: {judged:?}", system.properties[number].name);
            // And it shows nothing of what holds in all of its states.
            replayed += 1;
        });
    }
    assert!(replayed > 30, "{replayed}");
}

#[test]
fn spoilt_runs_are_refused_with_the_step() {
    let mut refused = 0;
    each_violation("points", |what, system, _, document| {
        let mut expect = |spoilt: &LabsTrace, step: usize, how: &str| {
            let found = replay(system, spoilt).err();
            let is_there = match &found {
                Some(NotReplayed::Step { step: found, .. }) => *found == step + 1,
                _ => false,
            };
            assert!(is_there, "{what}: {how} in step {}: {found:?}", step + 1);
            refused += 1;
        };
        for at in 0..document.run.steps.len() {
            let spoil = |how: &dyn Fn(&mut LabsTrace)| {
                let mut spoilt = document.clone();
                how(&mut spoilt);
                spoilt
            };
            if let Some(change) = document.run.steps[at].changes.first() {
                let other = change.value.map_or(7, |value| value + 1000);
                let spoilt = spoil(&|document| document.run.steps[at].changes[0].value = Some(other));
                expect(&spoilt, at, "a value");
            }
            if !document.run.steps[at].pending.is_empty() {
                expect(&spoil(&|document| document.run.steps[at].pending.clear()), at, "messages");
            }
            if !document.run.steps[at].ages.is_empty() {
                expect(&spoil(&|document| document.run.steps[at].ages.clear()), at, "ages");
            }
            let spoilt = spoil(&|document| document.run.steps[at].agent = "Nobody 9".to_owned());
            expect(&spoilt, at, "an agent");
            let spoilt = spoil(&|document| {
                let step = &mut document.run.steps[at];
                step.action = if step.action == Action::Act { Action::Confirm } else { Action::Act };
            });
            expect(&spoilt, at, "an action");
        }
    });
    assert!(refused > 100, "{refused}");
}

#[test]
fn spoilt_beginnings_and_ends_are_refused() {
    let (mut beginnings, mut ends) = (0, 0);
    each_violation("points", |what, system, _, document| {
        let spoilt = LabsTrace {
            run: RunReport { end: Some(End::Stuck), loop_start: None, ..document.run.clone() },
            ..document.clone()
        };
        if document.run.end == Some(End::Open) {
            // A run that goes on is not stuck; some that may stop are.
            let refused = replay(system, &spoilt).err();
            assert!(matches!(refused, None | Some(NotReplayed::End(_))), "{what}: {refused:?}");
            ends += usize::from(refused.is_some());
        }
        let length = document.run.steps.len();
        let spoilt = LabsTrace {
            run: RunReport { end: None, loop_start: Some(length), ..document.run.clone() },
            ..document.clone()
        };
        assert!(matches!(replay(system, &spoilt), Err(NotReplayed::End(_))), "{what}");
        if !document.run.initial.is_empty() {
            let mut spoilt = document.clone();
            spoilt.run.initial[0].value = Some(12_345);
            assert!(matches!(replay(system, &spoilt), Err(NotReplayed::Initial(_))), "{what}");
            spoilt.run.initial.remove(0);
            assert!(matches!(replay(system, &spoilt), Err(NotReplayed::Initial(_))), "{what}");
            let mut twice = document.clone();
            twice.run.initial.push(twice.run.initial[0].clone());
            assert!(matches!(replay(system, &twice), Err(NotReplayed::Initial(_))), "{what}");
            beginnings += 1;
        }
        let mut spoilt = document.clone();
        spoilt.rules.int_bits = 17;
        assert!(matches!(replay(system, &spoilt), Err(NotReplayed::Rules(_))), "{what}");
    });
    assert!(beginnings > 5 && ends > 0, "{beginnings} {ends}");
}
