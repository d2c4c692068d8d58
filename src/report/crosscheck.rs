//! The document of `paramcheck crosscheck`: verdicts beside what exhaustive exploration found. The field
//! names are keys of its JSON document (`docs/json.md`); [`text`](crate::report::text::crosscheck) makes
//! lines of it.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use crate::report::explored::end_word;
use crate::report::text::{self, Detail, Style, plural};
use crate::report::{Answer, build};
use paramcheck_model::error::NamedError;
use paramcheck_model::error::print::print_formula;
use paramcheck_model::system::System;
use paramcheck_nets::explore::Reach;
use paramcheck_nets::explore::engine::End;
use paramcheck_nets::explore::sweep::SizeTotal;
use paramcheck_nets::instance::term::print_term;
use paramcheck_verdict::crosscheck::{Agreement, Contradiction, Observation};
use paramcheck_verdict::{Finding, InternalBug, Status, Verdict};

/// What was found about one file.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Crosscheck {
    /// What exploration found of each size, ascending.
    pub sizes: Vec<Size>,
    /// Up to which size every instance was explored.
    pub explored_up_to: usize,
    /// Why exploration ended before the size that was selected: `state-limit`, `too-large`, `time-limit`,
    /// `memory-limit` or `interrupted`; `None` if it did not.
    pub end: Option<&'static str>,
    /// One per question; in the document they are the results.
    #[serde(skip)]
    pub questions: Vec<Compared>,
}

/// What exploration found of one size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Size {
    /// The number of components.
    pub size: usize,
    /// How many instances were explored to their end.
    pub instances: usize,
    /// How many states they have together.
    pub states: usize,
    /// Per error, by name, whether some instance reaches it; `None` where that could not be decided.
    pub reached: BTreeMap<String, Option<bool>>,
    /// Whether these are all instances, explored completely.
    pub complete: bool,
    /// Wall-clock time in milliseconds.
    pub time_ms: f64,
}

/// A question: its verdict, and how exploration agrees.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// The error's name.
    pub error: String,
    /// Its definition, the names of other errors replaced by what they mean.
    pub formula: String,
    /// The verdict; `None` where there is none, since its evidence was refused.
    pub verdict: Option<Answer>,
    /// The instance of the verdict, where it is *violated*.
    pub instance: Option<Reached>,
    /// The engines, and the answer of each.
    pub engines: Vec<Engine>,
    /// The instance by which exploration reaches the error: of the smallest size, of these one with a
    /// shortest trace. `None` where it is not reached.
    pub smallest: Option<Reached>,
    /// Up to which size no instance reaches the error.
    pub unreached_up_to: usize,
    /// Whether nothing contradicts.
    pub agrees: bool,
    /// A stable word for how they agree, or what contradicts.
    pub relation: &'static str,
    /// The same in words.
    pub text: String,
    /// The file with everything needed to see a contradiction again; `None` where there is none.
    pub reproducer: Option<String>,
    /// Wall-clock time in milliseconds that the verdict took.
    pub time_ms: f64,
}

/// An instance that reaches an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reached {
    /// The number of components.
    pub size: usize,
    /// The length of the trace.
    pub steps: usize,
    /// The rewriting tree as a term.
    pub term: String,
}

/// An engine and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Engine {
    /// `direct` or `mona`.
    pub engine: String,
    /// Its answer.
    pub verdict: Answer,
}

/// How a question was compared.
pub type Outcome = Result<Agreement, Contradiction>;

impl Crosscheck {
    /// Adds what exploration found. `errors` are those that were selected, in their order.
    pub fn explored(&mut self, errors: &[NamedError], seen: &Observation) {
        let row = |total: &SizeTotal| Size {
            size: total.size,
            instances: total.exhausted,
            states: total.states,
            reached: errors
                .iter()
                .zip(&total.reached)
                .map(|(error, reach)| {
                    let reached = match reach {
                        Reach::Reached => Some(true),
                        Reach::Unreached => Some(false),
                        Reach::Undecided => None,
                    };
                    (error.name.clone(), reached)
                })
                .collect(),
            complete: total.is_complete,
            time_ms: total.elapsed.as_secs_f64() * 1000.0,
        };
        self.sizes = seen.sizes.iter().map(row).collect();
        self.explored_up_to = seen.complete_up_to();
        self.end = (seen.end != End::Exhausted).then(|| end_word(seen.end));
    }
}

impl Compared {
    /// A question that has a verdict. Its error stands at `position` in `seen`.
    pub fn new(
        system: &System,
        verdict: &Verdict,
        seen: &Observation,
        position: usize,
        outcome: &Outcome,
    ) -> Self {
        let (relation, text) = match outcome {
            Ok(agreement) => (agreement_word(agreement), agreement_text(agreement)),
            Err(contradiction) => (contradiction_word(contradiction), contradiction.to_string()),
        };
        let instance = match &verdict.status {
            Status::Violated(violated) => {
                let (size, steps) = (violated.tree.size(), violated.trace.steps.len());
                Some(Reached { size, steps, term: print_term(system, &violated.tree) })
            }
            Status::Proved(_) | Status::Unknown(_) => None,
        };
        let engines = verdict.engines.iter().map(|run| Engine {
            engine: run.engine.to_string(),
            verdict: match run.finding {
                Finding::Proved => Answer::Proved,
                Finding::Violated => Answer::Violated,
                Finding::Unknown(_) => Answer::Unknown,
            },
        });
        Compared {
            verdict: Some(match verdict.status {
                Status::Proved(_) => Answer::Proved,
                Status::Violated(_) => Answer::Violated,
                Status::Unknown(_) => Answer::Unknown,
            }),
            instance,
            engines: engines.collect(),
            agrees: outcome.is_ok(),
            relation,
            text,
            time_ms: verdict.elapsed.as_secs_f64() * 1000.0,
            ..Compared::unanswered(system, &verdict.error, seen, position)
        }
    }

