//! Bounded model checking by ESBMC: it finds errors at the distance that the plain search finds, and none
//! nearer.

use std::fs;

use paramcheck_emulation::question::{Demand, Question};
use paramcheck_emulation::writers::c::{Liveness, Options, Shape, Target, Verifier, c};
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::limits::Budget;

use super::{Plain, Subject, data, instances};
use crate::suite::support::tools::{Scratch, output, program};

/// The quickest solver, and no library of C, whose reading would take most of the time.
const SETTINGS: [&str; 2] = ["--boolector", "--no-library"];

/// Whether ESBMC reaches an error within the given number of steps.
pub(super) fn is_reached(subject: &Subject, question: &Question, schedule: Schedule, steps: u32) -> bool {
    let target = Target::Verifier(Verifier::Esbmc);
    let options = Options { target, shape: Shape::Base(steps), liveness: Liveness::Safety };
    let text = c(&subject.program(question, schedule), options, &Budget::unlimited()).unwrap();
    let folder = Scratch::new();
    fs::write(folder.path().join("program.c"), &text).unwrap();
    let said = output(program("esbmc").current_dir(folder.path()).args(["program.c"]).args(SETTINGS));
    match (said.contains("VERIFICATION FAILED"), said.contains("VERIFICATION SUCCESSFUL")) {
        (true, false) => true,
        (false, true) => false,
        _ => panic!("{}: {said}\n{text}", subject.name),
    }
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs ESBMC: PARAMCHECK_LONG=1")]
fn esbmc_finds_what_is_near_and_nothing_nearer() {
    let mut subjects = data::subjects();
    subjects.extend(instances("examples/philosophers/alt-philo-sym.rs", 3..=3));
    let (mut near, mut far) = (0, 0);
    for subject in &subjects {
        for schedule in [Schedule::Any, Schedule::RoundRobin] {
            for question in &subject.questions {
                let Demand::Never(condition) = &question.demand else { continue };
                let plain = Plain::new(&subject.structure, schedule);
                let bound = match plain.search(condition).0 {
                    Some(distance) => {
                        assert!(is_reached(subject, question, schedule, distance));
                        near += 1;
                        distance
                    }
                    None => 4,
                };
                if bound > 0 {
                    assert!(!is_reached(subject, question, schedule, bound - 1));
                    far += 1;
                }
            }
        }
    }
    assert!(near > 3 && far > 3);
}
