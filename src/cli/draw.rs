//! `paramcheck draw`: pictures of a model, an instance, a proof or a trace.
//!
//! What is drawn is decided from the call alone; [`process`] has the pictures of processes and choreographies,
//! [`labs`] those of agents, [`proof`] those of a proof.

mod labs;
mod process;
mod proof;

use clap::error::ErrorKind;

use paramcheck::picture::{self, TooLarge, View, dot};
use paramcheck::report::text::plural;
use paramcheck::report::written::Drawn;
use paramcheck_model::error::print::print_formula;
use paramcheck_model::error::{ErrorFormula, NamedError};
use paramcheck_model::system::System;
use paramcheck_nets::instance::marking::{Marking, evaluate};
use paramcheck_text::diagnostic::codes::input as codes;
use paramcheck_text::limits::Budget;

use super::args::{DrawArguments, DrawFormat, DrawSubject};
use super::console::Console;
use super::exit::Exit;
use super::labs::is_labs;
use super::process::{Instead, language_of};
use super::selected::{self, SelectedInstance};
use super::session::{Session, Style};
use super::watch::Interrupt;
use super::{Failure, files, marking, model, replay};

/// Runs the command.
pub(super) fn run(arguments: &DrawArguments, console: &mut Console) -> Result<Exit, Failure> {
    // Nothing is kept that is found before the end: Ctrl-C ends it at once, with its exit code.
    Interrupt::install();
    let is_process = language_of(&arguments.file).is_some();
    let is_of_agents = is_labs(&arguments.file);
    if let Some((name, _)) = arguments.parameters.first().filter(|_| !is_of_agents) {
        return usage(&format!("{name}=… is about agents, in files that end in .labs"));
    }
    let what = match is_process || is_of_agents {
        true if arguments.instance.trace.is_some() => DrawSubject::Trace,
        true => DrawSubject::Components,
        false => subject(arguments)?,
    };
    let inputs = || std::iter::once(arguments.file.as_path()).chain(arguments.instance.document());
    files::refuse_stdin_twice(inputs())?;
    let output = arguments.output.as_deref().filter(|path| !files::is_stdin(path));
    if let Some(output) = output
        && inputs().any(|input| files::is_same(output, input))
    {
        return usage("--output names an input: the picture would replace it");
    }
    let style = Style { command: "draw", is_json: arguments.json, is_quiet: false };
    let mut session: Session<'_, (), Drawn> = Session::about(&arguments.file, style, console);
    let picture = if is_of_agents {
        labs::picture(arguments, what, &mut session)?
    } else if is_process {
        process::picture(arguments, session.console)?.map(|(name, text)| {
            session.describe(name, None);
            text
        })
    } else {
        picture(arguments, what, &mut session)?
    };
    match picture {
        Some(text) => {
            let format = arguments.format.name();
            session.deliver(output, format, text, |written| Drawn { what: what.name(), written })?;
        }
        None => session.raise(Exit::InputError),
    }
    session.finish()
}

