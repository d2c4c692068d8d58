//! `paramcheck replay`: whether a trace is one of a model, printed step by step, and whether a candidate fits it;
//! [`labs`] has runs of agents.

mod labs;

use std::path::Path;

use paramcheck::replay::{self, ReplayError, Replayed};
use paramcheck::report::evidence::ReplayReport;
use paramcheck::report::processes::schedule_word;
use paramcheck::report::text::{self, Style};
use paramcheck::report::trace::{self, PropertyHead, TraceDocument};
use paramcheck_model::error::NamedError;
use paramcheck_model::error::print::print_formula;
use paramcheck_model::property::Property;
use paramcheck_model::system::System;
use paramcheck_nets::explore::trace::Trace;
use paramcheck_nets::instance::marking::evaluate;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::diagnostic::codes::input::NO_SUCH_ERROR;
use paramcheck_text::source::SourceFile;
use paramcheck_verdict::process::{InstanceRun, RunRefusal, violates};

use super::args::ReplayArguments;
use super::console::Console;
use super::exit::Exit;
use super::process::Instead;
use super::session::{Session, Style as SessionStyle};
use super::watch::Interrupt;
use super::{Failure, candidate, files, model};

/// Runs the command.
pub(super) fn run(arguments: &ReplayArguments, console: &mut Console) -> Result<Exit, Failure> {
    // Nothing is kept that is found before the end: Ctrl-C ends it at once, with its exit code.
    Interrupt::install();
    if super::labs::is_labs(&arguments.model) {
        return labs::run(arguments, console);
    }
    let (trace, _) = arguments.trace(false)?;
    let style = SessionStyle { command: "replay", is_json: arguments.json, is_quiet: false };
    let mut session = Session::about(&arguments.model, style, console);
    let Some(trace) = trace else {
        // The call names a trace or a candidate.
        if let Some(path) = &arguments.candidate
            && candidate(arguments, path, &mut session)?.is_none()
        {
            session.raise(Exit::InputError);
        }
        return session.finish();
    };
    let Some(input) = read(arguments, trace, &mut session) else {
        session.raise(Exit::InputError);
        return session.finish();
    };
    let answer = answer(&input);
    if let Some(shown) = answer.shown.filter(|_| !arguments.quiet) {
        let style = Style { color: session.console.output_color(), full: arguments.full, ..Style::default() };
        session.lines(&text::trace(&input.document, shown, &style))?;
    }
    session.lines(&format!("{}\n", answer.line))?;
    session.raise(answer.exit);
    session.document.add(ReplayReport {
        error: input.error.as_ref().map(|error| error.name.clone()),
        formula: input.error.as_ref().map(|error| print_formula(&input.system, &error.formula)),
        verdict: answer.verdict(),
        steps: answer.steps,
        refusal: answer.refusal,
        trace: Some(input.document),
        candidate: None,
    });
    session.finish()
}

/// What is in question.
struct Input {
    system: System,
    document: TraceDocument,
    /// The error that the trace is to reach, if any.
    error: Option<NamedError>,
    /// The property of runs that it is to violate, if any.
    property: Option<Property>,
}

/// Reads the model and the trace; `None`, with the reason reported, where that can't be.
fn read(
    arguments: &ReplayArguments,
    trace: &Path,
    session: &mut Session<'_, (), ReplayReport>,
) -> Option<Input> {
    let source = session.accept(model::read_text(&arguments.model, None));
    let text = session.accept(files::read(trace, files::TRACE_BYTES));
    let (source, text) = (source?, text?);
    let system = session.system(&source)?;
    let document = document(&source, &text, arguments.error.as_deref(), session.console)?;
    // What is wrong with the question is reported before anything is printed about the steps.
    if let Some(head) = &document.property {
        let definition = format!("{} = {}", head.name, head.formula);
        let property = match model::property(&system, &definition) {
            Ok((property, _)) => property,
            Err(found) => {
                session.definitions(&[found]);
                return None;
            }
        };
        return Some(Input { system, document, error: None, property: Some(property) });
    }
    let wanted = arguments.error.as_ref().or(document.error.as_ref());
    let error = match wanted {
        Some(wanted) => Some(evidence_about(&system, wanted, arguments.error.is_some(), session.console)?),
        None => None,
    };
    Some(Input { system, document, error, property: None })
}

