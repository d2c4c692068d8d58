//! The properties of systems in R-CHECK.

use std::time::Instant;

use super::usage;
use crate::cli::args::schedule::Fairness as Wanted;
use crate::cli::args::verify::VerifyArguments;
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::session::{Session, Style as SessionStyle};
use crate::cli::watch::{Interrupt, Watch, refuse_memory_limit};
use crate::cli::{Failure, files, rcheck};
use paramcheck::report::Answer;
use paramcheck::report::rcheck::{RcheckReport, RcheckResult};
use paramcheck::report::text::{Detail, Style};
use paramcheck_rcheck::parser::Options as Reading;
use paramcheck_text::columns;
use paramcheck_text::diagnostic::codes::input::BUG;
use paramcheck_verdict::rcheck::{Fairness, Options, decide};

/// Why a call can't have what it has.
fn misfit(arguments: &VerifyArguments) -> Option<&'static str> {
    if arguments.size.is_some() || arguments.tree.is_some() {
        return Some(
            "--size and --tree are about rewriting systems: a system that ends in .rcp is one instance",
        );
    }
    if arguments.language.is_some() || arguments.runs.schedule.is_some() {
        return Some("--language and --schedule are not about R-CHECK, and the file ends in .rcp");
    }
    if !arguments.checks.is_empty() || arguments.list {
        return Some(
            "--check and --list go by names, and the properties of a file that ends in .rcp have none",
        );
    }
    if !matches!(arguments.backend, crate::cli::args::verify::Wanted::Native) {
        return Some("--backend: this program alone answers about files that end in .rcp");
    }
    let is_deadlock = |error: &String| error == "deadlock";
    (!arguments.errors.iter().all(is_deadlock)).then_some("--error of a file that ends in .rcp is `deadlock`")
}

/// Runs the command.
pub(super) fn run(arguments: &VerifyArguments, console: &mut Console) -> Result<Exit, Failure> {
    if let Some(message) = misfit(arguments) {
        return Err(usage(message));
    }
    refuse_memory_limit(arguments.limits.memory_limit)?;
    let style = SessionStyle { command: "verify", is_json: arguments.json, is_quiet: arguments.quiet };
    let mut session: Session<'_, RcheckReport, RcheckResult> =
        Session::about(&arguments.file, style, console);
    answer(arguments, &mut session)?;
    session.finish()
}

fn answer(
    arguments: &VerifyArguments,
    session: &mut Session<'_, RcheckReport, RcheckResult>,
) -> Result<(), Failure> {
    let begin = Instant::now();
    let interrupt = Interrupt::install();
    let deadline = arguments.limits.deadline(begin);
    let as_rcheck = arguments.as_rcheck;
    let found = rcheck::read(&arguments.file, Reading { as_rcheck }, deadline, session);
    let Some((source, system)) = found else { return Ok(()) };
    interrupt.start();
    let watch = Watch::new(interrupt, begin, &arguments.limits, session.shows_progress());
    let fairness = match arguments.runs.fair {
        None => Fairness::None,
        Some(Wanted::Weak) => Fairness::Weak,
        Some(Wanted::Strong) => Fairness::Strong,
    };
    let decision = watch.run(&source.name, |budget| {
        let memory = arguments.limits.memory_bytes().and_then(|bytes| usize::try_from(bytes).ok());
        let max_states = arguments.max_states;
        let deadlock = !arguments.errors.is_empty();
        decide(&system, &Options { fairness, max_states, memory, deadlock, budget })
    });
    if watch.interrupt.is_pressed() {
        session.raise(Exit::Interrupted);
    }
    let decision = match decision {
        Ok(decision) => decision,
        Err(reason) => {
            session.diagnostic(&rcheck::no_start(reason), None);
            return Ok(());
        }
    };
    let mut results = Vec::new();
    for (result, bug) in RcheckResult::all(&system, &source, &decision) {
        let Some(bug) = bug else {
            results.push(result);
            continue;
        };
        let message = format!("bug in paramcheck, no answer about `{}`: {bug}", result.check);
        let help = "please report it, with the file and the call";
        session.diagnostic(&files::plain(&BUG, message).help(help), None);
        session.raise(Exit::Bug);
    }
    let report = RcheckReport::new(&system, fairness, as_rcheck, &decision);
    let style = Style {
        color: session.console.output_color(),
        detail: if arguments.quiet { Detail::Quiet } else { Detail::Normal },
        name_width: columns::width(results.iter().map(|one| one.check.as_str()), columns::NAMES),
        ..Style::default()
    };
    let mut text = if arguments.quiet { String::new() } else { report.header(&source.name, &style) };
    for result in &results {
        let is_interrupted = result.reason.as_ref().is_some_and(|reason| reason.code == "interrupted");
        session.raise(match result.verdict {
            Answer::Proved => Exit::AllProved,
            Answer::Violated => Exit::Violated,
            Answer::Unknown if is_interrupted => Exit::Interrupted,
            Answer::Unknown => Exit::Unknown,
        });
        text.push_str(&report.result(result, &style));
    }
    session.lines(&text)?;
    results.into_iter().for_each(|result| session.document.add(result));
    session.found(report);
    Ok(())
}
