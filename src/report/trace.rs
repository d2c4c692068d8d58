//! The trace document: a firing sequence that can be kept, read again and replayed.
//!
//! [`TraceDocument`] is what `--trace` writes: the instance, the steps and the marking at the end, in the
//! very types of a result of `--json` (its description for readers is `docs/json.md`). [`read`] takes such a
//! document, or the document of a whole run (of checking, `explore` or `verify`), and gives the traces in it.
//! Nothing is checked here: whether names, nodes and steps fit a model is found out by `replay`. Keys that
//! are not known are ignored, as programs of a later version may write more; keys that are missing are not.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::report::{Answer, Instance, Place, Question, Step, document, json};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::input::BAD_TRACE;
use paramcheck_text::source::SourceFile;

/// What [`TraceDocument::format`] is.
pub const FORMAT: &str = "paramcheck-trace";
/// The version of the document. Raised when a key is renamed, removed or changes its meaning.
pub const VERSION: u32 = 1;

/// A firing sequence of an instance, everything by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct TraceDocument {
    /// Always [`FORMAT`].
    pub format: String,
    /// Always [`VERSION`].
    pub version: u32,
    /// The system's name.
    pub system: String,
    /// The name of the error that it reaches; `None` where it was not made to reach one.
    pub error: Option<String>,
    /// The error's definition, the names of other errors replaced by what they mean.
    pub formula: Option<String>,
    /// The instance.
    pub instance: Instance,
    /// The steps from the instance's initial states.
    pub trace: Vec<Step>,
    /// Where they end: a state per component.
    pub marking: Vec<Place>,
}

impl TraceDocument {
    /// The trace of a question that is answered *violated*; `None` of another.
    pub fn of(system: &str, question: &Question) -> Option<TraceDocument> {
        if question.verdict != Answer::Violated {
            return None;
        }
        Some(TraceDocument {
            format: FORMAT.to_owned(),
            version: VERSION,
            system: system.to_owned(),
            error: Some(question.error.clone()),
            formula: Some(question.formula.clone()),
            instance: question.instance.clone()?,
            trace: question.trace.clone()?,
            marking: question.marking.clone()?,
        })
    }

    /// The document as text, with a line break at the end.
    ///
    /// # Errors
    /// None that can be reached: every key is a string.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// Which of the forms a document has, known by its keys.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Form {
    format: Option<IgnoredAny>,
    results: Option<IgnoredAny>,
    files: Option<IgnoredAny>,
    errors: Option<IgnoredAny>,
    backend: Option<IgnoredAny>,
}

/// The document of a run about one file: as much of it as is of use here.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct OneFile {
    schema_version: u32,
    file: String,
    system: Option<String>,
    results: Vec<QuestionResult>,
}

/// The document of `explore` (`errors`) or `verify` (`results`): as much of it as is of use here.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Explored {
    schema_version: u32,
    #[serde(alias = "results")]
    errors: Vec<ErrorExplored>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct ErrorExplored {
    trace: Option<TraceDocument>,
}

