//! `paramcheck emulate`: what a process, choreography, instance or system of agents does, for other programs
//! and for people.

use std::time::Instant;

use clap::error::ErrorKind;

use paramcheck::report::written::Written;
use paramcheck_emulation::evolution::Evolution;
use paramcheck_emulation::process::{NotEncoded, paper};
use paramcheck_emulation::question::Question;
use paramcheck_emulation::writers::NotWritable;
use paramcheck_emulation::{dot, states, table};
use paramcheck_model::statistics::Statistics;
use paramcheck_process::Language;
use paramcheck_process::model::System;
use paramcheck_process::semantics::bisimulation::quotient;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_process::semantics::explore::explore;
use paramcheck_process::semantics::lts::Lts;
use paramcheck_process::semantics::network::Incomplete;
use paramcheck_process::show;
use paramcheck_text::columns;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::input::NOT_WRITABLE;
use paramcheck_text::diagnostic::codes::process::calls::{NOT_A_CHOREOGRAPHY, NOT_IN_THE_PAPER, TOO_LARGE};
use paramcheck_text::limits::{Budget, Stop};

use super::args::emulate::{EmulateArguments, ProcessFormat};
use super::args::schedule::OF_PROCESSES;
use super::console::Console;
use super::exit::Exit;
use super::session::{Session, Style};
use super::watch::{Interrupt, Watch};
use super::{Failure, files};

mod labs;
mod program;
mod subject;

use subject::Subject;

/// The longest text of all projections, in bytes. (It may be longer than the file: constants are unfolded.)
const MAX_TEXT: usize = 1 << 26;

/// Why nothing is printed.
enum NotPrinted {
    /// Not all states are known.
    States(Incomplete),
    /// There are no triples.
    Triples(NotEncoded),
    /// The budget ended before all projections were written.
    Peers(Stop),
    /// The projections would be longer than [`MAX_TEXT`].
    LongPeers,
    /// Only choreographies have peers.
    NoPeers,
    /// The paper's tables have no triples of it.
    Paper(paper::NotPrinted),
    /// The language can't express it.
    Program(NotWritable),
    /// The budget ended before the program was written.
    Unfinished(Stop),
}

impl From<NotWritable> for NotPrinted {
    fn from(reason: NotWritable) -> Self {
        match reason {
            NotWritable::Stopped(stop) => NotPrinted::Unfinished(stop),
            reason => NotPrinted::Program(reason),
        }
    }
}

impl From<Incomplete> for NotPrinted {
    fn from(incomplete: Incomplete) -> Self {
        NotPrinted::States(incomplete)
    }
}

impl From<NotEncoded> for NotPrinted {
    fn from(reason: NotEncoded) -> Self {
        NotPrinted::Triples(reason)
    }
}

impl From<paper::NotPrinted> for NotPrinted {
    fn from(reason: paper::NotPrinted) -> Self {
        match reason {
            paper::NotPrinted::NotEncoded(reason) => NotPrinted::Triples(reason),
            reason => NotPrinted::Paper(reason),
        }
    }
}

/// Runs the command.
pub(super) fn run(arguments: &EmulateArguments, console: &mut Console) -> Result<Exit, Failure> {
    if super::labs::is_labs(&arguments.file) {
        return labs::run(arguments, console);
    }
    refuse(arguments)?;
    let output = arguments.output.as_deref().filter(|path| !files::is_stdin(path));
    let begin = Instant::now();
    let interrupt = Interrupt::install();
    let deadline = arguments.limits.deadline(begin);
    let style = Style { command: "emulate", is_json: arguments.json, is_quiet: false };
    let mut session: Session<'_, (), Written> = Session::about(&arguments.file, style, console);
    let (source, subject) = match Subject::load(arguments, deadline, session.console) {
        Ok(loaded) => loaded,
        Err(exit) => {
            session.raise(exit);
            return session.finish();
        }
    };
    match &subject {
        Subject::Process(system) => session.describe(show::term(system, system.root, 80), None),
        Subject::Instance(instance) => {
            session.describe(instance.0.name().to_owned(), Some(&Statistics::of(&instance.0)));
        }
    }
    let question = if arguments.format.is_program() {
        let question = program::question(arguments, &subject, session.console)?;
        if question.is_none() {
            session.raise(Exit::InputError);
            return session.finish();
        }
        question
    } else {
        None
    };
    interrupt.start();
    let shows_progress = session.console.shows_progress(output.is_none() || arguments.json);
    let watch = Watch::new(interrupt, begin, &arguments.limits, shows_progress);
    let name = &source.name;
    match watch.run(name, |budget| text(arguments, name, &subject, question.as_ref(), &budget)) {
        Ok(text) => session.deliver(output, arguments.format.name(), text, |written| written)?,
        Err(reason) => {
            let exit = report(name, &reason, session.console);
            session.raise(exit);
        }
    }
    session.finish()
}

