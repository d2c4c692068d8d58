//! Errors of one instance as conditions: what is left of an [`ErrorFormula`] once it is known which
//! components there are.
//!
//! Counts become sums over counters, local patterns fix where counters are, and formulas over components
//! become counts. What always or never holds in this instance is decided already. Counters and locations are
//! the components and their states, as [`encode`](crate::instance::encode) makes them.

use std::sync::Arc;

use paramcheck_model::component::StateId;
use paramcheck_model::error::wsks::ComponentFormula;
use paramcheck_model::error::wsks::counting::NotCounting;
use paramcheck_model::error::{Comparison, Count, ErrorFormula};
use paramcheck_model::system::System;
use paramcheck_nets::instance::net::{Component, ComponentId, Net};
use paramcheck_text::join::joined;

use super::{Condition, Term};
use crate::instance::{counter, locations};

/// Why an error is no condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoCondition {
    /// A formula over components is no small combination of counts, not even in this instance.
    #[error("{0}, and so it is in this instance")]
    Components(NotCounting),
    /// Spin and NuSMV count to 2³¹ - 1.
    #[error("it counts beyond 2^31 - 1")]
    Sum,
}

/// More numbers of components per colour are not tried.
const MAX_CASES: usize = 4_096;
/// The work on them ends here.
const MAX_WORK: u64 = 20_000_000;
/// The largest number of the languages.
const MAX_COUNTED: u64 = i32::MAX as u64;

impl Condition {
    /// The markings of `net`, an instance of `system`, that are in `formula`.
    ///
    /// # Errors
    /// What no language here can express.
    pub(super) fn of_error(
        system: &System,
        net: &Net,
        formula: &ErrorFormula,
    ) -> Result<Condition, NoCondition> {
        let all = |parts: &[ErrorFormula]| -> Result<Vec<_>, _> {
            parts.iter().map(|part| Condition::of_error(system, net, part)).collect()
        };
        Ok(match formula {
            ErrorFormula::Deadlock => and(vec![Condition::Stuck, not(all_final(system, net))]),
            ErrorFormula::Count(count) => of_count(net, count)?,
            ErrorFormula::Pattern(group) => or(net
                .patterns()
                .iter()
                .filter(|pattern| pattern.group == *group)
                .map(|pattern| {
                    and(pattern.conditions.iter().map(|(at, states)| is_in(net, *at, states)).collect())
                })
                .collect()),
            ErrorFormula::Components(formula) => of_components(system, net, formula)?,
            ErrorFormula::Not(inner) => not(Condition::of_error(system, net, inner)?),
            ErrorFormula::And(parts) => and(all(parts)?),
            ErrorFormula::Or(parts) => or(all(parts)?),
        })
    }
}

fn not(condition: Condition) -> Condition {
    match condition {
        Condition::Constant(value) => Condition::Constant(!value),
        Condition::Not(inner) => *inner,
        other => Condition::Not(Box::new(other)),
    }
}

fn and(parts: Vec<Condition>) -> Condition {
    connect(parts, false, Condition::And)
}

fn or(parts: Vec<Condition>) -> Condition {
    connect(parts, true, Condition::Or)
}

/// `decisive` is the constant that decides the whole, its opposite is neutral.
fn connect(mut parts: Vec<Condition>, decisive: bool, join: fn(Vec<Condition>) -> Condition) -> Condition {
    if parts.contains(&Condition::Constant(decisive)) {
        return Condition::Constant(decisive);
    }
    parts.retain(|part| *part != Condition::Constant(!decisive));
    if parts.is_empty() { Condition::Constant(!decisive) } else { joined(parts, join) }
}

fn is_in(net: &Net, component: ComponentId, states: &[StateId]) -> Condition {
    match states.len() {
        0 => Condition::Constant(false),
        count if count == net.components()[component].state_count => Condition::Constant(true),
        _ => Condition::At(counter(component), locations(states)),
    }
}

/// That every component is in a final state, unless that is decided.
fn all_final(system: &System, net: &Net) -> Condition {
    match and(net.components().indices().map(|id| is_at_rest(system, net, id)).collect()) {
        Condition::Constant(value) => Condition::Constant(value),
        _ => Condition::Terminated,
    }
}

/// That a component is in a final state.
fn is_at_rest(system: &System, net: &Net, id: ComponentId) -> Condition {
    let states = system.types[net.components()[id].component_type].states.enumerate();
    is_in(net, id, &states.filter(|(_, state)| state.is_final).map(|(id, _)| id).collect::<Vec<_>>())
}

