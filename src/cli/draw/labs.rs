//! Pictures of agents of LAbS: what they do, and a run.

use paramcheck::picture::agents;
use paramcheck::replay::labs::replay;
use paramcheck::report::labs::document;
use paramcheck::report::written::Drawn;
use paramcheck_emulation::labs::triples::{MAX_TRIPLES, NotEncoded, Texts, encode};
use paramcheck_labs::model::System;
use paramcheck_labs::semantics::step::Rules;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::input as codes;
use paramcheck_text::limits::Budget;

use super::usage;
use crate::cli::args::{DrawArguments, DrawFormat, DrawSubject};
use crate::cli::labs::{Loaded, load, parameters};
use crate::cli::session::Session;
use crate::cli::{Failure, files};

type DrawSession<'a> = Session<'a, (), Drawn>;

/// The picture of what agents do, or of the run of a document; `None`, with the reason reported, where there is
/// none.
pub(super) fn picture(
    arguments: &DrawArguments,
    what: DrawSubject,
    session: &mut DrawSession<'_>,
) -> Result<Option<String>, Failure> {
    refuse(arguments, what)?;
    let given = parameters(&arguments.parameters)?;
    let Some(path) = &arguments.instance.trace else {
        let Some(loaded) = load(&arguments.file, &given, None, session) else { return Ok(None) };
        return Ok(drawn(what_they_do(arguments, &loaded), session));
    };
    let Some(text) = session.accept(files::read(path, files::TRACE_BYTES)) else { return Ok(None) };
    let run = match document::read(&text, arguments.error.as_deref()) {
        Ok(run) => run,
        Err(diagnostic) => {
            let source = (!diagnostic.labels.is_empty()).then_some(&text);
            session.diagnostic(&diagnostic, source);
            return Ok(None);
        }
    };
    let mut values = run.rules.parameters.clone();
    values.extend(given);
    let loaded = load(&arguments.file, &values, None, session);
    let loaded = loaded.and_then(|loaded| loaded.fitted(run.rules.width(), session));
    let Some(loaded) = loaded else { return Ok(None) };
    let replayed = match replay(&loaded.system, &run) {
        Ok(replayed) => replayed,
        Err(reason) => {
            let message = format!("the run is none of `{}`: {reason}", loaded.source.name);
            let help = "`paramcheck replay` says how far it goes";
            session.diagnostic(&files::plain(&codes::BAD_TRACE, message).help(help), None);
            return Ok(None);
        }
    };
    let steps = (replayed.labels.as_slice(), replayed.replayed.states.as_slice());
    let picture = agents::run::run(&loaded.system, &run, steps, arguments.all);
    let help = if arguments.all {
        "leave --all out: then the first and the last steps are drawn".to_owned()
    } else {
        format!("print the run as text: `paramcheck replay {} …`", files::name(&arguments.file))
    };
    Ok(drawn(picture.map_err(|reason| undrawable(reason.to_string(), help)), session))
}

/// Refuses what there is not of agents.
fn refuse(arguments: &DrawArguments, what: DrawSubject) -> Result<(), Failure> {
    let wanted = arguments.what.unwrap_or(what);
    if wanted != what {
        return usage(
            "--what: of agents their components are drawn, or with --trace PATH a trace, which is a run that \
             `paramcheck verify FILE.labs --json` wrote to PATH",
        );
    }
    let instance = &arguments.instance;
    if instance.size.is_some() || instance.tree.is_some() || instance.candidate.is_some() {
        return usage(
            "--size, --tree and --candidate are about rewriting systems, and the file ends in .labs",
        );
    }
    if arguments.marking.is_some() || arguments.step.is_some() || arguments.set.is_some() {
        return usage("--marking, --step and --set are about rewriting systems, and the file ends in .labs");
    }
    if arguments.error.is_some() && instance.trace.is_none() {
        return usage("--check chooses among runs: give them with --trace PATH");
    }
    if what == DrawSubject::Trace && arguments.format == DrawFormat::Dot {
        return usage("--as dot: a run is drawn as SVG only");
    }
    Ok(())
}

/// The automata of all kinds.
fn what_they_do(arguments: &DrawArguments, loaded: &Loaded) -> Result<String, Diagnostic> {
    let Loaded { source, system } = loaded;
    let structures = encode(system, &Budget::unlimited()).map_err(|reason| {
        let reason = match reason {
            NotEncoded::TooMany => format!("there are more than {MAX_TRIPLES} triples"),
            NotEncoded::Stopped(stop) => stop.to_string(),
        };
        undrawable(reason, "fewer are needed where fewer processes run side by side".to_owned())
    })?;
    let texts = Texts { system, text: &source.text, rules: Rules::default() };
    let name = name(system);
    match arguments.format {
        DrawFormat::Dot => Ok(agents::dot(texts, &structures, &name)),
        DrawFormat::Svg => agents::agents(texts, &structures, &name).map_err(|reason| {
            let help = "write DOT, which has no limit, for Graphviz to lay out: `--as dot`";
            undrawable(reason.to_string(), help.to_owned())
        }),
    }
}

/// What there are agents of.
fn name(system: &System) -> String {
    let kinds = system.kinds.iter().map(|kind| format!("{} {}", kind.agents.len(), kind.name));
    itertools::join(kinds, ", ")
}

fn undrawable(reason: String, help: String) -> Diagnostic {
    files::plain(&codes::UNDRAWABLE, reason).help(help)
}

/// The picture; why there is none is reported.
fn drawn(picture: Result<String, Diagnostic>, session: &mut DrawSession<'_>) -> Option<String> {
    picture.map_err(|diagnostic| session.diagnostic(&diagnostic, None)).ok()
}
