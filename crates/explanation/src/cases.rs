//! The instances that a proof is shown in, and their error markings.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use paramcheck_model::component::StateId;
use paramcheck_model::error::ErrorFormula;
use paramcheck_model::rule::RuleId;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::enumerate::{smallest_size, trees_within};
use paramcheck_nets::instance::marking::ErrorCheck;
use paramcheck_nets::instance::net::{Marking, Net, NetTransition};
use paramcheck_nets::instance::unfold::unfold_within;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::Budget;

use crate::NotExplained;
use crate::choose::Case;
use crate::grammar::Dropped;
use crate::large;

/// The components of one type that make an instance telling: neighbours on both sides.
const TELLING: usize = 3;
/// No instance with more components is looked at.
const MAX_SIZE: usize = 24;
/// No instance with more components is spelled out only because it has nodes by all rules.
const MAX_SHOWN: usize = 12;
/// No instance with more components is chosen of those that have too many markings to look at each.
const MAX_LARGE: usize = 16;
/// No more of them are searched for an error marking.
const MAX_SEARCHED: usize = 60;
/// No more instances are looked at to find a telling one.
const MAX_TREES: usize = 2_000;
/// No more instances are held against the sets.
const MAX_CASES: usize = 12;
/// No instance with more transitions is looked at.
const MAX_TRANSITIONS: usize = 20_000;
/// All markings of an instance are looked at, if they are at most so many.
pub(crate) const MAX_MARKINGS: usize = 1 << 19;
/// Beside the first instance, those that have at most so many markings together.
const MAX_FURTHER: usize = 1 << 17;

