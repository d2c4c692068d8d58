//! `paramcheck verify`: the checks of a process or choreography, or the errors of an instance, by this
//! program and by others.
//!
//! Here is what is the same for both: options, diagnostics, output, the exit code. [`process`](self::process)
//! and [`instance`] read what is in question; agents of LAbS have a road of their own, [`labs`](self::labs).
//! The answers come from the crate *verdict*; nothing is decided here.

use std::time::{Duration, Instant};

use clap::error::ErrorKind;

use paramcheck::report::Answer;
use paramcheck::report::advice::{Advice, violated};
use paramcheck::report::backends::{BackendResult, MissingBackend};
use paramcheck::report::processes::{CheckResult, InstanceHead, Verification};
use paramcheck::report::reproducer::quoted;
use paramcheck::report::text::{Detail, Style};
use paramcheck_emulation::backend::ALL;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::columns;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::input::BUG;
use paramcheck_text::diagnostic::codes::process::calls::MISSING_BACKEND;
use paramcheck_text::source::SourceFile;
use paramcheck_verdict::process::{
    self as process_verdict, CheckVerdict, Decision, Options, Subject, Verifier,
};
use paramcheck_verdict::{InternalBug, Status};

use super::args::schedule::OF_PROCESSES;
use super::args::verify::{VerifyArguments, Wanted};
use super::backend::{Ready, how_to_get, ready};
use super::console::Console;
use super::exit::Exit;
use super::labs::{given, is_labs};
use super::process::language_of;
use super::rcheck::is_rcheck;
use super::session::{Session, Style as SessionStyle};
use super::watch::{Interrupt, Watch, refuse_memory_limit};
use super::{Failure, bug, files, list};

mod instance;
mod labs;
mod process;
mod rcheck;

/// How long another back end may take for a question where the call has no time limit: some never end, and
/// nothing is printed before all have.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// Runs the command.
pub(super) fn run(arguments: &VerifyArguments, console: &mut Console) -> Result<Exit, Failure> {
    let Some(schedule) = arguments.runs.schedule() else {
        return Err(usage(
            "--fair: taking turns leaves nobody out; use either --fair or --schedule round-robin",
        ));
    };
    let (is_labs, is_rcheck) = (is_labs(&arguments.file), is_rcheck(&arguments.file));
    if !arguments.properties.is_empty() && (is_labs || is_rcheck) {
        return Err(usage(match is_rcheck {
            true => {
                "--ltl is about an instance of a rewriting system; in R-CHECK a property is a SPEC of the file"
            }
            false => {
                "--ltl is about an instance of a rewriting system; agents have properties of their own: \
                      --check 'NAME = always …'"
            }
        }));
    }
    if arguments.as_rcheck && !is_rcheck {
        return Err(usage("--as-rcheck is about R-CHECK, in files that end in .rcp"));
    }
    if is_labs {
        return labs::run(arguments, console);
    }
    if let Some(option) = given(&arguments.parameters, arguments.steps, &arguments.rules) {
        return Err(usage(&format!("{option} is about agents, in files that end in .labs")));
    }
    if is_rcheck {
        return rcheck::run(arguments, console);
    }
    if arguments.list {
        let style = SessionStyle { command: "list", is_json: arguments.json, is_quiet: arguments.quiet };
        return list::run(std::slice::from_ref(&arguments.file), arguments.language, style, console);
    }
    refuse_memory_limit(arguments.limits.memory_limit)?;
    let style = SessionStyle { command: "verify", is_json: arguments.json, is_quiet: arguments.quiet };
    let session = Session::about(&arguments.file, style, console);
    let mut call = Call { arguments, schedule, session };
    call.run()?;
    call.session.finish()
}

/// A call whose options do not fit together.
pub(super) fn usage(message: &str) -> Failure {
    Failure::misuse(ErrorKind::ArgumentConflict, message)
}

/// A call in progress.
struct Call<'a> {
    arguments: &'a VerifyArguments,
    schedule: Schedule,
    session: Session<'a, Verification, CheckResult>,
}

/// Who answers.
pub(super) struct Verifiers {
    /// Whether this program does.
    pub(super) is_native: bool,
    /// The others.
    pub(super) others: Vec<Ready>,
    /// Others that would if they were installed.
    pub(super) missing: Vec<MissingBackend>,
}

impl Verifiers {
    /// Finds those that the call wants; a job of another one may have `memory` bytes.
    ///
    /// # Errors
    /// The only one wanted is not installed.
    pub(super) fn find(wanted: Wanted, memory: Option<u64>) -> Result<Verifiers, MissingBackend> {
        let is_native = !matches!(wanted, Wanted::One(_));
        let mut verifiers = Verifiers { is_native, others: Vec::new(), missing: Vec::new() };
        let backends: Vec<_> = match wanted {
            Wanted::Native => Vec::new(),
            Wanted::One(backend) => vec![backend],
            Wanted::All => ALL.to_vec(),
        };
        for backend in backends {
            match ready(backend, memory) {
                Ok(found) => verifiers.others.push(found),
                Err(tool) => {
                    let name = backend.about().name.to_owned();
                    let missing = MissingBackend { backend: name, how_to_get: how_to_get(tool) };
                    if !is_native {
                        return Err(missing);
                    }
                    verifiers.missing.push(missing);
                }
            }
        }
        Ok(verifiers)
    }
}

