//! From the instance of a document to a tree and its net, and from names to components.

use rustc_hash::FxHashMap;

use super::ReplayError;
use crate::report::{Component, Instance, Place, names};
use paramcheck_model::component::StateId;
use paramcheck_model::system::System;
use paramcheck_model::tree::{RewritingTree, TreeNode};
use paramcheck_nets::instance::marking::Marking;
use paramcheck_nets::instance::net::{ComponentId, Net};
use paramcheck_nets::instance::select::MAX_TRANSITIONS;
use paramcheck_nets::instance::unfold::{check_tree, unfold_within};

/// The tree that `claimed` describes, and its net: nothing in `claimed` differs from them.
pub(super) fn build(system: &System, claimed: &Instance) -> Result<(RewritingTree, Net), ReplayError> {
    let rules: FxHashMap<&str, _> =
        system.rules.enumerate().map(|(id, rule)| (rule.label.as_str(), id)).collect();
    let nodes = claimed.tree.iter().enumerate().map(|(position, node)| {
        let unknown = || ReplayError::Rule { node: position, rule: node.rule.clone() };
        let rule = *rules.get(node.rule.as_str()).ok_or_else(unknown)?;
        Ok(TreeNode { rule, initial: Vec::new(), children: node.children.clone() })
    });
    let mut tree = RewritingTree { nodes: nodes.collect::<Result<_, ReplayError>>()? };
    for component in &claimed.components {
        let initial = initial(system, component).map_err(ReplayError::Instance)?;
        let node = tree.nodes.get_mut(component.node).ok_or_else(|| {
            let Component { name, node, .. } = component;
            ReplayError::Instance(format!("{name} is created at node {node}, which the tree does not have"))
        })?;
        node.initial.push(initial);
    }
    check_tree(system, &tree).map_err(ReplayError::Tree)?;
    let net = unfold_within(system, &tree, MAX_TRANSITIONS).ok_or(ReplayError::TooLarge(MAX_TRANSITIONS))?;
    same(claimed, &names::instance(system, &tree, &net)).map_err(ReplayError::Instance)?;
    Ok((tree, net))
}

/// Where a component of a document starts.
fn initial(system: &System, component: &Component) -> Result<StateId, String> {
    let Component { name, component_type, initial, .. } = component;
    let known = system.types.iter().find(|known| known.name == *component_type);
    let known = known
        .ok_or_else(|| format!("{name} is of type `{component_type}`, which the model does not have"))?;
    known.state_named(initial).ok_or_else(|| format!("`{component_type}` has no state `{initial}` ({name})"))
}

/// Whether the document's instance is the one that its tree has.
fn same(claimed: &Instance, real: &Instance) -> Result<(), String> {
    if claimed.size != real.size {
        return Err(format!("its size is {}, but the tree has {} components", claimed.size, real.size));
    }
    for (number, (claimed, real)) in claimed.tree.iter().zip(&real.tree).enumerate() {
        if claimed.parent != real.parent {
            return Err(format!("node {number} is not the child of the node given as its parent"));
        }
    }
    if claimed.term != real.term {
        return Err(format!("its term is not that of its tree, which is {}", real.term));
    }
    // There are as many of them: the tree's initial states were made from these.
    for (claimed, real) in claimed.components.iter().zip(&real.components) {
        if claimed != real {
            let show = |one: &Component| {
                let Component { name, component_type, initial, node, variable } = one;
                format!("{name} ({component_type}, in {initial}, variable {variable} of node {node})")
            };
            return Err(format!("it has {} where the tree has {}", show(claimed), show(real)));
        }
    }
    Ok(())
}

/// The components by name.
pub(super) fn by_name(net: &Net) -> FxHashMap<String, ComponentId> {
    net.components().enumerate().map(|(id, component)| (component.name.clone(), id)).collect()
}

/// Whether `claimed` describes `marking`.
pub(super) fn check_marking(
    system: &System,
    net: &Net,
    marking: &Marking,
    claimed: &[Place],
) -> Result<(), String> {
    if claimed.len() != marking.len() {
        return Err(format!("the trace has {} of {} components", claimed.len(), marking.len()));
    }
    for ((id, component), claimed) in net.components().enumerate().zip(claimed) {
        let state = &system.types[component.component_type].states[marking[id]].name;
        if claimed.component != component.name {
            return Err(format!(
                "the trace has {} where the instance has {}",
                claimed.component, component.name
            ));
        }
        if claimed.state != *state {
            return Err(format!(
                "{} is in {state}, not in {} as the trace says",
                component.name, claimed.state
            ));
        }
    }
    Ok(())
}

/// The name of a component's state in a marking, for messages.
pub(super) fn state_name<'a>(
    system: &'a System,
    net: &Net,
    component: ComponentId,
    state: StateId,
) -> &'a str {
    let component_type = net.components()[component].component_type;
    let states = &system.types[component_type].states;
    states.get(state).map_or("", |state| state.name.as_str())
}
