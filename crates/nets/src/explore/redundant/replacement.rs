//! Sequences of two transitions that other sequences can replace.
//!
//! The second transition t of two, after u, is redundant if other transitions t′, u′, of which u′ has a
//! greater number than t, lead from the states of components that u and t need to those where u and t lead (a
//! parent hears its left child first, then its right one, or the other sequence round). It is redundant too
//! if one transition does so, or none at all (u and t reverse each other): then the marking is no further
//! away.

use std::cmp::Reverse;
use std::hash::BuildHasher;
use std::ops::Range;

use rustc_hash::FxBuildHasher;

use crate::instance::net::{ComponentId, Move, Net, NetTransition, NetTransitionId};
use paramcheck_model::component::StateId;
use paramcheck_text::limits::{Budget, Stop};

/// With more pairs of transitions that share a component, none is searched.
const MAX_PAIRS: usize = 1 << 16;
/// Sequences with more moves are left out.
const MAX_MOVES: usize = 16;

/// How many other sequences with the same effect are compared, those with the greatest second transitions
/// first.
const MAX_REPLACEMENTS: usize = 32;

/// What some transitions do to a component: the state that it must be in before, and its state after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Change {
    component: ComponentId,
    before: StateId,
    after: StateId,
}

/// One transition, or two, one after the other.
struct Sequence {
    /// Its changes, of all components that take part, are those of [`Sequences`] from here on, this many.
    start: usize,
    len: usize,
    /// Of its effect. Sequences with the same effect have the same.
    hash: u64,
    first: NetTransitionId,
    second: Option<NetTransitionId>,
}

/// The sequences of one transition, and of two that have a component in common.
struct Sequences {
    /// All in one vector, so that a sequence needs no allocation of its own.
    changes: Vec<Change>,
    list: Vec<Sequence>,
}

impl Sequences {
    fn new(net: &Net, budget: &Budget) -> Result<Sequences, Stop> {
        let mut step = budget.pace();
        let mut sequences = Sequences { changes: Vec::new(), list: Vec::new() };
        let mut seconds: Vec<NetTransitionId> = Vec::new();
        for (first, transition) in net.transitions().enumerate() {
            if transition.moves.len() > MAX_MOVES / 2 {
                continue;
            }
            let start = sequences.changes.len();
            let change = |m: &Move| Change { component: m.component, before: m.from, after: m.to };
            sequences.changes.extend(transition.moves.iter().map(change));
            let one = start..sequences.changes.len();
            sequences.add(start, first, None);
            seconds.clear();
            seconds.extend(transition.moves.iter().flat_map(|m| net.transitions_of(m.component)));
            seconds.sort_unstable();
            seconds.dedup();
            for &second in &seconds {
                step()?;
                let transition = &net.transitions()[second];
                if transition.moves.len() <= MAX_MOVES / 2 {
                    sequences.extend(first, one.clone(), second, transition);
                }
            }
        }
        // Those with the same effect together: sequences of one transition first, then the greatest second
        // ones.
        sequences
            .list
            .sort_unstable_by_key(|sequence| (sequence.hash, sequence.second.map(Reverse), sequence.first));
        Ok(sequences)
    }

    /// Adds a transition and then another, if that one is enabled then. The changes of the first are `one`.
    fn extend(
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

    /// Adds a sequence whose changes are those from `start` on.
    fn add(&mut self, start: usize, first: NetTransitionId, second: Option<NetTransitionId>) {
        // A sum, for the order of changes means nothing; of squares, for these hashes are linear.
        let hashes = effect(&self.changes[start..]).map(|change| FxBuildHasher.hash_one(change));
        let hash = hashes.fold(0_u64, |sum, hash| sum.wrapping_add(hash.wrapping_mul(hash)));
        self.list.push(Sequence { start, len: self.changes.len() - start, hash, first, second });
    }

    fn changes(&self, sequence: &Sequence) -> &[Change] {
        &self.changes[sequence.start..sequence.start + sequence.len]
    }

    /// Whether a sequence changes nothing, or can be replaced by one of `others`, whose effects have the same
    /// hash.
    fn is_redundant(&self, sequence: &Sequence, others: &[Sequence]) -> bool {
        let is_later = |other: &Sequence| other.second.is_none_or(|second| Some(second) > sequence.second);
        let changes = self.changes(sequence);
        let mut later = others.iter().take_while(|other| is_later(other)).take(MAX_REPLACEMENTS);
        effect(changes).next().is_none() || later.any(|other| can_replace(self.changes(other), changes))
    }
}

/// The changes to another state.
fn effect(changes: &[Change]) -> impl Iterator<Item = &Change> {
    changes.iter().filter(|change| change.before != change.after)
}

/// Whether one sequence is enabled wherever the other is, and leads to the same marking.
fn can_replace(one: &[Change], other: &[Change]) -> bool {
    let is_met = |need: &Change| {
        let mut met = other.iter();
        met.any(|change| (change.component, change.before) == (need.component, need.before))
    };
    effect(one).count() == effect(other).count()
        && effect(one).all(|change| other.contains(change))
        && one.iter().all(is_met)
}

/// Pairs of transitions of which the second is redundant after the first.
///
/// # Errors
/// `budget` ended.
pub(super) fn redundant(net: &Net, budget: &Budget) -> Result<Vec<(NetTransitionId, NetTransitionId)>, Stop> {
    let meeting = net.components().indices().map(|component| net.transitions_of(component).len().pow(2));
    if meeting.sum::<usize>() > MAX_PAIRS {
        return Ok(Vec::new());
    }
    let mut step = budget.pace();
    let mut found = Vec::new();
    let sequences = Sequences::new(net, budget)?;
    for same in sequences.list.chunk_by(|one, other| one.hash == other.hash) {
        for sequence in same {
            step()?;
            if let Some(second) = sequence.second
                && sequences.is_redundant(sequence, same)
            {
                found.push((sequence.first, second));
            }
        }
    }
    Ok(found)
}
