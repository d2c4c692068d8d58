//! The answers about a process as lines for a person.

use super::{CheckResult, RunReport, StepReport, Verification};
use crate::report::Answer;
use crate::report::text::formula::in_a_line;
use crate::report::text::{self, Detail, Style, plural};
use paramcheck_text::columns;

/// At most this many agents are listed at the end of a run.
const MAX_AGENTS: usize = 20;

impl Verification {
    /// The line that introduces a file.
    pub fn header(&self, file: &str, style: &Style) -> String {
        let what = match &self.instance {
            None => plural(self.agents.len(), "agent"),
            Some(instance) => format!("{}, {}", instance.term, plural(instance.size, "component")),
        };
        let states = self.states.map_or_else(String::new, |states| {
            let more = if self.complete == Some(false) { " and more" } else { "" };
            let transitions = self.transitions.map(|count| format!(", {}", plural(count, "transition")));
            let time = text::time(self.time_ms);
            format!(", {}{more}{}  ({time})", plural(states, "state"), transitions.unwrap_or_default())
        });
        format!("{}: {what}{states}\n", style.bold(file))
    }

    /// The lines of one of its results.
    pub fn result(&self, result: &CheckResult, style: &Style) -> String {
        let order = text::order(self.schedule);
        // A check called `deadlock` is one for it.
        let formula = Some(&result.formula).filter(|formula| **formula != result.check);
        let mut facts: Vec<String> =
            formula.into_iter().map(|formula| in_a_line(formula).into_owned()).collect();
        if self.instance.is_none() {
            facts.push(order.to_owned());
        }
        facts.extend(self.answered_by(result));
        // Errors of an instance do not depend on the order.
        if self.instance.is_some() && self.schedule != "any" && result.formula.starts_with("ltl ") {
            facts.push(order.to_owned());
        }
        if let Some(trace) = &result.trace {
            let loop_start = trace.property.as_ref().and_then(|property| property.loop_start);
            facts.push(text::length(trace.trace.len(), loop_start));
        }
        if let Some(run) = &result.run {
            facts.push(text::length(run.steps.len(), run.loop_start));
        }
        // Where several answered, the table has the time of each.
        let time = (result.backends.len() < 2).then_some(result.time_ms);
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
        if let (Answer::Violated, Some(run)) = (result.verdict, &result.run) {
            lines.push_str(&self.run(run));
        }
        if let (Answer::Violated, Some(trace)) = (result.verdict, &result.trace) {
            lines.push_str(&text::trace(trace, trace.trace.len(), style));
        }
        lines.push_str(&text::ready(&result.advice, style));
        lines
    }

    /// Which back end gives the answer, where that is not the program itself.
    fn answered_by(&self, result: &CheckResult) -> Option<String> {
        if self.backend == "native" || result.verdict == Answer::Unknown {
            return None;
        }
        let agree: Vec<&str> = result
            .backends
            .iter()
            .filter(|one| one.verdict == result.verdict)
            .map(|one| one.backend.as_str())
            .collect();
        Some(format!("by {}", agree.join(", ")))
    }

    fn run(&self, run: &RunReport) -> String {
        let mut lines = String::new();
        // A name has no star in it.
        let legend =
            if run.steps.iter().any(|step| step.turn.is_some()) { " (*: whose turn it is)" } else { "" };
        let begin = run.loop_start.unwrap_or(run.steps.len());
        let whats: Vec<String> = run.steps.iter().map(|step| what(step).to_string()).collect();
        let width = columns::width(whats.iter().map(String::as_str), columns::NAMES);
        let numbers = run.steps.len().to_string().len();
        for (position, (step, what)) in run.steps.iter().zip(whats).enumerate() {
            if position == 0 && begin > 0 {
                lines.push_str(&format!("      steps{legend}:\n"));
            }
            if position == begin {
                lines.push_str(&format!("      for ever{}:\n", if begin == 0 { legend } else { "" }));
            }
            let number = position + 1;
            let star = |agent: &str| if step.turn.as_deref() == Some(agent) { "*" } else { "" };
            let who = step.participants.iter().map(|one| {
                let then = if is_silent(step) { format!(": {}", begun(&one.process)) } else { String::new() };
                format!("{}{}{then}", one.agent, star(&one.agent))
            });
            let who = itertools::join(who, ", ");
            let line = format!("        {number:>numbers$}. {what:<width$}  {who}");
            lines.push_str(line.trim_end());
            lines.push('\n');
        }
        if let Some(end) = run.end {
            let title = match end {
                "terminated" => "reached, terminated:".to_owned(),
                "stuck" => "reached, and nothing can move:".to_owned(),
                _ => match &run.end_turn {
                    Some(agent) => format!("reached (next turn: {agent}):"),
                    None => "reached:".to_owned(),
                },
            };
            lines.push_str(&format!("      {title}\n"));
            lines.push_str(&self.last(run));
        }
        lines
    }

    /// What the agents are at the end of a run.
    fn last(&self, run: &RunReport) -> String {
        let mut at_last: Vec<&str> = run.initial.iter().map(String::as_str).collect();
        for participant in run.steps.iter().flat_map(|step| &step.participants) {
            if let Some(agent) = self.agents.iter().position(|agent| *agent == participant.agent) {
                at_last[agent] = &participant.process;
            }
        }
        let shown = self.agents.iter().zip(at_last).take(MAX_AGENTS);
        let names = self.agents.iter().take(MAX_AGENTS).map(String::as_str);
        let width = columns::width(names, columns::NAMES);
        let mut lines: String =
            shown.map(|(agent, process)| format!("        {agent:<width$}  {process}\n")).collect();
        if self.agents.len() > MAX_AGENTS {
            lines.push_str(&format!(
                "        and {}\n",
                plural(self.agents.len() - MAX_AGENTS, "other agent")
            ));
        }
        lines
    }
}

/// Whether a step has no action that shows what was chosen.
fn is_silent(step: &StepReport) -> bool {
    step.label == "tau" && step.via.is_none()
}

/// The beginning of a process.
fn begun(process: &str) -> String {
    const MAX_SHOWN: usize = 60;
    match process.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &process[..end]),
        None => process.to_owned(),
    }
}

/// What a step does.
fn what(step: &StepReport) -> String {
    match &step.via {
        Some(action) => format!("{} ({action})", step.label),
        None => step.label.clone(),
    }
}

/// What can be done about a limit.
fn next(code: &str) -> &'static str {
    match code {
        "state-limit" => "allow more with --max-states",
        "time-limit" => "allow more with --time-limit",
        "memory-limit" => "allow more with --memory-limit",
        "refused" | "tool-inconclusive" | "tool-failed" | "not-replayed" | "no-run" => "ask another back end",
        "interrupted" => "let it run",
        "formula-too-large" => "ask in parts: each operand of `&` as a check of its own",
        _ => "a smaller system may show the same",
    }
}
