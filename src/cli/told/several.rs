//! As the parent module, for calls about several models that are asked about errors.

use std::fmt::{Debug, Display};

use serde::Serialize;

use paramcheck::report::crosscheck::Crosscheck;
use paramcheck::report::json::{self, DiagnosticReport, Document, FileReport};
use paramcheck_model::error::NamedError;
use paramcheck_model::system::System;
use paramcheck_text::diagnostic::{Diagnostic, Severity};
use paramcheck_text::source::SourceFile;

use super::super::console::Console;
use super::super::exit::Exit;
use super::super::{Failure, bug, model};

/// What the document says of one file.
pub trait AboutFile {
    /// Where its diagnostics stand.
    fn diagnostics(&mut self) -> &mut Vec<DiagnosticReport>;
}

impl AboutFile for FileReport {
    fn diagnostics(&mut self) -> &mut Vec<DiagnosticReport> {
        &mut self.diagnostics
    }
}

impl AboutFile for Crosscheck {
    fn diagnostics(&mut self) -> &mut Vec<DiagnosticReport> {
        &mut self.diagnostics
    }
}

/// Where what is found is told, and what it comes to.
pub struct ToldFiles<'a, R> {
    /// The streams.
    pub console: &'a mut Console,
    /// One per file; the last is being written.
    pub reports: Vec<R>,
    is_json: bool,
    is_quiet: bool,
    /// The worst so far.
    exit: Exit,
    /// How many bugs were told.
    bugs: usize,
}

impl<'a, R: AboutFile + Serialize> ToldFiles<'a, R> {
    /// Nothing told yet. With `is_json` a document is wanted, and no lines; with `is_quiet` lines have no warnings.
    pub fn new(is_json: bool, is_quiet: bool, console: &'a mut Console) -> Self {
        ToldFiles { console, reports: Vec::new(), is_json, is_quiet, exit: Exit::AllProved, bugs: 0 }
    }

    /// The call comes to this at least.
    pub fn raise(&mut self, exit: Exit) {
        self.exit = self.exit.max(exit);
    }

    /// The system of `source`; what is wrong with it is told.
    pub fn system(&mut self, source: &SourceFile) -> Option<System> {
        let model::Model { system, diagnostics } = model::load(source);
        self.diagnostics(&diagnostics, source);
        system
    }

    /// The errors of `system` to ask about: all, or those that are `wanted`. What is wrong with these is told.
    pub fn questions(&mut self, system: &System, wanted: &[String]) -> Vec<NamedError> {
        let (questions, bad) = model::questions(system, wanted);
        bad.iter().for_each(|problem| self.diagnostics(&problem.diagnostics, &problem.source));
        questions
    }

    /// Tells a diagnostic.
    pub fn diagnostic(&mut self, diagnostic: &Diagnostic, source: Option<&SourceFile>) {
        if diagnostic.is_error() {
            self.raise(Exit::InputError);
        }
        if self.is_json {
            if let Some(report) = self.reports.last_mut() {
                report.diagnostics().push(json::diagnostic(diagnostic, source));
            }
        } else if !(self.is_quiet && diagnostic.code.severity == Severity::Warning) {
            self.console.diagnostic(diagnostic, source);
        }
    }

    fn diagnostics(&mut self, diagnostics: &[Diagnostic], source: &SourceFile) {
        diagnostics.iter().for_each(|diagnostic| self.diagnostic(diagnostic, Some(source)));
    }

    /// Tells of a bug, and leaves what is needed to see it again in a file; which.
    pub fn bug(
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

    /// Prints lines, unless a document is wanted.
    pub fn lines(&mut self, text: &str) -> Result<(), Failure> {
        if !self.is_json {
            self.console.print(text)?;
        }
        Ok(())
    }

    /// Prints the document, if one is wanted: there is nothing more to tell. What it all comes to.
    pub fn finish(self) -> Result<Exit, Failure> {
        if self.is_json {
            let document = Document::new(self.reports);
            self.console.print(&document.to_text().map_err(std::io::Error::from)?)?;
        }
        Ok(self.exit)
    }
}
