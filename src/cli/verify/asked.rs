//! Asking other back ends about several questions, and what is to be believed of what they say.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use paramcheck::report::backends::{BackendResult, MissingBackend};
use paramcheck::report::{Answer as Verdict, Reason};
use paramcheck_emulation::Structure;
use paramcheck_emulation::backend::{ALL, Answer};
use paramcheck_emulation::program::Program;
use paramcheck_emulation::question::Question;
use paramcheck_emulation::replay::{Mismatch, Replayed, replay};
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::limits::{Budget, Phase};

use crate::cli::args::verify::Wanted;
use crate::cli::backend::{Ready, how_to_get, ready, reason, stopped};

/// Who is asked.
pub struct Asking {
    /// Whether this program is.
    pub native: bool,
    /// The others.
    pub others: Vec<Ready>,
    /// Those that would be if they were there.
    pub missing: Vec<MissingBackend>,
}

impl Asking {
    /// Finds who is wanted.
    ///
    /// # Errors
    /// The only one wanted is not there.
    pub fn new(wanted: Wanted) -> Result<Asking, MissingBackend> {
        let mut asking =
            Asking { native: !matches!(wanted, Wanted::One(_)), others: Vec::new(), missing: Vec::new() };
        let backends: Vec<_> = match wanted {
            Wanted::Native => Vec::new(),
            Wanted::One(backend) => vec![backend],
            Wanted::All => ALL.to_vec(),
        };
        for backend in backends {
            match ready(backend) {
                Ok(found) => asking.others.push(found),
                Err(tool) => {
                    let missing = MissingBackend {
                        backend: backend.about().name.to_owned(),
                        how_to_get: how_to_get(tool),
                    };
                    if matches!(wanted, Wanted::One(_)) {
                        return Err(missing);
                    }
                    asking.missing.push(missing);
                }
            }
        }
        Ok(asking)
    }
}

/// What others are asked.
pub struct Questions<'a> {
    /// The model's name.
    pub model: &'a str,
    /// The program.
    pub structure: &'a Structure,
    /// One by one.
    pub questions: &'a [Question],
    /// What is assumed.
    pub schedule: Schedule,
    /// The memory that the processes of a job may have, in bytes.
    pub memory: Option<u64>,
    /// How long a back end may take for a question.
    pub patience: Duration,
}

/// What a back end says to a question, as far as the structure bears it out.
pub struct Said {
    /// Proved, or a run that violates the question; or why there is nothing to be believed.
    pub answer: Result<Option<Replayed>, Reason>,
    /// How long it took, in milliseconds.
    pub time_ms: f64,
    /// The most memory, in bytes.
    pub memory: Option<u64>,
    /// What was run and said.
    pub transcript: String,
}

impl Said {
    /// With nothing said.
    pub fn nothing(why: Reason) -> Said {
        Said { answer: Err(why), time_ms: 0.0, memory: None, transcript: String::new() }
    }

    /// For a report.
    pub fn result(&self, backend: &str) -> BackendResult {
        let (verdict, steps, reason) = match &self.answer {
            Ok(None) => (Verdict::Proved, None, None),
            Ok(Some(run)) => (Verdict::Violated, Some(run.steps.len()), None),
            Err(reason) => (Verdict::Unknown, None, Some(reason.clone())),
        };
        let backend = backend.to_owned();
        BackendResult { backend, verdict, steps, time_ms: self.time_ms, memory_bytes: self.memory, reason }
    }
}

/// How long a back end may take for a question where the call has no time limit: some never end, and nothing is
/// told before all have.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Asks all others, each its questions one after the other, as many at a time as there are processors; `native` is
/// done meanwhile. What was said, by back end and question.
pub fn ask<T>(
    others: &[Ready],
    questions: &Questions<'_>,
    budget: &Budget,
    native: impl FnOnce() -> T,
) -> (T, Vec<Vec<Said>>) {
    if others.is_empty() {
        return (native(), Vec::new());
    }
    budget.progress.enter(Phase::Asking);
    let answers = AtomicU64::new(0);
    let next = AtomicUsize::new(0);
    let said: Mutex<Vec<(usize, Vec<Said>)>> = Mutex::new(Vec::new());
    let work = || {
        loop {
            let position = next.fetch_add(1, Ordering::Relaxed);
            let Some(backend) = others.get(position) else { return };
            let mut own = Vec::new();
            for question in questions.questions {
                own.push(one(backend, questions, question, budget));
                budget.progress.set(answers.fetch_add(1, Ordering::Relaxed) + 1);
            }
            said.lock().unwrap_or_else(PoisonError::into_inner).push((position, own));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(others.len());
    let native = std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
        native()
    });
    let mut said = said.into_inner().unwrap_or_else(PoisonError::into_inner);
    said.sort_by_key(|(position, _)| *position);
    (native, said.into_iter().map(|(_, own)| own).collect())
}

fn one(backend: &Ready, questions: &Questions<'_>, question: &Question, budget: &Budget) -> Said {
    if let Err(stop) = budget.check() {
        return Said::nothing(stopped(stop));
    }
    let Questions { model, structure, schedule, memory, patience, .. } = *questions;
    let program = Program { model, structure, question, schedule };
    let asked = backend.ask(&program, &budget.within(patience), memory);
    let title = backend.backend.about().title;
    let answer = asked.answer.map_err(|why| match budget.check() {
        Ok(()) if why.code == "time-limit" => {
            let seconds = patience.as_secs();
            reason(
                "time-limit",
                format!("no answer within {seconds} s, the limit for each where none is given"),
            )
        }
        _ => why,
    });
    let answer = answer.and_then(|answer| match answer {
        Answer::Proved => Ok(None),
        Answer::Violated(Some(run)) => match replay(&program, &run, &budget.for_evidence()) {
            Ok(replayed) => Ok(Some(replayed)),
            Err(Mismatch::Stopped(stop)) => Err(stopped(stop)),
            Err(mismatch) => Err(reason(
                "not-replayed",
                format!("{title} claims a violation, but its run is none: {mismatch}"),
            )),
        },
        Answer::Violated(None) => Err(reason(
            "no-run",
            format!("{title} claims a violation, but gives no run that could be replayed"),
        )),
        Answer::Unknown(_) => Err(reason("tool-inconclusive", format!("{title} has no answer"))),
    });
    Said {
        answer,
        time_ms: asked.time.as_secs_f64() * 1000.0,
        memory: asked.memory,
        transcript: asked.transcript,
    }
}

/// Puts together what all say of a question: who contradicts whom, if anybody does. The verdict is that of those who
/// have one.
///
/// # Errors
/// One who says that it is proved, and one who has a run.
pub fn verdict(results: &[BackendResult]) -> Result<Verdict, [String; 2]> {
    let find = |verdict| results.iter().find(|one| one.verdict == verdict);
    match (find(Verdict::Proved), find(Verdict::Violated)) {
        (Some(proved), Some(violated)) => Err([proved.backend.clone(), violated.backend.clone()]),
        (Some(_), None) => Ok(Verdict::Proved),
        (None, Some(_)) => Ok(Verdict::Violated),
        (None, None) => Ok(Verdict::Unknown),
    }
}
