//! From a candidate document to the instance and the marking it describes.
//!
//! Whether the marking is reachable is not looked at: that is the open question.

use thiserror::Error;

use super::{ReplayError, instance};
use crate::report::candidate::CandidateDocument;
use paramcheck_model::error::print::print_formula;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::marking::Marking;
use paramcheck_nets::instance::net::Net;

/// A candidate that fits its model.
#[derive(Clone, Debug)]
pub struct StandingCandidate {
    /// The instance's rewriting tree.
    pub tree: RewritingTree,
    /// The instance.
    pub net: Net,
    /// The marking.
    pub marking: Marking,
}

/// Why a document is no candidate of a system.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CandidateError {
    /// It is about another system.
    #[error("it is of a system called `{found}`, not of `{expected}`")]
    System {
        /// The name in the document.
        found: String,
        /// The system's.
        expected: String,
    },
    /// The model defines the error in another way.
    #[error("it is in `{error}` = {found}, which in the model is {expected}")]
    Formula {
        /// The error's name.
        error: String,
        /// The definition in the document.
        found: String,
        /// The definition in the model.
        expected: String,
    },
    /// The instance is none of the system.
    #[error("{0}")]
    Instance(ReplayError),
    /// The marking is none of the instance.
    #[error("marking: {0}")]
    Marking(String),
}

/// The instance and the marking of `document`.
///
/// # Errors
/// The first difference between the document and `system`.
pub fn candidate(system: &System, document: &CandidateDocument) -> Result<StandingCandidate, CandidateError> {
    if document.system != system.name() {
        let (found, expected) = (document.system.clone(), system.name().to_owned());
        return Err(CandidateError::System { found, expected });
    }
    if let Some(error) = system.error_named(&document.error) {
        let expected = print_formula(system, &error.formula);
        if expected != document.formula {
            let (error, found) = (error.name, document.formula.clone());
            return Err(CandidateError::Formula { error, found, expected });
        }
    }
    let (tree, net) = instance::build(system, &document.instance).map_err(CandidateError::Instance)?;
    let marking = marking(system, &net, document).map_err(CandidateError::Marking)?;
    Ok(StandingCandidate { tree, net, marking })
}

fn marking(system: &System, net: &Net, document: &CandidateDocument) -> Result<Marking, String> {
    let (claimed, size) = (&document.marking, net.components().len());
    if claimed.len() != size {
        return Err(format!("it has {} of {size} components", claimed.len()));
    }
    let states = net.components().iter().zip(claimed).map(|(component, claimed)| {
        if claimed.component != component.name {
            let (found, expected) = (&claimed.component, &component.name);
            return Err(format!("it has {found} where the instance has {expected}"));
        }
        let component_type = &system.types[component.component_type];
        component_type.state_named(&claimed.state).ok_or_else(|| {
            format!("`{}` has no state `{}` ({})", component_type.name, claimed.state, component.name)
        })
    });
    states.collect()
}
