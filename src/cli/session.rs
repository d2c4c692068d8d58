//! A session: one call of a command that answers in lines or, with `--json`, by one document at the end.
//!
//! What all commands with `--json` have in common: where diagnostics go, how models are read, when the
//! document is printed, and the exit code. A [`Session`] is generic in what the command finds out about a file
//! and in its results ([`Document`]); [`each_file`] runs a command about several files. What is answered is up
//! to the command.

use std::fmt::{Debug, Display};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;

use paramcheck::report::document::Document;
use paramcheck::report::json::SizeReport;
use paramcheck::report::written::Written;
use paramcheck_model::error::NamedError;
use paramcheck_model::lower::{Lowered, load};
use paramcheck_model::statistics::Statistics;
use paramcheck_model::system::System;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::source::SourceFile;

use super::args::LimitArguments;
use super::console::Console;
use super::exit::Exit;
use super::process::Instead;
use super::watch::{Interrupt, Watch, refuse_memory_limit};
use super::{Failure, bug, files, model};

/// A call in progress: what was found so far, and where it is reported.
pub(super) struct Session<'a, F, R> {
    /// The streams.
    pub console: &'a mut Console,
    /// The document, as far as it is.
    pub document: Document<F, R>,
    is_json: bool,
    is_quiet: bool,
    /// The most urgent so far.
    exit: Exit,
    /// How many bugs were reported.
    bugs: usize,
}

/// What a session is like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// The command's name in the document.
    pub command: &'static str,
    /// Whether a document is printed, and no lines.
    pub is_json: bool,
    /// Whether lines have no warnings.
    pub is_quiet: bool,
}

impl<'a, F: Serialize, R: Serialize> Session<'a, F, R> {
    /// A session with nothing reported, about no file yet.
    pub(super) fn new(style: Style, console: &'a mut Console) -> Self {
        let Style { command, is_json, is_quiet } = style;
        if is_json {
            console.keep_diagnostics();
            Interrupt::report_waits();
        }
        Session {
            console,
            document: Document::new(command),
            is_json,
            is_quiet,
            exit: Exit::AllProved,
            bugs: 0,
        }
    }

    /// A session about one file.
    pub(super) fn about(file: &Path, style: Style, console: &'a mut Console) -> Self {
        let mut session = Session::new(style, console);
        session.begin(files::name(file));
        session
    }

    /// Begins with another file: from now on everything is about it.
    pub(super) fn begin(&mut self, file: String) {
        self.file_diagnostics();
        self.document.begin(file);
    }

    /// Puts the diagnostics kept into the report about the current file.
    fn file_diagnostics(&mut self) {
        let kept = self.console.take_kept();
        if let Some(report) = self.document.file() {
            report.diagnostics.extend(kept);
        }
    }

    /// The name of the system that the current file is about; empty where it is about none.
    pub(super) fn system_name(&self) -> &str {
        self.document.files.last().and_then(|report| report.system.as_deref()).unwrap_or_default()
    }

    /// Sets what the command found out about the current file as a whole.
    pub(super) fn found(&mut self, found: F) {
        if let Some(report) = self.document.file() {
            report.found = Some(found);
        }
    }

    /// Reports what the current file is about: its name, and of a rewriting system how large it is.
    pub(super) fn describe(&mut self, name: String, statistics: Option<&Statistics>) {
        if let Some(report) = self.document.file() {
            report.system = Some(name);
            report.statistics = statistics.map(SizeReport::from);
        }
    }

    /// Reads the model; `None`, with the reason reported, where there is none at `deadline`.
    pub(super) fn read(&mut self, file: &Path, deadline: Option<Instant>) -> Option<(SourceFile, System)> {
        let source = self.accept(model::read_text(file, deadline))?;
        let system = self.system(&source)?;
        Some((source, system))
    }

    /// Reads the model; of a process, what there is `instead` is reported.
    pub(super) fn model(&mut self, file: &Path, instead: Instead) -> Option<(SourceFile, System)> {
        let read = model::read(file, instead, self.console);
        if let Some((_, system)) = &read {
            self.describe(system.name().to_owned(), Some(&Statistics::of(system)));
        }
        read
    }

    /// Makes the exit code at least this urgent.
    pub(super) fn raise(&mut self, exit: Exit) {
        self.exit = self.exit.max(exit);
    }

    /// The system of `source`; what is wrong with it is reported.
    pub(super) fn system(&mut self, source: &SourceFile) -> Option<System> {
        let Lowered { system, diagnostics } = load(&source.text);
        self.diagnostics(&diagnostics, source);
        if let Some(system) = &system {
            self.describe(system.name().to_owned(), Some(&Statistics::of(system)));
        }
        system
    }

    /// The errors of `system` to ask about: all, or those that are `wanted`. What is wrong with these is
    /// reported.
    pub(super) fn questions(&mut self, system: &System, wanted: &[String]) -> Vec<NamedError> {
        let questions = model::questions(system, wanted);
        self.definitions(&questions.found);
        questions.errors
    }

