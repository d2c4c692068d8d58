//! The instances of a system, counted by size.

use std::ops::RangeInclusive;

use rustc_hash::FxHashMap;

use crate::instance::isomorphism::{CanonicalForm, canonical_form};
use crate::instance::net::Net;
use crate::instance::select::Selection;
use crate::instance::unfold::NotUnfolded;
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
    /// How many nets they have that are not isomorphic: at least, and at most. These differ where it
    /// takes too much work to find out.
    pub nets: RangeInclusive<usize>,
    /// The fewest and the most places of their nets; `None` where there is no tree.
    pub places: Option<RangeInclusive<usize>>,
    /// The fewest and the most transitions of their nets.
    pub transitions: Option<RangeInclusive<usize>>,
    /// Whether these are all: false for the size at which a census was ended.
    pub is_complete: bool,
}

impl SizeCount {
    /// Nothing counted yet.
    pub fn none(size: usize) -> Self {
        SizeCount { size, trees: 0, nets: 0..=0, places: None, transitions: None, is_complete: false }
    }
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
/// one: tree, net, and which net it is among those of its size that are not isomorphic, from 1 in the
/// order of their first occurrence (`None` where that takes too much work). Gives a count for every size
/// gone through, and why it ended early, if it did.
pub fn census(
    system: &System,
    selection: &Selection,
    budget: &Budget,
    mut each: impl FnMut(&RewritingTree, &Net, Option<usize>),
) -> (Vec<SizeCount>, Option<CensusEnd>) {
    budget.progress.enter(Phase::Listing);
    let mut sizes: Vec<SizeCount> = Vec::new();
    let mut total = 0;
    for part in selection.by_size(system) {
        let size = part.size();
        sizes.push(SizeCount::none(size));
        let Some(count) = sizes.last_mut() else { continue };
        // Checked here too: most sizes may have no tree at all.
        if let Err(stop) = budget.check() {
            return (sizes, Some(CensusEnd::Stopped(stop)));
        }
        let mut known: FxHashMap<CanonicalForm, usize> = FxHashMap::default();
        let mut undecided = 0;
        for instance in part.nets(budget) {
            let (tree, net) = match instance {
                Ok(instance) => instance,
                Err(NotUnfolded::TooLarge) => return (sizes, Some(CensusEnd::TooLarge)),
                Err(NotUnfolded::Stopped(stop)) => return (sizes, Some(CensusEnd::Stopped(stop))),
            };
            let form = canonical_form(&net, budget);
            if let Err(stop) = budget.check() {
                return (sizes, Some(CensusEnd::Stopped(stop)));
            }
            let next = known.len() + 1;
            let class = form.map(|form| *known.entry(form).or_insert(next));
            undecided += usize::from(class.is_none());
            count.trees += 1;
            count.nets = known.len().max(1)..=known.len() + undecided;
            widen(&mut count.places, net.place_count());
            widen(&mut count.transitions, net.transitions().len());
            each(&tree, &net, class);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::tests::token_ring;
    use crate::model::lower::load;

    #[test]
    fn rings_are_counted_as_necklaces() {
        // A ring of n nodes, each in one of two states, turned as you like: 2^n trees; read in one
        // direction, the numbers of necklaces (OEIS A000031).
        let system = load(
            "component N { states a, b; init a, b; a -p-> b; b -q-> a; }
             R() <- new x, y . <p(y) q(x)> (C(x, y));
             C(x, y) <- <p(x) q(y)> (N(x), N(y)) | new z . <p(x) q(z)> (N(x), C(z, y));",
        );
        let system = system.system.expect("a model");
        let mut told = 0;
        let selection = Selection::Sizes(1..=8);
        let (sizes, end) = census(&system, &selection, &Budget::unlimited(), |_, _, class| {
            assert!(class.is_some());
            told += 1;
        });
        assert_eq!(end, None);
        let counts: Vec<_> = sizes.iter().map(|count| (count.trees, count.nets.clone())).collect();
        let necklaces = [0, 3, 4, 6, 8, 14, 20, 36];
        let expected = necklaces.iter().enumerate().map(|(size, &nets)| match nets {
            0 => (0, 0..=0),
            nets => (2 << size, nets..=nets),
        });
        assert_eq!(counts, expected.collect::<Vec<_>>());
        assert_eq!(told, sizes.iter().map(|count| count.trees).sum::<usize>());
        assert!(sizes.iter().all(|count| count.is_complete));
    }

    #[test]
    fn a_census_that_is_ended_says_so() {
        let budget = Budget::unlimited();
        let mut told = 0;
        let (sizes, end) = census(&token_ring(), &Selection::Sizes(1..=100), &budget, |_, _, class| {
            assert_eq!(class, Some(1));
            told += 1;
            if told == 3 {
                budget.switch.stop(Stop::Interrupted);
            }
        });
        assert_eq!(end, Some(CensusEnd::Stopped(Stop::Interrupted)));
        let complete: Vec<_> =
            sizes.iter().map(|count| (count.size, count.trees, count.is_complete)).collect();
        assert_eq!(complete, [(1, 0, true), (2, 1, true), (3, 1, true), (4, 1, false)]);
    }
}
