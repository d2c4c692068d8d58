//! `paramcheck verify`: the checks of a process or choreography, or the errors of an instance, by this program and
//! by others.
//!
//! Here are the manners of the call, which are the same for both: files, diagnostics, what the answers mean for the exit
//! code, what happens where back ends contradict each other. [`process`](self::process) and [`instance`] answer,
//! [`asked`] asks others.

use std::path::Path;
use std::time::{Duration, Instant};

use clap::error::ErrorKind;

use paramcheck::report::Answer;
use paramcheck::report::json::{self, CommandDocument};
use paramcheck::report::processes::{CheckResult, Verification};
use paramcheck::report::text::{Detail, Style};
use paramcheck_process::semantics::check::{Mismatch, Schedule};
use paramcheck_text::columns;
use paramcheck_text::diagnostic::codes::input::BUG;
use paramcheck_text::diagnostic::codes::process::calls::MISSING_BACKEND;
use paramcheck_text::diagnostic::{Diagnostic, Severity};
use paramcheck_text::source::SourceFile;

use super::args::schedule::OF_PROCESSES;
use super::args::verify::{VerifyArguments, Wanted};
use super::console::Console;
use super::exit::Exit;
use super::watch::{Interrupt, Watch};
use super::{Failure, bug, files};
use asked::{Asking, PATIENCE, Said, verdict};

mod asked;
mod instance;
mod process;

/// Runs the command.
pub fn run(arguments: &VerifyArguments, console: &mut Console) -> Result<Exit, Failure> {
    let Some(schedule) = arguments.runs.schedule() else {
        return Err(usage(
            "--fair: taking turns leaves nobody out; use either --fair or --schedule round-robin",
        ));
    };
    super::watch::refuse_memory_limit(arguments.limits.memory_limit)?;
    let document = CommandDocument::new(files::name(&arguments.file));
    let mut call = Call { arguments, schedule, console, document, exit: Exit::AllProved };
    call.run()?;
    if arguments.json {
        call.console.print(&call.document.to_text().map_err(std::io::Error::from)?)?;
    }
    Ok(call.exit)
}

fn usage(message: &str) -> Failure {
    Failure::misuse(ErrorKind::ArgumentConflict, message)
}

/// A call in progress.
struct Call<'a> {
    arguments: &'a VerifyArguments,
    schedule: Schedule,
    console: &'a mut Console,
    document: CommandDocument<Verification>,
    /// The worst so far.
    exit: Exit,
}

