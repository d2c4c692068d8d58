//! What must not be reached, and the markings of an instance that are in it.
//!
//! In: an instance, and a goal: an error, or that an interaction is enabled. Out: its markings in the goal, where
//! they are few enough to look at each; or whether there is one at all, by a search (`large`) where they are not.

use paramcheck_model::component::StateId;
use paramcheck_model::error::ErrorFormula;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::marking::ErrorCheck;
use paramcheck_nets::instance::net::{Marking, Net, NetTransition};
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Budget;

use crate::NotExplained;
use crate::choose::Case;
use crate::grammar::Dropped;
use crate::large;

/// All markings of an instance are looked at, if they are at most so many.
pub(crate) const MAX_MARKINGS: usize = 1 << 19;
/// In an instance of no more markings, looking at each is quicker than a search.
const MAX_LISTED: usize = 1 << 10;

/// What must not be reached.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal<'a> {
    /// An error of the model.
    Error(&'a ErrorFormula),
    /// That this transition is enabled, somewhere.
    Fires(&'a Dropped),
    /// Any marking: to show what a proof says where none is an error.
    Anything,
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
pub(crate) fn marking_count(net: &Net) -> usize {
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
        Goal::Fires(_) | Goal::Anything => None,
    };
    let mut marking: Marking = net.components().iter().map(|_| StateId::new(0)).collect();
    let mut found = Vec::new();
    loop {
        let is_error = match (&check, goal) {
            (Some(check), _) => check.holds(net, &marking)?,
            (None, Goal::Fires(dropped)) => enables(net, &marking, dropped),
            (None, Goal::Error(_)) => false,
            (None, Goal::Anything) => true,
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

/// Whether an instance has a marking in the error; `None` where that is not found out.
///
/// # Errors
/// The budget ended.
pub(crate) fn has_error(
    system: &System,
    net: &Net,
    error: &ErrorFormula,
    budget: &Budget,
) -> Result<Option<bool>, NotExplained> {
    let count = marking_count(net);
    if count > MAX_LISTED
        && let Some(found) = large::has_error(system, net, error, budget)?
    {
        return Ok(Some(found));
    }
    if count > MAX_MARKINGS {
        return Ok(None);
    }
    let found = errors(system, net, Goal::Error(error), budget)?;
    Ok(found.map(|markings| !markings.is_empty()))
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
