//! Rewriting trees as terms, as people read and write them: `Ring.1(Chain.2^40(Chain.1))`.
//!
//! ```text
//! term   = rule [ "[" state { "," state } "]" ] [ "^" number ] [ "(" term { "," term } ")" ]
//! rule   = predicate [ "." number ]
//! ```
//!
//! A rule is called by its label; the number may be left out where the predicate has one rule. In
//! brackets stand the initial states of those components that the rule creates and that may start in
//! several states, in the order of the text: `Chain.2[busy](Chain.1)`. The terms in parentheses rewrite
//! the rule's predicate atoms, in the order of the text. A rule with one predicate atom, which is of the
//! same predicate, can be repeated: `C.2^3(t)` is `C.2(C.2(C.2(t)))`.
//!
//! [`print_term`] and [`parse_term`] are inverse to each other: what is printed reads as the same tree.
//! Nothing here recurses: trees may be as deep as memory allows.

use std::fmt::Write;

use paramcheck_model::rule::Rule;
use paramcheck_model::system::System;
use paramcheck_model::tree::{RewritingTree, TreeNode};

mod parse;

pub use parse::parse_term;

/// [`parse_term`] makes no tree of more nodes, or components, than this.
pub(crate) const MAX_TERM_SIZE: usize = 1_000_000;

/// The term of `tree`, a rewriting tree of `system`. A rule repeated along a path with the same initial
/// states, as in a long chain, is written once with its number of repetitions.
pub fn print_term(system: &System, tree: &RewritingTree) -> String {
    let mut text = String::new();
    // What is left to write, the next thing last: an explicit stack, for trees may be deep.
    enum Item {
        Node(usize),
        Text(&'static str),
    }
    let mut items = vec![Item::Node(0)];
    while let Some(item) = items.pop() {
        let mut position = match item {
            Item::Text(separator) => {
                text.push_str(separator);
                continue;
            }
            Item::Node(position) => position,
        };
        let Some(mut node) = tree.nodes.get(position) else { continue };
        let mut repetitions = 1;
        while let [child] = node.children[..] {
            match tree.nodes.get(child) {
                // Children come after their parents, so this ends.
                Some(next) if next.rule == node.rule && next.initial == node.initial && child > position => {
                    (position, node) = (child, next);
                    repetitions += 1;
                }
                _ => break,
            }
        }
        print_node(system, node, &mut text);
        if repetitions > 1 {
            let _ = write!(text, "^{repetitions}");
        }
        if !node.children.is_empty() {
            items.push(Item::Text(")"));
            for (index, &child) in node.children.iter().enumerate().rev() {
                items.push(Item::Node(child));
                items.push(Item::Text(if index == 0 { "(" } else { ", " }));
            }
        }
    }
    text
}

/// A node alone: the label of its rule and the initial states that were chosen.
fn print_node(system: &System, node: &TreeNode, text: &mut String) {
    let rule = &system.rules[node.rule];
    text.push_str(&rule.label);
    let chosen = choices(rule).filter_map(|(position, atom)| {
        Some(system.types[atom.component].states.get(*node.initial.get(position)?)?.name.as_str())
    });
    let mut separator = "[";
    for state in chosen {
        text.push_str(separator);
        text.push_str(state);
        separator = ", ";
    }
    if separator != "[" {
        text.push(']');
    }
}

/// The instance atoms that may start in several states, with their positions among all instance atoms.
fn choices(rule: &Rule) -> impl Iterator<Item = (usize, &paramcheck_model::rule::InstanceAtom)> {
    rule.instance_atoms().enumerate().filter(|(_, atom)| atom.initial.len() > 1)
}

#[cfg(test)]
mod tests;
