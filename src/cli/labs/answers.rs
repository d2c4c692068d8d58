//! The answers to the properties of a system of agents: decided by the library, and printed.

use std::path::Path;
use std::time::Instant;

use paramcheck::report::Answer;
use paramcheck::report::backends::comparison;
use paramcheck::report::labs::{LabsReport, LabsResult};
use paramcheck::report::text::{Detail, Style};
use paramcheck_labs::Parameters;
use paramcheck_labs::model::{Modality, Property};
use paramcheck_labs::semantics::step::Rules;
use paramcheck_text::columns;
use paramcheck_text::diagnostic::codes::input::BUG;
use paramcheck_verdict::labs::{Options, Reductions, decide};

use super::{Loaded, Question, backends, load, no_start, questions};
use crate::cli::Failure;
use crate::cli::args::LimitArguments;
use crate::cli::args::verify::Wanted;
use crate::cli::exit::Exit;
use crate::cli::files;
use crate::cli::session::Session;
use crate::cli::verify::usage;
use crate::cli::watch::{Interrupt, Watch, refuse_memory_limit};

/// A session of these commands.
pub(crate) type LabsSession<'a> = Session<'a, LabsReport, LabsResult>;

/// What is asked, and how it is shown.
pub(crate) struct Request<'a> {
    /// The file.
    pub file: &'a Path,
    /// The values of its parameters.
    pub parameters: Parameters,
    /// The rules.
    pub rules: Rules,
    /// Only runs of so many steps at most.
    pub steps: Option<usize>,
    /// The properties by name, or defined; all of the file, if there are none.
    pub checks: &'a [String],
    /// How the option is called that gives them.
    pub option: &'static str,
    /// Whether no property is asked about, but whether a run faults.
    pub is_bare: bool,
    /// Time and memory.
    pub limits: &'a LimitArguments,
    /// The most states.
    pub max_states: usize,
    /// The most threads; one per processor, if that is not said.
    pub threads: Option<usize>,
    /// Which states are left out.
    pub reductions: Reductions,
    /// Only the verdict lines.
    pub is_quiet: bool,
    /// Runs in the form of SLiVER.
    pub is_sliver: bool,
    /// Runs are made at random.
    pub is_simulation: bool,
    /// Who answers.
    pub backend: Wanted,
}

/// What is asked of a system that was read.
pub(super) struct Asked {
    /// The system and its text.
    pub loaded: Loaded,
    /// The questions.
    pub questions: Vec<Question>,
    /// Their properties.
    pub properties: Vec<Property>,
    /// The limits, which count from the call on.
    pub watch: Watch,
}

/// Reads the system and what is asked; `None`, with the reason reported, where there is nothing to answer.
pub(super) fn asked(request: &Request<'_>, session: &mut LabsSession<'_>) -> Result<Option<Asked>, Failure> {
    refuse_memory_limit(request.limits.memory_limit)?;
    let begin = Instant::now();
    let interrupt = Interrupt::install();
    let deadline = request.limits.deadline(begin);
    let loaded = load(request.file, &request.parameters, deadline, session);
    let loaded = loaded.and_then(|loaded| loaded.fitted(request.rules.width, session));
    let Some(loaded) = loaded else { return Ok(None) };
    let questions = match request.is_bare {
        true => Vec::new(),
        false => questions(&loaded, request.checks, request.option, session),
    };
    // None of those given is there, or means anything, which has been reported.
    if questions.is_empty() && !request.checks.is_empty() && !request.is_bare {
        return Ok(None);
    }
    let questions = bounded(request, questions, session)?;
    let properties: Vec<Property> = questions.iter().map(|one| one.property.clone()).collect();
    interrupt.start();
    let watch = Watch::new(interrupt, begin, request.limits, session.shows_progress());
    Ok(Some(Asked { loaded, questions, properties, watch }))
}

/// How results are printed.
pub(super) fn style(request: &Request<'_>, results: &[LabsResult], session: &LabsSession<'_>) -> Style {
    let is_short = request.is_quiet || request.is_sliver;
    Style {
        color: session.console.output_color(),
        detail: if is_short { Detail::Quiet } else { Detail::Normal },
        name_width: columns::width(results.iter().map(|one| one.check.as_str()), columns::NAMES),
        ..Style::default()
    }
}

