//! The instances that the sets of a proof are held against.
//!
//! In: a system. Out: the first of them is the one that sets are spelled out in, unless `telling` finds a better one;
//! the others are the smallest there are, so many as there is room for. Sets are chosen for some of these (`choose`);
//! the rest are looked at afterwards, and what they need beside is added (`writer`).

use std::collections::{BTreeSet, HashSet};

use paramcheck_model::rule::RuleId;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::enumerate::{smallest_size, trees_within};
use paramcheck_nets::instance::net::Net;
use paramcheck_nets::instance::unfold::unfold_within;
use paramcheck_text::limits::Budget;

use crate::NotExplained;
use crate::goal::{MAX_MARKINGS, marking_count};
use crate::telling::is_telling;

/// No instance with more components is looked at.
const MAX_SIZE: usize = 24;
/// No more instances are looked at to find a telling one.
pub(crate) const MAX_TREES: usize = 2_000;
/// For no more instances sets are chosen from the start.
const MAX_CASES: usize = 12;
/// No instance with more transitions is looked at.
pub(crate) const MAX_TRANSITIONS: usize = 20_000;
/// Beside the first instance, those that have at most so many markings together.
const MAX_FURTHER: usize = 1 << 17;
/// No more instances are held against sets that were chosen for others.
const MAX_CHECKED: usize = 200;
/// These have at most so many markings together.
const MAX_CHECKED_MARKINGS: usize = 1 << 16;

/// An instance.
pub(crate) type Instance = (RewritingTree, Net);

/// See the module's text.
pub(crate) struct Instances {
    /// Those that sets are chosen for.
    pub(crate) chosen_for: Vec<Instance>,
    /// Those that the sets are held against afterwards, by size.
    pub(crate) checked: Vec<Instance>,
}

/// The instance of `tree`, if it has too many markings to look at all of them, but can be shown.
pub(crate) fn too_large(system: &System, tree: &RewritingTree) -> Option<(RewritingTree, Net)> {
    let net = unfold_within(system, tree, MAX_TRANSITIONS)?;
    (marking_count(&net) > MAX_MARKINGS).then(|| (tree.clone(), net))
}

/// The instances in which a proof of `system` is shown: first `wanted`, or else the smallest telling one, or the largest
/// there is; then the smallest others, as far as there is room.
///
/// # Errors
/// `wanted` is not small enough, or the budget ended.
pub(crate) fn instances(
    system: &System,
    wanted: Option<&RewritingTree>,
    budget: &Budget,
) -> Result<Instances, NotExplained> {
    let made = |tree: &RewritingTree| {
        unfold_within(system, tree, MAX_TRANSITIONS).filter(|net| marking_count(net) <= MAX_MARKINGS)
    };
    let mut first = match wanted {
        Some(tree) => Some((tree.clone(), made(tree).ok_or(NotExplained::TooLarge)?)),
        None => None,
    };
    let smallest = usize::try_from(smallest_size(system)).unwrap_or(usize::MAX);
    let (mut others, mut checked): (Vec<Instance>, Vec<Instance>) = (Vec::new(), Vec::new());
    let (mut looked_at, mut room, mut room_to_check) = (0, MAX_FURTHER, MAX_CHECKED_MARKINGS);
    'sizes: for size in smallest..=MAX_SIZE {
        let mut trees = trees_within(system, size, budget).map_err(NotExplained::Stopped)?;
        while let Some(tree) = trees.next_within(budget).map_err(NotExplained::Stopped)? {
            looked_at += 1;
            let is_full = others.len() >= MAX_CASES && (checked.len() >= MAX_CHECKED || room_to_check == 0);
            if looked_at > MAX_TREES || first.is_some() && is_full {
                break 'sizes;
            }
            if first.as_ref().is_some_and(|first| first.0 == tree) {
                continue;
            }
            let Some(net) = made(&tree) else {
                // What comes later is larger.
                room_to_check = 0;
                continue;
            };
            let count = marking_count(&net);
            if first.is_none() && is_telling(system, &net) {
                first = Some((tree, net));
            } else if others.len() < MAX_CASES && count <= room {
                room -= count;
                others.push((tree, net));
            } else if checked.len() < MAX_CHECKED && count <= room_to_check {
                room_to_check -= count;
                checked.push((tree, net));
            } else {
                room_to_check = 0;
            }
        }
    }
    let first = first.or_else(|| others.pop());
    Ok(Instances { chosen_for: first.into_iter().chain(others).collect(), checked })
}

/// Whether all markings of the instance of `tree` can be looked at.
pub(crate) fn is_small(system: &System, tree: &RewritingTree) -> bool {
    unfold_within(system, tree, MAX_TRANSITIONS).is_some_and(|net| marking_count(&net) <= MAX_MARKINGS)
}

/// How many instances have at most `size` components; `None` where there are more than are counted.
///
/// # Errors
/// The budget ended.
pub(crate) fn count_up_to(
    system: &System,
    size: usize,
    budget: &Budget,
) -> Result<Option<usize>, NotExplained> {
    let smallest = usize::try_from(smallest_size(system)).unwrap_or(usize::MAX);
    let mut count = 0;
    for size in smallest..=size {
        let mut trees = trees_within(system, size, budget).map_err(NotExplained::Stopped)?;
        while trees.next_within(budget).map_err(NotExplained::Stopped)?.is_some() {
            count += 1;
            if count > MAX_TREES {
                return Ok(None);
            }
        }
    }
    Ok(Some(count))
}

/// Up to how many components all instances are among `looked_at`, and how many these are.
///
/// # Errors
/// The budget ended.
pub(crate) fn all_up_to(
    system: &System,
    looked_at: &[&RewritingTree],
    budget: &Budget,
) -> Result<(usize, usize), NotExplained> {
    let known: HashSet<&RewritingTree> = looked_at.iter().copied().collect();
    let largest = looked_at.iter().map(|tree| tree.size()).max().unwrap_or(0);
    let smallest = usize::try_from(smallest_size(system)).unwrap_or(usize::MAX);
    let (mut up_to, mut all) = (0, 0);
    for size in smallest..=largest {
        let mut own = 0;
        let mut trees = trees_within(system, size, budget).map_err(NotExplained::Stopped)?;
        while let Some(tree) = trees.next_within(budget).map_err(NotExplained::Stopped)? {
            if !known.contains(&tree) {
                return Ok((up_to, all));
            }
            own += 1;
        }
        all += own;
        up_to = if own > 0 { size } else { up_to };
    }
    Ok((up_to, all))
}

/// The rules that some tree has a node by.
pub(crate) fn used_rules(system: &System) -> BTreeSet<RuleId> {
    let reachable = system.rules.enumerate().filter(|(_, rule)| system.predicates[rule.head].is_reachable);
    reachable.map(|(id, _)| id).collect()
}

/// The rules by which no node of the trees is.
pub(crate) fn missing_rules<'a>(
    system: &System,
    trees: impl Iterator<Item = &'a RewritingTree>,
) -> BTreeSet<RuleId> {
    let mut missing = used_rules(system);
    for node in trees.flat_map(|tree| &tree.nodes) {
        missing.remove(&node.rule);
    }
    missing
}
