//! Variables for NuSMV.

use std::fmt::Write as _;

use super::{STEP, Writer, plain, value};

impl Writer<'_> {
    pub(super) fn variables(&self, text: &mut String) {
        let structure = self.terms.plan.program.structure;
        let values = self.taken().map(|(id, _)| value(id)).chain(["none".to_owned()]);
        let _ = writeln!(text, "MODULE main\n\nIVAR\n  {} : {{{}}};", STEP[0], itertools::join(values, ", "));
        text.push_str("\nVAR\n");
        for (id, counter) in structure.counters.enumerate() {
            let _ = writeln!(text, "  -- {}", plain(&counter.name));
            for words in self.terms.locations(id, plain) {
                let _ = writeln!(text, "  --   {words}");
            }
            if self.varies(id) {
                let last = counter.locations.len() - 1;
                let _ = writeln!(text, "  {} : 0..{last};", self.terms.counters[id]);
            }
        }
        for (variable, name) in structure.variables.iter().zip(&self.terms.variables) {
            let (least, greatest) = (variable.least, variable.greatest);
            let _ = writeln!(text, "  {name} : {least}..{};  -- {}", greatest, plain(&variable.name));
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
            // 0: nobody yet.
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
                plain(&agent.name)
            );
        }
    }
}
