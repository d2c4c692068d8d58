//! Search of all instances of given sizes, the smallest first.

use std::ops::RangeInclusive;

use crate::explore::engine::SearchOptions;
use crate::explore::search::{SearchOutcome, find};
use crate::explore::trace::Trace;
use crate::instance::net::Net;
use crate::instance::select::Selection;
use crate::instance::unfold::NotUnfolded;
use paramcheck_model::error::ErrorFormula;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_text::limits::{Budget, Stop};

#[cfg(test)]
mod tests;

/// A reachable error.
#[derive(Clone, Debug)]
pub struct ReachedError {
    /// The rewriting tree of the instance.
    pub tree: RewritingTree,
    /// The instance.
    pub net: Net,
    /// A shortest way there in this instance.
    pub trace: Trace,
}

/// A size of which every instance was explored completely, without the error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExploredSize {
    /// The number of components.
    pub size: usize,
    /// How many rewriting trees there are (without idle rounds, see `enumerate`); may be 0.
    pub instances: usize,
    /// How many reachable markings they have together.
    pub states: usize,
}

/// Why a search of instances ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstancesEnd {
    /// The error was reached.
    Reached,
    /// All instances of all sizes were explored.
    AllExplored,
    /// More markings than allowed, or an instance with too many transitions
    /// (`select::MAX_TRANSITIONS`).
    StateLimit,
    /// The budget ended.
    Stopped(Stop),
    /// Whether a marking is an error was too much work to decide (formulas over components only).
    Undecided,
}

/// What a search of instances found.
#[derive(Clone, Debug)]
pub struct InstancesOutcome {
    /// Why it ended.
    pub end: InstancesEnd,
    /// The error, where it was reached: in a smallest instance, if sizes from 1 were asked for.
    pub reached: Option<Box<ReachedError>>,
    /// The sizes completely explored, ascending and without gaps.
    pub explored: Vec<ExploredSize>,
    /// Instances explored completely, of all sizes.
    pub instances: usize,
    /// Markings found in all instances together.
    pub states: usize,
}

/// Searches all instances of `system` with `sizes` components for a marking in `formula`, in order of
/// size, until one is found, `max_states` markings were seen in all, or the budget ends.
pub fn search_instances(
    system: &System,
    formula: &ErrorFormula,
    sizes: RangeInclusive<usize>,
    max_states: usize,
    budget: &Budget,
) -> InstancesOutcome {
    let mut outcome = InstancesOutcome {
        end: InstancesEnd::AllExplored,
        reached: None,
        explored: Vec::new(),
        instances: 0,
        states: 0,
    };
    for part in Selection::Sizes(sizes).by_size(system) {
        let mut explored = ExploredSize { size: part.size(), instances: 0, states: 0 };
        // Checked here too: many small instances may never reach a check within one of them.
        if let Err(reason) = budget.check() {
            outcome.end = InstancesEnd::Stopped(reason);
            return outcome;
        }
        for instance in part.nets(budget) {
            let (tree, net) = match instance {
                Ok(instance) => instance,
                Err(reason) => {
                    outcome.end = match reason {
                        NotUnfolded::TooLarge => InstancesEnd::StateLimit,
                        NotUnfolded::Stopped(stop) => InstancesEnd::Stopped(stop),
                    };
                    return outcome;
                }
            };
            let left = max_states.saturating_sub(outcome.states);
            let options = SearchOptions { max_states: left, ..SearchOptions::default() };
            let found = find(system, &net, formula, &options, budget);
            outcome.states += found.states();
            match found {
                SearchOutcome::Reached { trace, .. } => {
                    outcome.end = InstancesEnd::Reached;
                    outcome.reached = Some(Box::new(ReachedError { tree, net, trace }));
                    return outcome;
                }
                SearchOutcome::StateLimit { .. } => {
                    outcome.end = InstancesEnd::StateLimit;
                    return outcome;
                }
                SearchOutcome::Undecided { .. } => {
                    outcome.end = InstancesEnd::Undecided;
                    return outcome;
                }
                SearchOutcome::Stopped { reason, .. } => {
                    outcome.end = InstancesEnd::Stopped(reason);
                    return outcome;
                }
                SearchOutcome::Exhausted { states } => {
                    outcome.instances += 1;
                    explored.instances += 1;
                    explored.states += states;
                }
            }
        }
        outcome.explored.push(explored);
    }
    outcome
}
