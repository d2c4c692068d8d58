//! Why a proof holds, for a report: the explanation of its certificate, or why there is none.

use serde::Serialize;

use paramcheck_explanation::{Explained, Explanation, NotExplained, explain};
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_text::limits::Budget;
use paramcheck_verdict::{Status, Verdict};

/// What is known of why a proof holds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Why {
    /// In terms of the model.
    Explained(Box<Explanation>),
    /// There is a proof, but not in words.
    Unexplained {
        /// The reason.
        unexplained: String,
    },
}

/// Why the answer of `verdict` is proved, in the instance of `wanted` or else in a small one; `None` where it is
/// another answer. Also the instance, where there is an explanation.
pub fn of(
    system: &System,
    verdict: &Verdict,
    wanted: Option<&RewritingTree>,
    budget: &Budget,
) -> Option<Result<Explained, String>> {
    let Status::Proved(proved) = &verdict.status else { return None };
    let Some(certificate) = &proved.certificate else {
        return Some(Err("MONA proves that there is no such marking, and gives no sets".to_owned()));
    };
    let explained = explain(system, &verdict.error, certificate, wanted, budget);
    Some(explained.map_err(|reason: NotExplained| reason.to_string()))
}

impl From<Result<Explained, String>> for Why {
    fn from(explained: Result<Explained, String>) -> Why {
        match explained {
            Ok(explained) => Why::Explained(Box::new(explained.explanation)),
            Err(unexplained) => Why::Unexplained { unexplained },
        }
    }
}
