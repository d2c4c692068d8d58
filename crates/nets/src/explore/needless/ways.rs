//! Two transitions, one after the other, that others can replace.
//!
//! The second transition t of two, after u, is needless if other transitions t′, u′, of which u′ has a greater number
//! than t, lead from the states of components that u and t need to those where u and t lead (a parent hears its left child
//! first, then its right one, or the other way round); or if one transition does so, or none at all (u and t take back each
//! other): then the marking is no further away.

use std::cmp::Reverse;
use std::hash::BuildHasher;
use std::ops::Range;

use rustc_hash::FxBuildHasher;

use crate::instance::net::{ComponentId, Move, Net, NetTransition, NetTransitionId};
use paramcheck_model::component::StateId;
use paramcheck_text::limits::{Budget, Stop};

/// With more pairs of transitions at one component, only independent ones are looked for.
const MAX_PAIRS: usize = 1 << 16;
/// Ways with more moves are not looked at.
const MAX_MOVES: usize = 16;

/// So many other ways with the same effect are looked at, those with the greatest second transitions first.
const MAX_REPLACEMENTS: usize = 32;

/// What some transitions do to a component: where it must be before, and where it is after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Change {
    component: ComponentId,
    before: StateId,
    after: StateId,
}

/// One or two transitions, one after the other.
struct Way {
    /// Its changes, of all components that take part, are those of [`Ways`] from here on, so many.
    start: usize,
    len: usize,
    /// Of what is different then. Ways with the same effect have the same.
    hash: u64,
    first: NetTransitionId,
    second: Option<NetTransitionId>,
}

/// The ways of one transition, and of two that have a component in common.
struct Ways {
    /// One after the other, so that a way need not have its own piece of memory.
    changes: Vec<Change>,
    list: Vec<Way>,
}

impl Ways {
    fn new(net: &Net, budget: &Budget) -> Result<Ways, Stop> {
        let mut step = budget.pace();
        let mut ways = Ways { changes: Vec::new(), list: Vec::new() };
        let mut seconds: Vec<NetTransitionId> = Vec::new();
        for (first, transition) in net.transitions().enumerate() {
            if transition.moves.len() > MAX_MOVES / 2 {
                continue;
            }
            let start = ways.changes.len();
            let change = |m: &Move| Change { component: m.component, before: m.from, after: m.to };
            ways.changes.extend(transition.moves.iter().map(change));
            let one = start..ways.changes.len();
            ways.add(start, first, None);
            seconds.clear();
            seconds.extend(transition.moves.iter().flat_map(|m| net.transitions_of(m.component)));
            seconds.sort_unstable();
            seconds.dedup();
            for &second in &seconds {
                step()?;
                let transition = &net.transitions()[second];
                if transition.moves.len() <= MAX_MOVES / 2 {
                    ways.go_on(first, one.clone(), second, transition);
                }
            }
        }
        // Those with the same effect together: ways of one transition first, then the greatest second ones.
        ways.list.sort_unstable_by_key(|way| (way.hash, way.second.map(Reverse), way.first));
        Ok(ways)
    }

    /// Adds a transition and then another, if that one is enabled then. The changes of the first are `one`.
    fn go_on(
        &mut self,
        first: NetTransitionId,
        one: Range<usize>,
        second: NetTransitionId,
        transition: &NetTransition,
    ) {
        let start = self.changes.len();
        self.changes.extend_from_within(one);
        let own = self.changes.len();
        for m in &transition.moves {
            let known = self.changes[start..own].iter_mut().find(|change| change.component == m.component);
            match known {
                Some(change) if change.after == m.from => change.after = m.to,
                Some(_) => return self.changes.truncate(start),
                None => {
                    self.changes.push(Change { component: m.component, before: m.from, after: m.to });
                }
            }
        }
        self.add(start, first, Some(second));
    }

    /// Adds a way whose changes are those from `start` on.
    fn add(&mut self, start: usize, first: NetTransitionId, second: Option<NetTransitionId>) {
        // A sum, for the order of changes means nothing; of squares, for these hashes are linear.
        let hashes = effect(&self.changes[start..]).map(|change| FxBuildHasher.hash_one(change));
        let hash = hashes.fold(0_u64, |sum, hash| sum.wrapping_add(hash.wrapping_mul(hash)));
        self.list.push(Way { start, len: self.changes.len() - start, hash, first, second });
    }

    fn changes(&self, way: &Way) -> &[Change] {
        &self.changes[way.start..way.start + way.len]
    }

    /// Whether a way changes nothing, or may be gone by one of `others` instead, which seem to have the same effect.
    fn is_needless(&self, way: &Way, others: &[Way]) -> bool {
        let is_later = |other: &Way| other.second.is_none_or(|second| Some(second) > way.second);
        let changes = self.changes(way);
        let mut later = others.iter().take_while(|other| is_later(other)).take(MAX_REPLACEMENTS);
        effect(changes).next().is_none() || later.any(|other| can_replace(self.changes(other), changes))
    }
}

/// What is different then.
fn effect(changes: &[Change]) -> impl Iterator<Item = &Change> {
    changes.iter().filter(|change| change.before != change.after)
}

/// Whether one way can be gone wherever the other can, and leads to the same.
fn can_replace(one: &[Change], other: &[Change]) -> bool {
    let is_met = |need: &Change| {
        let mut met = other.iter();
        met.any(|change| (change.component, change.before) == (need.component, need.before))
    };
    effect(one).count() == effect(other).count()
        && effect(one).all(|change| other.contains(change))
        && one.iter().all(is_met)
}

/// Pairs of transitions of which the second is needless after the first.
///
/// # Errors
/// `budget` ended.
pub(super) fn needless(net: &Net, budget: &Budget) -> Result<Vec<(NetTransitionId, NetTransitionId)>, Stop> {
    let meeting = net.components().indices().map(|component| net.transitions_of(component).len().pow(2));
    if meeting.sum::<usize>() > MAX_PAIRS {
        return Ok(Vec::new());
    }
    let mut step = budget.pace();
    let mut found = Vec::new();
    let ways = Ways::new(net, budget)?;
    for same in ways.list.chunk_by(|one, other| one.hash == other.hash) {
        for way in same {
            step()?;
            if let Some(second) = way.second
                && ways.is_needless(way, same)
            {
                found.push((way.first, second));
            }
        }
    }
    Ok(found)
}