fn of_count(net: &Net, count: &Count) -> Result<Condition, NoCondition> {
    // A weight above the bound decides the comparison alone, whatever it is.
    let cap = count.bound.saturating_add(1);
    let mut terms: Vec<(u64, ComponentId, Vec<StateId>)> = Vec::new();
    let (mut least, mut most) = (0_u64, 0_u64);
    for (id, component) in net.components().enumerate() {
        let first = terms.len();
        let own = count.weights.iter().filter(|weight| weight.0 == component.component_type);
        for &(_, state, weight) in own {
            let weight = weight.min(cap);
            match terms[first..].iter_mut().find(|term| term.0 == weight) {
                Some((_, _, states)) => states.push(state),
                None => terms.push((weight, id, vec![state])),
            }
        }
        let own = &terms[first..];
        let states: usize = own.iter().map(|(_, _, states)| states.len()).sum();
        let weights = own.iter().map(|(weight, ..)| *weight);
        most = most.saturating_add(weights.clone().max().unwrap_or(0));
        if states == component.state_count {
            least = least.saturating_add(weights.min().unwrap_or(0));
        }
    }
    let always = |comparison: Comparison| match comparison {
        Comparison::AtLeast => least >= count.bound,
        Comparison::Greater => least > count.bound,
        Comparison::AtMost => most <= count.bound,
        Comparison::Less => most < count.bound,
        Comparison::Equal => least == count.bound && most == count.bound,
        Comparison::NotEqual => least > count.bound || most < count.bound,
    };
    if always(count.comparison) {
        return Ok(Condition::Constant(true));
    }
    if always(opposite(count.comparison)) {
        return Ok(Condition::Constant(false));
    }
    // Not decided: so the bound is at most `most`.
    if most > MAX_COUNTED {
        return Err(NoCondition::Sum);
    }
    let term = |(weight, id, mut states): (u64, ComponentId, Vec<StateId>)| {
        states.sort_unstable();
        Term { weight, counter: counter(id), locations: locations(&states) }
    };
    Ok(Condition::Count(terms.into_iter().map(term).collect(), count.comparison, count.bound))
}

/// The comparison that holds where this one does not.
fn opposite(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::AtLeast => Comparison::Less,
        Comparison::Less => Comparison::AtLeast,
        Comparison::Greater => Comparison::AtMost,
        Comparison::AtMost => Comparison::Greater,
        Comparison::Equal => Comparison::NotEqual,
        Comparison::NotEqual => Comparison::Equal,
    }
}

/// A formula over components as counts: those that do for every instance, or else those of this one.
fn of_components(
    system: &System,
    net: &Net,
    formula: &Arc<ComponentFormula>,
) -> Result<Condition, NoCondition> {
    let counting = ErrorFormula::Components(Arc::clone(formula));
    let refused = match counting.counting() {
        Ok(counts) => return Condition::of_error(system, net, &counts),
        Err(refused) => refused,
    };
    // How many components can be of each colour.
    let colours: Vec<_> = formula.colours().iter().collect();
    let capacity = colours.iter().map(|places| {
        let is_possible =
            |component: &&Component| places.iter().any(|place| place.0 == component.component_type);
        net.components().iter().filter(is_possible).count()
    });
    let capacity: Vec<usize> = capacity.collect();
    let mut ways = Vec::new();
    let mut work = MAX_WORK;
    let cases = sums(net.components().len(), &capacity).ok_or(NoCondition::Components(refused))?;
    for counts in cases {
        let numbers: Vec<u64> = counts.iter().map(|&count| count as u64).collect();
        let (holds, cost) = formula.holds_and_cost(&numbers, work);
        work -= cost;
        if holds.map_err(|_| NoCondition::Components(refused))? {
            let parts = colours.iter().zip(numbers).map(|(places, bound)| {
                let weights = places.iter().map(|&(component, state)| (component, state, 1)).collect();
                of_count(net, &Count { weights, comparison: Comparison::Equal, bound })
            });
            ways.push(and(parts.collect::<Result<_, _>>()?));
        }
    }
    Ok(or(ways))
}

/// All ways to write `total` as a sum of numbers up to these; `None` where there are very many.
fn sums(total: usize, capacity: &[usize]) -> Option<Vec<Vec<usize>>> {
    let mut partial: Vec<(usize, Vec<usize>)> = vec![(total, Vec::new())];
    for (position, &most) in capacity.iter().enumerate() {
        let later: usize = capacity[position + 1..].iter().fold(0, |sum, &more| sum.saturating_add(more));
        let mut longer = Vec::new();
        for (left, numbers) in partial {
            for number in left.saturating_sub(later)..=most.min(left) {
                let mut numbers = numbers.clone();
                numbers.push(number);
                longer.push((left - number, numbers));
                if longer.len() > MAX_CASES {
                    return None;
                }
            }
        }
        partial = longer;
    }
    Some(partial.into_iter().filter(|(left, _)| *left == 0).map(|(_, numbers)| numbers).collect())
}
