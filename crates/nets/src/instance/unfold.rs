//! From a rewriting tree to its instance: components, transitions and patterns of all its nodes
//! (the characteristic term of the paper, Def. 3, with everything bound).
//!
//! An interaction stands for one transition per combination of transitions of the components that its
//! variables are really bound to; where one of them lacks the port it stands for none. Nothing here
//! recurses: trees may be as deep as memory allows.

use std::convert::Infallible;

use thiserror::Error;

use crate::instance::net::{
    Component, ComponentId, Move, Net, NetTransition, NetTransitionId, PatternOccurrence,
};
use paramcheck_model::rule::{Atom, InteractionId, Pattern, Rule, RuleId, VariableId};
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::{Budget, Stop};

#[cfg(test)]
mod tests;

/// What makes a [`RewritingTree`] none of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TreeError {
    /// There is no root.
    #[error("the tree has no node")]
    Empty,
    /// The rule does not exist, or rewrites another predicate than the atom it stands for.
    #[error("node {0} applies a rule that does not fit there")]
    Rule(usize),
    /// There are more or fewer initial states than instance atoms, or one is not allowed.
    #[error("node {0} starts a component where it may not start")]
    Initial(usize),
    /// There are more or fewer children than predicate atoms, or one does not come after its parent.
    #[error("node {0} has not the children that its rule asks for")]
    Children(usize),
    /// A node is the child of no node or of several.
    #[error("node {0} is not the child of exactly one node")]
    Parents(usize),
}

/// Whether `tree` is a rewriting tree of `system`, for trees of doubtful origin.
///
/// # Errors
/// The first node that is wrong, and how.
pub fn check_tree(system: &System, tree: &RewritingTree) -> Result<(), TreeError> {
    if tree.nodes.is_empty() {
        return Err(TreeError::Empty);
    }
    let mut expected = vec![None; tree.nodes.len()];
    expected[0] = Some(system.root);
    for (position, node) in tree.nodes.iter().enumerate() {
        // Children come after their parents, so its parent has claimed this node by now.
        let predicate = expected[position].ok_or(TreeError::Parents(position))?;
        let rule = system.rules.get(node.rule).filter(|rule| rule.head == predicate);
        let rule = rule.ok_or(TreeError::Rule(position))?;
        if node.initial.len() != rule.instance_atoms().count()
            || !rule.instance_atoms().zip(&node.initial).all(|(atom, state)| atom.initial.contains(state))
        {
            return Err(TreeError::Initial(position));
        }
        if node.children.len() != rule.predicate_atoms().count() {
            return Err(TreeError::Children(position));
        }
        for (atom, &child) in rule.predicate_atoms().zip(&node.children) {
            if child <= position || child >= tree.nodes.len() {
                return Err(TreeError::Children(position));
            }
            if expected[child].replace(atom.predicate).is_some() {
                return Err(TreeError::Parents(child));
            }
        }
    }
    Ok(())
}

/// The instance of `tree`, which must be a rewriting tree of `system` ([`check_tree`]; those of
/// `enumerate` and of the engines are).
///
/// Time and memory grow with the number of transitions: for one interaction, the product of the
/// numbers of transitions on its ports. [`unfold_within`] bounds it.
pub fn unfold(system: &System, tree: &RewritingTree) -> Net {
    let step = &mut || Ok::<_, Infallible>(());
    let Ok(net) = Layout::new(system, tree, step).and_then(|layout| layout.net(system, tree, step));
    net
}

/// Why an instance was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotUnfolded {
    /// It has more transitions than allowed.
    TooLarge,
    /// The budget ended.
    Stopped(Stop),
}

impl From<Stop> for NotUnfolded {
    fn from(stop: Stop) -> Self {
        NotUnfolded::Stopped(stop)
    }
}

/// As [`unfold`], but `None` where the instance has more than `most` transitions.
pub fn unfold_within(system: &System, tree: &RewritingTree, most: usize) -> Option<Net> {
    try_unfold(system, tree, most, &Budget::unlimited()).ok()
}

/// As [`unfold`], within limits.
///
/// # Errors
/// The instance has more than `most` transitions, or `budget` ended before it was made.
pub fn try_unfold(
    system: &System,
    tree: &RewritingTree,
    most: usize,
    budget: &Budget,
) -> Result<Net, NotUnfolded> {
    let step = &mut budget.pace();
    let layout = Layout::new(system, tree, step)?;
    if layout.transition_count(system, tree, step)? > most {
        return Err(NotUnfolded::TooLarge);
    }
    Ok(layout.net(system, tree, step)?)
}

/// Which component each variable of each node is bound to.
///
/// A variable's *slot* is made where the variable is bound by `new`, handed down as an argument, and
/// filled by the one instance atom that owns it. So owned and borrowed parameters need no distinction.
struct Layout {
    preorder: Vec<usize>,
    components: IndexVec<ComponentId, Component>,
    first_of_node: Vec<usize>,
    /// Per node the slots of its rule's variables.
    slots: Vec<Vec<usize>>,
    /// Per slot its component.
    filled: Vec<Option<ComponentId>>,
}

