//! `paramcheck crosscheck`: verdicts against exhaustive exploration of every instance up to a size.
//!
//! Per file: first the verdicts, as in checking, then exploration, once for all errors, then the comparison.
//! A contradiction is a bug of this program; it goes into a file as other bugs do.

use std::time::Instant;

use paramcheck::report::crosscheck::{self as report, Compared, Crosscheck};
use paramcheck::report::text::{self, Detail, Style};
use paramcheck_model::error::NamedError;
use paramcheck_model::statistics::Statistics;
use paramcheck_model::system::System;
use paramcheck_text::columns;
use paramcheck_text::limits::Budget;
use paramcheck_text::source::SourceFile;
use paramcheck_verdict::crosscheck::{Observation, Plan, compare, sweep};
use paramcheck_verdict::{EngineChoice, InternalBug, Options, Reason, Status, Verdict};

use super::args::crosscheck::CrosscheckArguments;
use super::console::Console;
use super::exit::Exit;
use super::session::{self, Files, Session};
use super::watch::Watch;
use super::{Failure, check};

/// Runs the command.
pub(super) fn run(arguments: &CrosscheckArguments, console: &mut Console) -> Result<Exit, Failure> {
    check::refuse_engine(arguments.engine, arguments.invariants.as_ref())?;
    let plan = Plan {
        max_size: arguments.max_size,
        max_states: arguments.max_states,
        threads: std::thread::available_parallelism().map_or(1, usize::from),
    };
    let engine = check::engine(arguments.engine, arguments.limits.memory_limit)?;
    let files = Files {
        files: &arguments.files,
        limits: &arguments.limits,
        style: session::Style { command: "crosscheck", is_json: arguments.json, is_quiet: arguments.quiet },
    };
    session::each_file(&files, console, |session, watch, source| {
        Call { arguments, engine: &engine, plan: &plan, watch, session }.file(source)
    })
}

/// A call in progress.
struct Call<'a, 'c> {
    arguments: &'a CrosscheckArguments,
    engine: &'a EngineChoice,
    plan: &'a Plan,
    watch: &'a Watch,
    session: &'a mut Session<'c, Crosscheck, Compared>,
}

impl Call<'_, '_> {
    /// Compares all verdicts about one file.
    fn file(&mut self, source: &SourceFile) -> Result<(), Failure> {
        let Some(system) = self.session.system(source) else { return Ok(()) };
        let errors = self.session.questions(&system, &self.arguments.errors);
        if errors.is_empty() { Ok(()) } else { self.compare(&system, source, &errors) }
    }

    fn compare(
        &mut self,
        system: &System,
        source: &SourceFile,
        errors: &[NamedError],
    ) -> Result<(), Failure> {
        let mut report = Crosscheck::default();
        let style = Style {
            color: self.session.console.output_color(),
            detail: if self.arguments.quiet { Detail::Quiet } else { Detail::Normal },
            name_width: columns::width(errors.iter().map(|error| error.name.as_str()), columns::NAMES),
            ..Style::default()
        };
        if !self.arguments.quiet {
            self.session.lines(&text::header(
                &source.name,
                system.name(),
                &Statistics::of(system),
                &style,
            ))?;
        }
        let verdicts = self.verdicts(system, source, errors);
        let title = format!("{}: exploring", source.name);
        let seen = self.watch.run(&title, |budget| sweep(system, errors, self.plan, &budget));
        report.explored(errors, &seen);
        if report.end.is_some() {
            self.session.raise(Exit::Unknown);
        }
        for (position, (error, verdict)) in errors.iter().zip(&verdicts).enumerate() {
            let compared = match verdict {
                Ok(verdict) => self.question(system, source, verdict, &seen, position),
                Err(found) => {
                    let path = self.session.bug((system, source), error, found, "");
                    Compared { reproducer: path, ..Compared::bug(system, error, &seen, position, found) }
                }
            };
            report.questions.push(compared);
        }
        let prefix = match style.detail {
            Detail::Quiet if self.arguments.files.len() == 1 => String::new(),
            Detail::Quiet => format!("{}: ", source.name),
            _ => "  ".to_owned(),
        };
        let head = match style.detail {
            Detail::Quiet => text::crosscheck::end(&report, &prefix, &style),
            _ => text::crosscheck::sizes(&report, &style),
        };
        self.session.lines(&head)?;
        for question in &report.questions {
            self.session.lines(&text::crosscheck::compared(question, &prefix, &style))?;
        }
        std::mem::take(&mut report.questions).into_iter().for_each(|one| self.session.document.add(one));
        self.session.found(report);
        Ok(())
    }

    /// The verdicts, as in checking. They get half of the time that is left, so that something can be held
    /// against them.
    fn verdicts(
        &self,
        system: &System,
        source: &SourceFile,
        errors: &[NamedError],
    ) -> Vec<Result<Verdict, InternalBug>> {
        let now = Instant::now();
        let half = self.watch.deadline.map(|deadline| now + deadline.saturating_duration_since(now) / 2);
        let decide = |error: &NamedError| {
            self.watch.run(&format!("{}: {}", source.name, error.name), |budget| {
                let mut options = Options {
                    engine: self.engine.clone(),
                    max_states: self.arguments.max_states,
                    budget: Budget { deadline: half, ..budget },
                    ..Options::default()
                };
                if let Some(choice) = &self.arguments.invariants {
                    options.invariants = choice.clone();
                }
                paramcheck_verdict::decide(system, error, &options)
            })
        };
        errors.iter().map(decide).collect()
    }

    /// Holds one verdict against what was seen.
    fn question(
        &mut self,
        system: &System,
        source: &SourceFile,
        verdict: &Verdict,
        seen: &Observation,
        position: usize,
    ) -> Compared {
        if let Status::Unknown(unknown) = &verdict.status
            && matches!(unknown.reason, Reason::Stopped(_) | Reason::MonaFailed { .. })
        {
            self.session.raise(Exit::Unknown);
        }
        let title = format!("{}: {}", source.name, verdict.error.name);
        let outcome =
            self.watch.run(&title, |budget| compare(system, verdict, seen, position, self.plan, &budget));
        let mut compared = Compared::new(system, verdict, seen, position, &outcome);
        if let Err(contradiction) = &outcome {
            let details = report::details(system, verdict, seen, position);
            compared.reproducer = self.session.bug((system, source), &verdict.error, contradiction, &details);
        }
        compared
    }
}