/// What came of a replay.
struct Answer {
    /// How many steps replay.
    steps: usize,
    /// How many steps are printed; `None` where not even the instance is, or the values at first.
    shown: Option<usize>,
    /// The answer as a line, without its end.
    line: String,
    /// What is wrong with the trace.
    refusal: Option<String>,
    exit: Exit,
}

impl Answer {
    /// The answer in documents.
    fn verdict(&self) -> &'static str {
        match self.exit {
            Exit::AllProved => "replays",
            Exit::Violated => "fails",
            _ => "not-decided",
        }
    }
}

fn answer(Input { system, document, error, property }: &Input) -> Answer {
    let shown = Some(document.trace.len());
    let replayed = match replay::replay(system, document) {
        Ok(replayed) => replayed,
        Err(reason) => return fails(document, &reason),
    };
    let steps = replayed.steps.len();
    let counted = text::plural(steps, "step");
    let answer = |line: String, refusal, exit| Answer { steps, shown, line, refusal, exit };
    if let (Some(property), Some(head)) = (property, &document.property) {
        let (line, refusal, exit) = of_runs(system, property, head, replayed);
        return answer(line, refusal, exit);
    }
    let Some(error) = error else {
        let line = format!("replays: {counted}, ends in the marking given");
        return answer(line, None, Exit::AllProved);
    };
    let named = match print_formula(system, &error.formula) {
        formula if formula == error.name => format!("`{}`", error.name),
        formula => format!("`{}` ({formula})", error.name),
    };
    match replay::ends_in(system, document, &replayed, error) {
        Ok(Some(true)) => {
            let line = format!("replays: {counted}, ends in a marking that is in {named}");
            answer(line, None, Exit::AllProved)
        }
        Ok(Some(false)) => {
            let refusal = format!("the marking is not in {named}");
            let line = format!("fails at the end: {counted} replay, but {refusal}");
            answer(line, Some(refusal), Exit::Violated)
        }
        Ok(None) => {
            let undecided = "whether the marking is in it is too much work to decide";
            let line = format!("replays: {counted}, but of {named}: {undecided}");
            answer(line, Some(undecided.to_owned()), Exit::Unknown)
        }
        Err(reason) => answer(format!("fails: {reason}"), Some(reason.to_string()), Exit::Violated),
    }
}

/// Whether a run that replays violates a property.
fn of_runs(
    system: &System,
    property: &Property,
    head: &PropertyHead,
    replayed: Replayed,
) -> (String, Option<String>, Exit) {
    let steps = replayed.steps.len();
    let named = format!("`{}` ({})", property.name, property.text);
    let Some(schedule) = [Schedule::Any, Schedule::WeaklyFair, Schedule::StronglyFair]
        .into_iter()
        .find(|schedule| schedule_word(*schedule) == head.schedule)
    else {
        let refusal = format!("there is no schedule `{}` of instances", head.schedule);
        return (format!("fails: {refusal}"), Some(refusal), Exit::Violated);
    };
    let Replayed { net, steps: taken, markings, .. } = replayed;
    let run = InstanceRun { trace: Trace { steps: taken, markings }, loop_start: head.loop_start };
    let counted = text::length(steps, head.loop_start);
    match violates(system, &net, property, &run, schedule) {
        Ok(()) => (format!("replays: {counted}, violates {named}"), None, Exit::AllProved),
        Err(why @ RunRefusal::Undecided) => {
            (format!("the run of {named} {why}"), Some(why.to_string()), Exit::Unknown)
        }
        Err(why) => {
            (format!("fails: the run of {counted} for {named} {why}"), Some(why.to_string()), Exit::Violated)
        }
    }
}

