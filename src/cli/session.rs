//! A session: one call of a command that answers in lines or, with `--json`, by one document at the end.
//!
//! What such commands have in common: where diagnostics go, how models are read, when the document is
//! printed, and the exit code. A [`Session`] is generic in its document: a [`CommandDocument`] of a command
//! about one file, a list of reports of a command about several, which [`each_file`] runs. What is answered
//! is up to the command.

use std::fmt::{Debug, Display};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;

use paramcheck::report::crosscheck::Crosscheck;
use paramcheck::report::json::{self, CommandDocument, DiagnosticReport, Document, FileReport};
use paramcheck_model::error::NamedError;
use paramcheck_model::lower::{Lowered, load};
use paramcheck_model::system::System;
use paramcheck_text::diagnostic::{Diagnostic, Severity};
use paramcheck_text::source::SourceFile;

use super::args::LimitArguments;
use super::console::Console;
use super::exit::Exit;
use super::watch::{Interrupt, Watch, refuse_memory_limit};
use super::{Failure, bug, files, model};

/// What `--json` prints at the end of a session.
pub(super) trait SessionDocument {
    /// Where the diagnostics of the current file stand, if there is a file.
    fn diagnostics(&mut self) -> Option<&mut Vec<DiagnosticReport>>;

    /// The whole as text.
    ///
    /// # Errors
    /// None that can be reached: every key is a string.
    fn into_text(self) -> serde_json::Result<String>;
}

impl<T: Serialize> SessionDocument for CommandDocument<T> {
    fn diagnostics(&mut self) -> Option<&mut Vec<DiagnosticReport>> {
        Some(&mut self.diagnostics)
    }

    fn into_text(self) -> serde_json::Result<String> {
        self.to_text()
    }
}

/// The report about one of several files.
pub(super) trait ReportOfFile: Serialize {
    /// The report about the file of this name, in which nothing stands yet.
    fn new(file: String) -> Self;
    /// Where its diagnostics stand.
    fn diagnostics(&mut self) -> &mut Vec<DiagnosticReport>;
}

impl ReportOfFile for FileReport {
    fn new(file: String) -> Self {
        FileReport::new(file)
    }

    fn diagnostics(&mut self) -> &mut Vec<DiagnosticReport> {
        &mut self.diagnostics
    }
}

impl ReportOfFile for Crosscheck {
    fn new(file: String) -> Self {
        Crosscheck::new(file)
    }

    fn diagnostics(&mut self) -> &mut Vec<DiagnosticReport> {
        &mut self.diagnostics
    }
}

/// One report per file; the last is being written.
impl<R: ReportOfFile> SessionDocument for Vec<R> {
    fn diagnostics(&mut self) -> Option<&mut Vec<DiagnosticReport>> {
        self.last_mut().map(R::diagnostics)
    }

    fn into_text(self) -> serde_json::Result<String> {
        Document::new(self).to_text()
    }
}

/// A call in progress: what was found so far, and where it is reported.
pub(super) struct Session<'a, D> {
    /// The streams.
    pub console: &'a mut Console,
    /// The document, as far as it is.
    pub document: D,
    is_json: bool,
    is_quiet: bool,
    /// The most urgent so far.
    exit: Exit,
    /// How many bugs were reported.
    bugs: usize,
}

impl<'a, T: Serialize> Session<'a, CommandDocument<T>> {
    /// A session about the model in `file`; see [`Session::with`].
    pub(super) fn new(file: &Path, is_json: bool, is_quiet: bool, console: &'a mut Console) -> Self {
        Session::with(CommandDocument::new(files::name(file)), is_json, is_quiet, console)
    }

    /// Reads the model; `None`, with the reason reported, where there is none at `deadline`.
    pub(super) fn read(&mut self, file: &Path, deadline: Option<Instant>) -> Option<(SourceFile, System)> {
        let source = self.accept(model::read_text(file, deadline))?;
        let system = self.system(&source)?;
        self.document.system = Some(system.name().to_owned());
        Some((source, system))
    }
}

impl<'a, D: SessionDocument> Session<'a, D> {
    /// A session with nothing reported. With `is_json` its document is printed, and no lines; with `is_quiet`
    /// there is no progress.
    pub(super) fn with(document: D, is_json: bool, is_quiet: bool, console: &'a mut Console) -> Self {
        Session { console, document, is_json, is_quiet, exit: Exit::AllProved, bugs: 0 }
    }

    /// Makes the exit code at least this urgent.
    pub(super) fn raise(&mut self, exit: Exit) {
        self.exit = self.exit.max(exit);
    }

    /// The system of `source`; what is wrong with it is reported.
    pub(super) fn system(&mut self, source: &SourceFile) -> Option<System> {
        let Lowered { system, diagnostics } = load(&source.text);
        self.diagnostics(&diagnostics, source);
        system
    }

    /// The errors of `system` to ask about: all, or those that are `wanted`. What is wrong with these is
    /// reported.
    pub(super) fn questions(&mut self, system: &System, wanted: &[String]) -> Vec<NamedError> {
        let questions = model::questions(system, wanted);
        self.found(&questions.found);
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
        if !self.is_json {
            self.console.diagnostic(diagnostic, source);
        } else if let Some(reports) = self.document.diagnostics() {
            let mut report = json::diagnostic(diagnostic, source);
            if self.console.reported(diagnostic.code) == Severity::Error {
                report.severity = "error";
            }
            reports.push(report);
        }
    }

    /// Reports what was found in definitions of the call.
    pub(super) fn found(&mut self, found: &[model::Found]) {
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

    /// Prints a note to standard error, unless a document is wanted.
    pub(super) fn note(&mut self, line: &str) {
        if !self.is_json {
            self.console.note(line);
        }
    }

    /// Prints the document, if one is wanted: there is nothing more to report. The exit code of the call.
    pub(super) fn finish(self) -> Result<Exit, Failure> {
        if self.is_json {
            self.console.print(&self.document.into_text().map_err(std::io::Error::from)?)?;
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
    /// Whether one document is wanted.
    pub is_json: bool,
    /// Whether progress is not.
    pub is_quiet: bool,
}

/// Runs `answer` on every text, with a report of type `R` begun for it.
///
/// All files are read before the first answer, so that Ctrl-C has its usual effect while waiting for standard
/// input.
pub(super) fn each_file<R: ReportOfFile>(
    call: &Files<'_>,
    console: &mut Console,
    mut answer: impl FnMut(&mut Session<'_, Vec<R>>, &Watch, &SourceFile) -> Result<(), Failure>,
) -> Result<Exit, Failure> {
    files::refuse_stdin_twice(call.files.iter().map(PathBuf::as_path))?;
    refuse_memory_limit(call.limits.memory_limit)?;
    let begin = Instant::now();
    let interrupt = Interrupt::install();
    let deadline = call.limits.deadline(begin);
    let read = |path: &PathBuf| (files::name(path), model::read_text(path, deadline));
    let inputs: Vec<_> = call.files.iter().map(read).collect();
    interrupt.start();
    let mut session = Session::with(Vec::new(), call.is_json, call.is_quiet, console);
    let watch = Watch::new(interrupt, begin, call.limits, session.shows_progress());
    for (name, input) in inputs {
        session.document.push(R::new(name));
        if let Some(source) = session.accept(input) {
            answer(&mut session, &watch, &source)?;
        }
    }
    if watch.interrupt.is_pressed() {
        session.raise(Exit::Interrupted);
    }
    session.finish()
}
