//! What `paramcheck certify` and `paramcheck replay` find out about evidence. The field names are keys of their
//! JSON documents (`docs/json.md`).

use serde::Serialize;

use crate::report::candidate::CandidateDocument;
use crate::report::labs::document::LabsTrace;
use crate::report::trace::TraceDocument;

/// Whether a certificate proves what it claims.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Certified {
    /// The error's name.
    pub error: String,
    /// Its definition in the model, the names of other errors replaced by what they mean.
    pub formula: String,
    /// `accepted` or `refused`.
    pub verdict: &'static str,
    /// The certificate's file.
    pub certificate: String,
    /// What is wrong with it; `None` where it is accepted.
    pub refusal: Option<String>,
}

/// Whether a trace is one of the model, or a candidate fits it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReplayReport {
    /// The error's name; `None` where the trace was not made to reach one.
    pub error: Option<String>,
    /// Its definition in the model.
    pub formula: Option<String>,
    /// `replays`, `fails`, or `not-decided` where it replays and whether its end is in the error is too much
    /// work to decide. Of a candidate: `fits`, `fails` or `not-decided`.
    pub verdict: &'static str,
    /// How many of its steps replay.
    pub steps: usize,
    /// What is wrong with it; `None` where it replays.
    pub refusal: Option<String>,
    /// The trace as it was read; `None` where a candidate was.
    pub trace: Option<TraceDocument>,
    /// The candidate as it was read; `None` where a trace was.
    pub candidate: Option<CandidateDocument>,
}

/// Whether a run is one of a system of agents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LabsReplayReport {
    /// The property that it violates, or `fault`; `None` where it was not made to violate one.
    pub check: Option<String>,
    /// What that demands.
    pub formula: Option<String>,
    /// `replays`, `fails`, or `not-decided` where it replays and whether it violates the property is too much
    /// work to decide.
    pub verdict: &'static str,
    /// How many of its steps replay.
    pub steps: usize,
    /// What is wrong with it; `None` where it replays.
    pub refusal: Option<String>,
    /// The run as it was read.
    pub trace: LabsTrace,
}
