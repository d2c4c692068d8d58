//! `paramcheck emulate` of agents: triples, and programs for other verifiers.

use std::time::Instant;

use clap::error::ErrorKind;

use paramcheck::report::written::Written;
use paramcheck_emulation::labs::program::cadp;
use paramcheck_emulation::labs::program::{AgentProgram, FAULT, Goal, NotProgrammed, program};
use paramcheck_emulation::labs::triples::{NotEncoded, encode, table};
use paramcheck_emulation::program::Program;
use paramcheck_emulation::question::{Condition, Demand};
use paramcheck_emulation::writers::NotWritable;
use paramcheck_emulation::writers::c::Shape;
use paramcheck_labs::model::Property;
use paramcheck_labs::semantics::step::Rules;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::diagnostic::codes::input::NOT_WRITABLE;
use paramcheck_text::limits::{Budget, Stop};

use super::program::{which, written};
use super::{NotPrinted, report};
use crate::cli::args::emulate::{EmulateArguments, ProcessFormat};
use crate::cli::args::schedule::Order;
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::labs::{Loaded, Question, load, parameters, questions};
use crate::cli::session::{Session, Style};
use crate::cli::watch::{Interrupt, Watch, refuse_memory_limit};
use crate::cli::{Failure, files};

/// A session of this command.
type EmulateSession<'a> = Session<'a, (), Written>;

/// Why nothing is printed.
enum NotMade {
    Program(NotProgrammed),
    Text(NotWritable),
    Triples(NotEncoded),
    Cadp(cadp::NotWritten),
}

/// Runs the command.
pub(super) fn run(arguments: &EmulateArguments, console: &mut Console) -> Result<Exit, Failure> {
    refuse(arguments)?;
    let output = arguments.output.as_deref().filter(|path| !files::is_stdin(path));
    let begin = Instant::now();
    let interrupt = Interrupt::install();
    let deadline = arguments.limits.deadline(begin);
    let parameters = parameters(&arguments.parameters)?;
    let style = Style { command: "emulate", is_json: arguments.json, is_quiet: false };
    let mut session: EmulateSession<'_> = Session::about(&arguments.file, style, console);
    let Some(loaded) = load(&arguments.file, &parameters, deadline, &mut session) else {
        return session.finish();
    };
    let takes_turns = arguments.program.runs.schedule == Some(Order::RoundRobin);
    let rules = arguments.rules.rules(takes_turns);
    let wanted = match needs_question(arguments) {
        true => match wanted(arguments, &loaded, &mut session)? {
            Some(wanted) => Some(wanted),
            None => return session.finish(),
        },
        false => None,
    };
    interrupt.start();
    let shows_progress = session.console.shows_progress(output.is_none() || arguments.json);
    let watch = Watch::new(interrupt, begin, &arguments.limits, shows_progress);
    let name = loaded.source.name.clone();
    match watch.run(&name, |budget| text(arguments, &loaded, wanted.as_ref(), rules, &budget)) {
        Ok(text) => session.deliver(output, arguments.format.name(), text, |written| written)?,
        Err(reason) => {
            let exit = not_made(&name, reason, session.console);
            session.raise(exit);
        }
    }
    session.finish()
}

/// What is wanted: a property, whether a fault is reached, or nothing.
enum Wanted {
    Property(Box<Property>),
    Fault,
    Nothing,
}

/// Whether the format answers a question.
fn needs_question(arguments: &EmulateArguments) -> bool {
    arguments.format.is_program() || arguments.format == ProcessFormat::Mcl
}

/// The selected question; `None`, with the reason reported, where there is none.
fn wanted(
    arguments: &EmulateArguments,
    loaded: &Loaded,
    session: &mut EmulateSession<'_>,
) -> Result<Option<Wanted>, Failure> {
    let properties = &loaded.system.properties;
    let Some(wanted) = &arguments.program.check else {
        if arguments.program.standalone {
            return Ok(Some(Wanted::Nothing));
        }
        let names: Vec<&str> = properties.iter().map(|one| one.name.as_str()).collect();
        return match properties.as_slice() {
            [only] => Ok(Some(Wanted::Property(Box::new(only.clone())))),
            _ => Err(which("check", &names)),
        };
    };
    let is_own = properties.iter().any(|one| one.name == *wanted);
    if wanted == FAULT && !is_own && arguments.format != ProcessFormat::Mcl {
        return Ok(Some(Wanted::Fault));
    }
    let found = questions(loaded, std::slice::from_ref(wanted), "--check", session);
    Ok(found.into_iter().next().map(|Question { property, .. }| Wanted::Property(Box::new(property))))
}

