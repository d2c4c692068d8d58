//! Verdicts beside exploration, as lines.

use super::table::{Align, Table};
use super::{BOLD, DIM, GREEN, RED, Style, YELLOW, grouped, time};
use crate::report::Answer;
use crate::report::crosscheck::{Compared, Crosscheck};

/// The table of sizes, and why it ends where it does.
pub fn sizes(report: &Crosscheck, style: &Style) -> String {
    let names: Vec<&str> = report.questions.iter().map(|question| question.error.as_str()).collect();
    let mut columns = vec![("size", Align::Right), ("instances", Align::Right), ("states", Align::Right)];
    columns.extend(names.iter().map(|name| (*name, Align::Left)));
    columns.push(("time", Align::Left));
    let mut table = Table::new(&columns);
    for size in &report.sizes {
        let at_least = if size.complete { "" } else { "≥ " };
        let reached = names.iter().map(|name| match size.reached.get(*name) {
            Some(Some(true)) => "reached",
            Some(None) => "?",
            // Of instances that were not explored to the end nothing is known.
            Some(Some(false)) if !size.complete => "",
            Some(Some(false)) if size.instances == 0 => "",
            _ => "-",
        });
        let mut row = vec![
            grouped(size.size),
            format!("{at_least}{}", grouped(size.instances)),
            format!("{at_least}{}", grouped(size.states)),
        ];
        row.extend(reached.map(str::to_owned));
        row.push(format!("({})", time(size.time_ms)));
        table.row(row);
    }
    table.lines(2) + &end(report, "  ", style)
}

/// Why exploration ended before the size that was selected, if it did. `prefix` stands before it, as before a
/// verdict.
pub fn end(report: &Crosscheck, prefix: &str, style: &Style) -> String {
    let Some(end) = report.end else { return String::new() };
    let reason = match end {
        "state-limit" => "more states than --max-states allows",
        "too-large" => "an instance has too many transitions",
        "time-limit" => "the time limit was reached",
        "memory-limit" => "the memory limit was reached",
        _ => "interrupted",
    };
    let up_to = grouped(report.explored_up_to);
    let line = style.paint(YELLOW, &format!("explored up to size {up_to} only: {reason}"));
    format!("{prefix}{line}\n")
}

/// The line of one question. `prefix` stands before it, as before a verdict.
pub fn compared(question: &Compared, prefix: &str, style: &Style) -> String {
    let is_compared = question.unreached_up_to > 0 || question.smallest.is_some();
    let (code, word) = match (question.agrees, question.verdict) {
        (false, _) => (RED, "contradicts"),
        (true, Some(Answer::Proved | Answer::Violated)) if is_compared => (GREEN, "agrees"),
        // There is nothing that could agree.
        (true, _) => (YELLOW, "open"),
    };
    let width = style.name_width;
    let head = style.paint(code, &format!("{word:<11}"));
    let name = style.paint(BOLD, &format!("{:<width$}", question.error));
    let time = style.paint(DIM, &format!("({})", time(question.time_ms)));
    format!("{prefix}{head}  {name}  {}  {time}\n", question.text)
}
