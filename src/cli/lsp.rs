//! `paramcheck lsp`: a server for editors, on standard input and output.
//!
//! The protocol is the crate `language-server`'s; here are the streams, and the answers. A question comes
//! from the server with the budget of a moment; the answer goes back as the words that checking prints.

mod labs;

use std::io::{self, BufReader};

use paramcheck::report::processes::{CheckResult, RunReport, StepReport, Verification};
use paramcheck::report::text::{self, Detail, Style, plural};
use paramcheck::report::{Answer as Word, Question, Step as StepOfTrace, build};
use paramcheck_language_server::{Answer, Decider, Place, Settings, Step, Subject, serve};
use paramcheck_model::error::NamedError;
use paramcheck_model::system::System;
use paramcheck_process::model::System as ProcessSystem;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_process::show;
use paramcheck_text::limits::Budget;
use paramcheck_text::source::SourceFile;
use paramcheck_verdict::process::{self as process_verdict, ProcessChecks};
use paramcheck_verdict::{Options, Status};

use super::args::LspArguments;
use super::console::Console;
use super::exit::Exit;
use super::explain;

/// Runs the command.
pub(super) fn run(arguments: &LspArguments, console: &mut Console) -> Exit {
    let default = Settings::default();
    let settings =
        Settings { time_limit: arguments.time_limit.unwrap_or(default.time_limit), explain: explain::word };
    match serve(BufReader::new(io::stdin()), io::stdout(), Box::new(Direct), settings) {
        Ok(()) => Exit::AllProved,
        Err(reason) => {
            console.problem(&format!("the editor's messages can't be followed: {reason}"));
            Exit::InputError
        }
    }
}

/// The direct engine and the explorer, with their defaults.
struct Direct;

impl Decider for Direct {
    fn decide(&self, subject: &Subject<'_>, question: usize, budget: &Budget) -> Option<Answer> {
        match *subject {
            Subject::Rewriting { system, errors } => rewriting(system, errors.get(question)?, budget),
            Subject::Process { name, system } => process(name, system, question, budget),
            Subject::Agents { name, text, system } => {
                labs::answer(&SourceFile::new(name, text), system, question, budget)
            }
        }
    }
}

/// How the whole answer is printed.
const STYLE: Style = Style { color: false, detail: Detail::Normal, full: false, name_width: 0 };

fn rewriting(system: &System, error: &NamedError, budget: &Budget) -> Option<Answer> {
    // One thread: the others are the editor's.
    let options = Options { budget: budget.clone(), ..Options::default() };
    let verdict = paramcheck_verdict::decide(system, error, &options).ok()?;
    let question = build::question(system, &verdict);
    let steps =
        question.trace.iter().flatten().map(|step| Step { text: text::step(step), place: place(step) });
    Some(Answer {
        verdict: question.verdict.word(),
        title: title(&question),
        steps: steps.collect(),
        text: text::question(&question, "", &STYLE),
    })
}

/// The answer in a few words: `proved for every size, by trap (0.8 ms)`.
fn title(question: &Question) -> String {
    let summary = text::summary(question);
    let text = match question.verdict {
        Word::Proved => format!("proved {summary}"),
        Word::Unknown => format!("unknown: {summary}"),
        Word::Violated => {
            let size = question.instance.as_ref().map_or(0, |instance| instance.size);
            let steps = question.trace.as_ref().map_or(0, Vec::len);
            match steps {
                0 => format!("violated with {}, at the start", plural(size, "component")),
                _ => format!("violated with {}, after {}", plural(size, "component"), plural(steps, "step")),
            }
        }
    };
    let remark = if question.remarks.is_empty() { "" } else { ", with a remark" };
    format!("{text}{remark} ({})", text::time(question.time_ms))
}

/// Where the model allows a step.
fn place(step: &StepOfTrace) -> Place {
    match (step.interaction, step.participants.first()) {
        (None, Some(alone)) => Place::Transition {
            component: alone.component.split('#').next().unwrap_or_default().to_owned(),
            from: alone.from.clone(),
            to: alone.to.clone(),
        },
        _ => Place::Interaction { rule: step.rule.clone(), text: step.text.clone() },
    }
}

fn process(name: &str, system: &ProcessSystem, question: usize, budget: &Budget) -> Option<Answer> {
    let check = system.checks.get(question)?;
    let options = process_verdict::Options { budget: budget.clone(), ..process_verdict::Options::default() };
    let subject = ProcessChecks { name, system, checks: std::slice::from_ref(check) };
    let decision = process_verdict::decide(&subject, true, &[], &options);
    let verification = Verification::new("native", Schedule::Any, &decision);
    let verdict = decision.verdicts.first()?;
    let mut result = CheckResult::new(&show::goal(system, &check.goal), verdict)?;
    if let Some(Status::Violated(run)) = verdict.answer().map(|answer| &answer.status) {
        result.run = Some(RunReport::new(system, &decision.agents, run));
    }
    let run = result.run.as_ref();
    let steps = run.iter().flat_map(|run| &run.steps).map(|step| Step {
        text: words(step),
        place: Place::Action {
            action: action(step),
            agents: step.participants.iter().map(|one| one.agent.clone()).collect(),
        },
    });
    let what = match result.verdict {
        Word::Proved => format!(" in any order, {}", plural(verification.states.unwrap_or(0), "state")),
        Word::Violated => run.map_or(String::new(), |run| length(run.steps.len(), run.loop_start)),
        Word::Unknown => format!(": {}", result.reason.as_ref().map_or("", |reason| reason.text.as_str())),
    };
    let time = text::time(verification.time_ms + result.time_ms);
    Some(Answer {
        verdict: result.verdict.word(),
        title: format!("{}{what} ({time})", result.verdict.word()),
        steps: steps.collect(),
        text: verification.result(&result, &STYLE).trim_start().to_owned(),
    })
}

/// A step of a run in a line: `tau (vote)  COORD, WORKER`.
fn words(step: &StepReport) -> String {
    let via = step.via.as_ref().map_or(String::new(), |via| format!(" ({via})"));
    let who = itertools::join(step.participants.iter().map(|one| &one.agent), ", ");
    format!("{}{via}  {who}", step.label)
}

/// How long a run is: ` after 5 steps`, `: 4 steps for ever`.
fn length(count: usize, loop_start: Option<usize>) -> String {
    let steps = plural(count, "step");
    match loop_start {
        None if count == 0 => " at the start".to_owned(),
        None => format!(" after {steps}"),
        Some(0) => format!(": {steps} for ever"),
        Some(start) => {
            format!(": {}, then {} for ever", plural(start, "step"), count - start)
        }
    }
}

/// The action, without its place.
fn action(step: &StepReport) -> Option<String> {
    let label = step.via.as_deref().unwrap_or(&step.label);
    let name = label.split('@').next().unwrap_or(label);
    (name != "tau").then(|| name.to_owned())
}
