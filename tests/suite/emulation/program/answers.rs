//! What ESBMC and Z3 answer: proofs where there is something to prove, violations that replay.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use paramcheck::emulation::backend::{Answer, Backend};
use paramcheck::emulation::backend::{esbmc::Esbmc, z3::Z3};
use paramcheck::emulation::question::Question;
use paramcheck::emulation::replay::replay;
use paramcheck::emulation::target::chc::{Encoding, Options as ClauseOptions, chc};
use paramcheck::semantics::check::Schedule;
use paramcheck::support::limits::Budget;

use super::sizes::{Explored, explored};
use super::{Plain, Subject, data, each, process};
use crate::suite::support::dialogue::{ask, can_run};
use crate::suite::support::tools::{Scratch, output, program};

/// Of instances with more reachable states, Spacer need not answer everything.
const MOST_STATES: usize = 40;
/// Nor of larger instances.
const MOST_COUNTERS: usize = 4;
/// Models of which Spacer needs minutes for few states.
const SLOW: [&str; 4] = [
    "examples/rings/traffic-lights.rs",
    "examples/rings/traffic-lights-hasty.rs",
    "examples/rings/lights-by-sets.rs",
    "examples/rings/railway.rs",
];

/// Holds an answer against what is so; whether there was one.
fn hold(
    backend: &dyn Backend,
    subject: &Subject,
    question: &Question,
    schedule: Schedule,
    is_violated: bool,
) -> bool {
    let asked = subject.program(question, schedule);
    let name = format!("{}, {} of {}, {schedule:?}", backend.about().name, question.name, subject.name);
    match ask(backend, &asked) {
        Answer::Proved => assert!(!is_violated, "{name}: proved"),
        Answer::Violated(run) => {
            assert!(is_violated, "{name}: violated by {run:?}");
            let run = run.unwrap_or_else(|| panic!("{name}: no steps"));
            replay(&asked, &run, &Budget::unlimited()).unwrap_or_else(|why| panic!("{name}: {why}: {run:?}"));
        }
        Answer::Unknown(_) => return false,
    }
    true
}

/// What Spacer may do about one question, in its own measure: so what it gets done with does not depend on the machine.
const MOST_WORK: u32 = 300_000;

/// Whether Spacer says that a question is violated, if it gets done with it.
fn is_violated_by_spacer(subject: &Subject, question: &Question) -> Option<bool> {
    let options = ClauseOptions { encoding: Encoding::Integers, with_proof: false };
    let text = chc(&subject.program(question, Schedule::Any), options, &Budget::unlimited()).unwrap();
    let folder = Scratch::new();
    fs::write(folder.path().join("program.smt2"), text).unwrap();
    let said = output(program("z3").current_dir(folder.path()).args([
        "fp.engine=spacer",
        "fp.spacer.push_pob=true",
        &format!("rlimit={MOST_WORK}"),
        "program.smt2",
    ]));
    match said.lines().next().map(str::trim) {
        Some("sat") => Some(false),
        Some("unsat") => Some(true),
        _ => {
            let name = &question.name;
            assert!(
                said.contains("unknown") || said.contains("resource"),
                "{name}, {}: {said}",
                subject.name
            );
            None
        }
    }
}

/// Whether Spacer answers all about an instance, whatever time it takes.
fn is_quick(instance: &Explored) -> bool {
    instance.states <= MOST_STATES
        && instance.subject.structure.counters.len() <= MOST_COUNTERS
        && SLOW.iter().all(|slow| !instance.subject.name.starts_with(slow))
}

/// Every model, sizes up to 6: the back end answers all about small instances. About others Spacer, with its work
/// bounded, leaves questions open, but answers none wrongly.
#[test]
fn z3_agrees_with_exploration() {
    if !can_run(&Z3) {
        return;
    }
    let [small, answered, open] = [0, 0, 0].map(AtomicUsize::new);
    each(&explored(1), |instance| {
        let Explored { subject, distances, .. } = instance;
        let is_quick = is_quick(instance);
        for (question, distance) in subject.questions.iter().zip(distances) {
            let count = if is_quick {
                assert!(hold(&Z3, subject, question, Schedule::Any, distance.is_some()), "{}", subject.name);
                &small
            } else if let Some(found) = is_violated_by_spacer(subject, question) {
                assert_eq!(found, distance.is_some(), "{} of {}", question.name, subject.name);
                &answered
            } else {
                &open
            };
            count.fetch_add(1, Ordering::Relaxed);
        }
    });
    let [small, answered, open] = [small, answered, open].map(AtomicUsize::into_inner);
    assert!(small > 100, "{small} small");
    assert!(small + answered > 2 * open, "{small} small, {answered} answered, {open} left open");
}

/// Models, checks and schedules that are answered in some seconds, and whether the check is violated.
const KNOWN: &[(&str, &str, Schedule, bool)] = &[
    ("examples/ccs/2pc-unrestricted.ccs", "no_rollback", Schedule::Any, true),
    ("examples/ccs/2pc.ccs", "no_rollback", Schedule::Any, false),
    ("examples/ccs/2pc.ccs", "done", Schedule::Any, false),
    ("examples/ccs/2pc.ccs", "deadlock", Schedule::RoundRobin, true),
    ("examples/ccs/2pc-unrestricted.ccs", "outcome", Schedule::Any, true),
    ("examples/chor/stock.chor", "deadlock", Schedule::Any, true),
    ("examples/chor/stock-safe.chor", "deadlock", Schedule::Any, false),
    ("examples/chor/news.chor", "closes", Schedule::RoundRobin, true),
];

/// Those that are too much for induction.
const FOR_SPACER: &[(&str, &str, Schedule, bool)] = &[
    ("examples/ccs/2pc-unrestricted.ccs", "outcome", Schedule::WeaklyFair, false),
    ("examples/ccs/peterson.ccs", "mutual_exclusion", Schedule::Any, false),
];

#[test]
fn processes_are_answered_as_is_known() {
    let backends: [(&dyn Backend, Vec<_>); 2] =
        [(&Esbmc, KNOWN.to_vec()), (&Z3, [KNOWN, FOR_SPACER].concat())];
    for (backend, known) in backends {
        if !can_run(backend) {
            continue;
        }
        each(&known, |(file, check, schedule, is_violated)| {
            let subject = process(file);
            let question = subject.questions.iter().find(|question| question.name == *check).unwrap();
            let answered = hold(backend, &subject, question, *schedule, *is_violated);
            assert!(answered, "{} gives up on {check} of {file}", backend.about().name);
        });
    }
}

#[test]
fn data_is_answered_as_is_known() {
    if !can_run(&Esbmc) {
        return;
    }
    let subject = &data::subjects()[0];
    let plain = Plain::new(&subject.structure, Schedule::Any);
    each(&subject.questions, |question| {
        hold(&Esbmc, subject, question, Schedule::Any, plain.is_violated(question));
    });
}
