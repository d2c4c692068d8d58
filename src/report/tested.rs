//! What `paramcheck test` reports: answers, and what was expected of them.
//! The field names are keys of its JSON document (`docs/json.md`).

use serde::Serialize;

use crate::report::Answer;

/// The answer to one question, and what was expected.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TestResult {
    /// The error's name; missing for a process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The check's name; missing for a rewriting system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
    /// Under which schedule; missing for a rewriting system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule: Option<&'static str>,
    /// The answer; `None` where there is no such question.
    pub verdict: Option<Answer>,
    /// The components of the instance that reaches the error.
    pub size: Option<usize>,
    /// The steps that lead there.
    pub steps: Option<usize>,
    /// The kinds of invariants that the proof needs.
    pub invariants: Vec<String>,
    /// What was expected; `None` where nothing was.
    pub expected: Option<ExpectedAnswer>,
    /// Whether the answer is as expected.
    pub as_expected: bool,
    /// Wall-clock time in milliseconds.
    pub time_ms: Option<f64>,
}

/// An expected answer; what is `None` was not compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExpectedAnswer {
    /// The verdict.
    pub verdict: Answer,
    /// The components of the instance that reaches the error.
    pub size: Option<usize>,
    /// The steps that lead there.
    pub steps: Option<usize>,
    /// The kinds of invariants that the proof needs.
    pub invariants: Option<Vec<String>>,
}
