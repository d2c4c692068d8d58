//! What each back end answers to a question, side by side, as in Tables 8 and 9 of the paper on emulation.

use paramcheck_emulation::backend;
use paramcheck_verdict::Status;
use paramcheck_verdict::labs::verifiers::VerifierAnswer;
use serde::Serialize;

use crate::report::labs::LabsResult;
use crate::report::processes::Verification;
use crate::report::text::table::{Align, Table};
use crate::report::text::{self, grouped, plural};
use crate::report::{Answer, Reason};

/// What a back end answers to one question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BackendResult {
    /// Its name.
    pub backend: String,
    /// Its answer; a violation has been replayed.
    pub verdict: Answer,
    /// How long its run is; `None` unless violated.
    pub steps: Option<usize>,
    /// Wall-clock time in milliseconds.
    pub time_ms: f64,
    /// The most memory that its processes had at once; `None` for the native one, and where the system does
    /// not tell.
    pub memory_bytes: Option<u64>,
    /// Why there is no answer; `None` unless unknown.
    pub reason: Option<Reason>,
}

impl BackendResult {
    /// What a verifier answers to a property of agents.
    pub fn of_agents(answer: &VerifierAnswer) -> Self {
        let (verdict, steps, reason) = match &answer.status {
            Status::Proved(_) => (Answer::Proved, None, None),
            Status::Violated(violation) => (Answer::Violated, Some(violation.run.labels.len()), None),
            Status::Unknown(why) => {
                let reason = Reason { code: why.code(), text: why.to_string(), at: None };
                (Answer::Unknown, None, Some(reason))
            }
        };
        BackendResult {
            backend: answer.verifier.clone(),
            verdict,
            steps,
            time_ms: answer.elapsed.as_secs_f64() * 1000.0,
            memory_bytes: answer.memory,
            reason,
        }
    }

    /// What this program itself answers to a property of agents.
    pub fn of_native(result: &LabsResult) -> Self {
        BackendResult {
            backend: "native".to_owned(),
            verdict: result.verdict,
            steps: result.run.as_ref().map(|run| run.steps.len()),
            time_ms: result.time_ms,
            memory_bytes: None,
            reason: result.reason.clone(),
        }
    }
}

/// A back end that is not there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MissingBackend {
    /// Its name.
    pub backend: String,
    /// What it needs and how to get that.
    pub how_to_get: String,
}

impl Verification {
    /// The table of all back ends for a person, and a line for each that is missing.
    pub fn comparison(&self) -> String {
        let results = self.results.iter().map(|result| (result.check.as_str(), result.backends.as_slice()));
        comparison(results, &self.missing)
    }
}

/// The table of what back ends answer to each check, and a line for each that is missing.
pub fn comparison<'a>(
    results: impl Iterator<Item = (&'a str, &'a [BackendResult])>,
    missing: &[MissingBackend],
) -> String {
    let mut table = Table::new(&[
        ("check", Align::Left),
        ("back end", Align::Left),
        ("verdict", Align::Left),
        ("time", Align::Right),
        ("memory", Align::Right),
        ("", Align::Left),
    ]);
    for (check, backends) in results {
        for (position, one) in backends.iter().enumerate() {
            let memory = one.memory_bytes.map(|bytes| format!("{} MiB", grouped((bytes >> 20) as usize)));
            let more = match (&one.reason, one.steps) {
                (Some(reason), _) => reason.text.clone(),
                (None, Some(steps)) => plural(steps, "step"),
                (None, None) => String::new(),
            };
            table.row([
                if position == 0 { check.to_owned() } else { String::new() },
                marked(&one.backend),
                one.verdict.word().to_owned(),
                text::time(one.time_ms),
                memory.unwrap_or_default(),
                more,
            ]);
        }
    }
    let mut lines = String::from("\n") + &table.lines(2);
    for missing in missing {
        lines.push_str(&format!("  not here: {}, which {}\n", marked(&missing.backend), missing.how_to_get));
    }
    lines
}

/// A back end's name, marked if its template was never run.
fn marked(name: &str) -> String {
    let is_untested = backend::named(name).is_some_and(|backend| !backend.about().is_tested);
    if is_untested { format!("{name} (untested)") } else { name.to_owned() }
}
