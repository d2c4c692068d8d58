//! `paramcheck emit`: a question, or an instance, in the language of another program, or for people.
//!
//! Text about one question (an error and invariants) comes from `paramcheck_wsks`, text about one instance
//! from `paramcheck_emulation::emit`; here is what belongs to which, and where it goes.

use clap::error::ErrorKind;

use paramcheck::report::written::Written;
use paramcheck_model::system::System;
use paramcheck_text::source::SourceFile;

use super::args::EmitArguments;
use super::console::Console;
use super::exit::Exit;
use super::rcheck::is_rcheck;
use super::session::{Session, Style};
use super::watch::Interrupt;
use super::{Failure, files, process};

mod instance;
mod question;
mod rcheck;

/// What is to be written, and of what.
struct Subject<'a> {
    arguments: &'a EmitArguments,
    source: &'a SourceFile,
    system: &'a System,
}

/// Runs the command.
pub(super) fn run(arguments: &EmitArguments, console: &mut Console) -> Result<Exit, Failure> {
    // Nothing is kept that is found before the end: Ctrl-C ends it at once, with its exit code.
    Interrupt::install();
    let is_rcheck = is_rcheck(&arguments.file);
    refuse_own_file(arguments)?;
    if let Some(message) = rcheck::misfit(arguments).filter(|_| is_rcheck) {
        return Err(Failure::misuse(ErrorKind::ArgumentConflict, message));
    }
    // For another kind of file that is the message, not what else the call lacks.
    if process::language_of(&arguments.file).is_none() && !is_rcheck {
        refuse(arguments)?;
    }
    let style = Style { command: "emit", is_json: arguments.json, is_quiet: false };
    let mut session: Session<'_, (), Written> = Session::about(&arguments.file, style, console);
    let text = if is_rcheck {
        rcheck::text(arguments, &mut session)
    } else {
        let instead = process::Instead::Emit(arguments.format);
        session.model(&arguments.file, instead).and_then(|(source, system)| {
            let subject = Subject { arguments, source: &source, system: &system };
            if arguments.format.is_of_instance() {
                instance::text(&subject, session.console)
            } else {
                question::text(&subject, session.console)
            }
        })
    };
    match text {
        Some(text) => {
            let format = arguments.format.name();
            session.deliver(arguments.output.as_deref(), format, text, |written| written)?;
        }
        None => session.raise(Exit::InputError),
    }
    session.finish()
}

/// Refuses to write over the model.
fn refuse_own_file(arguments: &EmitArguments) -> Result<(), Failure> {
    let output = arguments.output.as_deref().filter(|path| !files::is_stdin(path));
    if output.is_some_and(|output| files::is_same(output, &arguments.file)) {
        let message = "--output names the model itself: what is written would replace it";
        return Err(Failure::misuse(ErrorKind::ValueValidation, message));
    }
    Ok(())
}

/// Refuses options that the format has no use for, and calls that lack some.
fn refuse(arguments: &EmitArguments) -> Result<(), Failure> {
    let usage = |kind, message: String| Err(Failure::misuse(kind, message));
    let (format, name) = (arguments.format, arguments.format.name());
    if !format.is_of_instance() {
        if arguments.which.is_given() {
            let message =
                format!("`--as {name}` is about all instances at once: leave --size and --tree out");
            return usage(ErrorKind::ArgumentConflict, message);
        }
        if arguments.errors.len() > 1 {
            let message = format!("`--as {name}` writes one question: give one --error");
            return usage(ErrorKind::TooManyValues, message);
        }
        return Ok(());
    }
    if arguments.invariants.is_some() {
        let message = format!("`--as {name}` is about one instance, which needs no --invariants");
        return usage(ErrorKind::ArgumentConflict, message);
    }
    if !format.has_errors() && !arguments.errors.is_empty() {
        let message = format!("`--as {name}` writes the net alone, without errors: leave --error out");
        return usage(ErrorKind::ArgumentConflict, message);
    }
    if arguments.which.max_size.is_some() || !arguments.which.is_given() {
        let message = format!("`--as {name}` is about one instance: give --size N or --tree TERM");
        return usage(ErrorKind::MissingRequiredArgument, message);
    }
    Ok(())
}
