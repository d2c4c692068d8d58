//! Errors of one instance as conditions on the states of its components: what is left of an
//! [`ErrorFormula`] once it is known which components there are.
//!
//! Counts are sums over components, local patterns say where components are, and formulas over components
//! have become counts. What is always or never so for this instance is decided already. A [`Language`]
//! writes a condition.

use super::connective::{self, Connected, Shape, Words};
use paramcheck_model::component::StateId;
use paramcheck_model::error::wsks::ComponentFormula;
use paramcheck_model::error::wsks::counting::NotCounting;
use paramcheck_model::error::{Comparison, Count, ErrorFormula};
use paramcheck_model::system::System;
use paramcheck_nets::instance::net::{ComponentId, Net};
use paramcheck_text::join::joined;

/// Why an error can't be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotWritable {
    /// A formula over components is no small combination of counts, not even in this instance.
    #[error("{0}, and so it is in this instance")]
    Components(NotCounting),
    /// Spin and NuSMV count to 2³¹ - 1.
    #[error("it counts beyond 2^31 - 1")]
    Sum,
}

/// At most so many numbers of components per colour are tried.
const MAX_CASES: usize = 4_096;
/// The most work on them.
const MAX_WORK: u64 = 20_000_000;
/// The largest number of the languages.
const MAX_COUNTED: u64 = i32::MAX as u64;

/// A set of markings of one net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// All of them, or none.
    Constant(bool),
    /// No transition is enabled.
    Dead,
    /// Every component is in a final state.
    Final,
    /// A component is in one of these states: not none, not all of its type.
    In(ComponentId, Vec<StateId>),
    /// A comparison that is not decided by which components there are.
    Count(Vec<Term>, Comparison, u64),
    /// Complement.
    Not(Box<Condition>),
    /// Intersection.
    And(Vec<Condition>),
    /// Union.
    Or(Vec<Condition>),
}

/// What is added to a sum where a component is in one of these states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Term {
    pub(crate) weight: u64,
    pub(crate) component: ComponentId,
    pub(crate) states: Vec<StateId>,
}

