//! The trace document: a firing sequence that can be kept, read again and replayed.
//!
//! [`TraceDocument`] is what `--trace` writes: the instance, the steps and the marking at the end, in the
//! very types of a result of `--json` (its description for readers is `docs/json.md`). [`read`] takes such a
//! document, or the document of a whole run, and gives the traces in it.
//! Nothing is checked here: whether names, nodes and steps fit a model is found out by `replay`. Keys that
//! are not known are ignored, as programs of a later version may write more; keys that are missing are not.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::report::document::SCHEMA_VERSION;
use crate::report::kind::Kind;
use crate::report::reading::refusal;
use crate::report::reproducer::quoted;
use crate::report::{Answer, Instance, Place, Question, Step, reading};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::input::BAD_TRACE;
use paramcheck_text::source::SourceFile;

/// The commands whose documents may have traces.
const WITH_TRACES: [&str; 5] = ["check", "explore", "replay", "step", "verify"];

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
    /// The property of runs that it violates; only where it was made for one, and then `error` is `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<PropertyHead>,
}

/// The property of runs that a trace violates, and what belongs to a run beyond its steps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct PropertyHead {
    /// Its name.
    pub name: String,
    /// The formula, as it was written.
    pub formula: String,
    /// Which runs count: `any`, `fair` or `fair-strong`.
    pub schedule: String,
    /// How many steps come before those that repeat for ever; `None` for a run that ends, or has lost the property
    /// however it goes on.
    pub loop_start: Option<usize>,
}

impl TraceDocument {
    /// The name of the error or the property that it is about.
    pub fn asked(&self) -> Option<&str> {
        self.error.as_deref().or(self.property.as_ref().map(|property| property.name.as_str()))
    }

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
            property: None,
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
    schema_version: Option<u32>,
    command: Option<String>,
}

/// The document of a run: as much of it as is of use here. `R` is a result with its `file`.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct RunDocument<R> {
    files: Vec<FileHead>,
    results: Vec<R>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct FileHead {
    file: String,
    system: Option<String>,
}

/// A result of checking: the trace stands in its parts.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct QuestionResult {
    file: String,
    error: String,
    formula: String,
    verdict: String,
    instance: Option<Instance>,
    marking: Option<Vec<Place>>,
    trace: Option<Vec<Step>>,
}

/// A result of another command, which has whole trace documents. (A process has runs, which are not for a
/// model's rules.)
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct OtherResult {
    file: Option<String>,
    trace: Option<TraceDocument>,
    run: Option<IgnoredAny>,
}

/// Reads the trace in `text`. Where that is the document of a run, `model` chooses among several files: it is
/// the model's name as written in the call. `error`, an error's name, chooses among several traces.
///
/// # Errors
/// What is wrong with the document, with its place, or why there is not just one trace to choose.
pub fn read(text: &SourceFile, model: &str, error: Option<&str>) -> Result<TraceDocument, Diagnostic> {
    // Typed at once each time, not by way of a value: only so a mistake has its place.
    let form: Form = parse(text)?;
    match Kind::of(text) {
        Some(Kind::Trace) | None => {}
        Some(Kind::Run(command)) if WITH_TRACES.contains(&command.as_str()) => {}
        Some(other) => return Err(other.instead_of("trace", &BAD_TRACE, text)),
    }
    if form.format.is_some() {
        return valid(text, parse(text)?);
    }
    match form.schema_version {
        None => {
            let help = "a trace is written by `--trace PATH`, and is in the output of `--json`";
            Err(refusal(
                &BAD_TRACE,
                text,
                "is no trace: there is neither `format` nor `schema_version` in it",
                help,
            ))
        }
        Some(SCHEMA_VERSION) if form.command.as_deref() == Some("check") => {
            let RunDocument { files, results } = parse::<RunDocument<QuestionResult>>(text)?;
            let traces = results.into_iter().filter_map(|result| of_question(&files, result));
            choose(text, of_model(text, &files, traces, model)?, error)
        }
        Some(SCHEMA_VERSION) => {
            let RunDocument { files, results } = parse::<RunDocument<OtherResult>>(text)?;
            if results.iter().any(|result| result.run.is_some()) {
                let what = "is about a process, and has runs but no traces";
                let help = format!("draw one: `paramcheck draw MODEL --trace {}`", quoted(&text.name));
                return Err(refusal(&BAD_TRACE, text, what, &help));
            }
            let traces = results.into_iter().filter_map(|result| Some((result.file?, result.trace?)));
            let traces = of_model(text, &files, traces, model)?;
            choose(text, traces.into_iter().map(|trace| valid(text, trace)).collect::<Result<_, _>>()?, error)
        }
        Some(version) => {
            let what = format!("has schema version {version}; this program reads {SCHEMA_VERSION}");
            Err(refusal(&BAD_TRACE, text, &what, "run the command again"))
        }
    }
}

