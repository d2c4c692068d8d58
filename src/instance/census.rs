//! The instances of a system, counted by size.

use std::ops::RangeInclusive;

use crate::instance::net::Net;
use crate::instance::select::Selection;
use crate::model::system::System;
use crate::model::tree::RewritingTree;
use crate::support::limits::{Budget, Phase, Stop};

/// The instances of one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeCount {
    /// The number of components.
    pub size: usize,
    /// How many rewriting trees there are (without idle rounds, see `enumerate`); may be 0.
    pub trees: usize,
    /// The fewest and the most places of their nets; `None` where there is no tree.
    pub places: Option<RangeInclusive<usize>>,
    /// The fewest and the most transitions of their nets.
    pub transitions: Option<RangeInclusive<usize>>,
    /// Whether these are all: false for the size at which a census was ended.
    pub is_complete: bool,
}

/// Why a census ended before all instances were counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CensusEnd {
    /// The budget ended.
    Stopped(Stop),
    /// An instance has too many transitions (`select::MOST_TRANSITIONS`).
    TooLarge,
}

/// Goes through the instances of `system` that `selection` means, in its order, and tells `each` of every
/// one. Gives a count for every size gone through (of a tree, that of its size), and why it ended early,
/// if it did.
pub fn census(
    system: &System,
    selection: &Selection,
    budget: &Budget,
    mut each: impl FnMut(&RewritingTree, &Net),
) -> (Vec<SizeCount>, Option<CensusEnd>) {
    budget.progress.enter(Phase::Listing);
    let mut sizes: Vec<SizeCount> = Vec::new();
    let mut total = 0;
    for part in selection.by_size() {
        let size = part.size();
        sizes.push(SizeCount { size, trees: 0, places: None, transitions: None, is_complete: false });
        let Some(count) = sizes.last_mut() else { continue };
        // Checked here too: most sizes may have no tree at all.
        if let Err(stop) = budget.check() {
            return (sizes, Some(CensusEnd::Stopped(stop)));
        }
        for (tree, net) in part.nets(system) {
            if let Err(stop) = budget.check() {
                return (sizes, Some(CensusEnd::Stopped(stop)));
            }
            let Some(net) = net else { return (sizes, Some(CensusEnd::TooLarge)) };
            count.trees += 1;
            widen(&mut count.places, net.place_count());
            widen(&mut count.transitions, net.transitions().len());
            each(&tree, &net);
            total += 1;
            budget.progress.set(total);
        }
        count.is_complete = true;
    }
    (sizes, None)
}

fn widen(range: &mut Option<RangeInclusive<usize>>, number: usize) {
    *range = Some(match range {
        Some(known) => number.min(*known.start())..=number.max(*known.end()),
        None => number..=number,
    });
}