/// The diagnostic that a back end is not installed.
pub(super) fn not_here(missing: MissingBackend) -> Diagnostic {
    let message = format!("the back end {} is not here", missing.backend);
    files::plain(&MISSING_BACKEND, message).help(missing.how_to_get)
}

impl Call<'_> {
    fn run(&mut self) -> Result<(), Failure> {
        let arguments = self.arguments;
        let is_instance = arguments.size.is_some() || arguments.tree.is_some();
        if is_instance && (!arguments.checks.is_empty() || arguments.language.is_some()) {
            return Err(usage(
                "--check and --language are about processes, --size and --tree about rewriting systems",
            ));
        }
        let is_of_runs = !arguments.properties.is_empty();
        if is_instance
            && self.schedule != Schedule::Any
            && (!is_of_runs || self.schedule == Schedule::RoundRobin)
        {
            return Err(usage(OF_PROCESSES));
        }
        if !is_instance && !arguments.errors.is_empty() {
            return Err(usage("--error is about an instance: say which one with --size N or --tree TERM"));
        }
        if !is_instance && is_of_runs {
            return Err(usage(match language_of(&arguments.file) {
                Some(_) => {
                    "--ltl is about an instance of a rewriting system; in a process it is a check of the file: \
                     `check NAME = ltl …;`"
                }
                None => "--ltl is about an instance: say which one with --size N or --tree TERM",
            }));
        }
        let verifiers = match Verifiers::find(arguments.backend, arguments.limits.memory_bytes()) {
            Ok(verifiers) => verifiers,
            Err(missing) => {
                self.session.diagnostic(&not_here(missing), None);
                return Ok(());
            }
        };
        if is_instance { instance::run(self, verifiers) } else { process::run(self, verifiers) }
    }

    /// Limits for what is about to be answered.
    fn watch(&self, begin: Instant, interrupt: Interrupt) -> Watch {
        interrupt.start();
        Watch::new(interrupt, begin, &self.arguments.limits, self.session.shows_progress())
    }

    /// Has the library answer.
    fn decide<S: Subject>(
        &mut self,
        subject: &S,
        verifiers: &Verifiers,
        watch: &Watch,
    ) -> Decision<S::Violation> {
        let others: Vec<&dyn Verifier> =
            verifiers.others.iter().map(|ready| ready as &dyn Verifier).collect();
        let decision = watch.run(subject.name(), |budget| {
            let options = Options {
                schedule: self.schedule,
                max_states: self.arguments.max_states,
                threads: std::thread::available_parallelism().map_or(1, usize::from),
                patience: self.arguments.limits.time_limit.is_none().then_some(PATIENCE),
                budget,
                ..Options::default()
            };
            process_verdict::decide(subject, verifiers.is_native, &others, &options)
        });
        if watch.interrupt.is_pressed() {
            self.session.raise(Exit::Interrupted);
        }
        decision
    }

    /// Reports what was decided. `formulas` are what the checks demand; `show` adds to the result of a check
    /// what belongs to its kind of model, a violation where there is one.
    fn conclude<V>(
        &mut self,
        source: &SourceFile,
        verifiers: Verifiers,
        decision: &Decision<V>,
        instance: Option<InstanceHead>,
        formulas: &[String],
        show: impl Fn(&mut CheckResult, usize, Option<&V>),
    ) -> Result<(), Failure> {
        let mut verification = Verification::new(self.arguments.backend.word(), self.schedule, decision);
        verification.instance = instance;
        verification.missing = verifiers.missing;
        let mut conflicts = 0;
        for (check, (verdict, formula)) in decision.verdicts.iter().zip(formulas).enumerate() {
            match &verdict.bug {
                None => {
                    let violation = verdict.answers.iter().find_map(|answer| match &answer.status {
                        Status::Violated(violation) => Some(violation),
                        Status::Proved(_) | Status::Unknown(_) => None,
                    });
                    let Some(mut result) = CheckResult::new(formula, verdict) else { continue };
                    show(&mut result, check, violation);
                    if result.verdict == Answer::Violated && (self.arguments.json || !self.arguments.quiet) {
                        result.advice = self.take_up(source, &result, verification.instance.as_ref());
                    }
                    verification.results.push(result);
                }
                Some(bug @ InternalBug::Conflict { .. }) => {
                    conflicts += 1;
                    self.conflict(source, formula, verdict, bug, conflicts);
                }
                Some(bug) => {
                    let message = format!("bug in paramcheck, no answer about `{}`: {bug}", verdict.check);
                    let help = "please report it, with the file and the call";
                    self.session.diagnostic(&files::plain(&BUG, message).help(help), None);
                    self.session.raise(Exit::Bug);
                }
            }
        }
        self.show(source, verification)
    }

    /// The commands that take up the evidence of a violation, where there is some.
    fn take_up(
        &self,
        source: &SourceFile,
        result: &CheckResult,
        instance: Option<&InstanceHead>,
    ) -> Vec<Advice> {
        let VerifyArguments { file: path, errors, language, .. } = self.arguments;
        let file = if files::is_stdin(path) { "-" } else { &source.name };
        let mut call = format!("paramcheck verify {}", quoted(file));
        if let (Some(instance), Some(trace)) = (instance, &result.trace) {
            if let Some(property) = &trace.property {
                let definition = quoted(&format!("{} = {}", property.name, property.formula));
                call += &format!(" --tree {} --ltl {definition}", quoted(&instance.term));
                call += self.given_schedule();
                call += &self.given_limits();
                return violated::of_instance(file, &result.check, &call, "");
            }
            let given =
                errors.iter().find(|given| given.split('=').next().map(str::trim) == Some(&result.check));
            let error = quoted(given.unwrap_or(&result.check));
            call += &format!(" --tree {} --error {error}{}", quoted(&instance.term), self.given_limits());
            let is_definition = given.is_some_and(|given| given.contains('='));
            let error = if is_definition { format!(" --error {error}") } else { String::new() };
            return violated::of_instance(file, &result.check, &call, &error);
        }
        // `draw` knows the language by the name of the file alone.
        if result.run.is_none() || language.is_some() || language_of(path).is_none() {
            return Vec::new();
        }
        call += &format!(" --check {}", quoted(&result.check));
        call += self.given_schedule();
        call += &self.given_limits();
        violated::of_process(file, &result.check, &call)
    }

    /// The option that gives the schedule.
    fn given_schedule(&self) -> &'static str {
        match self.schedule {
            Schedule::Any => "",
            Schedule::WeaklyFair => " --fair",
            Schedule::StronglyFair => " --fair=strong",
            Schedule::RoundRobin => " --schedule round-robin",
        }
    }

    /// The options of the call, beside the question, that an answer may rest on.
    fn given_limits(&self) -> String {
        let VerifyArguments { backend, max_states, .. } = *self.arguments;
        let mut options = String::new();
        if !matches!(backend, Wanted::Native) {
            options += &format!(" --backend {}", backend.word());
        }
        if max_states != Options::default().max_states {
            options += &format!(" --max-states {max_states}");
        }
        options
    }

    /// Reports that back ends contradict each other, with everything in a file.
    fn conflict<V>(
        &mut self,
        source: &SourceFile,
        formula: &str,
        verdict: &CheckVerdict<V>,
        bug: &InternalBug,
        number: usize,
    ) {
        let mut details = format!("question: {} = {formula}\n", verdict.check);
        for answer in verdict.answers.iter().map(BackendResult::new) {
            let reason = answer.reason.as_ref().map_or("", |reason| reason.text.as_str());
            let line = format!("{}: {} {reason}", answer.backend, answer.verdict.word());
            details.push_str(line.trim_end());
            details.push('\n');
        }
        verdict.answers.iter().for_each(|answer| details.push_str(&answer.transcript));
        let kept = bug::keep_text(source, &verdict.check, &bug.to_string(), &details, number);
        self.session.diagnostic(&kept.diagnostic, None);
        self.session.raise(Exit::Bug);
    }

    /// Prints the answers.
    fn show(&mut self, source: &SourceFile, mut verification: Verification) -> Result<(), Failure> {
        for result in &verification.results {
            let is_interrupted = result.reason.as_ref().is_some_and(|reason| reason.code == "interrupted");
            self.session.raise(match result.verdict {
                Answer::Proved => Exit::AllProved,
                Answer::Violated => Exit::Violated,
                Answer::Unknown if is_interrupted => Exit::Interrupted,
                Answer::Unknown => Exit::Unknown,
            });
        }
        if !self.arguments.json {
            let style = Style {
                color: self.session.console.output_color(),
                detail: if self.arguments.quiet { Detail::Quiet } else { Detail::Normal },
                name_width: columns::width(
                    verification.results.iter().map(|one| one.check.as_str()),
                    columns::NAMES,
                ),
                ..Style::default()
            };
            let mut text = String::new();
            if !self.arguments.quiet {
                text.push_str(&verification.header(&source.name, &style));
            }
            for result in &verification.results {
                text.push_str(&verification.result(result, &style));
            }
            if matches!(self.arguments.backend, Wanted::All) && !self.arguments.quiet {
                text.push_str(&verification.comparison());
            }
            self.session.console.print(&text)?;
        }
        let results = std::mem::take(&mut verification.results);
        results.into_iter().for_each(|result| self.session.document.add(result));
        self.session.found(verification);
        Ok(())
    }
}
