//! Which instance a proof is spelled out in.
//!
//! In: a system and an error. Out: an instance that has a marking in the error, for one that has none shows nothing of
//! why the error is not reached; if it can be, one that has nodes by all rules and that is *telling*, with several
//! components of one type, and not too many to read. Instances are looked at by size: all there are, and where they are
//! too many, one of each kind (`kinds`). Those with too few components for the error are passed over by counting
//! (`possible`), the others are searched.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use paramcheck_model::error::ErrorFormula;
use paramcheck_model::rule::RuleId;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::enumerate::{smallest_size, trees_within};
use paramcheck_nets::instance::net::Net;
use paramcheck_nets::instance::unfold::unfold_within;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::Budget;

use crate::NotExplained;
use crate::goal::{MAX_MARKINGS, has_error, marking_count};
use crate::instances::{Instance, MAX_TRANSITIONS, MAX_TREES, used_rules};
use crate::kinds::{Kind, Kinds};
use crate::possible::{counted, may_have_error};

/// The components of one type that make an instance telling: neighbours on both sides.
const TELLING: usize = 3;
/// No instance with more components is spelled out only because it has nodes by all rules.
const MAX_SHOWN: usize = 12;
/// No instance with more components is chosen of those that have too many markings to look at each.
const MAX_LARGE: usize = 16;
/// No more of them are searched for an error marking.
const MAX_SEARCHED: usize = 60;
/// In no instance with more components an error is searched for.
pub(crate) const MAX_FAR: usize = 64;
/// Of instances that have the same rules and as many components of each type, so many are searched for an error.
const MAX_ALIKE: usize = 3;

/// Whether the instance has enough components of some type.
pub(crate) fn is_telling(system: &System, net: &Net) -> bool {
    let mut counts: IndexVec<_, usize> = system.types.iter().map(|_| 0).collect();
    net.components().iter().for_each(|one| counts[one.component_type] += 1);
    counts.iter().any(|count| *count >= TELLING)
}

