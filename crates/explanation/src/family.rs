//! Families of sets: parts of a grammar, and the sets they have in an instance.
//!
//! A [`Family`] is a shape of the root with some of a grammar's productions. It has in every instance the sets
//! that these derive over its tree: one, where nothing is left to choose, or several that differ in where
//! they lie. [`refuting`] finds, for one marking of one instance, a derivation that excludes it; `widen` makes of
//! it a family for as many trees as can be, and `trivial` drops what says nothing.

mod trivial;
mod widen;

use std::collections::{BTreeMap, BTreeSet};

use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::component::StateId;
use paramcheck_model::rule::RuleId;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::net::{Marking, Net};
use paramcheck_text::index::Idx;

use crate::grammar::{Grammar, Weights};

/// See the module's text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Family {
    /// The shape at the root of every tree.
    pub root: usize,
    /// The productions, by their position in the grammar.
    pub productions: BTreeSet<usize>,
}

/// A set of an instance: per component the weights of its states.
pub(crate) type Set = Vec<Weights>;

/// No more sets of one family are looked at in one instance.
pub(crate) const MAX_SETS: usize = 300;
/// No more partial sets are put together for one node of a tree.
const MAX_PARTIAL: usize = 3_000;

/// How much of `set` is marked in `marking`.
pub(crate) fn weight(set: &Set, marking: &Marking) -> i64 {
    set.iter().zip(marking).map(|(weights, state)| weights[state.index()]).sum()
}

impl Family {
    /// The sets of the family in an instance, each once, at most [`MAX_SETS`], with their derivations'
    /// productions; only those that start as their kind demands. Also whether these are all.
    pub(crate) fn sets(&self, grammar: &Grammar, tree: &RewritingTree, net: &Net) -> (Vec<Set>, bool) {
        let mut is_all = true;
        let kind = grammar.shapes[self.root].kind;
        // Per node of the tree and shape: for each way the weights of the components below, in preorder.
        let mut below: Vec<BTreeMap<usize, BTreeSet<Set>>> = vec![BTreeMap::new(); tree.nodes.len()];
        for position in (0..tree.nodes.len()).rev() {
            let node = &tree.nodes[position];
            let mut ways: BTreeMap<usize, BTreeSet<Set>> = BTreeMap::new();
            for id in grammar.of_rule[node.rule].iter().filter(|id| self.productions.contains(id)) {
                let production = &grammar.productions[*id];
                if !production.allows(&node.initial) {
                    continue;
                }
                let mut partial = vec![production.places.clone()];
                for (child, shape) in node.children.iter().zip(&production.children) {
                    let Some(found) = below[*child].get(shape) else {
                        partial.clear();
                        break;
                    };
                    let longer = partial.iter().flat_map(|start| {
                        found.iter().map(move |end| start.iter().chain(end).cloned().collect::<Set>())
                    });
                    partial = longer.take(MAX_PARTIAL).collect();
                    is_all &= partial.len() < MAX_PARTIAL;
                }
                ways.entry(production.shape).or_default().extend(partial);
            }
            below[position] = ways;
        }
        // The components are numbered in preorder too, those of a node in the order of its atoms.
        let all = below.first_mut().and_then(|ways| ways.remove(&self.root)).unwrap_or_default();
        let initial = net.initial();
        let starts = |set: &Set| kind.admits_initial(weight(set, &initial));
        let mut sets: Vec<Set> = all.into_iter().filter(starts).take(MAX_SETS + 1).collect();
        is_all &= sets.len() <= MAX_SETS;
        sets.truncate(MAX_SETS);
        (sets, is_all)
    }

    /// Whether its sets are sums that no step changes: then a smaller one than at the start is excluded too.
    pub(crate) fn is_exact(&self, grammar: &Grammar) -> bool {
        matches!(grammar.shapes[self.root].kind, InvariantKind::Linear(_))
            && self.productions.iter().all(|id| grammar.productions[*id].is_constant)
    }

    /// Whether a set of the family excludes `marking`, found without listing the sets.
    pub(crate) fn refutes(
        &self,
        grammar: &Grammar,
        (tree, net): (&RewritingTree, &Net),
        marking: &Marking,
    ) -> bool {
        let found = refuting(grammar, tree, net, marking, |id| self.productions.contains(&id));
        found.is_some_and(|found| found.root == self.root)
    }
}

/// How a node derives a shape with these weights: by which production, at what cost, on what below.
#[derive(Clone)]
struct Step {
    cost: usize,
    production: usize,
    children: Vec<Key>,
}

/// A shape, and what of the set is marked below the node initially and now.
type Key = (usize, i64, i64);

/// No more steps are remembered for one node.
const MAX_KEYS: usize = 2_000;

