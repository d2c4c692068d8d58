//! Two engines, one question: what contradicts, and which answer is the better one.

use super::{Finding, Reason, Status, Unknown};

/// Whether the answers of two engines to the same question, with the same invariants, can't both be right.
///
/// Both look for a marking in the same invariants, so where one proves, the other can't have a candidate.
/// That one reaches an error and the other has a candidate that leads nowhere is no contradiction: they
/// may hit upon different candidates.
pub(super) fn contradict(one: &Finding, other: &Finding) -> bool {
    let has_candidate = |finding: &Finding| match finding {
        Finding::Proved => false,
        Finding::Violated | Finding::Unknown(Reason::Spurious | Reason::CandidateTooLarge) => true,
        Finding::Unknown(
            Reason::Stopped(_) | Reason::MonaFailed { .. } | Reason::Unsupported(_) | Reason::NoFormula(_),
        ) => false,
    };
    match (one, other) {
        (Finding::Proved, other) => has_candidate(other),
        (one, Finding::Proved) => has_candidate(one),
        _ => false,
    }
}

/// The more definite answer; of equals the first, which has a certificate where it is a proof.
pub(super) fn better(first: Status, second: Status) -> Status {
    let rank = |status: &Status| match status {
        Status::Proved(_) | Status::Violated(_) => 0,
        Status::Unknown(Unknown { reason: Reason::Spurious | Reason::CandidateTooLarge, .. }) => 1,
        Status::Unknown(Unknown { reason: Reason::Stopped(_) | Reason::MonaFailed { .. }, .. }) => 2,
        Status::Unknown(Unknown { reason: Reason::Unsupported(_) | Reason::NoFormula(_), .. }) => 3,
    };
    if rank(&second) < rank(&first) { second } else { first }
}

/// [`contradict`] where the proof rests on what has no formula (weights, states that exclude each other):
/// MONA may well have a candidate then, but nothing reaches it.
pub(super) fn contradict_beyond_formulas(by_mona: &Finding) -> bool {
    *by_mona == Finding::Violated
}

#[cfg(test)]
mod tests;
