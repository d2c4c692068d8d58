//! Rules that are the same but for the names of variables and the order of what they contain.
//!
//! A rule is brought into a form in which its variables are numbered and everything is sorted; rules of
//! equal form are the same. The numbering follows *colours* (hashes of how a variable is used, refined
//! a few times), so that it seldom depends on names and order. Where it does, because different
//! variables look alike, a duplicate may be missed; that only costs a warning.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::draft::{RuleDraft, Target};
use crate::component::{PortId, StateId, TypeId};
use crate::rule::{PatternGroupId, PredicateId, VariableId};
use paramcheck_text::index::{Idx, IndexVec};

/// How often colours are refined.
const ROUNDS: usize = 3;

/// A rule's canonical form.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Canonical<'a> {
    head: PredicateId,
    atoms: Vec<(AtomKey, Vec<usize>)>,
    interactions: Vec<Vec<(PortId, usize)>>,
    patterns: Vec<PatternForm<'a>>,
}

/// A pattern with numbered variables.
type PatternForm<'a> = (PatternGroupId, Vec<(usize, Option<TypeId>, &'a str)>);

/// An atom without its arguments.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum AtomKey {
    Instance(TypeId, Vec<StateId>),
    Predicate(PredicateId),
    Unknown,
}

/// The canonical form of a rule.
pub(super) fn canonical<'a>(rule: &RuleDraft<'a>) -> Canonical<'a> {
    let colours = colours(rule);
    let mut atoms: Vec<(AtomKey, Vec<u64>, &[VariableId])> = rule
        .atoms
        .iter()
        .map(|atom| {
            let colours = atom.arguments.iter().map(|&argument| colours[argument]).collect();
            (key(&atom.target), colours, atom.arguments.as_slice())
        })
        .collect();
    // Stable: what looks alike stays in source order.
    atoms.sort_by(|one, other| (&one.0, &one.1).cmp(&(&other.0, &other.1)));
    let mut numbers: IndexVec<VariableId, usize> = rule.variables.iter().map(|_| usize::MAX).collect();
    let parameters = rule.variables.indices().take(rule.parameter_count);
    let in_atoms = atoms.iter().flat_map(|(_, _, arguments)| arguments.iter().copied());
    let mut next = 0;
    for variable in parameters.chain(in_atoms) {
        if numbers[variable] == usize::MAX {
            numbers[variable] = next;
            next += 1;
        }
    }
    let atoms = atoms
        .into_iter()
        .map(|(key, _, arguments)| (key, arguments.iter().map(|&argument| numbers[argument]).collect()));
    let mut interactions: Vec<Vec<(PortId, usize)>> = rule
        .interactions
        .iter()
        .map(|interaction| {
            let parts = interaction.participants.iter();
            sorted(parts.map(|part| (part.port, numbers[part.variable])).collect())
        })
        .collect();
    interactions.sort_unstable();
    let mut patterns: Vec<PatternForm> = rule
        .patterns
        .iter()
        .map(|pattern| {
            let parts = pattern.conditions.iter();
            let parts = parts.map(|part| (numbers[part.variable], part.component, part.state));
            (pattern.group, sorted(parts.collect()))
        })
        .collect();
    patterns.sort_unstable();
    Canonical { head: rule.head, atoms: atoms.collect(), interactions, patterns }
}

/// A colour for every variable, independent of names and order.
fn colours(rule: &RuleDraft) -> IndexVec<VariableId, u64> {
    let mut colours: IndexVec<VariableId, u64> =
        rule.variables.indices().map(|variable| hash(variable.index().min(rule.parameter_count))).collect();
    for _ in 0..ROUNDS {
        // How each variable is used; a sum forgets the order.
        let mut uses: IndexVec<VariableId, u64> = rule.variables.iter().map(|_| 0).collect();
        let mut add = |variable: VariableId, colour: u64| {
            uses[variable] = uses[variable].wrapping_add(colour);
        };
        for atom in &rule.atoms {
            let arguments: Vec<u64> = atom.arguments.iter().map(|&argument| colours[argument]).collect();
            let whole = hash((key(&atom.target), arguments));
            for (position, &argument) in atom.arguments.iter().enumerate() {
                add(argument, hash((whole, position)));
            }
        }
        for interaction in &rule.interactions {
            let parts = interaction.participants.iter();
            let whole = hash(sorted(parts.map(|part| (part.port, colours[part.variable])).collect()));
            for part in &interaction.participants {
                add(part.variable, hash((whole, part.port)));
            }
        }
        for pattern in &rule.patterns {
            let parts = pattern.conditions.iter();
            let parts = parts.map(|part| (part.component, part.state, colours[part.variable])).collect();
            let whole = hash((pattern.group, sorted(parts)));
            for part in &pattern.conditions {
                add(part.variable, hash((whole, part.component, part.state)));
            }
        }
        colours = colours.enumerate().map(|(variable, colour)| hash((colour, uses[variable]))).collect();
    }
    colours
}

/// What an atom refers to.
fn key(target: &Target) -> AtomKey {
    match target {
        Target::Instance(component, initial) => AtomKey::Instance(*component, initial.clone()),
        Target::Predicate(predicate) => AtomKey::Predicate(*predicate),
        Target::Unknown => AtomKey::Unknown,
    }
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

fn sorted<T: Ord>(mut values: Vec<T>) -> Vec<T> {
    values.sort_unstable();
    values
}
