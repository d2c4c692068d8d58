//! The instances of a system, counted by size.

use std::ops::RangeInclusive;

use rustc_hash::FxHashMap;

use crate::instance::isomorphism::{CanonicalForm, canonical_form};
use crate::instance::net::Net;
use crate::instance::select::Selection;
use crate::instance::unfold::NotUnfolded;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_text::limits::{Budget, Phase};

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

/// Goes through the instances of `system` in `selection`, in its order, and calls `each` with tree, net, and
/// which net it is among those of its size that are not isomorphic, from 1 in the order of their first
/// occurrence (`None` where that takes too much work). Returns a count for every size gone through, and
/// whether these are all, or why it ended early.
pub fn census(
    system: &System,
    selection: &Selection,
    budget: &Budget,
    mut each: impl FnMut(&RewritingTree, &Net, Option<usize>),
) -> (Vec<SizeCount>, Result<(), NotUnfolded>) {
    budget.progress.enter(Phase::Listing);
    let mut sizes: Vec<SizeCount> = Vec::new();
    let mut total = 0;
    let end = selection.by_size(system).try_for_each(|part| {
        sizes.push(SizeCount::none(part.size()));
        let Some(count) = sizes.last_mut() else { return Ok(()) };
        // Checked here too: most sizes may have no tree at all.
        budget.check()?;
        let mut classes = Classes::default();
        let mut nets = part.nets();
        while let Some((tree, net)) = nets.next_within(budget)? {
            let class = classes.class(&net, budget);
            budget.check()?;
            count.trees += 1;
            count.nets = classes.counted();
            widen(&mut count.places, net.place_count());
            widen(&mut count.transitions, net.transitions().len());
            each(&tree, &net, class);
            classes.first.get_or_insert(net);
            total += 1;
            budget.progress.set(total);
        }
        count.is_complete = true;
        Ok(())
    });
    (sizes, end)
}

/// Which nets of one size are isomorphic. The first is compared with nothing, and nothing is found out about
/// it before there is another: many systems have one instance of each size.
#[derive(Default)]
struct Classes {
    first: Option<Net>,
    /// The numbers of the nets seen, once there were two.
    known: FxHashMap<CanonicalForm, usize>,
    /// How many had no form in the time that there was for it, and whether the first one is among them.
    undecided: usize,
    is_first_undecided: bool,
}

impl Classes {
    /// The number of the next net; see [`census`].
    fn class(&mut self, net: &Net, budget: &Budget) -> Option<usize> {
        let Some(first) = &self.first else { return Some(1) };
        if self.known.is_empty() && self.undecided == 0 {
            self.is_first_undecided = self.number(canonical_form(first, budget)).is_none();
        }
        self.number(canonical_form(net, budget))
    }

    fn number(&mut self, form: Option<CanonicalForm>) -> Option<usize> {
        // The first has number 1 though nothing is known about it.
        let next = self.known.len() + 1 + usize::from(self.is_first_undecided);
        let class = form.map(|form| *self.known.entry(form).or_insert(next));
        self.undecided += usize::from(class.is_none());
        class
    }

    /// How many nets are not isomorphic, at least and at most.
    fn counted(&self) -> RangeInclusive<usize> {
        self.known.len().max(1)..=(self.known.len() + self.undecided).max(1)
    }
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
    use paramcheck_model::lower::load;
    use paramcheck_text::limits::Stop;

    /// A ring of nodes, each in one of two states.
    fn ring() -> System {
        let text = "component N { states a, b; init a, b; a -p-> b; b -q-> a; }
             R() <- new x, y . <p(y) q(x)> (C(x, y));
             C(x, y) <- <p(x) q(y)> (N(x), N(y)) | new z . <p(x) q(z)> (N(x), C(z, y));";
        load(text).system.expect("a model")
    }

    #[test]
    fn rings_are_counted_as_necklaces() {
        // A ring of n nodes, each in one of two states, turned as you like: 2^n trees; read in one
        // direction, the numbers of necklaces (OEIS A000031).
        let system = ring();
        let mut seen = 0;
        let selection = Selection::Sizes(1..=8);
        let (sizes, end) = census(&system, &selection, &Budget::unlimited(), |_, _, class| {
            assert!(class.is_some());
            seen += 1;
        });
        assert_eq!(end, Ok(()));
        let counts: Vec<_> = sizes.iter().map(|count| (count.trees, count.nets.clone())).collect();
        let necklaces = [0, 3, 4, 6, 8, 14, 20, 36];
        let expected = necklaces.iter().enumerate().map(|(size, &nets)| match nets {
            0 => (0, 0..=0),
            nets => (2 << size, nets..=nets),
        });
        assert_eq!(counts, expected.collect::<Vec<_>>());
        assert_eq!(seen, sizes.iter().map(|count| count.trees).sum::<usize>());
        assert!(sizes.iter().all(|count| count.is_complete));
    }

    #[test]
    fn a_census_that_is_ended_says_so() {
        let budget = Budget::unlimited();
        let mut seen = 0;
        let (sizes, end) = census(&token_ring(), &Selection::Sizes(1..=100), &budget, |_, _, class| {
            assert_eq!(class, Some(1));
            seen += 1;
            if seen == 3 {
                budget.switch.stop(Stop::Interrupted);
            }
        });
        assert_eq!(end, Err(NotUnfolded::Stopped(Stop::Interrupted)));
        let complete: Vec<_> =
            sizes.iter().map(|count| (count.size, count.trees, count.is_complete)).collect();
        assert_eq!(complete, [(1, 0, true), (2, 1, true), (3, 1, true), (4, 1, false)]);
    }

    #[test]
    fn the_first_of_a_size_has_number_one_though_nothing_is_known_about_it() {
        // All nodes look the same: a form can't be had without a search, which a stopped budget ends.
        let system = ring();
        let [two, three, four] = [2, 3, 4].map(|size| {
            let (selection, budget) = (Selection::Sizes(size..=size), Budget::unlimited());
            let found = selection.by_size(&system).next().unwrap().nets().next_within(&budget);
            found.unwrap().unwrap().1
        });
        let (unlimited, stopped) = (Budget::unlimited(), Budget::unlimited());
        stopped.switch.stop(Stop::Interrupted);
        let mut classes = Classes::default();
        // No form is worked out for it yet, so that there is no time for one does not matter.
        assert_eq!((classes.class(&two, &stopped), classes.counted()), (Some(1), 1..=1));
        classes.first = Some(two.clone());
        assert_eq!((classes.class(&three, &stopped), classes.counted()), (None, 1..=2));
        // It may be the first or the second, or neither; that it is the first is not claimed.
        assert_eq!((classes.class(&three, &unlimited), classes.counted()), (Some(2), 1..=3));
        assert_eq!((classes.class(&four, &unlimited), classes.counted()), (Some(3), 2..=4));
        assert_eq!((classes.class(&two, &unlimited), classes.counted()), (Some(4), 3..=5));
        assert_eq!((classes.class(&four, &unlimited), classes.counted()), (Some(3), 3..=5));
    }
}
