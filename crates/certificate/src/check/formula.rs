//! Error formulas as the checker reads them: exactly at the root, optimistically below.
//!
//! A [`Formula`] is the error in negation normal form, as a postfix program (so that nothing here
//! recurses on a formula that a user wrote), with the layout of its [`ErrorState`]s. Below the root only
//! one question matters: can the error still come true? [`Formula::can_hold`] answers it from what a
//! subtree can never take back: `live`, `unfinished` and patterns go from false to true, counts grow.
//! It answers yes too often (each literal is judged alone), never no wrongly.

use super::rejection::Rejection;
use crate::data::ErrorState;
use paramcheck_model::component::{StateId, TypeId};
use paramcheck_model::error::{Comparison, ErrorFormula};
use paramcheck_model::rule::PatternGroupId;

/// An error, ready to be evaluated.
#[derive(Clone, Debug)]
pub(super) struct Formula {
    /// The formula in negation normal form, postfix.
    program: Vec<Operation>,
    /// The groups of patterns it mentions: bit i of an error state is about the i-th. Empty for
    /// [`Formula::single_pattern`], whose only pattern belongs to no group.
    groups: Vec<PatternGroupId>,
    /// The number of pattern bits.
    pattern_count: usize,
    /// The different sums that it compares, in the order of first mention.
    sums: Vec<Sum>,
    /// Its comparisons from left to right.
    counts: Vec<Count>,
    /// Whether it mentions `deadlock`.
    mentions_deadlock: bool,
}

/// A sum.
#[derive(Clone, Debug)]
struct Sum {
    weights: Vec<(TypeId, StateId, u64)>,
    /// Values above it need not be distinguished: the largest number compared with, plus 1.
    /// ([`Formula::new`] refuses the number without successor.)
    cap: u64,
}

/// One comparison.
#[derive(Clone, Debug)]
struct Count {
    /// The sum that is compared.
    sum: usize,
    comparison: Comparison,
    bound: u64,
}

#[derive(Clone, Copy, Debug)]
enum Operation {
    /// An atom, or (if not `positive`) its complement.
    Literal { atom: Atom, positive: bool },
    /// Whether all of the last n values are true.
    All(usize),
    /// Whether any of the last n values is true.
    Any(usize),
}

#[derive(Clone, Copy, Debug)]
enum Atom {
    Deadlock,
    Pattern(usize),
    Count(usize),
}

impl Count {
    /// Whether the comparison may be `wanted` for a saturated sum. Exact, for a sum above the bound compares like
    /// any other sum above the bound; but for a bound of 2^64 − 1. It has no sum above it here, so that a sum
    /// that is equal may also be greater: then what tells the two apart is taken to hold, and not to hold.
    fn is(&self, wanted: bool, sum: u64) -> bool {
        if sum == u64::MAX && self.bound == u64::MAX {
            match self.comparison {
                Comparison::AtLeast => return wanted,
                Comparison::Less => return !wanted,
                Comparison::AtMost | Comparison::Greater | Comparison::Equal | Comparison::NotEqual => {
                    return true;
                }
            }
        }
        self.comparison.holds(sum, self.bound) == wanted
    }

    /// Whether the comparison can become `wanted` when a sum may still grow. All sums below the bound
    /// compare alike, so it is enough to try the sum itself, the bound and a sum above it.
    fn can_be(&self, wanted: bool, sum: u64) -> bool {
        let above = sum.max(self.bound.saturating_add(1));
        [sum, sum.max(self.bound), above].into_iter().any(|later| self.is(wanted, later))
    }
}

