//! Agents of LAbS: from a file and the values of its parameters to a system and the questions about it.
//!
//! [`answers`] has them answered and prints what comes out, for `verify` and `labs`; [`explore`] counts
//! states.

use std::borrow::Cow;
use std::path::Path;
use std::time::Instant;

use clap::error::ErrorKind;
use serde::Serialize;

use paramcheck_labs::ast::{Section, Variable};
use paramcheck_labs::lower::Lowered;
use paramcheck_labs::model::{Property, System};
use paramcheck_labs::number::Width;
use paramcheck_labs::{Parameters, lower, parser};
use paramcheck_text::diagnostic::codes::labs::meaning::{MISPLACED, NO_INITIAL_STATE, OUT_OF_RANGE};
use paramcheck_text::diagnostic::codes::process::calls::{NO_SUCH_CHECK, OTHER_KIND_OF_FILE};
use paramcheck_text::diagnostic::{Diagnostic, Label};
use paramcheck_text::nearest::nearest;
use paramcheck_text::source::{SourceFile, Span};
use paramcheck_verdict::labs::NoStart;

use super::args::labs::{Parameter, RulesArguments};
use super::session::Session;
use super::{Failure, files, process};

pub(super) mod answers;
mod backends;
pub(super) mod command;
pub(super) mod explore;
mod simulated;

/// Whether a file's name is one of a system of agents.
pub(super) fn is_labs(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "labs")
}

/// An option about agents that was given.
pub(super) fn given(
    parameters: &[Parameter],
    steps: Option<usize>,
    rules: &RulesArguments,
) -> Option<&'static str> {
    let parameter = (!parameters.is_empty()).then_some("a value such as n=3");
    parameter.or(steps.map(|_| "--steps")).or(rules.given())
}

/// The diagnostic for a system of agents where another model is read, with what there is instead.
pub(super) fn other_model(path: &Path) -> Diagnostic {
    let name = files::name(path);
    let message = format!("`{name}` is a system of agents, by its name");
    files::plain(&OTHER_KIND_OF_FILE, message).help(format!(
        "its properties are checked with `paramcheck verify {name}`, its states counted with \
         `paramcheck explore {name}`; values of parameters follow the file: `n=3`"
    ))
}

/// The values of parameters by name.
///
/// # Errors
/// One is given twice.
pub(super) fn parameters(given: &[Parameter]) -> Result<Parameters, Failure> {
    let mut parameters = Parameters::new();
    for (name, value) in given {
        if parameters.insert(name.clone(), *value).is_some() {
            let message = format!("the parameter `{name}` is given twice");
            return Err(Failure::misuse(ErrorKind::ArgumentConflict, message));
        }
    }
    Ok(parameters)
}

/// A system with its text, as read from a file.
pub(super) struct Loaded {
    /// The text.
    pub source: SourceFile,
    /// The system, which calls no function of C.
    pub system: System,
}

impl Loaded {
    /// The same with initial values that are numbers of this width; `None`, with the reason reported, where one is
    /// none.
    pub(super) fn fitted<F: Serialize, R: Serialize>(
        mut self,
        width: Width,
        session: &mut Session<'_, F, R>,
    ) -> Option<Loaded> {
        let fitted = self.system.fitted(width).map(Cow::into_owned);
        match fitted {
            Ok(system) => self.system = system,
            Err((cell, value)) => {
                let reason = NoStart::OutOfRange(cell, value);
                session.diagnostic(&no_start(&self.source, &self.system, reason), Some(&self.source));
                return None;
            }
        }
        Some(self)
    }
}

/// Reads a system; `None`, with the reason reported, where there is none.
pub(super) fn load<F: Serialize, R: Serialize>(
    path: &Path,
    parameters: &Parameters,
    deadline: Option<Instant>,
    session: &mut Session<'_, F, R>,
) -> Option<Loaded> {
    let source = session.accept(process::text(path, deadline))?;
    let Lowered { system, diagnostics } = paramcheck_labs::load(&source.text, parameters);
    session.diagnostics(&diagnostics, &source);
    let system = system?;
    session.describe(spawned(&system), None);
    if let Some(diagnostic) = foreign(&system) {
        session.diagnostic(&diagnostic, Some(&source));
        return None;
    }
    Some(Loaded { source, system })
}

/// What there are agents of: `2 Node, 3 Phil`.
fn spawned(system: &System) -> String {
    let kinds = system.kinds.iter().map(|kind| format!("{} {}", kind.agents.len(), kind.name));
    itertools::join(kinds, ", ")
}

/// The diagnostic that a function of C is called, which can't be carried out here.
fn foreign(system: &System) -> Option<Diagnostic> {
    let (name, place) = system.foreign()?;
    Some(foreign_call(name, place))
}

fn foreign_call(name: &str, place: Option<Span>) -> Diagnostic {
    let message = format!("`${name}(…)` is a function of a C program, which is not here");
    let labels = place.map(|span| Label { span, text: "called here".to_owned() });
    let labels = labels.into_iter().collect();
    let diagnostic = Diagnostic { labels, ..files::plain(&MISPLACED, message) };
    diagnostic.help("write what it computes as an expression of LAbS")
}

