//! The answers to properties, from all states and all transitions.
//!
//! Each modality is decided as it is defined (`docs/labs.md`, properties). A formula that has no value in
//! some reachable state is a fault, and no answer. A state in which nothing can happen is the end of a run.

use rustc_hash::FxHashMap;

use super::evaluate::Halt;
use super::explore::{Space, holds_in};
use super::fair::staying;
use super::step::{Fairness, Label, Rules};
use crate::model::{Expr, Modality, Property, System, Within};

/// The answer to a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It holds.
    Holds,
    /// It does not; a state that shows it: the violation, the end of a run, a state of a cycle, or one from
    /// which the formula can't be reached.
    Violated(usize),
}

/// Decides a property.
///
/// # Errors
/// The formula has no value in some state.
pub fn decide(system: &System, space: &Space, property: &Property, rules: &Rules) -> Result<Answer, Halt> {
    let holds = truths(system, space, &property.formula, rules)?;
    let violated = match &property.modality {
        Modality::Always => holds.iter().position(|holds| !holds),
        Modality::Eventually { .. } => {
            let ends = |state: usize| space.is_stuck(state);
            staying(&space.transitions, 0..space.initial, |state| !holds[state], ends, rules.fairness)
        }
        Modality::Fairly => {
            let can = can_reach(space, &holds);
            let without = reachable_within(space, |state| !holds[state]);
            (0..holds.len()).find(|state| without[*state] && !can[*state])
        }
        Modality::FairlyInfinite => can_reach(space, &holds).iter().position(|can| !can),
        Modality::Scope { is_open, opens, closes, within } => {
            let opens = truths(system, space, opens, rules)?;
            let closes = truths(system, space, closes, rules)?;
            let first = match within {
                Within::Precedes(first) => truths(system, space, first, rules)?,
                Within::ThereIs | Within::Always => Vec::new(),
            };
            Scopes { space, is_open: *is_open, within, opens, closes, holds, first }.violated(rules.fairness)
        }
    };
    Ok(violated.map_or(Answer::Holds, Answer::Violated))
}

fn truths(system: &System, space: &Space, formula: &Expr, rules: &Rules) -> Result<Vec<bool>, Halt> {
    space.states.iter().map(|state| holds_in(system, formula, &state.store.cells, rules)).collect()
}

/// The states that are reached through states that are `allowed`, themselves among them.
fn reachable_within(space: &Space, allowed: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut seen = vec![false; space.states.len()];
    let mut open: Vec<usize> = (0..space.initial).filter(|state| allowed(*state)).collect();
    for state in &open {
        seen[*state] = true;
    }
    while let Some(state) = open.pop() {
        for (_, to) in &space.transitions[state] {
            if allowed(*to) && !std::mem::replace(&mut seen[*to], true) {
                open.push(*to);
            }
        }
    }
    seen
}

/// From which states one that `holds` can be reached.
fn can_reach(space: &Space, holds: &[bool]) -> Vec<bool> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); space.states.len()];
    for (from, transitions) in space.transitions.iter().enumerate() {
        for (_, to) in transitions {
            before[*to].push(from);
        }
    }
    let mut can = holds.to_vec();
    let mut open: Vec<usize> = (0..can.len()).filter(|state| can[*state]).collect();
    while let Some(state) = open.pop() {
        for from in &before[state] {
            if !std::mem::replace(&mut can[*from], true) {
                open.push(*from);
            }
        }
    }
    can
}

/// Where a run stands with respect to scopes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    /// In no scope.
    Outside,
    /// In a scope that is not yet as it should be (`thereIs` without one so far), or is no more (`always`,
    /// `precedes`, judged at the end).
    Owing,
    /// In a scope that is as it should be; of `precedes`: nothing has happened.
    Fine,
    /// In a scope of `precedes` in which the first has happened: nothing can go wrong any more.
    Settled,
}

/// Scopes on the states of a space, with where each formula is true.
struct Scopes<'a> {
    space: &'a Space,
    is_open: bool,
    within: &'a Within,
    opens: Vec<bool>,
    closes: Vec<bool>,
    holds: Vec<bool>,
    first: Vec<bool>,
}

/// The states of a space with where a run stands in them.
struct Product {
    nodes: Vec<(usize, Place)>,
    transitions: Vec<Vec<(Label, usize)>>,
    /// A state that violates the property. Nothing is behind it.
    violation: Option<usize>,
}

impl Scopes<'_> {
    /// Where a run stands after a state; `None` if that violates the property.
    fn next(&self, before: Place, state: usize) -> Option<Place> {
        let before = match before {
            Place::Outside if !self.opens[state] || self.closes[state] => return Some(Place::Outside),
            Place::Outside if matches!(self.within, Within::ThereIs) => Place::Owing,
            Place::Outside => Place::Fine,
            Place::Owing if self.closes[state] => return None,
            _ if self.closes[state] => return Some(Place::Outside),
            before => before,
        };
        let after = match (self.within, before) {
            (Within::ThereIs, _) if self.holds[state] => Place::Fine,
            (Within::Always, Place::Fine) if !self.holds[state] => Place::Owing,
            (Within::Precedes(_), Place::Fine) if self.first[state] => Place::Settled,
            (Within::Precedes(_), Place::Fine) if self.holds[state] => Place::Owing,
            (_, before) => before,
        };
        // What has gone wrong for good needs no end of the scope, where that is not asked for.
        let is_lost = after == Place::Owing && !matches!(self.within, Within::ThereIs);
        if is_lost && self.is_open { None } else { Some(after) }
    }

    /// All nodes, breadth first, up to a violation.
    fn product(&self) -> Product {
        let mut product = Product { nodes: Vec::new(), transitions: Vec::new(), violation: None };
        let mut known: FxHashMap<(usize, Place), usize> = FxHashMap::default();
        let mut add = |product: &mut Product, node| {
            *known.entry(node).or_insert_with(|| {
                product.nodes.push(node);
                product.nodes.len() - 1
            })
        };
        for state in 0..self.space.initial {
            let Some(place) = self.next(Place::Outside, state) else {
                product.violation = Some(state);
                return product;
            };
            add(&mut product, (state, place));
        }
        while let Some((state, place)) = product.nodes.get(product.transitions.len()).copied() {
            let mut all = Vec::new();
            for (label, to) in &self.space.transitions[state] {
                let Some(next) = self.next(place, *to) else {
                    product.violation = Some(*to);
                    return product;
                };
                all.push((label.clone(), add(&mut product, (*to, next))));
            }
            product.transitions.push(all);
        }
        product
    }

    /// A state in which the property is violated.
    fn violated(&self, fairness: Fairness) -> Option<usize> {
        let product = self.product();
        if product.violation.is_some() {
            return product.violation;
        }
        if !self.is_open || !matches!(self.within, Within::ThereIs) {
            return None;
        }
        // A scope that stays open without what is to be there: a cycle, or an end, of owing states.
        let is_owing = |node: usize| product.nodes[node].1 == Place::Owing;
        let ends = |node: usize| self.space.is_stuck(product.nodes[node].0);
        let found = staying(&product.transitions, 0..product.nodes.len(), is_owing, ends, fairness);
        found.map(|node| product.nodes[node].0)
    }
}
