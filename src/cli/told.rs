//! A call about one model that answers in lines or, with `--json`, by one document at the end.
//!
//! What such commands have in common: where diagnostics go, how the model is read, when the document is printed.

use std::path::Path;

use serde::Serialize;

use paramcheck::report::json::{self, CommandDocument};
use paramcheck_model::system::System;
use paramcheck_text::diagnostic::{Diagnostic, Severity};
use paramcheck_text::source::SourceFile;

use super::console::Console;
use super::{Failure, files, model};

mod several;

pub use several::ToldFiles;

/// Where what is found is told.
pub struct Told<'a, T> {
    /// The streams.
    pub console: &'a mut Console,
    /// The document, as far as it is.
    pub document: CommandDocument<T>,
    /// Whether the document is wanted, and no lines.
    pub is_json: bool,
    /// Whether warnings are not told in lines.
    pub is_quiet: bool,
}

impl<'a, T: Serialize> Told<'a, T> {
    /// Nothing told yet about the model in `file`.
    pub fn new(file: &Path, is_json: bool, is_quiet: bool, console: &'a mut Console) -> Self {
        Told { console, document: CommandDocument::new(files::name(file)), is_json, is_quiet }
    }

    /// Reads the model; `None`, with the reason told, where there is none.
    pub fn read(&mut self, file: &Path) -> Option<(SourceFile, System)> {
        let source = match model::read_text(file) {
            Ok(source) => source,
            Err(refused) => {
                self.diagnostic(&refused.0, refused.1.as_ref());
                return None;
            }
        };
        let model::Model { system, diagnostics } = model::load(&source);
        self.diagnostics(&diagnostics, &source);
        let system = system?;
        self.document.system = Some(system.name().to_owned());
        Some((source, system))
    }

    /// Tells a diagnostic.
    pub fn diagnostic(&mut self, diagnostic: &Diagnostic, source: Option<&SourceFile>) {
        if self.is_json {
            self.document.diagnostics.push(json::diagnostic(diagnostic, source));
        } else if !(self.is_quiet && diagnostic.code.severity == Severity::Warning) {
            self.console.diagnostic(diagnostic, source);
        }
    }

    /// Tells diagnostics about one text.
    pub fn diagnostics(&mut self, diagnostics: &[Diagnostic], source: &SourceFile) {
        diagnostics.iter().for_each(|diagnostic| self.diagnostic(diagnostic, Some(source)));
    }

    /// Whether progress may be shown while something is looked for.
    pub fn shows_progress(&self) -> bool {
        !self.is_quiet && self.console.shows_progress(self.is_json)
    }

    /// Prints lines, unless a document is wanted.
    pub fn lines(&mut self, text: &str) -> Result<(), Failure> {
        if !self.is_json {
            self.console.print(text)?;
        }
        Ok(())
    }

    /// Prints the document, if one is wanted: there is nothing more to tell.
    pub fn finish(self) -> Result<(), Failure> {
        if self.is_json {
            self.console.print(&self.document.to_text().map_err(std::io::Error::from)?)?;
        }
        Ok(())
    }
}
