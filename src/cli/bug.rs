//! Bugs of this program that it finds itself: what is needed to reproduce one goes into a file.

use std::fmt::{Debug, Display};

use paramcheck::report::reproducer;
use paramcheck_model::error::NamedError;
use paramcheck_model::system::System;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::input::BUG;
use paramcheck_text::source::SourceFile;

use super::files;

/// A bug that was written down.
pub(super) struct WrittenBug {
    /// What is reported.
    pub diagnostic: Diagnostic,
    /// The file, if it could be written.
    pub path: Option<String>,
}

/// Writes down that a question about `error` showed `bug`, with `details` (lines). `number` distinguishes the
/// bugs of one call.
pub(super) fn keep(
    (system, source): (&System, &SourceFile),
    error: &NamedError,
    bug: &(impl Display + Debug),
    details: &str,
    number: usize,
) -> WrittenBug {
    let text = reproducer::text(system, source, error, bug, details, &call());
    write(&error.name, bug, &text, number)
}

/// Writes down that back ends contradict each other about a check of a process or an error of an instance.
pub(super) fn keep_text(
    source: &SourceFile,
    name: &str,
    bug: &str,
    details: &str,
    number: usize,
) -> WrittenBug {
    write(name, &bug, &reproducer::of_source(source, bug, details, &call()), number)
}

/// The arguments of this call.
fn call() -> Vec<String> {
    std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect()
}

fn write(name: &str, bug: &impl Display, text: &str, number: usize) -> WrittenBug {
    let path = std::env::temp_dir().join(format!("paramcheck-bug-{}-{number}.txt", std::process::id()));
    let file = files::name(&path);
    let (help, path) = match files::create(&path, text) {
        Ok(()) => (format!("please report it, with the file {file}"), Some(file)),
        Err(reason) => {
            let reason = files::reason(&reason);
            let help =
                format!("please report it, with the model and the call ({file} can't be written: {reason})");
            (help, None)
        }
    };
    let message = format!("bug in paramcheck, no answer about `{name}`: {bug}");
    WrittenBug { diagnostic: files::plain(&BUG, message).help(help), path }
}
