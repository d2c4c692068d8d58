//! `paramcheck fmt`: models in canonical form.

use std::path::Path;

use clap::error::ErrorKind;
use similar::TextDiff;

use paramcheck::report::written::Formatted;
use paramcheck_model::syntax::print;
use paramcheck_process::format::format;
use paramcheck_rcheck::format::format_to_today;
use paramcheck_rcheck::parser::Options;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::source::SourceFile;

use super::args::FmtArguments;
use super::console::Console;
use super::exit::Exit;
use super::rcheck::is_rcheck;
use super::session::{Session, Style};
use super::watch::Interrupt;
use super::{Failure, files, labs, process};

/// Runs the command.
pub(super) fn run(arguments: &FmtArguments, console: &mut Console) -> Result<Exit, Failure> {
    if arguments.watch && !arguments.check && !arguments.diff {
        let message = "--watch: give --check or --diff with it, or write the file where you edit it";
        return Err(Failure::misuse(ErrorKind::MissingRequiredArgument, message));
    }
    Interrupt::install();
    let style = Style { command: "fmt", is_json: arguments.json, is_quiet: false };
    let given =
        if arguments.to.is_some() { Some("--to") } else { arguments.as_rcheck.then_some("--as-rcheck") };
    if let (Some(option), Some(other)) = (given, arguments.files.iter().find(|path| !is_rcheck(path))) {
        let message = format!("{option}: `{}` is not in R-CHECK (.rcp)", other.display());
        return Err(Failure::misuse(ErrorKind::ArgumentConflict, message));
    }
    let mut session = Session::new(style, console);
    for path in &arguments.files {
        session.begin(files::name(path));
        let read = files::read_marked(path, files::MODEL_BYTES, None);
        let read = read.and_then(|(source, has_mark)| Ok((process::no_document(source)?, has_mark)));
        let Some((source, has_mark)) = session.accept(read) else { continue };
        let Some(text) = canonical(arguments, path, &source, session.console) else {
            session.raise(Exit::InputError);
            continue;
        };
        // A canonical text has no mark. What is compared is the whole file: else a difference would not fit it.
        let source = match has_mark {
            true => SourceFile { text: format!("{}{}", files::MARK, source.text), ..source },
            false => source,
        };
        file(arguments, path, &source, text, &mut session)?;
    }
    session.finish()
}

/// Prints, writes or compares the canonical form of one file.
fn file(
    arguments: &FmtArguments,
    path: &Path,
    source: &SourceFile,
    text: String,
    session: &mut Session<'_, (), Formatted>,
) -> Result<(), Failure> {
    let is_canonical = text == source.text;
    let mut output = None;
    if arguments.check {
        if !is_canonical {
            session.lines(&format!("{}: not in canonical form\n", source.name))?;
            session.raise(Exit::Violated);
        }
    } else if arguments.diff {
        if !is_canonical {
            session.lines(&diff(source, &text))?;
            session.raise(Exit::Violated);
        }
    } else if !arguments.write || files::is_stdin(path) {
        session.lines(&text)?;
    } else if !is_canonical {
        match files::replace(path, &text) {
            Ok(()) => output = Some(source.name.clone()),
            Err(error) => {
                let what = format!("`{}`", source.name);
                session.diagnostic(&files::unwritable(&what, &error), None);
            }
        }
    }
    let verdict = if is_canonical { "canonical" } else { "not-canonical" };
    session.document.add(Formatted { verdict, output, text });
    Ok(())
}

/// What would change, as `diff -u` prints it.
fn diff(source: &SourceFile, canonical: &str) -> String {
    let new = format!("{} (canonical)", source.name);
    TextDiff::from_lines(source.text.as_str(), canonical)
        .unified_diff()
        .header(&source.name, &new)
        .to_string()
}

/// The canonical text, or `None` with diagnostics printed: a text that can't be read completely would
/// lose the rest. Names need not mean anything for this.
/// Files that end in `.labs` and `.rcp` are systems of agents; without `--language`, those that end in `.ccs` or `.chor`
/// are processes, all others rewriting systems.
fn canonical(
    arguments: &FmtArguments,
    path: &Path,
    source: &SourceFile,
    console: &mut Console,
) -> Option<String> {
    let language = arguments.language.or_else(|| process::language_of(path));
    let formatted = match language {
        _ if labs::is_labs(path) => paramcheck_labs::format::format(&source.text),
        _ if is_rcheck(path) => reconfigurable(arguments, &source.text),
        Some(language) => format(&source.text, language),
        None => print::format(&source.text),
    };
    let diagnostics = match formatted {
        Ok(text) => return Some(text),
        Err(diagnostics) => diagnostics,
    };
    console.diagnostics(&diagnostics, source);
    // The name of a rewriting system shows that it is one.
    if language.is_none() && !process::is_rewriting_system(path) && !labs::is_labs(path) && !is_rcheck(path) {
        console.note(&format!(
            "note: `{}` was read as a rewriting system; of a process or choreography, name the language: \
             `--language ccs` or `--language chor`",
            source.name
        ));
    }
    None
}

/// The canonical form of a system of reconfigurable agents, perhaps in the other syntax.
fn reconfigurable(arguments: &FmtArguments, text: &str) -> Result<String, Vec<Diagnostic>> {
    let options = Options { as_rcheck: arguments.as_rcheck };
    match arguments.to {
        Some(_) => format_to_today(text, options),
        None => paramcheck_rcheck::format::format(text, options),
    }
}
