//! Conditions in SMT-LIB, about the state and the names of a clause.

use super::{Writer, all_of, any_of};
use crate::expression::Expression;
use crate::question::{Condition, Term};
use crate::triple::{CounterId, LocationId, TripleId};
use crate::writers::atom::Atoms;
use crate::writers::{NotWritable, Ranges};
use paramcheck_model::error::Comparison;
use paramcheck_process::model::LabelId;
use paramcheck_text::index::Idx;

impl Writer<'_> {
    /// A condition; recursion is bounded by what parsers allow.
    ///
    /// # Errors
    /// A sum that may be too large.
    pub(super) fn condition(&self, condition: &Condition) -> Result<String, NotWritable> {
        let all = |parts: &[Condition]| -> Result<Vec<String>, NotWritable> {
            parts.iter().map(|part| self.condition(part)).collect()
        };
        Ok(match condition {
            Condition::Constant(value) => value.to_string(),
            Condition::Not(inner) => format!("(not {})", self.condition(inner)?),
            Condition::And(parts) => all_of(&all(parts)?),
            Condition::Or(parts) => any_of(&all(parts)?),
            atom => self.atom(atom)?,
        })
    }

    /// The condition that a step may be taken now, by whom the scheduler lets act.
    pub(super) fn may_now(&self, id: TripleId) -> String {
        let triple = &self.program.structure.triples[id];
        match &self.agent {
            Some(agent) if self.has_turn(triple) => {
                let last = self.program.structure.agents.len().saturating_sub(1);
                let turns = Ranges::new(triple.agents.iter().map(|agent| *agent as usize), (0, last));
                all_of(&[Self::may(id), agent.is_in(&turns)])
            }
            _ => Self::may(id),
        }
    }
}

impl Atoms for Writer<'_> {
    fn did(&self, labels: &[LabelId]) -> String {
        let numbers = labels.iter().map(|label| label.index() + 1);
        let ranges = Ranges::new(numbers, (0, self.program.structure.labels.len()));
        self.did.as_ref().map_or("false".to_owned(), |did| did.is_in(&ranges))
    }

    fn can(&self, labels: &[LabelId]) -> String {
        let such = self.program.structure.steps_of(labels);
        any_of(&such.map(|(id, _)| self.may_now(id)).collect::<Vec<_>>())
    }

    fn stuck(&self) -> String {
        "stuck".to_owned()
    }

    fn terminated(&self) -> String {
        let structure = self.program.structure;
        let agents = structure.agents.iter();
        let ended = agents.map(|agent| self.is_at(agent.counter, structure.finals(agent.counter)));
        all_of(&ended.collect::<Vec<_>>())
    }

    fn at(&self, counter: CounterId, locations: &[LocationId]) -> String {
        self.is_at(counter, locations.iter().copied())
    }

    fn truth_of(&self, expression: &Expression) -> String {
        self.truth(expression)
    }

    fn count(&self, terms: &[Term], comparison: Comparison, bound: u64) -> Result<String, NotWritable> {
        let most = terms.iter().try_fold(0_u64, |sum, term| sum.checked_add(term.weight));
        most.ok_or(NotWritable::Sum)?;
        let parts = terms.iter().map(|term| {
            let is_at = self.is_at(term.counter, term.locations.iter().copied());
            format!("(ite {is_at} {} 0)", term.weight)
        });
        let parts: Vec<String> = parts.collect();
        let sum = match &parts[..] {
            [] => "0".to_owned(),
            [only] => only.clone(),
            several => format!("(+ {})", several.join(" ")),
        };
        Ok(match comparison {
            Comparison::NotEqual => format!("(not (= {sum} {bound}))"),
            Comparison::Equal => format!("(= {sum} {bound})"),
            other => format!("({} {sum} {bound})", other.symbol()),
        })
    }
}
