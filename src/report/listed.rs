//! What `--list` reports: the questions of a file. The field names are keys of its JSON document
//! (`docs/json.md`).

use serde::Serialize;

/// A question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedQuestion {
    /// The error's name; missing for a process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The check's name; missing for a rewriting system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
    /// What it says, names of other errors replaced by what they mean.
    pub formula: String,
}
