//! Definitions for NuSMV: when triples may be taken, who can act, whose turn it is.

use std::fmt::Write as _;

use super::{SYNTAX, Writer};
use paramcheck_text::comment::one_line;
use paramcheck_text::index::Idx;

impl Writer<'_> {
    pub(super) fn definitions(&self, text: &mut String) {
        let structure = self.terms.structure();
        text.push_str("\nDEFINE\n");
        for (name, meaning) in self.terms.meanings().chain(self.terms.offers()) {
            let _ = writeln!(text, "  {name} := {meaning};");
        }
        // Start and join triples in their order: one that is possible keeps the later ones and all steps
        // back.
        let mut earlier: Option<String> = None;
        for (id, triple) in self.terms.plan.silent() {
            let may = &self.may[id];
            let mut parts = self.terms.guard(id, triple);
            let _ = writeln!(text, "  -- {}: {}", id.index(), one_line(&self.terms.plan.words(id, triple)));
            if let Some(earlier) = &earlier {
                parts.insert(0, format!("!{earlier}"));
            }
            let _ = writeln!(text, "  {may} := {};", SYNTAX.all(&parts));
            let busy = format!("{}_or_before_{}", may, id.index());
            let before = earlier.as_ref().map_or(String::new(), |earlier| format!(" | {earlier}"));
            let _ = writeln!(text, "  {busy} := {may}{before};");
            earlier = Some(busy);
        }
        if let Some(busy) = earlier {
            let _ = writeln!(text, "  {} := !{busy};", self.settled);
        }
        for (id, triple) in structure.steps() {
            let parts: Vec<String> = self.settled().into_iter().chain(self.terms.guard(id, triple)).collect();
            let what = self.terms.plan.words(id, triple);
            let _ = writeln!(text, "  -- {}: {}", id.index(), one_line(&what));
            let _ = writeln!(text, "  {} := {};", self.may[id], SYNTAX.all(&parts));
        }
        let steps: Vec<&str> = structure.steps().map(|(id, _)| self.may[id].as_str()).collect();
        let mut parts: Vec<String> = self.settled().into_iter().collect();
        parts.push(format!("!({})", SYNTAX.any(&steps)));
        let _ = writeln!(text, "  {} := {};", self.stuck, SYNTAX.all(&parts));
        for (name, own) in self.able.iter().zip(structure.steps_by_agent()) {
            let parts: Vec<&str> = own.into_iter().map(|id| self.may[id].as_str()).collect();
            let _ = writeln!(text, "  {name} := {};", SYNTAX.any(&parts));
        }
        if self.terms.plan.takes_turns {
            let _ = write!(text, "  -- the first from the turn on that can act\n  {} := case", self.actor);
            for (agent, able) in self.able.iter().enumerate() {
                let _ = write!(text, "\n      {} <= {agent} & {able} : {agent};", self.turn);
            }
            for (agent, able) in self.able.iter().enumerate() {
                let _ = write!(text, "\n      {able} : {agent};");
            }
            let _ = writeln!(text, "\n      TRUE : {};\n    esac;", self.turn);
        }
        if self.terms.plan.needs.terminated {
            let _ = writeln!(text, "  {} := {};", self.terminated, SYNTAX.all(&self.terms.terminated()));
        }
    }
}
