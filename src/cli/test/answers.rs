//! The answers about one model, by the library: as in checking, and for a process as in `verify`.

use std::path::Path;
use std::time::Duration;

use paramcheck::report::Answer;
use paramcheck::report::labs::FAULT;
use paramcheck_labs::model::Property;
use paramcheck_labs::semantics::step::{Fairness, Rules, Schedule as Turns};
use paramcheck_model::system::System;
use paramcheck_process::lower::Lowered;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::diagnostic::codes::input::BUG;
use paramcheck_text::limits::Budget;
use paramcheck_text::source::SourceFile;
use paramcheck_verdict::labs as labs_verdict;
use paramcheck_verdict::process::{self as process_verdict, ProcessChecks};
use paramcheck_verdict::{Options, Reason, Status, decide};

use super::TestSession;
use super::expected::{FileExpectations, SCHEDULES, Settings};
use crate::cli::exit::Exit;
use crate::cli::labs::{self, Loaded};
use crate::cli::watch::Watch;
use crate::cli::{files, model, process};

/// The answer to one question.
#[derive(Clone, Debug)]
pub(super) struct Answered {
    /// Under which schedule; `None` for an error of a rewriting system.
    pub schedule: Option<Schedule>,
    /// The name of the error or check.
    pub name: String,
    /// The verdict.
    pub verdict: Answer,
    /// The components of the instance that reaches the error.
    pub size: Option<usize>,
    /// The steps that lead there; of a run all.
    pub steps: Option<usize>,
    /// The kinds of invariants of a proof, sorted.
    pub kinds: Vec<String>,
    /// Whether a limit of time or memory, or an interrupt, ended the search for an answer.
    pub is_cut_off: bool,
    /// How long it took.
    pub elapsed: Duration,
}

/// How questions about one file are decided.
struct Decider<'a> {
    watch: &'a Watch,
    time_limit: Option<Duration>,
    own: &'a Settings,
    all: &'a Settings,
}

/// The answers about the model at `path`: to all its questions, of a process in any order, and to those
/// expected under other schedules. `None` where there are none, with the reason reported.
pub(super) fn of_file(
    path: &Path,
    expected: Option<&FileExpectations>,
    all: &Settings,
    watch: &Watch,
    session: &mut TestSession<'_>,
) -> Option<Vec<Answered>> {
    let none = Settings::default();
    let own = expected.map_or(&none, |file| &file.settings);
    let decider = Decider { watch, time_limit: own.time_limit.or(all.time_limit), own, all };
    if labs::is_labs(path) {
        let loaded = labs::load(path, &own.parameters, None, session)?;
        return decider.of_agents(&loaded, expected, session);
    }
    if process::language_of(path).is_some() {
        let (source, Lowered { system, diagnostics, .. }) =
            session.accept(process::load(path, None, None))?;
        session.diagnostics(&diagnostics, &source);
        let system = system?;
        return decider.of_process(&source, &system, expected, session);
    }
    let source = session.accept(model::read_text(path, None))?;
    let system = session.system(&source)?;
    decider.of_system(&source, &system, session)
}

