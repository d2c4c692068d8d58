//! Definitions for NuSMV: when triples may be taken, who can act, whose turn it is.

use std::fmt::Write as _;

use super::{SYNTAX, Writer, plain};
use paramcheck_text::index::Idx;

impl Writer<'_> {
    pub(super) fn definitions(&self, text: &mut String) {
        let structure = self.terms.plan.program.structure;
        text.push_str("\nDEFINE\n");
        for (name, meaning) in self.terms.offers() {
            let _ = writeln!(text, "  {name} := {meaning};");
        }
        // Start and join triples in their order: one that is possible keeps the later ones and all steps back.
        let mut earlier: Option<String> = None;
        for (id, triple) in self.terms.plan.silent() {
            let may = &self.may[id];
            let mut parts = self.terms.guard(id, triple);
            let _ = writeln!(text, "  -- {}: {}", id.index(), plain(&structure.action_words(triple)));
            if let Some(earlier) = &earlier {
                parts.insert(0, format!("!{earlier}"));
            }
            let _ = writeln!(text, "  {may} := {};", SYNTAX.all(&parts));
            let busy = format!("{}_or_before_{}", may, id.index());
            let before = earlier.as_ref().map_or(String::new(), |earlier| format!(" | {earlier}"));
            let _ = writeln!(text, "  {busy} := {may}{before};");
            earlier = Some(busy);
        }
        let settled = earlier.map_or("TRUE".to_owned(), |busy| format!("!{busy}"));
        let _ = writeln!(text, "  {} := {settled};", self.settled);
        for (id, triple) in structure.steps() {
            let mut parts = self.terms.guard(id, triple);
            if !self.terms.plan.silent.is_empty() {
                parts.insert(0, self.settled.clone());
            }
            let what = format!("{}, {}", structure.action_words(triple), structure.agent_words(triple));
            let _ = writeln!(text, "  -- {}: {}", id.index(), plain(&what));
            let _ = writeln!(text, "  {} := {};", self.may[id], SYNTAX.all(&parts));
        }
        let steps: Vec<&str> = structure.steps().map(|(id, _)| self.may[id].as_str()).collect();
        let settled =
            if !self.terms.plan.silent.is_empty() { format!("{} & ", self.settled) } else { String::new() };
        let _ = writeln!(text, "  {} := {settled}!({});", self.stuck, SYNTAX.any(&steps));
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
