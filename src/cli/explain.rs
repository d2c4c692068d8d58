//! `paramcheck explain`: what the code of an error or warning means.

use serde::Serialize;

use paramcheck_text::diagnostic::{Code, Severity, codes};
use paramcheck_text::nearest::nearest;

use super::Failure;
use super::args::ExplainArguments;
use super::console::Console;
use super::exit::Exit;
use super::session::{Session, Style};

/// A code as a result.
#[derive(Serialize)]
struct Explained {
    code: &'static str,
    severity: &'static str,
    title: &'static str,
    explanation: &'static str,
}

/// Runs the command.
pub(super) fn run(arguments: &ExplainArguments, console: &mut Console) -> Result<Exit, Failure> {
    let (codes, text) = match &arguments.code {
        None => {
            let line = |code: Code| format!("{}  {:<7}  {}\n", code.id, severity(code), code.title);
            (codes::all().collect(), codes::all().map(line).collect())
        }
        Some(id) => {
            let Some(code) = codes::find(id.trim()) else {
                console.problem(&format!("there is no code `{}`", id.escape_debug()));
                console.note(&match nearest(id, codes::all().map(|code| code.id)) {
                    Some(near) => format!("  did you mean {near}? `paramcheck explain` lists all codes"),
                    None => "  `paramcheck explain` lists all codes".to_owned(),
                });
                return Ok(Exit::InputError);
            };
            let Explained { code: id, severity, title, explanation } = explained(code);
            (vec![code], format!("{id} ({severity}): {title}\n\n{explanation}\n"))
        }
    };
    let style = Style { command: "explain", is_json: arguments.json, is_quiet: false };
    let mut session: Session<'_, (), Explained> = Session::new(style, console);
    session.lines(&text)?;
    codes.into_iter().for_each(|code| session.document.add(explained(code)));
    session.finish()
}

fn explained(code: Code) -> Explained {
    Explained {
        code: code.id,
        severity: severity(code),
        title: code.title,
        explanation: code.explanation.trim(),
    }
}

fn severity(code: Code) -> &'static str {
    match code.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}
