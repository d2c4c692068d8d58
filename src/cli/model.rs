//! From a file to a system and its questions, with everything that is wrong on the way.

use std::path::Path;
use std::time::Instant;

use paramcheck_model::error::NamedError;
use paramcheck_model::lower::{self, Lowered};
use paramcheck_model::property::Property;
use paramcheck_model::syntax::parser;
use paramcheck_model::system::System;
use paramcheck_nets::explore::runs::{NoComponent, Runs};
use paramcheck_nets::instance::net::Net;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::input as codes;
use paramcheck_text::diagnostic::codes::model::errors::DUPLICATE_DEFINITION;
use paramcheck_text::nearest::nearest;
use paramcheck_text::source::{SourceFile, Span};

use super::console::Console;
use super::process::{self, Instead};
use super::{files, labs, rcheck};

/// The text of a rewriting system, if it is there at `deadline`.
///
/// # Errors
/// Why the file can't be read, or is none by its name.
pub(super) fn read_text(path: &Path, deadline: Option<Instant>) -> Result<SourceFile, files::Refused> {
    match process::language_of(path) {
        _ if labs::is_labs(path) => Err(Box::new((labs::other_model(path), None))),
        _ if rcheck::is_rcheck(path) => Err(Box::new((rcheck::one_instance(path), None))),
        Some(_) => Err(Box::new((process::no_rewriting_system(path, Instead::Verify), None))),
        None => process::text(path, deadline),
    }
}

/// The system in the file `path`, with its text; what is wrong with it is printed, of a process what there is
/// `instead`.
pub(super) fn read(path: &Path, instead: Instead, console: &mut Console) -> Option<(SourceFile, System)> {
    if labs::is_labs(path) {
        console.diagnostic(&labs::other_model(path), None);
        return None;
    }
    if rcheck::is_rcheck(path) {
        console.diagnostic(&rcheck::one_instance(path), None);
        return None;
    }
    if process::language_of(path).is_some() {
        console.diagnostic(&process::no_rewriting_system(path, instead), None);
        return None;
    }
    let source = console.accept(process::text(path, None))?;
    let system = system(&source, console)?;
    Some((source, system))
}

/// The system of `source`; what is wrong with it is printed.
pub(super) fn system(source: &SourceFile, console: &mut Console) -> Option<System> {
    let Lowered { system, diagnostics } = lower::load(&source.text);
    console.diagnostics(&diagnostics, source);
    system
}

/// What was found in an error named or defined on the command line, and the text it stands in.
pub(super) struct Found {
    /// The argument as a text of its own.
    pub source: SourceFile,
    /// What is wrong with it, or what to beware of.
    pub diagnostics: Vec<Diagnostic>,
}

/// The errors that a call asks about.
pub(super) struct Questions {
    /// Those that have a meaning.
    pub errors: Vec<NamedError>,
    /// What was found in the others, and warnings of those defined in the call.
    pub found: Vec<Found>,
}

impl Questions {
    /// Whether one of them has no meaning.
    pub(super) fn is_bad(&self) -> bool {
        has_errors(&self.found)
    }
}

fn has_errors(found: &[Found]) -> bool {
    found.iter().flat_map(|found| &found.diagnostics).any(Diagnostic::is_error)
}

/// The errors to ask about: all of the system, or those that `--error` names or defines.
pub(super) fn questions(system: &System, wanted: &[String]) -> Questions {
    if wanted.is_empty() {
        let named = system.errors.iter().cloned();
        let errors = std::iter::once(System::deadlock()).chain(named).collect();
        return Questions { errors, found: Vec::new() };
    }
    let mut questions = Questions { errors: Vec::new(), found: Vec::new() };
    for text in wanted {
        match question(system, text) {
            // The same question twice has one answer.
            Ok((error, _)) if questions.errors.contains(&error) => {}
            Ok((error, _)) if questions.errors.iter().any(|known| known.name == error.name) => {
                questions.found.push(defined_twice("--error", text, &error.name));
            }
            Ok((error, found)) => {
                questions.errors.push(error);
                questions.found.push(found);
            }
            Err(found) => questions.found.push(found),
        }
    }
    questions
}

/// The error that one `--error` names or defines, with warnings of it.
///
/// # Errors
/// What is wrong with it.
pub(super) fn question(system: &System, text: &str) -> Result<(NamedError, Found), Found> {
    let source = SourceFile::new("--error", text);
    if !text.contains('=') {
        let name = text.trim();
        return match system.error_named(name) {
            Some(error) => Ok((error, Found { source, diagnostics: Vec::new() })),
            None => Err(Found { diagnostics: vec![no_such_error(system, text, name)], source }),
        };
    }
    let (definition, mut diagnostics) = parser::parse_error_definition(text);
    if let Some(definition) = definition {
        match lower::lower_error(system, &definition) {
            Ok((error, warnings)) if diagnostics.is_empty() => {
                return Ok((error, Found { source, diagnostics: warnings }));
            }
            Ok(_) => {}
            Err(more) => diagnostics.extend(more),
        }
    }
    Err(Found { source, diagnostics })
}

