//! From question to verdict: what an engine finds is rechecked here, and only then believed.
//!
//! [`decide`] answers a question about a rewriting system for every size: engine, recheck of its certificate,
//! search of its candidate. [`process::decide`](fn@process::decide) answers the checks of one system of one
//! size, a process or an instance, by this program and by other verifiers; [`labs::decide`](fn@labs::decide)
//! those about agents of LAbS. [`crosscheck`] holds verdicts against exploration. A system and a question
//! come in, a [`Status`] with its evidence goes out: *proved* a certificate that the independent checker has
//! accepted (or MONA's word, where MONA alone was queried), *violated* a firing sequence that was replayed by
//! the plain semantics, *unknown* the candidate and what was explored. Nothing is proved here, no file is
//! read and no process started: a back end is what the caller hands in as a [`Verifier`](process::Verifier).
//!
//! # Example
//!
//! ```
//! use paramcheck_process::{Language, load};
//! use paramcheck_verdict::Status;
//! use paramcheck_verdict::process::{Options, ProcessChecks, decide};
//!
//! let text = "A = a.b.A; system A | A; check order = always !(did b & can b); check ends = deadlock;";
//! let system = load(text, Language::Ccs).system.expect("the process has a meaning");
//! let subject = ProcessChecks { name: "two", system: &system, checks: &system.checks };
//! let decision = decide(&subject, true, &[], &Options::default());
//! let status = |check: usize| decision.verdicts[check].answer().map(|answer| &answer.status);
//! // Two steps `b` in a row take place after a, a.
//! assert!(matches!(status(0), Some(Status::Violated(run)) if run.steps.len() == 3));
//! // Nothing ever stops.
//! assert!(matches!(status(1), Some(Status::Proved(_))));
//! ```

pub mod advice;
pub mod crosscheck;
#[cfg(feature = "wsks")]
mod formulas;
mod further_candidates;
pub mod labs;
pub mod process;
pub mod rcheck;
mod recheck;
#[cfg(feature = "wsks")]
mod reconcile;
mod rewriting;
mod scout;
mod vacuity;

use std::time::Duration;

pub use paramcheck_invariants::strategy::InvariantChoice;
pub use paramcheck_nets::explore::Reach;
pub use recheck::{TraceError, recheck};
pub use rewriting::{InternalBug, decide, proof_by};
pub use vacuity::{UpTo, Vacuous};

use paramcheck_certificate::data::Certificate;
use paramcheck_invariants::firing::InteractionFiring;
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_invariants::outcome::MonaFailure;
use paramcheck_invariants::record::QueryRecord;
use paramcheck_model::component::{StateId, TypeId};
use paramcheck_model::error::NamedError;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::explore::trace::Trace;
use paramcheck_nets::instance::marking::Marking;
use paramcheck_nets::instance::net::Net;
use paramcheck_text::limits::{Budget, Stop};

/// How MONA is run.
#[cfg(feature = "wsks")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonaSetup {
    /// How to start its process.
    pub worker: paramcheck_wsks::mona::Worker,
    /// How many bytes that process may use.
    pub memory: Option<u64>,
}

/// Who looks for a proof.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum EngineChoice {
    /// The direct engine.
    #[default]
    Direct,
    /// The paper's formulas, decided by MONA.
    #[cfg(feature = "wsks")]
    Mona(MonaSetup),
    /// One after the other; that they contradict each other is a bug.
    #[cfg(feature = "wsks")]
    Both(MonaSetup),
}

/// How a question is answered.
#[derive(Clone, Debug)]
pub struct Options {
    /// Who looks for a proof.
    pub engine: EngineChoice,
    /// Which invariants may be used.
    pub invariants: InvariantChoice,
    /// How many states the search of a candidate's instance may visit.
    pub max_states: usize,
    /// How many states may be visited in the smallest instances where the candidate is not reached; `None`:
    /// a tenth of `max_states`. The search of each further candidate may visit as many.
    pub sweep_states: Option<usize>,
    /// The size up to which the smallest instances are explored; `None`: as far as the states last.
    pub max_size: Option<usize>,
    /// How many threads that search may use; the answer does not depend on it.
    pub threads: usize,
    /// Time, interruption, progress.
    pub budget: Budget,
}

impl Options {
    /// How many states may be visited in the smallest instances.
    pub(crate) fn sweep_states(&self) -> usize {
        self.sweep_states.unwrap_or(self.max_states / SWEEP_FRACTION)
    }
}

/// The part of the allowed states that is spent on instances without a candidate, by default.
const SWEEP_FRACTION: usize = 10;

impl Default for Options {
    fn default() -> Self {
        Options {
            engine: EngineChoice::default(),
            invariants: InvariantChoice::default(),
            max_states: 1_000_000,
            sweep_states: None,
            max_size: None,
            threads: 1,
            budget: Budget::unlimited(),
        }
    }
}

/// The answer to one question, with its evidence.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The error in question.
    pub error: NamedError,
    /// The answer.
    pub status: Status,
    /// The smallest instance of the system (fewest components).
    pub smallest: RewritingTree,
    /// The engines that were run, in this order.
    pub engines: Vec<EngineRun>,
    /// How long it took.
    pub elapsed: Duration,
}

/// The name of an engine, as on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineName {
    /// [`paramcheck_invariants::direct`]
    Direct,
    /// The engine of crate `wsks`.
    Mona,
}

