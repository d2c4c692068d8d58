//! Partial-order reduction that keeps every marking: transitions that are redundant after others.
//!
//! What a search may leave out is defined at [`TransitionSystem`](crate::explore::system::TransitionSystem).
//! A transition t is redundant, where u led to the state and whatever else is marked,
//!
//! - after u if they are *independent* (neither moves a component that the other takes part in) and t has the
//!   smaller number ([`independence`]): then t is enabled before u, and u leads on from there;
//! - after u if other transitions have the effect of u and t, in no more steps ([`replacement`]);
//! - always, if it only reverses others ([`inverse`]).
//!
//! Sleep sets do the first in depth-first search (Godefroid, *Partial-Order Methods for the Verification of
//! Concurrent Systems*, 1996); here the search is breadth first, and the last transition is enough to know.
//! Independence is computed at once, the rest only in a search that gets large, where it pays.
//!
//! Tests: that exploration finds what its naive twin finds, at the same distances (`tests/suite/explore.rs`).

use crate::instance::net::{Net, NetTransitionId};
use paramcheck_text::index::Idx;
use paramcheck_text::limits::{Budget, Stop};

mod independence;
mod inverse;
mod replacement;
#[cfg(test)]
mod tests;

/// With more transitions, none is left out after another: a table of all pairs would be too large.
const MAX_PAIRED: usize = 4096;

/// Per transition u the transitions to be fired after it.
#[derive(Clone, Debug)]
pub(super) struct After {
    /// The words of a transition: one for every 64 transitions.
    groups: usize,
    /// Empty where there are too many transitions.
    bits: Vec<u64>,
}

impl After {
    /// All but those that are independent and have a smaller number.
    ///
    /// # Errors
    /// `budget` ended.
    pub(super) fn independent(net: &Net, budget: &Budget) -> Result<After, Stop> {
        let count = net.transitions().len();
        let bits = if count > MAX_PAIRED { Vec::new() } else { independence::dependent(net, budget)? };
        Ok(After { groups: count.div_ceil(64), bits })
    }

    /// Of these only those that are not redundant for one of the other reasons.
    ///
    /// # Errors
    /// `budget` ended.
    pub(super) fn refined(&self, net: &Net, budget: &Budget) -> Result<After, Stop> {
        let mut after = self.clone();
        if !self.bits.is_empty() {
            for (first, second) in replacement::redundant(net, budget)? {
                after.leave_out(first, second);
            }
            for second in inverse::redundant(net, budget)? {
                net.transitions().indices().for_each(|first| after.leave_out(first, second));
            }
        }
        Ok(after)
    }

    fn leave_out(&mut self, first: NetTransitionId, second: NetTransitionId) {
        self.bits[first.index() * self.groups + second.index() / 64] &= !(1 << (second.index() % 64));
    }

    /// The transitions to be fired after `first`, as bits of words; nothing where all are.
    #[inline]
    pub(super) fn row(&self, first: u32) -> Option<&[u64]> {
        let start = first as usize * self.groups;
        self.bits.get(start..start + self.groups)
    }
}
