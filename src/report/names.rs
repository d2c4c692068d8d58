//! Names for what an instance consists of: components, interactions, rewriting terms.
//!
//! Components are called as the net calls them, by type and number (`Node#2`), so a name means the
//! same component in every marking and step of one report.

use std::fmt::Write;

use crate::instance::net::Net;
use crate::model::rule::{Interaction, Rule};
use crate::model::system::System;
use crate::model::tree::RewritingTree;
use crate::report::{Component, Instance, Node};

/// The instance of `tree`, everything by name. `net` is its net.
pub fn instance(system: &System, tree: &RewritingTree, net: &Net) -> Instance {
    let mut parents = vec![None; tree.nodes.len()];
    for (position, node) in tree.nodes.iter().enumerate() {
        for &child in &node.children {
            if let Some(parent) = parents.get_mut(child) {
                *parent = Some(position);
            }
        }
    }
    let nodes = tree.nodes.iter().zip(parents).map(|(node, parent)| Node {
        rule: system.rules[node.rule].label.clone(),
        parent,
        children: node.children.clone(),
    });
    let components = net.components().iter().map(|component| {
        let component_type = &system.types[component.component_type];
        let rule = tree.nodes.get(component.node).map(|node| &system.rules[node.rule]);
        let atom = rule.and_then(|rule| Some((rule, rule.instance_atoms().nth(component.atom)?)));
        Component {
            name: component.name.clone(),
            component_type: component_type.name.clone(),
            initial: component_type.states[component.initial].name.clone(),
            node: component.node,
            variable: atom
                .map_or_else(String::new, |(rule, atom)| rule.variables[atom.variable].name.clone()),
        }
    });
    Instance { size: net.components().len(), components: components.collect(), tree: nodes.collect() }
}

/// An interaction as in the model: `out(x1) in(y)`.
pub fn interaction(system: &System, rule: &Rule, interaction: &Interaction) -> String {
    let atoms = interaction
        .participants
        .iter()
        .map(|&(port, variable)| format!("{}({})", system.ports[port], rule.variables[variable].name));
    itertools::join(atoms, " ")
}

/// The tree as a term of rule labels: `Ring.1(Chain.2(Chain.1))`. A rule repeated along a path, as in
/// a long chain, is written once with its number of repetitions: `Ring.1(Chain.2^40(Chain.1))`.
pub fn term(tree: &[Node]) -> String {
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
        let Some(mut node) = tree.get(position) else { continue };
        let mut repetitions = 1;
        while let [child] = node.children[..] {
            match tree.get(child) {
                // Children come after their parents, so this ends.
                Some(next) if next.rule == node.rule && child > position => {
                    (position, node) = (child, next);
                    repetitions += 1;
                }
                _ => break,
            }
        }
        text.push_str(&node.rule);
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
