//! Runs of agents: from a system and a document to an answer, by the rules alone.

use paramcheck::replay::labs::{NotReplayed, ReplayedRun, has_no_value, replay, violates};
use paramcheck::report::evidence::LabsReplayReport;
use paramcheck::report::labs::FAULT;
use paramcheck::report::labs::document::{self, LabsTrace};
use paramcheck::report::text::plural;
use paramcheck_labs::model::System;

use super::{Answer, SessionStyle};
use crate::cli::args::ReplayArguments;
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::labs::{Loaded, Question, load, parameters, questions};
use crate::cli::session::Session;
use crate::cli::verify::usage;
use crate::cli::{Failure, files};

type ReplaySession<'a> = Session<'a, (), LabsReplayReport>;

/// Runs the command.
pub(super) fn run(arguments: &ReplayArguments, console: &mut Console) -> Result<Exit, Failure> {
    let style = SessionStyle { command: "replay", is_json: arguments.json, is_quiet: false };
    let (Some(trace), given) = arguments.trace(true)? else {
        return Err(usage("--candidate is about rewriting systems, and the file ends in .labs"));
    };
    files::refuse_stdin_twice([arguments.model.as_path(), trace])?;
    let given = parameters(&given)?;
    let mut session: ReplaySession<'_> = Session::about(&arguments.model, style, console);
    let Some(text) = session.accept(files::read(trace, files::TRACE_BYTES)) else { return session.finish() };
    let name =
        arguments.error.as_deref().map(|error| error.split_once('=').map_or(error, |(name, _)| name).trim());
    let document = match document::read(&text, name) {
        Ok(document) => document,
        Err(diagnostic) => {
            let source = (!diagnostic.labels.is_empty()).then_some(&text);
            session.diagnostic(&diagnostic, source);
            return session.finish();
        }
    };
    let mut values = document.rules.parameters.clone();
    values.extend(given.clone());
    let loaded = load(&arguments.model, &values, None, &mut session);
    let loaded = loaded.and_then(|loaded| loaded.fitted(document.rules.width(), &mut session));
    let Some(loaded) = loaded else { return session.finish() };
    let question = match question(arguments, &loaded, &document, &mut session) {
        Ok(question) => question,
        Err(Unanswerable) => return session.finish(),
    };
    let other = given.iter().find(|(name, value)| document.rules.parameters.get(*name) != Some(*value));
    let answer = match other {
        Some((name, value)) => fails(format!("fails: the run is not one of {name}={value}"), None),
        None => answer(&loaded.system, &document, question.as_ref()),
    };
    if let Some(shown) = answer.shown.filter(|_| !arguments.quiet) {
        let agents = agents(&loaded.system);
        session.lines(&document.run.text(&agents, shown, arguments.full))?;
    }
    session.lines(&format!("{}\n", answer.line))?;
    session.raise(answer.exit);
    session.document.add(LabsReplayReport {
        check: question.as_ref().map(|one| one.property.name.clone()).or(document.check.clone()),
        formula: question.as_ref().map(|one| one.formula.clone()).or(document.formula.clone()),
        verdict: answer.verdict(),
        steps: answer.steps,
        refusal: answer.refusal,
        trace: document,
    });
    session.finish()
}

fn agents(system: &System) -> Vec<String> {
    system.agents.indices().map(|agent| system.agent_name(agent)).collect()
}

/// What is wrong with the question was reported.
struct Unanswerable;

/// The property that the run is to violate: that of the call, or that of the document. It need not be in the file.
fn question(
    arguments: &ReplayArguments,
    loaded: &Loaded,
    document: &LabsTrace,
    session: &mut ReplaySession<'_>,
) -> Result<Option<Question>, Unanswerable> {
    let is_known = |name: &str| loaded.system.properties.iter().any(|one| one.name == name);
    let wanted = match (&arguments.error, &document.check, &document.formula) {
        (Some(error), _, _) if error.trim() != FAULT => error.clone(),
        (None, Some(name), _) if is_known(name) => name.clone(),
        (None, Some(name), Some(formula)) if name != FAULT => format!("{name} = {formula}"),
        (None, Some(name), None) if name != FAULT => name.clone(),
        _ => return Ok(None),
    };
    match questions(loaded, &[wanted], "--check", session).pop() {
        Some(question) => Ok(Some(question)),
        None => Err(Unanswerable),
    }
}