/// The properties of runs that a call asks about.
pub(super) struct Properties {
    /// Those that have a meaning.
    pub properties: Vec<Property>,
    /// What was found in the others, and warnings.
    pub found: Vec<Found>,
}

impl Properties {
    /// Whether one of them has no meaning.
    pub(super) fn is_bad(&self) -> bool {
        has_errors(&self.found)
    }
}

/// The properties that `--ltl` defines.
pub(super) fn properties(system: &System, wanted: &[String]) -> Properties {
    let mut asked = Properties { properties: Vec::new(), found: Vec::new() };
    for text in wanted {
        match property(system, text) {
            Ok((property, _)) if asked.properties.iter().any(|known| known.name == property.name) => {
                asked.found.push(defined_twice(PROPERTY, text, &property.name));
            }
            Ok((property, found)) => {
                asked.properties.push(property);
                asked.found.push(found);
            }
            Err(found) => asked.found.push(found),
        }
    }
    asked
}

/// The option that defines properties, as what its text is called.
const PROPERTY: &str = "--ltl";

/// The property that `text` defines, with warnings of it.
///
/// # Errors
/// What is wrong with it.
pub(super) fn property(system: &System, text: &str) -> Result<(Property, Found), Found> {
    let source = SourceFile::new(PROPERTY, text);
    let (definition, mut diagnostics) = parser::parse_property(text);
    if let Some(definition) = definition {
        match lower::lower_property(system, &definition, text) {
            Ok((property, warnings)) if diagnostics.is_empty() => {
                return Ok((property, Found { source, diagnostics: warnings }));
            }
            Ok(_) => {}
            Err(more) => diagnostics.extend(more),
        }
    }
    Err(Found { source, diagnostics })
}

/// What is said of components that properties name and the instance does not have; `texts` are where the
/// properties stand.
pub(super) fn missing_components(
    system: &System,
    net: &Net,
    texts: &[String],
    properties: &[Property],
) -> Vec<Found> {
    let missing = |(text, property): (&String, &Property)| {
        let NoComponent { component, count } = Runs::new(system, net, property).err()?;
        let name = &system.types[component.component_type].name;
        let message = format!("the instance has no component `{name}#{}`", component.number);
        let help = match count {
            0 => format!("it has no component of type `{name}`"),
            1 => format!("it has `{name}#1` alone"),
            _ => format!("it has `{name}#1` to `{name}#{count}`"),
        };
        let diagnostic = Diagnostic::new(&codes::NO_COMPONENT, message, component.span, "unknown").help(help);
        Some(Found { source: SourceFile::new(PROPERTY, text.as_str()), diagnostics: vec![diagnostic] })
    };
    texts.iter().zip(properties).filter_map(missing).collect()
}

/// The `--error` that is about the error of a document: its name, or its definition where the model does not
/// have it.
pub(super) fn evidence(system: &System, name: &str, formula: &str) -> String {
    if system.error_named(name).is_some() { name.to_owned() } else { format!("{name} = {formula}") }
}

fn defined_twice(option: &str, text: &str, name: &str) -> Found {
    let message = format!("`{name}` is defined twice in this call");
    let diagnostic = Diagnostic::new(&DUPLICATE_DEFINITION, message, place(text, name), "the second time")
        .help("give each definition a name of its own");
    Found { source: SourceFile::new(option, text), diagnostics: vec![diagnostic] }
}

/// Where `name` first stands in `text`.
fn place(text: &str, name: &str) -> Span {
    let start = text.find(name).unwrap_or(0);
    Span::new(start, start + name.len())
}

fn no_such_error(system: &System, text: &str, name: &str) -> Diagnostic {
    let mut known = vec!["deadlock"];
    known.extend(system.errors.iter().map(|error| error.name.as_str()));
    let list = itertools::join(known.iter().map(|name| format!("`{name}`")), ", ");
    let help = match nearest(name, known) {
        Some(near) => format!("did you mean `{near}`? The errors of this model are {list}"),
        None => format!("the errors of this model are {list}; 'NAME = #state >= 2' defines another"),
    };
    let message = format!("the model has no error `{name}`");
    Diagnostic::new(&codes::NO_SUCH_ERROR, message, place(text, name), "no error of this name").help(help)
}
