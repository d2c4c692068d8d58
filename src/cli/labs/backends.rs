//! The answers of other programs to properties of agents, beside this program's own if that is wanted.

use std::time::Instant;

use paramcheck::report::Answer;
use paramcheck::report::backends::BackendResult;
use paramcheck::report::labs::{LabsReport, LabsResult};
use paramcheck_labs::model::Modality;
use paramcheck_labs::semantics::step::Fairness;
use paramcheck_text::diagnostic::codes::input::BUG;
use paramcheck_verdict::Status;
use paramcheck_verdict::labs::verifiers::{Options as QueryOptions, Question, VerifierAnswers, query};
use paramcheck_verdict::labs::{Decision, Options, decide};
use paramcheck_verdict::process::Verifier;

use super::answers::{Asked, LabsSession, Request, all_threads, asked, show};
use super::no_start;
use crate::cli::exit::Exit;
use crate::cli::verify::{PATIENCE, Verifiers, not_here, usage};
use crate::cli::{Failure, bug, files};

/// Answers and prints. The exit code is that of the session; with it the answers.
pub(super) fn run(
    request: &Request<'_>,
    session: &mut LabsSession<'_>,
) -> Result<Option<Vec<LabsResult>>, Failure> {
    if request.is_bare {
        return Err(usage("--no-properties: other programs answer properties; leave out one of them"));
    }
    if request.rules.fairness != Fairness::None {
        let message =
            "--fair: programs for other verifiers have all runs of agents; leave out --fair or --backend";
        return Err(usage(message));
    }
    let verifiers = match Verifiers::find(request.backend, request.limits.memory_bytes()) {
        Ok(verifiers) => verifiers,
        Err(missing) => {
            session.diagnostic(&not_here(missing), None);
            return Ok(None);
        }
    };
    let Some(all) = asked(request, session)? else { return Ok(None) };
    let Asked { loaded, properties, watch, .. } = &all;
    let begin = Instant::now();
    let others: Vec<&dyn Verifier> = verifiers.others.iter().map(|ready| ready as &dyn Verifier).collect();
    let answered = watch.run(&loaded.source.name, |budget| {
        let question = Question {
            name: &loaded.source.name,
            text: &loaded.source.text,
            system: &loaded.system,
            properties,
            rules: request.rules,
        };
        let options = QueryOptions {
            max_steps: request.steps,
            patience: request.limits.time_limit.is_none().then_some(PATIENCE),
            budget: budget.clone(),
        };
        let native = Options {
            max_states: request.max_states,
            max_steps: request.steps,
            threads: request.threads.unwrap_or_else(all_threads),
            reductions: request.reductions,
            budget,
        };
        let native = || {
            let own = || decide(&loaded.system, properties, request.rules, &native);
            verifiers.is_native.then(own).transpose()
        };
        let (native, answers) = query(question, &others, &options, native)?;
        Ok((native?, answers))
    });
    if watch.interrupt.is_pressed() {
        session.raise(Exit::Interrupted);
    }
    let (native, answers) = match answered {
        Ok(answered) => answered,
        Err(reason) => {
            session.diagnostic(&no_start(&loaded.source, &loaded.system, reason), Some(&loaded.source));
            return Ok(None);
        }
    };
    let system = &loaded.system;
    let mut report = match &native {
        Some(decision) => LabsReport::new(system, request.rules, request.steps, decision),
        None => LabsReport::of_backend(system, request.rules, request.steps, begin.elapsed()),
    };
    report.backend = Some(request.backend.word());
    report.missing = verifiers.missing;
    let results = results(&all, native.as_ref(), &answers, session);
    show(request, loaded, report, &results, session)?;
    Ok(Some(results))
}

/// What is answered, of each property by the first that has an answer; contradictions are reported instead.
fn results(
    all: &Asked,
    native: Option<&Decision>,
    others: &[VerifierAnswers],
    session: &mut LabsSession<'_>,
) -> Vec<LabsResult> {
    let (system, source) = (&all.loaded.system, &all.loaded.source);
    let mut results = Vec::new();
    let mut conflicts = 0;
    let own_fault = native.and_then(|decision| decision.fault.as_ref());
    let found = own_fault.or_else(|| others.iter().find_map(|answers| answers.fault.as_ref()));
    if let Some(fault) = found {
        // It was replayed by the rules: whoever says that there is none is wrong.
        let is_step = fault.property.is_none();
        if is_step && (is_denied(all, native) || others.iter().any(|answers| answers.denies_fault)) {
            conflicts += 1;
            let details = "a run leaves the language, and a verifier has proved that none does\n";
            conflict(all, "fault", details.to_owned(), conflicts, session);
            return results;
        }
        results.push(LabsResult::of_fault(system, source, fault));
    }
    for (position, question) in all.questions.iter().enumerate() {
        let name = &question.property.name;
        let mut own: Vec<LabsResult> = Vec::new();
        let mut transcripts = String::new();
        let mut compared: Vec<BackendResult> = Vec::new();
        if let Some(answer) = native.and_then(|decision| decision.answers.get(position)) {
            if let Some(bug) = &answer.bug {
                let message = format!("bug in paramcheck, no answer about `{name}`: {bug}");
                let help = "please report it, with the file and the call";
                session.diagnostic(&files::plain(&BUG, message).help(help), None);
                session.raise(Exit::Bug);
                continue;
            }
            let result = LabsResult::new(system, source, question.formula.clone(), answer);
            compared.push(BackendResult::of_native(&result));
            own.push(result);
        }
        for answer in others.iter().filter_map(|answers| answers.answers.get(position)) {
            let about = (name.clone(), question.formula.clone());
            own.push(LabsResult::of_backend(system, source, about, answer));
            compared.push(BackendResult::of_agents(answer));
            transcripts.push_str(&answer.transcript);
        }
        let has = |wanted: Answer| own.iter().any(|one| one.verdict == wanted);
        if has(Answer::Proved) && has(Answer::Violated) {
            conflicts += 1;
            let mut details = format!("question: {name} = {}\n", question.formula);
            for one in &compared {
                details.push_str(&format!("{}: {}\n", one.backend, one.verdict.word()));
            }
            conflict(all, name, details + &transcripts, conflicts, session);
            continue;
        }
        let first = own.iter().position(|one| one.verdict != Answer::Unknown).unwrap_or(0);
        if first < own.len() {
            let mut result = own.swap_remove(first);
            result.backends = compared;
            results.push(result);
        }
    }
    results
}

/// Whether this program has looked at all states, and found no fault.
fn is_denied(all: &Asked, native: Option<&Decision>) -> bool {
    let Some(native) = native.filter(|native| native.fault.is_none()) else { return false };
    let looks_everywhere = |question: &super::Question| {
        matches!(question.property.modality, Modality::Always | Modality::FairlyInfinite)
    };
    let answers = native.answers.iter().zip(&all.questions);
    let mut proved = answers.filter(|(answer, _)| matches!(answer.status, Status::Proved(_)));
    proved.any(|(_, question)| looks_everywhere(question))
}

/// Reports that back ends contradict each other, with everything in a file.
fn conflict(all: &Asked, name: &str, details: String, number: usize, session: &mut LabsSession<'_>) {
    let what = "verifiers contradict each other";
    let kept = bug::keep_text(&all.loaded.source, name, what, &details, number);
    session.diagnostic(&kept.diagnostic, None);
    session.raise(Exit::Bug);
}
