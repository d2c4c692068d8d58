//! Questions in Promela: never claims.

use std::fmt::Write as _;

use super::{WORDS, Writer};
use crate::expression::Expression;
use crate::question::{Demand, Term};
use crate::triple::{CounterId, LocationId};
use crate::writers::NotWritable;
use crate::writers::atom::Atoms;
use crate::writers::plan::counted;
use paramcheck_model::error::Comparison;
use paramcheck_process::model::LabelId;
use paramcheck_text::comment::remark;

impl Writer<'_> {
    pub(super) fn claims(&self, text: &mut String) -> Result<(), NotWritable> {
        let now = if self.has_phase { format!("{} == 0 && ", self.phase) } else { String::new() };
        // Initial values that the assumption does not allow begin no run.
        let is_run = match self.terms.structure().assumption {
            Some(_) if self.terms.plan.has_choice => format!(" && {} != 3", self.phase),
            _ => String::new(),
        };
        for (question, claim) in self.terms.plan.questions.iter().zip(&self.claims) {
            let holds = self.infix_condition(question.demand.condition(), WORDS)?;
            let body = match question.demand {
                Demand::Recoverable { .. } => return Err(NotWritable::Branching),
                Demand::Never(_) => format!("  do\n  :: {now}({holds}) -> break\n  :: else\n  od"),
                Demand::Eventually(_) => format!("accept:\n  do\n  :: !({now}({holds})){is_run}\n  od"),
            };
            let _ = writeln!(text, "\n{}\nnever {claim} {{\n{body}\n}}", remark(&question.name));
        }
        Ok(())
    }
}

impl Atoms for Writer<'_> {
    fn did(&self, labels: &[LabelId]) -> String {
        self.terms.is_did(&self.did, labels)
    }

    fn can(&self, labels: &[LabelId]) -> String {
        self.terms.can(labels, |id, triple| self.takes(id, triple))
    }

    fn stuck(&self) -> String {
        self.stuck.clone()
    }

    fn terminated(&self) -> String {
        self.terminated.clone()
    }

    fn at(&self, counter: CounterId, locations: &[LocationId]) -> String {
        self.terms.at(counter, locations.iter().copied())
    }

    fn truth_of(&self, expression: &Expression) -> String {
        self.terms.expressions().condition(expression)
    }

    fn count(&self, terms: &[Term], comparison: Comparison, bound: u64) -> Result<String, NotWritable> {
        let (weights, bound) = counted(terms, bound)?;
        let parts = terms.iter().zip(weights).map(|(term, weight)| {
            let is_at = self.terms.at(term.counter, term.locations.iter().copied());
            format!("({is_at} -> {weight} : 0)")
        });
        let sum = if terms.is_empty() { "0".to_owned() } else { itertools::join(parts, " + ") };
        Ok(format!("({sum} {} {bound})", comparison.symbol()))
    }
}
