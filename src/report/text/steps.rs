//! Firing sequences as lines: who does what by which rule, and only what changes.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use super::{Detail, Lines, Style};
use crate::report::trace::TraceDocument;
use crate::report::{Instance, Participant, Step};
use paramcheck_text::columns;

/// Beyond this the second column of steps is not lined up.
const STEP_COLUMN: usize = 48;

/// The lines of a trace: its instance, and its first `count` steps; where those are all, where they end.
pub fn trace(document: &TraceDocument, count: usize, style: &Style) -> String {
    let mut text = String::new();
    let style = Style { detail: Detail::Normal, ..*style };
    let mut lines = Lines { text: &mut text, style: &style };
    let steps = document.trace.get(..count).unwrap_or(&document.trace);
    lines.instance("instance", &document.instance);
    let repeats_from = document.property.as_ref().and_then(|property| property.loop_start);
    if !steps.is_empty() {
        lines.steps(&document.instance, steps, repeats_from);
    }
    if count == document.trace.len() && repeats_from.is_none() {
        lines.fact("reached", "");
        lines.marking(&document.instance, &document.marking);
    }
    text
}

impl Lines<'_> {
    /// The steps with their numbers; with [`Style::full`] the whole marking after each. Those behind the first
    /// `repeats_from` repeat for ever.
    pub(super) fn steps(&mut self, instance: &Instance, steps: &[Step], repeats_from: Option<usize>) {
        if repeats_from != Some(0) {
            self.fact("steps", "");
        }
        let digits = steps.len().to_string().len();
        let whats: Vec<String> = steps.iter().map(what).collect();
        let width = columns::width(whats.iter().map(String::as_str), STEP_COLUMN);
        let mut states: Vec<&str> = Vec::new();
        let mut positions: FxHashMap<&str, usize> = FxHashMap::default();
        if self.style.full {
            states.extend(instance.components.iter().map(|component| component.initial.as_str()));
            let names = instance.components.iter().map(|component| component.name.as_str());
            positions.extend(names.zip(0..));
        }
        for (index, (step, what)) in steps.iter().zip(whats).enumerate() {
            if repeats_from == Some(index) {
                self.fact("for ever", "");
            }
            let _ = writeln!(self.text, "        {:>digits$}. {what:<width$}  {}", index + 1, changes(step));
            if self.style.full {
                for participant in &step.participants {
                    let position = positions.get(participant.component.as_str());
                    if let Some(state) = position.and_then(|&position| states.get_mut(position)) {
                        *state = &participant.to;
                    }
                }
                self.by_type(8 + digits + 4, instance, states.iter().copied());
            }
        }
    }
}

/// A step as one line: `Chain.2: out(Node#1) in(Node#2)  Node#1 busy -> idle, Node#2 idle -> busy`.
pub fn step(step: &Step) -> String {
    format!("{}  {}", what(step), changes(step))
}

/// `Chain.2: out(Node#1) in(Node#2)`, or `Chain.2: Node#1 alone`.
pub fn what(step: &Step) -> String {
    let participants = step.participants.iter().map(|participant| match &participant.port {
        Some(port) => format!("{port}({})", participant.component),
        None => format!("{} alone", participant.component),
    });
    format!("{}: {}", step.rule, itertools::join(participants, " "))
}

/// `Node#1 busy -> idle, Node#2 idle -> busy`; who stays where they are is left out.
pub fn changes(step: &Step) -> String {
    let moving = step.participants.iter().filter(|participant| participant.from != participant.to);
    let changes = moving.map(|Participant { component, from, to, .. }| format!("{component} {from} -> {to}"));
    let changes = itertools::join(changes, ", ");
    if changes.is_empty() { "nothing changes".to_owned() } else { changes }
}
