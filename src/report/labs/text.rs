//! The answers about agents as lines for a person.

use std::collections::BTreeMap;

use super::document::RulesOfRun;
use super::{Action, CellReport, End, LabsReport, LabsResult, PendingReport, RunReport, StepReport};
use crate::report::Answer;
use crate::report::text::formula::in_a_line;
use crate::report::text::{self, Detail, Style, plural};
use paramcheck_text::columns;
use paramcheck_verdict::labs::simulate::Simulated;

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
            None if self.complete && self.states > 0 => facts.push(plural(self.states, "state")),
            None => {}
        }
        facts.extend(self.transitions.map(|transitions| plural(transitions, "transition")));
        format!("{}: {}  ({})\n", style.bold(file), facts.join(", "), text::time(self.time_ms))
    }

    /// The line that introduces a simulation.
    pub fn simulation_header(&self, file: &str, simulated: &Simulated, seed: u64, style: &Style) -> String {
        let (runs, steps) = (plural(simulated.count, "run"), plural(simulated.steps, "step"));
        let time = text::time(self.time_ms);
        format!("{}: {runs} at random of {steps}, seed {seed}  ({time})\n", style.bold(file))
    }

    /// The rules, in words.
    pub fn rules(&self) -> String {
        let rules = RulesOfRun {
            semantics: self.semantics.to_owned(),
            schedule: self.schedule.to_owned(),
            sync: self.sync,
            int_bits: self.int_bits,
            wrap: self.wrap,
            max_steps: self.max_steps,
            parameters: BTreeMap::new(),
        };
        rules.words()
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
        facts.extend(result.symmetry.then(|| "by symmetry".to_owned()));
        facts.extend(result.backend.as_ref().map(|backend| format!("by {backend}")));
        facts.extend(result.proof.filter(|proof| *proof == "values").map(|_| "by values".to_owned()));
        if result.proof.is_some() {
            let is_rechecked = result.rechecked == Some(true);
            facts.push(if is_rechecked { "rechecked" } else { "not rechecked" }.to_owned());
        }
        if let Some(run) = &result.run {
            facts.push(text::length(run.steps.len(), run.loop_start));
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
        let time = Some(result.time_ms);
        let mut lines = text::answer(result.verdict, &result.check, &facts, time, style);
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
        let lines = owners(&self.agents, &run.initial);
        if lines.is_empty() { String::new() } else { format!("      at first:\n{}", indented(&lines, 8)) }
    }
}

impl RulesOfRun {
    /// The rules, in words; those of numbers only where they are not the usual ones.
    pub fn words(&self) -> String {
        let schedule = match self.schedule.as_str() {
            "round-robin" => "round-robin",
            "strict-turns" => "strict turns",
            "fair" => "under weak fairness",
            "fair-strong" => "under strong fairness",
            _ => "free schedule",
        };
        let semantics = if self.semantics == "sliver" { "SLiVER's rules" } else { "the papers' rules" };
        let mut words = vec![schedule.to_owned(), semantics.to_owned()];
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
}

/// All values, a line for the environment and one for each agent.
pub(crate) fn owners(agents: &[String], cells: &[CellReport]) -> String {
    let mut owners: Vec<Option<&str>> = vec![None];
    owners.extend(agents.iter().take(MAX_AGENTS).map(|agent| Some(agent.as_str())));
    let mut lines: Vec<(String, String)> = Vec::new();
    for owner in owners {
        let own: Vec<&CellReport> = cells.iter().filter(|cell| cell.agent.as_deref() == owner).collect();
        if !own.is_empty() {
            lines.push((owner.unwrap_or("environment").to_owned(), values(&own)));
        }
    }
    let width = columns::width(lines.iter().map(|(owner, _)| owner.as_str()), columns::NAMES);
    let mut text: String =
        lines.iter().map(|(owner, values)| format!("{owner:<width$}  {values}\n")).collect();
    if !lines.is_empty() && agents.len() > MAX_AGENTS {
        text.push_str(&format!("and {}\n", plural(agents.len() - MAX_AGENTS, "other agent")));
    }
    text
}

fn indented(lines: &str, by: usize) -> String {
    lines.lines().map(|line| format!("{:by$}{line}\n", "")).collect()
}

impl StepReport {
    /// The step in a line: who does what, and its effect, where these messages were to be sent before.
    pub fn text(&self, before: &[PendingReport]) -> String {
        format!("{}  {}", what(self), effect(self, before))
    }

    /// Who does what: `Node 0, line 17`.
    pub fn actor(&self) -> String {
        what(self)
    }
}

impl RunReport {
    /// The run as lines: values at first, and the first steps, so many; with `full` all values after each.
    pub fn text(&self, agents: &[String], shown: usize, full: bool) -> String {
        let first = owners(agents, &self.initial);
        let mut text = if first.is_empty() { first } else { format!("at first:\n{}", indented(&first, 2)) };
        let kept = RunReport { steps: self.steps.iter().take(shown).cloned().collect(), ..self.clone() };
        let mut cells = self.initial.clone();
        let mut taken = kept.steps.iter();
        for line in steps(&kept).lines() {
            // Lines of answers stand below the answer.
            let line = line.strip_prefix("      ").unwrap_or(line);
            text.push_str(&format!("{line}\n"));
            let step = if line.starts_with(' ') { taken.next() } else { None };
            for change in step.iter().flat_map(|step| &step.changes) {
                let own = |cell: &&mut CellReport| {
                    (&cell.agent, &cell.variable) == (&change.agent, &change.variable)
                };
                if let Some(cell) = cells.iter_mut().find(own) {
                    cell.value = change.value;
                }
            }
            if full && step.is_some() {
                text.push_str(&indented(&owners(agents, &cells), 6));
            }
        }
        text
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
        None if step.action == Action::Choose => format!("{}, at first", step.agent),
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
            (Action::Act | Action::Choose, _) => "no value changes".to_owned(),
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
        let states = plural(searched, "state");
        let rechecked = if result.rechecked == Some(true) { "rechecked" } else { "not rechecked" };
        return format!(
            "      from there the formula can't be reached: a closed set of {states}, {rechecked}\n"
        );
    }
    match run.end {
        Some(End::Stuck) => "      there nothing can happen any more\n".to_owned(),
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
