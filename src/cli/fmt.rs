//! `paramcheck fmt`: models in canonical form.

use std::path::Path;

use paramcheck_model::syntax::print;
use paramcheck_process::format::format;
use paramcheck_text::source::SourceFile;

use super::args::FmtArguments;
use super::console::Console;
use super::exit::Exit;
use super::watch::Interrupt;
use super::{Failure, files, process};

/// Runs the command.
pub(super) fn run(arguments: &FmtArguments, console: &mut Console) -> Result<Exit, Failure> {
    Interrupt::install();
    let mut exit = Exit::AllProved;
    for path in &arguments.files {
        let source = match files::read(path, files::MODEL_BYTES) {
            Ok(source) => source,
            Err(refused) => {
                console.diagnostic(&refused.0, refused.1.as_ref());
                exit = exit.max(Exit::InputError);
                continue;
            }
        };
        let Some(text) = canonical(arguments, path, &source, console) else {
            exit = exit.max(Exit::InputError);
            continue;
        };
        let is_canonical = text == source.text;
        if arguments.check {
            if !is_canonical {
                console.print(&format!("{}: not in canonical form\n", source.name))?;
                exit = exit.max(Exit::Violated);
            }
            continue;
        }
        if !arguments.write || files::is_stdin(path) {
            console.print(&text)?;
        } else if !is_canonical && let Err(error) = files::replace(path, &text) {
            console.diagnostic(&files::unwritable(&format!("`{}`", source.name), &error), None);
            exit = exit.max(Exit::InputError);
        }
    }
    Ok(exit)
}

/// The canonical text, or `None` with diagnostics printed: a text that can't be read completely would
/// lose the rest. Names need not mean anything for this.
/// Without `--language`, files that end in `.ccs` or `.chor` are processes, all others rewriting systems.
fn canonical(
    arguments: &FmtArguments,
    path: &Path,
    source: &SourceFile,
    console: &mut Console,
) -> Option<String> {
    let language = arguments.language.or_else(|| process::language_of(path));
    let formatted = match language {
        Some(language) => format(&source.text, language),
        None => print::format(&source.text),
    };
    let diagnostics = match formatted {
        Ok(text) => return Some(text),
        Err(diagnostics) => diagnostics,
    };
    console.diagnostics(&diagnostics, source);
    // The name of a rewriting system shows that it is one.
    if language.is_none() && !process::is_rewriting_system(path) {
        console.note(&format!(
            "note: `{}` was read as a rewriting system; of a process or choreography, name the language: \
             `--language ccs` or `--language chor`",
            source.name
        ));
    }
    None
}