/// Refuses options that do not go together.
fn refuse(arguments: &EmulateArguments) -> Result<(), Failure> {
    let usage = |kind, message: &str| Err(Failure::misuse(kind, message));
    super::watch::refuse_memory_limit(arguments.limits.memory_limit)?;
    if let Some(option) = super::labs::given(&arguments.parameters, arguments.steps, &arguments.rules) {
        let message = format!("{option} is about agents, in files that end in .labs");
        return usage(ErrorKind::ArgumentConflict, &message);
    }
    if arguments.format.is_of_agents() {
        let message =
            format!("`--as {}` is about agents, in files that end in .labs", arguments.format.name());
        return usage(ErrorKind::ArgumentConflict, &message);
    }
    let output = arguments.output.as_deref().filter(|path| !files::is_stdin(path));
    if output.is_some_and(|output| files::is_same(output, &arguments.file)) {
        let message = "--output names the file itself: what is written would replace it";
        return usage(ErrorKind::ValueValidation, message);
    }
    if arguments.reduce && !arguments.format.has_states() {
        let message = format!("--reduce merges states: `--as {}` has none", arguments.format.name());
        return usage(ErrorKind::ValueValidation, &message);
    }
    let has_paper = arguments.format == ProcessFormat::Triples && !subject::is_of_instance(arguments);
    if arguments.paper && !has_paper {
        let message = "--paper is about `--as triples` of processes and choreographies";
        return usage(ErrorKind::ArgumentConflict, message);
    }
    program::refuse(arguments)?;
    if subject::is_of_instance(arguments) {
        if arguments.which.max_size.is_some() || !arguments.which.is_given() {
            let message = "a rewriting system has many instances: give --size N or --tree TERM";
            return usage(ErrorKind::MissingRequiredArgument, message);
        }
        if arguments.program.runs.schedule() != Some(Schedule::Any) {
            return usage(ErrorKind::ArgumentConflict, OF_PROCESSES);
        }
    } else if arguments.which.is_given() {
        let message = "--size and --tree choose an instance of a rewriting system: a process is only one";
        return usage(ErrorKind::ArgumentConflict, message);
    }
    Ok(())
}

/// What is to be printed.
fn text(
    arguments: &EmulateArguments,
    name: &str,
    subject: &Subject,
    question: Option<&Question>,
    budget: &Budget,
) -> Result<String, NotPrinted> {
    if let Some(question) = question {
        return Ok(program::text(arguments, name, &subject.structure(budget)?, question, budget)?);
    }
    match arguments.format {
        ProcessFormat::Triples => match subject {
            Subject::Process(system) if arguments.paper => Ok(paper::printed(system, budget)?),
            _ => Ok(table::table(&subject.structure(budget)?, budget).map_err(NotEncoded::Stopped)?),
        },
        ProcessFormat::Dot => {
            Ok(dot::dot(&subject.structure(budget)?, name, budget).map_err(NotEncoded::Stopped)?)
        }
        ProcessFormat::Lts => {
            Ok(states(arguments, subject, budget)?.to_aut(budget).map_err(Incomplete::Stopped)?)
        }
        ProcessFormat::LtsDot => {
            Ok(states(arguments, subject, budget)?.to_dot(budget).map_err(Incomplete::Stopped)?)
        }
        ProcessFormat::Peers => match subject {
            Subject::Process(system) if system.language == Language::Chor => peers(system, budget),
            _ => Err(NotPrinted::NoPeers),
        },
        // These have a question, or are of agents.
        ProcessFormat::C
        | ProcessFormat::Chc
        | ProcessFormat::Promela
        | ProcessFormat::Smv
        | ProcessFormat::Lnt
        | ProcessFormat::Mcl => Ok(String::new()),
    }
}

/// What helps where the budget ended, and the exit code.
fn ended(stop: Stop) -> (Option<&'static str>, Exit) {
    match stop {
        Stop::Time | Stop::Work => (Some("allow more time with `--time-limit`"), Exit::Unknown),
        Stop::Memory => (Some("allow more memory with `--memory-limit`"), Exit::Unknown),
        Stop::Interrupted => (None, Exit::Interrupted),
    }
}

