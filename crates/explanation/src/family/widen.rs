//! Families made wider: from one derivation over one tree to as many trees, and as many places, as there are.
//!
//! Every production of the grammar may be added, for all are sound; those are that let a set be anywhere, that go
//! on whatever a tree has below, and that put nothing in the set which is not needed.

use std::collections::BTreeSet;

use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::component::StateId;
use paramcheck_model::rule::RuleId;
use paramcheck_model::system::System;

use super::Family;
use crate::grammar::{Grammar, Production};

impl Family {
    /// Whether a production rests on nothing that never fires but what the family rests on anyway.
    fn needs_no_more<'g>(&self, grammar: &'g Grammar) -> impl Fn(usize) -> bool + use<'g> {
        let own = self.productions.iter().flat_map(|id| &grammar.productions[*id].needs);
        let own: BTreeSet<usize> = own.copied().collect();
        move |id| grammar.productions[id].needs.is_subset(&own)
    }

    /// The shapes below which the family has no place: those of which it has productions, and others that the
    /// grammar lets have none.
    fn idle(&self, grammar: &Grammar) -> BTreeSet<usize> {
        let known: Vec<&Production> = self.productions.iter().map(|id| &grammar.productions[*id]).collect();
        let has_own: BTreeSet<usize> = known.iter().map(|one| one.shape).collect();
        let nothing = grammar.nothing();
        let mut idle = nothing.clone();
        loop {
            let is_idle = |shape: &usize| {
                let mut own = known.iter().filter(|one| one.shape == *shape);
                !has_own.contains(shape)
                    || own.all(|one| one.is_empty() && one.children.iter().all(|child| idle.contains(child)))
            };
            let left: BTreeSet<usize> = idle.iter().copied().filter(is_idle).collect();
            if left.len() == idle.len() {
                return left;
            }
            idle = left;
        }
    }

    /// Adds productions for trees that the family says nothing of, though it has some that differ in one node
    /// below only: where a set goes on with a leaf, say, that it may go on with an inner node.
    pub(crate) fn vary(&mut self, grammar: &Grammar, system: &System) {
        let nothing = grammar.nothing();
        let needs_no_more = self.needs_no_more(grammar);
        let mut open: Vec<usize> = self.productions.iter().copied().collect();
        while let Some(id) = open.pop() {
            let one = &grammar.productions[id];
            // The ways down to a set are for `lead_down`.
            if one.is_empty() {
                continue;
            }
            for position in 0..one.children.len() {
                let differs_there = |other: &Production| {
                    let mut children = one.children.iter().zip(&other.children).enumerate();
                    (other.shape, &other.places, &other.starts) == (one.shape, &one.places, &one.starts)
                        && children.all(|(at, (mine, theirs))| at == position || mine == theirs)
                };
                let like: Vec<usize> = (grammar.of_rule[one.rule].iter().copied())
                    .filter(|other| needs_no_more(*other) && differs_there(&grammar.productions[*other]))
                    .collect();
                let predicate = grammar.shapes[one.children[position]].predicate;
                let child = |id: usize| grammar.productions[id].children[position];
                let own = self.states(grammar, system, one.children[position]);
                for &rule in &system.predicates[predicate].rules {
                    let rank = |id: usize| {
                        // Of as many places, rather those below which there are none.
                        let goes_on = |id: usize| {
                            grammar.productions[id].children.iter().any(|one| !nothing.contains(one))
                        };
                        let rank = |id: usize| {
                            let states = named_states(grammar, system, id);
                            let count = grammar.productions[id].places.iter().flatten();
                            let count = count.filter(|weight| **weight != 0).count();
                            let differing = own.symmetric_difference(&states).count();
                            // Fewer places say more, but of sums: there, terms that are left out may say less.
                            let is_sum = matches!(grammar.shapes[self.root].kind, InvariantKind::Linear(_));
                            let order = if is_sum { [differing, count] } else { [count, differing] };
                            (goes_on(id), order)
                        };
                        grammar.of(child(id), rule).map(rank).min()
                    };
                    let leads = |id: &&usize| self.productions.contains(id) && rank(**id).is_some();
                    if !like.iter().any(|id| leads(&id)) {
                        let new = like.iter().filter_map(|id| Some((rank(*id)?, *id)));
                        if let Some((_, id)) = new.min() {
                            self.productions.insert(id);
                            open.push(id);
                        }
                    }
                }
            }
        }
    }

    /// The states, with their weights, that the family's nodes of a shape have in the set.
    fn states<'s>(&self, grammar: &Grammar, system: &'s System, shape: usize) -> BTreeSet<(&'s str, i64)> {
        let own = self.productions.iter().filter(|id| grammar.productions[**id].shape == shape);
        own.flat_map(|id| named_states(grammar, system, *id)).collect()
    }

    /// Adds all productions by which a node has nothing in the set, and hands on to shapes that the family has or
    /// below which nothing is: so a set that lies at one place of a tree may lie at any. And those that differ
    /// from one of the family only in shapes below which nothing is: so it does not matter what is there.
    pub(crate) fn generalise(&mut self, grammar: &Grammar) {
        loop {
            let idle = self.idle(grammar);
            let free = |child: &usize| if idle.contains(child) { None } else { Some(*child) };
            let likeness = |one: &Production| {
                let below: Vec<Option<usize>> = one.children.iter().map(free).collect();
                (one.shape, one.rule, one.places.clone(), one.starts.clone(), below)
            };
            let own: BTreeSet<_> =
                self.productions.iter().map(|id| likeness(&grammar.productions[*id])).collect();
            let known: BTreeSet<usize> = (self.productions.iter())
                .flat_map(|id| grammar.productions[*id].children.iter().copied())
                .chain([self.root])
                .collect();
            let needs_no_more = self.needs_no_more(grammar);
            let new = (0..grammar.productions.len()).filter(|id| {
                let one = &grammar.productions[*id];
                let on: Vec<usize> = one.children.iter().filter_map(free).collect();
                // Two sets in one are a set too, but one that says less.
                let most = if idle.contains(&one.shape) { 0 } else { 1 };
                let goes_on = on.len() <= most && on.iter().all(|child| known.contains(child));
                let leads = one.is_empty() && known.contains(&one.shape) && goes_on;
                needs_no_more(*id) && (leads || own.contains(&likeness(one)))
            });
            let new: Vec<usize> = new.collect();
            let before = self.productions.len();
            self.productions.extend(new);
            if self.productions.len() == before {
                return;
            }
        }
    }

    /// Adds all ways down from the root to where the family has its first places, over nodes with nothing in the
    /// set: so the set may lie anywhere.
    pub(crate) fn lead_down(&mut self, grammar: &Grammar) {
        let (nothing, idle) = (grammar.nothing(), self.idle(grammar));
        let own: BTreeSet<usize> = self.productions.iter().map(|id| grammar.productions[*id].shape).collect();
        let needs_no_more = self.needs_no_more(grammar);
        // A production that leads on to one node only, and its shape there.
        let leads = |id: usize| {
            let one = &grammar.productions[id];
            let mut on = one.children.iter().copied().filter(|child| !idle.contains(child));
            // Where there may be nothing too, one could not tell whether there is.
            let is_way = one.is_empty() && !idle.contains(&one.shape);
            let is_way = is_way && (own.contains(&one.shape) || !nothing.contains(&one.shape));
            match (is_way, on.next(), on.next()) {
                (true, Some(child), None) => Some((one.shape, child)),
                _ => None,
            }
        };
        let mut reached = BTreeSet::from([self.root]);
        let mut open = vec![self.root];
        while let Some(shape) = open.pop() {
            let below =
                self.productions.iter().filter_map(|id| leads(*id)).filter(|(from, _)| *from == shape);
            open.extend(below.map(|(_, child)| child).filter(|child| reached.insert(*child)));
        }
        let all: Vec<(usize, (usize, usize))> = (0..grammar.productions.len())
            .filter(|id| needs_no_more(*id))
            .filter_map(|id| Some((id, leads(id)?)))
            .collect();
        loop {
            let before = reached.len();
            let from = all.iter().filter(|(_, (_, child))| reached.contains(child));
            let new: Vec<usize> = from.map(|(_, (shape, _))| *shape).collect();
            reached.extend(new);
            if reached.len() == before {
                break;
            }
        }
        let between = all.iter().filter(|(_, (_, child))| reached.contains(child));
        if self
            .productions
            .iter()
            .any(|id| grammar.productions[*id].shape == self.root && leads(*id).is_some())
        {
            self.productions.extend(between.map(|(id, _)| *id));
        }
    }

    /// Adds productions, where the grammar has them, for the rules that the family can't be continued by.
    pub(crate) fn complete(&mut self, grammar: &Grammar, system: &System) {
        let mut open = vec![self.root];
        let mut seen = BTreeSet::from([self.root]);
        while let Some(shape) = open.pop() {
            for &rule in &system.predicates[grammar.shapes[shape].predicate].rules {
                let mut own: Vec<usize> =
                    grammar.of(shape, rule).filter(|id| self.productions.contains(id)).collect();
                for initial in grammar.starts(system, rule) {
                    if !own.iter().any(|id| grammar.productions[*id].allows(&initial)) {
                        own.extend(self.best(grammar, shape, (rule, &initial), &seen));
                    }
                }
                self.productions.extend(own.iter().copied());
                for child in own.into_iter().flat_map(|id| &grammar.productions[id].children) {
                    if seen.insert(*child) {
                        open.push(*child);
                    }
                }
            }
        }
    }

    /// The production that looks most like what the family has already.
    fn best(
        &self,
        grammar: &Grammar,
        shape: usize,
        (rule, initial): (RuleId, &[StateId]),
        seen: &BTreeSet<usize>,
    ) -> Option<usize> {
        let known = || self.productions.iter().map(|id| &grammar.productions[*id]);
        // Where nothing is in the set so far, nothing is to come; where nothing is known, rather nothing.
        let idle = self.idle(grammar);
        let (is_idle, is_known) = (idle.contains(&shape), known().any(|one| one.shape == shape));
        let alike = |id: &usize| {
            let production = &grammar.productions[*id];
            let new = production.children.iter().filter(|child| !seen.contains(child)).count();
            let differs = known().filter(|known| known.rule == rule && known.places != production.places);
            let is_something = is_idle
                && !(production.is_empty() && production.children.iter().all(|one| idle.contains(one)));
            (is_known && is_something, differs.count(), is_something, new, production.needs.len(), *id)
        };
        grammar.of(shape, rule).filter(|id| grammar.productions[*id].allows(initial)).min_by_key(alike)
    }

    /// The productions that occur in derivations from the root.
    pub(crate) fn trim(&mut self, grammar: &Grammar) {
        let mut open = vec![self.root];
        let mut seen = BTreeSet::from([self.root]);
        let mut kept = BTreeSet::new();
        while let Some(shape) = open.pop() {
            for id in self.productions.iter().filter(|id| grammar.productions[**id].shape == shape) {
                kept.insert(*id);
                open.extend(grammar.productions[*id].children.iter().filter(|child| seen.insert(**child)));
            }
        }
        self.productions = kept;
    }
}

/// The states, with their weights, that a production puts in the set.
fn named_states<'s>(grammar: &Grammar, system: &'s System, production: usize) -> BTreeSet<(&'s str, i64)> {
    let production = &grammar.productions[production];
    let atoms = system.rules[production.rule].instance_atoms().zip(&production.places);
    let states = atoms.flat_map(|(atom, weights)| {
        let states = system.types[atom.component].states.iter().zip(weights);
        states.map(|(state, weight)| (state.name.as_str(), *weight))
    });
    states.filter(|(_, weight)| *weight != 0).collect()
}
