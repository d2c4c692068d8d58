//! Reports as lines for a person.
//!
//! One line of facts about the file, one line per question, and below a question what the answer rests
//! on. Colours are ANSI sequences in the strings, only with [`Style::color`]; whether a
//! terminal shows them is the command line's business.

use std::fmt::Write;

use crate::report::advice::Advice;
use crate::report::explored::reach_word;
use crate::report::{Answer, Instance, Place, Question};
use paramcheck_model::statistics::Statistics;
use paramcheck_nets::explore::Reach;
use paramcheck_text::columns;

pub mod crosscheck;
mod engines;
pub(super) mod formula;
mod steps;
pub mod table;
mod unknown;
mod why;

pub use steps::{changes, step, trace, what};

/// How much is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// The verdict lines.
    Quiet,
    /// Evidence of violations, and what is known where the answer is unknown.
    #[default]
    Normal,
    /// Also definitions, sizes of proofs and smallest instances.
    Verbose,
    /// Why the answer is right, and little else.
    Why,
    /// The same, with nothing left out.
    WhyInFull,
}

/// How a report looks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Whether to use colours.
    pub color: bool,
    /// How much is printed.
    pub detail: Detail,
    /// Whether the whole marking is shown after each step.
    pub full: bool,
    /// How wide the column of error names is.
    pub name_width: usize,
}

const BOLD: &str = "1";
const DIM: &str = "2";
const GREEN: &str = "1;32";
const RED: &str = "1;31";
const YELLOW: &str = "1;33";

/// How wide facts are.
const FACT_WIDTH: usize = 83;

impl Style {
    /// Whether an error is reached, in words of one width.
    pub(super) fn reach(&self, reach: Reach) -> String {
        let code = match reach {
            Reach::Reached => RED,
            Reach::Unreached => GREEN,
            Reach::Undecided => YELLOW,
        };
        self.paint(code, &format!("{:<11}", reach_word(reach).replace('-', " ")))
    }

