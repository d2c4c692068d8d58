//! `paramcheck labs`: the properties of agents, with the options, exit codes and traces of SLiVER.

use std::time::Duration;

use paramcheck::report::Answer;
use paramcheck::report::labs::LabsResult;
use paramcheck_labs::format::format;

use super::answers::{self, LabsSession, Request};
use super::{load, parameters, simulated};
use crate::cli::args::LimitArguments;
use crate::cli::args::agents::{LabsArguments, TraceForm};
use crate::cli::args::verify::Wanted;
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::session::{Session, Style};
use crate::cli::verify::{Verifiers, usage};
use crate::cli::watch::Interrupt;
use crate::cli::{Failure, files};

/// Runs the command.
pub(crate) fn run(arguments: &LabsArguments, console: &mut Console) -> Result<Exit, Failure> {
    if let Some(reason) = arguments.refused.reason() {
        return Err(usage(reason));
    }
    let time = arguments.timeout.filter(|time| *time > Duration::ZERO);
    let limits = LimitArguments { time_limit: time.or(arguments.limits.time_limit), ..arguments.limits };
    let steps = arguments.steps.filter(|steps| *steps > 0);
    let style = Style { command: "labs", is_json: arguments.json, is_quiet: arguments.quiet };
    let mut session: LabsSession<'_> = Session::about(&arguments.file, style, console);
    let request = Request {
        file: &arguments.file,
        parameters: parameters(&arguments.parameters)?,
        rules: arguments.rules(),
        steps,
        checks: &arguments.properties,
        option: "--property",
        is_bare: arguments.no_properties,
        limits: &limits,
        max_states: arguments.max_states.unwrap_or(usize::MAX),
        threads: arguments.threads,
        reductions: arguments.reduction.into(),
        is_quiet: arguments.quiet,
        is_sliver: arguments.trace == TraceForm::Sliver,
        is_simulation: arguments.simulate.is_some(),
        backend: arguments.backend,
    };
    if arguments.show {
        show(&request, &mut session)?;
        return session.finish();
    }
    let results = match (arguments.simulate, steps) {
        (None, _) => answers::run(&request, &mut session)?,
        (Some(_), _) if !matches!(arguments.backend, Wanted::Native) => {
            return Err(usage("--simulate: runs at random are made by this program; leave out --backend"));
        }
        (Some(runs), Some(steps)) => {
            simulated::run(&request, runs, steps, arguments.rnd_seed.unwrap_or(0), &mut session)?
        }
        (Some(_), None) => {
            return Err(usage("--simulate: say with --steps how long a run may be, at least 1"));
        }
    };
    // A file or a back end that is not there is a wrong call; what is wrong inside of the file is not.
    let is_file = files::is_stdin(&arguments.file) || arguments.file.is_file();
    let is_there = is_file && Verifiers::find(arguments.backend, limits.memory_bytes()).is_ok();
    let exit = session.finish()?;
    Ok(if arguments.sliver_exit {
        // Where no property is asked about, time alone ends the search early, but for what the call limits.
        let is_timed = limits.time_limit.is_some() && arguments.max_states.is_none();
        of_sliver(exit, (is_there, is_timed), results.as_deref().unwrap_or(&[]))
    } else {
        exit
    })
}

/// Prints the canonical text, with what the parameters are.
fn show(request: &Request<'_>, session: &mut LabsSession<'_>) -> Result<(), Failure> {
    Interrupt::install();
    let Some(loaded) = load(request.file, &request.parameters, None, session) else { return Ok(()) };
    let values = loaded.system.parameters.iter().map(|(name, value)| format!("# _{name} = {value}\n"));
    let text = format(&loaded.source.text).unwrap_or_default();
    session.lines(&format!("{}{text}", values.collect::<String>()))
}

/// The exit code that SLiVER would have.
fn of_sliver(exit: Exit, (is_there, is_timed): (bool, bool), results: &[LabsResult]) -> Exit {
    let is_late = |one: &LabsResult| one.reason.as_ref().is_some_and(|reason| reason.code == "time-limit");
    let is_bounded = |one: &LabsResult| {
        let fine = |code| matches!(code, "step-bound" | "simulated");
        one.verdict == Answer::Proved || one.reason.as_ref().is_some_and(|reason| fine(reason.code))
    };
    let code = match exit {
        Exit::AllProved => 0,
        Exit::Violated => 10,
        // A bounded run without violation is a success there.
        Exit::Unknown if !results.is_empty() && results.iter().all(is_bounded) => 0,
        Exit::Unknown if results.iter().any(is_late) || results.is_empty() && is_timed => 124,
        Exit::Unknown => 5,
        Exit::InputError if is_there => 6,
        Exit::InputError => 2,
        Exit::Interrupted | Exit::Bug | Exit::OfSliver(_) => return exit,
    };
    Exit::OfSliver(code)
}
