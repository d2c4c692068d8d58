//! Which document of this program a text is, for whoever expects another one.
//!
//! In: a text that was given for a model, or for a document of some kind. Out: its [`Kind`], and the message that
//! names it and the command that takes it. Nothing is read of a document but the keys that tell.

use serde::Deserialize;

use crate::report::labs::document::RUN_DOCUMENT;
use crate::report::reading::refusal;
use crate::report::reproducer::quoted;
use crate::report::{candidate, labs, trace};
use paramcheck_text::diagnostic::{Code, Diagnostic};
use paramcheck_text::source::SourceFile;

/// What the output of a command that has runs of processes is called in messages.
pub(crate) const VERIFY_DOCUMENT: &str = "document of `verify --json`";

/// What a document is that this program writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A trace document.
    Trace,
    /// A run of agents.
    RunOfAgents,
    /// A candidate document.
    Candidate,
    /// A certificate.
    Certificate,
    /// What `--json` printed, of the command called so.
    Run(String),
}

/// What shows which document it is.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Form {
    format: Option<String>,
    schema_version: Option<u32>,
    command: Option<String>,
}

impl Kind {
    /// What `text` is; `None` where it is none of these.
    pub fn of(text: &SourceFile) -> Option<Kind> {
        // A model never begins so, and may be long.
        if !text.text.trim_start().starts_with('{') {
            return None;
        }
        let form: Form = serde_json::from_str(&text.text).ok()?;
        match (form.format.as_deref(), form.command) {
            (Some(trace::FORMAT), _) => Some(Kind::Trace),
            (Some(labs::document::FORMAT), _) => Some(Kind::RunOfAgents),
            (Some(candidate::FORMAT), _) => Some(Kind::Candidate),
            (Some(paramcheck_certificate::check::FORMAT), _) => Some(Kind::Certificate),
            (None, Some(command)) if form.schema_version.is_some() => Some(Kind::Run(command)),
            _ => None,
        }
    }

    fn words(&self) -> String {
        match self {
            Kind::Trace => "a trace".to_owned(),
            Kind::RunOfAgents => format!("a {RUN_DOCUMENT}"),
            Kind::Candidate => "a candidate".to_owned(),
            Kind::Certificate => "a certificate".to_owned(),
            Kind::Run(command) if command == "check" => "the output of `paramcheck --json`".to_owned(),
            Kind::Run(command) => format!("the output of `paramcheck {command} --json`"),
        }
    }

    /// The message, of kind `code`, that `text` is this, and not the `noun` that is wanted.
    pub fn instead_of(&self, noun: &str, code: Code, text: &SourceFile) -> Diagnostic {
        let name = match text.name.as_str() {
            "<stdin>" => "-".to_owned(),
            name => quoted(name),
        };
        let help = match self {
            Kind::Trace => format!("a trace is replayed by `paramcheck replay MODEL {name}`"),
            Kind::RunOfAgents => format!("a run is replayed by `paramcheck replay FILE.labs {name}`"),
            Kind::Candidate => {
                format!("a candidate is checked by `paramcheck replay MODEL --candidate {name}`")
            }
            Kind::Certificate => format!("a certificate is checked by `paramcheck certify MODEL {name}`"),
            Kind::Run(_) => match noun {
                "model" => "it is for other programs, and has answers (docs/json.md)".to_owned(),
                VERIFY_DOCUMENT => "`paramcheck verify MODEL --json` writes it".to_owned(),
                RUN_DOCUMENT => "`paramcheck verify FILE.labs --json` writes one".to_owned(),
                _ => format!("a {noun} is written by `paramcheck MODEL --error NAME --{noun} PATH`"),
            },
        };
        refusal(code, text, &format!("is {}, not a {noun}", self.words()), &help)
    }
}
