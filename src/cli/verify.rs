//! `paramcheck verify`: the checks of a process or choreography.

use std::time::Instant;

use clap::CommandFactory;
use clap::error::ErrorKind;

use paramcheck::diagnostic::codes::input::BUG;
use paramcheck::diagnostic::codes::process::calls::NO_SUCH_CHECK;
use paramcheck::diagnostic::{Diagnostic, Severity};
use paramcheck::process::model::{Check, System};
use paramcheck::process::show;
use paramcheck::report::json::{self, CommandDocument};
use paramcheck::report::processes::{CheckResult, Verification};
use paramcheck::report::text::{Detail, Style};
use paramcheck::report::{Answer, processes};
use paramcheck::semantics::check::{Mismatch, Outcome, Schedule, decide, replay};
use paramcheck::semantics::explore::{explore_with, with_interpreter};
use paramcheck::semantics::lts::Lts;
use paramcheck::semantics::network::Incomplete;
use paramcheck::source::SourceFile;
use paramcheck::support::limits::Budget;

use super::args::verify::VerifyArguments;
use super::args::{Arguments, nearest};
use super::console::Console;
use super::exit::Exit;
use super::watch::{Interrupt, Watch};
use super::{Failure, files, process};

/// Runs the command.
pub fn run(arguments: &VerifyArguments, console: &mut Console) -> Result<Exit, Failure> {
    let Some(schedule) = arguments.schedule() else {
        let message = "--fair: taking turns leaves nobody out; use either --fair or --schedule round-robin";
        return Err(Failure::Usage(Arguments::command().error(ErrorKind::ArgumentConflict, message)));
    };
    super::watch::refuse_memory_limit(arguments.memory_limit)?;
    let document = CommandDocument::new(files::name(&arguments.file));
    let mut call = Call { arguments, schedule, console, document, exit: Exit::AllProved };
    call.run()?;
    if arguments.json {
        call.console.print(&call.document.to_text().map_err(std::io::Error::from)?)?;
    }
    Ok(call.exit)
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

/// What was found about the checks.
struct Found {
    verification: Verification,
    /// Runs that do not replay, by the name of the check.
    bugs: Vec<(String, Mismatch)>,
}

impl Call<'_> {
    fn run(&mut self) -> Result<(), Failure> {
        let begin = Instant::now();
        let interrupt = Interrupt::install();
        let (source, lowered) = match process::load(&self.arguments.file, self.arguments.language) {
            Ok(loaded) => loaded,
            Err(refused) => {
                self.tell(&refused.0, refused.1.as_ref());
                return Ok(());
            }
        };
        for diagnostic in &lowered.diagnostics {
            self.tell(diagnostic, Some(&source));
        }
        let Some(system) = lowered.system else { return Ok(()) };
        self.document.system = Some(show::term(&system, system.root, 80));
        let checks = self.checks(&system);
        interrupt.start();
        let watch = Watch {
            interrupt,
            deadline: self.arguments.time_limit.and_then(|limit| begin.checked_add(limit)),
            memory: self.arguments.memory_limit.map(|mib| mib.saturating_mul(1 << 20)),
            shows_progress: !self.arguments.quiet && self.console.shows_progress(self.arguments.json),
        };
        let found = watch.run(&source.name, |budget| self.answer(&system, &checks, &budget));
        if watch.interrupt.is_pressed() {
            self.raise(Exit::Interrupted);
        }
        for (name, mismatch) in &found.bugs {
            let message = format!("bug in paramcheck, no answer about `{name}`: {mismatch}");
            let diagnostic = files::plain(&BUG, message).help("please report it, with the file and the call");
            self.tell(&diagnostic, None);
            self.raise(Exit::Bug);
        }
        self.show(&source, found.verification)
    }

    /// The checks asked about.
    fn checks(&mut self, system: &System) -> Vec<Check> {
        if self.arguments.checks.is_empty() {
            return system.checks.clone();
        }
        let mut wanted: Vec<Check> = Vec::new();
        for name in &self.arguments.checks {
            match system.check_named(name) {
                Some(check) if wanted.contains(check) => {}
                Some(check) => wanted.push(check.clone()),
                None => {
                    let names: Vec<&str> = system.checks.iter().map(|check| check.name.as_str()).collect();
                    let message = format!("the file has no check `{name}`");
                    let list = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                    let help = match (nearest(name, names.iter().copied()), list.is_empty()) {
                        (Some(near), _) => {
                            format!("did you mean `{near}`? The checks of this file are {list}")
                        }
                        (None, false) => format!("the checks of this file are {list}"),
                        (None, true) => "the file has no checks at all".to_owned(),
                    };
                    self.tell(&files::plain(&NO_SUCH_CHECK, message).help(help), None);
                }
            }
        }
        wanted
    }

    /// Explores the states and answers the checks.
    fn answer(&self, system: &System, checks: &[Check], budget: &Budget) -> Found {
        let begin = Instant::now();
        let max_states = self.arguments.max_states;
        let known = with_interpreter(system, budget, |interpreter| {
            let space = explore_with(interpreter, system, max_states, budget);
            let mut found = Found {
                verification: Verification::new(&space.lts, self.schedule, ms(begin)),
                bugs: Vec::new(),
            };
            for check in checks {
                let begin = Instant::now();
                let outcome = decide(&space, &check.goal, self.schedule, budget)
                    .unwrap_or_else(|stop| Outcome::Unknown(Incomplete::Stopped(stop)));
                let replayed = match &outcome {
                    Outcome::Violated(run) => replay(interpreter, &check.goal, self.schedule, run),
                    Outcome::Holds | Outcome::Unknown(_) => Ok(Vec::new()),
                };
                let (outcome, steps) = match replayed {
                    Ok(steps) => (outcome, steps),
                    Err(Mismatch::Stopped(stop)) => (Outcome::Unknown(Incomplete::Stopped(stop)), Vec::new()),
                    Err(mismatch) => {
                        found.bugs.push((check.name.clone(), mismatch));
                        continue;
                    }
                };
                let result = CheckResult::new(system, check, ms(begin));
                found.verification.results.push(result.answered(system, interpreter, &outcome, &steps));
            }
            found
        });
        known.unwrap_or_else(|incomplete| self.nothing(system, checks, incomplete))
    }

    /// The answers where not even the first state is known.
    fn nothing(&self, system: &System, checks: &[Check], incomplete: Incomplete) -> Found {
        let mut lts = Lts::new(show::labels(system), Vec::new());
        lts.incomplete = Some(incomplete);
        let mut verification = Verification::new(&lts, self.schedule, 0.0);
        for check in checks {
            let mut result = CheckResult::new(system, check, 0.0);
            result.reason = Some(processes::reason(incomplete));
            verification.results.push(result);
        }
        Found { verification, bugs: Vec::new() }
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
                name_width: verification
                    .results
                    .iter()
                    .map(|one| one.check.chars().count())
                    .max()
                    .unwrap_or(0),
                ..Style::default()
            };
            let mut text = String::new();
            if !self.arguments.quiet {
                text.push_str(&verification.header(&source.name, &style));
            }
            for result in &verification.results {
                text.push_str(&verification.result(result, &style));
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

fn ms(begin: Instant) -> f64 {
    begin.elapsed().as_secs_f64() * 1000.0
}