/// The document of a run about several files.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct ManyFiles {
    schema_version: u32,
    files: Vec<FileResults>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct FileResults {
    file: String,
    system: Option<String>,
    results: Vec<QuestionResult>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct QuestionResult {
    error: String,
    formula: String,
    verdict: String,
    instance: Option<Instance>,
    marking: Option<Vec<Place>>,
    trace: Option<Vec<Step>>,
}

/// Reads the trace in `text`. Where that is the document of a run, `model` chooses among several files: it is
/// the model's name as written in the call. `error`, an error's name, chooses among several traces.
///
/// # Errors
/// What is wrong with the document, with its place, or why there is not just one trace to choose.
pub fn read(text: &SourceFile, model: &str, error: Option<&str>) -> Result<TraceDocument, Diagnostic> {
    // Typed at once each time, not by way of a value: only so a mistake has its place.
    let form: Form = parse(text)?;
    if form.format.is_some() {
        return valid(text, parse(text)?);
    }
    // Those of `explore` and of `verify`: whole trace documents. (A process has runs, which are not for a
    // model's rules.)
    if form.errors.is_some() || form.results.is_some() && form.backend.is_some() {
        let Explored { schema_version, errors } = parse(text)?;
        of_this_version(text, schema_version)?;
        let traces = errors.into_iter().filter_map(|error| error.trace);
        let traces = traces.map(|trace| valid(text, trace)).collect::<Result<_, _>>()?;
        return choose(text, traces, error);
    }
    if form.results.is_some() {
        let OneFile { schema_version, file, system, results } = parse(text)?;
        of_this_version(text, schema_version)?;
        return choose(text, of_results(text, vec![FileResults { file, system, results }], model)?, error);
    }
    if form.files.is_some() {
        let ManyFiles { schema_version, files } = parse(text)?;
        of_this_version(text, schema_version)?;
        return choose(text, of_results(text, files, model)?, error);
    }
    let help = "a trace is written by `--trace PATH`, and is in the output of `--json`";
    Err(refusal(text, "is no trace: there is neither `format` nor `results` in it", help))
}

/// `document`, read from `text`, if it is a trace of this version.
fn valid(text: &SourceFile, document: TraceDocument) -> Result<TraceDocument, Diagnostic> {
    match (document.format.as_str(), document.version) {
        (FORMAT, VERSION) if document.error.is_some() != document.formula.is_some() => {
            let what = "names an error without its formula, or a formula without its error";
            Err(refusal(text, what, "`error` and `formula` are both given or both `null`"))
        }
        (FORMAT, VERSION) => Ok(document),
        (FORMAT, version) => {
            let what = format!("is a trace of version {version}; this program reads {VERSION}");
            Err(refusal(text, &what, "write it again with `--trace PATH`"))
        }
        (format, _) => {
            let what = format!("is no trace: its format is `{format}`");
            Err(refusal(text, &what, &format!("the format of a trace is `{FORMAT}`")))
        }
    }
}

/// Refuses the document of a run of another version.
fn of_this_version(text: &SourceFile, version: u32) -> Result<(), Diagnostic> {
    if version == json::SCHEMA_VERSION {
        return Ok(());
    }
    let what = format!("has schema version {version}; this program reads {}", json::SCHEMA_VERSION);
    Err(refusal(text, &what, "run the check again"))
}

/// The traces among the results of a run; of several files, of the one called `model`.
fn of_results(
    text: &SourceFile,
    mut reports: Vec<FileResults>,
    model: &str,
) -> Result<Vec<TraceDocument>, Diagnostic> {
    if reports.len() > 1 {
        reports.retain(|report| report.file == model);
        if reports.is_empty() {
            let what = format!("is about several models, but none of them is called `{model}`");
            return Err(refusal(text, &what, "name the model as it was named in the run"));
        }
    }
    let mut traces: Vec<TraceDocument> = Vec::new();
    for report in reports {
        for result in report.results {
            let is_violated = result.verdict == Answer::Violated.word();
            if let (true, Some(instance), Some(trace), Some(marking)) =
                (is_violated, result.instance, result.trace, result.marking)
            {
                traces.push(TraceDocument {
                    format: FORMAT.to_owned(),
                    version: VERSION,
                    system: report.system.clone().unwrap_or_default(),
                    error: Some(result.error),
                    formula: Some(result.formula),
                    instance,
                    trace,
                    marking,
                });
            }
        }
    }
    Ok(traces)
}

/// The one trace among `traces`, which a choice of the user's may have to make one.
fn choose(
    text: &SourceFile,
    mut traces: Vec<TraceDocument>,
    error: Option<&str>,
) -> Result<TraceDocument, Diagnostic> {
    let names =
        itertools::join(traces.iter().flat_map(|trace| &trace.error).map(|name| format!("`{name}`")), ", ");
    if traces.is_empty() {
        return Err(refusal(
            text,
            "has no trace: no error in it is violated or reached",
            "only such errors have one",
        ));
    }
    if let Some(error) = error {
        traces.retain(|trace| trace.error.as_deref() == Some(error));
    }
    match (traces.pop(), traces.len()) {
        (Some(trace), 0) => Ok(trace),
        (None, _) => {
            let what = format!("has no trace to `{}`", error.unwrap_or_default());
            Err(refusal(text, &what, &format!("it has traces to {names}")))
        }
        (Some(last), others) => {
            let (what, help) = match &last.error {
                Some(name) if traces.iter().all(|trace| trace.error == last.error) => {
                    let what = format!("has {} traces to `{name}`", others + 1);
                    (what, "have the one wanted written into a file of its own, with `--trace PATH`")
                }
                _ => (format!("has several traces, to {names}"), "choose one with `--error NAME`"),
            };
            Err(refusal(text, &what, help))
        }
    }
}

/// `text` as a `T`, or the message that gives the place where it is none.
fn parse<'a, T: Deserialize<'a>>(text: &'a SourceFile) -> Result<T, Diagnostic> {
    document::read(text, &BAD_TRACE, "trace", "docs/json.md")
}

/// A message about the whole of a document.
fn refusal(text: &SourceFile, what: &str, help: &str) -> Diagnostic {
    Diagnostic {
        code: &BAD_TRACE,
        message: format!("`{}` {what}", text.name),
        labels: Vec::new(),
        help: Some(help.to_owned()),
    }
}
