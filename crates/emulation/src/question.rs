//! Questions about a program: conditions on one moment of a run, and what is demanded of runs.
//!
//! Checks of processes and errors of instances (`error`) become the same few conditions, so that every
//! language is written from one kind, and the explorer and [`replay`](super::replay) evaluate it.

use paramcheck_model::error::{Comparison, NamedError};
use paramcheck_model::system::System;
use paramcheck_nets::instance::net::Net;
use paramcheck_process::model::{Check, Formula, Goal, LabelId};

use super::evolution::State;
use super::expression::Expression;
use super::triple::{CounterId, LocationId, Structure};

mod error;

#[cfg(test)]
mod tests;

pub(crate) use error::NoCondition;

/// A condition on a state and the step before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Always or never.
    Constant(bool),
    /// The last step had one of these labels (ascending); false before the first.
    Did(Vec<LabelId>),
    /// A step with one of these labels (ascending) is enabled.
    Can(Vec<LabelId>),
    /// No step is enabled.
    Stuck,
    /// Every agent has terminated: its counter is at a final location.
    Terminated,
    /// A counter is at one of these locations (ascending).
    At(CounterId, Vec<LocationId>),
    /// The value of an expression is not 0; false where it has none.
    Holds(Expression),
    /// A comparison of a sum with a number.
    Count(Vec<Term>, Comparison, u64),
    /// Not.
    Not(Box<Condition>),
    /// All of these.
    And(Vec<Condition>),
    /// One of these.
    Or(Vec<Condition>),
}

impl Condition {
    /// Calls `each` with every set of labels that the condition compares the last step with. Recursion is
    /// bounded by the parser's limit on nesting.
    pub fn each_did(&self, each: &mut impl FnMut(&[LabelId])) {
        self.each_atom(|atom| {
            if let Condition::Did(labels) = atom {
                each(labels);
            }
        });
    }

    /// Calls `each` with everything that has no parts. Without recursion, since conditions may be deep.
    pub(crate) fn each_atom(&self, mut each: impl FnMut(&Condition)) {
        let mut open = vec![self];
        while let Some(condition) = open.pop() {
            match condition {
                Condition::Not(inner) => open.push(inner),
                Condition::And(parts) | Condition::Or(parts) => open.extend(parts.iter().rev()),
                atom => each(atom),
            }
        }
    }
}

impl Condition {
    /// Calls `each` with every expression. Recursion is bounded by who makes conditions with expressions.
    fn each_expression<'c>(&'c mut self, each: &mut impl FnMut(&'c mut Expression)) {
        match self {
            Condition::Holds(expression) => each(expression),
            Condition::Not(inner) => inner.each_expression(each),
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter_mut().for_each(|part| part.each_expression(each));
            }
            _ => {}
        }
    }
}

/// A moment of a run: what conditions are about.
pub struct Moment<'a> {
    /// The state.
    pub state: &'a State,
    /// The label of the step before it; `None` at first.
    pub last: Option<LabelId>,
    /// Whether a step with one of these labels may be taken next.
    pub can: &'a dyn Fn(&[LabelId]) -> bool,
    /// Whether no step is enabled.
    pub is_stuck: &'a dyn Fn() -> bool,
}

impl Condition {
    /// Whether the condition holds at a moment of a run of `structure`: its definition. Recursion is bounded
    /// by the parser's limit on nesting.
    pub fn holds(&self, structure: &Structure, moment: &Moment<'_>) -> bool {
        match self {
            Condition::Constant(value) => *value,
            Condition::Did(labels) => moment.last.is_some_and(|last| labels.contains(&last)),
            Condition::Can(labels) => (moment.can)(labels),
            Condition::Stuck => (moment.is_stuck)(),
            Condition::Terminated => structure.is_terminated(moment.state),
            Condition::At(counter, locations) => locations.contains(&moment.state.location(*counter)),
            Condition::Count(terms, comparison, bound) => {
                let is_there = |term: &&Term| term.locations.contains(&moment.state.location(term.counter));
                let sum =
                    terms.iter().filter(is_there).fold(0, |sum: u64, term| sum.saturating_add(term.weight));
                comparison.holds(sum, *bound)
            }
            Condition::Holds(expression) => {
                expression.value(structure, moment.state).is_some_and(|value| value != 0)
            }
            Condition::Not(inside) => !inside.holds(structure, moment),
            Condition::And(parts) => parts.iter().all(|part| part.holds(structure, moment)),
            Condition::Or(parts) => parts.iter().any(|part| part.holds(structure, moment)),
        }
    }
}

