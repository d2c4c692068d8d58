//! Verdicts over the questions of a document, and the traces behind them.
//!
//! In: the analysis and what is answered so far. Out: a code lens per question, over its line. Its command
//! shows the whole answer, and the steps of a trace with their places.

use lsp_types::{CodeLens, Command, Location, Range, Uri};
use serde::Serialize;

use crate::analysis::{Analysis, Question};
use crate::answer::Answer;
use crate::document::Document;
use crate::places;
use crate::worker::{Given, Worker};

/// The command that shows an answer: an editor that knows it gets the answer with it, others ask the server.
pub(crate) const SHOW_TRACE: &str = "paramcheck.showTrace";

/// Over so many questions stands why they are not decided.
const MAX_UNDECIDED: usize = 100;

/// What a question shows.
pub(crate) struct Shown {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) answer: Option<std::sync::Arc<Answer>>,
}

/// An answer as the argument of [`SHOW_TRACE`].
#[derive(Serialize)]
struct Trace<'a> {
    uri: &'a str,
    name: &'a str,
    verdict: &'a str,
    title: &'a str,
    text: &'a str,
    /// Where the question stands.
    range: Range,
    steps: Vec<TraceStep<'a>>,
}

#[derive(Serialize)]
struct TraceStep<'a> {
    text: &'a str,
    location: Option<Location>,
}

/// What each question of a document shows now.
pub(crate) fn shown(document: &mut Document, worker: &Worker) -> Vec<(Question, Shown)> {
    let analysis = document.analysis();
    if analysis.undecided().is_some() {
        return Vec::new();
    }
    let given = worker.answers(&document.uri, document.version);
    let questions = analysis.questions().into_iter().enumerate();
    questions
        .map(|(position, question)| {
            let (title, answer) = match given.get(position).cloned().unwrap_or_default() {
                Given::Waiting => ("…".to_owned(), None),
                Given::Answer(answer) => (answer.title.clone(), Some(answer)),
                Given::Nothing => {
                    ("no answer, because of a bug: `paramcheck` on this file reports it".to_owned(), None)
                }
            };
            let name = question.name.clone();
            (question, Shown { name, title, answer })
        })
        .collect()
}

/// The lenses of a document.
pub(crate) fn lenses(document: &mut Document, uri: &Uri, worker: &Worker) -> Vec<CodeLens> {
    let analysis = document.analysis();
    if let Some(reason) = analysis.undecided() {
        let most = if analysis.rewriting().is_some() { 1 } else { MAX_UNDECIDED };
        let lens = |question: Question| {
            let title = reason.replace("FILE", document.name());
            let command = Command { title, command: String::new(), arguments: None };
            CodeLens { range: document.range(question.span), command: Some(command), data: None }
        };
        return analysis.questions().into_iter().take(most).map(lens).collect();
    }
    let shown = shown(document, worker);
    shown.into_iter().map(|(question, shown)| lens(document, uri, &analysis, &question, &shown)).collect()
}

fn lens(document: &Document, uri: &Uri, analysis: &Analysis, question: &Question, shown: &Shown) -> CodeLens {
    let range = document.range(question.span);
    // What stands over its own definition needs no name.
    let text = document.text.get(question.span.start..question.span.end).unwrap_or("");
    let is_named = text.split('=').next().is_some_and(|head| head.contains(&question.name));
    let title = if is_named { shown.title.clone() } else { format!("{}: {}", question.name, shown.title) };
    let command = match &shown.answer {
        None => Command { title, command: String::new(), arguments: None },
        Some(answer) => {
            let trace = trace(document, uri, analysis, (question, range), answer);
            let arguments = serde_json::to_value(trace).ok().map(|trace| vec![trace]);
            Command { title, command: SHOW_TRACE.to_owned(), arguments }
        }
    };
    CodeLens { range, command: Some(command), data: None }
}

fn trace<'a>(
    document: &'a Document,
    uri: &Uri,
    analysis: &Analysis,
    (question, range): (&'a Question, Range),
    answer: &'a Answer,
) -> Trace<'a> {
    let steps = answer.steps.iter().map(|step| TraceStep {
        text: &step.text,
        location: places::span(&step.place, analysis, &document.text)
            .map(|span| Location { uri: uri.clone(), range: document.range(span) }),
    });
    Trace {
        uri: &document.uri,
        name: &question.name,
        verdict: answer.verdict,
        title: &answer.title,
        text: &answer.text,
        range,
        steps: steps.collect(),
    }
}
