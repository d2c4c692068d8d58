//! `paramcheck replay`: whether a trace is one of a model, printed step by step.

use paramcheck::replay::{self, ReplayError};
use paramcheck::report::text::{self, Style};
use paramcheck::report::trace::{self, TraceDocument};
use paramcheck_model::error::NamedError;
use paramcheck_model::error::print::print_formula;
use paramcheck_model::system::System;
use paramcheck_nets::instance::marking::evaluate;
use paramcheck_text::diagnostic::codes::input::NO_SUCH_ERROR;
use paramcheck_text::source::SourceFile;

use super::args::ReplayArguments;
use super::console::Console;
use super::exit::Exit;
use super::process::Instead;
use super::watch::Interrupt;
use super::{Failure, candidate, files, model};

/// Runs the command.
pub(super) fn run(arguments: &ReplayArguments, console: &mut Console) -> Result<Exit, Failure> {
    // Nothing is kept that is found before the end: Ctrl-C ends it at once, with its exit code.
    Interrupt::install();
    let Some(path) = &arguments.trace else { return candidate(arguments, console) };
    let source = console.accept(model::read_text(&arguments.model, None));
    let text = console.accept(files::read(path, files::TRACE_BYTES));
    let (Some(source), Some(text)) = (source, text) else { return Ok(Exit::InputError) };
    let Some(system) = model::system(&source, console) else { return Ok(Exit::InputError) };
    let Some(document) = document(&source, &text, arguments.error.as_deref(), console) else {
        return Ok(Exit::InputError);
    };
    // What is wrong with the question is reported before anything is printed about the steps.
    let wanted = arguments.error.as_ref().or(document.error.as_ref());
    let error = match wanted.map(|wanted| evidence_about(&system, wanted, arguments.error.is_some(), console))
    {
        Some(None) => return Ok(Exit::InputError),
        found => found.flatten(),
    };
    let replayed = match replay::replay(&system, &document) {
        Ok(replayed) => replayed,
        Err(reason) => return fails(arguments, &document, &reason, console),
    };
    if !arguments.quiet {
        let style = Style { color: console.output_color(), full: arguments.full, ..Style::default() };
        console.print(&text::trace(&document, document.trace.len(), &style))?;
    }
    let steps = text::plural(replayed.steps.len(), "step");
    let Some(error) = error else {
        console.print(&format!("replays: {steps}, ends in the marking given\n"))?;
        return Ok(Exit::AllProved);
    };
    let named = match print_formula(&system, &error.formula) {
        formula if formula == error.name => format!("`{}`", error.name),
        formula => format!("`{}` ({formula})", error.name),
    };
    match replay::ends_in(&system, &document, &replayed, &error) {
        Ok(Some(true)) => {
            console.print(&format!("replays: {steps}, ends in a marking that is in {named}\n"))?;
            Ok(Exit::AllProved)
        }
        Ok(Some(false)) => {
            console
                .print(&format!("fails at the end: {steps} replay, but the marking is not in {named}\n"))?;
            Ok(Exit::Violated)
        }
        Ok(None) => {
            let undecided = "whether the marking is in it is too much work to decide";
            console.print(&format!("replays: {steps}, but of {named}: {undecided}\n"))?;
            Ok(Exit::Unknown)
        }
        Err(reason) => {
            console.print(&format!("fails: {reason}\n"))?;
            Ok(Exit::Violated)
        }
    }
}

/// Shows the candidate that the call names, if it fits the model.
fn candidate(arguments: &ReplayArguments, console: &mut Console) -> Result<Exit, Failure> {
    let Some(path) = &arguments.candidate else { return Ok(Exit::InputError) };
    files::refuse_stdin_twice([arguments.model.as_path(), path.as_path()])?;
    let Some((_, system)) = model::read(&arguments.model, Instead::Verify, console) else {
        return Ok(Exit::InputError);
    };
    let Some((document, standing)) = console.accept(candidate::read(&system, path)) else {
        return Ok(Exit::InputError);
    };
    let wanted = arguments.error.clone();
    let wanted = wanted.unwrap_or_else(|| model::evidence(&system, &document.error, &document.formula));
    let Some(error) = evidence_about(&system, &wanted, true, console) else { return Ok(Exit::InputError) };
    if !arguments.quiet {
        console.print(&text::instance(&document.instance))?;
        console.print("      marking:\n")?;
        for line in text::marking(&document.instance, &document.marking).lines() {
            console.print(&format!("      {line}\n"))?;
        }
    }
    let name = &error.name;
    let (answer, exit) = match evaluate(&system, &standing.net, &error.formula, &standing.marking) {
        Some(true) => {
            (format!("fits: the marking is in `{name}`; whether it is reached is open"), Exit::AllProved)
        }
        Some(false) => (format!("fails: the marking is not in `{name}`"), Exit::Violated),
        None => (format!("fits, but whether it is in `{name}` is too much work to decide"), Exit::Unknown),
    };
    console.print(&format!("{answer}\n"))?;
    Ok(exit)
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
        Ok(error) => return Some(error),
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

/// Prints how far a trace replays, and why no further.
fn fails(
    arguments: &ReplayArguments,
    document: &TraceDocument,
    reason: &ReplayError,
    console: &mut Console,
) -> Result<Exit, Failure> {
    if let ReplayError::Step { step, .. } = reason
        && !arguments.quiet
    {
        let style = Style { color: console.output_color(), full: arguments.full, ..Style::default() };
        console.print(&text::trace(document, step - 1, &style))?;
    }
    let at = if matches!(reason, ReplayError::Step { .. } | ReplayError::End(_)) { " at" } else { ":" };
    console.print(&format!("fails{at} {reason}\n"))?;
    Ok(Exit::Violated)
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
