//! Why a proof holds, for a report: the explanation of its certificate, or why there is none.

use serde::Serialize;

use paramcheck_certificate::data::Certificate;
use paramcheck_explanation::{Explained, Explanation, NotExplained, ShownSet, explain};
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_text::limits::Budget;
use paramcheck_verdict::{Status, Verdict, proof_by};

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

/// Kinds by which another proof may be easier to follow, the clearest first.
const CLEAR: [&[InvariantKind]; 3] =
    [&[InvariantKind::MUTEX], &[InvariantKind::SIPHON], &[InvariantKind::TRAP, InvariantKind::MUTEX]];
/// How much effort may be spent on one of them, in joins of the direct engine.
const MAX_EFFORT: u64 = 100_000;

/// Why the answer of `verdict` is proved, in the instance of `wanted` or else in a small one; `None` where it is
/// another answer. Also the instance, where there is an explanation. Where the kinds of sets are left to the
/// program (`is_free`), another proof may be shown, by fewer sets or clearer ones.
pub fn of(
    system: &System,
    verdict: &Verdict,
    wanted: Option<&RewritingTree>,
    is_free: bool,
    budget: &Budget,
) -> Option<Result<Explained, String>> {
    let Status::Proved(proved) = &verdict.status else { return None };
    let Some(certificate) = &proved.certificate else {
        return Some(Err("MONA proves that there is no such marking, and gives no sets".to_owned()));
    };
    let explained = |certificate: &Certificate| explain(system, &verdict.error, certificate, wanted, budget);
    let mut best = explained(certificate);
    let is_clear = proved.invariants.iter().all(|kind| *kind == InvariantKind::MUTEX);
    for kinds in CLEAR {
        if !is_free || is_clear || proved.invariants == kinds {
            break;
        }
        let Some(other) = proof_by(system, &verdict.error, (kinds, MAX_EFFORT), budget) else { continue };
        // What needs no more than was found already is no other proof.
        let is_new = |kind: &InvariantKind| {
            !proved.invariants.contains(kind)
                && other.proof.sets.iter().any(|set| set.kind == kind.to_string())
        };
        if !kinds.iter().any(is_new) {
            continue;
        }
        let Ok(mut other) = explained(&other) else { continue };
        if best.as_ref().map_or(true, |best| effort(&other) < effort(best)) {
            other.explanation.instead = Some(itertools::join(kinds, " + "));
            best = Ok(other);
        }
    }
    Some(best.map_err(|reason: NotExplained| reason.to_string()))
}

/// How hard an explanation is to follow: how many sets there are, "exactly one of" counting least, and how many
/// lines they take.
fn effort(explained: &Explained) -> (usize, usize) {
    let Explanation { reason, never_fires, .. } = &explained.explanation;
    let reasons = || never_fires.iter().map(|one| &one.reason).chain([reason]);
    let of_set = |set: &ShownSet| {
        let each = if set.kind == InvariantKind::MUTEX.to_string() { 1 } else { 2 };
        each * (1 + set.alike.len())
    };
    let sets = reasons().flat_map(|reason| &reason.sets);
    let others: usize = reasons().map(|reason| 2 * (reason.exclusive.len() + reason.enabled.len())).sum();
    (
        sets.clone().map(of_set).sum::<usize>() + others,
        sets.map(|set| set.nodes.len() + set.places.len()).sum(),
    )
}

impl From<Result<Explained, String>> for Why {
    fn from(explained: Result<Explained, String>) -> Why {
        match explained {
            Ok(explained) => Why::Explained(Box::new(explained.explanation)),
            Err(unexplained) => Why::Unexplained { unexplained },
        }
    }
}
