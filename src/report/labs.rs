//! What is reported about agents of LAbS: the answers to properties, with runs written out.
//! The field names are keys of the JSON document (`docs/json.md`).

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use crate::report::{Answer, Reason};
use paramcheck_labs::model::System;
use paramcheck_labs::semantics::step::{Rules, Schedule, Semantics};
use paramcheck_text::source::SourceFile;
use paramcheck_verdict::Status;
use paramcheck_verdict::labs::{self as verdict, Decision, FaultyRun};

mod run;
mod sliver;
mod text;

pub use run::{AgesReport, CellReport, PendingReport, RunReport, StepReport};

/// What was explored, and by which rules.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LabsReport {
    /// Whose rules for messages: `paper` or `sliver`.
    pub semantics: &'static str,
    /// Who acts next: `free`, `round-robin` or `strict-turns`.
    pub schedule: &'static str,
    /// Whether all messages are delivered within the step that causes them.
    pub sync: bool,
    /// How many bits a number has.
    pub int_bits: u32,
    /// Whether numbers wrap around.
    pub wrap: bool,
    /// Only runs of so many steps at most; `None` for all.
    pub max_steps: Option<usize>,
    /// The values of the parameters.
    pub parameters: BTreeMap<String, i64>,
    /// The agents, by their numbers.
    pub agents: Vec<String>,
    /// How many initial states.
    pub initial: usize,
    /// How many states were found: stores, with what each agent has left to do.
    pub states: usize,
    /// How many different stores: values, pending messages, ages.
    pub stores: usize,
    /// How many of these belong to a state in which nothing can happen.
    pub stuck_stores: usize,
    /// How many transitions were found.
    pub transitions: usize,
    /// Whether these are all.
    pub complete: bool,
    /// Wall-clock time of finding them, in milliseconds.
    pub time_ms: f64,
}

/// The answer to a property; or a fault, as a violated one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LabsResult {
    /// The property's name; `fault` for a fault.
    pub check: String,
    /// What it demands, as written.
    pub formula: String,
    /// The answer.
    pub verdict: Answer,
    /// A run that shows it; `None` unless violated.
    pub run: Option<RunReport>,
    /// How many states lie behind the end of the run, without one that fulfils the formula; `None` for
    /// properties of other kinds.
    pub searched: Option<usize>,
    /// Why there is no answer; `None` unless unknown.
    pub reason: Option<Reason>,
    /// What leaves the language at the end of the run; `None` unless that is what is reported.
    pub fault: Option<FaultReport>,
    /// Wall-clock time in milliseconds, without that of finding the states.
    pub time_ms: f64,
}

/// How a run leaves the language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultReport {
    /// What happens, in words.
    pub text: String,
    /// Who acts; `None` where a formula has no value.
    pub agent: Option<String>,
    /// The line of what it does, where that is known.
    pub line: Option<usize>,
    /// The property whose formula has no value.
    pub property: Option<String>,
}

/// The name of the result about a fault.
pub const FAULT: &str = "fault";

impl LabsReport {
    /// What was explored for a decision.
    pub fn new(system: &System, rules: Rules, max_steps: Option<usize>, decision: &Decision) -> Self {
        let explored = decision.explored;
        LabsReport {
            semantics: match rules.semantics {
                Semantics::Paper => "paper",
                Semantics::Sliver => "sliver",
            },
            schedule: schedule_word(rules.schedule),
            sync: rules.is_sync,
            int_bits: rules.width.bits(),
            wrap: rules.width.wraps(),
            max_steps,
            parameters: system.parameters.iter().cloned().collect(),
            agents: system.agents.indices().map(|agent| system.agent_name(agent)).collect(),
            initial: explored.initial,
            states: explored.states,
            stores: explored.stores,
            stuck_stores: explored.stuck_stores,
            transitions: explored.transitions,
            complete: explored.is_complete,
            time_ms: milliseconds(decision.elapsed),
        }
    }
}

/// The word for a schedule.
pub fn schedule_word(schedule: Schedule) -> &'static str {
    match schedule {
        Schedule::Free => "free",
        Schedule::RoundRobin => "round-robin",
        Schedule::StrictTurns => "strict-turns",
    }
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

impl LabsResult {
    /// The answer to a property that demands `formula`.
    pub fn new(system: &System, source: &SourceFile, formula: String, answer: &verdict::Answer) -> Self {
        let mut result = LabsResult {
            check: answer.property.clone(),
            formula,
            verdict: Answer::Unknown,
            run: None,
            searched: None,
            reason: None,
            fault: None,
            time_ms: milliseconds(answer.elapsed),
        };
        match &answer.status {
            Status::Proved(_) => result.verdict = Answer::Proved,
            Status::Violated(violation) => {
                result.verdict = Answer::Violated;
                result.run = Some(RunReport::new(system, source, &violation.run));
                result.searched = violation.searched;
            }
            Status::Unknown(why) => {
                result.reason = Some(Reason { code: why.code(), text: why.to_string(), at: None });
            }
        }
        result
    }

    /// The result about a fault.
    pub fn of_fault(system: &System, source: &SourceFile, fault: &FaultyRun) -> Self {
        let run = RunReport::new(system, source, &fault.run);
        LabsResult {
            check: FAULT.to_owned(),
            formula: "no run leaves the language".to_owned(),
            verdict: Answer::Violated,
            fault: Some(FaultReport {
                text: fault.fault.to_string(),
                agent: run::failing_agent(system, &fault.run.ending),
                line: fault.place.map(|place| source.line_column(place.start).0),
                property: fault.property.clone(),
            }),
            run: Some(run),
            searched: None,
            reason: None,
            time_ms: 0.0,
        }
    }
}
