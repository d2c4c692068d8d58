//! Formulas at a moment of a run: a state and the step before it. What is possible in a state is what the
//! scheduler allows: with round-robin, the steps of whoever has the turn.

use std::cell::Cell;

use rustc_hash::FxHashMap;

use super::runs::Runs;
use crate::model::{Formula, LabelId};
use crate::semantics::lts::{Lts, Transition};
use paramcheck_text::limits::{Budget, Stop};

/// How many parts of formulas are evaluated between two looks at the budget, about.
const PARTS_PER_CHECK: usize = 1 << 14;

/// A formula, prepared: what is possible has been evaluated for every node, once for each set of labels.
pub(crate) struct Valuation<'a> {
    lts: &'a Lts,
    runs: &'a Runs<'a>,
    test: Test<'a>,
    /// For each set of labels that occurs with `can`, the nodes in which it is.
    can: Vec<Vec<bool>>,
    budget: &'a Budget,
    /// Parts of the formula that have been evaluated since the budget was looked at.
    evaluated: Cell<usize>,
}

/// A formula; `can` by the number of its set of labels.
enum Test<'a> {
    Did(&'a [LabelId]),
    Can(usize),
    Terminated,
    Not(Box<Test<'a>>),
    And(Vec<Test<'a>>),
    Or(Vec<Test<'a>>),
}

impl<'a> Valuation<'a> {
    /// Prepares a formula.
    ///
    /// # Errors
    /// The budget ended.
    pub(crate) fn new(
        lts: &'a Lts,
        runs: &'a Runs<'a>,
        formula: &'a Formula,
        budget: &'a Budget,
    ) -> Result<Self, Stop> {
        let mut sets = FxHashMap::default();
        let test = prepared(formula, &mut sets);
        let mut can = vec![Vec::new(); sets.len()];
        let mut pace = budget.pace();
        for (labels, number) in sets {
            let is_one = |edge| labels.binary_search(&runs.transition(edge).label).is_ok();
            let mut nodes = Vec::with_capacity(runs.len());
            for node in 0..runs.len() as u32 {
                pace()?;
                nodes.push(runs.edge_positions(node).any(is_one));
            }
            can[number] = nodes;
        }
        Ok(Valuation { lts, runs, test, can, budget, evaluated: Cell::new(0) })
    }

    /// Whether enough is known of a node to decide whether the formula holds in it: its edges, or nothing if
    /// the formula does not depend on what is possible.
    pub(crate) fn is_decided(&self, node: u32) -> bool {
        self.runs.is_known(node) || self.can.is_empty()
    }

    /// Whether the formula holds in a node, which is decided, after a step (none at first).
    ///
    /// # Errors
    /// The budget ended.
    pub(crate) fn holds(&self, node: u32, last: Option<&Transition>) -> Result<bool, Stop> {
        let mut parts = self.evaluated.get();
        let holds = self.evaluate(&self.test, node, last, &mut parts);
        self.evaluated.set(parts);
        if parts >= PARTS_PER_CHECK {
            self.evaluated.set(0);
            self.budget.check()?;
        }
        Ok(holds)
    }

    /// Recursion is bounded by the parser's limit on nesting. Counts parts.
    fn evaluate(&self, test: &Test<'_>, node: u32, last: Option<&Transition>, parts: &mut usize) -> bool {
        *parts += 1;
        match test {
            Test::Did(labels) => last.is_some_and(|step| labels.binary_search(&step.label).is_ok()),
            Test::Can(number) => self.can[*number][node as usize],
            Test::Terminated => self.lts.is_terminated(self.runs.state(node)),
            Test::Not(inner) => !self.evaluate(inner, node, last, parts),
            Test::And(all) => all.iter().all(|part| self.evaluate(part, node, last, parts)),
            Test::Or(any) => any.iter().any(|part| self.evaluate(part, node, last, parts)),
        }
    }
}

/// Recursion is bounded by the parser's limit on nesting.
fn prepared<'a>(formula: &'a Formula, sets: &mut FxHashMap<&'a [LabelId], usize>) -> Test<'a> {
    match formula {
        Formula::Did(labels) => Test::Did(labels),
        Formula::Can(labels) => {
            let next = sets.len();
            Test::Can(*sets.entry(labels).or_insert(next))
        }
        Formula::Terminated => Test::Terminated,
        Formula::Not(inner) => Test::Not(Box::new(prepared(inner, sets))),
        Formula::And(parts) => Test::And(parts.iter().map(|part| prepared(part, sets)).collect()),
        Formula::Or(parts) => Test::Or(parts.iter().map(|part| prepared(part, sets)).collect()),
    }
}