    /// What was read; why it was refused is reported.
    pub(super) fn accept<T>(&mut self, read: Result<T, files::Refused>) -> Option<T> {
        read.map_err(|refused| self.diagnostic(&refused.0, refused.1.as_ref())).ok()
    }

    /// Reports a diagnostic.
    pub(super) fn diagnostic(&mut self, diagnostic: &Diagnostic, source: Option<&SourceFile>) {
        if diagnostic.is_error() {
            self.raise(Exit::InputError);
        }
        self.console.diagnostic(diagnostic, source);
    }

    /// Reports what was found in definitions of the call.
    pub(super) fn definitions(&mut self, found: &[model::Found]) {
        found.iter().for_each(|one| self.diagnostics(&one.diagnostics, &one.source));
    }

    /// Reports diagnostics about one text.
    pub(super) fn diagnostics(&mut self, diagnostics: &[Diagnostic], source: &SourceFile) {
        diagnostics.iter().for_each(|diagnostic| self.diagnostic(diagnostic, Some(source)));
    }

    /// Reports a bug, and writes what reproduces it to a file; its name.
    pub(super) fn bug(
        &mut self,
        model: (&System, &SourceFile),
        error: &NamedError,
        found: &(impl Display + Debug),
        details: &str,
    ) -> Option<String> {
        let kept = bug::keep(model, error, found, details, self.bugs);
        self.bugs += 1;
        self.diagnostic(&kept.diagnostic, None);
        self.raise(Exit::Bug);
        kept.path
    }

    /// Whether progress may be shown.
    pub(super) fn shows_progress(&self) -> bool {
        !self.is_quiet && self.console.shows_progress(self.is_json)
    }

    /// Prints lines, unless a document is wanted.
    pub(super) fn lines(&mut self, text: &str) -> Result<(), Failure> {
        if !self.is_json {
            self.console.print(text)?;
        }
        Ok(())
    }

    /// Writes `text` to the file `output`, or prints it where there is none and no document is wanted. `None`,
    /// with the reason reported, where it can't be written.
    fn written(
        &mut self,
        output: Option<&Path>,
        format: &'static str,
        text: String,
    ) -> Result<Option<Written>, Failure> {
        let output = output.filter(|path| !files::is_stdin(path));
        match output.map(|path| files::replace(path, &text)) {
            Some(Err(error)) => {
                let what = format!("`{}`", output.map(files::name).unwrap_or_default());
                self.diagnostic(&files::unwritable(&what, &error), None);
                return Ok(None);
            }
            Some(Ok(())) => {}
            None => self.lines(&text)?,
        }
        Ok(Some(Written { format, output: output.map(files::name), text }))
    }

    /// Makes `text` the result of a command that has `--output`: written to that file, or printed. `result`
    /// adds what else belongs to it.
    pub(super) fn deliver(
        &mut self,
        output: Option<&Path>,
        format: &'static str,
        text: String,
        result: impl FnOnce(Written) -> R,
    ) -> Result<(), Failure> {
        if let Some(written) = self.written(output, format, text)? {
            self.document.add(result(written));
        }
        Ok(())
    }

    /// Prints the document, if one is wanted: there is nothing more to report. The exit code of the call.
    pub(super) fn finish(mut self) -> Result<Exit, Failure> {
        if Interrupt::installed().is_some_and(Interrupt::has_cut_input) {
            self.raise(Exit::Interrupted);
        }
        if self.is_json {
            self.file_diagnostics();
            self.console.print(&self.document.to_text().map_err(std::io::Error::from)?)?;
        }
        Ok(self.exit)
    }
}

/// A call about several models.
pub(super) struct Files<'a> {
    /// Their files.
    pub files: &'a [PathBuf],
    /// Time and memory.
    pub limits: &'a LimitArguments,
    /// What the session is like.
    pub style: Style,
}

/// Runs `answer` on every text, with a report about it begun.
///
/// All files are read before the first answer, so that Ctrl-C has its usual effect while waiting for standard
/// input.
pub(super) fn each_file<F: Serialize, R: Serialize>(
    call: &Files<'_>,
    console: &mut Console,
    mut answer: impl FnMut(&mut Session<'_, F, R>, &Watch, &SourceFile) -> Result<(), Failure>,
) -> Result<Exit, Failure> {
    files::refuse_stdin_twice(call.files.iter().map(PathBuf::as_path))?;
    refuse_memory_limit(call.limits.memory_limit)?;
    let begin = Instant::now();
    let interrupt = Interrupt::install();
    let deadline = call.limits.deadline(begin);
    let mut session = Session::new(call.style, console);
    let read = |path: &PathBuf| (files::name(path), model::read_text(path, deadline));
    let inputs: Vec<_> = call.files.iter().map(read).collect();
    interrupt.start();
    let watch = Watch::new(interrupt, begin, call.limits, session.shows_progress());
    for (name, input) in inputs {
        session.begin(name);
        if let Some(source) = session.accept(input) {
            answer(&mut session, &watch, &source)?;
        }
    }
    if watch.interrupt.is_pressed() {
        session.raise(Exit::Interrupted);
    }
    session.finish()
}
