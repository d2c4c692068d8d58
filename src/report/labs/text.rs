//! The answers about agents as lines for a person.

use super::{CellReport, LabsReport, LabsResult, PendingReport, RunReport, StepReport};
use crate::report::Answer;
use crate::report::text::formula::in_a_line;
use crate::report::text::{self, Detail, Style, plural};
use paramcheck_text::columns;

/// At most this many agents are listed with their values.
const MAX_AGENTS: usize = 20;

impl LabsReport {
    /// The line that introduces a file.
    pub fn header(&self, file: &str, style: &Style) -> String {
        let mut facts = Vec::new();
        let parameters = self.parameters.iter().map(|(name, value)| format!("{name}={value}"));
        let parameters: Vec<String> = parameters.collect();
        if !parameters.is_empty() {
            facts.push(parameters.join(" "));
        }
        facts.push(plural(self.agents.len(), "agent"));
        let more = if self.complete { "" } else { " and more" };
        // Where they were not counted: a search that ended at a violation has no number that says anything.
        match self.stores {
            Some(stores) => facts.push(format!("{}{more}", plural(stores, "store"))),
            None if self.complete => facts.push(plural(self.states, "state")),
            None => {}
        }
        facts.extend(self.transitions.map(|transitions| plural(transitions, "transition")));
        format!("{}: {}  ({})\n", style.bold(file), facts.join(", "), text::time(self.time_ms))
    }

    /// The line that introduces a simulation.
    pub fn simulation_header(&self, file: &str, runs: usize, seed: u64, style: &Style) -> String {
        let runs = plural(runs, "run");
        format!("{}: {runs} at random, seed {seed}  ({})\n", style.bold(file), text::time(self.time_ms))
    }

    /// The rules, in words.
    pub fn rules(&self) -> String {
        let mut words = vec![
            match self.schedule {
                "round-robin" => "round-robin",
                "strict-turns" => "strict turns",
                _ => "free schedule",
            }
            .to_owned(),
        ];
        words
            .push(if self.semantics == "sliver" { "SLiVER's rules" } else { "the papers' rules" }.to_owned());
        if self.sync {
            words.push("messages at once".to_owned());
        }
        if self.int_bits != 16 {
            words.push(format!("{}-bit numbers", self.int_bits));
        }
        if self.wrap {
            words.push("numbers wrap around".to_owned());
        }
        if let Some(most) = self.max_steps {
            words.push(format!("at most {}", plural(most, "step")));
        }
        words.join(", ")
    }

    /// The lines about what was explored.
    pub fn counts(&self) -> String {
        let facts = [
            ("initial states", self.initial),
            ("stores", self.stores),
            ("stuck stores", self.stuck_stores),
            ("states", Some(self.states)),
            ("transitions", self.transitions),
        ];
        let counted = facts.into_iter().filter_map(|(what, count)| Some((what, text::grouped(count?))));
        let counts: Vec<(&str, String)> = counted.collect();
        let width = counts.iter().map(|(_, count)| count.len()).max().unwrap_or(0);
        let mut lines = format!("  {}\n", self.rules());
        counts.iter().for_each(|(what, count)| lines.push_str(&format!("  {what:<14}  {count:>width$}\n")));
        if !self.complete {
            lines.push_str("  and more: these are not all\n");
        }
        lines
    }

