//! Why a certificate was refused.
//!
//! The types say which part of the document fails and how; the texts are for people and not stable.

use std::fmt;

use thiserror::Error;

use crate::data::ErrorState;
use paramcheck_text::limits::Stop;

/// Why a certificate was not accepted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Rejection {
    /// The check was cut short: nothing is known about the certificate.
    #[error("the check was not finished: {0}")]
    Stopped(Stop),
    /// Certificates for such errors cannot be checked.
    #[error("the checker does not understand {what}")]
    Unsupported {
        /// What the error contains.
        what: &'static str,
    },
    /// The certificate is about something else.
    #[error("the certificate's {field} is `{found}`, but it should be `{expected}`")]
    Header {
        /// Which field differs.
        field: &'static str,
        /// What it is.
        found: String,
        /// What it should be.
        expected: String,
    },
    /// The model itself breaks an invariant of its types; the parser never makes such a model.
    #[error("the model is not well-formed at rule {rule}: {problem}")]
    Model {
        /// The rule's label.
        rule: String,
        /// What is wrong.
        problem: String,
    },
    /// A dropped interaction is not one of the model's, or given twice.
    #[error("dropped interaction {index}: {problem}")]
    Dropped {
        /// Its position in the certificate.
        index: usize,
        /// What is wrong.
        problem: String,
    },
    /// Two states are claimed to exclude each other, and don't, or the claim makes no sense.
    #[error("exclusive pair {index}: {problem}")]
    Exclusive {
        /// Its position in the certificate.
        index: usize,
        /// What is wrong.
        problem: String,
    },
    /// One of the proofs fails.
    #[error("{section}: {fault}")]
    Proof {
        /// Which proof.
        section: Section,
        /// How it fails.
        fault: Box<Fault>,
    },
}

impl From<Stop> for Rejection {
    fn from(stop: Stop) -> Self {
        Rejection::Stopped(stop)
    }
}

/// One of the proofs of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// The proof that the error is not reached.
    Main,
    /// The proof that a dropped interaction (by position) never fires.
    Dropped(usize),
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Section::Main => f.write_str("the proof"),
            Section::Dropped(index) => write!(f, "the proof of dropped interaction {index}"),
        }
    }
}

/// How a proof fails.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// An item makes no sense for this model.
    #[error("{item}: {problem}")]
    Malformed {
        /// Which item, as in `configurations[3]`.
        item: String,
        /// What is wrong.
        problem: String,
    },
    /// A rule produces a marking that no configuration covers.
    #[error("not closed under rule {rule}: {}", describe(.predicate, .places, .error, .nearest.as_ref()))]
    NotClosed {
        /// The rule's label.
        rule: String,
        /// Its head.
        predicate: String,
        /// The places of the head's parameters, as in `Node.busy`.
        places: Vec<String>,
        /// The error state.
        error: ErrorState,
        /// A configuration with these places and this error state, and what it claims in vain.
        nearest: Option<Nearest>,
    },
    /// A configuration of the root is an error, and no set rules it out.
    #[error("configurations[{configuration}] is an error at the root, and none of its sets refutes it")]
    NotRefuted {
        /// Its position.
        configuration: usize,
    },
}

/// The first of the configurations that came close to covering a marking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// Its position.
    pub configuration: usize,
    /// The positions in its `refuting` of the claims that do not follow; at least one.
    pub unfounded: Vec<usize>,
}

fn describe(predicate: &str, places: &[String], error: &ErrorState, nearest: Option<&Nearest>) -> String {
    let mut shown = Vec::new();
    if error.live {
        shown.push("live".to_owned());
    }
    if error.unfinished {
        shown.push("unfinished".to_owned());
    }
    let patterns = error.patterns.iter().enumerate().filter(|(_, occurred)| **occurred);
    shown.extend(patterns.map(|(bit, _)| format!("pattern {bit}")));
    shown.extend(error.counts.iter().enumerate().map(|(index, sum)| format!("count {index} = {sum}")));
    let shown = if shown.is_empty() { String::new() } else { format!(" with {}", shown.join(", ")) };
    let marking = format!("{predicate}({}){shown}", places.join(", "));
    match nearest {
        None => format!("no configuration for {marking}"),
        Some(Nearest { configuration, unfounded }) => {
            let claims: Vec<String> = unfounded.iter().map(|claim| format!("refuting[{claim}]")).collect();
            format!(
                "no configuration for {marking} claims only what follows: \
                 configurations[{configuration}] has {}",
                claims.join(", ")
            )
        }
    }
}
