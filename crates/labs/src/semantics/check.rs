//! The answers to properties, from all states and all transitions.
//!
//! Each modality is decided as it is defined (`docs/labs.md`, properties). A formula that has no value in
//! some reachable state is a fault, and no answer. A state in which nothing can happen is the end of a run.

use rustc_hash::FxHashMap;

use super::evaluate::Halt;
use super::explore::{Space, holds_in};
use super::step::Rules;
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
            let next = |state: usize, at: usize| space.transitions[state].get(at).map(|(_, to)| *to);
            avoiding(space.states.len(), 0..space.initial, next, |state| !holds[state])
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
            Scopes { space, is_open: *is_open, within, opens, closes, holds, first }.violated()
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
pub(super) fn can_reach(space: &Space, holds: &[bool]) -> Vec<bool> {
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

/// A state in which a run ends, or to which it comes back, that is `allowed` all the way. `next` gives the
/// successor of a state with a number, if there are so many.
fn avoiding(
    states: usize,
    from: impl IntoIterator<Item = usize>,
    next: impl Fn(usize, usize) -> Option<usize>,
    allowed: impl Fn(usize) -> bool,
) -> Option<usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Closed,
    }
    let mut marks = vec![Mark::New; states];
    for start in from {
        if !allowed(start) || marks[start] != Mark::New {
            continue;
        }
        marks[start] = Mark::Open;
        let mut path = vec![(start, 0)];
        while let Some((state, number)) = path.last_mut() {
            let (state, at) = (*state, *number);
            *number += 1;
            let Some(to) = next(state, at) else {
                if at == 0 {
                    return Some(state);
                }
                marks[state] = Mark::Closed;
                path.pop();
                continue;
            };
            match (allowed(to), marks[to]) {
                (true, Mark::Open) => return Some(to),
                (true, Mark::New) => {
                    marks[to] = Mark::Open;
                    path.push((to, 0));
                }
                _ => {}
            }
        }
    }
    None
}

/// Where a run stands with respect to scopes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
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
pub(super) struct Scopes<'a> {
    pub(super) space: &'a Space,
    pub(super) is_open: bool,
    pub(super) within: &'a Within,
    pub(super) opens: Vec<bool>,
    pub(super) closes: Vec<bool>,
    pub(super) holds: Vec<bool>,
    pub(super) first: Vec<bool>,
}

/// The states of a space with where a run stands in them.
pub(super) struct Product {
    pub(super) nodes: Vec<(usize, Place)>,
    /// How many are there in the beginning: the first ones.
    pub(super) initial: usize,
    pub(super) transitions: Vec<Vec<usize>>,
    pub(super) parents: Vec<Option<usize>>,
    /// A state that violates the property, and the node before, unless it is initial. Nothing is behind it.
    pub(super) violation: Option<(Option<usize>, usize)>,
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
    pub(super) fn product(&self) -> Product {
        let mut product = Product {
            nodes: Vec::new(),
            initial: 0,
            transitions: Vec::new(),
            parents: Vec::new(),
            violation: None,
        };
        let mut known: FxHashMap<(usize, Place), usize> = FxHashMap::default();
        let mut add = |product: &mut Product, node, parent| {
            *known.entry(node).or_insert_with(|| {
                product.nodes.push(node);
                product.parents.push(parent);
                product.nodes.len() - 1
            })
        };
        for state in 0..self.space.initial {
            let Some(place) = self.next(Place::Outside, state) else {
                product.violation = Some((None, state));
                return product;
            };
            add(&mut product, (state, place), None);
        }
        product.initial = product.nodes.len();
        while let Some((state, place)) = product.nodes.get(product.transitions.len()).copied() {
            let at = product.transitions.len();
            let mut all = Vec::new();
            for (_, to) in &self.space.transitions[state] {
                let Some(next) = self.next(place, *to) else {
                    product.violation = Some((Some(at), *to));
                    return product;
                };
                all.push(add(&mut product, (*to, next), Some(at)));
            }
            product.transitions.push(all);
        }
        product
    }

    /// Whether a scope that stays open can violate the property.
    pub(super) fn stays_open(&self) -> bool {
        self.is_open && matches!(self.within, Within::ThereIs)
    }

    /// Whether a scope is not yet as it should be.
    pub(super) fn is_owing(&self, product: &Product, node: usize) -> bool {
        product.nodes[node].1 == Place::Owing
    }

    /// A state in which the property is violated.
    fn violated(&self) -> Option<usize> {
        let product = self.product();
        if let Some((_, state)) = product.violation {
            return Some(state);
        }
        if !self.stays_open() {
            return None;
        }
        // A scope that stays open without what is to be there: a cycle, or an end, of owing states.
        let next = |node: usize, at: usize| product.transitions[node].get(at).copied();
        let is_owing = |node: usize| self.is_owing(&product, node);
        avoiding(product.nodes.len(), 0..product.nodes.len(), next, is_owing).map(|at| product.nodes[at].0)
    }
}
