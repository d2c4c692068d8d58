//! The question in Promela: the never claim.

use std::fmt::Write as _;

use super::{CLAIMS, WORDS, Writer, infix, plain};
use crate::question::{Demand, Term};
use crate::triple::{CounterId, LocationId};
use crate::writers::atom::Atoms;
use crate::writers::plan::counted;
use crate::writers::{NotWritable, Ranges, condition};
use paramcheck_model::error::Comparison;
use paramcheck_process::model::LabelId;

impl Writer<'_> {
    pub(super) fn claim(&self, text: &mut String) -> Result<(), NotWritable> {
        let question = self.terms.plan.program.question;
        let asked = self.infix_condition(condition(&question.demand), WORDS)?;
        let _ = writeln!(text, "\n/* {} */", plain(&question.name));
        let now = if self.has_phase { format!("{} == 0 && ", self.phase) } else { String::new() };
        let _ = match question.demand {
            Demand::Never(_) => writeln!(
                text,
                "never {} {{\n  do\n  :: {now}({asked}) -> break\n  :: else\n  od\n}}",
                CLAIMS[0]
            ),
            Demand::Eventually(_) => {
                writeln!(text, "never {} {{\naccept:\n  do\n  :: !({now}({asked}))\n  od\n}}", CLAIMS[1])
            }
        };
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

    fn count(&self, terms: &[Term], comparison: Comparison, bound: u64) -> Result<String, NotWritable> {
        let structure = self.terms.structure();
        let (weights, bound) = counted(terms, bound)?;
        let parts = terms.iter().zip(weights).map(|(term, weight)| {
            let locations = term.locations.iter().copied();
            let ranges = Ranges::at(structure, term.counter, locations);
            let is_at = infix(&self.terms.counters[term.counter], &ranges).text;
            format!("({is_at} -> {weight} : 0)")
        });
        let sum = if terms.is_empty() { "0".to_owned() } else { itertools::join(parts, " + ") };
        Ok(format!("({sum} {} {bound})", comparison.symbol()))
    }
}
