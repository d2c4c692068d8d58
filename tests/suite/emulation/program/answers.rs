//! What ESBMC and Z3 answer: proofs where there is something to prove, violations that replay.

use paramcheck_emulation::backend::{Answer, Backend};
use paramcheck_emulation::backend::{esbmc::Esbmc, z3::Z3};
use paramcheck_emulation::question::Question;
use paramcheck_emulation::replay::replay;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::limits::Budget;

use super::sizes::{Explored, explored};
use super::{Plain, Subject, data, each, process};
use crate::suite::support::dialogue::ask;

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

/// Every model, sizes up to 6, one instance of each size.
#[test]
#[cfg_attr(not(long_tests), ignore = "runs Z3: PARAMCHECK_LONG=1")]
fn z3_agrees_with_exploration() {
    each(&explored(1), |instance| {
        let Explored { subject, distances, .. } = instance;
        for (question, distance) in subject.questions.iter().zip(distances) {
            let answered = hold(&Z3, subject, question, Schedule::Any, distance.is_some());
            assert!(answered, "Spacer gives up on {} of {}", question.name, subject.name);
        }
    });
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
#[cfg_attr(not(long_tests), ignore = "runs Z3 and ESBMC: PARAMCHECK_LONG=1")]
fn processes_are_answered_as_is_known() {
    let backends: [(&dyn Backend, Vec<_>); 2] =
        [(&Esbmc, KNOWN.to_vec()), (&Z3, [KNOWN, FOR_SPACER].concat())];
    for (backend, known) in backends {
        each(&known, |(file, check, schedule, is_violated)| {
            let subject = process(file);
            let question = subject.questions.iter().find(|question| question.name == *check).unwrap();
            let answered = hold(backend, &subject, question, *schedule, *is_violated);
            assert!(answered, "{} gives up on {check} of {file}", backend.about().name);
        });
    }
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs ESBMC: PARAMCHECK_LONG=1")]
fn data_is_answered_as_is_known() {
    let subject = &data::subjects()[0];
    let plain = Plain::new(&subject.structure, Schedule::Any);
    each(&subject.questions, |question| {
        let answered = hold(&Esbmc, subject, question, Schedule::Any, plain.is_violated(question));
        assert!(answered, "ESBMC gives up on {}", question.name);
    });
}
