//! Which instances are selected: those of some sizes, or the one of a given tree.

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
    /// All with one of these numbers of components, the smallest first.
    Sizes(RangeInclusive<usize>),
    /// The one of this rewriting tree.
    Tree(RewritingTree),
}

impl Selection {
    /// The instances by size, ascending. What the sizes have in common is computed once.
    pub(crate) fn by_size<'a>(&self, system: &'a System) -> impl Iterator<Item = Part<'a>> + use<'a> {
        let (sizes, tree) = match self {
            Selection::Sizes(sizes) => (Some(sizes.clone()), None),
            Selection::Tree(tree) => (None, Some(tree.clone())),
        };
        let nets =
            Nets { system, bound: self.size(), guide: Rc::default(), size: None, trees: None, tree: None };
        let sizes = sizes.into_iter().flatten();
        let of_sizes = {
            let nets = nets.clone();
            sizes.map(move |size| Part { size, nets: Nets { size: Some(size), ..nets.clone() } })
        };
        let of_tree = tree.into_iter();
        of_sizes.chain(
            of_tree
                .map(move |tree| Part { size: tree.size(), nets: Nets { tree: Some(tree), ..nets.clone() } }),
        )
    }

    /// The largest number of components.
    pub(crate) fn size(&self) -> usize {
        match self {
            Selection::Sizes(sizes) => *sizes.end(),
            Selection::Tree(tree) => tree.size(),
        }
    }

    /// Whether no instance is selected.
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
pub(crate) struct Part<'a> {
    size: usize,
    nets: Nets<'a>,
}

impl<'a> Part<'a> {
    /// The number of components.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// The instances: rewriting trees as `enumerate` lists them, each once (without idle rounds, see there),
    /// with their nets. A tree that was given must be one of the system.
    pub(crate) fn nets(self) -> Nets<'a> {
        self.nets
    }
}

/// Instances of one size, made one by one; see [`Part::nets`].
#[derive(Clone, Debug)]
pub(crate) struct Nets<'a> {
    system: &'a System,
    /// The greatest size of the selection.
    bound: usize,
    /// Shared by all sizes of a selection; empty until the first tree is wanted.
    guide: Rc<OnceCell<Guide<'a>>>,
    /// The size, until its trees are begun.
    size: Option<usize>,
    trees: Option<Trees<'a>>,
    /// The only tree, until it is taken.
    tree: Option<RewritingTree>,
}

impl<'a> Nets<'a> {
    /// The next instance, if there is another.
    ///
    /// # Errors
    /// It has more than [`MAX_TRANSITIONS`] transitions, or `budget` ended.
    pub(crate) fn next_within(
        &mut self,
        budget: &Budget,
    ) -> Result<Option<(RewritingTree, Net)>, NotUnfolded> {
        let Some(tree) = self.next_tree(budget)? else { return Ok(None) };
        let net = try_unfold(self.system, &tree, MAX_TRANSITIONS, budget)?;
        Ok(Some((tree, net)))
    }

    fn next_tree(&mut self, budget: &Budget) -> Result<Option<RewritingTree>, Stop> {
        if let Some(size) = self.size {
            self.trees = Some(self.guide(budget)?.trees(size));
            self.size = None;
        }
        match &mut self.trees {
            Some(trees) => trees.next_within(budget),
            None => Ok(self.tree.take()),
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
