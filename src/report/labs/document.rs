//! Runs of agents as documents: kept in files, and read again.
//!
//! A [`LabsTrace`] is what `step` saves: the rules, the values of parameters, and the run. [`read`] takes such
//! a document, or the document of `verify`, `labs`, `explore`, `step` or `replay`. Nothing is checked here:
//! whether it is a run of a model is found out by `replay`. Keys that are not known are ignored.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{FaultReport, RunReport};
use crate::report::kind::Kind;
use crate::report::reading::{self, refusal};
use paramcheck_labs::number::Width;
use paramcheck_labs::semantics::step::{Fairness, Rules, Schedule, Semantics};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::input::BAD_TRACE;
use paramcheck_text::source::SourceFile;

/// What [`LabsTrace::format`] is.
pub const FORMAT: &str = "paramcheck-run";
/// The version of the document. Raised when a key is renamed, removed or changes its meaning.
pub const VERSION: u32 = 1;
/// What such a document is called in messages.
pub(crate) const RUN_DOCUMENT: &str = "run of agents";
/// The commands whose documents may have runs of agents.
const WITH_RUNS: [&str; 5] = ["explore", "labs", "replay", "step", "verify"];

/// A run of agents, everything by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct LabsTrace {
    /// Always [`FORMAT`].
    pub format: String,
    /// Always [`VERSION`].
    pub version: u32,
    /// What there are agents of.
    pub system: String,
    /// By which rules.
    #[serde(flatten)]
    pub rules: RulesOfRun,
    /// The property that it violates, or `fault`; `None` where it was not made to violate one.
    pub check: Option<String>,
    /// What that demands, as written.
    pub formula: Option<String>,
    /// The run.
    pub run: RunReport,
    /// What leaves the language at its end.
    pub fault: Option<FaultReport>,
}

/// The rules and parameters of a run, as documents name them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct RulesOfRun {
    /// Whose rules for messages: `paper` or `sliver`.
    pub semantics: String,
    /// Who acts next: `free`, `round-robin` or `strict-turns`.
    pub schedule: String,
    /// Whether all messages are delivered within the step that causes them.
    pub sync: bool,
    /// How many bits a number has.
    pub int_bits: u32,
    /// Whether numbers wrap around.
    pub wrap: bool,
    /// Only runs of so many steps at most.
    pub max_steps: Option<usize>,
    /// The values of the parameters.
    pub parameters: BTreeMap<String, i64>,
}

impl RulesOfRun {
    /// The names of rules.
    pub fn new(rules: Rules, parameters: &[(String, i64)]) -> Self {
        RulesOfRun {
            semantics: super::semantics_word(rules.semantics).to_owned(),
            schedule: super::schedule_word(rules).to_owned(),
            sync: rules.is_sync,
            int_bits: rules.width.bits(),
            wrap: rules.width.wraps(),
            max_steps: None,
            parameters: parameters.iter().cloned().collect(),
        }
    }

    /// How wide numbers are, or as usual if there is no such width.
    pub fn width(&self) -> Width {
        let width = Width::new(self.int_bits).unwrap_or_default();
        if self.wrap { width.wrapping() } else { width }
    }

    /// The rules that are named.
    ///
    /// # Errors
    /// Which of them there is not.
    pub fn rules(&self) -> Result<Rules, String> {
        let width = Width::new(self.int_bits).ok_or_else(|| format!("numbers of {} bits", self.int_bits))?;
        let (schedule, fairness) = match self.schedule.as_str() {
            "free" => (Schedule::Free, Fairness::None),
            "fair" => (Schedule::Free, Fairness::Weak),
            "fair-strong" => (Schedule::Free, Fairness::Strong),
            "round-robin" => (Schedule::RoundRobin, Fairness::None),
            "strict-turns" => (Schedule::StrictTurns, Fairness::None),
            other => return Err(format!("a schedule called `{other}`")),
        };
        Ok(Rules {
            semantics: match self.semantics.as_str() {
                "paper" => Semantics::Paper,
                "sliver" => Semantics::Sliver,
                other => return Err(format!("rules called `{other}`")),
            },
            schedule,
            fairness,
            is_sync: self.sync,
            width: if self.wrap { width.wrapping() } else { width },
        })
    }
}

