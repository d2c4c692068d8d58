//! Runs in the form of SLiVER: what it prints as a counterexample.
//!
//! A tab after the colon; elements of arrays by their flat index; a tuple is named by its first variable. What
//! SLiVER has no words for has ours: a step of an agent that changes no value, and one that leaves the language.

use std::fmt::Write;

use super::{CellReport, End, FaultReport, LabsResult, RunReport, StepReport};
use paramcheck_labs::model::System;
use paramcheck_text::source::SourceFile;
use paramcheck_verdict::labs::simulate::Simulated;

impl RunReport {
    /// The run as SLiVER prints one; `fault` is how it leaves the language at its end.
    pub fn sliver(&self, system: &System, fault: Option<&FaultReport>) -> String {
        let mut text = "<initialization>\n".to_owned();
        self.initial.iter().for_each(|cell| line(&mut text, system, "", cell));
        text.push_str("<end initialization>\n");
        for (number, step) in self.steps.iter().enumerate() {
            let _ = writeln!(text, "<step {number}>");
            self::step(&mut text, system, step);
        }
        if self.end == Some(End::Stuck) {
            text.push_str("<deadlock>\n");
        }
        if let Some(fault) = fault {
            let agent = fault.agent.as_ref().map(|agent| format!("{agent}, ")).unwrap_or_default();
            let line = fault.line.map(|line| format!("line {line}: ")).unwrap_or_default();
            let property =
                fault.property.as_ref().map(|name| format!("property '{name}': ")).unwrap_or_default();
            let _ = writeln!(text, "<fault: {agent}{line}{property}{}>", fault.text);
        }
        text
    }
}

impl LabsResult {
    /// The run of a violation as SLiVER prints one.
    pub fn sliver(&self, system: &System) -> Option<String> {
        let run = self.run.as_ref()?;
        let text = run.sliver(system, self.fault.as_ref());
        if self.fault.is_some() {
            return Some(text);
        }
        Some(format!("{text}<property violated: '{}'>\n", self.check))
    }
}

/// All runs of a simulation, each with which of the properties of these names held.
pub fn simulation(system: &System, source: &SourceFile, simulated: &Simulated, names: &[&str]) -> String {
    let mut text = String::new();
    for (number, run) in simulated.runs.iter().enumerate() {
        let title = format!("====== Trace #{} ======", number + 1);
        let _ = writeln!(text, "{title}");
        let fault = FaultReport::of_end(system, &run.ending);
        text.push_str(&RunReport::new(system, source, run).sliver(system, fault.as_ref()));
        for (name, frequency) in names.iter().zip(&simulated.properties) {
            let word = if frequency.held.get(number) == Some(&true) { "Satisfied" } else { "Violation" };
            let _ = writeln!(text, "<(SIMULATION) {word}: {name}>");
        }
        let _ = writeln!(text, "{}", "=".repeat(title.len()));
    }
    text
}

fn step(text: &mut String, system: &System, step: &StepReport) {
    let tuple = step.tuple.as_ref().and_then(|tuple| tuple.first());
    if let Some(first) = tuple {
        let _ = writeln!(text, "<{}: {} '{first}'>", step.agent, step.action);
    }
    step.changes.iter().for_each(|cell| line(text, system, &step.agent, cell));
    if tuple.is_none() && step.changes.is_empty() {
        let _ = writeln!(text, "{}:\t(no value changes)", step.agent);
    }
    if tuple.is_some() {
        let _ = writeln!(text, "<end {}>", step.action);
    }
}

/// A value that is set: of the environment by who acts, of an agent by itself.
fn line(text: &mut String, system: &System, actor: &str, cell: &CellReport) {
    let (name, indices) = cell.variable.split_once('[').unwrap_or((&cell.variable, ""));
    let name = match flat(system, name, indices.trim_end_matches(']')) {
        Some(flat) => format!("{name}[{flat}]"),
        None => name.to_owned(),
    };
    let arrow = match &cell.agent {
        None => "<--",
        Some(_) if system.is_stigmergic(&cell.variable) => "<~",
        Some(_) => "<-",
    };
    let value = cell.value.map_or_else(|| "undef".to_owned(), |value| value.to_string());
    let who = cell.agent.as_deref().unwrap_or(actor);
    let who = if who.is_empty() { String::new() } else { format!("{who}:") };
    let _ = writeln!(text, "{who}\t{name} {arrow} {value}");
}

/// The position of an element by rows; none, if it is no element.
fn flat(system: &System, name: &str, indices: &str) -> Option<usize> {
    let indices: Vec<usize> = indices.split(", ").map(|index| index.parse().ok()).collect::<Option<_>>()?;
    let of_agents = system.kinds.iter().flat_map(|kind| &kind.variables);
    let variable = system.environment.iter().chain(of_agents).find(|one| one.name == name)?;
    let position = |flat: usize, (index, extent): (&usize, &usize)| flat * extent + index;
    Some(indices.iter().zip(&variable.extents).fold(0, position))
}