impl std::fmt::Display for EngineName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            EngineName::Direct => "direct",
            EngineName::Mona => "mona",
        })
    }
}

/// What one engine came to, its candidate judged.
#[derive(Clone, Debug)]
pub struct EngineRun {
    /// Which.
    pub engine: EngineName,
    /// Its answer without the evidence.
    pub finding: Finding,
    /// How long it took.
    pub elapsed: Duration,
    /// The formulas that were decided for it.
    pub queries: Vec<QueryRecord>,
}

impl EngineRun {
    fn new(engine: EngineName, status: &Status, elapsed: Duration, queries: Vec<QueryRecord>) -> Self {
        let finding = match status {
            Status::Proved(_) => Finding::Proved,
            Status::Violated(_) => Finding::Violated,
            Status::Unknown(unknown) => Finding::Unknown(unknown.reason.clone()),
        };
        EngineRun { engine, finding, elapsed, queries }
    }
}

/// An answer without its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// No instance reaches the error.
    Proved,
    /// Some instance does.
    Violated,
    /// Neither was found, and why.
    Unknown(Reason),
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Finding::Proved => "proved",
            Finding::Violated => "violated",
            Finding::Unknown(_) => "unknown",
        })
    }
}

/// The three answers, each with its evidence: about rewriting systems by default, about systems of one size
/// in [`process`].
#[derive(Clone, Debug)]
pub enum Status<P = Proved, V = Violated, U = Unknown> {
    /// It can't be violated: no instance, of whatever size, reaches the error.
    Proved(P),
    /// This instance, or run, violates it.
    Violated(V),
    /// Neither was found, and why.
    Unknown(U),
}

/// Evidence of *proved*.
#[derive(Clone, Debug)]
pub struct Proved {
    /// The kinds of invariants that were needed, cheapest first. Empty where no marking at all is an
    /// error.
    pub invariants: Vec<InvariantKind>,
    /// How many interactions were dropped because they provably never fire.
    pub dropped: usize,
    /// How many pairs of states were left out of account because they exclude each other.
    pub exclusive: usize,
    /// Accepted by `certificate::check`. `None` where MONA alone proved it: there is its word, and nothing
    /// that could be rechecked.
    pub certificate: Option<Certificate>,
    /// What the error speaks of and never happens, if there is such a thing: no part of the evidence.
    pub vacuous: Option<Vacuous>,
}

/// Evidence of *violated*.
#[derive(Clone, Debug)]
pub struct Violated {
    /// The instance's rewriting tree.
    pub tree: RewritingTree,
    /// The instance.
    pub net: Net,
    /// A firing sequence of this instance to the error, replayed by the plain semantics.
    pub trace: Trace,
    /// Whether no shorter one leads to the error in this instance.
    pub is_shortest: bool,
    /// What makes the instance look unintended.
    pub remarks: Vec<Remark>,
}

/// What makes an instance look unintended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// The instance has no transition at all.
    NoTransition,
    /// These components (positions in the net) take part in no transition.
    Idle(Vec<usize>),
    /// The marking is dead, and would be termination if these states, which no transition leaves, were final.
    NotFinal(Vec<(TypeId, StateId)>),
}

/// What is known where the answer is *unknown*.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// Why there is no answer.
    pub reason: Reason,
    /// The smallest instance and marking that no invariant refutes, if one was found.
    pub candidate: Option<Candidate>,
    /// Candidates in which other states occur, looked for where the first is not reached.
    pub others: Vec<Candidate>,
    /// The kinds of invariants that were tried to the end, cheapest first.
    pub tried: Vec<InvariantKind>,
    /// Whether states that exclude each other were looked for with all these kinds.
    pub exclusive: bool,
    /// The interactions that were dropped because they provably never fire.
    pub dropped: Vec<InteractionFiring>,
    /// What was explored without reaching the error.
    pub explored: Explored,
}

impl Unknown {
    /// No answer for this reason; nothing was found, tried or explored.
    fn because(reason: Reason) -> Self {
        Unknown {
            reason,
            candidate: None,
            others: Vec::new(),
            tried: Vec::new(),
            exclusive: false,
            dropped: Vec::new(),
            explored: Explored::default(),
        }
    }
}

/// Why a question is not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The invariants leave a candidate that its instance does not reach.
    Spurious,
    /// The invariants leave a candidate whose instance has more states than could be visited.
    CandidateTooLarge,
    /// A limit ended the run.
    Stopped(Stop),
    /// MONA failed.
    MonaFailed {
        /// How.
        what: MonaFailure,
        /// The subformula that it was working on, if work had begun.
        at: Option<String>,
    },
    /// The direct engine does not decide this kind of error; holds the part it does not support.
    Unsupported(String),
    /// The question has no formula for MONA; holds the reason.
    NoFormula(String),
}

/// A marking in every invariant and in the error set.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The instance's rewriting tree.
    pub tree: RewritingTree,
    /// The instance.
    pub net: Net,
    /// The marking.
    pub marking: Marking,
    /// Whether its instance reaches the error.
    pub reach: Reach,
}

/// What was explored exhaustively, the error not being reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Explored {
    /// Every instance with at most this many components.
    pub up_to_size: usize,
    /// How many instances that were.
    pub instances: usize,
    /// How many states were visited.
    pub states: usize,
}
