//! Cycles with all marks that are fair.
//!
//! *Weak fairness* is one more mark per unit: it stands on an edge if the unit acts there, or can't act where
//! it begins. *Strong fairness* is a Streett condition: a unit that can act again and again acts again and
//! again. A component in which one can but does not is divided: the pairs in which it can are taken away, and
//! the components of what remains are looked at again (Emerson and Lei, *Modalities for model checking*,
//! Science of Computer Programming 8, 1987, section 4).

use super::components::{Component, DEAD, Goal, NEW, visit};
use super::lasso::lasso;
use super::product::{Halt, Product};
use crate::system::{Fairness, RunOf, System};

/// The mark of every edge: a component that has it has a cycle.
const IS_EDGE: u64 = 1 << 63;

/// A strongly connected part, and the marks that a cycle through it must have.
pub(super) struct Part {
    pub(super) pairs: Vec<u32>,
    pub(super) required: Vec<u64>,
}

/// A violation: a fair run that the automaton reads, if there is one.
pub(crate) fn cycle<S: System>(product: &mut Product<'_, S>) -> Result<Option<RunOf<S>>, Halt> {
    let starts = product.initial()?;
    let mut goal = FairCycle::new(product);
    let early = visit(product, &mut Vec::new(), &starts, &mut goal)?;
    let part = match early {
        Some(component) => Some(Part { pairs: component.pairs, required: goal.all.clone() }),
        None => {
            let mut part = goal.found.take();
            while part.is_none()
                && let Some(component) = goal.unfair.pop()
            {
                part = divided(product, component)?;
            }
            part
        }
    };
    let Some(part) = part else { return Ok(None) };
    product.freeze();
    lasso(product, &starts, &part, &marks_of).map(Some)
}

/// The marks of an edge: in the first word those of the automaton, then those of units: under weak fairness
/// one each; under strong fairness two each, in two groups of words: it acts, it can act.
fn marks_of<S: System>(product: &Product<'_, S>, position: usize, marks: &mut [u64]) {
    let edge = product.edges[position];
    let Some((first, rest)) = marks.split_first_mut() else { return };
    *first = edge.marks | IS_EDGE;
    let words = product.unit_words();
    // Where nothing can happen nobody acts.
    let acts = product.acts.get(edge.step * words..(edge.step + 1) * words);
    for word in 0..words {
        let (acts, able) = (acts.map_or(0, |acts| acts[word]), product.able[word]);
        if product.fairness == Fairness::Strong {
            rest[word] = acts;
            rest[words + word] = able;
        } else {
            rest[word] = acts | !able;
        }
    }
}

/// Looks for a component with all marks of the automaton, and fair to all units.
struct FairCycle {
    width: usize,
    /// How many words a set of units has, under strong fairness; else none.
    pair_words: usize,
    /// All marks; none of units under strong fairness.
    all: Vec<u64>,
    found: Option<Part>,
    /// Components with all marks of the automaton that may have fair parts.
    unfair: Vec<Component>,
}

impl FairCycle {
    fn new<S: System>(product: &Product<'_, S>) -> FairCycle {
        let words = product.unit_words();
        let mut all = vec![product.automaton.marks | IS_EDGE];
        let is_strong = product.fairness == Fairness::Strong;
        if is_strong {
            all.resize(1 + 2 * words, 0);
        } else {
            all.extend(product.all_units());
        }
        let pair_words = if is_strong { words } else { 0 };
        FairCycle { width: all.len(), pair_words, all, found: None, unfair: Vec::new() }
    }

    fn has_all(&self, marks: &[u64]) -> bool {
        self.all.iter().zip(marks).all(|(all, marks)| all & !marks == 0)
    }
}

/// The units that can act in a component and do not, under strong fairness.
fn left_out(marks: &[u64], words: usize) -> Vec<u64> {
    (0..words).map(|word| marks[1 + words + word] & !marks[1 + word]).collect()
}

impl<S: System> Goal<S> for FairCycle {
    fn width(&self) -> usize {
        self.width
    }

    fn marks(&self, product: &Product<'_, S>, position: usize, marks: &mut [u64]) -> bool {
        marks_of(product, position, marks);
        true
    }

    fn is_found_early(&self, marks: &[u64]) -> bool {
        self.pair_words == 0 && self.has_all(marks)
    }

    fn completes(&mut self, component: Component) -> bool {
        if !self.has_all(&component.marks) {
            return false;
        }
        if left_out(&component.marks, self.pair_words).iter().any(|units| *units != 0) {
            self.unfair.push(component);
            return false;
        }
        // Whoever can act must act.
        let mut required = self.all.clone();
        for word in 0..self.pair_words {
            required[1 + word] = component.marks[1 + self.pair_words + word];
        }
        self.found = Some(Part { pairs: component.pairs, required });
        true
    }
}

/// A fair part of a component that is not fair as a whole.
fn divided<S: System>(product: &mut Product<'_, S>, component: Component) -> Result<Option<Part>, Halt> {
    let mut order = vec![DEAD; product.len()];
    let mut goal = FairCycle::new(product);
    let mut open = vec![component];
    while let Some(component) = open.pop() {
        let left_out = left_out(&component.marks, goal.pair_words);
        let mut rest = Vec::with_capacity(component.pairs.len());
        for pair in component.pairs {
            product.expand(pair, order.capacity() * 4)?;
            if product.able.iter().zip(&left_out).all(|(able, out)| able & out == 0) {
                rest.push(pair);
            }
        }
        rest.iter().for_each(|pair| order[*pair as usize] = NEW);
        visit(product, &mut order, &rest, &mut goal)?;
        if goal.found.is_some() {
            return Ok(goal.found);
        }
        open.append(&mut goal.unfair);
    }
    Ok(None)
}