/// Reports why nothing is printed.
fn report(name: &str, reason: &NotPrinted, console: &mut Console) -> Exit {
    let (what, reason, help, exit) = match reason {
        NotPrinted::NoPeers => {
            let message = format!("`{name}` is no choreography: it has no peers");
            let help = "what each of its agents does is printed with `--as triples`";
            console.diagnostic(&files::plain(&NOT_A_CHOREOGRAPHY, message).help(help), None);
            return Exit::InputError;
        }
        NotPrinted::Paper(reason) => {
            let message = format!("the paper's tables have no triples of `{name}`: {reason}");
            let help = "all other answers go by the triples that are printed without `--paper`";
            console.diagnostic(&files::plain(&NOT_IN_THE_PAPER, message).help(help), None);
            return Exit::InputError;
        }
        NotPrinted::Program(reason) => {
            let message = format!("the program can't be written: {reason}");
            let diagnostic = files::plain(&NOT_WRITABLE, message);
            let diagnostic = match reason {
                NotWritable::Fairness => diagnostic.help("give --lasso, or write clauses: `--as chc`"),
                _ => diagnostic,
            };
            console.diagnostic(&diagnostic, None);
            return Exit::InputError;
        }
        NotPrinted::Peers(stop) => {
            let (help, exit) = ended(*stop);
            ("projections", stop.to_string(), help, exit)
        }
        NotPrinted::LongPeers => {
            let reason = format!("they would be longer than {} MiB", MAX_TEXT >> 20);
            ("projections", reason, None, Exit::Unknown)
        }
        NotPrinted::Unfinished(stop) => {
            let (help, exit) = ended(*stop);
            ("lines of the program", stop.to_string(), help, exit)
        }
        NotPrinted::States(incomplete) => {
            let (help, exit) = match incomplete {
                Incomplete::Stopped(stop) => ended(*stop),
                Incomplete::States(_) => (Some("allow more with `--max-states`"), Exit::Unknown),
                Incomplete::Formula => (None, Exit::Unknown),
                Incomplete::Agents => (Some("put fewer processes side by side"), Exit::Unknown),
            };
            ("states", incomplete.to_string(), help, exit)
        }
        NotPrinted::Triples(reason) => {
            let (help, exit) = match reason {
                NotEncoded::Stopped(stop) => ended(*stop),
                NotEncoded::Triples | NotEncoded::Conditions => {
                    (Some("fewer are needed where fewer processes synchronise side by side"), Exit::Unknown)
                }
            };
            ("triples", reason.to_string(), help, exit)
        }
    };
    let message = format!("not all {what} of `{name}` are known: {reason}");
    let help = help.map(str::to_owned);
    console.diagnostic(&Diagnostic { help, ..files::plain(&TOO_LARGE, message) }, None);
    exit
}

/// All states, merged if that is wanted: of a process by its rules, of an instance by its triples.
fn states(arguments: &EmulateArguments, subject: &Subject, budget: &Budget) -> Result<Lts, NotPrinted> {
    let lts = match subject {
        Subject::Process(system) => explore(system, arguments.max_states, budget).lts,
        Subject::Instance(_) => {
            let structure = subject.structure(budget)?;
            let evolution = Evolution::new(&structure);
            // Without variables there is exactly one.
            let Some(initial) = evolution.initial().pop() else { return Ok(Lts::default()) };
            states::explore(&evolution, initial, arguments.max_states, budget).lts
        }
    };
    match lts.incomplete {
        Some(incomplete) => Err(incomplete.into()),
        None if arguments.reduce => Ok(quotient(&lts, budget).map_err(Incomplete::Stopped)?),
        None => Ok(lts),
    }
}

/// The projections, one definition per peer.
fn peers(system: &System, budget: &Budget) -> Result<String, NotPrinted> {
    let width = columns::width(system.peers.iter().map(|peer| peer.name.as_str()), columns::NAMES);
    let mut text = String::new();
    for peer in &system.peers {
        let left = MAX_TEXT.saturating_sub(text.len());
        let projection = show::whole_term(system, peer.projection, left, budget);
        let projection = projection.map_err(NotPrinted::Peers)?.ok_or(NotPrinted::LongPeers)?;
        text.push_str(&format!("{:<width$} = {projection};\n", peer.name));
    }
    Ok(text)
}