/// The diagnostic that nothing can be decided.
pub(super) fn no_start(source: &SourceFile, system: &System, reason: NoStart) -> Diagnostic {
    let sections = parser::parse(&source.text).file.sections;
    if let NoStart::OutOfRange(cell, value) = reason {
        let (agent, name) = system.cell_name(cell);
        let whose = agent.map(|agent| format!(" of {}", system.agent_name(agent))).unwrap_or_default();
        let message = format!("`{name}`{whose} starts with {value}, which leaves the range of numbers");
        let help =
            "give it another value, or numbers more bits with --int-bits 32; --wrap lets them wrap around";
        let kind = agent.map(|agent| system.kinds[system.agents[agent]].name.as_str());
        return match declared(&sections, kind, name.split('[').next().unwrap_or(&name)) {
            Some(span) => Diagnostic::new(&OUT_OF_RANGE, message, span, "").help(help),
            None => files::plain(&OUT_OF_RANGE, message).help(help),
        };
    }
    let assumed = sections.iter().find_map(|section| match section {
        Section::Assume(section) => Some(section.span),
        _ => None,
    });
    let word = |span: Span| Span::new(span.start, span.start + "assume".len());
    let help = match reason {
        NoStart::NoInitialState => "weaken the assumptions, or give the variables more initial values",
        NoStart::Assumption(_) => "say in the assumptions only what has a value",
        NoStart::OutOfRange(..) => "give the variables other initial values",
        NoStart::NotFound(_) => "give the variables fewer initial values, or leave out --simulate",
    };
    let message = match reason {
        NoStart::NotFound(_) => format!("no initial state was found: {reason}"),
        _ => format!("there is no initial state: {reason}"),
    };
    match assumed {
        Some(span) => Diagnostic::new(&NO_INITIAL_STATE, message, word(span), "").help(help),
        None => files::plain(&NO_INITIAL_STATE, message).help(help),
    }
}

/// Where a variable is declared, given by its name and the kind that has it.
fn declared(sections: &[Section], kind: Option<&str>, name: &str) -> Option<Span> {
    sections.iter().find_map(|section| {
        let variables: Vec<&Variable> = match section {
            Section::System(system) if kind.is_none() => {
                system.environment.iter().map(|one| &one.variable).collect()
            }
            Section::Agent(agent) if kind == Some(agent.name.text.as_str()) => {
                agent.interface.iter().map(|one| &one.variable).collect()
            }
            Section::Stigmergy(stigmergy) if kind.is_some() => {
                stigmergy.tuples.iter().flat_map(|tuple| &tuple.variables).collect()
            }
            _ => return None,
        };
        variables.iter().find(|one| one.name.text == name).map(|one| one.name.span)
    })
}

/// A property in question, and what it demands as written.
pub(super) struct Question {
    /// The property.
    pub property: Property,
    /// What it demands.
    pub formula: String,
}

/// The properties to ask about: all of the file, or those that `wanted` names or defines. What is wrong with
/// these is reported.
pub(super) fn questions<F: Serialize, R: Serialize>(
    loaded: &Loaded,
    wanted: &[String],
    option: &str,
    session: &mut Session<'_, F, R>,
) -> Vec<Question> {
    let Loaded { source, system } = loaded;
    let of_file =
        |property: &Property| Question { formula: property.text(&source.text), property: property.clone() };
    if wanted.is_empty() {
        return system.properties.iter().map(of_file).collect();
    }
    let mut questions: Vec<Question> = Vec::new();
    for text in wanted {
        if text.contains('=') {
            let given = SourceFile::new(option, text.as_str());
            if let Some(property) = defined(system, &given, session) {
                questions.push(Question { formula: property.text(text), property });
            }
            continue;
        }
        let name = text.trim();
        match system.properties.iter().find(|one| one.name == name) {
            Some(found) if questions.iter().any(|one| one.property.name == found.name) => {}
            Some(found) => questions.push(of_file(found)),
            None => session.diagnostic(&no_such_property(system, name, option), None),
        }
    }
    questions
}

/// A property defined in the call.
fn defined<F: Serialize, R: Serialize>(
    system: &System,
    given: &SourceFile,
    session: &mut Session<'_, F, R>,
) -> Option<Property> {
    let (property, diagnostics) = parser::parse_property(&given.text);
    session.diagnostics(&diagnostics, given);
    let property = property.filter(|_| !diagnostics.iter().any(Diagnostic::is_error))?;
    match lower::property(system, &property) {
        Ok((property, warnings)) => {
            session.diagnostics(&warnings, given);
            if let Some(name) = property.foreign() {
                session.diagnostic(&foreign_call(name, Some(property.span)), Some(given));
                return None;
            }
            Some(property)
        }
        Err(diagnostics) => {
            session.diagnostics(&diagnostics, given);
            None
        }
    }
}

fn no_such_property(system: &System, name: &str, option: &str) -> Diagnostic {
    let names: Vec<&str> = system.properties.iter().map(|one| one.name.as_str()).collect();
    let list = itertools::join(names.iter().map(|name| format!("`{name}`")), ", ");
    let define = format!("{option} '{name} = always …' defines one");
    let help = match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? The properties of this file are {list}"),
        None if names.is_empty() => format!("the file has none; {define}"),
        None => format!("the properties of this file are {list}; {define}"),
    };
    files::plain(&NO_SUCH_CHECK, format!("the file has no property `{name}`")).help(help)
}
