//! Other verifiers as back ends: that they answer as the program itself does, and that no answer is trusted
//! unchecked.

use paramcheck_emulation::Structure;
use paramcheck_emulation::backend::{Answer, Backend};
use paramcheck_emulation::program::Program;
use paramcheck_emulation::question::Question;
use paramcheck_emulation::replay::replay;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::limits::Budget;

use super::support::dialogue::ask;

/// A module per folder, with a test per quick back end that calls the caller's `check_folder`.
macro_rules! folders {
    ($($name:ident: $folder:literal;)*) => {$(
        mod $name {
            use paramcheck_emulation::backend::{nusmv, spin};

            use super::check_folder;

            #[test]
            #[cfg_attr(not(long_tests), ignore = "runs Spin: PARAMCHECK_LONG=1")]
            fn spin_agrees() {
                check_folder(&spin::Spin, $folder);
            }

            #[test]
            #[cfg_attr(not(long_tests), ignore = "runs NuSMV: PARAMCHECK_LONG=1")]
            fn nusmv_agrees() {
                check_folder(&nusmv::NuSmv, $folder);
            }
        }
    )*};
}

mod agents;
mod data;
pub(super) mod instances;
mod processes;
mod texts;

/// Whether what is demanded holds, by a back end that has an answer; a violation has been replayed.
fn holds(
    backend: &dyn Backend,
    name: &str,
    structure: &Structure,
    question: &Question,
    schedule: Schedule,
) -> bool {
    let program = Program { model: name, structure, question, schedule };
    match ask(backend, &program) {
        Answer::Proved => true,
        Answer::Violated(Some(run)) => {
            let replayed = replay(&program, &run, &Budget::unlimited());
            assert!(replayed.is_ok(), "{backend:?} on {name}, {question:?}: {replayed:?}\n{run:?}");
            false
        }
        other => panic!("{backend:?} on {name}, {question:?}, {schedule:?}: {other:?}"),
    }
}