impl Layout {
    /// Here and below, `step` is called now and then and may end the work.
    fn new<E>(
        system: &System,
        tree: &RewritingTree,
        step: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<Layout, E> {
        let count = tree.nodes.len();
        let mut layout = Layout {
            preorder: Vec::with_capacity(count),
            components: IndexVec::new(),
            first_of_node: vec![0; count],
            slots: vec![Vec::new(); count],
            filled: Vec::new(),
        };
        let mut numbers = vec![0_usize; system.types.len()];
        let mut open = if count == 0 { Vec::new() } else { vec![0] };
        while let Some(position) = open.pop() {
            step()?;
            let node = &tree.nodes[position];
            let rule = &system.rules[node.rule];
            layout.preorder.push(position);
            layout.first_of_node[position] = layout.components.len();
            let mut slots = std::mem::take(&mut layout.slots[position]);
            while slots.len() < rule.variables.len() {
                slots.push(layout.filled.len());
                layout.filled.push(None);
            }
            let (mut atoms, mut calls) = (0, 0);
            for atom in &rule.atoms {
                match atom {
                    Atom::Instance(instance) => {
                        let number = &mut numbers[instance.component.index()];
                        *number += 1;
                        let component_type = &system.types[instance.component];
                        let component = layout.components.push(Component {
                            component_type: instance.component,
                            initial: node.initial[atoms],
                            state_count: component_type.states.len(),
                            name: format!("{}#{number}", component_type.name),
                            node: position,
                            atom: atoms,
                        });
                        layout.filled[slots[instance.variable.index()]] = Some(component);
                        atoms += 1;
                    }
                    Atom::Predicate(call) => {
                        layout.slots[node.children[calls]] =
                            call.arguments.iter().map(|argument| slots[argument.index()]).collect();
                        calls += 1;
                    }
                }
            }
            layout.slots[position] = slots;
            open.extend(node.children.iter().rev());
        }
        Ok(layout)
    }

    fn component(&self, node: usize, variable: VariableId) -> Option<ComponentId> {
        self.filled[self.slots[node][variable.index()]]
    }

    fn net<E>(
        self,
        system: &System,
        tree: &RewritingTree,
        step: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<Net, E> {
        let mut transitions = IndexVec::new();
        let mut patterns = Vec::new();
        for &node in &self.preorder {
            step()?;
            let rule_id = tree.nodes[node].rule;
            let rule = &system.rules[rule_id];
            for interaction in rule.interactions.indices() {
                let number = (node, rule_id, interaction);
                self.add_interaction(system, rule, number, &mut transitions, step)?;
            }
            self.add_internal(system, (node, rule_id), &mut transitions);
            patterns.extend(rule.patterns.iter().filter_map(|pattern| self.occurrence(node, pattern)));
        }
        Ok(Net::new(self.components, transitions, patterns, self.first_of_node))
    }

    /// The number of transitions, saturating.
    fn transition_count<E>(
        &self,
        system: &System,
        tree: &RewritingTree,
        step: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<usize, E> {
        let component_type =
            |component: ComponentId| &system.types[self.components[component].component_type];
        let mut count: usize = 0;
        for &node in &self.preorder {
            step()?;
            for interaction in &system.rules[tree.nodes[node].rule].interactions {
                let choices = interaction.participants.iter().map(|&(port, variable)| {
                    self.component(node, variable)
                        .map_or(0, |c| component_type(c).transitions_on(port).count())
                });
                count = count.saturating_add(choices.fold(1, usize::saturating_mul));
            }
        }
        let internal = self.components.indices().map(|c| component_type(c).internal_transitions().count());
        Ok(internal.fold(count, usize::saturating_add))
    }

    /// A pattern at a node, unless it can't occur there.
    fn occurrence(&self, node: usize, pattern: &Pattern) -> Option<PatternOccurrence> {
        let conditions = pattern.conditions.iter().map(|(variable, places)| {
            let component = self.component(node, *variable)?;
            let component_type = self.components[component].component_type;
            let places = places.iter().filter(|place| place.0 == component_type);
            let states: Vec<_> = places.map(|place| place.1).collect();
            (!states.is_empty()).then_some((component, states))
        });
        let conditions = conditions.collect::<Option<Vec<_>>>()?;
        Some(PatternOccurrence { group: pattern.group, node, conditions })
    }

    /// Adds the transitions of one interaction at one node.
    fn add_interaction<E>(
        &self,
        system: &System,
        rule: &Rule,
        (node, rule_id, interaction): (usize, RuleId, InteractionId),
        transitions: &mut IndexVec<NetTransitionId, NetTransition>,
        step: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let mut combinations: Vec<Vec<Move>> = vec![Vec::new()];
        for &(port, variable) in &rule.interactions[interaction].participants {
            let Some(component) = self.component(node, variable) else { return Ok(()) };
            let component_type = &system.types[self.components[component].component_type];
            let mut longer = Vec::new();
            for moves in &combinations {
                step()?;
                longer.extend(component_type.transitions_on(port).map(|(transition, local)| {
                    let mut moves = moves.clone();
                    moves.push(Move { component, transition, from: local.from, to: local.to });
                    moves
                }));
            }
            combinations = longer;
        }
        for moves in combinations {
            // No component takes part, so nothing can happen.
            if !moves.is_empty() {
                transitions.push(NetTransition {
                    node,
                    rule: rule_id,
                    interaction: Some(interaction),
                    moves,
                });
            }
        }
        Ok(())
    }

    /// Adds the internal transitions of the components created at one node.
    fn add_internal(
        &self,
        system: &System,
        (node, rule): (usize, RuleId),
        transitions: &mut IndexVec<NetTransitionId, NetTransition>,
    ) {
        let first = self.first_of_node[node];
        let created =
            self.components.as_slice()[first..].iter().take_while(|component| component.node == node);
        for (position, component) in created.enumerate() {
            let id = ComponentId::new(first + position);
            for (transition, local) in system.types[component.component_type].internal_transitions() {
                let moves = vec![Move { component: id, transition, from: local.from, to: local.to }];
                transitions.push(NetTransition { node, rule, interaction: None, moves });
            }
        }
    }
}
