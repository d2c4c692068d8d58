//! Two transitions, one after the other, that others can replace.
//!
//! The second transition t of two, after u, is needless if other transitions t′, u′, of which u′ has a greater number
//! than t, lead from the states of components that u and t need to those where u and t lead (a parent hears its left child
//! first, then its right one, or the other way round); or if one transition does so, or none at all (u and t take back each
//! other): then the marking is no further away.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use crate::instance::net::{ComponentId, Move, Net, NetTransition, NetTransitionId};
use crate::model::component::StateId;
use crate::support::limits::{Budget, Stop};

/// With more pairs of transitions at one component, only independent ones are looked for.
const MOST_MEETING: usize = 1 << 16;
/// Ways with more moves are not looked at.
const MOST_MOVES: usize = 16;

/// So many other ways with the same effect are looked at, those with the greatest second transitions first.
const MOST_OTHERS: usize = 32;

/// What some transitions do to a component: where it must be before, and where it is after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Change {
    component: ComponentId,
    before: StateId,
    after: StateId,
}

/// One or two transitions, one after the other.
struct Way {
    /// Of all components that take part, ascending.
    changes: Vec<Change>,
    first: NetTransitionId,
    second: Option<NetTransitionId>,
}

impl Way {
    fn of_one(id: NetTransitionId, transition: &NetTransition) -> Way {
        let change = |m: &Move| Change { component: m.component, before: m.from, after: m.to };
        let mut changes: Vec<Change> = transition.moves.iter().map(change).collect();
        changes.sort_unstable();
        Way { changes, first: id, second: None }
    }

    /// This and then another transition; `None` where that one is not enabled then.
    fn then(&self, id: NetTransitionId, transition: &NetTransition) -> Option<Way> {
        let of = |m: &Move| self.changes.iter().position(|change| change.component == m.component);
        let is_enabled = |m: &Move| of(m).is_none_or(|place| self.changes[place].after == m.from);
        if !transition.moves.iter().all(is_enabled) {
            return None;
        }
        let mut changes = Vec::with_capacity(self.changes.len() + transition.moves.len());
        changes.extend_from_slice(&self.changes);
        for m in &transition.moves {
            match of(m) {
                Some(place) => changes[place].after = m.to,
                None => changes.push(Change { component: m.component, before: m.from, after: m.to }),
            }
        }
        changes.sort_unstable();
        Some(Way { changes, first: self.first, second: Some(id) })
    }

    /// What is different then.
    fn effect(&self) -> Vec<Change> {
        self.changes.iter().filter(|change| change.before != change.after).copied().collect()
    }

    /// Whether it can be gone wherever the other can.
    fn needs_no_more_than(&self, other: &Way) -> bool {
        let is_met = |need: &Change| {
            let mut met = other.changes.iter();
            met.any(|change| (change.component, change.before) == (need.component, need.before))
        };
        self.changes.iter().all(is_met)
    }

    /// Whether it changes nothing, or may be gone by one of `others` instead, which have the same effect.
    fn is_needless(&self, others: &[Way]) -> bool {
        let is_later = |other: &Way| other.second.is_none_or(|second| Some(second) > self.second);
        let mut later = others.iter().take_while(|other| is_later(other)).take(MOST_OTHERS);
        self.changes.iter().all(|change| change.before == change.after)
            || later.any(|other| other.needs_no_more_than(self))
    }
}

/// Pairs of transitions of which the second is needless after the first.
///
/// # Errors
/// `budget` ended.
pub(super) fn needless(net: &Net, budget: &Budget) -> Result<Vec<(NetTransitionId, NetTransitionId)>, Stop> {
    let meeting = net.components().indices().map(|component| net.transitions_of(component).len().pow(2));
    if meeting.sum::<usize>() > MOST_MEETING {
        return Ok(Vec::new());
    }
    let mut step = budget.pace();
    let mut found = Vec::new();
    for ways in ways(net, budget)?.values_mut() {
        // Ways of one transition first.
        ways.sort_by_key(|way| way.second.map(Reverse));
        for way in ways.iter() {
            step()?;
            if let Some(second) = way.second
                && way.is_needless(ways)
            {
                found.push((way.first, second));
            }
        }
    }
    Ok(found)
}

/// By their effects the ways of one transition, and of two that have a component in common.
fn ways(net: &Net, budget: &Budget) -> Result<FxHashMap<Vec<Change>, Vec<Way>>, Stop> {
    let mut step = budget.pace();
    let mut ways: FxHashMap<Vec<Change>, Vec<Way>> = FxHashMap::default();
    for (first, transition) in net.transitions().enumerate() {
        if transition.moves.len() > MOST_MOVES / 2 {
            continue;
        }
        let one = Way::of_one(first, transition);
        let mut seconds: Vec<NetTransitionId> =
            one.changes.iter().flat_map(|change| net.transitions_of(change.component)).copied().collect();
        seconds.sort_unstable();
        seconds.dedup();
        for second in seconds {
            step()?;
            let transition = &net.transitions()[second];
            if transition.moves.len() <= MOST_MOVES / 2
                && let Some(both) = one.then(second, transition)
            {
                ways.entry(both.effect()).or_default().push(both);
            }
        }
        ways.entry(one.effect()).or_default().push(one);
    }
    Ok(ways)
}
