//! `--list`: the questions of files, without answers: errors of rewriting systems, checks of processes, each with
//! what it means.

use std::path::{Path, PathBuf};

use paramcheck::report::listed::ListedQuestion;
use paramcheck_labs::Parameters;
use paramcheck_model::error::print::print_formula;
use paramcheck_model::system::System;
use paramcheck_process::Language;
use paramcheck_process::lower::Lowered;
use paramcheck_process::show;
use paramcheck_text::columns;

use super::console::Console;
use super::exit::Exit;
use super::session::{Session, Style};
use super::watch::Interrupt;
use super::{Failure, files, labs, model, process};

/// A session of this command.
type ListSession<'a> = Session<'a, (), ListedQuestion>;

/// Lists the questions of the files, each by its language: `language`, or by its name.
pub(super) fn run(
    paths: &[PathBuf],
    language: Option<Language>,
    style: Style,
    console: &mut Console,
) -> Result<Exit, Failure> {
    files::refuse_stdin_twice(paths.iter().map(PathBuf::as_path))?;
    Interrupt::install();
    let mut session = Session::new(style, console);
    for path in paths {
        session.begin(files::name(path));
        if let Some(questions) = of_file(path, language, &mut session) {
            session.lines(&text(&files::name(path), &questions, style.is_quiet))?;
            questions.into_iter().for_each(|question| session.document.add(question));
        }
    }
    session.finish()
}

/// Lists the properties of a system of agents.
pub(super) fn of_agents(
    path: &Path,
    parameters: &Parameters,
    style: Style,
    console: &mut Console,
) -> Result<Exit, Failure> {
    Interrupt::install();
    let is_quiet = style.is_quiet;
    let mut session: ListSession<'_> = Session::about(path, style, console);
    if let Some(loaded) = labs::load(path, parameters, None, &mut session) {
        let properties = loaded.system.properties.iter().map(|property| ListedQuestion {
            error: None,
            check: Some(property.name.clone()),
            formula: property.text(&loaded.source.text),
        });
        let questions: Vec<ListedQuestion> = properties.collect();
        session.lines(&text(&files::name(path), &questions, is_quiet))?;
        questions.into_iter().for_each(|question| session.document.add(question));
    }
    session.finish()
}

/// The questions of one file; `None`, with the reason reported, where it can't be read.
fn of_file(
    path: &Path,
    language: Option<Language>,
    session: &mut ListSession<'_>,
) -> Option<Vec<ListedQuestion>> {
    if language.is_some() || process::language_of(path).is_some() {
        let (source, Lowered { system, diagnostics, .. }) =
            session.accept(process::load(path, language, None))?;
        session.diagnostics(&diagnostics, &source);
        let system = system?;
        let checks = system.checks.iter().map(|check| ListedQuestion {
            error: None,
            check: Some(check.name.clone()),
            formula: show::goal(&system, &check.goal),
        });
        return Some(checks.collect());
    }
    let source = session.accept(model::read_text(path, None))?;
    let system = session.system(&source)?;
    let errors = std::iter::once(System::deadlock()).chain(system.errors.iter().cloned());
    let questions = errors.map(|error| ListedQuestion {
        check: None,
        formula: print_formula(&system, &error.formula),
        error: Some(error.name),
    });
    Some(questions.collect())
}

/// A line per question, below the name of the file unless quiet.
fn text(file: &str, questions: &[ListedQuestion], is_quiet: bool) -> String {
    let name = |one: &ListedQuestion| one.error.clone().or(one.check.clone()).unwrap_or_default();
    let names: Vec<String> = questions.iter().map(name).collect();
    let width = columns::width(names.iter().map(String::as_str), columns::NAMES);
    let mut text = String::new();
    if !is_quiet {
        text += &format!("{file}:\n");
    }
    for (name, question) in names.iter().zip(questions) {
        let indent = if is_quiet { "" } else { "  " };
        text += &format!("{indent}{}  {}\n", format_args!("{name:width$}"), question.formula);
    }
    text
}
