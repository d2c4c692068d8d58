//! Emulation programs: which question, which language.

use clap::error::ErrorKind;

use paramcheck_emulation::Structure;
use paramcheck_emulation::program::Program;
use paramcheck_emulation::question::{Condition, Demand, Question};
use paramcheck_emulation::writers::NotWritable;
use paramcheck_emulation::writers::c::{Liveness, Options, Shape, Target, c};
use paramcheck_emulation::writers::chc::{Encoding, Options as ClauseOptions, chc};
use paramcheck_emulation::writers::promela::promela;
use paramcheck_emulation::writers::smv::smv;
use paramcheck_process::model::Check;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::diagnostic::codes::input::NOT_WRITABLE;
use paramcheck_text::diagnostic::codes::process::calls::NO_SUCH_CHECK;
use paramcheck_text::limits::Budget;
use paramcheck_text::nearest::nearest;

use super::subject::Subject;
use crate::cli::args::emulate::{EmulateArguments, ProcessFormat};
use crate::cli::console::Console;
use crate::cli::{Failure, files, model};

/// Refuses options that do not go together.
///
/// # Errors
/// What is wrong with the call.
pub(super) fn refuse(arguments: &EmulateArguments) -> Result<(), Failure> {
    let (program, format) = (&arguments.program, arguments.format);
    let given = if format.is_program() { None } else { program.given() };
    let given = given.or_else(|| program.given_for_c().filter(|_| format != ProcessFormat::C));
    if let Some(option) = given {
        let message = format!("{option} is of no use to `--as {}`: leave it out", format.name());
        return Err(Failure::misuse(ErrorKind::ArgumentConflict, message));
    }
    if program.runs.schedule().is_none() {
        let message = "--fair and --schedule=round-robin do not go together: turns are fair as they are";
        return Err(Failure::misuse(ErrorKind::ArgumentConflict, message));
    }
    Ok(())
}

/// The selected question; `None`, with the reason reported, where there is none.
///
/// # Errors
/// It has to be named.
pub(super) fn question(
    arguments: &EmulateArguments,
    subject: &Subject,
    console: &mut Console,
) -> Result<Option<Question>, Failure> {
    let question = selected(arguments, subject, console)?;
    // An option about a question that is not put would be ignored in silence.
    let is_eventually = |question: &Question| matches!(question.demand, Demand::Eventually(_));
    if arguments.program.lasso && question.as_ref().is_some_and(|question| !is_eventually(question)) {
        let message = "--lasso is about `eventually`: this question asks for no infinite run";
        return Err(Failure::misuse(ErrorKind::ArgumentConflict, message));
    }
    Ok(question)
}

/// The question that a check is; nothing, and a message, if it is none for other verifiers.
fn asked(check: &Check, console: &mut Console) -> Option<Question> {
    let question = Question::of_check(check);
    if question.is_none() {
        let message =
            format!("`{}` is a formula of temporal logic, which is not written for others", check.name);
        let help = "`paramcheck verify` answers it; `always` and `eventually` are written";
        console.diagnostic(&files::plain(&NOT_WRITABLE, message).help(help), None);
    }
    question
}

fn selected(
    arguments: &EmulateArguments,
    subject: &Subject,
    console: &mut Console,
) -> Result<Option<Question>, Failure> {
    let program = &arguments.program;
    let is_nothing = program.standalone && program.check.is_none() && program.error.is_none();
    if is_nothing {
        let demand = Demand::Never(Condition::Constant(false));
        return Ok(Some(Question { name: "nothing".to_owned(), demand }));
    }
    match subject {
        Subject::Process(system) => {
            if program.error.is_some() {
                let message =
                    "--error is about instances of rewriting systems: a process has checks, --check NAME";
                return Err(Failure::misuse(ErrorKind::ArgumentConflict, message));
            }
            let names: Vec<&str> = system.checks.iter().map(|check| check.name.as_str()).collect();
            match (&program.check, &system.checks[..]) {
                (None, [only]) => Ok(asked(only, console)),
                (None, _) => Err(which("check", &names)),
                (Some(name), _) => match system.check_named(name) {
                    Some(check) => Ok(asked(check, console)),
                    None => {
                        let message = format!("the file has no check `{name}`");
                        let help = match nearest(name, names.iter().copied()) {
                            Some(near) => format!("did you mean `{near}`? There are {}", list(&names)),
                            None => format!("there are {}", list(&names)),
                        };
                        console.diagnostic(&files::plain(&NO_SUCH_CHECK, message).help(help), None);
                        Ok(None)
                    }
                },
            }
        }
        Subject::Instance(instance) => {
            let (system, net) = instance.as_ref();
            if program.check.is_some() {
                let message = "--check is about processes: an instance has errors, --error NAME";
                return Err(Failure::misuse(ErrorKind::ArgumentConflict, message));
            }
            let questions = model::questions(system, program.error.as_slice());
            questions.found.iter().for_each(|found| console.diagnostics(&found.diagnostics, &found.source));
            if questions.is_bad() {
                return Ok(None);
            }
            let [error] = &questions.errors[..] else {
                let names: Vec<&str> = questions.errors.iter().map(|error| error.name.as_str()).collect();
                return Err(which("error", &names));
            };
            match Question::of_error(system, net, error) {
                Ok(question) => Ok(Some(question)),
                Err(reason) => {
                    let message = format!("`{}` can't be written: {reason}", error.name);
                    console.diagnostic(&files::plain(&NOT_WRITABLE, message), None);
                    Ok(None)
                }
            }
        }
    }
}

/// That one has to be chosen.
pub(super) fn which(kind: &str, names: &[&str]) -> Failure {
    let message = match names {
        [] => format!("a program asks one {kind}, and there is none"),
        _ => format!("a program asks one {kind}: give --{kind} NAME; there are {}", list(names)),
    };
    Failure::misuse(ErrorKind::MissingRequiredArgument, message)
}

fn list(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The program.
///
/// # Errors
/// The language can't express it, or `budget` ended.
pub(super) fn text(
    arguments: &EmulateArguments,
    name: &str,
    structure: &Structure,
    question: &Question,
    budget: &Budget,
) -> Result<String, NotWritable> {
    let schedule = arguments.program.runs.schedule().unwrap_or(Schedule::Any);
    written(arguments, &Program { model: name, structure, question, schedule }, Shape::Loop, budget)
}

/// The program in the language of the call.
///
/// # Errors
/// The language can't express it, or `budget` ended.
pub(super) fn written(
    arguments: &EmulateArguments,
    program: &Program<'_>,
    shape: Shape,
    budget: &Budget,
) -> Result<String, NotWritable> {
    match arguments.format {
        ProcessFormat::Chc => {
            let encoding = Encoding::quickest(&program.question.demand);
            return chc(program, ClauseOptions { encoding, with_proof: false }, budget);
        }
        ProcessFormat::Promela => return promela(program, budget),
        ProcessFormat::Smv => return smv(program, budget),
        _ => {}
    }
    let target = if arguments.program.standalone {
        Target::Standalone
    } else {
        Target::Verifier(arguments.program.verifier())
    };
    let liveness = if arguments.program.lasso { Liveness::Safety } else { Liveness::Termination };
    c(program, Options { target, shape, liveness }, budget)
}
