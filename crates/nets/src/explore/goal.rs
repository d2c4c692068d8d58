//! Error formulas, prepared for packed markings.
//!
//! Counts are sums over the components that have a weight, patterns are tested all at once ([`Cubes`]).
//! Formulas over components are evaluated by [`ErrorCheck`], as is all that has no quicker form; it is the
//! definition that the quick forms are tested against.

use crate::explore::pack::{Condition, Cubes, Layout};
use crate::explore::system::{Goal, State};
use crate::instance::marking::ErrorCheck;
use crate::instance::net::{ComponentId, Net, PatternOccurrence};
use paramcheck_model::error::{Comparison, ErrorFormula};
use paramcheck_model::system::System;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Budget;

#[cfg(test)]
mod tests;

/// `formula` as a goal for the states of `net`, an instance of `system`, packed by `layout`.
pub(crate) fn goal<'a, S: State>(
    system: &'a System,
    net: &'a Net,
    layout: &'a Layout,
    formula: &ErrorFormula,
) -> Goal<'a, S> {
    match Quick::new(system, net, layout, formula) {
        Some(quick) if implies_dead(formula) => Goal::of_dead(move |state| quick.holds(layout, state, true)),
        Some(quick) => Goal::new(move |state, is_dead| Some(quick.holds(layout, state, is_dead))),
        None => {
            let check = ErrorCheck::new(system, net, formula);
            Goal::new(move |state, _| check.holds(net, &layout.unpack(state)))
        }
    }
}

/// Whether the goal's answer for one state may depend on the states evaluated before it, since these use up
/// the work allowed. Such goals have the same answers in every run if one thread evaluates them.
pub(crate) fn depends_on_order(formula: &ErrorFormula) -> bool {
    match formula {
        ErrorFormula::Components(_) => true,
        ErrorFormula::Not(inner) => depends_on_order(inner),
        ErrorFormula::And(parts) | ErrorFormula::Or(parts) => parts.iter().any(depends_on_order),
        ErrorFormula::Deadlock | ErrorFormula::Count(_) | ErrorFormula::Pattern(_) => false,
    }
}

/// Whether every marking in the error is dead, so that a search of dead markings finds it.
pub fn implies_dead(formula: &ErrorFormula) -> bool {
    match formula {
        ErrorFormula::Deadlock => true,
        ErrorFormula::And(parts) => parts.iter().any(implies_dead),
        ErrorFormula::Or(parts) => parts.iter().all(implies_dead),
        ErrorFormula::Not(_)
        | ErrorFormula::Count(_)
        | ErrorFormula::Pattern(_)
        | ErrorFormula::Components(_) => false,
    }
}

/// The goal of terminations: dead markings in which all components are in final states.
pub(crate) fn termination<'a, S: State>(system: &'a System, net: &'a Net, layout: &'a Layout) -> Goal<'a, S> {
    let may_rest = MayRest::new(system, net);
    Goal::of_dead(move |state| may_rest.holds(layout, state))
}

/// Which states components may rest in.
struct MayRest {
    /// The components that may not rest in every state, and where they may.
    limited: Vec<(ComponentId, Vec<bool>)>,
}

impl MayRest {
    fn new(system: &System, net: &Net) -> Self {
        let limited = net.components().enumerate().filter_map(|(id, component)| {
            let states = &system.types[component.component_type].states;
            let is_final: Vec<bool> = states.iter().map(|state| state.is_final).collect();
            is_final.contains(&false).then_some((id, is_final))
        });
        MayRest { limited: limited.collect() }
    }

    fn holds<S: State>(&self, layout: &Layout, state: &S) -> bool {
        self.limited.iter().all(|(component, is_final)| is_final[layout.get(state, *component).index()])
    }
}

enum Quick {
    Deadlock(MayRest),
    Count { weights: Vec<(ComponentId, Vec<u64>)>, comparison: Comparison, bound: u64 },
    Pattern(Cubes),
    Not(Box<Quick>),
    And(Vec<Quick>),
    Or(Vec<Quick>),
}

impl Quick {
    fn new(system: &System, net: &Net, layout: &Layout, formula: &ErrorFormula) -> Option<Quick> {
        let all = |parts: &[ErrorFormula]| -> Option<Vec<Quick>> {
            parts.iter().map(|part| Quick::new(system, net, layout, part)).collect()
        };
        Some(match formula {
            ErrorFormula::Deadlock => Quick::Deadlock(MayRest::new(system, net)),
            ErrorFormula::Count(count) => {
                let weights = net.components().enumerate().filter_map(|(id, component)| {
                    let mut weights = vec![0; component.state_count];
                    for &(component_type, state, weight) in &count.weights {
                        if component_type == component.component_type {
                            weights[state.index()] = weight;
                        }
                    }
                    weights.iter().any(|weight| *weight > 0).then_some((id, weights))
                });
                Quick::Count { weights: weights.collect(), comparison: count.comparison, bound: count.bound }
            }
            ErrorFormula::Pattern(group) => {
                let occurrences = net.patterns().iter().filter(|pattern| pattern.group == *group);
                let condition = |occurrence: &PatternOccurrence| -> Condition {
                    let places = occurrence.conditions.iter();
                    places
                        .map(|(component, states)| {
                            ((*component).into(), states.iter().map(|&state| state.into()).collect())
                        })
                        .collect()
                };
                let conditions: Vec<Condition> = occurrences.map(condition).collect();
                // As much work as listing the patterns.
                Quick::Pattern(Cubes::new(layout, &conditions, &Budget::unlimited()).ok().flatten()?)
            }
            ErrorFormula::Components(_) => return None,
            ErrorFormula::Not(inner) => Quick::Not(Box::new(Quick::new(system, net, layout, inner)?)),
            ErrorFormula::And(parts) => Quick::And(all(parts)?),
            ErrorFormula::Or(parts) => Quick::Or(all(parts)?),
        })
    }

    fn holds<S: State>(&self, layout: &Layout, state: &S, is_dead: bool) -> bool {
        match self {
            Quick::Deadlock(may_rest) => is_dead && !may_rest.holds(layout, state),
            Quick::Count { weights, comparison, bound } => {
                let sum = weights
                    .iter()
                    .map(|(component, weights)| weights[layout.get(state, *component).index()])
                    .fold(0_u64, u64::saturating_add);
                comparison.holds(sum, *bound)
            }
            Quick::Pattern(cubes) => cubes.any_holds(state),
            Quick::Not(inner) => !inner.holds(layout, state, is_dead),
            Quick::And(parts) => parts.iter().all(|part| part.holds(layout, state, is_dead)),
            Quick::Or(parts) => parts.iter().any(|part| part.holds(layout, state, is_dead)),
        }
    }
}
