//! Standard output and standard error: who writes where, in which colours.
//!
//! Answers go to standard output, where a failed write is reported to the caller. Diagnostics and
//! progress go to standard error; when that is closed nothing can be reported, so failures there
//! are ignored. Where one document is wanted, diagnostics are kept for it instead.

use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};

use paramcheck::report::json::{self, DiagnosticReport};
use paramcheck_text::diagnostic::{Code, Diagnostic, Severity, render};
use paramcheck_text::source::SourceFile;

use super::args::{Color, Denied};
use super::files::Refused;

/// The two streams.
pub(super) struct Console {
    output: AutoStream<io::Stdout>,
    error: AutoStream<io::Stderr>,
    output_color: bool,
    error_color: bool,
    /// The diagnostics since the last [`Console::take_kept`]; `None` where they are printed.
    kept: Option<Vec<DiagnosticReport>>,
    /// The warnings that the call does not allow.
    denied: Vec<Denied>,
    /// Whether there were any, and how many were printed.
    has_denied: bool,
    denied_count: usize,
}

impl Console {
    /// The streams of this process, coloured as `color` selects.
    pub(super) fn new(color: Color) -> Self {
        let choice = color.for_streams();
        let shows = |automatic: ColorChoice| match color {
            Color::Auto => automatic != ColorChoice::Never,
            Color::Always => true,
            Color::Never => false,
        };
        Console {
            output_color: shows(AutoStream::choice(&io::stdout())),
            error_color: shows(AutoStream::choice(&io::stderr())),
            output: AutoStream::new(io::stdout(), choice),
            error: AutoStream::new(io::stderr(), choice),
            kept: None,
            denied: Vec::new(),
            has_denied: false,
            denied_count: 0,
        }
    }

    /// From now on, these warnings are errors.
    pub(super) fn deny(&mut self, denied: Vec<Denied>) {
        self.denied = denied;
    }

    /// How bad the call takes a diagnostic of this kind to be.
    pub(super) fn severity(&self, code: Code) -> Severity {
        match self.denied.iter().any(|denied| denied.includes(code)) {
            true => Severity::Error,
            false => code.severity,
        }
    }

    /// Notes that a diagnostic of this kind is reported, and returns how bad it is.
    pub(super) fn reported(&mut self, code: Code) -> Severity {
        let severity = self.severity(code);
        self.has_denied |= severity != code.severity;
        severity
    }

    /// Whether warnings were reported that the call does not allow.
    pub(super) fn has_denied(&self) -> bool {
        self.has_denied
    }

    /// How many warnings were printed that the call does not allow.
    pub(super) fn denied_count(&self) -> usize {
        self.denied_count
    }

    /// Whether text on standard output should have colours.
    pub(super) fn output_color(&self) -> bool {
        self.output_color
    }

    /// Whether a line that is rewritten in place makes sense on standard error: on a terminal, and not
    /// where a document appears on the same terminal.
    pub(super) fn shows_progress(&self, prints_document: bool) -> bool {
        io::stderr().is_terminal() && !(prints_document && io::stdout().is_terminal())
    }

    /// Prints `text` to standard output at once.
    pub(super) fn print(&mut self, text: &str) -> io::Result<()> {
        // Looking for codes that colour is slow, and documents, which have none, are long.
        if text.contains('\u{1b}') {
            self.output.write_all(text.as_bytes())?;
            return self.output.flush();
        }
        self.output.flush()?;
        let mut plain = io::stdout().lock();
        plain.write_all(text.as_bytes())?;
        plain.flush()
    }

    /// Gives the system what may still be buffered.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }

    /// From now on diagnostics are kept, and notes left out: a document is printed instead.
    pub(super) fn keep_diagnostics(&mut self) {
        self.kept = Some(Vec::new());
    }

    /// The diagnostics kept since the last call.
    pub(super) fn take_kept(&mut self) -> Vec<DiagnosticReport> {
        self.kept.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Prints a diagnostic to standard error, or keeps it; `source` is the text it is about.
    pub(super) fn diagnostic(&mut self, diagnostic: &Diagnostic, source: Option<&SourceFile>) {
        let severity = self.reported(diagnostic.code);
        if let Some(kept) = &mut self.kept {
            let mut report = json::diagnostic(diagnostic, source);
            if severity == Severity::Error {
                report.severity = "error";
            }
            kept.push(report);
            return;
        }
        self.denied_count += usize::from(severity != diagnostic.code.severity);
        match source {
            Some(source) => self.note(&render::render_as(source, diagnostic, severity, self.error_color)),
            None => {
                self.titled(&format!("error[{}]", diagnostic.code.id), &diagnostic.message);
                if let Some(help) = &diagnostic.help {
                    self.note(&format!("  = help: {help}"));
                }
            }
        }
    }

    /// Prints or keeps diagnostics about one text.
    pub(super) fn diagnostics(&mut self, diagnostics: &[Diagnostic], source: &SourceFile) {
        diagnostics.iter().for_each(|diagnostic| self.diagnostic(diagnostic, Some(source)));
    }

    /// What was read; why it was refused is printed or kept.
    pub(super) fn accept<T>(&mut self, read: Result<T, Refused>) -> Option<T> {
        read.map_err(|refused| self.diagnostic(&refused.0, refused.1.as_ref())).ok()
    }

    /// Prints `error: message` to standard error.
    pub(super) fn problem(&mut self, message: &str) {
        self.titled("error", message);
    }

    fn titled(&mut self, title: &str, message: &str) {
        match self.error_color {
            true => self.line(&format!("\x1b[1;91m{title}\x1b[0m\x1b[1m: {message}\x1b[0m")),
            false => self.line(&format!("{title}: {message}")),
        }
    }

    /// Prints a line to standard error, unless a document is wanted.
    pub(super) fn note(&mut self, line: &str) {
        if self.kept.is_none() {
            self.line(line);
        }
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.error, "{line}");
        let _ = self.error.flush();
    }
}
