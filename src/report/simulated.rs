//! What `paramcheck step` reports of the commands that it read. The field names are keys of its JSON document
//! (`docs/json.md`).

use serde::Serialize;

use crate::report::Step;
use crate::report::trace::TraceDocument;

/// Where the commands ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WalkEnd<T = TraceDocument, S = Step> {
    /// The way there, from where it began.
    pub trace: T,
    /// The steps that are enabled there, in the order of their numbers.
    pub enabled: Vec<S>,
}

/// What came of one command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CommandReport<S = Step> {
    /// The line as it was read.
    pub input: String,
    /// What is printed about it where no document is wanted.
    pub text: String,
    /// How many steps lead here.
    pub position: usize,
    /// The last of them; `None` at the start.
    pub step: Option<S>,
    /// The errors that hold here, as far as that can be decided; of agents the properties that this state
    /// violates.
    pub errors: Vec<String>,
    /// How many steps are enabled here.
    pub enabled: usize,
}
