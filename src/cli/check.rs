//! The main command: answers every question about every file.
//!
//! All files are read before the first question is asked, so that Ctrl-C has its usual effect while
//! waiting for standard input. Text is printed as soon as an answer is there; a JSON document at the end.

use std::path::PathBuf;
use std::time::Instant;

use clap::error::ErrorKind;

use paramcheck::report::json::{FileReport, SizeReport};
use paramcheck::report::text::{self, Detail, Style};
use paramcheck::report::trace::TraceDocument;
use paramcheck::report::{Answer, Question, build};
use paramcheck_model::error::NamedError;
use paramcheck_model::statistics::Statistics;
use paramcheck_model::system::System;
use paramcheck_text::columns;
use paramcheck_text::source::SourceFile;
use paramcheck_verdict::{EngineChoice, InvariantChoice, MonaSetup, Options, Status, Verdict};
use paramcheck_wsks::mona;

use super::args::{CheckArguments, EngineArgument};
use super::console::Console;
use super::exit::Exit;
use super::told::ToldFiles;
use super::watch::{Interrupt, Watch, refuse_memory_limit};
use super::{Failure, files, model};

/// Runs the command.
pub fn run(arguments: &CheckArguments, console: &mut Console) -> Result<Exit, Failure> {
    refuse_impossible(arguments)?;
    let begin = Instant::now();
    let interrupt = Interrupt::install();
    let inputs: Vec<_> =
        arguments.files.iter().map(|path| (files::name(path), model::read_text(path))).collect();
    interrupt.start();
    let watch = Watch::new(
        interrupt,
        begin,
        &arguments.limits,
        !arguments.quiet && console.shows_progress(arguments.json),
    );
    let engine = engine(arguments.engine, arguments.limits.memory_limit)?;
    let told = ToldFiles::new(arguments.json, arguments.quiet, console);
    let mut call = Call { arguments, engine, watch, told };
    for (name, input) in inputs {
        call.told.reports.push(FileReport::new(name));
        match input {
            Ok(source) => call.file(&source)?,
            Err(refused) => call.told.diagnostic(&refused.0, refused.1.as_ref()),
        }
    }
    if call.watch.interrupt.is_pressed() {
        call.told.raise(Exit::Interrupted);
    }
    call.told.finish()
}

/// What the argument parser can't see.
fn refuse_impossible(arguments: &CheckArguments) -> Result<(), Failure> {
    let usage = |kind, message: &str| Err(Failure::misuse(kind, message));
    if arguments.certificate.is_some() && (arguments.files.len() != 1 || arguments.errors.len() != 1) {
        return usage(
            ErrorKind::ArgumentConflict,
            "--certificate writes the proof of one question: give one FILE and one --error",
        );
    }
    if arguments.trace.is_some() && (arguments.files.len() != 1 || arguments.errors.len() != 1) {
        return usage(
            ErrorKind::ArgumentConflict,
            "--trace writes the trace of one question: give one FILE and one --error",
        );
    }
    for (option, output) in [("--certificate", &arguments.certificate), ("--trace", &arguments.trace)] {
        if output.as_ref().is_some_and(|output| files::is_stdin(output)) {
            let message =
                format!("{option} writes a file: give its name, or `./-` for one that is called so");
            return usage(ErrorKind::ValueValidation, &message);
        }
        if let (Some(output), Some(model)) = (output, arguments.files.first())
            && files::is_same(output, model)
        {
            let message = format!("{option} names the model itself: what is written would replace it");
            return usage(ErrorKind::ValueValidation, &message);
        }
    }
    refuse_engine(arguments.engine, arguments.invariants.as_ref())?;
    if arguments.certificate.is_some() && arguments.engine == EngineArgument::Mona {
        return usage(
            ErrorKind::ArgumentConflict,
            "--certificate: MONA gives none; use `--engine direct` or `--engine both`",
        );
    }
    refuse_inputs(&arguments.files)?;
    refuse_memory_limit(arguments.limits.memory_limit)
}

/// Refuses an engine that this program does not have, or that does not know what it is to use.
pub fn refuse_engine(engine: EngineArgument, invariants: Option<&InvariantChoice>) -> Result<(), Failure> {
    if engine != EngineArgument::Direct && !mona::IS_BUILT {
        let message = format!("--engine: {}", mona::MonaFailure::NotBuilt);
        return Err(Failure::misuse(ErrorKind::InvalidValue, message));
    }
    if engine == EngineArgument::Mona && invariants.is_some_and(|choice| choice.exclusive) {
        let message = "--invariants: `exclusive` has no formula; use `--engine direct` or `--engine both`";
        return Err(Failure::misuse(ErrorKind::ArgumentConflict, message));
    }
    Ok(())
}

/// Refuses files that can't be read one after the other.
pub fn refuse_inputs(files: &[PathBuf]) -> Result<(), Failure> {
    if files.iter().filter(|path| files::is_stdin(path)).count() <= 1 {
        return Ok(());
    }
    let message = "standard input (`-`) can be read only once";
    Err(Failure::misuse(ErrorKind::ValueValidation, message))
}

