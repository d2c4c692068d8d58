//! The answers about systems in R-CHECK as lines for a person.

use std::collections::BTreeMap;

use super::{Participant, RcheckCounts, RcheckReport, RcheckResult, RcheckRun, RcheckStep};
use crate::report::text::formula::in_a_line;
use crate::report::text::{self, Detail, Style, plural};

impl RcheckReport {
    /// The line that introduces a file.
    pub fn header(&self, file: &str, style: &Style) -> String {
        let facts = [plural(self.agents.len(), "agent"), plural(self.states, "state")];
        format!("{}: {}\n", style.bold(file), facts.join(", "))
    }

    /// The lines of a result.
    pub fn result(&self, result: &RcheckResult, style: &Style) -> String {
        let mut facts = vec![in_a_line(&result.text).into_owned()];
        facts.push(text::order(self.schedule).to_owned());
        facts.extend(
            result.rechecked.map(|agrees| if agrees { "rechecked" } else { "not rechecked" }.to_owned()),
        );
        facts.extend(result.run.as_ref().map(|run| text::length(run.steps.len(), run.loop_start)));
        let time = Some(result.time_ms);
        let mut lines = text::answer(result.verdict, &result.check, &facts, time, style);
        if style.detail == Detail::Quiet {
            return lines;
        }
        for remark in &result.remarks {
            lines.push_str(&format!("      remark: {}\n", remark.text));
        }
        if let Some(reason) = &result.reason {
            lines.push_str(&format!("      reason: {}\n", reason.text));
            lines.push_str(&format!("      next:   {}\n", next(reason.code)));
        }
        if let Some(run) = &result.run {
            lines.push_str(&run.lines());
        }
        if let Some(fault) = &result.fault {
            lines.push_str(&format!(
                "      then: {}, by {} in line {}\n",
                fault.text, fault.agent, fault.line
            ));
        }
        lines
    }
}

impl RcheckCounts {
    /// What was counted of a file.
    pub fn lines(&self, file: &str, style: &Style) -> String {
        let facts = [
            plural(self.agents.len(), "agent"),
            plural(self.states, "state") + if self.reason.is_some() { " and more" } else { "" },
            format!("{} initial", text::grouped(self.initial)),
            plural(self.transitions, "transition"),
            plural(self.deadlocks, "deadlock"),
        ];
        let mut lines =
            format!("{}: {}  ({})\n", style.bold(file), facts.join(", "), text::time(self.time_ms));
        if self.faults > 0 {
            let states = plural(self.faults, "state");
            lines.push_str(&format!(
                "  in {states} an assignment leaves its range: `paramcheck verify` shows a run\n"
            ));
        }
        if let Some(reason) = &self.reason {
            lines.push_str(&format!("  reason: {}\n", reason.text));
        }
        lines
    }
}

/// What can be done about it.
fn next(code: &str) -> &'static str {
    match code {
        "state-limit" => "allow more with --max-states",
        "time-limit" => "allow more with --time-limit",
        "memory-limit" => "allow more with --memory-limit",
        "interrupted" => "let it run",
        "fault" => "mend the error of the model first: the answer `fault` has a run to it",
        "no-value" => "see that nothing is divided by 0, and that property variables keep to their types",
        _ => "a smaller system may show the same",
    }
}

fn assignments(values: &BTreeMap<String, String>) -> String {
    itertools::join(values.iter().map(|(name, value)| format!("{name} = {value}")), ", ")
}

impl RcheckRun {
    /// The steps, each with what it changes.
    fn lines(&self) -> String {
        let mut lines = String::new();
        for (agent, values) in &self.initial {
            lines.push_str(&format!("      {agent}: {}\n", assignments(values)));
        }
        let width = self.steps.len().to_string().len();
        for (at, step) in self.steps.iter().enumerate() {
            if self.loop_start == Some(at) {
                lines.push_str("      for ever:\n");
            }
            lines.push_str(&format!("      {:>width$}  {}\n", at + 1, step.line()));
            for (agent, values) in &step.changes {
                lines.push_str(&format!("      {:width$}    {agent}: {}\n", "", assignments(values)));
            }
        }
        match self.end {
            Some("stuck") => lines.push_str("      then no step is possible\n"),
            Some(_) => lines.push_str("      however it goes on\n"),
            None => {}
        }
        lines
    }
}

impl RcheckStep {
    /// `sender: label channel(data) -> receivers`
    pub fn line(&self) -> String {
        let label = self.sender.label.as_ref().map(|label| format!("{label} ")).unwrap_or_default();
        let channel = self.channel.as_deref().unwrap_or("SUPPLY");
        let reply = match self.channel {
            Some(_) => String::new(),
            None => format!(" with ({})", assignments(&self.reply)),
        };
        let receiver = |one: &Participant| match &one.label {
            Some(label) => format!("{} {label}", one.agent),
            None => one.agent.clone(),
        };
        let receivers = match self.receivers.is_empty() {
            true => "nobody".to_owned(),
            false => itertools::join(self.receivers.iter().map(receiver), ", "),
        };
        let data = assignments(&self.data);
        format!("{}: {label}{channel}({data}){reply} -> {receivers}", self.sender.agent)
    }
}
