//! `step` through a system of agents: from a file and the values of its parameters to a walk by the rules.

use std::time::Instant;

use paramcheck::replay::labs::replay;
use paramcheck::report::labs::StepReport;
use paramcheck::report::labs::document::{self, LabsTrace};
use paramcheck::report::simulated::{CommandReport, WalkEnd};
use paramcheck::simulate::agents::Agents;
use paramcheck_text::diagnostic::codes::input::BAD_TRACE;
use paramcheck_verdict::labs::NoStart;

use super::obey;
use crate::cli::args::StepArguments;
use crate::cli::args::schedule::Order;
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::labs::{load, no_start, parameters};
use crate::cli::session::{Session, Style};
use crate::cli::verify::usage;
use crate::cli::{Failure, files};

type StepSession<'a> = Session<'a, WalkEnd<LabsTrace, StepReport>, CommandReport<StepReport>>;

/// Runs the command.
pub(super) fn run(
    arguments: &StepArguments,
    deadline: Option<Instant>,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let instance = &arguments.instance;
    if instance.size.is_some()
        || instance.tree.is_some()
        || instance.candidate.is_some()
        || arguments.marking.is_some()
    {
        let message = "--size, --tree, --candidate and --marking are about rewriting systems, and the file ends in .labs";
        return Err(usage(message));
    }
    let option = arguments.rules.given().or(arguments.turns());
    if let Some(option) = option.filter(|_| instance.trace.is_some()) {
        return Err(usage(&format!(
            "{option}: a run has its rules with it; leave out --trace to choose others"
        )));
    }
    let given = parameters(&arguments.parameters)?;
    let style = Style { command: "step", is_json: arguments.json, is_quiet: false };
    let mut session: StepSession<'_> = Session::about(&arguments.file, style, console);
    let Ok(run) = loaded(arguments, &mut session) else { return session.finish() };
    let mut values = run.as_ref().map(|run| run.rules.parameters.clone()).unwrap_or_default();
    values.extend(given);
    let mut rules = arguments.rules.rules(arguments.schedule == Some(Order::RoundRobin), None);
    let width = run.as_ref().map_or(rules.width, |run| run.rules.width());
    let loaded = load(&arguments.file, &values, deadline, &mut session);
    let loaded = loaded.and_then(|loaded| loaded.fitted(width, &mut session));
    let Some(loaded) = loaded else { return session.finish() };
    let mut replayed = None;
    if let Some(run) = &run {
        match replay(&loaded.system, run) {
            Ok(run) => {
                rules = run.rules;
                replayed = Some(run);
            }
            Err(reason) => {
                let message = format!("the run is none of `{}`: {reason}", loaded.source.name);
                let help = "`paramcheck replay` says how far it goes";
                session.diagnostic(&files::plain(&BAD_TRACE, message).help(help), None);
                return session.finish();
            }
        }
    }
    let agents = Agents::new(&loaded.system, &loaded.source, rules);
    if !agents.has_start() {
        session.diagnostic(
            &no_start(&loaded.source, &loaded.system, NoStart::NoInitialState),
            Some(&loaded.source),
        );
        return session.finish();
    }
    let steps = replayed.map(|run| agents.steps_of(&run.labels, &run.replayed.states)).unwrap_or_default();
    let mut walk = agents.walk(steps, arguments.seed).until(deadline);
    session.lines(&walk.greeting())?;
    obey(arguments, &mut walk, &mut session)?;
    session.found(walk.end());
    session.finish()
}

/// What is wrong with the document was reported.
struct Unreadable;

/// The run to go along, if the call names one.
fn loaded(arguments: &StepArguments, session: &mut StepSession<'_>) -> Result<Option<LabsTrace>, Unreadable> {
    let Some(path) = &arguments.instance.trace else { return Ok(None) };
    let text = session.accept(files::read(path, files::TRACE_BYTES)).ok_or(Unreadable)?;
    match document::read(&text, None) {
        Ok(document) => Ok(Some(document)),
        Err(diagnostic) => {
            let source = (!diagnostic.labels.is_empty()).then_some(&text);
            session.diagnostic(&diagnostic, source);
            Err(Unreadable)
        }
    }
}
