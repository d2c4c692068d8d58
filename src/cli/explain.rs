//! `paramcheck explain`: what the code of an error or warning means, or a word of the answers.
//!
//! Codes come with their explanations from the crate of diagnostics. The meanings of words are those of
//! `docs/glossary.md`, which is compiled in: there is one source. `explain/words.md` adds examples.

mod words;

use paramcheck_text::diagnostic::{Code, Severity, codes};
use paramcheck_text::nearest::nearest;

use super::Failure;
use super::args::ExplainArguments;
use super::console::Console;
use super::exit::Exit;

/// Runs the command.
pub(super) fn run(arguments: &ExplainArguments, console: &mut Console) -> Result<Exit, Failure> {
    let Some(wanted) = &arguments.code else {
        let lines = codes::all().map(|code| format!("{}  {:<7}  {}\n", code.id, severity(code), code.title));
        console.print(&lines.collect::<String>())?;
        console.print(&words::list())?;
        return Ok(Exit::AllProved);
    };
    if let Some(code) = codes::find(wanted.trim()) {
        let text =
            format!("{} ({}): {}\n\n{}\n", code.id, severity(code), code.title, code.explanation.trim());
        console.print(&text)?;
        return Ok(Exit::AllProved);
    }
    if let Some(text) = words::explain(wanted) {
        console.print(&text)?;
        return Ok(Exit::AllProved);
    }
    let is_code =
        wanted.trim().starts_with(['E', 'W', 'e', 'w']) && wanted.chars().any(|one| one.is_ascii_digit());
    let what = if is_code { "code" } else { "code or word" };
    console.problem(&format!("there is no {what} `{}`", wanted.escape_debug()));
    let known = codes::all().map(|code| code.id);
    let near = if is_code {
        nearest(wanted, known)
    } else {
        words::nearest_to(wanted).or_else(|| nearest(wanted, known))
    };
    console.note(&match near {
        Some(near) => format!("  did you mean {near}? `paramcheck explain` lists all codes and words"),
        None => "  `paramcheck explain` lists all codes and words".to_owned(),
    });
    Ok(Exit::InputError)
}

fn severity(code: Code) -> &'static str {
    match code.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}
