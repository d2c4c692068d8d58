//! `paramcheck explain`: what the code of an error or warning means.

use paramcheck_text::diagnostic::{Code, Severity, codes};
use paramcheck_text::nearest::nearest;

use super::Failure;
use super::args::ExplainArguments;
use super::console::Console;
use super::exit::Exit;

/// Runs the command.
pub(super) fn run(arguments: &ExplainArguments, console: &mut Console) -> Result<Exit, Failure> {
    let Some(id) = &arguments.code else {
        let lines = codes::all().map(|code| format!("{}  {:<7}  {}\n", code.id, severity(code), code.title));
        console.print(&lines.collect::<String>())?;
        return Ok(Exit::AllProved);
    };
    match codes::find(id.trim()) {
        Some(code) => {
            let text =
                format!("{} ({}): {}\n\n{}\n", code.id, severity(code), code.title, code.explanation.trim());
            console.print(&text)?;
            Ok(Exit::AllProved)
        }
        None => {
            console.problem(&format!("there is no code `{}`", id.escape_debug()));
            console.note(&match nearest(id, codes::all().map(|code| code.id)) {
                Some(near) => format!("  did you mean {near}? `paramcheck explain` lists all codes"),
                None => "  `paramcheck explain` lists all codes".to_owned(),
            });
            Ok(Exit::InputError)
        }
    }
}

fn severity(code: Code) -> &'static str {
    match code.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}
