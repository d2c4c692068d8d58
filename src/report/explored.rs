//! The document of `paramcheck explore`: what was found in each instance, of each size, and about each error.

use std::fmt::Write;

use serde::{Serialize, Serializer};

use crate::report::processes::schedule_word;
use crate::report::text::{self, Style, grouped, plural};
use crate::report::trace::{FORMAT, PropertyHead, TraceDocument, VERSION};
use crate::report::{build, names};
use paramcheck_model::error::NamedError;
use paramcheck_model::error::print::print_formula;
use paramcheck_model::property::Property;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::explore::Reach;
use paramcheck_nets::explore::engine::End;
use paramcheck_nets::explore::search::Reduction;
use paramcheck_nets::explore::sweep::{self, ExploredInstance};
use paramcheck_nets::explore::trace::Trace;
use paramcheck_nets::instance::net::Net;
use paramcheck_nets::instance::term::print_term;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::columns;
use paramcheck_text::limits::Stop;
use paramcheck_verdict::process::InstanceRun;

/// What an exploration of instances found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explored {
    /// One entry per error that was selected, in this order; in the document they are the results.
    #[serde(skip)]
    pub errors: Vec<ErrorReport>,
    /// Whether the marking that was looked for is reached; only where one was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marking: Option<MarkingReport>,
    /// One entry per size gone through, ascending.
    pub sizes: Vec<SizeTotal>,
    /// The instances, in the order explored, up to the limit.
    pub instances: Vec<InstanceReport>,
    /// How many more were explored than are listed.
    pub left_out: usize,
    /// A stable word: `complete`, or why the exploration ended early: `state-limit`, `time-limit`,
    /// `memory-limit`, `interrupted` or `too-large`.
    pub end: &'static str,
}

/// What is known of an error.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ErrorReport {
    /// Its name.
    pub error: String,
    /// Its definition, the names of other errors replaced by what they mean.
    pub formula: String,
    /// `reached`: by some instance; `not-reached`: by none of those selected; `not-decided`.
    #[serde(serialize_with = "serialize_reach")]
    pub verdict: Reach,
    /// How many instances reach it.
    pub instances: usize,
    /// In how many it is not decided.
    pub undecided: usize,
    /// The way there in the first instance that reaches it.
    pub trace: Option<TraceDocument>,
}

/// Whether one marking is reached.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MarkingReport {
    /// `reached`, `not-reached` or `not-decided`.
    #[serde(serialize_with = "serialize_reach")]
    pub verdict: Reach,
    /// The way there, if it is reached.
    pub trace: Option<TraceDocument>,
}

impl MarkingReport {
    /// What was found about a marking of the instance `net` of `tree`.
    pub fn new(
        system: &System,
        (tree, net): (&RewritingTree, &Net),
        verdict: Reach,
        trace: Option<&Trace>,
    ) -> Self {
        let trace = trace.and_then(|trace| document(system, None, tree, net, trace));
        MarkingReport { verdict, trace }
    }
}

/// `reached`, `not-reached` or `not-decided`.
pub(super) fn reach_word(reach: Reach) -> &'static str {
    match reach {
        Reach::Reached => "reached",
        Reach::Unreached => "not-reached",
        Reach::Undecided => "not-decided",
    }
}

fn serialize_reach<S: Serializer>(reach: &Reach, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(reach_word(*reach))
}

/// What was found in the instances of one size together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SizeTotal {
    /// The number of components.
    pub size: usize,
    /// How many instances were explored, the last one perhaps not to its end.
    pub instances: usize,
    /// Reachable markings.
    pub states: u64,
    /// Transitions enabled in them.
    pub transitions: u64,
    /// Markings in which none is.
    pub dead: u64,
    /// Dead markings in which every component may rest.
    pub terminated: u64,
    /// Whether all instances of the size were explored to their end.
    pub complete: bool,
}

