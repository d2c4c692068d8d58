//! `paramcheck emit`: a question in the language of another program, or for people.
//!
//! Text that is about one question (an error and invariants) is made here from `logic`. A format that is
//! about one instance instead would be another arm of [`text`], with its own arguments.

use clap::CommandFactory;
use clap::error::ErrorKind;

use paramcheck::diagnostic::codes::input as codes;
use paramcheck::logic::emit;
use paramcheck::logic::encoding::EncodeError;
use paramcheck::logic::question::{Goal, Question, question};
use paramcheck::model::error::NamedError;
use paramcheck::model::error::print::print_formula;
use paramcheck::model::system::System;
use paramcheck::source::SourceFile;

use super::args::{Arguments, EmitArguments, Format};
use super::console::Console;
use super::exit::Exit;
use super::{Failure, files, model};

/// Runs the command.
pub fn run(arguments: &EmitArguments, console: &mut Console) -> Result<Exit, Failure> {
    let output = arguments.output.as_deref().filter(|path| !files::is_stdin(path));
    if output.is_some_and(|output| files::is_same(output, &arguments.file)) {
        let message = "--output names the model itself: what is written would replace it";
        return Err(Failure::Usage(Arguments::command().error(ErrorKind::ValueValidation, message)));
    }
    let source = match files::read(&arguments.file, files::MODEL_BYTES) {
        Ok(source) => source,
        Err(refused) => {
            console.diagnostic(&refused.0, refused.1.as_ref());
            return Ok(Exit::InputError);
        }
    };
    let model::Model { system, diagnostics } = model::load(&source);
    for diagnostic in &diagnostics {
        console.diagnostic(diagnostic, Some(&source));
    }
    let Some(system) = system else { return Ok(Exit::InputError) };
    let error = match model::question(&system, &arguments.error) {
        Ok(error) => error,
        Err(problem) => {
            for diagnostic in &problem.diagnostics {
                console.diagnostic(diagnostic, Some(&problem.source));
            }
            return Ok(Exit::InputError);
        }
    };
    let Some(text) = text(arguments, &source, &system, &error, console) else { return Ok(Exit::InputError) };
    match output {
        None => console.print(&text)?,
        Some(path) => {
            if let Err(error) = files::replace(path, &text) {
                let message = format!("cannot write `{}`: {}", files::name(path), files::reason(&error));
                console.diagnostic(&files::plain(&codes::UNWRITABLE, message), None);
                return Ok(Exit::InputError);
            }
        }
    }
    Ok(Exit::AllProved)
}

/// What is to be written; `None` where that can't be, with the reason told.
fn text(
    arguments: &EmitArguments,
    source: &SourceFile,
    system: &System,
    error: &NamedError,
    console: &mut Console,
) -> Option<String> {
    let question = match question(system, Goal::Error(&error.formula), &arguments.invariants.0, &[]) {
        Ok(question) => question,
        Err(reason) => {
            let message = format!("the question about `{}` has no formula: {reason}", error.name);
            let diagnostic = files::plain(&codes::NO_FORMULA, message);
            console.diagnostic(&diagnostic.help(help(&reason)), None);
            return None;
        }
    };
    let heading = heading(arguments, source, system, error, &question);
    match arguments.format {
        Format::Formula => Some(emit::formula(&question, &heading)),
        Format::Mona => match emit::mona(&question, &heading) {
            Ok(text) => Some(text),
            Err(reason) => {
                let message =
                    format!("the question about `{}` can't be written for MONA: {reason}", error.name);
                console.diagnostic(&files::plain(&codes::NO_FORMULA, message), None);
                None
            }
        },
    }
}

/// What is said at the top of the text.
fn heading(
    arguments: &EmitArguments,
    source: &SourceFile,
    system: &System,
    error: &NamedError,
    question: &Question,
) -> String {
    let kinds = itertools::join(arguments.invariants.0.iter().map(ToString::to_string), ", ");
    let definition = print_formula(system, &error.formula);
    let is_defined = definition != error.name;
    let definition = if is_defined { format!(" = {definition}") } else { String::new() };
    let logic = if question.kappa == 1 { "WS1S (words)" } else { "WS2S (binary trees)" };
    format!(
        "model:       {}, system {}\n\
         error:       {}{definition}\n\
         invariants:  {kinds}\n\
         logic:       {logic}\n\
         Asked: does some instance, of whatever size, have a marking that is in the error and in every\n\
         invariant of these kinds?\n",
        source.name,
        system.name(),
        error.name,
    )
}

fn help(reason: &EncodeError) -> &'static str {
    match reason {
        EncodeError::Bound(_) => "count less far in the error, or give other --invariants",
        EncodeError::Weights(_) => "leave out `linear` and `modulo`; only the direct engine knows them",
        _ => "the command without `emit` decides questions that have no formula",
    }
}
