//! Questions about a program: conditions on one moment of a run, and what is demanded of runs.
//!
//! Checks of processes and errors of instances (`error`) become the same few conditions, so that every
//! language is written from one kind, and the explorer and [`replay`](super::replay) evaluate it.

use paramcheck_model::error::{Comparison, NamedError};
use paramcheck_model::system::System;
use paramcheck_nets::instance::net::Net;
use paramcheck_process::model::{Check, Formula, Goal, LabelId};

use super::triple::{CounterId, LocationId};

mod error;

#[cfg(test)]
mod tests;

pub use error::NoCondition;

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
    /// Calls `each` with every set of labels that the condition compares the last step with.
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
}

impl Demand {
    /// What must never hold, or must hold at some time.
    pub(crate) fn condition(&self) -> &Condition {
        match self {
            Demand::Never(condition) | Demand::Eventually(condition) => condition,
        }
    }
}

impl Question {
    /// A check of a process.
    pub fn of_check(check: &Check) -> Question {
        let not = |condition| Condition::Not(Box::new(condition));
        let demand = match &check.goal {
            Goal::NoDeadlock => {
                Demand::Never(Condition::And(vec![Condition::Stuck, not(Condition::Terminated)]))
            }
            Goal::Always(formula) => Demand::Never(not(of_formula(formula))),
            Goal::Eventually(formula) => Demand::Eventually(of_formula(formula)),
        };
        Question { name: check.name.clone(), demand }
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
