//! Answers about agents of LAbS in an editor: all runs, by the papers' rules.

use paramcheck::report::Answer as Word;
use paramcheck::report::labs::{LabsReport, LabsResult, RunReport};
use paramcheck::report::text::{self, plural};
use paramcheck_labs::model::System;
use paramcheck_labs::semantics::step::Rules;
use paramcheck_language_server::{Answer, Place, Step};
use paramcheck_text::limits::Budget;
use paramcheck_text::source::{SourceFile, Span};
use paramcheck_verdict::Status;
use paramcheck_verdict::labs::{Options, decide};

use super::{STYLE, length};

/// The answer to a property of a system.
pub(super) fn answer(
    source: &SourceFile,
    system: &System,
    question: usize,
    budget: &Budget,
) -> Option<Answer> {
    let property = system.properties.get(question)?;
    let unknown = |reason: String| {
        let title = format!("unknown: {reason}");
        Answer { verdict: Word::Unknown.word(), text: format!("{title}\n"), title, steps: Vec::new() }
    };
    if let Some((name, _)) = system.foreign() {
        return Some(unknown(format!("`${name}(…)` is a function of a C program, which is not here")));
    }
    // One thread: the others are the editor's.
    let options = Options { budget: budget.clone(), ..Options::default() };
    let rules = Rules::default();
    let decision = match decide(system, std::slice::from_ref(property), rules, &options) {
        Ok(decision) => decision,
        Err(reason) => return Some(unknown(format!("there is no initial state: {reason}"))),
    };
    let found = decision.answers.first().filter(|answer| answer.bug.is_none())?;
    let report = LabsReport::new(system, rules, None, &decision);
    let result = LabsResult::new(system, source, property.text(&source.text), found);
    let mut lines = report.result(&result, &STYLE).trim_start().to_owned();
    if let Some(fault) = &decision.fault {
        lines.push_str(&report.result(&LabsResult::of_fault(system, source, fault), &STYLE));
    }
    let what = match result.verdict {
        Word::Proved if result.proof == Some("values") => " in any order, by values".to_owned(),
        Word::Proved => format!(" in any order, {}", plural(report.states, "state")),
        Word::Violated => {
            let run = result.run.as_ref();
            run.map_or(String::new(), |run| length(run.steps.len(), run.loop_start))
        }
        Word::Unknown => format!(": {}", result.reason.as_ref().map_or("", |reason| reason.text.as_str())),
    };
    let time = text::time(report.time_ms + result.time_ms);
    let places: &[Option<Span>] = match &found.status {
        Status::Violated(violation) => &violation.run.places,
        _ => &[],
    };
    Some(Answer {
        verdict: result.verdict.word(),
        title: format!("{}{what} ({time})", result.verdict.word()),
        steps: steps(result.run.as_ref(), places),
        text: lines,
    })
}

/// The steps of a run; messages are written nowhere.
fn steps(run: Option<&RunReport>, places: &[Option<Span>]) -> Vec<Step> {
    let mut before = &[][..];
    let mut all = Vec::new();
    for (step, place) in run.iter().flat_map(|run| &run.steps).zip(places) {
        let place = place.map_or(Place::Nowhere, Place::Text);
        all.push(Step { text: step.text(before), place });
        before = &step.pending;
    }
    all
}
