//! Rewriting trees (paper, Def. 3) and markings of their instances.

use crate::component::StateId;
use crate::rule::RuleId;

/// A finite rewriting tree of a system, initial states chosen. Node 0 is the root; children come
/// after their parents.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RewritingTree {
    /// The nodes.
    pub nodes: Vec<TreeNode>,
}

/// A node of a rewriting tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TreeNode {
    /// The rule applied.
    pub rule: RuleId,
    /// Where each component that the rule creates starts, in the order of `Rule::instance_atoms`.
    pub initial: Vec<StateId>,
    /// The nodes that rewrite the rule's predicate atoms, in the order of `Rule::predicate_atoms`.
    pub children: Vec<usize>,
}

impl RewritingTree {
    /// The number of components of the instance.
    pub fn size(&self) -> usize {
        self.nodes.iter().map(|node| node.initial.len()).sum()
    }
}

/// A current state for every component of a tree's instance: per node, per instance atom.
pub type TreeMarking = Vec<Vec<StateId>>;
