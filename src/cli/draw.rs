//! `paramcheck draw`: pictures of a model, an instance or a trace.

use clap::error::ErrorKind;

use paramcheck::picture::{self, TooLarge, dot};
use paramcheck_model::system::System;
use paramcheck_nets::instance::marking::Marking;
use paramcheck_text::diagnostic::codes::input as codes;

use super::args::{DrawArguments, DrawFormat, DrawSubject};
use super::console::Console;
use super::exit::Exit;
use super::process::Instead;
use super::selected::{self, SelectedInstance};
use super::watch::Interrupt;
use super::{Failure, files, marking, model};

/// Runs the command.
pub(super) fn run(arguments: &DrawArguments, console: &mut Console) -> Result<Exit, Failure> {
    // Nothing is kept that is found before the end: Ctrl-C ends it at once, with its exit code.
    Interrupt::install();
    let what = subject(arguments)?;
    let inputs = || std::iter::once(arguments.file.as_path()).chain(arguments.instance.document());
    files::refuse_stdin_twice(inputs())?;
    let output = arguments.output.as_deref().filter(|path| !files::is_stdin(path));
    if let Some(output) = output
        && inputs().any(|input| files::is_same(output, input))
    {
        return usage("--output names an input: the picture would replace it");
    }
    let Some((source, system)) = model::read(&arguments.file, Instead::Draw, console) else {
        return Ok(Exit::InputError);
    };
    let text = match what {
        DrawSubject::Components => match arguments.format {
            DrawFormat::Svg => picture::automata(&system),
            DrawFormat::Dot => Ok(dot::automata(&system)),
        },
        _ => {
            let Some(one) = selected::find(&system, &source, &arguments.instance, console)? else {
                return Ok(Exit::InputError);
            };
            let given = arguments.marking.as_deref();
            let marking = console.accept(marking::given(&system, &one.net, given, one.end()));
            let Some(marking) = marking else { return Ok(Exit::InputError) };
            instance(&system, &one, &marking, what, arguments.format)
        }
    };
    let text = match text {
        Ok(text) => text,
        Err(reason) => {
            let diagnostic = files::plain(&codes::UNDRAWABLE, reason.to_string()).help(alternative(what));
            console.diagnostic(&diagnostic, None);
            return Ok(Exit::InputError);
        }
    };
    files::write(output, &text, console)
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
        return usage(
            "--what components is about no instance: leave --size, --tree, --trace and --candidate out",
        );
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
    SelectedInstance { tree, net, steps, .. }: &SelectedInstance,
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
