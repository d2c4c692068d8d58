//! What an engine finds, and who looks at concrete instances for it.
//!
//! An engine looks for a marking that is in every invariant and in the error set. None: proved. Some:
//! a smallest one is the *candidate*; whether its instance really reaches it is not the engine's business
//! (see crate `verdict`). There are two engines, which share this file and the [strategy](crate::strategy):
//!
//! - [`direct`](crate::direct): tree automata over rewriting trees, with a certificate for what it proves;
//! - crate `wsks`: the paper's formulas, decided by MONA.

use crate::firing::{Alive, InteractionFiring};
use crate::kind::InvariantKind;
use paramcheck_model::tree::{RewritingTree, TreeMarking};
use paramcheck_text::limits::Stop;

/// What an engine found. `P` is its evidence for a proof.
#[derive(Clone, Debug)]
pub enum Outcome<P> {
    /// No marking of any instance is in all invariants and in the error set.
    Proved {
        /// The kinds of invariants that the proof uses, cheapest first.
        invariants: Vec<InvariantKind>,
        /// How many interactions were dropped on the way.
        dropped: usize,
        /// How many pairs of states were left out because they exclude each other.
        exclusive: usize,
        /// The evidence.
        evidence: P,
    },
    /// An instance and a marking that no invariant excludes; a smallest one, if the engine is
    /// [`direct`](crate::direct).
    Candidate {
        /// The instance.
        tree: RewritingTree,
        /// The marking.
        marking: TreeMarking,
        /// The kinds of invariants that it is in, cheapest first.
        kinds: Vec<InvariantKind>,
        /// Whether it was looked for among markings without states that exclude each other.
        exclusive: bool,
        /// The interactions dropped on the way.
        dropped: Vec<InteractionFiring>,
    },
    /// The run was ended; the best candidate so far, if there is one, is in every invariant of the
    /// stages that were finished.
    Stopped {
        /// Why.
        reason: Unfinished,
        /// A candidate of an earlier stage.
        candidate: Option<(RewritingTree, TreeMarking)>,
        /// The kinds of the stages that were finished without a proof, cheapest first.
        tried: Vec<InvariantKind>,
        /// The interactions dropped on the way.
        dropped: Vec<InteractionFiring>,
    },
    /// Nothing was settled: the scout found an error first, or no invariants were allowed.
    Unsettled {
        /// The interactions dropped on the way.
        dropped: Vec<InteractionFiring>,
    },
    /// The engine does not decide this error.
    Unsupported(String),
}

/// Why MONA gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MonaFailure {
    /// MONA is not in this build.
    #[error("this build has no MONA; run mona/vendor, then build with --features mona")]
    NotBuilt,
    /// MONA decides for one successor and two.
    #[error("MONA decides formulas over 1 or 2 successors, not {0}")]
    Successors(u8),
    /// A subformula has too many variables; how many it may have.
    #[error("a subformula has more than {0} free variables")]
    Tracks(usize),
    /// A diagram grew too large.
    #[error("a diagram needs more than the 2^24 nodes that MONA can have")]
    Nodes,
    /// The memory limit was reached.
    #[error("the memory limit was reached")]
    Memory,
    /// The time limit passed.
    #[error("the time limit was reached")]
    Time,
    /// The user interrupted the run.
    #[error("interrupted")]
    Interrupted,
    /// The child died of something else; how.
    #[error("the process that runs MONA ended: {0}")]
    Died(String),
    /// No child could be started; why.
    #[error("no process could be started to run MONA: {0}")]
    NoChild(String),
    /// The child did not understand the request: a bug.
    #[error("the process that runs MONA refused the request (a bug): {0}")]
    Refused(String),
}

impl MonaFailure {
    /// The limit, if it is one that the caller set.
    pub fn stop(&self) -> Option<Stop> {
        match self {
            MonaFailure::Memory => Some(Stop::Memory),
            MonaFailure::Time => Some(Stop::Time),
            MonaFailure::Interrupted => Some(Stop::Interrupted),
            _ => None,
        }
    }
}

/// Why an engine ended without an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// A limit, or the user.
    Stopped(Stop),
    /// MONA failed.
    Mona {
        /// How.
        what: MonaFailure,
        /// The subformula that it was working on, if work had begun.
        at: Option<String>,
    },
}

impl From<Stop> for Unfinished {
    fn from(stop: Stop) -> Self {
        Unfinished::Stopped(stop)
    }
}

/// Explores concrete instances while an engine works on all of them. What it sees saves time and never makes
/// a proof. Unless a method is implemented otherwise, it sees nothing.
pub trait Scout {
    /// Whether the error is really reached in the instance of `tree`, as far as about that many states show:
    /// then there is nothing to prove. By the invariants so far it may be reached in `marking`.
    fn confirms(&mut self, _tree: &RewritingTree, _marking: &TreeMarking, _states: usize) -> bool {
        false
    }

    /// Whether the error is reached in some small instance, as far as that many states show.
    fn finds(&mut self, _states: usize) -> bool {
        false
    }

    /// Interactions seen to fire.
    fn alive(&mut self) -> Alive {
        Alive::default()
    }
}