impl LabsTrace {
    /// The document as text, with a line break at the end.
    ///
    /// # Errors
    /// None that can be reached: every key is a string.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// The document of a call: as much of it as is of use here.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct CallDocument {
    files: Vec<FileOfCall>,
    results: Vec<ResultOfCall>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct FileOfCall {
    system: Option<String>,
    /// Missing where the file is about something else, or was not read.
    #[serde(flatten)]
    rules: Option<RulesOfRun>,
    /// Of `step`.
    trace: Option<LabsTrace>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct ResultOfCall {
    check: Option<String>,
    formula: Option<String>,
    run: Option<RunReport>,
    fault: Option<FaultReport>,
    /// Of `replay`.
    trace: Option<LabsTrace>,
}

/// Reads the run in `text`; of several that which violates `check`.
///
/// # Errors
/// What is wrong with the document, with its place, or why there is not just one run to choose.
pub fn read(text: &SourceFile, check: Option<&str>) -> Result<LabsTrace, Diagnostic> {
    let mut runs = match Kind::of(text) {
        Some(Kind::RunOfAgents) | None => {
            let trace: LabsTrace = reading::read(text, &BAD_TRACE, RUN_DOCUMENT, "docs/json.md")?;
            if trace.format != FORMAT || trace.version != VERSION {
                let what = format!("is no {RUN_DOCUMENT} of version {VERSION}");
                return Err(refusal(&BAD_TRACE, text, &what, "docs/json.md says what stands where"));
            }
            vec![trace]
        }
        Some(Kind::Run(command)) if WITH_RUNS.contains(&command.as_str()) => {
            of_call(reading::read(text, &BAD_TRACE, RUN_DOCUMENT, "docs/json.md")?)
        }
        Some(other) => return Err(other.instead_of(RUN_DOCUMENT, &BAD_TRACE, text)),
    };
    let names = itertools::join(runs.iter().flat_map(|run| &run.check).map(|name| format!("`{name}`")), ", ");
    let are_there = !runs.is_empty();
    if let Some(check) = check.filter(|_| runs.len() > 1) {
        runs.retain(|run| run.check.as_deref() == Some(check));
    }
    match (runs.pop(), runs.len()) {
        (Some(run), 0) => Ok(run),
        (Some(_), _) => {
            let what = format!("has several runs, of {names}");
            Err(refusal(&BAD_TRACE, text, &what, "choose one with `--check NAME`"))
        }
        (None, _) if are_there => {
            let what = format!("has no run of `{}`", check.unwrap_or_default());
            Err(refusal(&BAD_TRACE, text, &what, &format!("it has runs of {names}")))
        }
        (None, _) => Err(refusal(
            &BAD_TRACE,
            text,
            "has no run of agents: no property in it is violated",
            "only such properties have one; `paramcheck verify FILE.labs --json` writes it",
        )),
    }
}

fn of_call(call: CallDocument) -> Vec<LabsTrace> {
    let Some(file) = call.files.into_iter().next() else { return Vec::new() };
    let mut runs: Vec<LabsTrace> = file.trace.into_iter().collect();
    let system = file.system.unwrap_or_default();
    for result in call.results {
        runs.extend(result.trace);
        let (Some(run), Some(rules)) = (result.run, file.rules.clone()) else { continue };
        runs.push(LabsTrace {
            format: FORMAT.to_owned(),
            version: VERSION,
            system: system.clone(),
            rules,
            check: result.check,
            formula: result.formula,
            run,
            fault: result.fault,
        });
    }
    runs
}
