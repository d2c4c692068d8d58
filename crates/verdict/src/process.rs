//! Systems of one size: from the checks of a process, or the errors of an instance, to verdicts.
//!
//! The road is the same for every language. A [`Subject`] gives what is in question and rechecks by its own
//! rules what is claimed of it; other verifiers are [`Verifier`]s that the caller runs. [`decide`](fn@decide)
//! puts the answers of all side by side, believes a violation only once it is replayed, and finds
//! contradictions. A new language implements [`Subject`], and [`Process`] to be decided by
//! [`ProcessChecker`]: states and steps as triples, and the same by its rules.
//!
//! # Evidence
//!
//! - *Violated*: a run that the rules of the subject have replayed.
//! - *Proved* by this program from triples: all states are known, and two rechecks have accepted them. The
//!   triples are strongly bisimilar to the process ([`Process::is_faithful`]), and the states found are an
//!   inductive invariant of the triples by their definition, without a bad one ([`inductive`]). Where the
//!   first can't be shown, the rules decide alone. A proof by the rules needs no recheck: they are the
//!   reference. A proof about an instance of a rewriting system is the explorer's; it is not rechecked.
//! - *Proved* by another verifier: its word, and reported as that.

use std::time::Duration;

use paramcheck_emulation::Structure;
use paramcheck_emulation::process::NotEncoded;
use paramcheck_emulation::question::Question;
use paramcheck_emulation::replay::Replayed;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_process::semantics::network::Incomplete;
use paramcheck_text::limits::Budget;

use super::{InternalBug, Status};

pub use checker::{Outcome, Process, ProcessChecker, StateSource};
pub use instance::{InstanceQuestions, InstanceRun, RunRefusal, violates};
pub use language::ProcessChecks;
pub(crate) use no_answer::NoAnswer;
pub use offered::ActionLabels;
pub use state_space::StateSpace;
pub use verifiers::{Verifier, VerifierRun};

mod checker;
mod faithful;
mod inductive;
mod instance;
mod language;
mod no_answer;
mod offered;
mod state_space;
mod verifiers;

#[cfg(test)]
mod tests;

/// The name of this program among the verifiers.
pub(crate) const NATIVE: &str = "native";

/// Larger labelled transition systems are made only where a check needs one: `always` and deadlock are then
/// decided by the explicit-state engine, which keeps no transitions.
pub(crate) const MAX_LTS_STATES: usize = 20_000;

/// How checks are answered.
#[derive(Clone, Debug)]
pub struct Options {
    /// What is assumed of the order in which agents act.
    pub schedule: Schedule,
    /// How many states may be found.
    pub max_states: usize,
    /// From how many states on `always` and deadlock are decided without a labelled transition system.
    pub max_lts_states: usize,
    /// How many threads may explore; the answer does not depend on it.
    pub threads: usize,
    /// How long another verifier may take for a question, where the call has no limit of its own.
    pub patience: Option<Duration>,
    /// Time, interruption, progress.
    pub budget: Budget,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            schedule: Schedule::Any,
            max_states: 1_000_000,
            max_lts_states: MAX_LTS_STATES,
            threads: 1,
            patience: None,
            budget: Budget::unlimited(),
        }
    }
}

/// What questions are about: a system of one size, and what is to be checked of it.
pub trait Subject {
    /// A run that violates a check, accepted by the rules of the subject and written out.
    type Violation;

    /// The model's name.
    fn name(&self) -> &str;

    /// The names of the checks.
    fn checks(&self) -> Vec<String>;

    /// The names of the agents, from the left.
    ///
    /// # Errors
    /// The budget ended before they were known, or there are too many.
    fn agents(&self, budget: &Budget) -> Result<Vec<String>, Incomplete>;

    /// The system as triples.
    ///
    /// # Errors
    /// The budget ended, or there would be too many.
    fn structure(&self, budget: &Budget) -> Result<Structure, NotEncoded>;

    /// The checks as questions about the triples; the reason where one can't be written as one.
    fn questions(&self) -> Vec<Result<Question, String>>;

    /// Replays a run of the triples by the rules of the subject: whether it violates the check of this
    /// number.
    ///
    /// # Errors
    /// It does not, or the budget ended.
    fn confirm(
        &self,
        structure: &Structure,
        check: usize,
        run: &Replayed,
        options: &Options,
    ) -> Result<Self::Violation, NoAnswer>;

    /// How many steps a violation has.
    fn steps(violation: &Self::Violation) -> usize;

    /// This program's own answers.
    fn decide_natively(&self, options: &Options, source: StateSource) -> NativeAnswers<Self::Violation>;
}

/// What this program itself finds.
pub struct NativeAnswers<V> {
    /// The names of the agents.
    pub(crate) agents: Vec<String>,
    /// What was explored for it.
    pub explored: Explored,
    /// Per check the answer; or evidence that does not stand up.
    pub answers: Vec<Result<Answer<V>, InternalBug>>,
    /// Per check, where all states are known, the actions of which it speaks and that none of them offers.
    pub never_offered: Vec<Vec<ActionLabels>>,
}

/// What was explored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Explored {
    /// How many states were found.
    pub states: usize,
    /// How many transitions, whoever takes part; `None` where they were not counted.
    pub transitions: Option<usize>,
    /// Whether these are all.
    pub is_complete: bool,
    /// How long it took.
    pub elapsed: Duration,
}