/// `document`, read from `text`, if it is a trace of this version.
fn valid(text: &SourceFile, document: TraceDocument) -> Result<TraceDocument, Diagnostic> {
    match (document.format.as_str(), document.version) {
        (FORMAT, VERSION) if document.error.is_some() != document.formula.is_some() => {
            let what = "names an error without its formula, or a formula without its error";
            Err(refusal(&BAD_TRACE, text, what, "`error` and `formula` are both given or both `null`"))
        }
        (FORMAT, VERSION) if document.error.is_some() && document.property.is_some() => {
            let what = "is about an error and a property at once";
            Err(refusal(&BAD_TRACE, text, what, "one of `error` and `property` is given"))
        }
        (FORMAT, VERSION) => Ok(document),
        (FORMAT, version) => {
            let what = format!("is a trace of version {version}; this program reads {VERSION}");
            Err(refusal(&BAD_TRACE, text, &what, "write it again with `--trace PATH`"))
        }
        (format, _) => {
            let what = format!("is no trace: its format is `{format}`");
            Err(refusal(&BAD_TRACE, text, &what, &format!("the format of a trace is `{FORMAT}`")))
        }
    }
}

/// The trace of a result of checking, with its file; `None` unless it is *violated*.
fn of_question(files: &[FileHead], result: QuestionResult) -> Option<(String, TraceDocument)> {
    if result.verdict != Answer::Violated.word() {
        return None;
    }
    let system = files.iter().find(|head| head.file == result.file)?.system.clone();
    let document = TraceDocument {
        format: FORMAT.to_owned(),
        version: VERSION,
        system: system.unwrap_or_default(),
        error: Some(result.error),
        formula: Some(result.formula),
        instance: result.instance?,
        trace: result.trace?,
        marking: result.marking?,
        property: None,
    };
    Some((result.file, document))
}

/// The traces of a run; of one about several files, those of the one called `model`.
fn of_model(
    text: &SourceFile,
    files: &[FileHead],
    traces: impl Iterator<Item = (String, TraceDocument)>,
    model: &str,
) -> Result<Vec<TraceDocument>, Diagnostic> {
    let is_alone = files.len() == 1;
    if !is_alone && files.iter().all(|head| head.file != model) {
        let what = format!("is about several models, but none of them is called `{model}`");
        return Err(refusal(&BAD_TRACE, text, &what, "name the model as it was named in the run"));
    }
    Ok(traces.filter(|(file, _)| is_alone || file == model).map(|(_, trace)| trace).collect())
}

/// The one trace among `traces`, which a choice of the user's may have to make one.
fn choose(
    text: &SourceFile,
    mut traces: Vec<TraceDocument>,
    error: Option<&str>,
) -> Result<TraceDocument, Diagnostic> {
    let names =
        itertools::join(traces.iter().flat_map(TraceDocument::asked).map(|name| format!("`{name}`")), ", ");
    if traces.is_empty() {
        return Err(refusal(
            &BAD_TRACE,
            text,
            "has no trace: no error in it is violated or reached",
            "only such errors have one",
        ));
    }
    if let Some(error) = error {
        traces.retain(|trace| trace.asked() == Some(error));
    }
    match (traces.pop(), traces.len()) {
        (Some(trace), 0) => Ok(trace),
        (None, _) => {
            let what = format!("has no trace to `{}`", error.unwrap_or_default());
            Err(refusal(&BAD_TRACE, text, &what, &format!("it has traces to {names}")))
        }
        (Some(last), others) => {
            let (what, help) = match last.asked() {
                Some(name) if traces.iter().all(|trace| trace.asked() == Some(name)) => {
                    let what = format!("has {} traces to `{name}`", others + 1);
                    (what, "have the one wanted written into a file of its own, with `--trace PATH`")
                }
                _ => (format!("has several traces, to {names}"), "choose one with `--error NAME`"),
            };
            Err(refusal(&BAD_TRACE, text, &what, help))
        }
    }
}

/// `text` as a `T`, or the message that gives the place where it is none.
fn parse<'a, T: Deserialize<'a>>(text: &'a SourceFile) -> Result<T, Diagnostic> {
    reading::read(text, &BAD_TRACE, "trace", "docs/json.md")
}