/// Refuses options that do not go together.
fn refuse(arguments: &EmulateArguments) -> Result<(), Failure> {
    let usage = |message: &str| Err(Failure::misuse(ErrorKind::ArgumentConflict, message));
    refuse_memory_limit(arguments.limits.memory_limit)?;
    let output = arguments.output.as_deref().filter(|path| !files::is_stdin(path));
    if output.is_some_and(|output| files::is_same(output, &arguments.file)) {
        let message = "--output names the file itself: what is written would replace it";
        return Err(Failure::misuse(ErrorKind::ValueValidation, message));
    }
    let (program, format) = (&arguments.program, arguments.format);
    if arguments.which.is_given() || program.error.is_some() {
        return usage("--size, --tree and --error are about rewriting systems, and the file ends in .labs");
    }
    if arguments.language.is_some() {
        return usage("--language is about processes, and the file ends in .labs");
    }
    if program.runs.fair.is_some() {
        return usage(
            "--fair: of agents no fairness is assumed; --schedule round-robin lets agents take turns",
        );
    }
    if arguments.paper {
        return usage("--paper is about `--as triples` of processes and choreographies");
    }
    let has_states = matches!(
        format,
        ProcessFormat::Lts | ProcessFormat::LtsDot | ProcessFormat::Dot | ProcessFormat::Peers
    );
    if has_states || arguments.reduce {
        let message = format!("`--as {}` and --reduce are about processes", format.name());
        return usage(&format!("{message}; `paramcheck explore` counts the states of agents"));
    }
    let given = if needs_question(arguments) { None } else { program.given() };
    let given = given.or_else(|| program.given_for_c().filter(|_| format != ProcessFormat::C));
    let given = given.or_else(|| arguments.steps.filter(|_| !format.is_program()).map(|_| "--steps"));
    if let Some(option) = given {
        return usage(&format!("{option} is of no use to `--as {}`: leave it out", format.name()));
    }
    Ok(())
}

/// What is to be printed.
fn text(
    arguments: &EmulateArguments,
    loaded: &Loaded,
    wanted: Option<&Wanted>,
    rules: Rules,
    budget: &Budget,
) -> Result<String, NotMade> {
    let (system, source) = (&loaded.system, &loaded.source);
    match (arguments.format, wanted) {
        (ProcessFormat::Lnt, _) => {
            cadp::lnt(system, &source.text, &source.name, rules, budget).map_err(NotMade::Cadp)
        }
        (ProcessFormat::Mcl, Some(Wanted::Property(property))) => {
            cadp::mcl(system, &source.name, property, rules).map_err(NotMade::Cadp)
        }
        (format, Some(wanted)) if format.is_program() => {
            let goal = match wanted {
                Wanted::Property(property) => Goal::Property(property),
                Wanted::Fault | Wanted::Nothing => Goal::Fault,
            };
            let steps = arguments.steps;
            let made = program(system, &source.text, rules, goal, steps, budget);
            let AgentProgram { structure, mut question, .. } = made.map_err(NotMade::Program)?;
            if let Wanted::Nothing = wanted {
                question.name = "nothing".to_owned();
                question.demand = Demand::Never(Condition::Constant(false));
            }
            let is_live = matches!(question.demand, Demand::Eventually(_));
            if arguments.program.lasso && !is_live {
                return Err(NotMade::Program(NotProgrammed::Unbounded));
            }
            let own = Program {
                model: &source.name,
                structure: &structure,
                question: &question,
                schedule: Schedule::Any,
            };
            let shape = steps.and_then(|steps| u32::try_from(steps).ok()).map_or(Shape::Loop, Shape::Base);
            written(arguments, &own, shape, budget).map_err(NotMade::Text)
        }
        _ => {
            let kinds = encode(system, budget).map_err(NotMade::Triples)?;
            Ok(table(system, &kinds, &source.text))
        }
    }
}

/// Reports why nothing is printed.
fn not_made(name: &str, reason: NotMade, console: &mut Console) -> Exit {
    let refused = |reason: String, console: &mut Console| {
        let message = format!("the program can't be written: {reason}");
        console.diagnostic(&files::plain(&NOT_WRITABLE, message), None);
        Exit::InputError
    };
    let unfinished = |stop: Stop, console: &mut Console| report(name, &NotPrinted::Unfinished(stop), console);
    match reason {
        NotMade::Program(NotProgrammed::Stopped(stop)) => unfinished(stop, console),
        NotMade::Program(reason) => refused(reason.to_string(), console),
        NotMade::Text(NotWritable::Stopped(stop)) => unfinished(stop, console),
        NotMade::Text(reason) => refused(reason.to_string(), console),
        NotMade::Triples(NotEncoded::Stopped(stop)) => unfinished(stop, console),
        NotMade::Triples(NotEncoded::TooMany) => {
            refused("there would be too many triples".to_owned(), console)
        }
        NotMade::Cadp(reason) => refused(reason.to_string(), console),
    }
}