/// Evidence of *proved*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProcessProof {
    /// All states of the triples are known, and both were rechecked.
    Rechecked,
    /// All states are known by what defines them, so there is nothing to hold them against: the rules of the
    /// subject, or the markings of an instance as the explorer finds them.
    Explored,
    /// Another verifier reports it.
    Claimed,
}

/// What one verifier answers to one check, as far as it is believed.
#[derive(Clone, Debug)]
pub struct Answer<V> {
    /// The verifier's name.
    pub verifier: String,
    /// The answer with its evidence.
    pub status: Status<ProcessProof, V, NoAnswer>,
    /// How many steps the run has; `None` unless violated.
    pub steps: Option<usize>,
    /// How long it took, without finding the states.
    pub elapsed: Duration,
    /// The most memory that its processes had at once, in bytes, where that is known.
    pub memory: Option<u64>,
    /// What was run and what it wrote, for a bug report.
    pub transcript: String,
}

/// All answers to one check.
#[derive(Clone, Debug)]
pub struct CheckVerdict<V> {
    /// The check's name.
    pub check: String,
    /// The answers, this program's first.
    pub answers: Vec<Answer<V>>,
    /// What shows that this program, or a verifier, is wrong; there is no answer then.
    pub bug: Option<InternalBug>,
    /// The actions of which the check speaks and that no reachable state offers, as far as that is known.
    pub never_offered: Vec<ActionLabels>,
}

impl<V> CheckVerdict<V> {
    fn new(check: String, answers: Vec<Answer<V>>, bug: Option<InternalBug>) -> Self {
        let find = |wanted: fn(&Status<ProcessProof, V, NoAnswer>) -> bool| {
            answers.iter().find(|answer| wanted(&answer.status)).map(|answer| answer.verifier.clone())
        };
        let proved = find(|status| matches!(status, Status::Proved(_)));
        let violated = find(|status| matches!(status, Status::Violated(_)));
        let conflict =
            proved.zip(violated).map(|(proved, violated)| InternalBug::Conflict { proved, violated });
        CheckVerdict { check, answers, bug: bug.or(conflict), never_offered: Vec::new() }
    }

    /// The verdict: that of the first verifier that has one, else why the first has none. `None` if there is
    /// a bug, or no verifier.
    pub fn answer(&self) -> Option<&Answer<V>> {
        if self.bug.is_some() {
            return None;
        }
        let has_one = |answer: &&Answer<V>| !matches!(answer.status, Status::Unknown(_));
        self.answers.iter().find(has_one).or(self.answers.first())
    }

    /// The time of the quickest verifier that has the verdict.
    pub fn elapsed(&self) -> Duration {
        let Some(verdict) = self.answer() else { return Duration::ZERO };
        let kind = std::mem::discriminant(&verdict.status);
        let agree = self.answers.iter().filter(|answer| std::mem::discriminant(&answer.status) == kind);
        agree.map(|answer| answer.elapsed).min().unwrap_or_default()
    }
}

/// The verdicts about one subject.
pub struct Decision<V> {
    /// The names of the agents.
    pub agents: Vec<String>,
    /// What this program explored; `None` where it was left out.
    pub explored: Option<Explored>,
    /// Per check, in order.
    pub verdicts: Vec<CheckVerdict<V>>,
}

/// Answers the checks of a subject: by this program itself if `is_native`, and by each of `verifiers`.
pub fn decide<S: Subject>(
    subject: &S,
    is_native: bool,
    verifiers: &[&dyn Verifier],
    options: &Options,
) -> Decision<S::Violation> {
    // Others get triples: their answers are held against the rules.
    let source = if verifiers.is_empty() { StateSource::Triples } else { StateSource::Rules };
    let native = || is_native.then(|| subject.decide_natively(options, source));
    let (native, claims) = verifiers::query_all(subject, verifiers, options, native);
    let mut answers: Vec<Vec<Answer<S::Violation>>> = subject.checks().iter().map(|_| Vec::new()).collect();
    let mut bugs: Vec<Option<InternalBug>> = answers.iter().map(|_| None).collect();
    let mut never_offered = Vec::new();
    let (agents, explored) = match native {
        Some(native) => {
            never_offered = native.never_offered;
            for (check, answer) in native.answers.into_iter().enumerate() {
                match answer {
                    Ok(answer) => answers[check].push(answer),
                    Err(bug) => bugs[check] = Some(bug),
                }
            }
            (native.agents, Some(native.explored))
        }
        None => (subject.agents(&options.budget.for_evidence()).unwrap_or_default(), None),
    };
    for own in claims {
        own.into_iter().zip(&mut answers).for_each(|(answer, all)| all.push(answer));
    }
    let verdicts = subject.checks().into_iter().zip(answers).zip(bugs);
    let verdicts = verdicts.map(|((check, answers), bug)| CheckVerdict::new(check, answers, bug));
    let mut verdicts: Vec<CheckVerdict<S::Violation>> = verdicts.collect();
    verdicts.iter_mut().zip(never_offered).for_each(|(verdict, never)| verdict.never_offered = never);
    Decision { agents, explored, verdicts }
}
