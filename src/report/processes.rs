//! What `paramcheck verify` reports: the answers to the checks of a process, or about the errors of an
//! instance.
//! The field names are keys of its JSON document (`docs/json.md`).

use std::time::Duration;

use serde::Serialize;

use crate::report::advice::Advice;
use crate::report::backends::{BackendResult, MissingBackend};
use crate::report::trace::TraceDocument;
use crate::report::{Answer, Reason, Remark};
use paramcheck_process::model::System;
use paramcheck_process::semantics::check::{Execution, ExecutionStep, RunEnd, Schedule};
use paramcheck_process::show;
use paramcheck_verdict::Status;
use paramcheck_verdict::process::{self as verdict, ActionLabels, CheckVerdict, Decision};

mod text;

/// The answers about one file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verification {
    /// Who answered: `native`, a back end by name, or `all`.
    pub backend: String,
    /// What was assumed of the order in which agents act: `any`, `fair`, `fair-strong` or `round-robin`.
    pub schedule: &'static str,
    /// The instance in question; `None` for a process.
    pub instance: Option<InstanceHead>,
    /// The agents, from the left; of an instance its components.
    pub agents: Vec<String>,
    /// How many states were found; `None` where the native back end was left out.
    pub states: Option<usize>,
    /// How many transitions were found, whoever takes part; `None` also where they were not counted.
    pub transitions: Option<usize>,
    /// Whether these are all; likewise.
    pub complete: Option<bool>,
    /// Wall-clock time of finding them, in milliseconds.
    pub time_ms: f64,
    /// With `all`, the back ends that are not there.
    pub missing: Vec<MissingBackend>,
    /// One per check, in source order; in the document they are its results.
    #[serde(skip)]
    pub results: Vec<CheckResult>,
}

/// An instance by its size and tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InstanceHead {
    /// The number of components.
    pub size: usize,
    /// The rewriting tree, as for `--tree`.
    pub term: String,
}

/// The answer to one check.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckResult {
    /// The check's name; of an instance the error that must not be reached.
    pub check: String,
    /// What it demands: `always !did nok`; of an instance the error's definition.
    pub formula: String,
    /// The answer.
    pub verdict: Answer,
    /// A run that violates it; `None` unless a process violates it.
    pub run: Option<RunReport>,
    /// The way to the error; `None` unless an instance reaches it.
    pub trace: Option<TraceDocument>,
    /// Why there is no answer; `None` unless unknown.
    pub reason: Option<Reason>,
    /// What makes a proof look vacuous.
    pub remarks: Vec<Remark>,
    /// The commands that take up the evidence of a violation; empty unless violated.
    pub advice: Vec<Advice>,
    /// Wall-clock time in milliseconds, without that of finding the states; of the quickest that has this
    /// answer.
    pub time_ms: f64,
    /// What each back end answers, in the order in which they are listed.
    pub backends: Vec<BackendResult>,
}

/// A run, from the initial state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunReport {
    /// What each agent is at first.
    pub initial: Vec<String>,
    /// The steps.
    pub steps: Vec<StepReport>,
    /// How many steps come before those that repeat for ever; `None` for a run that ends.
    pub loop_start: Option<usize>,
    /// How a run ends: `terminated`, `stuck`, or `open` where it could go on; `None` for one that does not.
    pub end: Option<&'static str>,
    /// With round-robin, whose turn it is where a run ends; `None` where none can act, for a run that does
    /// not end, and under other schedules.
    pub end_turn: Option<String>,
}

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepReport {
    /// What is done, as the system shows it.
    pub label: String,
    /// For a `tau` made of an action and its co-action: the action.
    pub via: Option<String>,
    /// With round-robin, whose turn it is: one of those who take part. `None` under other schedules.
    pub turn: Option<String>,
    /// Who takes part, and what each is afterwards.
    pub participants: Vec<ParticipantReport>,
}

/// An agent in a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ParticipantReport {
    /// The agent's name.
    pub agent: String,
    /// What is left for it to do; a long text ends with `…`.
    pub process: String,
}

