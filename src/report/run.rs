//! The run of a process in a document of `verify`, read again.
//!
//! From the text of `verify --json` to a [`RunDocument`]: what the agents are at first, and who does what
//! step by step. Nothing is checked here: whether it is a run of a model is found out where it is drawn.

use serde::Deserialize;

use crate::report::kind::{Kind, VERIFY_DOCUMENT};
use crate::report::reading::{self, refusal};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::input::BAD_TRACE;
use paramcheck_text::source::SourceFile;

/// A run that violates a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunDocument {
    /// The check.
    pub check: String,
    /// What it demands.
    pub formula: String,
    /// The run.
    pub run: RunOfDocument,
}

/// A run, everything by name.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct RunOfDocument {
    /// What each agent is at first.
    pub initial: Vec<String>,
    /// The steps.
    pub steps: Vec<RunStep>,
    /// How many steps come before those that repeat for ever.
    pub loop_start: Option<usize>,
    /// How a run ends that does.
    pub end: Option<String>,
}

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct RunStep {
    /// What is done, as the system shows it.
    pub label: String,
    /// For a `tau` made of an action and its co-action: the action.
    pub via: Option<String>,
    /// Who takes part.
    pub participants: Vec<RunParticipant>,
}

/// An agent in a step.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct RunParticipant {
    /// Its name.
    pub agent: String,
    /// What is left for it to do.
    pub process: String,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Results {
    results: Vec<OneResult>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct OneResult {
    check: String,
    formula: String,
    run: Option<RunOfDocument>,
}

/// Reads the run in `text`; of several that which violates `check`.
///
/// # Errors
/// What is wrong with the document, with its place, or why there is not just one run to choose.
pub fn read(text: &SourceFile, check: Option<&str>) -> Result<RunDocument, Diagnostic> {
    match Kind::of(text) {
        Some(Kind::Run(command)) if command == "verify" => {}
        Some(other) => return Err(other.instead_of(VERIFY_DOCUMENT, &BAD_TRACE, text)),
        None => {}
    }
    let Results { results } = reading::read(text, &BAD_TRACE, VERIFY_DOCUMENT, "docs/json.md")?;
    let runs = results.into_iter().filter_map(|result| {
        Some(RunDocument { check: result.check, formula: result.formula, run: result.run? })
    });
    let mut runs: Vec<RunDocument> = runs.collect();
    let names = itertools::join(runs.iter().map(|run| format!("`{}`", run.check)), ", ");
    if let Some(check) = check {
        runs.retain(|run| run.check == check);
    }
    match (runs.pop(), runs.len()) {
        (Some(run), 0) => Ok(run),
        (Some(_), _) => Err(refusal(
            &BAD_TRACE,
            text,
            &format!("has several runs, of {names}"),
            "choose one with `--check NAME`",
        )),
        (None, _) if names.is_empty() => Err(refusal(
            &BAD_TRACE,
            text,
            "has no run: no check in it is violated",
            "only such checks have one; `paramcheck verify FILE --json` writes it",
        )),
        (None, _) => {
            let what = format!("has no run of `{}`", check.unwrap_or_default());
            Err(refusal(&BAD_TRACE, text, &what, &format!("it has runs of {names}")))
        }
    }
}
