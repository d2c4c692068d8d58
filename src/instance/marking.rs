//! Markings of an instance, and which of them are errors.
//!
//! A formula over components (`wsks { … }`) has no meaning here that could be evaluated: an
//! [`ErrorCheck`] for an error that contains one is not made at all, so no such question gets a wrong
//! answer.

use crate::instance::net::{ComponentId, Net};
use crate::model::component::StateId;
use crate::model::error::{Comparison, ErrorFormula};
use crate::model::rule::PatternGroupId;
use crate::model::system::System;
use crate::model::tree::TreeMarking;
use crate::support::index::{Idx, IndexVec};

#[cfg(test)]
mod tests;

/// A marking of an instance: the current state of every component.
pub type Marking = IndexVec<ComponentId, StateId>;

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

/// `marking` by nodes of the tree, which has `nodes` of them.
pub fn to_tree(net: &Net, marking: &Marking, nodes: usize) -> TreeMarking {
    let mut result = vec![Vec::new(); nodes];
    for ((_, component), &state) in net.components().enumerate().zip(marking) {
        // Components of one node stand in the order of its atoms.
        if let Some(states) = result.get_mut(component.node) {
            states.push(state);
        }
    }
    result
}

/// Whether `marking` is an error; `None` where the formula contains one over components
/// (`wsks { … }`). To ask this of many markings, make an [`ErrorCheck`] once.
pub fn evaluate(system: &System, net: &Net, formula: &ErrorFormula, marking: &Marking) -> Option<bool> {
    Some(ErrorCheck::new(system, net, formula)?.holds(net, marking))
}

/// Whether `formula` can be evaluated on markings: it contains no formula over components.
pub fn is_evaluable(formula: &ErrorFormula) -> bool {
    match formula {
        ErrorFormula::Wsks(_) => false,
        ErrorFormula::Not(inner) => is_evaluable(inner),
        ErrorFormula::And(parts) | ErrorFormula::Or(parts) => parts.iter().all(is_evaluable),
        ErrorFormula::Deadlock | ErrorFormula::Count(_) | ErrorFormula::Pattern(_) => true,
    }
}

/// An error formula, prepared for the markings of one net.
#[derive(Clone, Debug)]
pub struct ErrorCheck {
    /// Per place whether a component may rest there.
    is_final: Vec<bool>,
    formula: Prepared,
}

#[derive(Clone, Debug)]
enum Prepared {
    Deadlock,
    /// Per place its weight.
    Count {
        weights: Vec<u64>,
        comparison: Comparison,
        bound: u64,
    },
    Pattern(PatternGroupId),
    Not(Box<Prepared>),
    And(Vec<Prepared>),
    Or(Vec<Prepared>),
}

impl ErrorCheck {
    /// Prepares `formula` for `net`, an instance of `system`; `None` where it contains a formula over
    /// components (`wsks { … }`).
    pub fn new(system: &System, net: &Net, formula: &ErrorFormula) -> Option<ErrorCheck> {
        let formula = Prepared::new(net, formula)?;
        let is_final = net
            .components()
            .iter()
            .flat_map(|component| {
                system.types[component.component_type].states.iter().map(|state| state.is_final)
            })
            .collect();
        Some(ErrorCheck { is_final, formula })
    }

    /// Whether `marking` of `net`, the net prepared for, is an error.
    pub fn holds(&self, net: &Net, marking: &Marking) -> bool {
        self.evaluate(&self.formula, net, marking)
    }

    fn evaluate(&self, formula: &Prepared, net: &Net, marking: &Marking) -> bool {
        match formula {
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
            Prepared::Not(inner) => !self.evaluate(inner, net, marking),
            Prepared::And(parts) => parts.iter().all(|part| self.evaluate(part, net, marking)),
            Prepared::Or(parts) => parts.iter().any(|part| self.evaluate(part, net, marking)),
        }
    }
}

impl Prepared {
    fn new(net: &Net, formula: &ErrorFormula) -> Option<Prepared> {
        let all = |parts: &[ErrorFormula]| -> Option<Vec<Prepared>> {
            parts.iter().map(|part| Prepared::new(net, part)).collect()
        };
        Some(match formula {
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
            ErrorFormula::Wsks(_) => return None,
            ErrorFormula::Not(inner) => Prepared::Not(Box::new(Prepared::new(net, inner)?)),
            ErrorFormula::And(parts) => Prepared::And(all(parts)?),
            ErrorFormula::Or(parts) => Prepared::Or(all(parts)?),
        })
    }
}
