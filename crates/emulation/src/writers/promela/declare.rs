//! Variables in Promela, and the macros that conditions need.

use std::fmt::Write as _;

use super::{SYNTAX, Writer};
use paramcheck_text::comment::{in_block, remark};
use paramcheck_text::index::Idx;

impl Writer<'_> {
    pub(super) fn declarations(&self, text: &mut String) {
        let structure = self.terms.structure();
        self.states(text);
        for (id, counter) in structure.counters.enumerate() {
            let kind = kind(0, counter.locations.len().saturating_sub(1) as i64);
            let declaration = format!("{kind} {} = {};", self.terms.counters[id], self.terms.initial(id));
            if let Some(legend) = self.terms.plan.legend {
                let what = format!("{}: {}", counter.name, legend.counters[id]);
                let _ = writeln!(text, "{declaration}  {}", remark(&what));
                continue;
            }
            let _ = writeln!(text, "/* {}", in_block(&counter.name));
            for words in self.terms.locations(id) {
                let _ = writeln!(text, " *   {}", in_block(&words));
            }
            let _ = writeln!(text, " */\n{declaration}");
        }
        for (array, name) in structure.arrays.iter().zip(&self.terms.arrays) {
            let own = || array.variables().map(|id| &structure.variables[id]);
            let least = own().map(|one| one.least).min().unwrap_or(0);
            let greatest = own().map(|one| one.greatest).max().unwrap_or(0);
            let what = format!("{}, {least} to {greatest}", array.name);
            let _ = writeln!(text, "{} {name}[{}];  {}", kind(least, greatest), array.count, remark(&what));
        }
        for (id, variable) in structure.variables.enumerate() {
            if structure.arrays.iter().any(|array| array.position(id).is_some()) {
                continue;
            }
            let name = &self.terms.variables[id.index()];
            let kind = kind(variable.least, variable.greatest);
            let first = variable.initial.first().copied().unwrap_or(variable.least);
            let what = format!("{}, {} to {}", variable.name, variable.least, variable.greatest);
            let _ = writeln!(text, "{kind} {name} = {first};  {}", remark(&what));
        }
        if self.terms.plan.needs.did {
            let kind = kind(0, self.terms.plan.did.len() as i64);
            let _ = writeln!(
                text,
                "{kind} {} = 0;  /* what the last step did, as far as claims refer to it */",
                self.did
            );
        }
        if self.terms.plan.takes_turns {
            let kind = kind(0, structure.agents.len() as i64 - 1);
            let _ = writeln!(text, "{kind} {} = 0;  /* whose turn it is */", self.turn);
        }
        if self.has_phase {
            let first = match (self.terms.plan.has_choice, self.terms.plan.takes_turns) {
                (true, _) => 2,
                (false, true) => 1,
                (false, false) => 0,
            };
            let _ = writeln!(
                text,
                "byte {} = {first};  /* 0: a step is next; 1: joins, starts, turns; 2: initial values{} */",
                self.phase,
                if structure.assumption.is_some() { "; 3: not allowed" } else { "" },
            );
        }
        let temporary = structure.triples.iter().map(|triple| triple.assignments.len()).max().unwrap_or(0);
        if temporary > 1 {
            (0..temporary).for_each(|number| {
                let _ = writeln!(text, "int next_value_{number};");
            });
        }
        text.push('\n');
    }

    /// The macros for states, of each type of a legend.
    fn states(&self, text: &mut String) {
        let Some(legend) = self.terms.plan.legend else { return };
        let mut is_written = vec![false; legend.types.len()];
        for (counter, &of) in self.terms.structure().counters.iter().zip(&legend.type_of) {
            if std::mem::replace(&mut is_written[of], true) {
                continue;
            }
            for (number, (name, state)) in self.terms.states[of].iter().zip(&counter.locations).enumerate() {
                let what = format!("{}.{}", legend.types[of], state.name);
                let _ = writeln!(text, "#define {name} {number}  {}", remark(&what));
            }
        }
        text.push('\n');
    }

    /// The macros that conditions need.
    pub(super) fn macros(&self, text: &mut String) {
        let structure = self.terms.structure();
        for (name, meaning) in self.terms.meanings().chain(self.terms.offers()) {
            let _ = writeln!(text, "#define {name} {meaning}");
        }
        for (id, triple) in structure.steps() {
            if let Some(name) = &self.may[id] {
                let _ = writeln!(text, "#define {name} ({})", self.guard(id, triple));
            }
        }
        for (name, own) in self.able.iter().zip(structure.steps_by_agent()) {
            let parts: Vec<&str> = own.into_iter().filter_map(|id| self.may[id].as_deref()).collect();
            let _ = writeln!(text, "#define {name} ({})", SYNTAX.any(&parts));
        }
        if self.terms.plan.needs.stuck {
            let parts: Vec<&str> = self.may.iter().flatten().map(String::as_str).collect();
            let _ = writeln!(text, "#define {} (!({}))", self.stuck, SYNTAX.any(&parts));
        }
        if self.terms.plan.needs.terminated {
            let all = SYNTAX.all(&self.terms.terminated());
            let _ = writeln!(text, "#define {} ({all})", self.terminated);
        }
    }
}

/// The smallest type with these numbers.
fn kind(least: i64, greatest: i64) -> &'static str {
    match (least, greatest) {
        (0.., ..=1) => "bit",
        (0.., ..=255) => "byte",
        (-32_768.., ..=32_767) => "short",
        _ => "int",
    }
}
