//! The document that `--json` prints: one shape for every command and any number of files.
//!
//! A command says what it finds out about a file as a whole, `F`, and what a result of it is, `R`. Both are
//! types of the other parts of [`report`](super); here is only what they stand in. The description for
//! readers is `docs/json.md`, the schema `docs/json.schema.json`.

use serde::Serialize;

use crate::report::json::{DiagnosticReport, SizeReport};

/// The version of the document. Raised when a key is renamed, removed or changes its meaning; new keys
/// may appear without.
pub const SCHEMA_VERSION: u32 = 2;

/// The document of a command.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Document<F, R> {
    /// Always [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Who wrote it.
    pub tool: Tool,
    /// The command that was called; `check` for the one without a name.
    pub command: &'static str,
    /// The files, in the order of the call.
    pub files: Vec<FileReport<F>>,
    /// All results, in the order of the files and, within a file, of the questions.
    pub results: Vec<FileResult<R>>,
}

/// Who wrote a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tool {
    /// Always `paramcheck`.
    pub name: &'static str,
    /// The program's version.
    pub version: &'static str,
}

impl Default for Tool {
    fn default() -> Self {
        Tool { name: "paramcheck", version: env!("CARGO_PKG_VERSION") }
    }
}

/// What belongs to a file as a whole.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FileReport<F> {
    /// The file as named in the call; `<stdin>` for `-`.
    pub file: String,
    /// The system's name, or the term of a process; `None` where the file has errors.
    pub system: Option<String>,
    /// How large the rewriting system is; `None` where the file has errors or is none.
    pub statistics: Option<SizeReport>,
    /// Errors and warnings.
    pub diagnostics: Vec<DiagnosticReport>,
    /// What the command adds; its keys stand beside the others, and are missing where there is no answer.
    #[serde(flatten)]
    pub found: Option<F>,
}

/// A result, with the file that it is about.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FileResult<R> {
    /// The file, as in [`FileReport::file`]; `None` for a command about no file.
    pub file: Option<String>,
    /// The result; its keys stand beside `file`.
    #[serde(flatten)]
    pub result: R,
}

impl<F: Serialize, R: Serialize> Document<F, R> {
    /// The document of a call of `command`, in which nothing stands yet.
    pub fn new(command: &'static str) -> Self {
        Document {
            schema_version: SCHEMA_VERSION,
            tool: Tool::default(),
            command,
            files: Vec::new(),
            results: Vec::new(),
        }
    }

    /// Begins with another file: what is added from now on is about it.
    pub fn begin(&mut self, file: impl Into<String>) {
        self.files.push(FileReport {
            file: file.into(),
            system: None,
            statistics: None,
            diagnostics: Vec::new(),
            found: None,
        });
    }

    /// The file begun last.
    pub fn file(&mut self) -> Option<&mut FileReport<F>> {
        self.files.last_mut()
    }

    /// Adds a result about the file begun last.
    pub fn add(&mut self, result: R) {
        let file = self.files.last().map(|report| report.file.clone());
        self.results.push(FileResult { file, result });
    }

    /// The document as text, with a line break at the end.
    ///
    /// # Errors
    ///
    /// None that can be reached: every key is a string.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}
