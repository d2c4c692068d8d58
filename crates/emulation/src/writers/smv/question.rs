//! Questions for NuSMV: their properties, and what makes runs fair.

use std::fmt::Write as _;

use itertools::Itertools;

use super::{SYNTAX, WORDS, Writer, is_one_of};
use crate::expression::Expression;
use crate::question::{Demand, Term};
use crate::triple::{CounterId, LocationId};
use crate::writers::atom::Atoms;
use crate::writers::plan::counted;
use crate::writers::{NotWritable, Ranges};
use paramcheck_model::error::Comparison;
use paramcheck_process::model::LabelId;
use paramcheck_text::comment::one_line;

impl Writer<'_> {
    pub(super) fn questions(&self, text: &mut String) -> Result<(), NotWritable> {
        if self.is_fair {
            self.fairness(text);
        }
        for (question, name) in self.terms.plan.questions.iter().zip(&self.properties) {
            let mut holds = self.infix_condition(question.demand.condition(), WORDS)?;
            if let Some(settled) = self.settled() {
                holds = format!("{settled} & ({holds})");
            }
            let _ = writeln!(text, "\n-- {}", one_line(&question.name));
            let _ = match question.demand {
                Demand::Never(_) => writeln!(text, "INVARSPEC NAME {name} := !({holds});"),
                Demand::Eventually(_) => writeln!(text, "LTLSPEC NAME {name} := F ({holds});"),
                Demand::Recoverable { is_always: true, .. } => {
                    writeln!(text, "CTLSPEC NAME {name} := AG EF ({holds});")
                }
                Demand::Recoverable { is_always: false, .. } => {
                    writeln!(text, "CTLSPEC NAME {name} := !E [ !({holds}) U !EF ({holds}) ];")
                }
            };
        }
        Ok(())
    }

    /// The condition that no start or join triple is to be taken; `None` where there is none.
    pub(super) fn settled(&self) -> Option<String> {
        (!self.terms.plan.silent.is_empty()).then(|| self.settled.clone())
    }

    fn fairness(&self, text: &mut String) {
        let _ = writeln!(text, "\n-- {}", self.terms.plan.schedule.words());
        for (agent, able) in self.able.iter().enumerate() {
            let own = self.sets.iter().enumerate().filter(|(_, set)| set.contains(&(agent as u32)));
            let ranges = Ranges::new(own.map(|(position, _)| position + 1), (0, self.sets.len()));
            let acted = is_one_of(&self.actors, &ranges);
            let _ = match self.out.get(agent) {
                Some(out) => writeln!(
                    text,
                    "INVAR {out} -> !{able}\nTRANS {out} -> next({out})\nJUSTICE {out} | {acted}"
                ),
                None => {
                    let parts: Vec<String> = self.settled().into_iter().chain([format!("!{able}")]).collect();
                    writeln!(text, "JUSTICE ({}) | {acted}", SYNTAX.all(&parts))
                }
            };
        }
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
        // One count per weight.
        let weighted = terms.iter().zip(weights).sorted_by_key(|(_, weight)| *weight).collect::<Vec<_>>();
        let counts = weighted.iter().chunk_by(|(_, weight)| *weight);
        let parts = counts.into_iter().map(|(weight, group)| {
            let inside = itertools::join(
                group.map(|(term, _)| self.terms.at(term.counter, term.locations.iter().copied())),
                ", ",
            );
            let factor = if weight == 1 { String::new() } else { format!("{weight} * ") };
            format!("{factor}count({inside})")
        });
        let sum = if terms.is_empty() { "0".to_owned() } else { itertools::join(parts, " + ") };
        let sign = match comparison {
            Comparison::Equal => "=",
            other => other.symbol(),
        };
        Ok(format!("({sum} {sign} {bound})"))
    }
}
