//! Which instances are meant: those of some sizes, or the one of a given tree.

use std::cell::OnceCell;
use std::ops::RangeInclusive;
use std::rc::Rc;

use crate::instance::enumerate::{Guide, Trees};
use crate::instance::net::Net;
use crate::instance::unfold::{NotUnfolded, try_unfold};
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_text::limits::{Budget, Stop};

/// No instance with more transitions is made.
pub const MAX_TRANSITIONS: usize = 10_000_000;

/// Instances of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// All with so many components, the smallest first.
    Sizes(RangeInclusive<usize>),
    /// The one of this rewriting tree.
    Tree(RewritingTree),
}

impl Selection {
    /// The same instances by size, ascending. What the sizes have in common is found out once.
    pub fn by_size<'a>(&self, system: &'a System) -> impl Iterator<Item = Part<'a>> + use<'a> {
        let nets = self.nets_within(system);
        let sizes = nets.sizes.clone().into_iter().flatten().map(Some);
        let tree = nets.tree.is_some().then_some(None);
        sizes.chain(tree).map(move |size| Part {
            nets: match size {
                Some(size) => Nets { sizes: Some(size..=size), ..nets.clone() },
                None => nets.clone(),
            },
        })
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
        self.nets_within(system).within(budget)
    }

    /// As [`Selection::nets`], each with a budget of its own.
    pub fn nets_within<'a>(&self, system: &'a System) -> Nets<'a> {
        let (sizes, tree) = match self {
            Selection::Sizes(sizes) => (Some(sizes.clone()), None),
            Selection::Tree(tree) => (None, Some(tree.clone())),
        };
        Nets { system, bound: self.size(), guide: Rc::default(), sizes, trees: None, tree }
    }

    /// Whether no instance is meant.
    ///
    /// # Errors
    /// `budget` ended before that was known.
    pub fn is_empty(&self, system: &System, budget: &Budget) -> Result<bool, Stop> {
        let Selection::Sizes(sizes) = self else { return Ok(false) };
        let guide = Guide::new(system, self.size(), budget)?;
        for size in sizes.clone() {
            if guide.trees(size).next_within(budget)?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The instances of one size; see [`Selection::by_size`].
#[derive(Clone, Debug)]
pub struct Part<'a> {
    nets: Nets<'a>,
}

impl<'a> Part<'a> {
    /// The number of components.
    pub fn size(&self) -> usize {
        match (&self.nets.sizes, &self.nets.tree) {
            (Some(sizes), _) => *sizes.end(),
            (None, Some(tree)) => tree.size(),
            (None, None) => 0,
        }
    }

    /// The instances, as by [`Selection::nets`].
    pub fn nets(
        self,
        budget: &'a Budget,
    ) -> impl Iterator<Item = Result<(RewritingTree, Net), NotUnfolded>> + use<'a> {
        self.nets.within(budget)
    }

    /// As [`Part::nets`], each with a budget of its own.
    pub fn nets_within(self) -> Nets<'a> {
        self.nets
    }
}

/// Instances one by one; see [`Selection::nets_within`].
#[derive(Clone, Debug)]
pub struct Nets<'a> {
    system: &'a System,
    /// The greatest size asked for.
    bound: usize,
    /// Shared with all who go through sizes of the same selection; empty until the first tree is wanted.
    guide: Rc<OnceCell<Guide<'a>>>,
    /// The sizes that are left.
    sizes: Option<RangeInclusive<usize>>,
    /// What is left of the size before these.
    trees: Option<Trees<'a>>,
    tree: Option<RewritingTree>,
}

impl<'a> Nets<'a> {
    fn within(
        mut self,
        budget: &'a Budget,
    ) -> impl Iterator<Item = Result<(RewritingTree, Net), NotUnfolded>> + use<'a> {
        let mut is_over = false;
        std::iter::from_fn(move || {
            let next = if is_over { None } else { self.next_within(budget).transpose() };
            is_over = !matches!(next, Some(Ok(_)));
            next
        })
    }

    /// The next instance, if there is another.
    ///
    /// # Errors
    /// It has more than [`MAX_TRANSITIONS`] transitions, or `budget` ended.
    pub fn next_within(&mut self, budget: &Budget) -> Result<Option<(RewritingTree, Net)>, NotUnfolded> {
        let Some(tree) = self.next_tree(budget)? else { return Ok(None) };
        let net = try_unfold(self.system, &tree, MAX_TRANSITIONS, budget)?;
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
            self.trees = Some(self.guide(budget)?.trees(size));
        }
    }

    fn guide(&self, budget: &Budget) -> Result<&Guide<'a>, Stop> {
        if let Some(guide) = self.guide.get() {
            return Ok(guide);
        }
        let guide = Guide::new(self.system, self.bound, budget)?;
        Ok(self.guide.get_or_init(|| guide))
    }
}
