//! What is reported about agents of LAbS: the answers to properties, with runs written out.
//! The field names are keys of the JSON document (`docs/json.md`).

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::report::backends::{BackendResult, MissingBackend};
use crate::report::{Answer, Reason};
use paramcheck_labs::model::System;
use paramcheck_labs::semantics::run::Ending;
use paramcheck_labs::semantics::step::{Fairness, Rules, Schedule, Semantics};
use paramcheck_text::source::SourceFile;
use paramcheck_verdict::Status;
use paramcheck_verdict::labs::verifiers::VerifierAnswer;
use paramcheck_verdict::labs::{self as verdict, Decision, Explored, FaultyRun, NoAnswer, Proof, Violation};

pub mod document;
mod run;
mod sliver;
pub(crate) mod text;

pub use sliver::simulation as sliver_simulation;

pub use run::{Action, AgesReport, CellReport, End, PendingReport, RunReport, StepReport};
pub(crate) use run::{cell, pending, variables, what, write_ages};

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
    /// How many initial states; `None` where they were not counted.
    pub initial: Option<usize>,
    /// How many states were found: stores, with what each agent has left to do.
    pub states: usize,
    /// How many different stores: values, pending messages, ages; `None` where they were not counted.
    pub stores: Option<usize>,
    /// How many of these belong to a state in which nothing can happen.
    pub stuck_stores: Option<usize>,
    /// How many transitions were found.
    pub transitions: Option<usize>,
    /// Whether these are all.
    pub complete: bool,
    /// Who answers: another program by name, or `all`; missing where this program alone does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backend: Option<&'static str>,
    /// Back ends that would answer if they were here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<MissingBackend>,
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
    /// How many states lie behind the end of the run, without one that fulfils the formula: a closed set. `None`
    /// for properties of other kinds.
    pub searched: Option<usize>,
    /// Whether of states that differ by an exchange of agents one stood for all; missing where not.
    #[serde(skip_serializing_if = "is_false")]
    pub symmetry: bool,
    /// What shows that it holds: `states`, all of which are known, or the `values` that variables may have; `None`
    /// unless proved by this program.
    pub proof: Option<&'static str>,
    /// Whether the rules on process terms agree that it holds, or have searched the closed set again; `None` where
    /// there is neither.
    pub rechecked: Option<bool>,
    /// Why there is no answer; `None` unless unknown.
    pub reason: Option<Reason>,
    /// What leaves the language at the end of the run; `None` unless that is what is reported.
    pub fault: Option<FaultReport>,
    /// The back end whose answer this is; missing where it is this program's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backend: Option<String>,
    /// What each of them answers, if others are asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub backends: Vec<BackendResult>,
    /// Of a simulation: how often it held; missing elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simulated: Option<SimulatedReport>,
    /// Wall-clock time in milliseconds, without that of finding the states.
    pub time_ms: f64,
}

/// How often a property held in runs at random.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SimulatedReport {
    /// How many runs there were.
    pub runs: usize,
    /// In how many of them it held.
    pub held: usize,
    /// The most steps of a run.
    pub steps: usize,
    /// Where the choices came from.
    pub seed: u64,
    /// Between what and what the share of all such runs in which it holds lies, with a confidence of 95 %.
    pub low: f64,
    /// See `low`.
    pub high: f64,
}

impl SimulatedReport {
    /// For runs of so many steps: per run whether it holds.
    pub fn new(held: &[bool], steps: usize, seed: u64) -> Self {
        let runs = held.len();
        let held = held.iter().filter(|held| **held).count();
        let (low, high) = wilson(held, runs);
        SimulatedReport { runs, held, steps, seed, low, high }
    }
}

/// The interval of Wilson for a share, with a confidence of 95 %.
fn wilson(held: usize, runs: usize) -> (f64, f64) {
    /// So many standard deviations hold 95 % of a normal distribution.
    const DEVIATIONS: f64 = 1.959_964;
    if runs == 0 {
        return (0.0, 1.0);
    }
    let (held, runs) = (held as f64, runs as f64);
    let share = held / runs;
    let square = DEVIATIONS * DEVIATIONS;
    let middle = share + square / (2.0 * runs);
    let half = DEVIATIONS * (share * (1.0 - share) / runs + square / (4.0 * runs * runs)).sqrt();
    let scale = 1.0 + square / runs;
    (((middle - half) / scale).max(0.0), ((middle + half) / scale).min(1.0))
}

/// How a run leaves the language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
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

impl FaultReport {
    /// About the end of a run by which it leaves the language, if it does.
    fn of_end(system: &System, ending: &Ending) -> Option<Self> {
        let Ending::Fault(_, fault) = ending else { return None };
        let agent = run::failing_agent(system, ending);
        Some(FaultReport { text: fault.to_string(), agent, line: None, property: None })
    }
}

/// The name of the result about a fault.
pub const FAULT: &str = "fault";

impl LabsReport {
    /// What was explored for a decision.
    pub fn new(system: &System, rules: Rules, max_steps: Option<usize>, decision: &Decision) -> Self {
        Self::of(system, rules, max_steps, decision.explored, decision.elapsed)
    }

