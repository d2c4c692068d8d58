//! `paramcheck draw`: pictures of a model, an instance or a trace.

use std::collections::{BTreeMap, HashSet};

use clap::error::ErrorKind;

use paramcheck::picture::{self, TooLarge, dot};
use paramcheck::report::written::Drawn;
use paramcheck_model::system::System;
use paramcheck_nets::instance::marking::Marking;
use paramcheck_nets::instance::net::Net;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::input as codes;
use paramcheck_text::limits::Budget;
use paramcheck_text::nearest::nearest;
use paramcheck_text::source::{SourceFile, Span};

use super::args::{DrawArguments, DrawFormat, DrawSubject};
use super::console::Console;
use super::exit::Exit;
use super::process::Instead;
use super::selected::{self, SelectedInstance};
use super::session::{Session, Style};
use super::watch::Interrupt;
use super::{Failure, files};

/// Runs the command.
pub(super) fn run(arguments: &DrawArguments, console: &mut Console) -> Result<Exit, Failure> {
    // Nothing is kept that is found before the end: Ctrl-C ends it at once, with its exit code.
    Interrupt::install();
    let what = subject(arguments)?;
    let trace = arguments.instance.trace.as_deref();
    files::refuse_stdin_twice(std::iter::once(arguments.file.as_path()).chain(trace))?;
    let output = arguments.output.as_deref().filter(|path| !files::is_stdin(path));
    let inputs = std::iter::once(arguments.file.as_path()).chain(trace);
    if let Some(output) = output
        && inputs.into_iter().any(|input| files::is_same(output, input))
    {
        return usage("--output names an input: the picture would replace it");
    }
    let style = Style { command: "draw", is_json: arguments.json, is_quiet: false };
    let mut session: Session<'_, (), Drawn> = Session::about(&arguments.file, style, console);
    match picture(arguments, what, &mut session)? {
        Some(text) => {
            let format = arguments.format.name();
            session.deliver(output, format, text, |written| Drawn { what: what.name(), written })?;
        }
        None => session.raise(Exit::InputError),
    }
    session.finish()
}

/// The picture; `None`, with the reason reported, where there is none.
fn picture(
    arguments: &DrawArguments,
    what: DrawSubject,
    session: &mut Session<'_, (), Drawn>,
) -> Result<Option<String>, Failure> {
    let Some((source, system)) = session.model(&arguments.file, Instead::Draw) else { return Ok(None) };
    let text = match what {
        DrawSubject::Components => match arguments.format {
            DrawFormat::Svg => picture::automata(&system),
            DrawFormat::Dot => Ok(dot::automata(&system)),
        },
        _ => {
            let budget = Budget::unlimited();
            let found = selected::find(&system, &source, &arguments.instance, &budget, session.console)?;
            let Ok(one) = found else { return Ok(None) };
            let mut marking = one.end();
            if let Some(text) = &arguments.marking
                && let Err(problem) = mark(&system, &one.net, text, &mut marking)
            {
                session.diagnostic(&problem, Some(&SourceFile::new("--marking", text)));
                return Ok(None);
            }
            instance(&system, &one, &marking, what, arguments.format)
        }
    };
    Ok(match text {
        Ok(text) => Some(text),
        Err(reason) => {
            let diagnostic = files::plain(&codes::UNDRAWABLE, reason.to_string()).help(alternative(what));
            session.diagnostic(&diagnostic, None);
            None
        }
    })
}

fn usage<T>(message: &str) -> Result<T, Failure> {
    Err(Failure::misuse(ErrorKind::ValueValidation, message))
}

/// What is to be drawn; refuses what does not go together.
fn subject(arguments: &DrawArguments) -> Result<DrawSubject, Failure> {
    let has_trace = arguments.instance.trace.is_some();
    let default = match (has_trace, arguments.instance.is_given()) {
        (true, _) if arguments.marking.is_none() => DrawSubject::Trace,
        (_, true) => DrawSubject::Architecture,
        (_, false) => DrawSubject::Components,
    };
    let what = arguments.what.unwrap_or(default);
    if what == DrawSubject::Trace && !has_trace {
        return usage("--what trace: give the trace with --trace PATH");
    }
    if what == DrawSubject::Components && arguments.instance.is_given() {
        return usage("--what components is about no instance: leave --size, --tree and --trace out");
    }
    if arguments.marking.is_some() && what != DrawSubject::Architecture {
        return usage(
            "--marking is for the architecture of an instance: give --size N, --tree TERM or --trace PATH, \
             and --what architecture or none",
        );
    }
    if what == DrawSubject::Trace && arguments.format == DrawFormat::Dot {
        return usage("--as dot: a trace is drawn as SVG only");
    }
    Ok(what)
}

