//! `paramcheck explain`: what the code of an error or warning means, or a word of the answers.
//!
//! Codes come with their explanations from the crate of diagnostics. The meanings of words are those of
//! `docs/glossary.md`, which is compiled in: there is one source. `explain/words.md` adds examples.

mod words;

use serde::Serialize;

use paramcheck_text::diagnostic::{Code, Severity, codes};
use paramcheck_text::nearest::nearest;

use super::Failure;
use super::args::ExplainArguments;
use super::console::Console;
use super::exit::Exit;
use super::session::{Session, Style};

/// What is explained, as a result.
#[derive(Serialize)]
#[serde(untagged)]
enum Explained {
    Code { code: &'static str, severity: &'static str, title: &'static str, explanation: &'static str },
    Word { word: &'static str, explanation: String },
}

/// Runs the command.
pub(super) fn run(arguments: &ExplainArguments, console: &mut Console) -> Result<Exit, Failure> {
    // A term may have two words, and a call several codes.
    let whole = Some(arguments.words.join(" ")).filter(|_| !arguments.words.is_empty());
    let (results, text) = match whole {
        None => {
            let line = |code: Code| format!("{}  {:<7}  {}\n", code.id, severity(code), code.title);
            let text = codes::all().map(line).collect::<String>() + &words::list();
            let words = words::names().filter_map(|word| of_word(word).map(|(result, _)| result));
            (codes::all().map(of_code).chain(words).collect(), text)
        }
        Some(wanted) => {
            let each = || arguments.words.iter().map(|word| find(word)).collect::<Option<Vec<_>>>();
            let Some(found) = find(&wanted).map(|found| vec![found]).or_else(each) else {
                let unknown = arguments.words.iter().find(|word| is_code(word) && find(word).is_none());
                report_unknown(unknown.unwrap_or(&wanted), console);
                return Ok(Exit::InputError);
            };
            let (results, texts): (Vec<Explained>, Vec<String>) = found.into_iter().unzip();
            (results, texts.join("\n"))
        }
    };
    let style = Style { command: "explain", is_json: arguments.json, is_quiet: false };
    let mut session: Session<'_, (), Explained> = Session::new(style, console);
    session.lines(&text)?;
    results.into_iter().for_each(|result| session.document.add(result));
    session.finish()
}

/// What is called `wanted`, as a result and as text.
fn find(wanted: &str) -> Option<(Explained, String)> {
    let Some(code) = codes::find(wanted.trim()) else { return of_word(wanted) };
    let (kind, explanation) = (severity(code), code.explanation.trim());
    Some((of_code(code), format!("{} ({kind}): {}\n\n{explanation}\n", code.id, code.title)))
}

fn of_code(code: Code) -> Explained {
    let explanation = code.explanation.trim();
    Explained::Code { code: code.id, severity: severity(code), title: code.title, explanation }
}

fn of_word(wanted: &str) -> Option<(Explained, String)> {
    let (word, text) = words::explain(wanted)?;
    Some((Explained::Word { word, explanation: text.trim_end().to_owned() }, text))
}

/// What a word of the field means.
#[cfg(feature = "lsp")]
pub(super) fn word(wanted: &str) -> Option<String> {
    words::explain(wanted).map(|(_, text)| text)
}

/// Whether a code is meant, and no word.
fn is_code(wanted: &str) -> bool {
    wanted.trim().starts_with(['E', 'W', 'e', 'w']) && wanted.chars().any(|one| one.is_ascii_digit())
}

/// Reports that nothing is called so.
fn report_unknown(wanted: &str, console: &mut Console) {
    let is_code = is_code(wanted);
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
}

fn severity(code: Code) -> &'static str {
    match code.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}
