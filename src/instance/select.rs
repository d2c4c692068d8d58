//! Which instances are meant: those of some sizes, or the one of a given tree.

use std::ops::RangeInclusive;

use crate::instance::enumerate::{Trees, trees_within};
use crate::instance::net::Net;
use crate::instance::unfold::{NotUnfolded, try_unfold};
use crate::model::system::System;
use crate::model::tree::RewritingTree;
use crate::support::limits::{Budget, Stop};

/// No instance with more transitions is made.
pub const MOST_TRANSITIONS: usize = 10_000_000;

/// Instances of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// All with so many components, the smallest first.
    Sizes(RangeInclusive<usize>),
    /// The one of this rewriting tree.
    Tree(RewritingTree),
}

impl Selection {
    /// The same instances by size: a selection for each size, ascending.
    pub fn by_size(&self) -> impl Iterator<Item = Selection> + use<> {
        let (sizes, tree) = match self {
            Selection::Sizes(sizes) => (Some(sizes.clone()), None),
            Selection::Tree(tree) => (None, Some(tree.clone())),
        };
        let sizes = sizes.into_iter().flatten().map(|size| Selection::Sizes(size..=size));
        sizes.chain(tree.map(Selection::Tree))
    }

    /// The largest number of components.
    pub fn size(&self) -> usize {
        match self {
            Selection::Sizes(sizes) => *sizes.end(),
            Selection::Tree(tree) => tree.size(),
        }
    }

    /// The instances meant: rewriting trees in order of size and otherwise as `enumerate` lists them, each
    /// once (without idle rounds, see there), with their nets. Made one by one, as asked for. A tree given
    /// must be one of `system`.
    ///
    /// Where an instance can't be made, it comes as the reason, and is the last.
    pub fn nets<'a>(
        &self,
        system: &'a System,
        budget: &'a Budget,
    ) -> impl Iterator<Item = Result<(RewritingTree, Net), NotUnfolded>> + use<'a> {
        let mut nets = self.nets_within(system);
        let mut is_over = false;
        std::iter::from_fn(move || {
            let next = if is_over { None } else { nets.next_within(budget).transpose() };
            is_over = !matches!(next, Some(Ok(_)));
            next
        })
    }

    /// As [`Selection::nets`], each with a budget of its own.
    pub fn nets_within<'a>(&self, system: &'a System) -> Nets<'a> {
        let (sizes, tree) = match self {
            Selection::Sizes(sizes) => (Some(sizes.clone()), None),
            Selection::Tree(tree) => (None, Some(tree.clone())),
        };
        Nets { system, sizes, trees: None, tree }
    }

    /// Whether no instance is meant.
    ///
    /// # Errors
    /// `budget` ended before that was known.
    pub fn is_empty(&self, system: &System, budget: &Budget) -> Result<bool, Stop> {
        let Selection::Sizes(sizes) = self else { return Ok(false) };
        for size in sizes.clone() {
            if trees_within(system, size, budget)?.next_within(budget)?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Instances one by one; see [`Selection::nets_within`].
#[derive(Debug)]
pub struct Nets<'a> {
    system: &'a System,
    /// The sizes that are left.
    sizes: Option<RangeInclusive<usize>>,
    /// What is left of the size before these.
    trees: Option<Trees<'a>>,
    tree: Option<RewritingTree>,
}

impl Nets<'_> {
    /// The next instance, if there is another.
    ///
    /// # Errors
    /// It has more than [`MOST_TRANSITIONS`] transitions, or `budget` ended.
    pub fn next_within(&mut self, budget: &Budget) -> Result<Option<(RewritingTree, Net)>, NotUnfolded> {
        let Some(tree) = self.next_tree(budget)? else { return Ok(None) };
        let net = try_unfold(self.system, &tree, MOST_TRANSITIONS, budget)?;
        Ok(Some((tree, net)))
    }

    fn next_tree(&mut self, budget: &Budget) -> Result<Option<RewritingTree>, Stop> {
        loop {
            if let Some(trees) = &mut self.trees
                && let Some(tree) = trees.next_within(budget)?
            {
                return Ok(Some(tree));
            }
            let Some(size) = self.sizes.as_mut().and_then(Iterator::next) else {
                return Ok(self.tree.take());
            };
            self.trees = Some(trees_within(self.system, size, budget)?);
        }
    }
}