/// What was found in one instance.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InstanceReport {
    /// The number of components.
    pub size: usize,
    /// Its rewriting tree.
    pub term: String,
    /// Reachable markings; with symmetry, of those that are the same up to an exchange only one.
    pub states: usize,
    /// How often a transition is enabled in them.
    pub transitions: u64,
    /// Markings in which none is.
    pub dead: u64,
    /// Dead markings in which every component may rest.
    pub terminated: u64,
    /// The greatest distance from the initial marking.
    pub depth: usize,
    /// What was left out.
    pub reduction: ReductionReport,
    /// `complete`, or why its exploration ended early; as in [`Explored::end`].
    pub end: &'static str,
    /// The bits of a marking.
    pub bits: u32,
    /// The most memory that markings took, per marking.
    pub bytes_per_state: f64,
    /// Wall-clock time in milliseconds.
    pub time_ms: f64,
    /// The errors, in the order of the call.
    pub errors: Vec<ErrorInInstance>,
}

/// What was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReductionReport {
    /// Whether stubborn sets were used.
    pub stubborn: bool,
    /// Per family of interchangeable groups of components the groups, by names; empty where symmetry was
    /// not used or there is none.
    pub symmetry: Vec<Vec<Vec<String>>>,
}

/// What is known of an error in one instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ErrorInInstance {
    /// Its name.
    pub error: String,
    /// Whether it is reached.
    #[serde(serialize_with = "serialize_reach")]
    pub verdict: Reach,
    /// How many of the markings are in it.
    pub states: u64,
    /// How long the trace is, if it is reached.
    pub steps: Option<usize>,
}

/// The word for the end of an exploration.
pub fn end_word(end: End) -> &'static str {
    match end {
        End::Exhausted | End::Reached | End::Undecided => "complete",
        End::StateLimit => "state-limit",
        End::TooLarge => "too-large",
        End::Stopped(Stop::Time | Stop::Work) => "time-limit",
        End::Stopped(Stop::Memory) => "memory-limit",
        End::Stopped(Stop::Interrupted) => "interrupted",
    }
}

/// The firing sequence `trace` of the instance `net` of `tree` to `error`, as a document.
pub fn trace_document(
    system: &System,
    error: &NamedError,
    tree: &RewritingTree,
    net: &Net,
    trace: &Trace,
) -> Option<TraceDocument> {
    document(system, Some(error), tree, net, trace)
}

fn document(
    system: &System,
    error: Option<&NamedError>,
    tree: &RewritingTree,
    net: &Net,
    trace: &Trace,
) -> Option<TraceDocument> {
    let transitions = trace.steps.iter().filter_map(|&step| net.transitions().get(step));
    Some(TraceDocument {
        format: FORMAT.to_owned(),
        version: VERSION,
        system: system.name().to_owned(),
        error: error.map(|error| error.name.clone()),
        formula: error.map(|error| print_formula(system, &error.formula)),
        instance: names::instance(system, tree, net),
        trace: transitions.map(|transition| build::step(system, net, transition)).collect(),
        marking: build::marking(system, net, trace.markings.last()?),
        property: None,
    })
}

/// The document of a run of the instance `net` of `tree` that violates a property; `None` where there is no marking.
pub fn run_document(
    system: &System,
    property: &Property,
    schedule: Schedule,
    (tree, net): (&RewritingTree, &Net),
    run: &InstanceRun,
) -> Option<TraceDocument> {
    let head = PropertyHead {
        name: property.name.clone(),
        formula: property.text.clone(),
        schedule: schedule_word(schedule).to_owned(),
        loop_start: run.loop_start,
    };
    Some(TraceDocument { property: Some(head), ..document(system, None, tree, net, &run.trace)? })
}

impl From<&sweep::SizeTotal> for SizeTotal {
    fn from(total: &sweep::SizeTotal) -> Self {
        SizeTotal {
            size: total.size,
            instances: total.instances,
            states: total.states as u64,
            transitions: total.transitions,
            dead: total.dead,
            terminated: total.terminated,
            complete: total.is_complete,
        }
    }
}

