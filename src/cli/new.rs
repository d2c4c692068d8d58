//! `paramcheck new`: a model to begin with, proved and with comments. The models are the files of `templates/`;
//! `NAME` and `FILE` in them stand for what they will be called.

use std::io;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;

use paramcheck::report::reproducer::quoted;
use paramcheck_model::ENDINGS;
use paramcheck_process::Language;

use super::args::{NewArguments, Shape};
use super::console::Console;
use super::exit::Exit;
use super::watch::Interrupt;
use super::{Failure, files, labs, process};

/// Runs the command.
pub(super) fn run(arguments: &NewArguments, console: &mut Console) -> Result<Exit, Failure> {
    Interrupt::install();
    let path = &arguments.name;
    let language = arguments.language.or_else(|| process::language_of(path));
    let is_labs = labs::is_labs(path);
    if is_labs && language.is_some() {
        let message = "--language: the file ends in .labs, so a system of agents is written";
        return Err(Failure::misuse(ErrorKind::ArgumentConflict, message));
    }
    let template = match is_labs {
        true => include_str!("../../templates/agents.labs"),
        false => template(arguments.shape, language),
    };
    if files::is_stdin(path) {
        console.print(&filled(template, "A model", "FILE"))?;
        return Ok(Exit::AllProved);
    }
    refuse_no_name(path)?;
    let path = if is_labs { path.clone() } else { with_ending(path, language)? };
    let file = files::name(&path);
    let stem = path.file_stem().map(|stem| files::name(Path::new(stem))).unwrap_or_default();
    if let Err(error) = create(&path, &filled(template, &stem, &file)) {
        let what = format!("`{file}`");
        let diagnostic = files::unwritable(&what, &error);
        let diagnostic = match error.kind() {
            io::ErrorKind::AlreadyExists => diagnostic.help("choose another name; nothing is overwritten"),
            _ => diagnostic,
        };
        console.diagnostic(&diagnostic, None);
        return Ok(Exit::InputError);
    }
    let command = if is_labs || language.is_some() { "paramcheck verify" } else { "paramcheck" };
    // An option is no file.
    let word = if file.starts_with('-') { format!("./{file}") } else { file.clone() };
    console.print(&format!("{file}: written; `{command} {}` checks it\n", quoted(&word)))?;
    Ok(Exit::AllProved)
}

/// Refuses what is a folder, or would be a file that is hard to see or to name.
fn refuse_no_name(path: &Path) -> Result<(), Failure> {
    let bytes = path.as_os_str().as_encoded_bytes();
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let what = if bytes.last().is_some_and(|last| std::path::is_separator(char::from(*last))) {
        "is the name of a folder: name the file in it"
    } else if bytes.iter().any(u8::is_ascii_control) {
        "has a line break or another control character in it: name the file without"
    } else if !name.is_empty() && name.trim().is_empty() {
        "is blank: give the model a name"
    } else {
        return Ok(());
    };
    Err(Failure::misuse(ErrorKind::ValueValidation, format!("`{}` {what}", files::name(path))))
}

/// The text of a model.
fn template(shape: Shape, language: Option<Language>) -> &'static str {
    match (language, shape) {
        (Some(Language::Ccs), _) => include_str!("../../templates/process.ccs"),
        (Some(Language::Chor), _) => include_str!("../../templates/choreography.chor"),
        (None, Shape::Ring) => include_str!("../../templates/ring.rws"),
        (None, Shape::Chain) => include_str!("../../templates/chain.rws"),
        (None, Shape::Star) => include_str!("../../templates/star.rws"),
        (None, Shape::Tree) => include_str!("../../templates/tree.rws"),
        (None, Shape::RingOfStars) => include_str!("../../templates/ring-of-stars.rws"),
        (None, Shape::Pipeline) => include_str!("../../templates/pipeline.rws"),
        (None, Shape::Hierarchy) => include_str!("../../templates/hierarchy.rws"),
    }
}

/// `NAME` stands in the first line, before every `FILE`: so a name may hold these words.
fn filled(template: &str, name: &str, file: &str) -> String {
    template.replacen("FILE", file, 2).replacen("NAME", name, 1)
}

/// The file of a model called `path`: what has an ending of the language keeps it.
fn with_ending(path: &Path, language: Option<Language>) -> Result<PathBuf, Failure> {
    let ending = match language {
        Some(Language::Ccs) => "ccs",
        Some(Language::Chor) => "chor",
        None => ENDINGS[0],
    };
    let Some(name) = path.file_name() else {
        let message = format!("`{}` is no name of a file", files::name(path));
        return Err(Failure::misuse(ErrorKind::ValueValidation, message));
    };
    let has = path.extension().and_then(|ending| ending.to_str());
    let is_other = has.is_some_and(|has| has != ending && Language::of_extension(has).is_some());
    if is_other {
        let message = format!("`{}` is not how files of this language end: leave it out", files::name(path));
        return Err(Failure::misuse(ErrorKind::ValueValidation, message));
    }
    if has == Some(ending) || language.is_none() && has.is_some_and(|has| ENDINGS.contains(&has)) {
        return Ok(path.to_owned());
    }
    let mut name = name.to_owned();
    name.push(format!(".{ending}"));
    Ok(path.with_file_name(name))
}

/// Writes a file that must not be there: all of it, or nothing.
fn create(path: &Path, text: &str) -> io::Result<()> {
    Interrupt::defer(|| {
        let created = files::create(path, text);
        let is_begun = created.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::AlreadyExists);
        if is_begun {
            let _ = std::fs::remove_file(path);
        }
        created
    })
}