    fn paint(&self, code: &str, text: &str) -> String {
        if self.color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

impl Style {
    /// A name that stands out.
    pub fn bold(&self, text: &str) -> String {
        self.paint(BOLD, text)
    }

    /// An answer's word in its colour, as wide as the widest.
    pub fn verdict(&self, answer: Answer) -> String {
        let code = match answer {
            Answer::Proved => GREEN,
            Answer::Violated => RED,
            Answer::Unknown => YELLOW,
        };
        self.paint(code, &format!("{:<8}", answer.word()))
    }
}

/// The line that introduces a file: `ring.rs: system Ring, 1 component type, …`.
pub fn header(file: &str, system: &str, statistics: &Statistics, style: &Style) -> String {
    format!("{}: system {}, {statistics}\n", style.paint(BOLD, file), style.paint(BOLD, system))
}

/// The lines of one question. `prefix` stands before the verdict: blanks, or a file's name where no
/// header line names it.
pub fn question(question: &Question, prefix: &str, style: &Style) -> String {
    let verdict = style.verdict(question.verdict);
    let mut text = format!(
        "{prefix}{verdict}  {:<width$}  {}  {}\n",
        question.error,
        summary(question),
        style.paint(DIM, &format!("({})", time(question.time_ms))),
        width = style.name_width,
    );
    if style.detail == Detail::Quiet {
        return text;
    }
    let mut lines = Lines { text: &mut text, style };
    if style.detail >= Detail::Why {
        lines.why(question);
        return text;
    }
    if style.detail == Detail::Verbose {
        lines.fact("error", &formula::on_its_own(&question.formula));
    }
    match question.verdict {
        Answer::Proved => question.remarks.iter().for_each(|remark| lines.fact("remark", &remark.text)),
        Answer::Violated => violated(question, &mut lines),
        Answer::Unknown => unknown::unknown(question, &mut lines),
    }
    if question.engines.len() > 1 {
        let engines = question
            .engines
            .iter()
            .map(|engine| format!("{} {} ({})", engine.engine, engine.verdict.word(), time(engine.time_ms)));
        lines.fact("engines", &itertools::join(engines, ", "));
    }
    if style.detail == Detail::Verbose {
        verbose(question, &mut lines);
    }
    text
}

/// The lines that show an instance: its size, its rewriting term, and where its components start.
pub fn instance(instance: &Instance) -> String {
    let mut text = String::new();
    Lines { text: &mut text, style: &Style::default() }.instance("instance", instance);
    text
}

/// The lines of ready commands.
pub(super) fn ready(commands: &[Advice], style: &Style) -> String {
    let mut text = String::new();
    Lines { text: &mut text, style }.ready(commands);
    text
}

/// The lines that show a marking, one per component type.
pub fn marking(instance: &Instance, marking: &[Place]) -> String {
    let mut text = String::new();
    let states = marking.iter().map(|place| place.state.as_str());
    Lines { text: &mut text, style: &Style::default() }.by_type(2, instance, states);
    text
}

/// The most important fact, for the verdict line.
pub fn summary(question: &Question) -> String {
    match question.verdict {
        Answer::Proved => {
            let mut by = question.invariants.clone();
            if question.exclusive_pairs > 0 {
                by.push("states that exclude each other".to_owned());
            }
            let mut text = if by.is_empty() {
                "for every size: no marking at all is an error".to_owned()
            } else {
                format!("for every size, by {}", by.join(" + "))
            };
            if question.proof.is_none() {
                text += ", says MONA";
            }
            if question.dropped_interactions > 0 {
                let dropped = plural(question.dropped_interactions, "dead transition");
                let _ = write!(text, ", {dropped} dropped");
            }
            text
        }
        Answer::Violated => {
            let size = question.instance.as_ref().map_or(0, |instance| instance.size);
            let when = match question.trace.as_ref().map_or(0, Vec::len) {
                0 => "at the start".to_owned(),
                steps if question.is_shortest => plural(steps, "step"),
                steps => format!("{}, perhaps not the fewest", plural(steps, "step")),
            };
            format!("{}, {when}", plural(size, "component"))
        }
        Answer::Unknown => {
            question.reason.as_ref().map_or("", |reason| summary_of_reason(reason.code)).into()
        }
    }
}

fn summary_of_reason(code: &str) -> &'static str {
    match code {
        "spurious" => "not proved, no violation found",
        "candidate-too-large" => "the candidate's instance is too large to explore",
        "time-limit" => "time limit reached",
        "memory-limit" => "memory limit reached",
        "interrupted" => "interrupted",
        "mona-nodes" | "mona-failed" => "MONA failed",
        "no-formula" => "no formula for it",
        _ => "not supported",
    }
}

fn violated(question: &Question, lines: &mut Lines<'_>) {
    if let Some(instance) = &question.instance {
        lines.instance("instance", instance);
        for remark in &question.remarks {
            lines.fact("remark", &remark.text);
        }
    }
    let (Some(instance), Some(steps)) = (&question.instance, question.trace.as_deref()) else { return };
    if steps.is_empty() {
        lines.fact("steps", "none: the initial marking is an error");
    } else {
        lines.steps(instance, steps, None);
        if let Some(marking) = &question.marking {
            lines.fact("reached", "");
            lines.marking(instance, marking);
        }
    }
    lines.ready(&question.advice);
}

fn verbose(question: &Question, lines: &mut Lines<'_>) {
    if let Some(proof) = &question.proof {
        let size = [
            plural(proof.configurations, "configuration"),
            plural(proof.sets, "set"),
            plural(proof.parts, "part"),
        ];
        lines.fact("proof", &format!("checked: {}", size.join(", ")));
    }
    if let Some(why) = &question.why {
        lines.briefly(why);
    }
    if let Some(path) = &question.certificate {
        lines.fact("written", path);
    }
    lines.instance("smallest", &question.smallest_instance);
    question.engines.iter().for_each(|engine| lines.engine(engine));
}

/// Writes the indented lines below a verdict.
struct Lines<'a> {
    text: &'a mut String,
    style: &'a Style,
}

