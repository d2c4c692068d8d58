//! Where a component stands in the tree, as a path of rules: `Ring.1/Chain.2^3/Chain.1:x`.
//!
//! The path leads from the root to the node that creates the component, each node by the label of its
//! rule; behind the colon stands the rule's variable. Where a rule goes on with several trees, `@2` marks
//! the second: `Tree.1/Tree.2@2:x`. The same step taken three times in a row is written once,
//! with `^3`, as in terms.

use std::fmt::Write;

use crate::instance::net::Component;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;

/// The paths of one tree.
pub struct Paths<'a> {
    system: &'a System,
    tree: &'a RewritingTree,
    /// Per node its parent, and which of its children it is, from 1.
    parents: Vec<Option<(usize, usize)>>,
}

impl<'a> Paths<'a> {
    /// The paths of `tree`, a rewriting tree of `system`.
    pub fn new(system: &'a System, tree: &'a RewritingTree) -> Self {
        let mut parents = vec![None; tree.nodes.len()];
        for (position, node) in tree.nodes.iter().enumerate() {
            for (number, &child) in node.children.iter().enumerate() {
                if let Some(parent) = parents.get_mut(child) {
                    *parent = Some((position, number + 1));
                }
            }
        }
        Paths { system, tree, parents }
    }

    /// The path of `component`, which the tree creates.
    pub fn of(&self, component: &Component) -> String {
        let mut text = self.node(component.node);
        let rule = self.tree.nodes.get(component.node).map(|node| &self.system.rules[node.rule]);
        if let Some(rule) = rule
            && let Some(atom) = rule.instance_atoms().nth(component.atom)
        {
            text.push(':');
            text.push_str(&rule.variables[atom.variable].name);
        }
        text
    }

    /// The path of the node at `position`.
    pub(crate) fn node(&self, position: usize) -> String {
        // From the node up to the root.
        let mut steps: Vec<(&str, Option<usize>)> = Vec::new();
        let mut next = Some(position);
        while let Some(node) = next.and_then(|position| self.tree.nodes.get(position)) {
            let parent = next.and_then(|position| *self.parents.get(position)?);
            let above = parent.and_then(|(above, _)| self.tree.nodes.get(above));
            let number = parent.filter(|_| above.is_some_and(|above| above.children.len() > 1));
            steps.push((&self.system.rules[node.rule].label, number.map(|(_, number)| number)));
            next = parent.map(|(above, _)| above);
        }
        steps.reverse();
        let mut text = String::new();
        for run in steps.chunk_by(|one, other| one == other) {
            let Some((label, number)) = run.first() else { continue };
            if !text.is_empty() {
                text.push('/');
            }
            text.push_str(label);
            if let Some(number) = number {
                let _ = write!(text, "@{number}");
            }
            if run.len() > 1 {
                let _ = write!(text, "^{}", run.len());
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::term::parse_term;
    use crate::instance::unfold::unfold;
    use paramcheck_model::lower::load;

    fn paths(text: &str, term: &str) -> Vec<String> {
        let system = load(text).system.expect("a model");
        let tree = parse_term(&system, term).expect("a tree");
        let paths = Paths::new(&system, &tree);
        unfold(&system, &tree).components().iter().map(|component| paths.of(component)).collect()
    }

    #[test]
    fn paths_lead_from_the_root() {
        let text = "component N { states a; init a; a -p-> a; }
             Sys() <- new r, x . <p(r) p(x)> (N(r), Tree(x)) | new x, y . <p(x) p(y)> (Tree(x), Chain(y));
             Tree(x) <- new y, z . <p(x) p(y) p(z)> (Tree(y), N(x), Tree(z)) | N(x);
             Chain(x) <- new y . <p(x) p(y)> (N(x), Chain(y)) | N(x);";
        let tree = "Sys.1(Tree.1(Tree.1(Tree.2, Tree.2), Tree.2))";
        assert_eq!(
            paths(text, tree),
            [
                "Sys.1:r",
                "Sys.1/Tree.1:x",
                "Sys.1/Tree.1/Tree.1@1:x",
                "Sys.1/Tree.1/Tree.1@1/Tree.2@1:x",
                "Sys.1/Tree.1/Tree.1@1/Tree.2@2:x",
                "Sys.1/Tree.1/Tree.2@2:x",
            ]
        );
        assert_eq!(
            paths(text, "Sys.2(Tree.2, Chain.1^3(Chain.2))"),
            [
                "Sys.2/Tree.2@1:x",
                "Sys.2/Chain.1@2:x",
                "Sys.2/Chain.1@2/Chain.1:x",
                "Sys.2/Chain.1@2/Chain.1^2:x",
                "Sys.2/Chain.1@2/Chain.1^2/Chain.2:x",
            ]
        );
    }
}
