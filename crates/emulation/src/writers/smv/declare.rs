//! Variables for NuSMV.

use std::fmt::Write as _;

use super::{NO_STEP, STEP, Writer, value};
use paramcheck_text::comment::one_line;

impl Writer<'_> {
    pub(super) fn variables(&self, text: &mut String) {
        let structure = self.terms.structure();
        let values = self.taken().map(|(id, _)| value(id)).chain([NO_STEP.to_owned()]);
        let _ = writeln!(text, "MODULE main\n\nIVAR\n  {} : {{{}}};", STEP[0], itertools::join(values, ", "));
        text.push_str("\nVAR\n");
        for (id, counter) in structure.counters.enumerate() {
            let name = &self.terms.counters[id];
            if let (Some(legend), Some(states)) = (self.terms.plan.legend, self.terms.states_of(id)) {
                let what = one_line(&format!("{}: {}", counter.name, legend.counters[id]));
                let _ = match self.varies(id) {
                    true => writeln!(text, "  {name} : {{{}}};  -- {what}", states.join(", ")),
                    false => writeln!(text, "  -- {what}: always {}", states.join(", ")),
                };
                continue;
            }
            let _ = writeln!(text, "  -- {}", one_line(&counter.name));
            for words in self.terms.locations(id) {
                let _ = writeln!(text, "  --   {}", one_line(&words));
            }
            if self.varies(id) {
                let _ = writeln!(text, "  {name} : 0..{};", counter.locations.len() - 1);
            }
        }
        for (variable, name) in structure.variables.iter().zip(&self.terms.variables) {
            let (least, greatest) = (variable.least, variable.greatest);
            let _ = writeln!(text, "  {name} : {least}..{};  -- {}", greatest, one_line(&variable.name));
        }
        if self.has_did() {
            let _ = writeln!(
                text,
                "  {} : 0..{};  -- what the last step did",
                self.did,
                self.terms.plan.did.len()
            );
        }
        if self.terms.plan.takes_turns {
            let last = structure.agents.len() - 1;
            let _ = writeln!(text, "  {} : 0..{last};  -- whose turn it is", self.turn);
        }
        if self.has_actors() {
            // 0: none yet.
            let _ = writeln!(
                text,
                "  {} : 0..{};  -- who took part in the last step",
                self.actors,
                self.sets.len()
            );
        }
        for (agent, out) in structure.agents.iter().zip(&self.out) {
            let _ = writeln!(
                text,
                "  {out} : boolean;  -- {} will never be able to act again",
                one_line(&agent.name)
            );
        }
    }
}