impl Formula {
    /// Reads an error of a model.
    ///
    /// # Errors
    /// [`Rejection::Unsupported`] for formulas over components that stand for too many counts.
    pub(super) fn new(formula: &ErrorFormula) -> Result<Formula, Rejection> {
        let formula = &*formula.counting().map_err(|_| Rejection::Unsupported {
            what: "a formula over components (`wsks`) that stands for too many counts",
        })?;
        enum Task<'a> {
            Visit(&'a ErrorFormula, bool),
            Emit(Operation),
        }
        let mut result = Formula {
            program: Vec::new(),
            groups: Vec::new(),
            pattern_count: 0,
            sums: Vec::new(),
            counts: Vec::new(),
            mentions_deadlock: false,
        };
        let mut tasks = vec![Task::Visit(formula, true)];
        while let Some(task) = tasks.pop() {
            let (formula, positive) = match task {
                Task::Visit(formula, positive) => (formula, positive),
                Task::Emit(operation) => {
                    result.program.push(operation);
                    continue;
                }
            };
            let atom = match formula {
                ErrorFormula::Deadlock => {
                    result.mentions_deadlock = true;
                    Atom::Deadlock
                }
                ErrorFormula::Count(count) => {
                    let sum = result.sum_of(&count.weights, count.bound.saturating_add(1));
                    result.counts.push(Count { sum, comparison: count.comparison, bound: count.bound });
                    Atom::Count(result.counts.len() - 1)
                }
                ErrorFormula::Pattern(group) => {
                    let known = result.groups.iter().position(|known| known == group);
                    Atom::Pattern(known.unwrap_or_else(|| {
                        result.groups.push(*group);
                        result.pattern_count += 1;
                        result.pattern_count - 1
                    }))
                }
                // Replaced above.
                ErrorFormula::Components(_) => {
                    return Err(Rejection::Unsupported { what: "a formula over components (`wsks`)" });
                }
                ErrorFormula::Not(inner) => {
                    tasks.push(Task::Visit(inner, !positive));
                    continue;
                }
                // De Morgan: the complement of a union is the intersection of the complements.
                ErrorFormula::And(parts) | ErrorFormula::Or(parts) => {
                    let is_and = matches!(formula, ErrorFormula::And(_));
                    let operation = if is_and == positive { Operation::All } else { Operation::Any };
                    tasks.push(Task::Emit(operation(parts.len())));
                    // Pushed backwards, so that the leftmost comes off first.
                    tasks.extend(parts.iter().rev().map(|part| Task::Visit(part, positive)));
                    continue;
                }
            };
            result.program.push(Operation::Literal { atom, positive });
        }
        Ok(result)
    }

    /// The number of a sum that has to be distinguished up to `cap`.
    fn sum_of(&mut self, weights: &[(TypeId, StateId, u64)], cap: u64) -> usize {
        match self.sums.iter_mut().enumerate().find(|(_, sum)| sum.weights == weights) {
            Some((number, sum)) => {
                sum.cap = sum.cap.max(cap);
                number
            }
            None => {
                self.sums.push(Sum { weights: weights.to_vec(), cap });
                self.sums.len() - 1
            }
        }
    }

    /// The error "the pattern occurred", for a pattern of the caller's choice.
    pub(super) fn single_pattern() -> Formula {
        Formula {
            program: vec![Operation::Literal { atom: Atom::Pattern(0), positive: true }],
            groups: Vec::new(),
            pattern_count: 1,
            sums: Vec::new(),
            counts: Vec::new(),
            mentions_deadlock: false,
        }
    }

    /// The bit of patterns of `group`, if the formula mentions them.
    pub(super) fn bit_of(&self, group: PatternGroupId) -> Option<usize> {
        self.groups.iter().position(|known| *known == group)
    }

    /// The error state of nothing at all.
    pub(super) fn empty_state(&self) -> ErrorState {
        ErrorState {
            live: false,
            unfinished: false,
            patterns: vec![false; self.pattern_count],
            counts: vec![0; self.sums.len()],
        }
    }

    /// The error state of one transition that is enabled.
    pub(super) fn live_state(&self) -> ErrorState {
        ErrorState { live: self.mentions_deadlock, ..self.empty_state() }
    }

    /// The error state of one pattern that occurs.
    pub(super) fn pattern_state(&self, bit: usize) -> ErrorState {
        let mut state = self.empty_state();
        if let Some(occurred) = state.patterns.get_mut(bit) {
            *occurred = true;
        }
        state
    }

