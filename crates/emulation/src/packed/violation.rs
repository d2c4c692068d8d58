//! What must never be, prepared for packed states.
//!
//! A condition may concern the last step. States do not know which step led to them, so such a condition is
//! evaluated one step earlier: for labels that are the same to it (a *class*), its part about the last step
//! is a constant, and what remains is a condition on the state after a step of that class. Where the last
//! step does not matter, the condition is evaluated in the state itself.

use rustc_hash::FxHashMap;

use paramcheck_model::error::Comparison;
use paramcheck_nets::explore::pack::{Cubes, FieldId, Value};
use paramcheck_nets::explore::system::{Goal, State};
use paramcheck_process::model::LabelId;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::{Budget, Stop};

use super::{GROUP, Holders, Packed, component, holders, ones, split, wanted};
use crate::evolution::Evolution;
use crate::question::{Condition, Term};
use crate::triple::LocationId;

/// A condition that must never hold.
pub struct Violation<'a> {
    packed: &'a Packed<'a>,
    kind: Kind,
}

enum Kind {
    /// It does not concern the last step.
    OfState {
        test: Test,
        /// Whether it holds in states without successors only.
        in_dead_only: bool,
    },
    /// It does.
    OfStep {
        /// What it requires of an initial state, which no step leads to.
        initially: Test,
        /// Per class of rules: which ones, a bit each, and what it requires of the state after them.
        classes: Vec<(Vec<u64>, Test)>,
    },
}

/// A condition on a state, prepared.
enum Test {
    Constant(bool),
    Can(Cubes),
    Stuck,
    Terminated,
    At(FieldId, Vec<Value>),
    Count(Vec<(u64, FieldId, Vec<Value>)>, Comparison, u64),
    Not(Box<Test>),
    And(Vec<Test>),
    Or(Vec<Test>),
}

impl<'a> Violation<'a> {
    /// Prepares a condition. `None` if it can't be: a step in it would need too many rules.
    ///
    /// # Errors
    /// The budget ended.
    pub fn new(
        packed: &'a Packed<'a>,
        condition: &Condition,
        budget: &Budget,
    ) -> Result<Option<Violation<'a>>, Stop> {
        let holders = holders(packed.structure, &mut budget.pace())?;
        let prepare = |condition: &Condition| packed.test(condition, &holders, budget);
        let mut sets: Vec<Vec<LabelId>> = Vec::new();
        condition.each_did(&mut |labels| sets.push(labels.to_vec()));
        if sets.is_empty() {
            let in_dead_only = implies_stuck(condition);
            return Ok(prepare(condition)?
                .map(|test| Violation { packed, kind: Kind::OfState { test, in_dead_only } }));
        }
        sets.sort_unstable();
        sets.dedup();
        let Some(initially) = prepare(&after(condition, None))? else { return Ok(None) };
        // Labels that are in the same sets, each class with one of its labels.
        let mut masks: FxHashMap<Vec<bool>, (LabelId, Vec<u64>)> = FxHashMap::default();
        let mut pace = budget.pace();
        for (number, rule) in packed.rules.iter().enumerate() {
            pace()?;
            let label = rule.label;
            let class = sets.iter().map(|set| set.binary_search(&label).is_ok()).collect();
            let none = || (label, vec![0; packed.enabled.groups()]);
            masks.entry(class).or_insert_with(none).1[number / GROUP] |= 1 << (number % GROUP);
        }
        let mut masks: Vec<(LabelId, Vec<u64>)> = masks.into_values().collect();
        masks.sort_unstable();
        let mut classes = Vec::new();
        for (label, mask) in masks {
            match prepare(&after(condition, Some(label)))? {
                None => return Ok(None),
                Some(Test::Constant(false)) => {}
                Some(test) => classes.push((mask, test)),
            }
        }
        Ok(Some(Violation { packed, kind: Kind::OfStep { initially, classes } }))
    }

    /// As a goal of the engine: it holds in a state where the condition does, or after a step from it.
    pub fn goal<'b, S: State + 'b>(&'b self) -> Goal<'b, S> {
        match &self.kind {
            Kind::OfState { test, in_dead_only: true } => {
                Goal::of_dead(move |state| self.packed.holds(test, state, Some(true)))
            }
            Kind::OfState { test, in_dead_only: false } => {
                Goal::new(move |state, is_dead| Some(self.packed.holds(test, state, Some(is_dead))))
            }
            Kind::OfStep { initially, classes } => {
                let initial: Vec<S> = match initially {
                    Test::Constant(false) => Vec::new(),
                    _ => Evolution::new(self.packed.structure)
                        .initial()
                        .iter()
                        .map(|one| self.packed.pack(one))
                        .collect(),
                };
                Goal::new(move |state, is_dead| {
                    let holds_here = || self.packed.holds(initially, state, Some(is_dead));
                    Some((initial.contains(state) && holds_here()) || self.step(classes, state).is_some())
                })
            }
        }
    }

    /// The action that the condition holds after, in a state where the goal holds; `None` where it holds in
    /// the state itself.
    pub fn last_action<S: State>(&self, state: &S, is_initial: bool) -> Option<u32> {
        match &self.kind {
            Kind::OfState { .. } => None,
            Kind::OfStep { initially, .. } if is_initial && self.packed.holds(initially, state, None) => None,
            Kind::OfStep { classes, .. } => self.step(classes, state),
        }
    }

    /// The first rule of a class that is enabled and leads to where the test of the class holds.
    fn step<S: State>(&self, classes: &[(Vec<u64>, Test)], state: &S) -> Option<u32> {
        let packed = self.packed;
        for (group, enabled) in
            (0..packed.enabled.groups()).map(|group| (group, packed.enabled.holding_in(group, state)))
        {
            for (mask, test) in classes {
                let found = ones(enabled & mask[group]).map(|bit| group * GROUP + bit).find(|number| {
                    matches!(test, Test::Constant(true))
                        || packed.holds(test, &packed.after(state, &packed.rules[*number]), None)
                });
                if let Some(number) = found {
                    return Some(number as u32);
                }
            }
        }
        None
    }
}

