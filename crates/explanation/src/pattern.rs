//! A family of sets in terms of the model: which states of which components, by rule and variable.
//!
//! A family comes in; a [`Pattern`] goes out, by names alone. It reads a rewriting tree from the root downwards: a
//! node has a [`Role`], and a role says per rule which states of the components that the rule creates are in
//! the set, and which roles the nodes below have. Shapes of the certificate that come to the same are one
//! role, and where nothing below a node is in the set, its role is left out. A pattern has exactly the sets of
//! its family ([`Pattern::sets_in`] evaluates it; a test compares the two).

mod simple;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use paramcheck_model::component::StateId;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::net::Net;
use paramcheck_text::index::Idx;

use crate::family::{Family, Set};
use crate::grammar::{Grammar, Weights};

pub(crate) use simple::rules_of;

/// See the module's text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pattern {
    /// The roles; the root of a tree has the first.
    pub roles: Vec<Role>,
}

/// What a set contains at a node and below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Role {
    /// The predicate that the node rewrites.
    pub predicate: String,
    /// The ways to go on, by rule. A node whose rule has none is in no set; where one has several, there are
    /// several sets.
    pub ways: Vec<Way>,
}

/// What a set contains at a node with some rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Way {
    /// The rule's label, as in `Chain.2`.
    pub rule: String,
    /// Where components created here must start for it; only those of which the model leaves it open.
    pub starts: Vec<Start>,
    /// The components created here of which states are in the set.
    pub places: Vec<Places>,
    /// Per predicate atom the role of the node that rewrites it; `None`: nothing below is in the set.
    pub below: Vec<Option<usize>>,
}

/// Where the component that a rule creates for a variable must start.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Start {
    /// The variable.
    pub variable: String,
    /// In one of these states.
    pub states: Vec<String>,
}

/// States of the component that a rule creates for a variable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Places {
    /// The variable.
    pub variable: String,
    /// The component type.
    pub component: String,
    /// Its states that are in the set, in the order of the type.
    pub states: Vec<Weighted>,
}

/// A state, and how much it weighs in the sum of a weighted kind; 1 for others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Weighted {
    /// The state.
    pub state: String,
    /// Its weight.
    pub weight: i64,
}

impl Way {
    /// Whether it only hands on to one node below.
    pub(crate) fn is_pass(&self) -> bool {
        self.places.is_empty() && self.below.iter().flatten().count() == 1
    }
}

/// A way, in numbers: the rule, where its components start, the weights and the classes below.
type Signature = (usize, Vec<Vec<StateId>>, Vec<Weights>, Vec<Option<usize>>);

impl Pattern {
    /// The pattern of `family`.
    pub(crate) fn of(system: &System, grammar: &Grammar, family: &Family) -> Pattern {
        let productions: Vec<_> = family.productions.iter().map(|id| &grammar.productions[*id]).collect();
        // What may be left out is found out below (`simple`).
        let shapes: BTreeSet<usize> = (productions.iter())
            .flat_map(|one| one.children.iter().copied().chain([one.shape]))
            .chain([family.root])
            .collect();
        // Shapes that come to the same: partition refinement, from the predicates on.
        let mut classes: BTreeMap<usize, usize> =
            shapes.iter().map(|shape| (*shape, grammar.shapes[*shape].predicate.index())).collect();
        let mut count = classes.values().collect::<BTreeSet<_>>().len();
        let signature = |classes: &BTreeMap<usize, usize>, shape: usize| -> BTreeSet<Signature> {
            let own = productions.iter().filter(|one| one.shape == shape);
            own.map(|one| {
                let below = one.children.iter().map(|child| classes.get(child).copied()).collect();
                (one.rule.index(), one.starts.clone(), one.places.clone(), below)
            })
            .collect()
        };
        loop {
            let mut numbers: BTreeMap<(usize, BTreeSet<Signature>), usize> = BTreeMap::new();
            let refined = shapes.iter().map(|shape| {
                let next = numbers.len();
                let key = (classes[shape], signature(&classes, *shape));
                (*shape, *numbers.entry(key).or_insert(next))
            });
            let refined: BTreeMap<usize, usize> = refined.collect();
            classes = refined;
            if numbers.len() == count {
                break;
            }
            count = numbers.len();
        }
        // Roles in the order in which they are met from the root downwards.
        let mut order = Vec::from_iter(classes.get(&family.root).copied());
        let mut position = 0;
        while let Some(class) = order.get(position).copied() {
            position += 1;
            let member = classes.iter().find(|(_, one)| **one == class).map(|(shape, _)| *shape);
            for (_, _, _, below) in member.iter().flat_map(|shape| signature(&classes, *shape)) {
                for child in below.into_iter().flatten() {
                    if !order.contains(&child) {
                        order.push(child);
                    }
                }
            }
        }
        let roles = order.iter().filter_map(|class| {
            let (shape, _) = classes.iter().find(|(_, one)| *one == class)?;
            let ways = signature(&classes, *shape).into_iter().map(|(rule, starts, places, below)| {
                let rule = &system.rules[Idx::new(rule)];
                let number = |class: Option<usize>| order.iter().position(|one| Some(*one) == class);
                Way {
                    rule: rule.label.clone(),
                    starts: (rule.instance_atoms().zip(&starts))
                        .filter(|(atom, starts)| atom.initial != **starts)
                        .map(|(atom, starts)| Start {
                            variable: rule.variables[atom.variable].name.clone(),
                            states: (starts.iter())
                                .map(|state| system.types[atom.component].states[*state].name.clone())
                                .collect(),
                        })
                        .collect(),
                    places: (rule.instance_atoms().zip(&places))
                        .filter_map(|(atom, weights)| {
                            let component = &system.types[atom.component];
                            let states = component.states.iter().zip(weights);
                            let states: Vec<Weighted> = (states.filter(|(_, weight)| **weight != 0))
                                .map(|(state, weight)| Weighted {
                                    state: state.name.clone(),
                                    weight: *weight,
                                })
                                .collect();
                            let variable = rule.variables[atom.variable].name.clone();
                            let component = component.name.clone();
                            (!states.is_empty()).then_some(Places { variable, component, states })
                        })
                        .collect(),
                    below: below.into_iter().map(number).collect(),
                }
            });
            let predicate = &system.predicates[grammar.shapes[*shape].predicate];
            Some(Role { predicate: predicate.name.clone(), ways: ways.collect() })
        });
        Pattern { roles: roles.collect() }.simplified(system)
    }

