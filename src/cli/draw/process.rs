//! Pictures of processes and choreographies.

use paramcheck::picture::{NotDrawn, process as drawn};
use paramcheck::report::run;
use paramcheck_process::show;
use paramcheck_text::diagnostic::codes::input as codes;
use paramcheck_text::diagnostic::codes::process::calls::OTHER_KIND_OF_FILE;
use paramcheck_text::limits::Budget;

use super::super::args::{DrawArguments, DrawFormat, DrawSubject};
use super::super::console::Console;
use super::super::{Failure, files, process};
use super::usage;

/// A process as text, and the picture of its agents, or of the run of a document of `verify`; `None`, with
/// the reason reported, where there is none.
pub(super) fn picture(
    arguments: &DrawArguments,
    console: &mut Console,
) -> Result<Option<(String, String)>, Failure> {
    if !is_about_process(arguments, console)? {
        return Ok(None);
    }
    let Some((source, lowered)) = console.accept(process::load(&arguments.file, None, None)) else {
        return Ok(None);
    };
    console.diagnostics(&lowered.diagnostics, &source);
    let Some(system) = lowered.system else { return Ok(None) };
    let budget = Budget::unlimited();
    let picture = match &arguments.instance.trace {
        None => drawn::agents(&system, &budget),
        Some(path) => {
            let Some(text) = console.accept(files::read(path, files::TRACE_BYTES)) else {
                return Ok(None);
            };
            match run::read(&text, arguments.error.as_deref()) {
                Ok(document) => drawn::run(&system, &document, arguments.all, &budget),
                Err(problem) => {
                    let source = (!problem.labels.is_empty()).then_some(&text);
                    console.diagnostic(&problem, source);
                    return Ok(None);
                }
            }
        }
    };
    match picture {
        Ok(text) => Ok(Some((show::term(&system, system.root, 80), text))),
        Err(NotDrawn::NoRun { step, reason }) => {
            console.problem(&format!("the run is none of `{}`: step {step}: {reason}", source.name));
            Ok(None)
        }
        Err(reason) => {
            let name = files::name(&arguments.file);
            let help = match (arguments.instance.trace.is_some(), arguments.all) {
                (true, true) => "leave --all out: then the first and the last steps are drawn".to_owned(),
                (true, false) => {
                    format!("print the run as text: `paramcheck verify {name}`")
                }
                (false, _) => {
                    format!("write DOT, for Graphviz to lay out: `paramcheck emulate {name} --as dot`")
                }
            };
            console.diagnostic(&files::plain(&codes::UNDRAWABLE, reason.to_string()).help(help), None);
            Ok(None)
        }
    }
}

/// Whether the call asks for what there is of a process; if not, that is reported.
fn is_about_process(arguments: &DrawArguments, console: &mut Console) -> Result<bool, Failure> {
    let name = files::name(&arguments.file);
    if arguments.format == DrawFormat::Dot {
        return usage(&format!(
            "--as dot: a process is written for Graphviz by `paramcheck emulate {name} --as dot`"
        ));
    }
    let has_trace = arguments.instance.trace.is_some();
    let has_none =
        matches!(arguments.what, Some(DrawSubject::Architecture | DrawSubject::Proof | DrawSubject::Tree))
            || (arguments.what == Some(DrawSubject::Trace) && !has_trace)
            || (arguments.what == Some(DrawSubject::Components) && has_trace)
            || arguments.instance.size.is_some()
            || arguments.instance.tree.is_some()
            || arguments.instance.candidate.is_some()
            || arguments.set.is_some()
            || arguments.marking.is_some()
            || arguments.step.is_some()
            || (arguments.error.is_some() && !has_trace);
    if !has_none {
        return Ok(true);
    }
    let message = format!("`{name}` is no rewriting system, by its name");
    let help = format!(
        "of a process its agents are drawn, or with `--trace PATH` a run that `paramcheck verify {name} --json` \
         wrote to PATH"
    );
    console.diagnostic(&files::plain(&OTHER_KIND_OF_FILE, message).help(help), None);
    Ok(false)
}
