//! Names for what an instance consists of: components and interactions.
//!
//! Components are called as the net calls them, by type and number (`Node#2`), so a name means the
//! same component in every marking and step of one report.

use crate::report::{Component, Instance, Node};
use paramcheck_model::rule::{Interaction, Rule};
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::net::Net;
use paramcheck_nets::instance::term::print_term;

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
    Instance {
        size: net.components().len(),
        term: print_term(system, tree),
        components: components.collect(),
        tree: nodes.collect(),
    }
}

/// An interaction as in the model: `out(x1) in(y)`.
pub fn interaction(system: &System, rule: &Rule, interaction: &Interaction) -> String {
    let atoms = interaction
        .participants
        .iter()
        .map(|&(port, variable)| format!("{}({})", system.ports[port], rule.variables[variable].name));
    itertools::join(atoms, " ")
}