/// Whether one of the instances has an error marking.
///
/// # Errors
/// The budget ended.
pub(crate) fn have_error(
    system: &System,
    instances: &[Instance],
    error: &ErrorFormula,
    budget: &Budget,
) -> Result<bool, NotExplained> {
    for (_, net) in instances {
        if has_error(system, net, error, budget)? == Some(true) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Puts first the first telling instance that has an error marking, if there is one; whether there is.
///
/// # Errors
/// The budget ended.
pub(crate) fn put_telling_first(
    system: &System,
    error: &ErrorFormula,
    instances: &mut [Instance],
    budget: &Budget,
) -> Result<bool, NotExplained> {
    for position in 0..instances.len() {
        let net = &instances[position].1;
        if is_telling(system, net) && has_error(system, net, error, budget)? == Some(true) {
            instances[..=position].rotate_right(1);
            return Ok(true);
        }
    }
    Ok(false)
}

/// Looks at instances of up to so many components, the smallest first, until one is found: at all of them, and from where
/// they are too many, at one of each kind.
///
/// # Errors
/// The budget ended.
fn smallest_first<T>(
    system: &System,
    (error, largest): (Option<&ErrorFormula>, usize),
    budget: &Budget,
    mut look: impl FnMut(&Kind, RewritingTree) -> Result<ControlFlow<T>, NotExplained>,
) -> Result<Option<T>, NotExplained> {
    let smallest = usize::try_from(smallest_size(system)).unwrap_or(usize::MAX);
    let mut looked_at = 0;
    let mut from = smallest;
    'sizes: for size in smallest..=largest {
        from = size;
        let mut trees = trees_within(system, size, budget).map_err(NotExplained::Stopped)?;
        while let Some(tree) = trees.next_within(budget).map_err(NotExplained::Stopped)? {
            looked_at += 1;
            if looked_at > MAX_TREES {
                break 'sizes;
            }
            if let ControlFlow::Break(found) = look(&Kind::of(system, &tree), tree)? {
                return Ok(Some(found));
            }
        }
    }
    if looked_at <= MAX_TREES {
        return Ok(None);
    }
    let types = error.map(counted).unwrap_or_default();
    let worth = |kind: &Kind| types.iter().map(|one| kind.counts[one.index()]).sum();
    let mut kinds = Kinds::new(system, &worth);
    for size in 0..=largest {
        let Some(trees) = kinds.next_size(budget)? else { return Ok(None) };
        for (kind, tree) in trees.into_iter().filter(|_| size >= from) {
            if let ControlFlow::Break(found) = look(&kind, tree)? {
                return Ok(Some(found));
            }
        }
    }
    Ok(None)
}

/// The smallest instance with nodes by all rules, if it is found.
///
/// # Errors
/// The budget ended.
pub(crate) fn smallest_with_all(
    system: &System,
    budget: &Budget,
) -> Result<Option<RewritingTree>, NotExplained> {
    let all = used_rules(system);
    smallest_first(system, (None, MAX_FAR), budget, |kind, tree| {
        Ok(if kind.rules.is_superset(&all) { ControlFlow::Break(tree) } else { ControlFlow::Continue(()) })
    })
}

/// Which kinds of instances were searched, and how often.
#[derive(Default)]
struct Tried {
    by_kind: BTreeMap<Kind, usize>,
    all: usize,
}

impl Tried {
    /// Whether one more of this kind is worth a search.
    fn is_worthwhile(&mut self, kind: &Kind) -> bool {
        let known = self.by_kind.entry(kind.clone()).or_default();
        *known += 1;
        let is_new = *known <= MAX_ALIKE;
        self.all += usize::from(is_new);
        is_new
    }

    fn is_over(&self) -> bool {
        self.all >= MAX_SEARCHED
    }
}

/// An instance that has an error marking but too many markings to look at each: if there is one, the smallest that
/// is telling and has nodes by all rules.
///
/// # Errors
/// The budget ended.
pub(crate) fn telling_large(
    system: &System,
    error: &ErrorFormula,
    budget: &Budget,
) -> Result<Option<Instance>, NotExplained> {
    let all = used_rules(system);
    let mut best: Option<((bool, bool), RewritingTree, Net)> = None;
    let mut tried = Tried::default();
    smallest_first(system, (Some(error), MAX_LARGE), budget, |kind, tree| {
        let rank = (kind.rules.is_superset(&all), has_enough(kind));
        let is_better = best.as_ref().is_none_or(|(known, ..)| rank > *known);
        let is_large = kind.markings(system) > MAX_MARKINGS;
        let may_be_shown = is_better && is_large && may_have_error(system, &kind.counts(), error);
        if !may_be_shown || !tried.is_worthwhile(kind) {
            return Ok(ControlFlow::Continue(()));
        }
        let Some(net) = unfold_within(system, &tree, MAX_TRANSITIONS) else {
            return Ok(ControlFlow::Continue(()));
        };
        if has_error(system, &net, error, budget)? == Some(true) {
            best = Some((rank, tree, net));
            if rank == (true, true) {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(if tried.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    Ok(best.map(|(_, tree, net)| (tree, net)))
}

/// Whether a tree of this kind is telling.
fn has_enough(kind: &Kind) -> bool {
    kind.counts.iter().any(|count| *count >= TELLING)
}

/// The smallest instance with nodes by all rules that has an error marking, if it is small enough to be read: a telling
/// one, or else any.
///
/// # Errors
/// The budget ended.
pub(crate) fn with_all_rules(
    system: &System,
    error: &ErrorFormula,
    budget: &Budget,
) -> Result<Option<Instance>, NotExplained> {
    let all: BTreeSet<RuleId> = used_rules(system);
    let (mut tried, mut plain) = (Tried::default(), None);
    let found = smallest_first(system, (Some(error), MAX_SHOWN), budget, |kind, tree| {
        let is_telling = has_enough(kind);
        if !kind.rules.is_superset(&all)
            || !is_telling && plain.is_some()
            || !may_have_error(system, &kind.counts(), error)
            || !tried.is_worthwhile(kind)
        {
            return Ok(ControlFlow::Continue(()));
        }
        let net = unfold_within(system, &tree, MAX_TRANSITIONS);
        if let Some(net) = net.filter(|net| marking_count(net) <= MAX_MARKINGS)
            && has_error(system, &net, error, budget)? == Some(true)
        {
            if is_telling {
                return Ok(ControlFlow::Break(Some((tree, net))));
            }
            plain = Some((tree, net));
        }
        Ok(if tried.is_over() { ControlFlow::Break(None) } else { ControlFlow::Continue(()) })
    })?;
    Ok(found.flatten().or(plain))
}

/// The smallest instance that has an error marking, however large it is, if it is found.
///
/// # Errors
/// The budget ended.
pub(crate) fn smallest_with_error(
    system: &System,
    error: &ErrorFormula,
    budget: &Budget,
) -> Result<Option<Instance>, NotExplained> {
    let mut tried = Tried::default();
    let found = smallest_first(system, (Some(error), MAX_FAR), budget, |kind, tree| {
        if !may_have_error(system, &kind.counts(), error) || !tried.is_worthwhile(kind) {
            return Ok(ControlFlow::Continue(()));
        }
        let net = unfold_within(system, &tree, MAX_TRANSITIONS);
        if let Some(net) = net
            && has_error(system, &net, error, budget)? == Some(true)
        {
            return Ok(ControlFlow::Break(Some((tree, net))));
        }
        Ok(if tried.is_over() { ControlFlow::Break(None) } else { ControlFlow::Continue(()) })
    })?;
    Ok(found.flatten())
}
