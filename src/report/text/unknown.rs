//! The lines below a question that is open: its candidate, what was tried, and what can be done.

use std::collections::BTreeSet;

use super::{Detail, Lines, plural};
use crate::report::advice::{Advice, Difference, Nearest};
use crate::report::{Question, Reason};

/// So many components that differ are named.
const MAX_DIFFERENCES: usize = 4;
/// Component types with more lines are written out with details only.
const MAX_MODEL: usize = 16;
/// A longer command is not printed: a file is handier then.
const MAX_COMMAND: usize = 400;
/// The commands that take up a candidate, by code.
const TAKE_UP: [&str; 3] = ["draw", "step", "explore"];

pub(super) fn unknown(question: &Question, lines: &mut Lines<'_>) {
    let is_tried = !question.tried.is_empty();
    // A limit that was reached is all in the verdict line, but for where MONA was.
    let is_told = |reason: &&Reason| !is_stop(reason.code) || reason.at.is_some();
    if let Some(reason) = question.reason.as_ref().filter(is_told) {
        lines.fact("reason", &reason.text);
    }
    if let Some(instance) = &question.instance {
        lines.instance("candidate", instance);
        if let Some(marking) = &question.marking {
            lines.fact("marking", "");
            lines.marking(instance, marking);
        }
    }
    if let Some(nearest) = &question.nearest {
        lines.fact("nearest", &nearest_words(nearest));
    }
    others(question, lines);
    if is_tried {
        lines.fact("tried", &question.tried.join(", "));
    }
    if question.dropped_interactions > 0 {
        let dropped = plural(question.dropped_interactions, "transition");
        lines.fact("dropped", &format!("{dropped} of interactions, dead in every instance"));
    }
    if let Some(explored) = question.explored.as_ref().filter(|_| is_tried) {
        let what = if explored.instances == 0 {
            "no instance was explored to the end".to_owned()
        } else {
            format!(
                "no instance of up to {} reaches the error ({}, {})",
                plural(explored.up_to_size, "component"),
                plural(explored.instances, "instance"),
                plural(explored.states, "state"),
            )
        };
        lines.fact("explored", &what);
    }
    advice(&question.advice, lines);
}

impl Lines<'_> {
    /// Ready commands, each after what it does.
    pub(super) fn ready<'a>(&mut self, commands: impl IntoIterator<Item = &'a Advice>) {
        for Advice { code, command, .. } in commands {
            let name = self.style.paint(super::DIM, &format!("{:<10}", format!("{code}:")));
            self.line(&format!("      {name} {}", command.as_deref().unwrap_or_default()));
        }
    }

    /// A command below a fact, if there is one.
    fn command(&mut self, command: Option<&str>) {
        if let Some(command) = command {
            self.line(&format!("{:17}{command}", ""));
        }
    }
}

/// How a reachable marking differs from the candidate.
fn nearest_words(nearest: &Nearest) -> String {
    let Nearest { differences, of_all } = nearest;
    let named =
        differences.iter().take(MAX_DIFFERENCES).map(|Difference { component, candidate, reached }| {
            format!("{component} is `{reached}` there and `{candidate}` in the candidate")
        });
    let mut text = itertools::join(named, "; ");
    if let Some(more) = differences.len().checked_sub(MAX_DIFFERENCES).filter(|&more| more > 0) {
        text += &format!("; and so on for {}", plural(more, "more component"));
    }
    let which = match of_all {
        true => "the nearest marking that is reached",
        false => "of the reached markings that were looked at, the nearest",
    };
    format!("{which} differs from the candidate in {}: {text}", plural(differences.len(), "component"))
}

/// What can be done: what would help, then the commands that take up the candidate.
fn advice(advice: &[Advice], lines: &mut Lines<'_>) {
    let (take_up, helps): (Vec<&Advice>, Vec<&Advice>) =
        advice.iter().partition(|one| TAKE_UP.contains(&one.code));
    for Advice { text, command, model, .. } in helps {
        let Some(model) = model else {
            lines.fact("next", text);
            lines.command(command.as_deref());
            continue;
        };
        if model.lines().count() > MAX_MODEL && lines.style.detail < Detail::Verbose {
            lines.fact("next", &format!("{text}. `--verbose` writes it out"));
            continue;
        }
        lines.fact("next", &format!("{text}. Written out:"));
        model.lines().for_each(|line| lines.line(&format!("{:19}{line}", "")));
        lines.command(command.as_deref());
    }
    let length = |one: &&&Advice| one.command.as_ref().map_or(0, String::len);
    if take_up.iter().any(|one| length(&one) > MAX_COMMAND) {
        lines.fact("take up", "`--candidate PATH` writes the candidate, for draw, step, explore and replay");
        return;
    }
    lines.ready(take_up);
}

/// The candidates beside the first: where they are; with details, what they are.
fn others(question: &Question, lines: &mut Lines<'_>) {
    let Some(others) = question.candidates.get(1..).filter(|others| !others.is_empty()) else { return };
    let terms: BTreeSet<(usize, &str)> =
        others.iter().map(|other| (other.instance.size, other.instance.term.as_str())).collect();
    let undecided = others.iter().filter(|other| other.explored == "undecided").count();
    let text = format!(
        "{} in which other states occur, in {}; {}",
        plural(others.len(), "more candidate"),
        itertools::join(terms.iter().map(|(_, term)| term), ", "),
        if undecided == 0 {
            "none is reached".to_owned()
        } else {
            format!("{undecided} too large to explore")
        },
    );
    lines.fact("others", &text);
    if lines.style.detail == Detail::Verbose {
        for other in others {
            lines.instance("candidate", &other.instance);
            lines.fact("marking", "");
            lines.marking(&other.instance, &other.marking);
        }
    }
}

fn is_stop(code: &str) -> bool {
    matches!(code, "time-limit" | "memory-limit" | "interrupted")
}
