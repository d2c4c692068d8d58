//! What is reported about systems in R-CHECK: the answers to their properties, with runs written out.
//! The field names are keys of the JSON document (`docs/json.md`).

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use crate::report::{Answer, Reason, Remark};
use paramcheck_rcheck::model::{InstanceId, System, Type};
use paramcheck_rcheck::semantics::step::{Executed, Message, State};
use paramcheck_text::index::Idx;
use paramcheck_text::source::SourceFile;
use paramcheck_verdict::Status;
use paramcheck_verdict::rcheck::{self as verdict, Counted, Decision, End, Fairness, Proof, Run, Violation};

mod text;

/// What was searched.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RcheckReport {
    /// Which runs count: `any`, `fair` or `fair-strong`.
    pub schedule: &'static str,
    /// Whether it was read as the published tool reads.
    pub as_rcheck: bool,
    /// The instances, in order.
    pub agents: Vec<String>,
    /// How many states were met.
    pub states: usize,
}

/// How many states there are.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RcheckCounts {
    /// The instances, in order.
    pub agents: Vec<String>,
    /// Initial states.
    pub initial: usize,
    /// States.
    pub states: usize,
    /// Pairs of states that have a step from the one to the other.
    pub transitions: usize,
    /// States without a step.
    pub deadlocks: usize,
    /// States in which an assignment leaves its range.
    pub faults: usize,
    /// Why these are not all; `None` if they are.
    pub reason: Option<Reason>,
    /// Wall-clock time in milliseconds.
    pub time_ms: f64,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RcheckResult {
    /// What is asked: `SPEC 3`, `deadlock`, `fault`.
    pub check: String,
    /// Which of the properties of the file it is, from 1 on; `None` for the others.
    pub index: Option<usize>,
    /// The property as written; what is asked otherwise.
    pub text: String,
    /// The answer.
    pub verdict: Answer,
    /// A run that shows it; `None` unless violated.
    pub run: Option<RcheckRun>,
    /// Whether the rules as they are written agree that it holds; `None` unless proved.
    pub rechecked: Option<bool>,
    /// The error of the model at the end of the run; `None` unless that is what is reported.
    pub fault: Option<RcheckFault>,
    /// Why there is no answer; `None` unless unknown.
    pub reason: Option<Reason>,
    /// What makes a proof look vacuous.
    pub remarks: Vec<Remark>,
    /// Wall-clock time in milliseconds.
    pub time_ms: f64,
}

/// A run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RcheckRun {
    /// Per instance its values at first.
    pub initial: BTreeMap<String, BTreeMap<String, String>>,
    /// The steps.
    pub steps: Vec<RcheckStep>,
    /// How many steps come before those that repeat for ever; `None` for a run that ends.
    pub loop_start: Option<usize>,
    /// How a run ends: `stuck` or `open`; `None` for one that does not.
    pub end: Option<&'static str>,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RcheckStep {
    /// Who sends, or supplies.
    pub sender: Participant,
    /// Who receives, or gets.
    pub receivers: Vec<Participant>,
    /// The channel; `None` point to point.
    pub channel: Option<String>,
    /// What is sent.
    pub data: BTreeMap<String, String>,
    /// What the getter sends; empty unless point to point.
    pub reply: BTreeMap<String, String>,
    /// Per instance the values that are others afterwards.
    pub changes: BTreeMap<String, BTreeMap<String, String>>,
}

/// An instance in a step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Participant {
    /// Its name.
    pub agent: String,
    /// The label of its command, if it has one.
    pub label: Option<String>,
    /// Its command, by position among those of its agent.
    pub command: usize,
}

/// An error of the model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RcheckFault {
    /// What is wrong.
    pub text: String,
    /// Whose command it is.
    pub agent: String,
    /// The line of the command.
    pub line: usize,
}

/// The name under which a location is shown.
const LOCATION: &str = "automaton-state";

impl RcheckReport {
    /// What was decided about a system, under a fairness.
    pub fn new(system: &System, fairness: Fairness, as_rcheck: bool, decision: &Decision) -> Self {
        let schedule = match fairness {
            Fairness::None => "any",
            Fairness::Weak => "fair",
            Fairness::Strong => "fair-strong",
        };
        let agents = system.instances.iter().map(|instance| instance.name.clone()).collect();
        RcheckReport { schedule, as_rcheck, agents, states: decision.states }
    }
}

impl RcheckCounts {
    /// What was counted of a system in so long.
    pub fn new(system: &System, counted: &Counted, elapsed: Duration) -> Self {
        let reason =
            counted.incomplete.map(|why| Reason { code: why.code(), text: why.to_string(), at: None });
        let counts = counted.counts;
        RcheckCounts {
            agents: system.instances.iter().map(|instance| instance.name.clone()).collect(),
            initial: counts.initial,
            states: counts.states,
            transitions: counts.transitions,
            deadlocks: counts.deadlocks,
            faults: counts.faults,
            reason,
            time_ms: elapsed.as_secs_f64() * 1000.0,
        }
    }
}