/// The word for a schedule in documents.
pub fn schedule_word(schedule: Schedule) -> &'static str {
    match schedule {
        Schedule::Any => "any",
        Schedule::WeaklyFair => "fair",
        Schedule::StronglyFair => "fair-strong",
        Schedule::RoundRobin => "round-robin",
    }
}

impl Verification {
    /// What was decided about all checks; `backend` is the word of the call.
    pub fn new<V>(backend: &str, schedule: Schedule, decision: &Decision<V>) -> Self {
        let explored = decision.explored;
        Verification {
            backend: backend.to_owned(),
            schedule: schedule_word(schedule),
            instance: None,
            agents: decision.agents.clone(),
            states: explored.map(|explored| explored.states),
            transitions: explored.and_then(|explored| explored.transitions),
            complete: explored.map(|explored| explored.is_complete),
            time_ms: explored.map_or(0.0, |explored| milliseconds(explored.elapsed)),
            missing: Vec::new(),
            results: Vec::new(),
        }
    }
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

impl CheckResult {
    /// The answer to a check that demands `formula`; `None` where there is none because of a bug.
    pub fn new<V>(formula: &str, verdict: &CheckVerdict<V>) -> Option<Self> {
        let answer = verdict.answer()?;
        let backend = BackendResult::new(answer);
        Some(CheckResult {
            check: verdict.check.clone(),
            formula: formula.to_owned(),
            verdict: backend.verdict,
            run: None,
            trace: None,
            reason: backend.reason,
            remarks: Vec::new(),
            advice: Vec::new(),
            time_ms: milliseconds(verdict.elapsed()),
            backends: verdict.answers.iter().map(BackendResult::new).collect(),
        })
    }
}

impl CheckResult {
    /// Adds that a proof speaks of actions that no state offers.
    pub fn remark_never_offered(&mut self, system: &System, never_offered: &[ActionLabels]) {
        /// At most this many are named.
        const MAX_NAMED: usize = 4;
        if self.verdict != Answer::Proved || never_offered.is_empty() {
            return;
        }
        let named = never_offered.iter().take(MAX_NAMED);
        let mut names: Vec<String> =
            named.map(|labels| format!("`{}`", show::action(system, labels))).collect();
        let left_out = never_offered.len().saturating_sub(MAX_NAMED);
        if left_out > 0 {
            names.push(format!("{left_out} more"));
        }
        let text = format!("no reachable state offers {}, of which the check speaks", names.join(", "));
        self.remarks.push(Remark { code: "never-offered", text });
    }
}

impl BackendResult {
    /// What a verifier answers, as far as it is believed.
    pub fn new<V>(answer: &verdict::Answer<V>) -> Self {
        let (verdict, reason) = match &answer.status {
            Status::Proved(_) => (Answer::Proved, None),
            Status::Violated(_) => (Answer::Violated, None),
            Status::Unknown(why) => {
                (Answer::Unknown, Some(Reason { code: why.code(), text: why.to_string(), at: None }))
            }
        };
        BackendResult {
            backend: answer.verifier.clone(),
            verdict,
            steps: answer.steps,
            time_ms: milliseconds(answer.elapsed),
            memory_bytes: answer.memory,
            reason,
        }
    }
}

impl RunReport {
    /// The report of a run of a process with these agents.
    pub fn new(system: &System, agents: &[String], run: &Execution) -> Self {
        let name = |agent: u32| agents.get(agent as usize).cloned().unwrap_or_default();
        let participant = |(agent, process): &(u32, String)| ParticipantReport {
            agent: name(*agent),
            process: process.clone(),
        };
        let step = |step: &ExecutionStep| StepReport {
            label: show::label(system, step.label),
            via: step.via.map(|label| show::label(system, label)),
            turn: step.turn.map(name),
            participants: step.participants.iter().map(participant).collect(),
        };
        RunReport {
            initial: run.initial.clone(),
            steps: run.steps.iter().map(step).collect(),
            loop_start: run.loop_start,
            end: run.end.map(|end| match end {
                RunEnd::Terminated => "terminated",
                RunEnd::Stuck => "stuck",
                RunEnd::Open => "open",
            }),
            end_turn: run.end_turn.map(name),
        }
    }
}
