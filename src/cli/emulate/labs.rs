//! `emulate` about agents of LAbS: their triples, the emulation functions of messages, all states, and programs for
//! other verifiers (`program`).
//!
//! [`written`] is the one place that knows which formats there are of agents.

use std::time::Instant;

use clap::error::ErrorKind;

use paramcheck::report::written::Written;
use paramcheck_emulation::labs::triples::{MAX_TRIPLES, NotEncoded, Texts, dot, encode, table};
use paramcheck_emulation::labs::{Unfit, states};
use paramcheck_labs::semantics::step::Rules;
use paramcheck_process::semantics::bisimulation::quotient;
use paramcheck_process::semantics::lts::Lts;
use paramcheck_process::semantics::network::Incomplete;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::input::NOT_WRITABLE;
use paramcheck_text::diagnostic::codes::process::calls::TOO_LARGE;
use paramcheck_text::limits::Budget;
use paramcheck_verdict::labs::NoStart;

use super::ended;
use crate::cli::args::emulate::{EmulateArguments, ProcessFormat};
use crate::cli::args::schedule::Order;
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::labs::{Loaded, load, no_start, parameters};
use crate::cli::session::{Session, Style};
use crate::cli::watch::{Interrupt, Watch};
use crate::cli::{Failure, files};
use program::{NotMade, Wanted, needs_question};

mod program;

/// A session of this command.
type EmulateSession<'a> = Session<'a, (), Written>;

/// Why nothing is printed.
enum NotPrinted {
    /// Agents are not written so.
    Format,
    /// There are no triples.
    Triples(NotEncoded),
    /// Not all states are known.
    States(Incomplete),
    /// No run begins.
    Start(NoStart),
    /// There is no program.
    Program(NotMade),
}

/// Runs the command.
pub(super) fn run(arguments: &EmulateArguments, console: &mut Console) -> Result<Exit, Failure> {
    refuse(arguments)?;
    let parameters = parameters(&arguments.parameters)?;
    let begin = Instant::now();
    let interrupt = Interrupt::install();
    let deadline = arguments.limits.deadline(begin);
    let style = Style { command: "emulate", is_json: arguments.json, is_quiet: false };
    let mut session: EmulateSession<'_> = Session::about(&arguments.file, style, console);
    let loaded = load(&arguments.file, &parameters, deadline, &mut session);
    let loaded = loaded.and_then(|loaded| loaded.fitted(rules(arguments).width, &mut session));
    let Some(loaded) = loaded else {
        session.raise(Exit::InputError);
        return session.finish();
    };
    let wanted = match needs_question(arguments) {
        true => match program::wanted(arguments, &loaded, &mut session)? {
            Some(wanted) => Some(wanted),
            None => return session.finish(),
        },
        false => None,
    };
    interrupt.start();
    let output = arguments.output.as_deref().filter(|path| !files::is_stdin(path));
    let shows_progress = session.console.shows_progress(output.is_none() || arguments.json);
    let watch = Watch::new(interrupt, begin, &arguments.limits, shows_progress);
    match watch.run(&loaded.source.name, |budget| written(arguments, &loaded, wanted.as_ref(), &budget)) {
        Ok(text) => session.deliver(output, arguments.format.name(), text, |written| written)?,
        Err(reason) => report(arguments, &loaded, reason, &mut session),
    }
    session.finish()
}

/// Refuses options that are not about agents.
fn refuse(arguments: &EmulateArguments) -> Result<(), Failure> {
    let program = &arguments.program;
    let option = if program.error.is_some() {
        Some("--error")
    } else if program.runs.fair.is_some() {
        Some("--fair")
    } else if arguments.paper {
        Some("--paper")
    } else if arguments.which.is_given() || arguments.which.instance.is_some() {
        Some("--size or --tree")
    } else if arguments.steps.is_some() && !arguments.format.is_program() {
        Some("--steps")
    } else if !needs_question(arguments) && program.check.is_some() {
        Some("--check")
    } else {
        program.given_for_c().filter(|_| arguments.format != ProcessFormat::C)
    };
    match option {
        Some(option) => {
            let message = format!(
                "{option} is of no use to `--as {}` of agents, and the file ends in .labs: leave it out",
                arguments.format.name()
            );
            Err(Failure::misuse(ErrorKind::ArgumentConflict, message))
        }
        None => Ok(()),
    }
}

/// The rules of the call.
fn rules(arguments: &EmulateArguments) -> Rules {
    arguments.rules.rules(arguments.program.runs.schedule == Some(Order::RoundRobin), None)
}

