//! Replay of a trace document, by the plain semantics and nothing else.
//!
//! A [`TraceDocument`] is of doubtful origin: names may mean nothing, the tree may be none of the system,
//! steps may be impossible. [`replay`] rebuilds the instance from the tree ([`instance`]), and then goes
//! from step to step ([`step`]): the step must be a transition of the instance, every participant must be
//! in the state that the step gives. In the end every component must be in the state that the document gives.
//! So each field of a document is either checked or, where it does not concern a run (unknown keys), of no
//! consequence.
//!
//! [`labs`] does the same for runs of agents.
//!
//! Invariant: nothing of the search is used, nor anything that makes reports of verdicts true: the imports
//! are the model, the instance and the document's types.

mod candidate;
mod instance;
pub mod labs;
mod step;

use thiserror::Error;

use crate::report::trace::TraceDocument;
use paramcheck_model::error::NamedError;
use paramcheck_model::error::print::print_formula;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::marking::{Marking, evaluate};
use paramcheck_nets::instance::net::{Net, NetTransitionId};
use paramcheck_nets::instance::unfold::TreeError;

pub use self::candidate::{CandidateError, StandingCandidate, candidate};
pub use self::step::StepError;

/// A trace that was replayed.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The instance's rewriting tree.
    pub tree: RewritingTree,
    /// The instance.
    pub net: Net,
    /// The transitions fired.
    pub steps: Vec<NetTransitionId>,
    /// The markings passed: the initial one, and one after each step.
    pub markings: Vec<Marking>,
}

impl Replayed {
    /// Where it ends.
    pub fn last(&self) -> Marking {
        self.markings.last().cloned().unwrap_or_else(|| self.net.initial())
    }
}

/// Why a document is no trace of a system.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// It is about another system.
    #[error("the trace is of a system called `{found}`, not of `{expected}`")]
    System {
        /// The name in the document.
        found: String,
        /// The system's.
        expected: String,
    },
    /// A node of the tree applies a rule that the system does not have.
    #[error("instance: node {node} applies `{rule}`, which is no rule of the model")]
    Rule {
        /// The node.
        node: usize,
        /// The rule's label.
        rule: String,
    },
    /// The tree is none of the system.
    #[error("instance: {0}")]
    Tree(TreeError),
    /// The instance has more transitions than are unfolded.
    #[error("instance: it has more than {0} transitions")]
    TooLarge(usize),
    /// The tree's instance differs from the one in the document.
    #[error("instance: {0}")]
    Instance(String),
    /// A step is not possible.
    #[error("step {step}: {reason}")]
    Step {
        /// Which, from 1.
        step: usize,
        /// Why.
        reason: StepError,
    },
    /// The steps do not lead to the marking in the document.
    #[error("the end: {0}")]
    End(String),
    /// The document defines the error in another way than the model.
    #[error("the trace is to `{error}` = {found}, which in the model is {expected}")]
    Formula {
        /// The error's name.
        error: String,
        /// The definition in the document.
        found: String,
        /// The definition in the model.
        expected: String,
    },
}

/// Replays `document` on `system`.
///
/// # Errors
/// The first difference from the document.
pub fn replay(system: &System, document: &TraceDocument) -> Result<Replayed, ReplayError> {
    if document.system != system.name() {
        let (found, expected) = (document.system.clone(), system.name().to_owned());
        return Err(ReplayError::System { found, expected });
    }
    let (tree, net) = instance::build(system, &document.instance)?;
    let by_name = instance::by_name(&net);
    let mut marking = net.initial();
    let mut replayed = Replayed { tree, net, steps: Vec::new(), markings: vec![marking.clone()] };
    for (position, claimed) in document.trace.iter().enumerate() {
        let failed = |reason| ReplayError::Step { step: position + 1, reason };
        let instance = step::Instance { system, tree: &replayed.tree, net: &replayed.net, by_name: &by_name };
        let transition = instance.resolve(claimed).map_err(failed)?;
        marking = instance.fire(transition, &marking).map_err(failed)?;
        replayed.steps.push(transition);
        replayed.markings.push(marking.clone());
    }
    instance::check_marking(system, &replayed.net, &marking, &document.marking).map_err(ReplayError::End)?;
    Ok(replayed)
}

/// Whether the end of a trace that was replayed is in `error`, which must be as `document` defines it;
/// `None` where that is too much work to decide (formulas over components only).
///
/// # Errors
/// [`ReplayError::Formula`]: the document defines an error of this name in another way.
pub fn ends_in(
    system: &System,
    document: &TraceDocument,
    replayed: &Replayed,
    error: &NamedError,
) -> Result<Option<bool>, ReplayError> {
    let expected = print_formula(system, &error.formula);
    let is_named = document.error.as_ref() == Some(&error.name);
    if is_named && document.formula.as_ref() != Some(&expected) {
        let found = document.formula.clone().unwrap_or_else(|| "nothing".to_owned());
        return Err(ReplayError::Formula { error: error.name.clone(), found, expected });
    }
    Ok(evaluate(system, &replayed.net, &error.formula, &replayed.last()))
}
