//! Spin and NuSMV on processes and choreographies, by way of triples, against the native answers; and the
//! runs that they find, retraced by the rules.

use std::path::{Path, PathBuf};

use paramcheck_emulation::Structure;
use paramcheck_emulation::backend::{Answer, Backend, nusmv, spin};
use paramcheck_emulation::process::encode;
use paramcheck_emulation::program::Program;
use paramcheck_emulation::question::Question;
use paramcheck_emulation::replay::replay;
use paramcheck_process::Language::{Ccs, Chor};
use paramcheck_process::model::{Check, Goal, System};
use paramcheck_process::semantics::check::{Outcome, RunStep, Schedule, decide, retrace};
use paramcheck_process::semantics::explore::{explore_with, with_interpreter};
use paramcheck_process::{Language, load};
use paramcheck_text::limits::Budget;

use crate::suite::processes::random::Generator;
use crate::suite::support::dialogue::said;
use crate::suite::support::{BARREN, barren};

const SCHEDULES: [Schedule; 4] =
    [Schedule::Any, Schedule::RoundRobin, Schedule::WeaklyFair, Schedule::StronglyFair];

/// Under a schedule that matters for the check, a back end answers as the interpreter does.
fn compare(backend: &dyn Backend, name: &str, system: &System, schedules: &[Schedule]) -> usize {
    let budget = Budget::unlimited();
    let structure = encode(system, &budget).unwrap();
    let mut count = 0;
    with_interpreter(system, &budget, |interpreter| {
        let space = explore_with(interpreter, system, 20_000, &budget);
        assert_eq!(space.lts.incomplete, None, "{name}");
        // Temporal logic is not asked of others.
        for check in system.checks.iter().filter(|check| Question::of_check(check).is_some()) {
            for &schedule in schedules {
                let is_fair = matches!(schedule, Schedule::WeaklyFair | Schedule::StronglyFair);
                if is_fair && !matches!(check.goal, Goal::Eventually(_)) {
                    continue;
                }
                let context = format!("{backend:?}, {name}, {}, {}", check.name, schedule.words());
                let holds = decide(&space, &check.goal, schedule, &budget).unwrap() == Outcome::Holds;
                let run = ask(backend, (name, &structure, check, schedule), space.lts.states(), &context);
                assert_eq!(run.is_none(), holds, "{context}");
                if let Some((steps, loop_start)) = run {
                    let found = retrace(interpreter, &check.goal, schedule, &steps, loop_start);
                    assert!(found.is_ok(), "{context}: {found:?}\n{steps:?} {loop_start:?}");
                }
                count += 1;
            }
        }
    })
    .unwrap();
    count
}

/// The run that a back end finds, if any, replayed on the structure.
fn ask(
    backend: &dyn Backend,
    (name, structure, check, schedule): (&str, &Structure, &Check, Schedule),
    states: usize,
    context: &str,
) -> Option<(Vec<RunStep>, Option<usize>)> {
    let question = Question::of_check(check).unwrap();
    let program = Program { model: name, structure, question: &question, schedule };
    let (answer, outputs) = said(backend, &program);
    match answer {
        Answer::Proved => {
            // Nothing but the state is in Spin's states then.
            let is_plain = schedule == Schedule::Any
                && check.goal == Goal::NoDeadlock
                && structure.silent().next().is_none();
            if is_plain && backend.about().name == "spin" {
                let stored = format!("{states} states, stored");
                assert!(outputs[2].stdout.contains(&stored), "{context}: {stored}\n{}", outputs[2].stdout);
            }
            None
        }
        Answer::Violated(Some(run)) => {
            let run = replay(&program, &run, &Budget::unlimited())
                .unwrap_or_else(|mismatch| panic!("{context}: {mismatch}\n{run:?}"));
            let step = |id: &_| {
                let triple = &structure.triples[*id];
                RunStep { label: triple.label().unwrap(), agents: triple.agents.clone() }
            };
            Some((run.steps.iter().map(step).collect(), run.loop_start))
        }
        other => panic!("{context}: {other:?}\n{outputs:#?}"),
    }
}

fn schedules_of(backend: &dyn Backend) -> &'static [Schedule] {
    if backend.about().name == "spin" { &SCHEDULES[..2] } else { &SCHEDULES }
}

/// All files of a folder.
fn check_folder(backend: &dyn Backend, folder: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut count = 0;
    for path in paths {
        let extension = path.extension().and_then(|extension| extension.to_str());
        let Some(language) = extension.and_then(Language::of_extension) else { continue };
        let system = load(&std::fs::read_to_string(&path).unwrap(), language).system.unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        count += compare(backend, name, &system, schedules_of(backend));
    }
    assert!(count > 5, "{count}");
}

folders! {
    cases: "tests/cases/emulation";
    ccs: "examples/ccs";
    chor: "examples/chor";
}

/// Where no agent can take part in any step, whatever is assumed of the order.
#[test]
#[cfg_attr(not(long_tests), ignore = "runs Spin and NuSMV: PARAMCHECK_LONG=1")]
fn all_agree_where_nothing_can_happen() {
    let backends: [&dyn Backend; 2] = [&spin::Spin, &nusmv::NuSmv];
    for text in BARREN {
        let system = load(&barren(text), Ccs).system.unwrap();
        for backend in backends {
            compare(backend, text, &system, schedules_of(backend));
        }
    }
}

/// Small random systems, most of them with parallel compositions inside of agents.
#[test]
#[cfg_attr(not(long_tests), ignore = "runs Spin and NuSMV: PARAMCHECK_LONG=1")]
fn all_agree_on_random_systems() {
    let backends: [&dyn Backend; 2] = [&spin::Spin, &nusmv::NuSmv];
    let mut count = 0;
    for seed in 0..24 {
        let mut random = Generator::new(seed);
        let (text, language, action) = match seed % 3 {
            2 => (format!("system {}; a@x;\n", random.choreography(3)), Chor, "a"),
            _ => (random.file(), Ccs, "'b"),
        };
        let checks = format!(
            "check one = eventually (did {action} | can {action} | terminated);\n\
             check two = always (!did {action} | can tau);\n\
             check deadlock;\n"
        );
        let Some(system) = load(&(text + &checks), language).system else { continue };
        let small = with_interpreter(&system, &Budget::unlimited(), |interpreter| {
            explore_with(interpreter, &system, 300, &Budget::unlimited()).lts.incomplete.is_none()
        });
        if small != Ok(true) {
            continue;
        }
        for backend in backends {
            count += compare(backend, &format!("seed {seed}"), &system, schedules_of(backend));
        }
    }
    assert!(count > 40, "{count}");
}
