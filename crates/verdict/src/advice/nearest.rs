//! The reachable marking that looks most like a candidate.

use paramcheck_nets::explore::search::reachable;
use paramcheck_nets::instance::marking::Marking;
use paramcheck_nets::instance::net::ComponentId;
use paramcheck_text::limits::Budget;

use crate::Candidate;

/// Markings looked at.
const MAX_STATES: usize = 20_000;

/// A reachable marking of a candidate's instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// The marking: of those that differ from the candidate in the fewest components, the first found.
    pub marking: Marking,
    /// The components in which it differs; at least one.
    pub differing: Vec<ComponentId>,
    /// Whether all reachable markings were looked at.
    pub is_of_all: bool,
}

/// The nearest marking that is found; `None` where the run must end.
pub(super) fn nearest(candidate: &Candidate, budget: &Budget) -> Option<Nearest> {
    let Candidate { net, marking: wanted, .. } = candidate;
    let mut best: Option<(usize, Marking)> = None;
    let is_of_all = reachable(net, MAX_STATES, budget, |marking| {
        let differences = marking.iter().zip(wanted.iter()).filter(|(one, other)| one != other).count();
        if best.as_ref().is_none_or(|(fewest, _)| differences < *fewest) {
            best = Some((differences, marking.clone()));
        }
    });
    let (_, marking) = best?;
    let differing: Vec<ComponentId> =
        net.components().indices().filter(|&id| marking[id] != wanted[id]).collect();
    // That it is reachable is no candidate any more, but an answer.
    (!differing.is_empty()).then_some(Nearest { marking, differing, is_of_all })
}
