//! From a file to a process, with everything that is wrong on the way.

use std::path::Path;
use std::time::Instant;

use paramcheck::report::kind::Kind;
use paramcheck_model::ENDINGS;
use paramcheck_process::Language;
use paramcheck_process::lower::Lowered;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::process::calls::OTHER_KIND_OF_FILE;
use paramcheck_text::source::SourceFile;

use super::args::Format;
use super::{files, labs, rcheck};

/// The language that goes with a file's name.
pub(super) fn language_of(path: &Path) -> Option<Language> {
    path.extension().and_then(|extension| extension.to_str()).and_then(Language::of_extension)
}

/// Whether a file's name is one of a rewriting system.
pub(super) fn is_rewriting_system(path: &Path) -> bool {
    path.extension().is_some_and(|extension| ENDINGS.iter().any(|ending| extension == *ending))
}

/// The text of a model, if it is there at `deadline`.
///
/// # Errors
/// Why the file can't be read, or which document of this program it is.
pub(super) fn text(path: &Path, deadline: Option<Instant>) -> Result<SourceFile, files::Refused> {
    files::read_before(path, files::MODEL_BYTES, deadline).and_then(no_document)
}

/// `source`, unless it is a document of this program.
///
/// # Errors
/// Which document it is.
pub(super) fn no_document(source: SourceFile) -> Result<SourceFile, files::Refused> {
    match Kind::of(&source) {
        None => Ok(source),
        Some(kind) => Err(Box::new((kind.instead_of("model", &OTHER_KIND_OF_FILE, &source), None))),
    }
}

/// Reads a process, if it is there at `deadline`; `language` is that of a file with another name.
///
/// # Errors
/// Why the file can't be read.
pub(super) fn load(
    path: &Path,
    language: Option<Language>,
    deadline: Option<Instant>,
) -> Result<(SourceFile, Lowered), files::Refused> {
    let Some(language) = language.or_else(|| language_of(path)) else {
        // A document of ours has yet another name, and what it is helps more.
        let is_readable = !files::is_stdin(path) && path.is_file();
        let read = if is_readable { text(path, deadline).err() } else { None };
        let other = || match path {
            path if labs::is_labs(path) => labs::other_model(path),
            path if rcheck::is_rcheck(path) => rcheck::one_instance(path),
            path => other_kind(path),
        };
        return Err(read.unwrap_or_else(|| Box::new((other(), None))));
    };
    let source = text(path, deadline)?;
    let lowered = paramcheck_process::load(&source.text, language);
    Ok((source, lowered))
}

fn other_kind(path: &Path) -> Diagnostic {
    let name = files::name(path);
    let message = format!("`{name}` does not end in .ccs or .chor");
    let diagnostic = files::plain(&OTHER_KIND_OF_FILE, message);
    if is_rewriting_system(path) {
        return diagnostic.help(format!(
            "rewriting systems are checked without a command, `paramcheck {name}`; one instance with `--size N`"
        ));
    }
    diagnostic.help("name its language: `--language ccs` or `--language chor`")
}

/// What a command about rewriting systems does that is done for processes elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instead {
    /// Checking, counting and whatever has no counterpart: what there is for processes.
    Verify,
    /// A text for another program.
    Emit(Format),
    /// To go through it by hand.
    Step,
}

/// The diagnostic for a process where a rewriting system is read, with what does the same for it.
pub(super) fn no_rewriting_system(path: &Path, instead: Instead) -> Diagnostic {
    let name = files::name(path);
    let message = format!("`{name}` is no rewriting system, by its name");
    let emulate = |what: &str, options: &str| format!("{what} by `paramcheck emulate {name} --as {options}`");
    let help = match instead {
        Instead::Emit(format @ (Format::Promela | Format::Smv)) => {
            emulate("processes and choreographies are written", &format!("{} --check NAME", format.name()))
        }
        Instead::Emit(Format::Dot) => emulate("processes and choreographies are drawn", "dot"),
        Instead::Step => emulate(
            "a program that runs, and takes the steps of a process or choreography at random, is written",
            "c --standalone",
        ),
        Instead::Verify | Instead::Emit(_) => format!(
            "processes and choreographies are checked with `paramcheck verify {name}`, and drawn with \
             `paramcheck draw {name}`"
        ),
    };
    files::plain(&OTHER_KIND_OF_FILE, message).help(help)
}