/// The picture of a rewriting system; `None`, with the reason reported, where there is none.
fn picture(
    arguments: &DrawArguments,
    what: DrawSubject,
    session: &mut Session<'_, (), Drawn>,
) -> Result<Option<String>, Failure> {
    let Some((source, system)) = session.model(&arguments.file, Instead::Verify) else { return Ok(None) };
    let text = match what {
        DrawSubject::Components => match arguments.format {
            DrawFormat::Svg => picture::automata(&system),
            DrawFormat::Dot => Ok(dot::automata(&system)),
        },
        DrawSubject::Proof => match proof::drawn(&system, &source, arguments, session.console)? {
            Ok(text) => text,
            Err(exit) => {
                session.raise(exit);
                return Ok(None);
            }
        },
        _ => {
            let error = arguments.error.as_deref();
            let console = &mut *session.console;
            let budget = Budget::unlimited();
            let found = selected::find_for(&system, &source, &arguments.instance, error, &budget, console)?;
            let Ok(one) = found else { return Ok(None) };
            let Some((marking, view)) = shown(&system, &one, arguments, what, console)? else {
                return Ok(None);
            };
            instance(&system, &one, &marking, &view, what, arguments.format)
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

/// The marking to be drawn, and what is pointed out in it; `None`, with the reason reported, where the call
/// asks for what there is not.
fn shown(
    system: &System,
    one: &SelectedInstance,
    arguments: &DrawArguments,
    what: DrawSubject,
    console: &mut Console,
) -> Result<Option<(Marking, View)>, Failure> {
    let mut view = View { all: arguments.all, ..View::default() };
    let length = one.steps.len();
    if let Some(step) = arguments.step.filter(|&step| step > length) {
        let steps = plural(length, "step");
        return usage(&format!(
            "--step {step}: the trace has {steps}; a number from 0 to {length} is one of its markings"
        ));
    }
    let after = arguments.step.unwrap_or(length);
    let standing = one.marking.clone().unwrap_or_else(|| one.after(after));
    let given = arguments.marking.as_deref();
    let Some(marking) = console.accept(marking::given(system, &one.net, given, standing)) else {
        return Ok(None);
    };
    if what == DrawSubject::Tree {
        return Ok(Some((marking, view)));
    }
    if arguments.step.is_some() && what == DrawSubject::Architecture {
        view.caption.push(match after.checked_sub(1).and_then(|last| one.steps.get(last)) {
            None => format!("step 0 of {length}: the initial states"),
            Some(&step) => {
                format!("after step {after} of {length}: {}", one.net.transition_name(system, step))
            }
        });
    }
    if let Some(wanted) = &arguments.error {
        let Some(error) = replay::evidence_about(system, wanted, true, console) else { return Ok(None) };
        point_out(system, one, &marking, &error, &mut view);
    } else if let Some((name, formula)) = &one.error
        && arguments.marking.is_none()
        && after == length
    {
        // An error of the call that wrote the trace need not be one of the model.
        let defined = model::question(system, name)
            .or_else(|_| model::question(system, &format!("{name} = {formula}")));
        match defined {
            Ok((error, _)) => point_out(system, one, &marking, &error, &mut view),
            Err(_) => view.caption.push(format!("error {name}")),
        }
    }
    Ok(Some((marking, view)))
}

/// Points out the components that make `error` true in `marking`, and says so; or that it is not true there.
fn point_out(
    system: &System,
    one: &SelectedInstance,
    marking: &Marking,
    error: &NamedError,
    view: &mut View,
) {
    let formula = print_formula(system, &error.formula);
    let named =
        if formula == error.name { error.name.clone() } else { format!("{} ({formula})", error.name) };
    if let Some(involved) = picture::involved(system, &one.net, &error.formula, marking) {
        view.caption.push(match error.formula {
            ErrorFormula::Deadlock => {
                "deadlock: nothing is enabled, and these are in no final state".to_owned()
            }
            _ => format!("error {named}"),
        });
        view.marked = involved;
        return;
    }
    let holds = evaluate(system, &one.net, &error.formula, marking);
    view.caption.push(if holds.is_some() {
        format!("not an error: {named}")
    } else {
        format!("error {named}?")
    });
}

fn usage<T>(message: &str) -> Result<T, Failure> {
    Err(Failure::misuse(ErrorKind::ValueValidation, message))
}

/// What is to be drawn; refuses what does not go together.
fn subject(arguments: &DrawArguments) -> Result<DrawSubject, Failure> {
    let has_trace = arguments.instance.trace.is_some();
    let is_marking = arguments.marking.is_some() || arguments.step.is_some();
    let default = match (has_trace, arguments.instance.is_given()) {
        (true, _) if !is_marking => DrawSubject::Trace,
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
    if arguments.step.is_some() && (!has_trace || what != DrawSubject::Architecture) {
        return usage(
            "--step is for the architecture along a trace: give --trace PATH, and --what architecture or none",
        );
    }
    if arguments.error.is_some() && matches!(what, DrawSubject::Components | DrawSubject::Tree) {
        return usage(
            "--error points out components in the architecture of an instance or in a trace: give --size N, \
             --tree TERM or --trace PATH",
        );
    }
    if what == DrawSubject::Trace && arguments.format == DrawFormat::Dot {
        return usage("--as dot: a trace is drawn as SVG only");
    }
    let is_proof = what == DrawSubject::Proof;
    if is_proof && arguments.format == DrawFormat::Dot {
        return usage("--as dot: a proof is drawn as SVG only");
    }
    if is_proof && has_trace {
        return usage("--trace: a proof is drawn in an instance, given by --size N or --tree TERM");
    }
    if is_proof && arguments.instance.document().is_some() {
        return usage("--candidate: a proof is drawn in an instance, given by --size N or --tree TERM");
    }
    if is_proof && arguments.error.is_none() {
        return usage("--what proof: give the error that is proved by --error ERROR");
    }
    if arguments.set.is_some() && !is_proof {
        return usage("--set is for a proof: give --what proof and --error ERROR");
    }
    Ok(what)
}

/// What can be done where a picture would be too large.
fn alternative(what: DrawSubject) -> &'static str {
    match what {
        DrawSubject::Components => "write DOT, which has no limit, for Graphviz to lay out: `--as dot`",
        DrawSubject::Proof => "draw it in a smaller instance: `--size N` or `--tree TERM`",
        DrawSubject::Architecture | DrawSubject::Tree => {
            "leave --all out, or draw a smaller instance, or write DOT, which has no limit: `--as dot`"
        }
        DrawSubject::Trace => {
            "leave --all out, or draw a shorter trace, or go along this one: \
             `paramcheck step FILE --trace PATH`"
        }
    }
}

/// A picture that is about an instance.
fn instance(
    system: &System,
    SelectedInstance { tree, net, steps, .. }: &SelectedInstance,
    marking: &Marking,
    view: &View,
    what: DrawSubject,
    format: DrawFormat,
) -> Result<String, TooLarge> {
    match (what, format) {
        (DrawSubject::Trace, _) => picture::sequence(system, net, steps, view),
        (DrawSubject::Tree, DrawFormat::Svg) => picture::rewriting(system, tree, net, view.all),
        (DrawSubject::Tree, DrawFormat::Dot) => Ok(dot::rewriting(system, tree, net)),
        (_, DrawFormat::Svg) => picture::architecture(system, tree, net, marking, view),
        (_, DrawFormat::Dot) => Ok(dot::architecture(system, net, marking)),
    }
}