/// Answers and prints. The exit code is that of the session; with it the answers.
pub(crate) fn run(
    request: &Request<'_>,
    session: &mut LabsSession<'_>,
) -> Result<Option<Vec<LabsResult>>, Failure> {
    if !matches!(request.backend, Wanted::Native) {
        return backends::run(request, session);
    }
    let Some(Asked { loaded, questions, properties, watch }) = asked(request, session)? else {
        return Ok(None);
    };
    let decision = watch.run(&loaded.source.name, |budget| {
        let options = Options {
            max_states: request.max_states,
            max_steps: request.steps,
            threads: request.threads.unwrap_or_else(all_threads),
            reductions: request.reductions,
            budget,
        };
        decide(&loaded.system, &properties, request.rules, &options)
    });
    if watch.interrupt.is_pressed() {
        session.raise(Exit::Interrupted);
    }
    let decision = match decision {
        Ok(decision) => decision,
        Err(reason) => {
            session.diagnostic(&no_start(&loaded.source, &loaded.system, reason), Some(&loaded.source));
            return Ok(None);
        }
    };
    let mut results = Vec::new();
    if let Some(fault) = &decision.fault {
        results.push(LabsResult::of_fault(&loaded.system, &loaded.source, fault));
    }
    for (question, answer) in questions.into_iter().zip(&decision.answers) {
        if let Some(bug) = &answer.bug {
            report_bug(&answer.property, bug, session);
            continue;
        }
        results.push(LabsResult::new(&loaded.system, &loaded.source, question.formula, answer));
    }
    let report = LabsReport::new(&loaded.system, request.rules, request.steps, &decision);
    show(request, &loaded, report, &results, session)?;
    Ok(Some(results))
}

/// Says that there is no answer about a property, since its evidence does not stand up.
pub(super) fn report_bug(property: &str, bug: &str, session: &mut LabsSession<'_>) {
    let message = format!("bug in paramcheck, no answer about `{property}`: {bug}");
    let help = "please report it, with the file and the call";
    session.diagnostic(&files::plain(&BUG, message).help(help), None);
    session.raise(Exit::Bug);
}

/// One per processor.
pub(super) fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The questions, in runs of at most so many steps. What can still be reached is a question about all runs: in a
/// simulation it is left out, unless the call names it.
fn bounded(
    request: &Request<'_>,
    questions: Vec<Question>,
    session: &mut LabsSession<'_>,
) -> Result<Vec<Question>, Failure> {
    if request.steps.is_none() {
        return Ok(questions);
    }
    let is_about_all =
        |one: &Question| matches!(one.property.modality, Modality::Fairly | Modality::FairlyInfinite);
    let (about_all, others): (Vec<Question>, Vec<Question>) = questions.into_iter().partition(is_about_all);
    match about_all.first() {
        None => Ok(others),
        Some(_) if request.is_simulation && request.checks.is_empty() => {
            let names = about_all.iter().map(|one| format!("`{}`", one.property.name));
            let names = itertools::join(names, ", ");
            session.console.note(&format!(
                "note: left out, as they ask what can be reached after every run, however long: {names}"
            ));
            Ok(others)
        }
        Some(one) => Err(usage(&format!(
            "--steps: `{}` asks what can be reached after every run, however long; leave out --steps, or choose \
             other properties with {}",
            one.property.name, request.option
        ))),
    }
}

pub(super) fn show(
    request: &Request<'_>,
    loaded: &Loaded,
    report: LabsReport,
    results: &[LabsResult],
    session: &mut LabsSession<'_>,
) -> Result<(), Failure> {
    if results.is_empty() && !report.complete {
        session.raise(Exit::Unknown);
    }
    for result in results {
        let is_interrupted = result.reason.as_ref().is_some_and(|reason| reason.code == "interrupted");
        session.raise(match result.verdict {
            Answer::Proved => Exit::AllProved,
            Answer::Violated => Exit::Violated,
            Answer::Unknown if is_interrupted => Exit::Interrupted,
            Answer::Unknown => Exit::Unknown,
        });
    }
    let style = style(request, results, session);
    let mut text = String::new();
    if !request.is_quiet && !request.is_sliver {
        text.push_str(&report.header(&loaded.source.name, &style));
    }
    for result in results {
        if request.is_sliver {
            text.push_str(&result.sliver(&loaded.system).unwrap_or_default());
        }
        text.push_str(&report.result(result, &style));
    }
    if (results.is_empty() || request.is_bare) && !request.is_quiet {
        text.push_str(&match request.is_bare {
            true => report.counts(),
            false => format!("  the file has no property; {} 'NAME = always …' asks one\n", request.option),
        });
    }
    if matches!(request.backend, Wanted::All) && !request.is_quiet && !request.is_sliver {
        let compared = results.iter().map(|result| (result.check.as_str(), result.backends.as_slice()));
        text.push_str(&comparison(compared, &report.missing));
    }
    session.lines(&text)?;
    results.iter().cloned().for_each(|result| session.document.add(result));
    session.found(report);
    Ok(())
}