/// What can be done where a picture would be too large.
fn alternative(what: DrawSubject) -> &'static str {
    match what {
        DrawSubject::Components => "write DOT, which has no limit, for Graphviz to lay out: `--as dot`",
        DrawSubject::Architecture | DrawSubject::Tree => {
            "draw a smaller instance, which looks like it, or write DOT, which has no limit: `--as dot`"
        }
        DrawSubject::Trace => {
            "draw a shorter trace, or go along this one: `paramcheck step FILE --trace PATH`"
        }
    }
}

/// A picture that is about an instance.
fn instance(
    system: &System,
    SelectedInstance { tree, net, steps }: &SelectedInstance,
    marking: &Marking,
    what: DrawSubject,
    format: DrawFormat,
) -> Result<String, TooLarge> {
    match (what, format) {
        (DrawSubject::Trace, _) => picture::sequence(system, net, steps),
        (DrawSubject::Tree, DrawFormat::Svg) => picture::rewriting(system, tree, net),
        (DrawSubject::Tree, DrawFormat::Dot) => Ok(dot::rewriting(system, tree, net)),
        (DrawSubject::Components | DrawSubject::Architecture, DrawFormat::Svg) => {
            picture::architecture(system, tree, net, marking)
        }
        (DrawSubject::Components | DrawSubject::Architecture, DrawFormat::Dot) => {
            Ok(dot::architecture(system, net, marking))
        }
    }
}

/// Moves the components that `text` names (`Phil#1=eat, Fork#2=busy`) to their states.
fn mark(system: &System, net: &Net, text: &str, marking: &mut Marking) -> Result<(), Box<Diagnostic>> {
    let mut start = 0;
    let mut named = HashSet::new();
    let mut parts = text.split(',').peekable();
    while let Some(part) = parts.next() {
        let span = |inner: &str| {
            let offset = part.find(inner).unwrap_or(0);
            Span::new(start + offset, start + offset + inner.len())
        };
        let wrong = |message: String, inner: &str, label: &str, help: &str| {
            Box::new(Diagnostic::new(&codes::BAD_MARKING, message, span(inner), label).help(help))
        };
        let trimmed = part.trim();
        let Some((name, state)) = trimmed.split_once('=').map(|(name, state)| (name.trim(), state.trim()))
        else {
            // A comma may end the list.
            if trimmed.is_empty() && parts.peek().is_none() {
                break;
            }
            let help = "write COMPONENT=STATE, with commas between, as in 'Phil#1=eat, Fork#2=busy'";
            if trimmed.is_empty() {
                let comma = Span::new(start + part.len(), start + part.len() + 1);
                let message = "nothing stands before a comma";
                let problem = Diagnostic::new(&codes::BAD_MARKING, message, comma, "what is before it?");
                return Err(Box::new(problem.help(help)));
            }
            return Err(wrong(format!("`{trimmed}` says no state"), trimmed, "where is it?", help));
        };
        let Some((id, component)) = net.components().enumerate().find(|(_, one)| one.name == name) else {
            let near = nearest(name, net.components().iter().map(|one| one.name.as_str()));
            let help = near.map_or_else(|| known_components(net), |near| format!("did you mean `{near}`?"));
            return Err(wrong(format!("the instance has no component `{name}`"), name, "unknown", &help));
        };
        let component_type = &system.types[component.component_type];
        let Some(found) = component_type.state_named(state) else {
            let names = component_type.states.iter().map(|state| format!("`{}`", state.name));
            let help = format!("its states are {}", itertools::join(names, ", "));
            let message = format!("`{}` has no state `{state}`", component_type.name);
            return Err(wrong(message, if state.is_empty() { trimmed } else { state }, "unknown", &help));
        };
        if !named.insert(id) {
            let message = format!("`{name}` is named twice");
            return Err(wrong(message, trimmed, "again", "a component is in one state at a time"));
        }
        marking[id] = found;
        start += part.len() + 1;
    }
    Ok(())
}

/// What the components of an instance are called, of each type the first and the last.
fn known_components(net: &Net) -> String {
    let mut types = BTreeMap::new();
    for component in net.components().iter() {
        types.entry(component.component_type).or_insert((component, component)).1 = component;
    }
    let names = types.into_values().map(|(first, last)| match first.name == last.name {
        true => format!("`{}`", first.name),
        false => format!("`{}` to `{}`", first.name, last.name),
    });
    format!("its components are {}", itertools::join(names, ", "))
}
