//! Exhaustive exploration of every instance up to a size, for several errors at once.

use std::time::{Duration, Instant};

use paramcheck_model::error::{ErrorFormula, NamedError};
use paramcheck_model::system::System;
use paramcheck_nets::explore::engine::{End, SearchOptions};
use paramcheck_nets::explore::instances::ReachedError;
use paramcheck_nets::explore::search::{ErrorReach, Reduction, explore_net};
use paramcheck_nets::instance::select::Selection;
use paramcheck_nets::instance::unfold::NotUnfolded;
use paramcheck_text::limits::{Budget, Stop};

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

/// What exploration saw.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// The sizes from 1, ascending and without gaps; all complete but perhaps the last.
    pub sizes: Vec<SizeSeen>,
    /// Per error an instance of the smallest size at which it was reached, of these one with a shortest
    /// way.
    pub smallest: Vec<Option<Box<ReachedError>>>,
    /// Why not all was explored; `None` where it was.
    pub end: Option<SweepEnd>,
}

/// What exploration saw of one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeSeen {
    /// The number of components.
    pub size: usize,
    /// How many instances were explored completely (rewriting trees without idle rounds, see
    /// `enumerate`).
    pub instances: usize,
    /// How many markings they have together.
    pub states: usize,
    /// Per error whether some instance reaches it.
    pub reached: Vec<Reach>,
    /// How long it took.
    pub elapsed: Duration,
    /// Whether these are all instances of the size, explored completely.
    pub is_complete: bool,
}

/// Whether an error is reached, as far as was explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// It is.
    Reached,
    /// Nowhere.
    Unreached,
    /// Nowhere where that could be decided; of some markings it could not be (formulas over components).
    Undecided,
}

/// Why exploration ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweepEnd {
    /// There are more states than may be visited.
    StateLimit,
    /// An instance has too many transitions.
    TooLarge,
    /// The budget ended.
    Stopped(Stop),
}

impl Sweep {
    /// The greatest size such that no instance of up to so many components reaches the error at this
    /// position: each was explored completely, and nothing left undecided.
    pub fn excluded_up_to(&self, error: usize) -> usize {
        let excluded = |seen: &&SizeSeen| {
            seen.is_complete && seen.reached.get(error).is_some_and(|reach| *reach == Reach::Unreached)
        };
        self.sizes.iter().take_while(excluded).last().map_or(0, |seen| seen.size)
    }

    /// The greatest size up to which every instance was explored.
    pub fn complete_up_to(&self) -> usize {
        self.sizes.iter().take_while(|seen| seen.is_complete).last().map_or(0, |seen| seen.size)
    }
}

/// Explores every instance of `system` with up to `plan.max_size` components completely, and sees which
/// reach which of `errors`.
pub fn sweep(system: &System, errors: &[NamedError], plan: &Plan, budget: &Budget) -> Sweep {
    let formulas: Vec<&ErrorFormula> = errors.iter().map(|error| &error.formula).collect();
    let mut sweep = Sweep { sizes: Vec::new(), smallest: errors.iter().map(|_| None).collect(), end: None };
    let mut left = plan.max_states;
    for part in Selection::Sizes(1..=plan.max_size).by_size(system) {
        let start = Instant::now();
        let mut seen = SizeSeen {
            size: part.size(),
            instances: 0,
            states: 0,
            reached: vec![Reach::Unreached; errors.len()],
            elapsed: Duration::ZERO,
            is_complete: false,
        };
        sweep.end = budget.check().err().map(SweepEnd::Stopped);
        for instance in part.nets(budget) {
            if sweep.end.is_some() {
                break;
            }
            let (tree, net) = match instance {
                Ok(instance) => instance,
                Err(reason) => {
                    sweep.end = Some(match reason {
                        NotUnfolded::TooLarge => SweepEnd::TooLarge,
                        NotUnfolded::Stopped(stop) => SweepEnd::Stopped(stop),
                    });
                    break;
                }
            };
            if left == 0 {
                sweep.end = Some(SweepEnd::StateLimit);
                break;
            }
            let options =
                SearchOptions { threads: plan.threads, max_states: left, ..SearchOptions::default() };
            let found = explore_net(system, &net, &formulas, Reduction::default(), &options, budget);
            left = left.saturating_sub(found.states);
            seen.states += found.states;
            for (error, found) in found.errors.into_iter().enumerate() {
                if let Some(reach) = seen.reached.get_mut(error) {
                    *reach = worse(*reach, &found);
                }
                if let (Some(trace), Some(smallest)) = (found.trace, sweep.smallest.get_mut(error)) {
                    let is_better = smallest.as_ref().is_none_or(|known| {
                        let known: (usize, usize) = (known.tree.size(), known.trace.steps.len());
                        (tree.size(), trace.steps.len()) < known
                    });
                    if is_better {
                        *smallest =
                            Some(Box::new(ReachedError { tree: tree.clone(), net: net.clone(), trace }));
                    }
                }
            }
            match found.end {
                End::Exhausted => seen.instances += 1,
                End::StateLimit => sweep.end = Some(SweepEnd::StateLimit),
                End::Stopped(stop) => sweep.end = Some(SweepEnd::Stopped(stop)),
                // Not asked for: exploration goes on behind errors.
                End::Reached | End::Undecided => {}
            }
        }
        seen.is_complete = sweep.end.is_none();
        seen.elapsed = start.elapsed();
        sweep.sizes.push(seen);
        if sweep.end.is_some() {
            break;
        }
    }
    sweep
}

/// What is known of an error after one more instance.
fn worse(before: Reach, found: &ErrorReach) -> Reach {
    match before {
        Reach::Reached => Reach::Reached,
        _ if found.trace.is_some() => Reach::Reached,
        _ if found.undecided > 0 => Reach::Undecided,
        _ => before,
    }
}
