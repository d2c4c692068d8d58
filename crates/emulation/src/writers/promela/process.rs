//! The process in Promela: an option per step, and what happens between steps.

use std::fmt::Write as _;

use super::{STEP, Writer};
use crate::triple::Triple;
use paramcheck_text::comment::remark;
use paramcheck_text::index::Idx;

impl Writer<'_> {
    pub(super) fn process(&self, text: &mut String) {
        let structure = self.terms.structure();
        let phase = &self.phase;
        let _ = writeln!(text, "\nactive proctype {}() {{\n  do", self.process);
        for (id, triple) in structure.steps() {
            let what = self.terms.plan.words(id, triple);
            let number = id.index();
            let _ = writeln!(text, "  {}", remark(&format!("{number}: {what}")));
            let now = if self.has_phase { format!("{phase} == 0 && ") } else { String::new() };
            let _ = write!(text, "  :: d_step {{ {now}{} -> {}", self.takes(id, triple), self.effect(triple));
            if self.terms.plan.needs.did {
                let _ = write!(text, "{} = {}; ", self.did, self.terms.plan.did_after(triple));
            }
            if self.terms.plan.takes_turns {
                // Whoever took it.
                let agents = structure.agents.len();
                let _ = write!(text, "{} = ({} + 1) % {agents}; ", self.turn, self.turn);
            }
            if self.terms.plan.takes_turns || self.terms.plan.wakes(triple) {
                let _ = write!(text, "{phase} = 1; ");
            }
            let _ = writeln!(text, "printf(\"{STEP}{number}: {}\\n\") }}", printable(&what));
        }
        if self.has_phase {
            self.between(text);
        }
        if self.terms.plan.legend.is_some() {
            let _ = writeln!(text, "  /* termination */\n  :: d_step {{ {} -> skip }}", self.terminated);
        } else {
            text.push_str("  /* nothing is possible */\n  :: else -> skip\n");
        }
        text.push_str("  od\n}\n");
    }

    /// What happens between steps.
    fn between(&self, text: &mut String) {
        let structure = self.terms.structure();
        let phase = &self.phase;
        if self.terms.plan.has_choice {
            let _ = writeln!(text, "  /* initial values */\n  :: atomic {{ {phase} == 2 ->");
            for (id, variable) in structure.variables.enumerate() {
                let name = &self.terms.variables[id.index()];
                let is_element = structure.arrays.iter().any(|array| array.position(id).is_some());
                if is_element && let [only] = variable.initial[..] {
                    let _ = writeln!(text, "       {name} = {only};");
                }
                if variable.initial.len() > 1 {
                    text.push_str("       if");
                    for value in &variable.initial {
                        let _ = write!(text, " :: {name} = {value}");
                    }
                    text.push_str(" fi;\n");
                }
            }
            let (mut next, mut end) = (format!("{phase} = 1"), String::new());
            if let Some(assumption) = &structure.assumption {
                // Values that are not allowed are those of no run: what comes then is in no state of
                // interest.
                let allowed = self.terms.expressions().condition(assumption);
                next = format!("if :: {allowed} -> {phase} = 1 :: else -> {phase} = 3 fi");
                end = format!("  /* not allowed */\n  :: {phase} == 3 -> break\n");
            }
            let _ = writeln!(text, "       {next} }}\n{end}");
        }
        let _ =
            writeln!(text, "  /* start and join triples, then the turn */\n  :: d_step {{ {phase} == 1 ->");
        for (id, triple) in self.terms.plan.silent() {
            let what = self.terms.plan.words(id, triple);
            let guard = self.guard(id, triple);
            let _ = writeln!(
                text,
                "       if :: {guard} -> {}skip :: else fi;  {}",
                self.effect(triple),
                remark(&format!("{}: {what}", id.index())),
            );
        }
        if self.terms.plan.takes_turns {
            let agents = structure.agents.len();
            // Passing twice around is enough; where no agent can act it ends with the first.
            for agent in (0..agents).chain(0..agents) {
                let next = (agent + 1) % agents;
                let _ = writeln!(
                    text,
                    "       if :: {turn} == {agent} && !{} -> {turn} = {next} :: else fi;",
                    self.able[agent],
                    turn = self.turn,
                );
            }
        }
        let _ = writeln!(text, "       {phase} = 0 }}");
    }

    /// What a triple does to counters and variables.
    fn effect(&self, triple: &Triple) -> String {
        let write = self.terms.expressions();
        let mut text = String::new();
        match triple.assignments.as_slice() {
            [] => {}
            [one] => {
                let _ = write!(
                    text,
                    "{} = {}; ",
                    self.terms.variables[one.variable.index()],
                    write.number(&one.value)
                );
            }
            several => {
                for (number, one) in several.iter().enumerate() {
                    let _ = write!(text, "next_value_{number} = {}; ", write.number(&one.value));
                }
                for (number, one) in several.iter().enumerate() {
                    let _ = write!(
                        text,
                        "{} = next_value_{number}; ",
                        self.terms.variables[one.variable.index()]
                    );
                }
                // So that states do not differ in what is over.
                for number in 0..several.len() {
                    let _ = write!(text, "next_value_{number} = 0; ");
                }
            }
        }
        for (counter, location) in &triple.exit {
            let _ = write!(
                text,
                "{} = {}; ",
                self.terms.counters[*counter],
                self.terms.location(*counter, *location)
            );
        }
        text
    }
}

/// How many letters of what a step does are printed. Spin writes past its buffer where a string has 2,048
/// bytes.
const MAX_PRINTED_LETTERS: usize = 400;

/// Text that is nothing but text in a string of `printf`.
fn printable(text: &str) -> String {
    let harmless =
        |letter: char| if matches!(letter, '"' | '\\' | '%') || letter.is_control() { '_' } else { letter };
    let mut letters = text.chars().map(harmless);
    let mut printed: String = letters.by_ref().take(MAX_PRINTED_LETTERS).collect();
    if letters.next().is_some() {
        printed.push('…');
    }
    printed
}