    /// The sets of the pattern in an instance: per component the weights of its states. That is, before its
    /// kind is looked at, which may demand something of the start.
    pub fn sets_in(&self, system: &System, tree: &RewritingTree, net: &Net) -> BTreeSet<Vec<Vec<i64>>> {
        let nothing: Set = net.components().iter().map(|one| vec![0; one.state_count]).collect();
        // The nodes that are still to be read with their roles, and the set so far.
        let mut open: Vec<(Vec<(usize, usize)>, Set)> = vec![(vec![(0, 0)], nothing)];
        let mut sets = BTreeSet::new();
        while let Some((mut nodes, set)) = open.pop() {
            let Some((position, role)) = nodes.pop() else {
                sets.insert(set);
                continue;
            };
            let node = &tree.nodes[position];
            let rule = &system.rules[node.rule];
            for way in self.roles[role].ways.iter().filter(|way| way.rule == rule.label) {
                let starts_so = way.starts.iter().all(|start| {
                    let mut atoms = rule.instance_atoms().zip(&node.initial);
                    atoms.any(|(atom, state)| {
                        rule.variables[atom.variable].name == start.variable
                            && start.states.contains(&system.types[atom.component].states[*state].name)
                    })
                });
                if !starts_so {
                    continue;
                }
                let mut set = set.clone();
                for (atom, instance) in rule.instance_atoms().enumerate() {
                    let name = &rule.variables[instance.variable].name;
                    let places = way.places.iter().find(|places| places.variable == *name);
                    let component = net.component_at(position, atom);
                    if let (Some(places), Some(component)) = (places, component) {
                        for Weighted { state, weight } in &places.states {
                            if let Some(state) = system.types[instance.component].state_named(state) {
                                set[component.index()][state.index()] = *weight;
                            }
                        }
                    }
                }
                let below = node.children.iter().zip(&way.below);
                let below = below.filter_map(|(child, role)| Some((*child, (*role)?)));
                open.push((nodes.iter().copied().chain(below).collect(), set));
            }
        }
        sets
    }

    /// Whether no node leaves a choice.
    pub(crate) fn is_single(&self) -> bool {
        self.roles.iter().all(|role| {
            let rules: BTreeSet<_> = role.ways.iter().map(|way| (way.rule.as_str(), &way.starts)).collect();
            rules.len() == role.ways.len()
        })
    }

    /// Per rule what the set contains of its components, if that is the same wherever the rule is applied.
    pub(crate) fn uniform(&self, system: &System) -> Option<BTreeMap<&str, &[Places]>> {
        let mut by_rule: BTreeMap<&str, &[Places]> = BTreeMap::new();
        for way in self.roles.iter().flat_map(|role| &role.ways) {
            let known = by_rule.entry(&way.rule).or_insert(&way.places);
            if *known != way.places.as_slice() {
                return None;
            }
        }
        // Where nothing below is in the set, no rule used there may have something in it.
        for way in self.roles.iter().flat_map(|role| &role.ways) {
            let rule = system.rules.iter().find(|rule| rule.label == way.rule)?;
            for (call, _) in rule.predicate_atoms().zip(&way.below).filter(|(_, role)| role.is_none()) {
                let mut open = vec![call.predicate];
                let mut seen = BTreeSet::from([call.predicate]);
                while let Some(predicate) = open.pop() {
                    for rule in system.predicates[predicate].rules.iter().map(|id| &system.rules[*id]) {
                        if by_rule.get(rule.label.as_str()).is_some_and(|places| !places.is_empty()) {
                            return None;
                        }
                        open.extend(
                            rule.predicate_atoms().map(|one| one.predicate).filter(|one| seen.insert(*one)),
                        );
                    }
                }
            }
        }
        self.is_single().then_some(by_rule)
    }
}