    /// The lines of a result.
    pub fn result(&self, result: &LabsResult, style: &Style) -> String {
        let mut facts = vec![in_a_line(&result.formula).into_owned(), self.rules()];
        facts.extend(result.backend.as_ref().map(|backend| format!("by {backend}")));
        if let Some(run) = &result.run {
            facts.push(length(run));
        }
        facts.extend(result.simulated.as_ref().map(|simulated| {
            let percent = |share: f64| share * 100.0;
            format!(
                "held in {} of {} (95 % confidence: {:.1} % to {:.1} %)",
                text::grouped(simulated.held),
                plural(simulated.runs, "run"),
                percent(simulated.low),
                percent(simulated.high)
            )
        }));
        let indent = if style.detail == Detail::Quiet { "" } else { "  " };
        let mut lines = format!(
            "{indent}{}  {:<width$}  {}  ({})\n",
            style.verdict(result.verdict),
            result.check,
            facts.join(", "),
            text::time(result.time_ms),
            width = style.name_width,
        );
        if style.detail == Detail::Quiet {
            return lines;
        }
        if let Some(reason) = &result.reason {
            lines.push_str(&format!("      reason: {}\n", reason.text));
            lines.push_str(&format!("      next:   {}\n", next(reason.code)));
        }
        if let (Answer::Violated, Some(run)) = (result.verdict, &result.run) {
            lines.push_str(&self.initial(run));
            lines.push_str(&steps(run));
            lines.push_str(&end(result, run));
        }
        lines
    }

    /// The values at first.
    fn initial(&self, run: &RunReport) -> String {
        let mut owners: Vec<Option<&str>> = vec![None];
        owners.extend(self.agents.iter().take(MAX_AGENTS).map(|agent| Some(agent.as_str())));
        let mut lines: Vec<(String, String)> = Vec::new();
        for owner in owners {
            let own: Vec<&CellReport> =
                run.initial.iter().filter(|cell| cell.agent.as_deref() == owner).collect();
            if !own.is_empty() {
                lines.push((owner.unwrap_or("environment").to_owned(), values(&own)));
            }
        }
        if lines.is_empty() {
            return String::new();
        }
        let width = columns::width(lines.iter().map(|(owner, _)| owner.as_str()), columns::NAMES);
        let mut text = "      at first:\n".to_owned();
        lines
            .iter()
            .for_each(|(owner, values)| text.push_str(&format!("        {owner:<width$}  {values}\n")));
        if self.agents.len() > MAX_AGENTS {
            let more = plural(self.agents.len() - MAX_AGENTS, "other agent");
            text.push_str(&format!("        and {more}\n"));
        }
        text
    }
}

fn length(run: &RunReport) -> String {
    match run.loop_start {
        None => plural(run.steps.len(), "step"),
        Some(0) => format!("{} for ever", plural(run.steps.len(), "step")),
        Some(start) => format!("{}, then {} for ever", plural(start, "step"), run.steps.len() - start),
    }
}

/// Values, the elements of an array in one.
fn values(cells: &[&CellReport]) -> String {
    let base = |cell: &CellReport| cell.variable.split('[').next().unwrap_or_default().to_owned();
    let mut texts: Vec<String> = Vec::new();
    for group in cells.chunk_by(|one, other| base(one) == base(other)) {
        let values: Vec<String> = group.iter().map(|cell| value(cell.value)).collect();
        let name = group.first().map(|cell| base(cell)).unwrap_or_default();
        let is_array = group.first().is_some_and(|cell| cell.variable.contains('['));
        texts.push(if is_array {
            format!("{name} = [{}]", values.join(", "))
        } else {
            format!("{name} = {}", values.join(", "))
        });
    }
    texts.join(", ")
}

fn value(value: Option<i64>) -> String {
    value.map_or_else(|| "undef".to_owned(), |value| value.to_string())
}

fn steps(run: &RunReport) -> String {
    let begin = run.loop_start.unwrap_or(run.steps.len());
    let numbers = run.steps.len().to_string().len();
    let whats: Vec<String> = run.steps.iter().map(what).collect();
    let width = columns::width(whats.iter().map(String::as_str), columns::NAMES);
    let mut lines = String::new();
    let mut before: &[PendingReport] = &[];
    for (position, (step, what)) in run.steps.iter().zip(whats).enumerate() {
        if position == 0 && begin > 0 {
            lines.push_str("      steps:\n");
        }
        if position == begin {
            lines.push_str("      for ever:\n");
        }
        let effect = effect(step, before);
        let line = format!("        {:>numbers$}. {what:<width$}  {effect}", position + 1);
        lines.push_str(line.trim_end());
        lines.push('\n');
        before = &step.pending;
    }
    lines
}