impl Decider<'_> {
    fn budget(&self, budget: Budget) -> Budget {
        self.time_limit.map_or_else(|| budget.clone(), |limit| budget.within(limit))
    }

    fn max_states(&self, default: usize) -> usize {
        self.own.max_states.or(self.all.max_states).unwrap_or(default)
    }

    fn of_system(
        &self,
        source: &SourceFile,
        system: &System,
        session: &mut TestSession<'_>,
    ) -> Option<Vec<Answered>> {
        let mut answers = Vec::new();
        for error in std::iter::once(System::deadlock()).chain(system.errors.iter().cloned()) {
            let title = format!("{}: {}", source.name, error.name);
            let verdict = self.watch.run(&title, |budget| {
                let mut options = Options {
                    threads: std::thread::available_parallelism().map_or(1, usize::from),
                    budget: self.budget(budget),
                    ..Options::default()
                };
                options.max_states = self.max_states(options.max_states);
                if let Some(choice) = self.own.invariants.as_ref().or(self.all.invariants.as_ref()) {
                    options.invariants = choice.clone();
                }
                decide(system, &error, &options)
            });
            let verdict = match verdict {
                Ok(verdict) => verdict,
                Err(bug) => {
                    session.bug((system, source), &error, &bug, "");
                    return None;
                }
            };
            let mut answer = Answered {
                schedule: None,
                name: error.name,
                verdict: Answer::Unknown,
                size: None,
                steps: None,
                kinds: Vec::new(),
                is_cut_off: false,
                elapsed: verdict.elapsed,
            };
            match &verdict.status {
                Status::Proved(proved) => {
                    answer.verdict = Answer::Proved;
                    answer.kinds = proved.invariants.iter().map(ToString::to_string).collect();
                    answer.kinds.sort();
                }
                Status::Violated(violated) => {
                    answer.verdict = Answer::Violated;
                    answer.size = Some(violated.tree.size());
                    answer.steps = Some(violated.trace.steps.len());
                }
                Status::Unknown(unknown) => {
                    answer.is_cut_off = matches!(unknown.reason, Reason::Stopped(_));
                }
            }
            answers.push(answer);
        }
        Some(answers)
    }

    fn of_process(
        &self,
        source: &SourceFile,
        system: &paramcheck_process::model::System,
        expected: Option<&FileExpectations>,
        session: &mut TestSession<'_>,
    ) -> Option<Vec<Answered>> {
        let mut answers = Vec::new();
        for schedule in [Schedule::Any, Schedule::WeaklyFair, Schedule::StronglyFair, Schedule::RoundRobin] {
            let is_wanted = |name: &str| {
                let mut questions = expected.into_iter().flat_map(|file| &file.questions);
                schedule == Schedule::Any
                    || questions.any(|one| one.schedule == Some(schedule) && one.name == name)
            };
            let checks: Vec<_> =
                system.checks.iter().filter(|check| is_wanted(&check.name)).cloned().collect();
            if checks.is_empty() {
                continue;
            }
            let subject = ProcessChecks { name: &source.name, system, checks: &checks };
            let decision = self.watch.run(&source.name, |budget| {
                let mut options = process_verdict::Options {
                    schedule,
                    threads: std::thread::available_parallelism().map_or(1, usize::from),
                    budget: self.budget(budget),
                    ..process_verdict::Options::default()
                };
                options.max_states = self.max_states(options.max_states);
                process_verdict::decide(&subject, true, &[], &options)
            });
            for verdict in decision.verdicts {
                if let Some(bug) = &verdict.bug {
                    let message = format!("bug in paramcheck, no answer about `{}`: {bug}", verdict.check);
                    session.diagnostic(&files::plain(&BUG, message), None);
                    session.raise(Exit::Bug);
                    return None;
                }
                let answer = verdict.answer();
                let status = answer.map(|answer| &answer.status);
                let is_cut_off = match status {
                    Some(Status::Unknown(why)) => {
                        matches!(why.code(), "time-limit" | "memory-limit" | "interrupted")
                    }
                    _ => false,
                };
                let word = match status {
                    Some(Status::Proved(_)) => Answer::Proved,
                    Some(Status::Violated(_)) => Answer::Violated,
                    Some(Status::Unknown(_)) | None => Answer::Unknown,
                };
                answers.push(Answered {
                    schedule: Some(schedule),
                    name: verdict.check.clone(),
                    verdict: word,
                    size: None,
                    steps: answer.and_then(|answer| answer.steps),
                    kinds: Vec::new(),
                    is_cut_off,
                    elapsed: verdict.elapsed(),
                });
            }
        }
        Some(answers)
    }

    /// The answers about agents: free, and where that is expected round-robin. A fault is one of them.
    fn of_agents(
        &self,
        loaded: &Loaded,
        expected: Option<&FileExpectations>,
        session: &mut TestSession<'_>,
    ) -> Option<Vec<Answered>> {
        let Loaded { source, system } = loaded;
        let mut answers = Vec::new();
        for (_, schedule) in SCHEDULES {
            let is_wanted = |name: &str| {
                let mut questions = expected.into_iter().flat_map(|file| &file.questions);
                schedule == Schedule::Any
                    || questions.any(|one| one.schedule == Some(schedule) && one.name == name)
            };
            let of_call = system.properties.iter().filter(|property| is_wanted(&property.name));
            let properties: Vec<Property> = of_call.cloned().collect();
            if schedule != Schedule::Any && properties.is_empty() && !is_wanted(FAULT) {
                continue;
            }
            let mut rules = Rules::default();
            match schedule {
                Schedule::Any => {}
                Schedule::RoundRobin => rules.schedule = Turns::RoundRobin,
                Schedule::WeaklyFair => rules.fairness = Fairness::Weak,
                Schedule::StronglyFair => rules.fairness = Fairness::Strong,
            }
            let decision = self.watch.run(&source.name, |budget| {
                let default = labs_verdict::Options::default();
                let options = labs_verdict::Options {
                    max_states: self.max_states(default.max_states),
                    threads: std::thread::available_parallelism().map_or(1, usize::from),
                    budget: self.budget(budget),
                    ..default
                };
                labs_verdict::decide(system, &properties, rules, &options)
            });
            let decision = decision
                .map_err(|reason| session.diagnostic(&labs::no_start(source, system, reason), Some(source)))
                .ok()?;
            let answered = |name: &str, verdict, steps, is_cut_off, elapsed| Answered {
                schedule: Some(schedule),
                name: name.to_owned(),
                verdict,
                size: None,
                steps,
                kinds: Vec::new(),
                is_cut_off,
                elapsed,
            };
            if let Some(fault) = decision.fault.as_ref().filter(|_| is_wanted(FAULT)) {
                let steps = Some(fault.run.labels.len());
                answers.push(answered(FAULT, Answer::Violated, steps, false, decision.elapsed));
            }
            for answer in &decision.answers {
                if let Some(bug) = &answer.bug {
                    let message = format!("bug in paramcheck, no answer about `{}`: {bug}", answer.property);
                    session.diagnostic(&files::plain(&BUG, message), None);
                    session.raise(Exit::Bug);
                    return None;
                }
                let (verdict, steps, is_cut_off) = match &answer.status {
                    Status::Proved(_) => (Answer::Proved, None, false),
                    Status::Violated(found) => (Answer::Violated, Some(found.run.labels.len()), false),
                    Status::Unknown(why) => {
                        let is_cut_off = matches!(why.code(), "time-limit" | "memory-limit" | "interrupted");
                        (Answer::Unknown, None, is_cut_off)
                    }
                };
                let elapsed = decision.elapsed + answer.elapsed;
                answers.push(answered(&answer.property, verdict, steps, is_cut_off, elapsed));
            }
        }
        Some(answers)
    }
}
