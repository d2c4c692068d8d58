//! κ-normalisation: rules with more than two predicate atoms are split, so that rewriting trees become
//! words (κ = 1) or binary trees (κ = 2), which is what MONA knows.
//!
//! `A <- <…> (B, P₁, P₂, P₃)` becomes `A <- <…> (B, P₁, R)` and `R <- (P₂, P₃)` with a fresh predicate
//! `R`, whose parameters are the variables of what was moved. Interactions, patterns and instance atoms
//! stay where they were; the net of a tree is the same. Rules keep their ids, pieces split off come after
//! them, so [`Normalized::undo`] needs no table.

use paramcheck_model::rule::{
    Atom, Ownership, Parameter, Predicate, PredicateAtom, PredicateId, Rule, RuleId, Variable, VariableId,
};
use paramcheck_model::system::System;
use paramcheck_model::tree::{RewritingTree, TreeMarking, TreeNode};
use paramcheck_text::index::{Idx, IndexVec};

/// The largest number of predicate atoms of a rule.
const DEGREE: usize = 2;

/// A system whose rules have at most two predicate atoms.
#[derive(Clone, Debug)]
pub struct Normalized {
    /// The system; its first rules and predicates are those of the original.
    pub system: System,
    /// How many rules are the original's.
    original_rules: usize,
}

/// Splits the rules of `system` that need it.
pub fn normalize(system: &System) -> Normalized {
    let mut result = system.clone();
    let original_rules = system.rules.len();
    for id in system.rules.indices() {
        if system.predicates[system.rules[id].head].is_reachable {
            split(&mut result, id);
        }
    }
    Normalized { system: result, original_rules }
}

/// Splits one rule and what is split off it.
fn split(system: &mut System, id: RuleId) {
    let mut current = id;
    for piece in 1.. {
        let rule = system.rules[current].clone();
        let calls: Vec<PredicateAtom> = rule.predicate_atoms().cloned().collect();
        if calls.len() <= DEGREE {
            return;
        }
        let Some((first, moved)) = calls.split_first() else { return };
        let (rest, arguments) = fresh(system, &rule, &system.rules[id].label.clone(), piece, moved);
        let stay = rule.instance_atoms().cloned().map(Atom::Instance);
        let atoms = stay
            .chain([
                Atom::Predicate(first.clone()),
                Atom::Predicate(PredicateAtom { predicate: system.rules[rest].head, arguments }),
            ])
            .collect();
        system.rules[current].atoms = atoms;
        current = rest;
    }
}

/// Adds a predicate with one rule whose body is `moved`; gives also what its parameters are bound to in
/// `rule`.
fn fresh(
    system: &mut System,
    rule: &Rule,
    label: &str,
    piece: usize,
    moved: &[PredicateAtom],
) -> (RuleId, Vec<VariableId>) {
    let mut arguments: Vec<VariableId> =
        moved.iter().flat_map(|call| call.arguments.iter().copied()).collect();
    arguments.sort_unstable();
    arguments.dedup();
    let is_owned = |variable: VariableId| {
        moved.iter().any(|call| {
            let parameters = &system.predicates[call.predicate].parameters;
            call.arguments
                .iter()
                .zip(parameters)
                .any(|(&argument, parameter)| argument == variable && parameter.ownership == Ownership::Owned)
        })
    };
    let parameters = arguments
        .iter()
        .map(|&variable| Parameter {
            ownership: if is_owned(variable) { Ownership::Owned } else { Ownership::Borrowed },
            types: rule.variables[variable].types.clone(),
        })
        .collect();
    let variables: IndexVec<VariableId, Variable> =
        arguments.iter().map(|&variable| rule.variables[variable].clone()).collect();
    let renamed = |variable: &VariableId| {
        VariableId::new(arguments.iter().position(|argument| argument == variable).unwrap_or_default())
    };
    let atoms = moved
        .iter()
        .map(|call| {
            Atom::Predicate(PredicateAtom {
                predicate: call.predicate,
                arguments: call.arguments.iter().map(renamed).collect(),
            })
        })
        .collect();
    let head = PredicateId::new(system.predicates.len());
    let id = system.rules.push(Rule {
        head,
        label: format!("{label}/{piece}"),
        parameter_count: arguments.len(),
        variables,
        atoms,
        interactions: IndexVec::new(),
        patterns: Vec::new(),
    });
    system.predicates.push(Predicate {
        name: format!("{label}/{piece}"),
        parameters,
        rules: vec![id],
        is_reachable: true,
    });
    (id, arguments)
}

impl Normalized {
    /// The tree of the original system that `tree` stands for, and `marking` with it. Both must fit the
    /// normalised system.
    pub(crate) fn undo(&self, tree: &RewritingTree, marking: &TreeMarking) -> (RewritingTree, TreeMarking) {
        let is_kept =
            |node: usize| tree.nodes.get(node).is_some_and(|node| node.rule.index() < self.original_rules);
        let mut position = vec![0; tree.nodes.len()];
        let mut count = 0;
        for (node, place) in position.iter_mut().enumerate() {
            if is_kept(node) {
                *place = count;
                count += 1;
            }
        }
        let mut nodes = Vec::with_capacity(count);
        let mut states = Vec::with_capacity(count);
        for (number, node) in tree.nodes.iter().enumerate() {
            if !is_kept(number) {
                continue;
            }
            // What was split off is the last child: its children come in its place.
            let mut children = Vec::new();
            let mut open: Vec<usize> = node.children.iter().rev().copied().collect();
            while let Some(child) = open.pop() {
                if is_kept(child) {
                    children.push(position[child]);
                } else if let Some(piece) = tree.nodes.get(child) {
                    open.extend(piece.children.iter().rev());
                }
            }
            nodes.push(TreeNode { rule: node.rule, initial: node.initial.clone(), children });
            states.push(marking.get(number).cloned().unwrap_or_default());
        }
        (RewritingTree { nodes }, states)
    }
}