/// Who does what, and where it is written.
fn what(step: &StepReport) -> String {
    match &step.tuple {
        Some(tuple) => format!("{} {}s {}", step.agent, step.action, tuple.join(", ")),
        None => match step.line {
            Some(line) => format!("{}, line {line}", step.agent),
            None => step.agent.clone(),
        },
    }
}

/// What a step changes, and which messages are to be sent because of it.
fn effect(step: &StepReport, before: &[PendingReport]) -> String {
    let mut parts = Vec::new();
    let agents: Vec<Option<&String>> = {
        let mut all: Vec<Option<&String>> = step.changes.iter().map(|cell| cell.agent.as_ref()).collect();
        all.dedup();
        all
    };
    for agent in agents {
        let changes = step.changes.iter().filter(|cell| cell.agent.as_ref() == agent);
        let changes: Vec<String> =
            changes.map(|cell| format!("{} = {}", cell.variable, value(cell.value))).collect();
        let changes = changes.join(", ");
        parts.push(match agent {
            Some(agent) if *agent != step.agent => format!("{agent}: {changes}"),
            _ => changes,
        });
    }
    // What is sent alike is said once, with all who send it.
    let mut new: Vec<(&PendingReport, Vec<&str>)> = Vec::new();
    for one in step.pending.iter().filter(|one| !before.contains(one)) {
        match new.iter_mut().find(|(known, _)| (known.action, &known.tuple) == (one.action, &one.tuple)) {
            Some((_, agents)) => agents.push(&one.agent),
            None => new.push((one, vec![&one.agent])),
        }
    }
    let new: Vec<String> = new
        .iter()
        .map(|(one, agents)| {
            let message = format!("{} {}", one.action, one.tuple.join(", "));
            if *agents == [step.agent.as_str()] {
                message
            } else {
                format!("{}: {message}", agents.join(", "))
            }
        })
        .collect();
    if parts.is_empty() {
        parts.push(match (step.action, step.ages.is_empty()) {
            ("act", _) => "no value changes".to_owned(),
            (_, true) => "no neighbour has older values".to_owned(),
            (_, false) => "older copies had the same values".to_owned(),
        });
    }
    let mut text = parts.join("; ");
    if !new.is_empty() {
        text.push_str(&format!("  (to send: {})", new.join("; ")));
    }
    text
}

/// How the run ends, where the steps do not show it.
fn end(result: &LabsResult, run: &RunReport) -> String {
    if let Some(fault) = &result.fault {
        let line = fault.line.map_or_else(String::new, |line| format!(", line {line}"));
        return match (&fault.agent, &fault.property) {
            (Some(agent), _) => format!("      then {agent} can't act{line}: {}\n", fault.text),
            (None, Some(property)) => {
                format!("      there the property `{property}` has no value: {}\n", fault.text)
            }
            (None, None) => format!("      {}\n", fault.text),
        };
    }
    if let Some(searched) = result.searched {
        return format!(
            "      from there the formula can't be reached: {} searched\n",
            plural(searched, "state")
        );
    }
    match run.end {
        Some("stuck") => "      there nothing can happen any more\n".to_owned(),
        _ => String::new(),
    }
}

/// What can be done where there is no answer.
fn next(code: &str) -> &'static str {
    match code {
        "state-limit" => "allow more with --max-states",
        "time-limit" => "allow more with --time-limit",
        "memory-limit" => "allow more with --memory-limit",
        "step-bound" => "allow more with --steps, or leave it out to ask about all runs",
        "simulated" => "leave out --simulate to have all runs looked at",
        "interrupted" => "let it run",
        "tool-failed" | "not-replayed" | "no-run" => "leave out --backend: this program answers itself",
        "refused" | "tool-inconclusive" => "ask another back end, or leave out --backend",
        "fault" => "mend the fault first; --wrap lets numbers wrap around",
        _ => "a smaller system may show the same",
    }
}
