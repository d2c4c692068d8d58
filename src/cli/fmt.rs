//! `paramcheck fmt`: models in canonical form.

use std::path::Path;

use paramcheck::process::{self, Language};
use paramcheck::source::SourceFile;
use paramcheck::syntax::print;

use super::args::FmtArguments;
use super::console::Console;
use super::exit::Exit;
use super::{Failure, files};

/// Runs the command.
pub fn run(arguments: &FmtArguments, console: &mut Console) -> Result<Exit, Failure> {
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
        let Some(text) = canonical(path, &source, console) else {
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
            console.problem(&format!("cannot write `{}`: {}", source.name, files::reason(&error)));
            exit = exit.max(Exit::InputError);
        }
    }
    Ok(exit)
}

/// The canonical text, or `None` with diagnostics printed: a text that can't be read completely would
/// lose the rest. Names need not mean anything for this.
/// Files that end in `.ccs` or `.chor` are processes, all others rewriting systems.
fn canonical(path: &Path, source: &SourceFile, console: &mut Console) -> Option<String> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let formatted = match extension.and_then(Language::of_extension) {
        Some(language) => process::format::format(&source.text, language),
        None => print::format(&source.text),
    };
    formatted
        .map_err(|diagnostics| {
            diagnostics.iter().for_each(|diagnostic| console.diagnostic(diagnostic, Some(source)));
        })
        .ok()
}