    /// About a simulation, for which nothing is explored.
    pub fn of_simulation(system: &System, rules: Rules, steps: usize, elapsed: Duration) -> Self {
        Self::of(system, rules, Some(steps), Explored::default(), elapsed)
    }

    /// About answers of others alone, for which nothing is explored.
    pub fn of_backend(system: &System, rules: Rules, max_steps: Option<usize>, elapsed: Duration) -> Self {
        Self::of(system, rules, max_steps, Explored::default(), elapsed)
    }

    fn of(
        system: &System,
        rules: Rules,
        max_steps: Option<usize>,
        explored: Explored,
        elapsed: Duration,
    ) -> Self {
        LabsReport {
            semantics: semantics_word(rules.semantics),
            schedule: schedule_word(rules),
            sync: rules.is_sync,
            int_bits: rules.width.bits(),
            wrap: rules.width.wraps(),
            max_steps,
            parameters: system.parameters.iter().cloned().collect(),
            agents: system.agents.indices().map(|agent| system.agent_name(agent)).collect(),
            initial: explored.counts.map(|counts| counts.initial),
            states: explored.states,
            stores: explored.counts.map(|counts| counts.stores),
            stuck_stores: explored.counts.map(|counts| counts.stuck_stores),
            transitions: explored.counts.map(|counts| counts.transitions),
            complete: explored.is_complete,
            backend: None,
            missing: Vec::new(),
            time_ms: milliseconds(elapsed),
        }
    }
}

/// The word for the rules of messages.
pub fn semantics_word(semantics: Semantics) -> &'static str {
    match semantics {
        Semantics::Paper => "paper",
        Semantics::Sliver => "sliver",
    }
}

/// The word for a schedule, and what is fair.
pub fn schedule_word(rules: Rules) -> &'static str {
    match rules.schedule {
        Schedule::Free => match rules.fairness {
            Fairness::None => "free",
            Fairness::Weak => "fair",
            Fairness::Strong => "fair-strong",
        },
        Schedule::RoundRobin => "round-robin",
        Schedule::StrictTurns => "strict-turns",
    }
}

/// Whether a key is left out.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_false(value: &bool) -> bool {
    !value
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
            symmetry: answer.by_symmetry,
            proof: None,
            rechecked: None,
            reason: None,
            fault: None,
            backend: None,
            backends: Vec::new(),
            simulated: None,
            time_ms: milliseconds(answer.elapsed),
        };
        match &answer.status {
            Status::Proved(proof) => {
                result.verdict = Answer::Proved;
                result.proof = Some(if *proof == Proof::Values { "values" } else { "states" });
                result.rechecked = Some(*proof != Proof::Explored);
            }
            Status::Violated(violation) => {
                result.verdict = Answer::Violated;
                result.run = Some(RunReport::new(system, source, &violation.run));
                result.searched = violation.closed.map(|closed| closed.states);
                result.rechecked = violation.closed.map(|closed| closed.is_rechecked);
            }
            Status::Unknown(why) => {
                result.reason = Some(Reason { code: why.code(), text: why.to_string(), at: None });
            }
        }
        result
    }

    /// The answer of another program to a property, given by its name and what it demands.
    pub fn of_backend(
        system: &System,
        source: &SourceFile,
        (check, formula): (String, String),
        answer: &VerifierAnswer,
    ) -> Self {
        let own = BackendResult::of_agents(answer);
        LabsResult {
            check,
            formula,
            verdict: own.verdict,
            run: match &answer.status {
                Status::Violated(violation) => Some(RunReport::new(system, source, &violation.run)),
                Status::Proved(_) | Status::Unknown(_) => None,
            },
            searched: None,
            symmetry: false,
            proof: None,
            rechecked: None,
            reason: own.reason,
            fault: None,
            backend: Some(answer.verifier.clone()),
            backends: Vec::new(),
            simulated: None,
            time_ms: milliseconds(answer.elapsed),
        }
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
            symmetry: false,
            proof: None,
            rechecked: None,
            reason: None,
            backend: None,
            backends: Vec::new(),
            simulated: None,
            time_ms: 0.0,
        }
    }

    /// The result of a simulation about a property, given by its name and what it demands.
    pub fn of_simulation(
        system: &System,
        source: &SourceFile,
        (check, formula): (String, String),
        simulated: SimulatedReport,
        violation: Result<&Violation, Option<NoAnswer>>,
    ) -> Self {
        let reason = match violation {
            Ok(_) => None,
            Err(Some(open)) if simulated.runs == 0 || simulated.held < simulated.runs => {
                Some(Reason { code: open.code(), text: open.to_string(), at: None })
            }
            Err(_) => {
                let text =
                    format!("it held in all {} runs that were made; others may violate it", simulated.runs);
                Some(Reason { code: "simulated", text, at: None })
            }
        };
        let violation = violation.ok();
        LabsResult {
            check,
            formula,
            verdict: if violation.is_some() { Answer::Violated } else { Answer::Unknown },
            run: violation.map(|violation| RunReport::new(system, source, &violation.run)),
            searched: None,
            symmetry: false,
            proof: None,
            rechecked: None,
            reason,
            fault: None,
            backend: None,
            backends: Vec::new(),
            simulated: Some(simulated),
            time_ms: 0.0,
        }
    }
}