impl InstanceReport {
    /// What was found in an instance about `errors`.
    pub fn new(system: &System, errors: &[NamedError], instance: &ExploredInstance) -> Self {
        let ExploredInstance { tree, net, found, elapsed } = instance;
        let errors =
            errors.iter().zip(&found.errors).enumerate().map(|(number, (error, reach))| ErrorInInstance {
                error: error.name.clone(),
                verdict: found.reach(number),
                states: reach.count,
                steps: reach.trace.as_ref().map(|trace| trace.steps.len()),
            });
        let name = |id: &_| net.components()[*id].name.clone();
        let families = found
            .families
            .iter()
            .map(|family| family.groups.iter().map(|group| group.iter().map(name).collect()).collect());
        InstanceReport {
            size: net.components().len(),
            term: print_term(system, tree),
            states: found.states,
            transitions: found.transitions,
            dead: found.dead,
            terminated: found.terminated,
            depth: found.depth,
            reduction: ReductionReport { stubborn: found.reduction.stubborn, symmetry: families.collect() },
            end: end_word(found.end),
            bits: found.bits,
            bytes_per_state: found.peak_bytes as f64 / found.states.max(1) as f64,
            time_ms: elapsed.as_secs_f64() * 1000.0,
            errors: errors.collect(),
        }
    }

    /// Its line for a person, with a line break.
    pub fn line(&self) -> String {
        let up_to = match (self.reduction.stubborn, self.reduction.symmetry.is_empty()) {
            (false, true) => "",
            (true, true) => " by stubborn sets",
            (false, false) => " up to symmetry",
            (true, false) => " by stubborn sets, up to symmetry",
        };
        let mut line = format!(
            "  {}  {}: {}{up_to}, {}, depth {}, {}",
            self.term,
            plural(self.size, "component"),
            plural(self.states, "state"),
            plural(count(self.transitions), "transition"),
            grouped(self.depth),
            dead(self.dead, self.terminated),
        );
        if self.end != "complete" {
            let _ = write!(line, "; {}", end_text(self.end));
        }
        let bytes = match self.states {
            // A table has a size of its own, which means nothing here.
            0..10_000 => String::new(),
            _ => format!(", {:.1} bytes per state", self.bytes_per_state),
        };
        let _ = writeln!(line, "  ({}{bytes})", text::time(self.time_ms));
        line
    }
}

impl Explored {
    /// Nothing explored yet.
    pub fn new(system: &System, errors: &[NamedError]) -> Self {
        let errors = errors.iter().map(|error| ErrorReport {
            error: error.name.clone(),
            formula: print_formula(system, &error.formula),
            verdict: Reach::Unreached,
            instances: 0,
            undecided: 0,
            trace: None,
        });
        Explored {
            errors: errors.collect(),
            marking: None,
            sizes: Vec::new(),
            instances: Vec::new(),
            left_out: 0,
            end: "complete",
        }
    }

    /// Adds an instance; lists it if no more than `limit` are then. `trace` gives a trace document for the
    /// error with this number.
    pub fn add(
        &mut self,
        report: InstanceReport,
        limit: usize,
        trace: impl Fn(usize) -> Option<TraceDocument>,
    ) {
        for (number, (known, found)) in self.errors.iter_mut().zip(&report.errors).enumerate() {
            known.verdict = known.verdict.max(found.verdict);
            known.undecided += usize::from(found.verdict == Reach::Undecided);
            if found.verdict == Reach::Reached {
                known.instances += 1;
                known.trace = known.trace.take().or_else(|| trace(number));
            }
        }
        if self.instances.len() < limit {
            self.instances.push(report);
        } else {
            self.left_out += 1;
        }
    }

    /// The exploration is over, for the reason `end`, with these totals.
    pub fn finish(&mut self, sizes: &[sweep::SizeTotal], end: End) {
        self.sizes = sizes.iter().map(SizeTotal::from).collect();
        self.end = end_word(end);
        for error in &mut self.errors {
            // What was not explored may reach it.
            if error.verdict == Reach::Unreached && end != End::Exhausted {
                error.verdict = Reach::Undecided;
            }
        }
    }