/// A family that excludes `marking` in the instance of `tree`, with the productions of one derivation, out of
/// those for which `is_allowed`: of the cheapest kind, and of as few places as can be.
pub(crate) fn refuting(
    grammar: &Grammar,
    tree: &RewritingTree,
    net: &Net,
    marking: &Marking,
    is_allowed: impl Fn(usize) -> bool,
) -> Option<Family> {
    let mut steps: Vec<BTreeMap<Key, Step>> = vec![BTreeMap::new(); tree.nodes.len()];
    for position in (0..tree.nodes.len()).rev() {
        let node = &tree.nodes[position];
        let now: Vec<StateId> = (0..node.initial.len())
            .filter_map(|atom| Some(marking[net.component_at(position, atom)?]))
            .collect();
        let mut found: BTreeMap<Key, Step> = BTreeMap::new();
        for &id in grammar.of_rule[node.rule].iter().filter(|id| is_allowed(**id)) {
            let production = &grammar.productions[id];
            if !production.allows(&node.initial) {
                continue;
            }
            let sum = |states: &[StateId]| -> i64 {
                production.places.iter().zip(states).map(|(weights, state)| weights[state.index()]).sum()
            };
            let places = production.places.iter().flatten().filter(|weight| **weight != 0).count();
            let start =
                Step { cost: places + 100 * production.needs.len(), production: id, children: vec![] };
            let mut partial = vec![((production.shape, sum(&node.initial), sum(&now)), start)];
            for (child, shape) in node.children.iter().zip(&production.children) {
                let range = (*shape, i64::MIN, i64::MIN)..=(*shape, i64::MAX, i64::MAX);
                let mut longer: BTreeMap<Key, Step> = BTreeMap::new();
                for ((shape, initial, marked), step) in &partial {
                    for (key, below) in steps[*child].range(range.clone()) {
                        let mut children = step.children.clone();
                        children.push(*key);
                        let step =
                            Step { cost: step.cost + below.cost, production: step.production, children };
                        keep(&mut longer, (*shape, initial + key.1, marked + key.2), step);
                    }
                }
                partial = longer.into_iter().collect();
            }
            partial.into_iter().for_each(|(key, step)| keep(&mut found, key, step));
        }
        steps[position] = found;
    }
    let refutes = |((shape, initial, marked), _): &(&Key, &Step)| {
        let kind = grammar.shapes[*shape].kind;
        kind.admits_initial(*initial) && kind.refutes(*initial, *marked)
    };
    let best = steps.first()?.iter().filter(refutes);
    let (root, _) = best.min_by_key(|(key, step)| (grammar.shapes[key.0].kind, step.cost))?;
    let mut family = Family { root: root.0, productions: BTreeSet::new() };
    let mut open = vec![(0, *root)];
    while let Some((position, key)) = open.pop() {
        let step = &steps[position][&key];
        family.productions.insert(step.production);
        open.extend(tree.nodes[position].children.iter().copied().zip(step.children.iter().copied()));
    }
    Some(family)
}

fn keep(steps: &mut BTreeMap<Key, Step>, key: Key, step: Step) {
    let is_full = steps.len() >= MAX_KEYS;
    match steps.get_mut(&key) {
        Some(known) if step.cost < known.cost => *known = step,
        Some(_) => {}
        None if is_full => {}
        None => {
            steps.insert(key, step);
        }
    }
}

/// Where a production may be used: the shape, the rule, and where its components start.
type Place<'a> = (usize, RuleId, &'a [Vec<StateId>]);

/// The family, with as little left to choose as still excludes `marking`: of a rule that is used in several
/// ways for one shape, only one.
pub(crate) fn with_few_choices(
    grammar: &Grammar,
    (tree, net): (&RewritingTree, &Net),
    marking: &Marking,
    family: Family,
) -> Family {
    let mut family = family;
    loop {
        let mut by_place: BTreeMap<Place<'_>, Vec<usize>> = BTreeMap::new();
        for id in &family.productions {
            let one = &grammar.productions[*id];
            by_place.entry((one.shape, one.rule, &one.starts)).or_default().push(*id);
        }
        let choices = by_place.into_values().filter(|ids| ids.len() > 1);
        let fewer = choices.flatten().find_map(|kept| {
            let one = &grammar.productions[kept];
            let is_allowed = |id: usize| {
                let other = &grammar.productions[id];
                id == kept
                    || family.productions.contains(&id)
                        && (other.shape, other.rule, &other.starts) != (one.shape, one.rule, &one.starts)
            };
            let found = refuting(grammar, tree, net, marking, is_allowed)?;
            (found.productions.len() < family.productions.len()).then_some(found)
        });
        match fewer {
            Some(fewer) => family = fewer,
            None => return family,
        }
    }
}