/// That a run does not replay, or not to its end; so many steps do, and are shown.
fn fails(line: String, steps: Option<usize>) -> Answer {
    let refusal = line.trim_start_matches("fails").trim_start_matches([':', ' ']).to_owned();
    let refusal = refusal.strip_prefix("at ").unwrap_or(&refusal).to_owned();
    Answer { steps: steps.unwrap_or(0), shown: steps, line, refusal: Some(refusal), exit: Exit::Violated }
}

fn answer(system: &System, document: &LabsTrace, question: Option<&Question>) -> Answer {
    let mut run = match replay(system, document) {
        Ok(run) => run,
        Err(reason) => {
            if let NotReplayed::TooMuch = reason {
                let line = format!("not decided: {reason}");
                let refusal = Some(reason.to_string());
                return Answer { steps: 0, shown: None, line, refusal, exit: Exit::Unknown };
            }
            let (at, steps) = match &reason {
                NotReplayed::Step { step, .. } => (" at", Some(step - 1)),
                NotReplayed::End(_) => (" at", Some(document.run.steps.len())),
                NotReplayed::Rules(_) | NotReplayed::Initial(_) | NotReplayed::TooMuch => (":", None),
            };
            return fails(format!("fails{at} {reason}"), steps);
        }
    };
    let steps = run.labels.len();
    let counted = plural(steps, "step");
    let replays =
        |line: String| Answer { steps, shown: Some(steps), line, refusal: None, exit: Exit::AllProved };
    match question {
        Some(question) => violation(system, document, question, &mut run, &counted),
        None => match no_value(system, document, &run) {
            Some(Ok(line)) => replays(format!("replays: {counted}, {line}")),
            Some(Err(reason)) => {
                fails(format!("fails at the end: {counted} replay, but {reason}"), Some(steps))
            }
            None => replays(format!("replays: {counted}, ends as given")),
        },
    }
}

/// What there is to say about a fault at the end; `None` where the run is not about one.
fn no_value(system: &System, document: &LabsTrace, run: &ReplayedRun<'_>) -> Option<Result<String, String>> {
    let fault = document.fault.as_ref()?;
    let Some(name) = &fault.property else {
        return Some(Ok(format!("then a step leaves the language: {}", fault.text)));
    };
    let property = system.properties.iter().find(|one| one.name == *name);
    Some(match property.is_some_and(|property| has_no_value(system, property, run)) {
        true => Ok(format!("and `{name}` has no value there: {}", fault.text)),
        false => Err(format!("`{name}` has a value there, or is no property of the file")),
    })
}

/// Whether the run violates a property.
fn violation(
    system: &System,
    document: &LabsTrace,
    question: &Question,
    run: &mut ReplayedRun<'_>,
    counted: &str,
) -> Answer {
    let steps = run.labels.len();
    let named = format!("`{}` ({})", question.property.name, question.formula);
    match violates(system, &question.property, run, document.rules.max_steps) {
        Some(Ok(closed)) => Answer {
            steps,
            shown: Some(steps),
            line: match closed {
                None => format!("replays: {counted}, and violates {named}"),
                Some(states) => format!(
                    "replays: {counted}, and violates {named}: the formula is true in none of {} behind its end",
                    plural(states, "state")
                ),
            },
            refusal: None,
            exit: Exit::AllProved,
        },
        Some(Err(reason)) => {
            let line = format!("fails at the end: {counted} replay, but do not violate {named}: {reason}");
            fails(line, Some(steps))
        }
        None => {
            let undecided = "whether it violates it is too much work to decide";
            Answer {
                steps,
                shown: Some(steps),
                line: format!("replays: {counted}, but of {named}: {undecided}"),
                refusal: Some(undecided.to_owned()),
                exit: Exit::Unknown,
            }
        }
    }
}
