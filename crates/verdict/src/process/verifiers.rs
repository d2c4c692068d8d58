//! Other verifiers: queried side by side, and what of their answers is believed.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use paramcheck_emulation::Structure;
use paramcheck_emulation::backend::{self, About};
use paramcheck_emulation::program::Program;
use paramcheck_emulation::question::Question;
use paramcheck_emulation::replay::{Mismatch, Replayed, replay};
use paramcheck_text::limits::{Budget, Phase};

use super::{Answer, NoAnswer, Options, ProcessProof, Subject};
use crate::Status;

/// Another verifier, run by the caller: this crate starts no process.
pub trait Verifier: Sync {
    /// What it is.
    fn about(&self) -> About;

    /// Queries it about a program; the answer once `budget` ends is that it did.
    fn query(&self, program: &Program<'_>, budget: &Budget) -> VerifierRun;
}

/// What came of a query.
#[derive(Clone, Debug)]
pub struct VerifierRun {
    /// The verifier's answer, not yet believed.
    pub answer: backend::Answer,
    /// How long it took.
    pub elapsed: Duration,
    /// The most memory that its processes had at once, in bytes, where that is known.
    pub memory: Option<u64>,
    /// What was run and what it wrote.
    pub transcript: String,
}

/// What a verifier claims of a check: that it holds, or a run of the triples that replays.
struct Claim {
    run: Result<Option<Replayed>, NoAnswer>,
    elapsed: Duration,
    memory: Option<u64>,
    transcript: String,
}

impl Claim {
    fn none(why: NoAnswer) -> Claim {
        Claim { run: Err(why), elapsed: Duration::ZERO, memory: None, transcript: String::new() }
    }
}

/// The answers of all verifiers, by verifier and check. Each is given its questions one after the other, as
/// many verifiers at a time as there are processors; `native` is done meanwhile.
pub(super) fn query_all<S: Subject, T>(
    subject: &S,
    verifiers: &[&dyn Verifier],
    options: &Options,
    native: impl FnOnce() -> T,
) -> (T, Vec<Vec<Answer<S::Violation>>>) {
    if verifiers.is_empty() {
        return (native(), Vec::new());
    }
    let questions = subject.questions();
    let structure = match subject.structure(&options.budget) {
        Ok(structure) => structure,
        Err(why) => {
            let none = |verifier: &&dyn Verifier| {
                let answer = || {
                    answer::<S>(verifier.about(), Claim::none(NoAnswer::NotEncoded(why)), |_| Err(why.into()))
                };
                questions.iter().map(|_| answer()).collect()
            };
            return (native(), verifiers.iter().map(none).collect());
        }
    };
    options.budget.progress.enter(Phase::Asking);
    let query = Query { model: subject.name(), structure: &structure, options };
    let next = AtomicUsize::new(0);
    let answered = AtomicU64::new(0);
    let claims: Mutex<Vec<(usize, Vec<Claim>)>> = Mutex::new(Vec::new());
    let work = || {
        loop {
            let position = next.fetch_add(1, Ordering::Relaxed);
            let Some(verifier) = verifiers.get(position) else { return };
            let mut own = Vec::new();
            for question in &questions {
                own.push(match question {
                    Ok(question) => query.claim(*verifier, question),
                    Err(why) => Claim::none(NoAnswer::Refused(why.clone())),
                });
                options.budget.progress.set(answered.fetch_add(1, Ordering::Relaxed) + 1);
            }
            claims.lock().unwrap_or_else(PoisonError::into_inner).push((position, own));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(verifiers.len());
    let native = std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
        native()
    });
    let mut claims = claims.into_inner().unwrap_or_else(PoisonError::into_inner);
    claims.sort_by_key(|(position, _)| *position);
    let believed = |(position, own): (usize, Vec<Claim>)| {
        let confirm = |(check, claim)| {
            let about = verifiers[position].about();
            answer::<S>(about, claim, |run| subject.confirm(&structure, check, run, options))
        };
        own.into_iter().enumerate().map(confirm).collect()
    };
    (native, claims.into_iter().map(believed).collect())
}

/// What of a claim is believed: a run counts once the rules of the subject have accepted it.
fn answer<S: Subject>(
    about: About,
    claim: Claim,
    confirm: impl FnOnce(&Replayed) -> Result<S::Violation, NoAnswer>,
) -> Answer<S::Violation> {
    let Claim { run, elapsed, memory, transcript } = claim;
    let (status, steps) = match run {
        Ok(None) => (Status::Proved(ProcessProof::Claimed), None),
        Ok(Some(run)) => match confirm(&run) {
            Ok(violation) => (Status::Violated(violation), Some(run.steps.len())),
            Err(why) => (Status::Unknown(why), None),
        },
        Err(why) => (Status::Unknown(why), None),
    };
    Answer { verifier: about.name.to_owned(), status, steps, elapsed, memory, transcript }
}

struct Query<'a> {
    model: &'a str,
    structure: &'a Structure,
    options: &'a Options,
}

impl Query<'_> {
    /// What a verifier claims, as far as the triples bear it out.
    fn claim(&self, verifier: &dyn Verifier, question: &Question) -> Claim {
        let Query { model, structure, options } = *self;
        let budget = &options.budget;
        if let Err(stop) = budget.check() {
            return Claim::none(stop.into());
        }
        let program = Program { model, structure, question, schedule: options.schedule };
        let limited = options.patience.map_or_else(|| budget.clone(), |patience| budget.within(patience));
        let VerifierRun { answer, elapsed, memory, transcript } = verifier.query(&program, &limited);
        let title = verifier.about().title;
        let run = match answer {
            backend::Answer::Proved => Ok(None),
            backend::Answer::Violated(Some(run)) => match replay(&program, &run, &budget.for_evidence()) {
                Ok(replayed) => Ok(Some(replayed)),
                Err(Mismatch::Stopped(stop)) => Err(stop.into()),
                Err(mismatch) => Err(NoAnswer::NotReplayed(format!(
                    "{title} claims a violation, but its run is none: {mismatch}"
                ))),
            },
            backend::Answer::Violated(None) => Err(NoAnswer::NoRun(format!(
                "{title} claims a violation, but gives no run that could be replayed"
            ))),
            backend::Answer::Unknown(why) => Err(self.no_answer(title, why)),
        };
        Claim { run, elapsed, memory, transcript }
    }

    fn no_answer(&self, title: &str, why: backend::Unknown) -> NoAnswer {
        match why {
            backend::Unknown::Refused(why) => NoAnswer::Refused(format!("{title} can't decide this: {why}")),
            backend::Unknown::Inconclusive(text) => NoAnswer::Inconclusive(text),
            backend::Unknown::Failed(text) => NoAnswer::Failed(text),
            backend::Unknown::Stopped(stop) => match self.options.patience {
                Some(patience)
                    if stop == paramcheck_text::limits::Stop::Time && self.options.budget.check().is_ok() =>
                {
                    NoAnswer::Patience(patience)
                }
                _ => stop.into(),
            },
        }
    }
}

impl From<paramcheck_emulation::process::NotEncoded> for NoAnswer {
    fn from(why: paramcheck_emulation::process::NotEncoded) -> Self {
        NoAnswer::NotEncoded(why)
    }
}