impl Lines<'_> {
    /// A named fact; long ones go on below themselves.
    fn fact(&mut self, name: &str, what: &str) {
        let start = format!("      {} ", self.style.paint(DIM, &format!("{:<10}", format!("{name}:"))));
        self.wrapped(start, what);
    }

    /// What goes on below a fact.
    fn more(&mut self, what: &str) {
        self.wrapped(" ".repeat(17), what);
    }

    fn wrapped(&mut self, mut start: String, what: &str) {
        let mut width = 0;
        for word in what.split(' ') {
            let length = word.chars().count() + 1;
            if width > 0 && width + length > FACT_WIDTH {
                self.line(&start);
                start = " ".repeat(17);
                width = 0;
            }
            start.push_str(word);
            start.push(' ');
            width += length;
        }
        self.line(&start);
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn instance(&mut self, name: &str, instance: &Instance) {
        let what = format!("{}, {}", plural(instance.size, "component"), instance.term);
        self.fact(name, &what);
        let states = instance.components.iter().map(|component| component.initial.as_str());
        self.by_type(8, instance, states);
    }

    fn marking(&mut self, instance: &Instance, marking: &[Place]) {
        self.by_type(8, instance, marking.iter().map(|place| place.state.as_str()));
    }

    /// One line per component type, indented; neighbours in one state are written as a range.
    fn by_type<'s>(&mut self, indent: usize, instance: &Instance, states: impl Iterator<Item = &'s str>) {
        // Types in order of first occurrence; a system has few.
        let mut types: Vec<(&str, Vec<&str>)> = Vec::new();
        for (component, state) in instance.components.iter().zip(states) {
            let name = component.component_type.as_str();
            match types.iter_mut().find(|(known, _)| *known == name) {
                Some((_, states)) => states.push(state),
                None => types.push((name, vec![state])),
            }
        }
        let width = columns::width(types.iter().map(|(name, _)| *name), columns::NAMES);
        for (name, states) in types {
            let mut runs: Vec<String> = Vec::new();
            let mut first = 0;
            for run in states.chunk_by(|one, other| one == other) {
                let last = first + run.len();
                let state = run.first().copied().unwrap_or_default();
                runs.push(match run.len() {
                    1 => format!("#{last} {state}"),
                    _ => format!("#{}..#{last} {state}", first + 1),
                });
                first = last;
            }
            let _ = writeln!(self.text, "{:indent$}{name:<width$}  {}", "", runs.join(", "));
        }
    }
}

/// `1 rule`, `12,345 rules`.
pub fn plural(count: usize, noun: &str) -> String {
    format!("{} {noun}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// How long a run is, of which all but the first `loop_start` steps repeat for ever: `3 steps`, `1 step, then 4 for
/// ever`.
pub fn length(steps: usize, loop_start: Option<usize>) -> String {
    match loop_start {
        None => plural(steps, "step"),
        Some(0) => format!("{} for ever", plural(steps, "step")),
        Some(start) => format!("{}, then {} for ever", plural(start, "step"), steps.saturating_sub(start)),
    }
}

/// Which runs an answer is about, by the word that documents have for it.
pub(super) fn order(schedule: &str) -> &'static str {
    match schedule {
        "fair" => "under weak fairness",
        "fair-strong" => "under strong fairness",
        "round-robin" => "round-robin",
        _ => "in any order",
    }
}

/// The line of an answer: the verdict, what was asked, what is to be known of it, and how long it took where that
/// is not said elsewhere.
pub(super) fn answer(
    verdict: Answer,
    check: &str,
    facts: &[String],
    time_ms: Option<f64>,
    style: &Style,
) -> String {
    let indent = if style.detail == Detail::Quiet { "" } else { "  " };
    let time = time_ms.map_or_else(String::new, |ms| format!("  ({})", time(ms)));
    format!(
        "{indent}{}  {check:<width$}  {}{time}\n",
        style.verdict(verdict),
        facts.join(", "),
        width = style.name_width
    )
}

/// A number with separators: `12,345`.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Milliseconds with two significant digits or so: `0.3 ms`, `12 ms`, `1.2 s`, `3 min 20 s`.
pub fn time(ms: f64) -> String {
    if ms < 9.95 {
        format!("{ms:.1} ms")
    } else if ms < 999.5 {
        format!("{ms:.0} ms")
    } else if ms < 9_950.0 {
        format!("{:.1} s", ms / 1000.0)
    } else if ms < 119_500.0 {
        format!("{:.0} s", ms / 1000.0)
    } else {
        let seconds = (ms / 1000.0).round() as u64;
        format!("{} min {} s", seconds / 60, seconds % 60)
    }
}
