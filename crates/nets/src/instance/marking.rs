//! Markings of an instance, and which of them are errors.
//!
//! A formula over components (`wsks { … }`) is evaluated by how many components are of each of its colours;
//! where that takes too much work it is *not decided*, and so is what depends on it.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use crate::instance::net::Net;
use paramcheck_model::error::wsks::{ColourId, ComponentFormula};
use paramcheck_model::error::{Comparison, ErrorFormula};
use paramcheck_model::rule::PatternGroupId;
use paramcheck_model::system::System;
use paramcheck_model::tree::TreeMarking;
use paramcheck_text::index::Idx;

#[cfg(test)]
mod tests;

pub use crate::instance::net::Marking;

/// The marking of `net` that `marking` gives by nodes of the tree, or `None` where it does not fit.
pub fn from_tree(net: &Net, marking: &TreeMarking) -> Option<Marking> {
    if marking.iter().map(Vec::len).sum::<usize>() != net.components().len() {
        return None;
    }
    let states = net.components().iter().map(|component| {
        let state = *marking.get(component.node)?.get(component.atom)?;
        (state.index() < component.state_count).then_some(state)
    });
    states.collect()
}

/// The most work on a formula over components in one marking.
const MAX_WORK: u64 = 1_000_000;
/// The most work on a formula over components in all markings of a net: the budget is not checked meanwhile.
const MAX_TOTAL_WORK: u64 = 5_000_000;

/// Whether `marking` is an error; `None` where that is too much work to decide (formulas over components
/// only). To evaluate many markings, make an [`ErrorCheck`] once.
pub fn evaluate(system: &System, net: &Net, formula: &ErrorFormula, marking: &Marking) -> Option<bool> {
    ErrorCheck::new(system, net, formula).holds(net, marking)
}

/// An error formula, prepared for the markings of one net.
#[derive(Debug)]
pub struct ErrorCheck {
    /// Per place whether a component may rest there.
    is_final: Vec<bool>,
    formula: Prepared,
}

#[derive(Debug)]
enum Prepared {
    Deadlock,
    /// Per place its weight.
    Count {
        weights: Vec<u64>,
        comparison: Comparison,
        bound: u64,
    },
    Pattern(PatternGroupId),
    Components(PreparedComponents),
    Not(Box<Prepared>),
    And(Vec<Prepared>),
    Or(Vec<Prepared>),
}

/// A formula over components, prepared for one net.
#[derive(Debug)]
struct PreparedComponents {
    formula: Arc<ComponentFormula>,
    /// Per place its colour.
    colours: Vec<ColourId>,
    memory: Mutex<Memory>,
}

/// What is remembered from one marking to the next.
#[derive(Clone, Debug)]
struct Memory {
    /// What was found out, by the numbers of components per colour: markings share them.
    known: FxHashMap<Vec<u64>, Option<bool>>,
    /// The work that is left.
    work: u64,
}

impl PreparedComponents {
    fn new(net: &Net, formula: &Arc<ComponentFormula>) -> Self {
        let mut colours = vec![ColourId::new(0); net.place_count()];
        for (id, component) in net.components().enumerate() {
            for (colour, places) in formula.colours().enumerate() {
                for &(_, state) in places.iter().filter(|place| place.0 == component.component_type) {
                    colours[net.place(id, state)] = colour;
                }
            }
        }
        let memory = Mutex::new(Memory { known: FxHashMap::default(), work: MAX_TOTAL_WORK });
        PreparedComponents { formula: Arc::clone(formula), colours, memory }
    }

    fn holds(&self, net: &Net, marking: &Marking) -> Option<bool> {
        let mut counts = vec![0; self.formula.colours().len()];
        for (component, &state) in marking.enumerate() {
            counts[self.colours[net.place(component, state)].index()] += 1;
        }
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&known) = memory.known.get(&counts) {
            return known;
        }
        let (holds, cost) = self.formula.holds_and_cost(&counts, MAX_WORK.min(memory.work));
        memory.work -= cost;
        memory.known.insert(counts, holds.ok());
        holds.ok()
    }
}

impl ErrorCheck {
    /// Prepares `formula` for `net`, an instance of `system`.
    pub fn new(system: &System, net: &Net, formula: &ErrorFormula) -> ErrorCheck {
        let formula = Prepared::new(net, formula);
        let is_final = net
            .components()
            .iter()
            .flat_map(|component| {
                system.types[component.component_type].states.iter().map(|state| state.is_final)
            })
            .collect();
        ErrorCheck { is_final, formula }
    }

    /// Whether `marking` of `net`, the net prepared for, is an error; `None` where that is too much work to
    /// decide (formulas over components only).
    pub fn holds(&self, net: &Net, marking: &Marking) -> Option<bool> {
        self.evaluate(&self.formula, net, marking)
    }

    fn evaluate(&self, formula: &Prepared, net: &Net, marking: &Marking) -> Option<bool> {
        Some(match formula {
            Prepared::Deadlock => {
                let mut places = marking.enumerate().map(|(component, &state)| net.place(component, state));
                places.any(|place| !self.is_final[place]) && net.is_dead(marking)
            }
            Prepared::Count { weights, comparison, bound } => {
                let sum = marking
                    .enumerate()
                    .map(|(component, &state)| weights[net.place(component, state)])
                    .fold(0_u64, u64::saturating_add);
                comparison.holds(sum, *bound)
            }
            Prepared::Pattern(group) => net.patterns().iter().any(|pattern| {
                pattern.group == *group
                    && pattern
                        .conditions
                        .iter()
                        .all(|(component, states)| states.contains(&marking[*component]))
            }),
            Prepared::Components(components) => return components.holds(net, marking),
            Prepared::Not(inner) => !self.evaluate(inner, net, marking)?,
            Prepared::And(parts) => return self.decisive(parts, false, net, marking),
            Prepared::Or(parts) => return self.decisive(parts, true, net, marking),
        })
    }

    /// `value` if some part has it, its opposite if all have that; undecided where it depends on what is.
    fn decisive(&self, parts: &[Prepared], value: bool, net: &Net, marking: &Marking) -> Option<bool> {
        let mut result = Some(!value);
        for part in parts {
            match self.evaluate(part, net, marking) {
                Some(found) if found == value => return Some(value),
                Some(_) => {}
                None => result = None,
            }
        }
        result
    }
}

impl Prepared {
    fn new(net: &Net, formula: &ErrorFormula) -> Prepared {
        let all = |parts: &[ErrorFormula]| parts.iter().map(|part| Prepared::new(net, part)).collect();
        match formula {
            ErrorFormula::Deadlock => Prepared::Deadlock,
            ErrorFormula::Count(count) => {
                let mut weights = vec![0; net.place_count()];
                for (id, component) in net.components().enumerate() {
                    for &(component_type, state, weight) in &count.weights {
                        if component_type == component.component_type {
                            weights[net.place(id, state)] = weight;
                        }
                    }
                }
                Prepared::Count { weights, comparison: count.comparison, bound: count.bound }
            }
            ErrorFormula::Pattern(group) => Prepared::Pattern(*group),
            ErrorFormula::Components(formula) => Prepared::Components(PreparedComponents::new(net, formula)),
            ErrorFormula::Not(inner) => Prepared::Not(Box::new(Prepared::new(net, inner))),
            ErrorFormula::And(parts) => Prepared::And(all(parts)),
            ErrorFormula::Or(parts) => Prepared::Or(all(parts)),
        }
    }
}
