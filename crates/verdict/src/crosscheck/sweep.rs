//! Exhaustive exploration of every instance up to a size, for several errors at once.

use paramcheck_model::error::NamedError;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::explore::Reach;
use paramcheck_nets::explore::engine::{End, SearchOptions};
use paramcheck_nets::explore::sweep::{ReachedError, SizeTotal, Sweep};
use paramcheck_nets::explore::trace::Trace;
use paramcheck_nets::instance::select::Selection;
use paramcheck_text::limits::Budget;

/// What is to be explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The largest number of components.
    pub max_size: usize,
    /// How many states may be visited in all instances together.
    pub max_states: usize,
    /// How many threads explore.
    pub threads: usize,
}

/// What exploration found.
#[derive(Clone, Debug)]
pub struct Observation {
    /// The sizes from 1, ascending and without gaps; all complete but perhaps the last.
    pub sizes: Vec<SizeTotal>,
    /// Per error an instance of the smallest size at which it was reached, of these one with a shortest
    /// trace.
    pub smallest: Vec<Option<Box<ReachedError>>>,
    /// Why it ended: [`End::Exhausted`] where all was explored.
    pub end: End,
}

impl Observation {
    /// The greatest size such that no instance of up to that many components reaches the error at this
    /// position: each was explored completely, and nothing left undecided.
    pub fn excluded_up_to(&self, error: usize) -> usize {
        self.up_to(|total| total.reached.get(error) == Some(&Reach::Unreached))
    }

    /// The greatest size up to which every instance was explored.
    pub fn complete_up_to(&self) -> usize {
        self.up_to(|_| true)
    }

    fn up_to(&self, holds: impl Fn(&SizeTotal) -> bool) -> usize {
        let sizes = self.sizes.iter().take_while(|total| total.is_complete && holds(total));
        sizes.last().map_or(0, |total| total.size)
    }
}

/// Explores every instance of `system` with up to `plan.max_size` components completely, and finds out which
/// reach which of `errors`.
pub fn sweep(system: &System, errors: &[NamedError], plan: &Plan, budget: &Budget) -> Observation {
    let options = SearchOptions { threads: plan.threads, ..SearchOptions::default() };
    let formulas = errors.iter().map(|error| &error.formula);
    let mut sweep =
        Sweep::new(system, &Selection::Sizes(1..=plan.max_size), formulas, options).within(plan.max_states);
    let mut smallest: Vec<Option<Box<ReachedError>>> = errors.iter().map(|_| None).collect();
    let length = |tree: &_, trace: &Trace| (RewritingTree::size(tree), trace.steps.len());
    while let Some(instance) = sweep.next_within(budget) {
        for (found, smallest) in instance.found.errors.into_iter().zip(&mut smallest) {
            let Some(trace) = found.trace else { continue };
            let (tree, net) = (&instance.tree, &instance.net);
            let known = smallest.as_ref().map(|known| length(&known.tree, &known.trace));
            if known.is_none_or(|known| length(tree, &trace) < known) {
                let (tree, net) = (tree.clone(), net.clone());
                *smallest = Some(Box::new(ReachedError { tree, net, trace, is_shortest: true }));
            }
        }
    }
    let end = sweep.end().unwrap_or(End::Exhausted);
    Observation { sizes: sweep.into_sizes(), smallest, end }
}