/// How a language writes conditions.
pub(crate) trait Language {
    /// False and true.
    const CONSTANTS: [&'static str; 2];
    /// Conjunction, disjunction.
    const CONNECTIVES: [&'static str; 2];
    /// How comparisons are written.
    fn comparison(&self, comparison: Comparison) -> &'static str;
    /// The name of what is true in dead markings.
    fn dead(&self) -> String;
    /// The name of what is true where every component is in a final state.
    fn is_final(&self) -> String;
    /// That a component is in one of these states; holds together in any place.
    fn is_in(&self, component: ComponentId, states: &[StateId]) -> String;
    /// A sum; holds together on a side of a comparison.
    fn sum(&self, terms: &[Term]) -> String;
}

impl Condition {
    /// The markings of `net`, an instance of `system`, that are in `formula`.
    ///
    /// # Errors
    /// What no language here can say.
    pub(crate) fn new(system: &System, net: &Net, formula: &ErrorFormula) -> Result<Condition, NotWritable> {
        let all = |parts: &[ErrorFormula]| -> Result<Vec<_>, _> {
            parts.iter().map(|part| Condition::new(system, net, part)).collect()
        };
        Ok(match formula {
            ErrorFormula::Deadlock => and(vec![Condition::Dead, not(all_final(system, net))]),
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
            ErrorFormula::Not(inner) => not(Condition::new(system, net, inner)?),
            ErrorFormula::And(parts) => and(all(parts)?),
            ErrorFormula::Or(parts) => or(all(parts)?),
        })
    }

    /// The condition in a language.
    pub(crate) fn write<L: Language>(&self, language: &L) -> String {
        let words = Words { constants: L::CONSTANTS, connectives: L::CONNECTIVES };
        let mut text = String::new();
        connective::write(self, words, &mut |atom| atom.write_atom(language), &mut text);
        text
    }

    fn write_atom<L: Language>(&self, language: &L) -> String {
        match self {
            Condition::Dead => language.dead(),
            Condition::Final => language.is_final(),
            Condition::In(component, states) => language.is_in(*component, states),
            Condition::Count(terms, comparison, bound) => {
                let sign = language.comparison(*comparison);
                // In parentheses, for languages bind comparisons and connectives differently.
                format!("({} {sign} {bound})", language.sum(terms))
            }
            Condition::Constant(_) | Condition::Not(_) | Condition::And(_) | Condition::Or(_) => {
                String::new()
            }
        }
    }
}

impl Connected for Condition {
    fn shape(&self) -> Shape<'_, Self> {
        match self {
            Condition::Constant(value) => Shape::Constant(*value),
            Condition::Not(inner) => Shape::Not(inner),
            Condition::And(parts) => Shape::And(parts),
            Condition::Or(parts) => Shape::Or(parts),
            Condition::Dead | Condition::Final | Condition::In(..) | Condition::Count(..) => Shape::Atom,
        }
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

/// `decisive` is the constant that decides the whole, its opposite says nothing.
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
        _ => Condition::In(component, states.to_vec()),
    }
}

/// That every component is in a final state, in the languages' word for it unless that is decided.
pub(crate) fn all_final(system: &System, net: &Net) -> Condition {
    match and(net.components().indices().map(|id| is_at_rest(system, net, id)).collect()) {
        Condition::Constant(value) => Condition::Constant(value),
        _ => Condition::Final,
    }
}

/// That a component is in a final state.
pub(crate) fn is_at_rest(system: &System, net: &Net, id: ComponentId) -> Condition {
    let states = system.types[net.components()[id].component_type].states.enumerate();
    is_in(net, id, &states.filter(|(_, state)| state.is_final).map(|(id, _)| id).collect::<Vec<_>>())
}

fn of_count(net: &Net, count: &Count) -> Result<Condition, NotWritable> {
    // A weight above the bound decides the comparison alone, whatever it is.
    let cap = count.bound.saturating_add(1);
    let mut terms: Vec<Term> = Vec::new();
    let (mut least, mut most) = (0_u64, 0_u64);
    for (id, component) in net.components().enumerate() {
        let first = terms.len();
        let own = count.weights.iter().filter(|weight| weight.0 == component.component_type);
        for &(_, state, weight) in own {
            let weight = weight.min(cap);
            match terms[first..].iter_mut().find(|term| term.weight == weight) {
                Some(term) => term.states.push(state),
                None => terms.push(Term { weight, component: id, states: vec![state] }),
            }
        }
        let own = &terms[first..];
        let states: usize = own.iter().map(|term| term.states.len()).sum();
        let weights = own.iter().map(|term| term.weight);
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
        return Err(NotWritable::Sum);
    }
    Ok(Condition::Count(terms, count.comparison, count.bound))
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
    formula: &std::sync::Arc<ComponentFormula>,
) -> Result<Condition, NotWritable> {
    let counting = ErrorFormula::Components(std::sync::Arc::clone(formula));
    let refused = match counting.counting() {
        Ok(counts) => return Condition::new(system, net, &counts),
        Err(refused) => refused,
    };
    // How many components can be of each colour.
    let colours: Vec<_> = formula.colours().iter().collect();
    let capacity = colours.iter().map(|places| {
        let is_possible = |component: &&paramcheck_nets::instance::net::Component| {
            places.iter().any(|place| place.0 == component.component_type)
        };
        net.components().iter().filter(is_possible).count()
    });
    let capacity: Vec<usize> = capacity.collect();
    let mut ways = Vec::new();
    let mut work = MAX_WORK;
    let cases = sums(net.components().len(), &capacity).ok_or(NotWritable::Components(refused))?;
    for counts in cases {
        let numbers: Vec<u64> = counts.iter().map(|&count| count as u64).collect();
        let (holds, cost) = formula.holds_and_cost(&numbers, work);
        work -= cost;
        if holds.map_err(|_| NotWritable::Components(refused))? {
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