/// What is added to a sum where a counter is at one of these locations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// How much.
    pub weight: u64,
    /// The counter.
    pub counter: CounterId,
    /// The locations, ascending.
    pub locations: Vec<LocationId>,
}

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Its name in the model.
    pub name: String,
    /// What is demanded.
    pub demand: Demand,
}

/// What is demanded of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Demand {
    /// No reachable state is such, the initial ones included: a question of reachability.
    Never(Condition),
    /// Every maximal run has a state that is such, the first included: a question of termination.
    Eventually(Condition),
    /// From every reachable state one that is such can be reached; or only from those reached without one.
    Recoverable {
        /// What can be reached.
        condition: Condition,
        /// Whether it is from every reachable state.
        is_always: bool,
    },
}

impl Demand {
    /// What must never hold, or must hold at some time.
    pub(crate) fn condition(&self) -> &Condition {
        match self {
            Demand::Never(condition)
            | Demand::Eventually(condition)
            | Demand::Recoverable { condition, .. } => condition,
        }
    }

    /// Calls `each` with every expression of the condition.
    pub(crate) fn each_expression<'c>(&'c mut self, each: &mut impl FnMut(&'c mut Expression)) {
        match self {
            Demand::Never(condition)
            | Demand::Eventually(condition)
            | Demand::Recoverable { condition, .. } => condition.each_expression(each),
        }
    }
}

impl Question {
    /// A check of a process; none, if it is a formula of temporal logic.
    pub fn of_check(check: &Check) -> Option<Question> {
        Some(Question { name: check.name.clone(), demand: Question::demand_of(&check.goal)? })
    }

    /// What a goal demands; none, if it is a formula of temporal logic.
    pub fn demand_of(goal: &Goal) -> Option<Demand> {
        let not = |condition| Condition::Not(Box::new(condition));
        Some(match goal {
            Goal::Ltl(_) => return None,
            Goal::NoDeadlock => {
                Demand::Never(Condition::And(vec![Condition::Stuck, not(Condition::Terminated)]))
            }
            Goal::Always(formula) => Demand::Never(not(of_formula(formula))),
            Goal::Eventually(formula) => Demand::Eventually(of_formula(formula)),
        })
    }

    /// That an instance never reaches an error. Counters and locations are the components and their states,
    /// as [`encode`](super::instance::encode) makes them.
    ///
    /// # Errors
    /// An error that is no combination of counts, or counts too far.
    pub fn of_error(system: &System, net: &Net, error: &NamedError) -> Result<Question, NoCondition> {
        let demand = Demand::Never(Condition::of_error(system, net, &error.formula)?);
        Ok(Question { name: error.name.clone(), demand })
    }
}

fn of_formula(formula: &Formula) -> Condition {
    match formula {
        Formula::Did(labels) => Condition::Did(labels.clone()),
        Formula::Can(labels) => Condition::Can(labels.clone()),
        Formula::Terminated => Condition::Terminated,
        Formula::Not(inside) => Condition::Not(Box::new(of_formula(inside))),
        Formula::And(parts) => Condition::And(parts.iter().map(of_formula).collect()),
        Formula::Or(parts) => Condition::Or(parts.iter().map(of_formula).collect()),
    }
}