/// What must not be reached.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal<'a> {
    /// An error of the model.
    Error(&'a ErrorFormula),
    /// That this transition is enabled, somewhere.
    Fires(&'a Dropped),
}

/// Whether `transition` of an instance is one that `dropped` stands for.
pub(crate) fn is_dropped(net: &Net, transition: &NetTransition, dropped: &Dropped) -> bool {
    transition.rule == dropped.rule
        && transition.interaction == Some(dropped.interaction)
        && transition.moves.len() == dropped.moves.len()
        && transition.moves.iter().zip(&dropped.moves).all(|(one, (component, from, to))| {
            (net.components()[one.component].component_type, one.from, one.to) == (*component, *from, *to)
        })
}

/// Whether a transition that `dropped` stands for is enabled in `marking`.
pub(crate) fn enables(net: &Net, marking: &Marking, dropped: &Dropped) -> bool {
    net.enabled(marking).any(|id| is_dropped(net, &net.transitions()[id], dropped))
}

/// How many markings an instance has.
fn marking_count(net: &Net) -> usize {
    net.components().iter().map(|one| one.state_count).fold(1, usize::saturating_mul)
}

/// As long as looking at so many markings takes, work is counted once.
pub(crate) const MARKINGS_PER_LOOK: usize = 1 << 10;

/// All markings of `net` in the goal; `None` where that is too much work.
///
/// # Errors
/// The budget ended.
fn errors(
    system: &System,
    net: &Net,
    goal: Goal<'_>,
    budget: &Budget,
) -> Result<Option<Vec<Marking>>, NotExplained> {
    let looks = marking_count(net) / MARKINGS_PER_LOOK;
    budget.spend(u64::try_from(looks).unwrap_or(u64::MAX)).map_err(NotExplained::Stopped)?;
    Ok(all_errors(system, net, goal))
}

fn all_errors(system: &System, net: &Net, goal: Goal<'_>) -> Option<Vec<Marking>> {
    let check = match goal {
        Goal::Error(formula) => Some(ErrorCheck::new(system, net, formula)),
        Goal::Fires(_) => None,
    };
    let mut marking: Marking = net.components().iter().map(|_| StateId::new(0)).collect();
    let mut found = Vec::new();
    loop {
        let is_error = match (&check, goal) {
            (Some(check), _) => check.holds(net, &marking)?,
            (None, Goal::Fires(dropped)) => enables(net, &marking, dropped),
            (None, Goal::Error(_)) => false,
        };
        if is_error {
            found.push(marking.clone());
        }
        let mut components = net.components().enumerate();
        loop {
            let Some((id, component)) = components.next() else { return Some(found) };
            let next = marking[id].index() + 1;
            if next < component.state_count {
                marking[id] = StateId::new(next);
                break;
            }
            marking[id] = StateId::new(0);
        }
    }
}

/// Whether the instance has enough components of some type.
pub(crate) fn is_telling(system: &System, net: &Net) -> bool {
    let mut counts: IndexVec<_, usize> = system.types.iter().map(|_| 0).collect();
    net.components().iter().for_each(|one| counts[one.component_type] += 1);
    counts.iter().any(|count| *count >= TELLING)
}

/// The instance of `tree`, if it has too many markings to look at all of them, but can be shown.
pub(crate) fn too_large(system: &System, tree: &RewritingTree) -> Option<(RewritingTree, Net)> {
    let net = unfold_within(system, tree, MAX_TRANSITIONS)?;
    (marking_count(&net) > MAX_MARKINGS).then(|| (tree.clone(), net))
}

/// The instances in which a proof of `system` is shown: first `wanted` or else the smallest with [`TELLING`]
/// components of one type, or the largest there is; then the smallest others, as far as there is room.
///
/// # Errors
/// `wanted` is not small enough, or the budget ended.
pub(crate) fn instances(
    system: &System,
    wanted: Option<&RewritingTree>,
    budget: &Budget,
) -> Result<Vec<(RewritingTree, Net)>, NotExplained> {
    let made = |tree: &RewritingTree| {
        unfold_within(system, tree, MAX_TRANSITIONS).filter(|net| marking_count(net) <= MAX_MARKINGS)
    };
    let mut first = match wanted {
        Some(tree) => Some((tree.clone(), made(tree).ok_or(NotExplained::TooLarge)?)),
        None => None,
    };
    let smallest = usize::try_from(smallest_size(system)).unwrap_or(usize::MAX);
    let mut others: Vec<(RewritingTree, Net)> = Vec::new();
    let (mut looked_at, mut room) = (0, MAX_FURTHER);
    'sizes: for size in smallest..=MAX_SIZE {
        let mut trees = trees_within(system, size, budget).map_err(NotExplained::Stopped)?;
        while let Some(tree) = trees.next_within(budget).map_err(NotExplained::Stopped)? {
            looked_at += 1;
            if looked_at > MAX_TREES || first.is_some() && others.len() >= MAX_CASES {
                break 'sizes;
            }
            if first.as_ref().is_some_and(|first| first.0 == tree) {
                continue;
            }
            let Some(net) = made(&tree) else { continue };
            let count = marking_count(&net);
            if first.is_none() && is_telling(system, &net) {
                first = Some((tree, net));
            } else if others.len() < MAX_CASES && count <= room {
                room -= count;
                others.push((tree, net));
            }
        }
    }
    let first = first.or_else(|| others.pop());
    Ok(first.into_iter().chain(others).collect())
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

/// The rules that some tree has a node by.
fn used_rules(system: &System) -> BTreeSet<RuleId> {
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

/// The smallest instance with nodes by all rules, if it is found.
///
/// # Errors
/// The budget ended.
pub(crate) fn smallest_with_all(
    system: &System,
    budget: &Budget,
) -> Result<Option<RewritingTree>, NotExplained> {
    let all = used_rules(system);
    let smallest = usize::try_from(smallest_size(system)).unwrap_or(usize::MAX);
    let mut looked_at = 0;
    for size in smallest..=MAX_SIZE {
        let mut trees = trees_within(system, size, budget).map_err(NotExplained::Stopped)?;
        while let Some(tree) = trees.next_within(budget).map_err(NotExplained::Stopped)? {
            looked_at += 1;
            if looked_at > MAX_TREES {
                return Ok(None);
            }
            let own: BTreeSet<RuleId> = tree.nodes.iter().map(|node| node.rule).collect();
            if own.is_superset(&all) {
                return Ok(Some(tree));
            }
        }
    }
    Ok(None)
}

/// Whether an instance has a marking in the error, all of which can be looked at.
///
/// # Errors
/// The budget ended.
pub(crate) fn has_error(
    system: &System,
    net: &Net,
    error: &ErrorFormula,
    budget: &Budget,
) -> Result<bool, NotExplained> {
    let found = errors(system, net, Goal::Error(error), budget)?;
    Ok(found.is_some_and(|markings| !markings.is_empty()))
}

/// Whether one of the instances has an error marking.
///
/// # Errors
/// The budget ended.
pub(crate) fn have_error(
    system: &System,
    instances: &[(RewritingTree, Net)],
    error: &ErrorFormula,
    budget: &Budget,
) -> Result<bool, NotExplained> {
    for (_, net) in instances {
        if has_error(system, net, error, budget)? {
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
    instances: &mut [(RewritingTree, Net)],
    budget: &Budget,
) -> Result<bool, NotExplained> {
    for position in 0..instances.len() {
        let net = &instances[position].1;
        if is_telling(system, net) && has_error(system, net, error, budget)? {
            instances[..=position].rotate_right(1);
            return Ok(true);
        }
    }
    Ok(false)
}

/// Looks at instances of up to so many components, the smallest first, until one is found.
///
/// # Errors
/// The budget ended.
fn smallest_first<T>(
    system: &System,
    largest: usize,
    budget: &Budget,
    mut look: impl FnMut(RewritingTree) -> Result<ControlFlow<T>, NotExplained>,
) -> Result<Option<T>, NotExplained> {
    let smallest = usize::try_from(smallest_size(system)).unwrap_or(usize::MAX);
    let mut looked_at = 0;
    for size in smallest..=largest {
        let mut trees = trees_within(system, size, budget).map_err(NotExplained::Stopped)?;
        while let Some(tree) = trees.next_within(budget).map_err(NotExplained::Stopped)? {
            looked_at += 1;
            if looked_at > MAX_TREES {
                return Ok(None);
            }
            if let ControlFlow::Break(found) = look(tree)? {
                return Ok(Some(found));
            }
        }
    }
    Ok(None)
}

/// Whether a tree has nodes by all of these rules.
fn has_all(tree: &RewritingTree, rules: &BTreeSet<RuleId>) -> bool {
    let own: BTreeSet<RuleId> = tree.nodes.iter().map(|node| node.rule).collect();
    own.is_superset(rules)
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
) -> Result<Option<(RewritingTree, Net)>, NotExplained> {
    let all = used_rules(system);
    let mut best: Option<((bool, bool), RewritingTree, Net)> = None;
    let mut searched = 0;
    smallest_first(system, MAX_LARGE, budget, |tree| {
        let Some(net) = unfold_within(system, &tree, MAX_TRANSITIONS) else {
            return Ok(ControlFlow::Continue(()));
        };
        let rank = (has_all(&tree, &all), is_telling(system, &net));
        let is_better = best.as_ref().is_none_or(|(known, ..)| rank > *known);
        if !is_better || marking_count(&net) <= MAX_MARKINGS {
            return Ok(ControlFlow::Continue(()));
        }
        searched += 1;
        let is_best = large::has_error(system, &net, error, budget)? == Some(true) && {
            best = Some((rank, tree, net));
            rank == (true, true)
        };
        let is_over = is_best || searched >= MAX_SEARCHED;
        Ok(if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    Ok(best.map(|(_, tree, net)| (tree, net)))
}

/// The smallest telling instance with nodes by all rules that has an error marking, if it is small enough to be
/// read.
///
/// # Errors
/// The budget ended.
pub(crate) fn with_all_rules(
    system: &System,
    error: &ErrorFormula,
    budget: &Budget,
) -> Result<Option<(RewritingTree, Net)>, NotExplained> {
    let all = used_rules(system);
    let mut unfolded = 0;
    let found = smallest_first(system, MAX_SHOWN, budget, |tree| {
        if !has_all(&tree, &all) {
            return Ok(ControlFlow::Continue(()));
        }
        unfolded += 1;
        Ok(match shown(system, error, &tree, budget)? {
            Some(net) => ControlFlow::Break(Some((tree, net))),
            None if unfolded >= MAX_CASES => ControlFlow::Break(None),
            None => ControlFlow::Continue(()),
        })
    });
    Ok(found?.flatten())
}

/// The instance of `tree`, if it can be looked at, is telling and has an error marking.
///
/// # Errors
/// The budget ended.
fn shown(
    system: &System,
    error: &ErrorFormula,
    tree: &RewritingTree,
    budget: &Budget,
) -> Result<Option<Net>, NotExplained> {
    let Some(net) = unfold_within(system, tree, MAX_TRANSITIONS) else { return Ok(None) };
    let is_fit = marking_count(&net) <= MAX_MARKINGS && is_telling(system, &net);
    Ok((is_fit && has_error(system, &net, error, budget)?).then_some(net))
}

/// The instances with their markings in the goal.
pub(crate) fn cases(
    system: &System,
    instances: &[(RewritingTree, Net)],
    goal: Goal<'_>,
    budget: &Budget,
) -> Result<Vec<Case>, NotExplained> {
    let mut cases = Vec::new();
    for (tree, net) in instances {
        let errors = errors(system, net, goal, budget)?.ok_or(NotExplained::TooLarge)?;
        cases.push(Case { tree: tree.clone(), net: net.clone(), errors });
    }
    Ok(cases)
}
