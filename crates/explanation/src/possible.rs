//! Whether an instance may have a marking in an error, by how many components of each type it has.
//!
//! A formula and counts come in. "No" is certain; "perhaps" is found out by a search in the instance itself. So
//! instances that are too small for an error are passed over without making their nets.

use std::collections::BTreeSet;

use paramcheck_model::component::TypeId;
use paramcheck_model::error::{Comparison, Count, ErrorFormula};
use paramcheck_model::system::System;
use paramcheck_text::index::IndexVec;

/// How many components of each type an instance has.
pub(crate) type Counts = IndexVec<TypeId, usize>;

/// Which of its values a formula may have, over all markings.
#[derive(Clone, Copy)]
struct Truth {
    may_hold: bool,
    may_fail: bool,
}

const ANY: Truth = Truth { may_hold: true, may_fail: true };

/// Whether some marking of an instance with these components may be in the error.
pub(crate) fn may_have_error(system: &System, counts: &Counts, error: &ErrorFormula) -> bool {
    truth(system, counts, error).may_hold
}

fn truth(system: &System, counts: &Counts, error: &ErrorFormula) -> Truth {
    let parts = |parts: &[ErrorFormula]| -> Vec<Truth> {
        parts.iter().map(|part| truth(system, counts, part)).collect()
    };
    match error {
        ErrorFormula::Count(count) => compared(system, counts, count),
        ErrorFormula::Deadlock | ErrorFormula::Pattern(_) | ErrorFormula::Components(_) => ANY,
        ErrorFormula::Not(inner) => {
            let inner = truth(system, counts, inner);
            Truth { may_hold: inner.may_fail, may_fail: inner.may_hold }
        }
        ErrorFormula::And(all) => {
            let all = parts(all);
            Truth {
                may_hold: all.iter().all(|one| one.may_hold),
                may_fail: all.iter().any(|one| one.may_fail),
            }
        }
        ErrorFormula::Or(all) => {
            let all = parts(all);
            Truth {
                may_hold: all.iter().any(|one| one.may_hold),
                may_fail: all.iter().all(|one| one.may_fail),
            }
        }
    }
}

/// A sum lies between what it is where each component is in its lightest state, and in its heaviest.
fn compared(system: &System, counts: &Counts, count: &Count) -> Truth {
    let (mut least, mut most) = (0_u64, 0_u64);
    for (id, component) in system.types.enumerate() {
        let weight = |state| {
            let mut own = count.weights.iter().filter(|one| (one.0, one.1) == (id, state));
            own.next().map_or(0, |one| one.2)
        };
        let weights = || component.states.enumerate().map(|(state, _)| weight(state));
        let number = u64::try_from(counts[id]).unwrap_or(u64::MAX);
        least = least.saturating_add(weights().min().unwrap_or(0).saturating_mul(number));
        most = most.saturating_add(weights().max().unwrap_or(0).saturating_mul(number));
    }
    let bound = count.bound;
    let contains = least <= bound && bound <= most;
    let (is_below, is_above) = (least < bound, most > bound);
    match count.comparison {
        Comparison::AtLeast => Truth { may_hold: most >= bound, may_fail: is_below },
        Comparison::AtMost => Truth { may_hold: least <= bound, may_fail: is_above },
        Comparison::Greater => Truth { may_hold: is_above, may_fail: least <= bound },
        Comparison::Less => Truth { may_hold: is_below, may_fail: most >= bound },
        Comparison::Equal => Truth { may_hold: contains, may_fail: is_below || is_above },
        Comparison::NotEqual => Truth { may_hold: is_below || is_above, may_fail: contains },
    }
}

/// The types whose components the error counts.
pub(crate) fn counted(error: &ErrorFormula) -> BTreeSet<TypeId> {
    match error {
        ErrorFormula::Count(count) => count.weights.iter().map(|one| one.0).collect(),
        ErrorFormula::Deadlock | ErrorFormula::Pattern(_) | ErrorFormula::Components(_) => BTreeSet::new(),
        ErrorFormula::Not(inner) => counted(inner),
        ErrorFormula::And(all) | ErrorFormula::Or(all) => all.iter().flat_map(counted).collect(),
    }
}
