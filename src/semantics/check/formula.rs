//! Formulas at a moment of a run: a state and the step before it. What is possible in a state is what the
//! scheduler allows: with round-robin, the steps of whoever has the turn.

use super::runs::Runs;
use crate::process::model::Formula;
use crate::semantics::lts::{Lts, Transition};
use crate::support::index::Idx;

/// A formula whose atoms have been evaluated: `did` by label, `can` by node. In the order in which the atoms
/// stand in the formula.
pub struct Valuation<'a> {
    lts: &'a Lts,
    runs: &'a Runs<'a>,
    formula: &'a Formula,
    atoms: Vec<Vec<bool>>,
    /// Whether there is a `can` in it.
    asks_what_can_be: bool,
}

impl<'a> Valuation<'a> {
    /// Evaluates the atoms of a formula.
    pub fn new(lts: &'a Lts, runs: &'a Runs<'a>, formula: &'a Formula) -> Self {
        let mut valuation = Valuation { lts, runs, formula, atoms: Vec::new(), asks_what_can_be: false };
        valuation.collect(formula);
        valuation
    }

    /// Recursion is bounded by the parser's limit on nesting.
    fn collect(&mut self, formula: &Formula) {
        match formula {
            Formula::Did(labels) => {
                let mut by_label = vec![false; self.lts.labels.len()];
                labels.iter().for_each(|label| by_label[label.index()] = true);
                self.atoms.push(by_label);
            }
            Formula::Can(labels) => {
                self.asks_what_can_be = true;
                let can = |edge| labels.binary_search(&self.runs.transition(edge).label).is_ok();
                let nodes = 0..self.runs.len() as u32;
                self.atoms.push(nodes.map(|node| self.runs.edge_positions(node).any(can)).collect());
            }
            Formula::Terminated => {}
            Formula::Not(inner) => self.collect(inner),
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().for_each(|part| self.collect(part));
            }
        }
    }

    /// Whether enough is known of a node to say whether the formula holds in it: its edges, or nothing if the
    /// formula does not ask what is possible.
    pub fn is_decided(&self, node: u32) -> bool {
        self.runs.is_known(node) || !self.asks_what_can_be
    }

    /// Whether the formula holds in a node, which is decided, after a step (none at first).
    pub fn holds(&self, node: u32, last: Option<&Transition>) -> bool {
        self.evaluate(self.formula, node, last, &mut 0)
    }

    /// `next` is the number of the next atom; all atoms are passed, whatever the value.
    fn evaluate(&self, formula: &Formula, node: u32, last: Option<&Transition>, next: &mut usize) -> bool {
        let mut atom = || {
            *next += 1;
            &self.atoms[*next - 1]
        };
        match formula {
            Formula::Did(_) => {
                let by_label = atom();
                last.is_some_and(|transition| by_label[transition.label.index()])
            }
            Formula::Can(_) => atom()[node as usize],
            Formula::Terminated => self.lts.is_terminated(self.runs.state(node)),
            Formula::Not(inner) => !self.evaluate(inner, node, last, next),
            Formula::And(parts) => {
                parts.iter().filter(|part| !self.evaluate(part, node, last, next)).count() == 0
            }
            Formula::Or(parts) => {
                parts.iter().filter(|part| self.evaluate(part, node, last, next)).count() > 0
            }
        }
    }
}