/// What is to be printed.
fn written(
    arguments: &EmulateArguments,
    loaded: &Loaded,
    wanted: Option<&Wanted>,
    budget: &Budget,
) -> Result<String, NotPrinted> {
    let Loaded { source, system } = loaded;
    let rules = rules(arguments);
    let texts = Texts { system, text: &source.text, rules };
    let triples = || encode(system, budget).map_err(NotPrinted::Triples);
    let stopped = |stop| NotPrinted::Triples(NotEncoded::Stopped(stop));
    let cut = |stop| NotPrinted::States(Incomplete::Stopped(stop));
    match arguments.format {
        ProcessFormat::Triples => table(texts, &triples()?, budget).map_err(stopped),
        ProcessFormat::Dot => dot(texts, &triples()?, &source.name, budget).map_err(stopped),
        ProcessFormat::Lts => all_states(arguments, loaded, rules, budget)?.to_aut(budget).map_err(cut),
        ProcessFormat::LtsDot => all_states(arguments, loaded, rules, budget)?.to_dot(budget).map_err(cut),
        ProcessFormat::Peers => Err(NotPrinted::Format),
        ProcessFormat::C
        | ProcessFormat::Chc
        | ProcessFormat::Promela
        | ProcessFormat::Smv
        | ProcessFormat::Lnt
        | ProcessFormat::Mcl => {
            program::text(arguments, loaded, wanted, rules, budget).map_err(NotPrinted::Program)
        }
    }
}

/// All states, merged if that is wanted.
fn all_states(
    arguments: &EmulateArguments,
    loaded: &Loaded,
    rules: Rules,
    budget: &Budget,
) -> Result<Lts, NotPrinted> {
    let max_states = arguments.max_states;
    let lts = states::states(&loaded.system, rules, max_states, budget).map_err(|reason| match reason {
        Unfit::Assumption(fault) => NotPrinted::Start(NoStart::Assumption(fault)),
        Unfit::NoInitialState => NotPrinted::Start(NoStart::NoInitialState),
        Unfit::Stopped(stop) => NotPrinted::States(Incomplete::Stopped(stop)),
        // Others are about packed states and properties, and calls of C are refused where the file is read.
        Unfit::TooLarge
        | Unfit::Formula
        | Unfit::Foreign
        | Unfit::Unbounded
        | Unfit::NotFound(_)
        | Unfit::NoRoom => NotPrinted::States(Incomplete::States(max_states)),
    })?;
    match lts.incomplete {
        Some(incomplete) => Err(NotPrinted::States(incomplete)),
        None if arguments.reduce => {
            quotient(&lts, budget).map_err(|stop| NotPrinted::States(Incomplete::Stopped(stop)))
        }
        None => Ok(lts),
    }
}

/// Reports why nothing is printed.
fn report(
    arguments: &EmulateArguments,
    loaded: &Loaded,
    reason: NotPrinted,
    session: &mut EmulateSession<'_>,
) {
    let name = &loaded.source.name;
    let (what, reason, (help, exit)) = match reason {
        NotPrinted::Format => {
            let message = format!("agents are not written as `{}`", arguments.format.name());
            let help = "of agents there are `triples`, `dot`, `lts`, `lts-dot`, `c`, `chc`, `promela`, `smv`, `lnt` and `mcl`";
            session.diagnostic(&files::plain(&NOT_WRITABLE, message).help(help), None);
            return;
        }
        NotPrinted::Program(reason) => match reason.reason() {
            Ok(stop) => ("parts of the program", stop.to_string(), ended(stop)),
            Err(reason) => {
                let message = format!("the program can't be written: {reason}");
                session.diagnostic(&files::plain(&NOT_WRITABLE, message), None);
                return;
            }
        },
        NotPrinted::Start(reason) => {
            session.diagnostic(&no_start(&loaded.source, &loaded.system, reason), Some(&loaded.source));
            return;
        }
        NotPrinted::Triples(NotEncoded::TooMany) => {
            let reason = format!("there would be more than {MAX_TRIPLES}");
            (
                "triples",
                reason,
                (Some("fewer are needed where fewer processes run side by side"), Exit::Unknown),
            )
        }
        NotPrinted::Triples(NotEncoded::Stopped(stop)) => ("triples", stop.to_string(), ended(stop)),
        NotPrinted::States(Incomplete::Stopped(stop)) => ("states", stop.to_string(), ended(stop)),
        NotPrinted::States(incomplete) => {
            ("states", incomplete.to_string(), (Some("allow more with `--max-states`"), Exit::Unknown))
        }
    };
    let message = format!("not all {what} of `{name}` are known: {reason}");
    let help = help.map(str::to_owned);
    session.console.diagnostic(&Diagnostic { help, ..files::plain(&TOO_LARGE, message) }, None);
    session.raise(exit);
}