impl Packed<'_> {
    /// Recursion is bounded by the parser's limit on nesting.
    fn test(&self, condition: &Condition, holders: &Holders, budget: &Budget) -> Result<Option<Test>, Stop> {
        budget.check()?;
        let all = |parts: &[Condition]| -> Result<Option<Vec<Test>>, Stop> {
            parts.iter().map(|part| self.test(part, holders, budget)).collect()
        };
        Ok(match condition {
            Condition::Constant(value) => Some(Test::Constant(*value)),
            // The first is replaced by a constant before; data are not packed.
            Condition::Did(_) | Condition::Holds(_) => None,
            Condition::Can(labels) => {
                let mut cubes = Vec::new();
                for (_, triple) in self.structure.steps_of(labels) {
                    let Some(own) = split(self.structure, wanted(holders, triple)) else { return Ok(None) };
                    cubes.extend(own);
                }
                Cubes::new(&self.layout, &cubes, budget)?.map(Test::Can)
            }
            Condition::Stuck => Some(Test::Stuck),
            Condition::Terminated => Some(Test::Terminated),
            Condition::At(counter, locations) => Some(Test::At(component(*counter), states_of(locations))),
            Condition::Count(terms, comparison, bound) => {
                let term = |term: &Term| (term.weight, component(term.counter), states_of(&term.locations));
                Some(Test::Count(terms.iter().map(term).collect(), *comparison, *bound))
            }
            Condition::Not(inside) => {
                self.test(inside, holders, budget)?.map(|inside| Test::Not(Box::new(inside)))
            }
            Condition::And(parts) => all(parts)?.map(Test::And),
            Condition::Or(parts) => all(parts)?.map(Test::Or),
        })
    }

    /// Recursion is bounded by the parser's limit on nesting. Whether the state is dead, where that is known.
    fn holds<S: State>(&self, test: &Test, state: &S, is_dead: Option<bool>) -> bool {
        let is_at =
            |component: &FieldId, states: &[Value]| states.contains(&self.layout.get(state, *component));
        match test {
            Test::Constant(value) => *value,
            Test::Can(cubes) => cubes.any_holds(state),
            Test::Stuck => is_dead.unwrap_or_else(|| !self.enabled.any_holds(state)),
            Test::Terminated => self.is_terminated(state),
            Test::At(component, states) => is_at(component, states),
            Test::Count(terms, comparison, bound) => {
                let counted = terms.iter().filter(|(_, component, states)| is_at(component, states));
                comparison.holds(counted.fold(0, |sum: u64, term| sum.saturating_add(term.0)), *bound)
            }
            Test::Not(inside) => !self.holds(inside, state, is_dead),
            Test::And(parts) => parts.iter().all(|part| self.holds(part, state, is_dead)),
            Test::Or(parts) => parts.iter().any(|part| self.holds(part, state, is_dead)),
        }
    }
}

/// What a condition requires of the state after a step with this label (`None`: of an initial state),
/// simplified. Recursion is bounded by the parser's limit on nesting.
fn after(condition: &Condition, last: Option<LabelId>) -> Condition {
    let joined = |parts: &[Condition], neutral: bool, join: fn(Vec<Condition>) -> Condition| {
        let mut left = Vec::new();
        for part in parts {
            match after(part, last) {
                Condition::Constant(value) if value == neutral => {}
                Condition::Constant(value) => return Condition::Constant(value),
                other => left.push(other),
            }
        }
        if left.is_empty() { Condition::Constant(neutral) } else { join(left) }
    };
    match condition {
        Condition::Did(labels) => {
            Condition::Constant(last.is_some_and(|last| labels.binary_search(&last).is_ok()))
        }
        Condition::Not(inside) => match after(inside, last) {
            Condition::Constant(value) => Condition::Constant(!value),
            other => Condition::Not(Box::new(other)),
        },
        Condition::And(parts) => joined(parts, true, Condition::And),
        Condition::Or(parts) => joined(parts, false, Condition::Or),
        other => other.clone(),
    }
}

/// Whether the condition holds in states without successors only. Recursion is bounded by the parser's limit
/// on nesting.
fn implies_stuck(condition: &Condition) -> bool {
    match condition {
        Condition::Stuck => true,
        Condition::And(parts) => parts.iter().any(implies_stuck),
        Condition::Or(parts) => parts.iter().all(implies_stuck),
        _ => false,
    }
}

fn states_of(locations: &[LocationId]) -> Vec<Value> {
    locations.iter().map(|location| Value::new(location.index())).collect()
}
