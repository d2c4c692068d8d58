//! What `paramcheck verify` says: the answers to the checks of a process, or about the errors of an instance. The field
//! names are keys of its JSON document (`docs/json.md`).

use serde::Serialize;

use crate::report::backends::{BackendResult, MissingBackend};
use crate::report::trace::TraceDocument;
use crate::report::{Answer, Reason};
use paramcheck_process::model::{Check, System};
use paramcheck_process::semantics::check::{Evidence, Outcome, Run, Schedule};
use paramcheck_process::semantics::lts::Lts;
use paramcheck_process::semantics::network::{Incomplete, Interpreter, Step};
use paramcheck_process::show;
use paramcheck_text::limits::Stop;

mod text;

/// The longest text of a process in a report, in bytes; about so, for names are not cut.
const MAX_SHOWN: usize = 100;

/// The answers about one file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verification {
    /// Who was asked: `native`, a back end by name, or `all`.
    pub backend: String,
    /// What was assumed of the order in which agents act: `any`, `fair`, `fair-strong` or `round-robin`.
    pub schedule: &'static str,
    /// The instance asked about; `None` for a process.
    pub instance: Option<InstanceHead>,
    /// The agents, from the left; of an instance its components.
    pub agents: Vec<String>,
    /// How many states were found; `None` where the native back end was not asked.
    pub states: Option<usize>,
    /// How many transitions were found, whoever takes part; likewise.
    pub transitions: Option<usize>,
    /// Whether these are all; likewise.
    pub complete: Option<bool>,
    /// Wall-clock time of finding them, in milliseconds.
    pub time_ms: f64,
    /// With `all`, the back ends that are not there.
    pub missing: Vec<MissingBackend>,
    /// One per check, in source order.
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
    /// Wall-clock time in milliseconds, without that of finding the states; of the quickest that has this answer.
    pub time_ms: f64,
    /// What each back end says, in the order in which they are listed.
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
    /// With round-robin, whose turn it is where a run ends; `None` where nobody can act, for a run that does not end, and
    /// under other schedules.
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
    /// What is known where nobody has been asked.
    pub fn new(backend: &str, schedule: Schedule, agents: Vec<String>) -> Self {
        Verification {
            backend: backend.to_owned(),
            schedule: schedule_word(schedule),
            instance: None,
            agents,
            states: None,
            transitions: None,
            complete: None,
            time_ms: 0.0,
            missing: Vec::new(),
            results: Vec::new(),
        }
    }

    /// With the states that the native back end has found in so much time.
    pub fn explored(mut self, lts: &Lts, time_ms: f64) -> Self {
        self.agents.clone_from(&lts.agents);
        self.states = Some(lts.states());
        self.transitions = Some(lts.transition_count());
        self.complete = Some(lts.incomplete.is_none());
        self.time_ms = time_ms;
        self
    }
}

impl CheckResult {
    /// A check without its answer.
    pub fn new(system: &System, check: &Check, time_ms: f64) -> Self {
        Self::unanswered(&check.name, &show::goal(system, &check.goal), time_ms)
    }

    /// A question without its answer.
    pub fn unanswered(name: &str, formula: &str, time_ms: f64) -> Self {
        CheckResult {
            check: name.to_owned(),
            formula: formula.to_owned(),
            verdict: Answer::Unknown,
            run: None,
            trace: None,
            reason: None,
            time_ms,
            backends: Vec::new(),
        }
    }

    /// What the native back end says, where this is its answer.
    pub fn as_native(&self) -> BackendResult {
        let run = self.run.as_ref().map(|run| run.steps.len());
        BackendResult {
            backend: "native".to_owned(),
            verdict: self.verdict,
            steps: run.or_else(|| self.trace.as_ref().map(|trace| trace.trace.len())),
            time_ms: self.time_ms,
            memory_bytes: None,
            reason: self.reason.clone(),
        }
    }

    /// With the answer; `evidence` is what the rules say of the run that violates it.
    pub fn answered(
        mut self,
        system: &System,
        interpreter: &mut Interpreter<'_>,
        outcome: &Outcome,
        evidence: &Evidence,
    ) -> Self {
        match outcome {
            Outcome::Holds => self.verdict = Answer::Proved,
            Outcome::Violated(run) => {
                self.verdict = Answer::Violated;
                self.run = Some(RunReport::new(system, interpreter, run, evidence));
            }
            Outcome::Unknown(incomplete) => self.reason = Some(reason(*incomplete)),
        }
        self
    }
}

/// Why not all states are known.
pub fn reason(incomplete: Incomplete) -> Reason {
    let code = match incomplete {
        Incomplete::Stopped(Stop::Time) => "time-limit",
        Incomplete::Stopped(Stop::Memory) => "memory-limit",
        Incomplete::Stopped(Stop::Interrupted) => "interrupted",
        Incomplete::States(_) => "state-limit",
        Incomplete::Agents => "too-many-agents",
    };
    Reason { code, text: incomplete.to_string(), at: None }
}

impl RunReport {
    /// The report of a run of which the rules say this.
    pub fn new(system: &System, interpreter: &mut Interpreter<'_>, run: &Run, evidence: &Evidence) -> Self {
        let names = interpreter.agent_names();
        let first = run.states.first().map_or(&[][..], Vec::as_slice);
        let last = run.states.last().map_or(&[][..], Vec::as_slice);
        let end = match run.loop_start {
            Some(_) => None,
            None if interpreter.is_terminated(last) => Some("terminated"),
            None if interpreter.steps(last).is_ok_and(|steps| steps.is_empty()) => Some("stuck"),
            None => Some("open"),
        };
        let turn = |moment: usize| {
            let actor = evidence.turns.get(moment).copied().flatten()?;
            names.get(actor as usize).cloned()
        };
        let participant = |(agent, behaviour): &(u32, _)| ParticipantReport {
            agent: names.get(*agent as usize).cloned().unwrap_or_default(),
            process: interpreter.show(*behaviour, MAX_SHOWN),
        };
        let step = |(moment, step): (usize, &Step)| StepReport {
            label: show::label(system, step.label),
            via: step.via.map(|label| show::label(system, label)),
            turn: turn(moment),
            participants: step.changes.iter().map(participant).collect(),
        };
        RunReport {
            initial: first.iter().map(|behaviour| interpreter.show(*behaviour, MAX_SHOWN)).collect(),
            steps: evidence.steps.iter().enumerate().map(step).collect(),
            loop_start: run.loop_start,
            end,
            end_turn: turn(run.steps.len()).filter(|_| run.loop_start.is_none()),
        }
    }
}