/// The engine wanted. MONA runs in a process of this same program.
pub fn engine(wanted: EngineArgument, memory_limit: Option<u64>) -> Result<EngineChoice, Failure> {
    let setup = || {
        let memory = memory_limit.map(|mib| mib.saturating_mul(1 << 20));
        let program = std::env::current_exe()?;
        Ok::<_, std::io::Error>(MonaSetup { worker: mona::Worker { program }, memory })
    };
    let not_found = |error: std::io::Error| {
        let message = format!("--engine: this program can't find itself to run MONA: {error}");
        Failure::misuse(ErrorKind::Io, message)
    };
    Ok(match wanted {
        EngineArgument::Direct => EngineChoice::Direct,
        EngineArgument::Mona => EngineChoice::Mona(setup().map_err(not_found)?),
        EngineArgument::Both => EngineChoice::Both(setup().map_err(not_found)?),
    })
}

/// A call in progress.
struct Call<'a> {
    arguments: &'a CheckArguments,
    engine: EngineChoice,
    watch: Watch,
    told: ToldFiles<'a, FileReport>,
}

impl Call<'_> {
    /// Answers all questions about one file.
    fn file(&mut self, source: &SourceFile) -> Result<(), Failure> {
        let Some(system) = self.told.system(source) else { return Ok(()) };
        let statistics = Statistics::of(&system);
        if let Some(report) = self.told.reports.last_mut() {
            report.system = Some(system.name().to_owned());
            report.statistics = Some(SizeReport::from(&statistics));
        }
        let questions = self.told.questions(&system, &self.arguments.errors);
        let style = Style {
            color: self.told.console.output_color(),
            detail: self.arguments.detail(),
            full: self.arguments.full,
            name_width: columns::width(questions.iter().map(|error| error.name.as_str()), columns::NAMES),
        };
        if !questions.is_empty() && style.detail > Detail::Quiet {
            self.told.lines(&text::header(&source.name, system.name(), &statistics, &style))?;
        }
        for error in &questions {
            self.answer(&system, source, error, &style)?;
        }
        Ok(())
    }

    /// Answers one question and tells the answer.
    fn answer(
        &mut self,
        system: &System,
        source: &SourceFile,
        error: &NamedError,
        style: &Style,
    ) -> Result<(), Failure> {
        let title = format!("{}: {}", source.name, error.name);
        let verdict = self.watch.run(&title, |budget| {
            let mut options = Options {
                engine: self.engine.clone(),
                max_states: self.arguments.max_states,
                max_size: self.arguments.max_size,
                sweep_states: self.arguments.budget,
                threads: std::thread::available_parallelism().map_or(1, usize::from),
                budget,
                ..Options::default()
            };
            if let Some(choice) = &self.arguments.invariants {
                options.invariants = choice.clone();
            }
            paramcheck_verdict::decide(system, error, &options)
        });
        let verdict = match verdict {
            Ok(verdict) => verdict,
            Err(bug) => {
                self.told.bug((system, source), error, &bug, "");
                return Ok(());
            }
        };
        let mut question = build::question(system, &verdict);
        if style.detail < Detail::Verbose {
            // Long lists: for those who ask.
            let formulas = question.engines.iter_mut().flat_map(|engine| &mut engine.formulas);
            formulas.for_each(|formula| formula.automata.clear());
        }
        self.write_certificate(&verdict, &mut question);
        self.write_trace(system, &question);
        self.told.raise(match question.verdict {
            Answer::Proved => Exit::AllProved,
            Answer::Violated => Exit::Violated,
            Answer::Unknown => Exit::Unknown,
        });
        let is_alone = self.arguments.files.len() == 1;
        let prefix = match style.detail {
            Detail::Quiet if is_alone => String::new(),
            Detail::Quiet => format!("{}: ", source.name),
            _ => "  ".to_owned(),
        };
        self.told.lines(&text::question(&question, &prefix, style))?;
        if let Some(report) = self.told.reports.last_mut() {
            report.results.push(question);
        }
        Ok(())
    }

    /// Writes the certificate, if one is wanted and there is one.
    fn write_certificate(&mut self, verdict: &Verdict, question: &mut Question) {
        let Some(path) = &self.arguments.certificate else { return };
        let name = files::name(path);
        let Status::Proved(proved) = &verdict.status else {
            if !self.arguments.json {
                self.told.console.note(&format!("no certificate written to {name}: the error is not proved"));
            }
            return;
        };
        // Where MONA alone proved it, there is none.
        let Some(certificate) = &proved.certificate else {
            if !self.arguments.json {
                self.told
                    .console
                    .note(&format!("no certificate written to {name}: only MONA proved the error"));
            }
            return;
        };
        let written = serde_json::to_string_pretty(certificate)
            .map_err(std::io::Error::from)
            .and_then(|text| files::replace(path, &(text + "\n")));
        match written {
            Ok(()) => question.certificate = Some(name),
            Err(error) => {
                let what = format!("the certificate to `{name}`");
                self.told.diagnostic(&files::unwritable(&what, &error), None);
            }
        }
    }

    /// Writes the trace, if one is wanted and there is one.
    fn write_trace(&mut self, system: &System, question: &Question) {
        let Some(path) = &self.arguments.trace else { return };
        let name = files::name(path);
        let Some(document) = TraceDocument::of(system.name(), question) else {
            if !self.arguments.json {
                self.told.console.note(&format!("no trace written to {name}: the error is not violated"));
            }
            return;
        };
        let written =
            document.to_text().map_err(std::io::Error::from).and_then(|text| files::replace(path, &text));
        if let Err(error) = written {
            let what = format!("the trace to `{name}`");
            self.told.diagnostic(&files::unwritable(&what, &error), None);
        }
    }
}