/// How far a trace replays, and why no further.
fn fails(document: &TraceDocument, reason: &ReplayError) -> Answer {
    let (steps, shown) = match reason {
        ReplayError::Step { step, .. } => (step - 1, Some(step - 1)),
        ReplayError::End(_) => (document.trace.len(), None),
        _ => (0, None),
    };
    let at = if matches!(reason, ReplayError::Step { .. } | ReplayError::End(_)) { " at" } else { ":" };
    let line = format!("fails{at} {reason}");
    Answer { steps, shown, line, refusal: Some(reason.to_string()), exit: Exit::Violated }
}

/// Shows the candidate that the call names, if it fits the model; `None`, with the reason reported, where it
/// does not.
fn candidate(
    arguments: &ReplayArguments,
    path: &Path,
    session: &mut Session<'_, (), ReplayReport>,
) -> Result<Option<()>, Failure> {
    files::refuse_stdin_twice([arguments.model.as_path(), path])?;
    let Some((_, system)) = session.model(&arguments.model, Instead::Verify) else { return Ok(None) };
    let Some((document, standing)) = session.accept(candidate::read(&system, path)) else { return Ok(None) };
    let wanted = arguments.error.clone();
    let wanted = wanted.unwrap_or_else(|| model::evidence(&system, &document.error, &document.formula));
    let Some(error) = evidence_about(&system, &wanted, true, session.console) else { return Ok(None) };
    if !arguments.quiet {
        session.lines(&text::instance(&document.instance))?;
        session.lines("      marking:\n")?;
        for line in text::marking(&document.instance, &document.marking).lines() {
            session.lines(&format!("      {line}\n"))?;
        }
    }
    let name = &error.name;
    let (line, verdict, exit) = match evaluate(&system, &standing.net, &error.formula, &standing.marking) {
        Some(true) => (
            format!("fits: the marking is in `{name}`; whether it is reached is open"),
            "fits",
            Exit::AllProved,
        ),
        Some(false) => (format!("fails: the marking is not in `{name}`"), "fails", Exit::Violated),
        None => (
            format!("fits, but whether it is in `{name}` is too much work to decide"),
            "not-decided",
            Exit::Unknown,
        ),
    };
    session.lines(&format!("{line}\n"))?;
    session.raise(exit);
    session.document.add(ReplayReport {
        error: Some(error.name.clone()),
        formula: Some(print_formula(&system, &error.formula)),
        verdict,
        steps: 0,
        refusal: (exit == Exit::Violated).then_some(line),
        trace: None,
        candidate: Some(document),
    });
    Ok(Some(()))
}

/// The error `wanted` that a trace or certificate is about; what is wrong with it is printed. `is_given` in
/// this call, or else taken from the document.
pub(super) fn evidence_about(
    system: &System,
    wanted: &str,
    is_given: bool,
    console: &mut Console,
) -> Option<NamedError> {
    let problem = match model::question(system, wanted) {
        Ok((error, found)) => {
            console.diagnostics(&found.diagnostics, &found.source);
            return Some(error);
        }
        Err(problem) => problem,
    };
    if is_given {
        console.diagnostics(&problem.diagnostics, &problem.source);
    } else {
        let message = format!("the evidence is about `{wanted}`, an error that the model does not define");
        let help =
            "is it the right model? give an error of the call as it was given then: --error 'NAME = …'";
        console.diagnostic(&files::plain(&NO_SUCH_ERROR, message).help(help), None);
    }
    None
}

/// The trace in `text`, a document about the model `source`; what is wrong with it is printed. `error` is the
/// `--error` of the call: a name, or a definition, which begins with a name.
pub(super) fn document(
    source: &SourceFile,
    text: &SourceFile,
    error: Option<&str>,
    console: &mut Console,
) -> Option<TraceDocument> {
    let name = error.map(|error| error.split_once('=').map_or(error, |(name, _)| name).trim());
    match trace::read(text, &source.name, name) {
        Ok(document) => Some(document),
        Err(diagnostic) => {
            let source = (!diagnostic.labels.is_empty()).then_some(text);
            console.diagnostic(&diagnostic, source);
            None
        }
    }
}