/// What was found.
struct Found {
    verification: Verification,
    /// Runs of this program's own that do not replay, by the name of the check.
    bugs: Vec<(String, Mismatch)>,
    /// What others said, by back end and question.
    said: Vec<Vec<Said>>,
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
        if is_instance && self.schedule != Schedule::Any {
            return Err(usage(OF_PROCESSES));
        }
        if !is_instance && !arguments.errors.is_empty() {
            return Err(usage("--error is about an instance: say which one with --size N or --tree TERM"));
        }
        let asking = match Asking::new(arguments.backend) {
            Ok(asking) => asking,
            Err(missing) => {
                let message = format!("the back end {} is not here", missing.backend);
                self.tell(&files::plain(&MISSING_BACKEND, message).help(missing.how_to_get), None);
                return Ok(());
            }
        };
        if is_instance { instance::run(self, asking) } else { process::run(self, asking) }
    }

    /// Limits for what is about to be answered.
    fn watch(&self, begin: Instant, interrupt: Interrupt) -> Watch {
        interrupt.start();
        let shows_progress = !self.arguments.quiet && self.console.shows_progress(self.arguments.json);
        Watch::new(interrupt, begin, &self.arguments.limits, shows_progress)
    }

    /// How long another back end may take for a question.
    fn patience(&self) -> Duration {
        if self.arguments.limits.time_limit.is_some() { Duration::MAX } else { PATIENCE }
    }

    /// The memory limit in bytes.
    fn memory(&self) -> Option<u64> {
        self.arguments.limits.memory_bytes()
    }

    /// Puts together what everybody says, and tells it.
    fn conclude(
        &mut self,
        source: &SourceFile,
        asking: Asking,
        found: Found,
        watch: &Watch,
    ) -> Result<(), Failure> {
        if watch.interrupt.is_pressed() {
            self.raise(Exit::Interrupted);
        }
        let Found { mut verification, bugs, said } = found;
        for (name, mismatch) in &bugs {
            let message = format!("bug in paramcheck, no answer about `{name}`: {mismatch}");
            let diagnostic = files::plain(&BUG, message).help("please report it, with the file and the call");
            self.tell(&diagnostic, None);
            self.raise(Exit::Bug);
        }
        let mut number = 0;
        let mut kept = Vec::new();
        for (position, mut result) in std::mem::take(&mut verification.results).into_iter().enumerate() {
            // A bug of our own has been told.
            if bugs.iter().any(|(name, _)| *name == result.check) {
                continue;
            }
            if asking.native {
                result.backends.insert(0, result.as_native());
            }
            match verdict(&result.backends) {
                Ok(verdict) => {
                    settle(&mut result, verdict);
                    kept.push(result);
                }
                Err(pair) => {
                    number += 1;
                    self.contradiction(source, &result, &pair, &said, position, number);
                }
            }
        }
        verification.results = kept;
        verification.missing = asking.missing;
        self.show(source, verification)
    }

    /// Tells of back ends that contradict each other, with everything in a file.
    fn contradiction(
        &mut self,
        source: &SourceFile,
        result: &CheckResult,
        [proved, violated]: &[String; 2],
        said: &[Vec<Said>],
        position: usize,
        number: usize,
    ) {
        let what = format!("{proved} says that it is proved, {violated} has a run that violates it");
        let mut details = format!("question: {} = {}\n", result.check, result.formula);
        for one in &result.backends {
            let reason = one.reason.as_ref().map_or("", |reason| reason.text.as_str());
            let line = format!("{}: {} {reason}", one.backend, one.verdict.word());
            details.push_str(line.trim_end());
            details.push('\n');
        }
        for one in said.iter().filter_map(|own| own.get(position)) {
            details.push_str(&one.transcript);
        }
        let kept = bug::keep_text(source, &result.check, &what, &details, number);
        self.tell(&kept.diagnostic, None);
        self.raise(Exit::Bug);
    }

    /// Tells the answers.
    fn show(&mut self, source: &SourceFile, verification: Verification) -> Result<(), Failure> {
        for result in &verification.results {
            let is_interrupted = result.reason.as_ref().is_some_and(|reason| reason.code == "interrupted");
            self.raise(match result.verdict {
                Answer::Proved => Exit::AllProved,
                Answer::Violated => Exit::Violated,
                Answer::Unknown if is_interrupted => Exit::Interrupted,
                Answer::Unknown => Exit::Unknown,
            });
        }
        if !self.arguments.json {
            let style = Style {
                color: self.console.output_color(),
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
            self.console.print(&text)?;
        }
        self.document.content = Some(verification);
        Ok(())
    }

    fn raise(&mut self, exit: Exit) {
        self.exit = self.exit.max(exit);
    }

    /// Tells a diagnostic, in the way wanted.
    fn tell(&mut self, diagnostic: &Diagnostic, source: Option<&SourceFile>) {
        if diagnostic.is_error() {
            self.raise(Exit::InputError);
        }
        if self.arguments.json {
            self.document.diagnostics.push(json::diagnostic(diagnostic, source));
        } else if !(self.arguments.quiet && diagnostic.code.severity == Severity::Warning) {
            self.console.diagnostic(diagnostic, source);
        }
    }
}

/// Gives a question the verdict that was found, and the reason and time that go with it.
fn settle(result: &mut CheckResult, verdict: Answer) {
    result.verdict = verdict;
    let agree = || result.backends.iter().filter(|one| one.verdict == verdict);
    if let Some(time) = agree().map(|one| one.time_ms).min_by(f64::total_cmp) {
        result.time_ms = time;
    }
    result.reason = match verdict {
        Answer::Unknown => agree().find_map(|one| one.reason.clone()),
        Answer::Proved | Answer::Violated => None,
    };
}

fn ms(begin: Instant) -> f64 {
    begin.elapsed().as_secs_f64() * 1000.0
}

/// Whether a file's name is one of a rewriting system.
fn is_rewriting_system(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}