    /// A question whose verdict is withheld, since its evidence was refused.
    pub fn bug(
        system: &System,
        error: &NamedError,
        seen: &Observation,
        position: usize,
        bug: &InternalBug,
    ) -> Self {
        Compared { text: bug.to_string(), ..Compared::unanswered(system, error, seen, position) }
    }

    fn unanswered(system: &System, error: &NamedError, seen: &Observation, position: usize) -> Self {
        let smallest = seen.smallest.get(position).and_then(Option::as_deref);
        Compared {
            error: error.name.clone(),
            formula: print_formula(system, &error.formula),
            verdict: None,
            instance: None,
            engines: Vec::new(),
            smallest: smallest.map(|reached| Reached {
                size: reached.tree.size(),
                steps: reached.trace.steps.len(),
                term: print_term(system, &reached.tree),
            }),
            unreached_up_to: seen.excluded_up_to(position),
            agrees: false,
            relation: "evidence",
            text: String::new(),
            reproducer: None,
            time_ms: 0.0,
        }
    }
}

/// Lines for a bug report about a contradiction: the verdict with its evidence, and the instance and steps by
/// which exploration reaches the error.
pub fn details(system: &System, verdict: &Verdict, seen: &Observation, position: usize) -> String {
    let style = Style { detail: Detail::Verbose, ..Style::default() };
    let mut text = String::from("verdict:\n");
    text += &text::question(&build::question(system, verdict), "  ", &style);
    let _ = writeln!(text, "exploration: every instance of up to {} components", seen.complete_up_to());
    match seen.smallest.get(position).and_then(Option::as_deref) {
        None => text.push_str("  the error is not reached\n"),
        Some(reached) => {
            let _ = writeln!(text, "  reached in {}", print_term(system, &reached.tree));
            let steps = reached.trace.steps.iter().filter_map(|&step| reached.net.transitions().get(step));
            for (number, transition) in steps.enumerate() {
                let step = text::step(&build::step(system, &reached.net, transition));
                let _ = writeln!(text, "  {}. {step}", number + 1);
            }
        }
    }
    text
}

fn agreement_word(agreement: &Agreement) -> &'static str {
    match agreement {
        Agreement::ProvedAndUnreached { .. } => "proved-and-unreached",
        Agreement::ViolatedAndReached { .. } => "violated-and-reached",
        Agreement::ViolatedButSmaller { .. } => "violated-but-smaller",
        Agreement::ViolatedBeyond { .. } => "violated-beyond",
        Agreement::UnknownAndUnreached { .. } => "unknown-and-unreached",
        Agreement::UnknownButReached { .. } => "unknown-but-reached",
    }
}

fn contradiction_word(contradiction: &Contradiction) -> &'static str {
    match contradiction {
        Contradiction::ProvedButReached { .. } => "proved-but-reached",
        Contradiction::ViolatedButUnreached { .. } => "violated-but-unreached",
        Contradiction::InstanceUnreached { .. } => "instance-unreached",
        Contradiction::TraceLength { .. } => "trace-length",
        Contradiction::ExploredButReached { .. } => "explored-but-reached",
        Contradiction::SmallestInstance { .. } => "smallest-instance",
        Contradiction::Exploration { .. } => "exploration",
    }
}

/// How a verdict and exploration agree, in words.
fn agreement_text(agreement: &Agreement) -> String {
    let components = |size: usize| plural(size, "component");
    let none = |up_to: usize| match up_to {
        0 => "no size is known not to reach it".to_owned(),
        up_to => format!("no instance of up to {} reaches it", components(up_to)),
    };
    match *agreement {
        Agreement::ProvedAndUnreached { up_to } => format!("proved, and {}", none(up_to)),
        Agreement::ViolatedAndReached { size, steps } => {
            let steps = plural(steps, "step");
            format!("violated, and exploration says the same: {}, {steps}", components(size))
        }
        Agreement::ViolatedButSmaller { size, smallest } => {
            format!("violated by {}, and exploration reaches it with {smallest}", components(size))
        }
        Agreement::ViolatedBeyond { size, up_to } => {
            format!("violated by {}, and {}", components(size), none(up_to))
        }
        Agreement::UnknownAndUnreached { up_to } => format!("unknown, and {}", none(up_to)),
        Agreement::UnknownButReached { size, steps } => {
            let steps = plural(steps, "step");
            format!("unknown, but exploration reaches it: {}, {steps}", components(size))
        }
    }
}