impl RcheckResult {
    /// All answers of a decision, in order; of each what is wrong with the search, if that is so.
    pub fn all(system: &System, source: &SourceFile, decision: &Decision) -> Vec<(Self, Option<String>)> {
        let mut results = Vec::new();
        for (at, (spec, answer)) in (1..).zip(system.specs.iter().zip(&decision.answers)) {
            results.push((format!("SPEC {at}"), Some(at), spec.text.clone(), answer));
        }
        let others = [
            ("deadlock", "some step is always possible", &decision.deadlock),
            ("fault", "no assignment leaves its range", &decision.fault),
        ];
        for (check, text, answer) in others {
            results.extend(answer.as_ref().map(|answer| (check.to_owned(), None, text.to_owned(), answer)));
        }
        let made = |(check, index, text, answer): (String, Option<usize>, String, &verdict::Answer)| {
            (RcheckResult::new(system, source, (check, index, text), answer), answer.bug.clone())
        };
        results.into_iter().map(made).collect()
    }

    fn new(
        system: &System,
        source: &SourceFile,
        (check, index, text): (String, Option<usize>, String),
        answer: &verdict::Answer,
    ) -> Self {
        let mut result = RcheckResult {
            check,
            index,
            text,
            verdict: Answer::Unknown,
            run: None,
            rechecked: None,
            fault: None,
            reason: None,
            remarks: Vec::new(),
            time_ms: answer.elapsed.as_secs_f64() * 1000.0,
        };
        match &answer.status {
            Status::Proved(proof) => {
                result.verdict = Answer::Proved;
                result.rechecked = Some(*proof == Proof::Rechecked);
                let remark =
                    |vacuous: verdict::Vacuous| Remark { code: "vacuous", text: vacuous.text().to_owned() };
                result.remarks.extend(answer.vacuous.map(remark));
            }
            Status::Violated(Violation { run, fault }) => {
                result.verdict = Answer::Violated;
                result.run = Some(RcheckRun::new(system, run));
                result.fault = fault.as_ref().map(|fault| RcheckFault {
                    text: fault.message.clone(),
                    agent: name(system, fault.instance),
                    line: source.line_column(fault.span.start).0,
                });
            }
            Status::Unknown(why) => {
                result.reason = Some(Reason { code: why.code(), text: why.to_string(), at: None });
            }
        }
        result
    }
}

fn name(system: &System, id: InstanceId) -> String {
    system.instances[id].name.clone()
}

/// The values of an instance in a state, by name and as they are written.
fn values(system: &System, state: &State, id: InstanceId) -> BTreeMap<String, String> {
    let at = id.index();
    let locals = state.locals.get(at).map_or(&[][..], Vec::as_slice);
    let declared = &system.agent_of(id).locals;
    let mut values: BTreeMap<String, String> = declared
        .iter()
        .zip(locals)
        .map(|(variable, value)| (variable.name.clone(), system.show(variable.ty, *value)))
        .collect();
    let location = state.locations.get(at).copied().unwrap_or(0);
    values.insert(LOCATION.to_owned(), location.to_string());
    values
}

impl RcheckRun {
    fn new(system: &System, run: &Run) -> Self {
        let states: Vec<&State> = run.steps.iter().map(|step| &step.state).chain([&run.last]).collect();
        let all = |state: &State| {
            let one = |id: InstanceId| (name(system, id), values(system, state, id));
            system.instances.indices().map(one).collect::<BTreeMap<_, _>>()
        };
        let steps = run.steps.iter().zip(states.windows(2)).map(|(step, around)| {
            let mut changes = BTreeMap::new();
            for id in system.instances.indices() {
                let before = around.first().map(|state| values(system, state, id)).unwrap_or_default();
                let mut after = around.last().map(|state| values(system, state, id)).unwrap_or_default();
                after.retain(|name, value| before.get(name) != Some(value));
                if !after.is_empty() {
                    changes.insert(name(system, id), after);
                }
            }
            RcheckStep::new(system, &step.message, changes)
        });
        let (loop_start, end) = match run.end {
            End::Loop(begin) => (Some(begin), None),
            End::Stops => (None, Some("stuck")),
            End::Open => (None, Some("open")),
        };
        let initial = states.first().map(|state| all(state)).unwrap_or_default();
        RcheckRun { initial, steps: steps.collect(), loop_start, end }
    }
}

impl RcheckStep {
    fn new(
        system: &System,
        message: &Message,
        changes: BTreeMap<String, BTreeMap<String, String>>,
    ) -> RcheckStep {
        let participant = |(id, command): Executed| Participant {
            agent: name(system, id),
            label: system.agent_of(id).commands.get(command).and_then(|one| one.label.clone()),
            command,
        };
        let data = |data: &[Option<i64>]| {
            let sent = system.messages.iter().zip(data);
            sent.filter_map(|(one, value)| Some((one.name.clone(), system.show(one.ty, (*value)?)))).collect()
        };
        RcheckStep {
            sender: participant(message.producer),
            receivers: message.receivers.iter().copied().map(participant).collect(),
            channel: message.channel.map(|channel| system.show(Type::Channel, channel)),
            data: data(&message.data),
            reply: data(&message.reply),
            changes,
        }
    }
}
