//! Which transitions of a net need not be fired, because what they lead to is found in another way.
//!
//! What may be left out is said at [`TransitionSystem`](crate::explore::system::TransitionSystem). A transition t is, where
//! u led to the state and whatever else is marked,
//!
//! - after u if they are *independent* (neither moves a component that the other takes part in) and t has the smaller
//!   number: then t is enabled before u, and u leads on from there;
//! - after u if other transitions do what u and t do, in no more steps ([`ways`]);
//! - always, if it only takes back what was done ([`undo`]).
//!
//! Independence is looked up at once, the rest only in a search that gets large, where it pays.
//!
//! Tests: that exploration finds what its naive twin finds, at the same distances (`tests/suite/explore.rs`).

use crate::instance::net::{Net, NetTransitionId};
use paramcheck_text::index::Idx;
use paramcheck_text::limits::{Budget, Stop};

#[cfg(test)]
mod tests;
mod undo;
mod ways;

/// With more transitions, none is left out after another: a table of all pairs would be too large.
const MAX_PAIRED: usize = 4096;

/// Per transition u those that are to be fired after it.
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
        let groups = count.div_ceil(64);
        if count > MAX_PAIRED {
            return Ok(After { groups, bits: Vec::new() });
        }
        let mut bits = vec![0; count * groups];
        let mut step = budget.pace();
        for (id, transition) in net.transitions().enumerate() {
            step()?;
            let number = id.index();
            let row = &mut bits[number * groups..(number + 1) * groups];
            row[number / 64] = u64::MAX << (number % 64);
            row[number / 64 + 1..].fill(u64::MAX);
            for m in &transition.moves {
                for &other in net.transitions_of(m.component) {
                    let other_moves = &net.transitions()[other].moves;
                    let is_moved = m.from != m.to
                        || other_moves.iter().any(|one| one.component == m.component && one.from != one.to);
                    if is_moved {
                        row[other.index() / 64] |= 1 << (other.index() % 64);
                    }
                }
            }
        }
        Ok(After { groups, bits })
    }

    /// Of these only those that are needed when the other ways are looked at too.
    ///
    /// # Errors
    /// `budget` ended.
    pub(super) fn refined(&self, net: &Net, budget: &Budget) -> Result<After, Stop> {
        let mut after = self.clone();
        if !self.bits.is_empty() {
            for (first, second) in ways::needless(net, budget)? {
                after.leave_out(first, second);
            }
            for second in undo::needless(net, budget)? {
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
