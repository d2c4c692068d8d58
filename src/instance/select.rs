//! Which instances are meant: those of some sizes, or the one of a given tree.

use std::ops::RangeInclusive;

use crate::instance::enumerate::trees;
use crate::instance::net::Net;
use crate::instance::unfold::unfold_within;
use crate::model::system::System;
use crate::model::tree::RewritingTree;

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

    /// The rewriting trees meant, in order of size and otherwise as `enumerate` lists them, each once
    /// (without idle rounds, see there). Made one by one, as asked for. A tree given must be one of
    /// `system`.
    pub fn trees<'a>(&self, system: &'a System) -> impl Iterator<Item = RewritingTree> + use<'a> {
        let (sizes, tree) = match self {
            Selection::Sizes(sizes) => (Some(sizes.clone()), None),
            Selection::Tree(tree) => (None, Some(tree.clone())),
        };
        let of_sizes = sizes.into_iter().flatten().flat_map(move |size| trees(system, size));
        of_sizes.chain(tree)
    }

    /// [`Selection::trees`] with their nets; `None` in place of a net of more than [`MOST_TRANSITIONS`]
    /// transitions.
    pub fn nets<'a>(
        &self,
        system: &'a System,
    ) -> impl Iterator<Item = (RewritingTree, Option<Net>)> + use<'a> {
        self.trees(system).map(move |tree| {
            let net = unfold_within(system, &tree, MOST_TRANSITIONS);
            (tree, net)
        })
    }
}