    /// The last lines for a person: totals, and what is known of each error. `is_quiet` leaves out totals
    /// and traces.
    pub fn summary(&self, is_quiet: bool, style: &Style) -> String {
        let mut lines = String::new();
        if self.left_out > 0 && !is_quiet {
            let _ = writeln!(lines, "  {} not listed (`--limit`)", plural(self.left_out, "instance"));
        }
        for size in self.sizes.iter().filter(|size| !is_quiet && (size.instances != 1 || !size.complete)) {
            let instances = match (size.instances, size.complete) {
                (0, true) => continue,
                (count, true) => format!("all {}", plural(count, "instance")),
                (count, false) => format!("{} so far", plural(count, "instance")),
            };
            let _ = writeln!(
                lines,
                "  {instances} with {}: {}, {}, {}",
                plural(size.size, "component"),
                plural(count(size.states), "state"),
                plural(count(size.transitions), "transition"),
                dead(size.dead, size.terminated),
            );
        }
        if self.end != "complete" {
            let _ = writeln!(lines, "  {}", end_text(self.end));
        }
        let width = columns::width(self.errors.iter().map(|error| error.error.as_str()), columns::NAMES);
        for error in &self.errors {
            let instances = match (error.verdict, error.instances, error.undecided) {
                (Reach::Reached, count, _) => {
                    let steps = error.trace.as_ref().map_or(0, |trace| trace.trace.len());
                    format!("  in {}, first after {}", plural(count, "instance"), plural(steps, "step"))
                }
                (Reach::Undecided, _, 1..) => format!("  in {}", plural(error.undecided, "instance")),
                _ => String::new(),
            };
            let name = match instances.is_empty() {
                true => error.error.clone(),
                false => format!("{:<width$}", error.error),
            };
            let _ = writeln!(lines, "  {}  {name}{instances}", style.reach(error.verdict));
            if let Some(trace) = error.trace.as_ref().filter(|_| !is_quiet) {
                lines += &text::trace(trace, trace.trace.len(), style);
            }
        }
        if let Some(MarkingReport { verdict, trace }) = &self.marking {
            let steps = trace.as_ref().map(|trace| format!("  after {}", plural(trace.trace.len(), "step")));
            let _ = writeln!(lines, "  {}  the marking{}", style.reach(*verdict), steps.unwrap_or_default());
            if let Some(trace) = trace.as_ref().filter(|_| !is_quiet) {
                lines += &text::trace(trace, trace.trace.len(), style);
            }
        }
        lines
    }
}

/// Why the reduction that was selected is not applied: some error could be missed. `None` where it is.
pub fn not_reduced(wanted: Reduction, errors: &[NamedError]) -> Option<String> {
    let formulas: Vec<_> = errors.iter().map(|error| &error.formula).collect();
    if wanted.sound_for(&formulas) == wanted {
        return None;
    }
    let seen = errors.iter().find(|error| !wanted.sound_for(&[&error.formula]).stubborn)?;
    Some(format!(
        "stubborn sets are not used: they keep dead markings only, and `{}` may hold in others",
        seen.name
    ))
}

fn end_text(end: &str) -> &'static str {
    match end {
        "state-limit" => "the limit of states was reached (`--max-states`)",
        "time-limit" => "the time limit was reached",
        "memory-limit" => "the memory limit was reached",
        "interrupted" => "interrupted",
        "too-large" => "the instance has too many transitions",
        _ => "complete",
    }
}

/// `no deadlock`, `2 deadlocks`, `no deadlock, 1 termination`: of `dead` markings so many are terminations.
fn dead(dead: u64, terminated: u64) -> String {
    let mut text = match dead.saturating_sub(terminated) {
        0 => "no deadlock".to_owned(),
        deadlocks => plural(count(deadlocks), "deadlock"),
    };
    if terminated > 0 {
        text += &format!(", {}", plural(count(terminated), "termination"));
    }
    text
}

fn count(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