    /// The error state of one component, given whether its state is final and whether an internal
    /// transition leaves that state.
    pub(super) fn component_state(
        &self,
        component: TypeId,
        state: StateId,
        is_final: bool,
        can_move_alone: bool,
    ) -> ErrorState {
        let weight_in = |sum: &Sum| {
            let weights = sum.weights.iter().filter(|(t, s, _)| (*t, *s) == (component, state));
            weights.fold(0u64, |all, (_, _, weight)| all.saturating_add(*weight)).min(sum.cap)
        };
        ErrorState {
            live: self.mentions_deadlock && can_move_alone,
            unfinished: self.mentions_deadlock && !is_final,
            patterns: vec![false; self.pattern_count],
            counts: self.sums.iter().map(weight_in).collect(),
        }
    }

    /// The error state of two things together.
    pub(super) fn add(&self, left: &ErrorState, right: &ErrorState) -> ErrorState {
        let values = left.counts.iter().zip(&right.counts).zip(&self.sums);
        ErrorState {
            live: left.live || right.live,
            unfinished: left.unfinished || right.unfinished,
            patterns: left.patterns.iter().zip(&right.patterns).map(|(l, r)| *l || *r).collect(),
            counts: values.map(|((l, r), sum)| l.saturating_add(*r).min(sum.cap)).collect(),
        }
    }

    /// What is wrong with `state` as an error state of this formula, if anything.
    pub(super) fn fault_in(&self, state: &ErrorState) -> Option<String> {
        if (state.live || state.unfinished) && !self.mentions_deadlock {
            return Some(
                "`live` or `unfinished` is true, but the error does not mention deadlock".to_owned(),
            );
        }
        if state.patterns.len() != self.pattern_count {
            let (found, expected) = (state.patterns.len(), self.pattern_count);
            return Some(format!("{found} patterns instead of {expected}"));
        }
        if state.counts.len() != self.sums.len() {
            let (found, expected) = (state.counts.len(), self.sums.len());
            return Some(format!("{found} counts instead of {expected}"));
        }
        let above = state.counts.iter().zip(&self.sums).find(|(value, sum)| **value > sum.cap);
        above.map(|(value, sum)| format!("the count {value} should have been saturated at {}", sum.cap))
    }

    /// Whether the marking of a whole instance with this error state is an error.
    pub(super) fn holds(&self, state: &ErrorState) -> bool {
        self.evaluate(|atom, wanted| match atom {
            Atom::Deadlock => (!state.live && state.unfinished) == wanted,
            Atom::Pattern(bit) => state.patterns.get(bit).is_none_or(|occurred| *occurred == wanted),
            Atom::Count(index) => {
                self.compared(state, index).is_none_or(|(count, sum)| count.is(wanted, sum))
            }
        })
    }

    /// Whether the marking of a subtree with this error state may be part of an error (true when in
    /// doubt). If it is false for a subtree it is false for everything around it.
    pub(super) fn can_hold(&self, state: &ErrorState) -> bool {
        self.evaluate(|atom, wanted| match (atom, wanted) {
            (Atom::Deadlock, true) => !state.live,
            (Atom::Deadlock, false) | (Atom::Pattern(_), true) => true,
            (Atom::Pattern(bit), false) => state.patterns.get(bit).is_none_or(|occurred| !occurred),
            (Atom::Count(index), wanted) => {
                self.compared(state, index).is_none_or(|(count, sum)| count.can_be(wanted, sum))
            }
        })
    }

    /// A comparison, and the value of its sum in `state`.
    fn compared(&self, state: &ErrorState, index: usize) -> Option<(&Count, u64)> {
        let count = self.counts.get(index)?;
        Some((count, *state.counts.get(count.sum)?))
    }

    /// Runs the program; `literal` decides whether an atom has the wanted value.
    fn evaluate(&self, literal: impl Fn(Atom, bool) -> bool) -> bool {
        let mut values: Vec<bool> = Vec::new();
        for operation in &self.program {
            let value = match *operation {
                Operation::Literal { atom, positive } => literal(atom, positive),
                Operation::All(n) => values.split_off(values.len().saturating_sub(n)).iter().all(|v| *v),
                Operation::Any(n) => values.split_off(values.len().saturating_sub(n)).iter().any(|v| *v),
            };
            values.push(value);
        }
        // A postfix program leaves exactly one value; in doubt everything is an error.
        values.pop().unwrap_or(true)
    }
}

#[cfg(test)]
mod tests;
