//! The record of a proof by formulas: which were decided, and what that took.
//!
//! The engine of crate `wsks` writes it, reports print it; it is all the evidence that there is of such a
//! proof. It lies here, so that reports need not be built with that engine.

use std::time::Duration;

use crate::kind::InvariantKind;
use crate::outcome::MonaFailure;
use crate::strategy::Subject;

/// A formula that was decided, or was not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryRecord {
    /// Which markings it is about.
    pub subject: Subject,
    /// The kinds of invariants that the marking is to be in.
    pub kinds: Vec<InvariantKind>,
    /// How many interactions had been dropped.
    pub dropped: usize,
    /// How many different subformulas it has.
    pub subformulas: usize,
    /// The answer.
    pub finding: Finding,
    /// The automata built, in this order.
    pub automata: Vec<Automaton>,
    /// How long it took, from making the formula to the answer.
    pub time: Duration,
}

/// Whether a formula can be satisfied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// No instance has such a marking.
    Unsatisfiable,
    /// Some instance has.
    Satisfiable,
    /// MONA failed.
    Failed(MonaFailure),
}

/// An automaton that MONA built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// The subformula that it is for, shortened; `None` for a product of conjuncts of the whole.
    pub subformula: Option<String>,
    /// Its states.
    pub states: u32,
    /// The nodes of its diagrams.
    pub nodes: u32,
    /// How long it took, without its parts.
    pub time: Duration,
}
