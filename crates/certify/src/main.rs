//! `paramcheck-certify MODEL CERTIFICATE`: does this certificate prove what it claims about this model?
//!
//! For those who want to trust as little as possible: the program is this file and three crates, `text`
//! (messages), `model` (reads the model) and `certificate` (checks). No engine, no explorer and no command
//! line is in it. It prints the line that `paramcheck certify` prints. What a certificate states, and why one
//! that is accepted is a proof, stands in `docs/certificate.md`.
//!
//! What is not here: anything that makes certificates. They come from `paramcheck --certificate FILE MODEL`.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use paramcheck_certificate::check::check;
use paramcheck_certificate::data::Certificate;
use paramcheck_model::error::{NamedError, print::print_formula};
use paramcheck_model::lower::{self, lower_error};
use paramcheck_model::syntax::parser::parse_error_definition;
use paramcheck_model::system::System;
use paramcheck_text::diagnostic::{Diagnostic, render::render};
use paramcheck_text::limits::Budget;
use paramcheck_text::source::SourceFile;

const HELP: &str = "\
Checks that a certificate proves what it claims about a model

Usage: paramcheck-certify MODEL CERTIFICATE [ERROR]

  MODEL        the model that the certificate is about
  CERTIFICATE  a file written by `paramcheck --certificate`
  ERROR        the error's definition, instead of the model's or the certificate's: 'two = #busy >= 2'
  --help       this text
  --version    the version

Exit code: 0 accepted, 1 refused, 2 the input can't be read";

const ACCEPTED: u8 = 0;
const REFUSED: u8 = 1;
const BAD_INPUT: u8 = 2;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let answer = match arguments.as_slice() {
        [flag] if flag == "--help" => Ok((ACCEPTED, HELP.to_owned())),
        [flag] if flag == "--version" => {
            Ok((ACCEPTED, format!("paramcheck-certify {}", env!("CARGO_PKG_VERSION"))))
        }
        [model, certificate] => certify(model.as_ref(), certificate.as_ref(), None),
        [model, certificate, error] => match error.to_str() {
            Some(error) => certify(model.as_ref(), certificate.as_ref(), Some(error)),
            // Another error than the one in question would be checked.
            None => Err("error: ERROR is no text in UTF-8".to_owned()),
        },
        _ => Err(HELP.to_owned()),
    };
    let (code, written) = match answer {
        Ok((code, text)) => (code, writeln!(std::io::stdout(), "{text}")),
        Err(problem) => (BAD_INPUT, writeln!(std::io::stderr(), "{problem}")),
    };
    // An answer that can't be written is none.
    ExitCode::from(if written.is_ok() { code } else { BAD_INPUT })
}

/// Exit code and answer, or what is wrong with the input.
fn certify(model: &Path, certificate: &Path, definition: Option<&str>) -> Result<(u8, String), String> {
    let system = read_model(model)?;
    let text = read(certificate)?;
    let certificate: Certificate = serde_json::from_str(&text.text)
        .map_err(|error| format!("error: `{}` is no certificate: {error}", text.name))?;
    let known = system.error_named(&certificate.error);
    let is_claimed = definition.is_none() && known.is_none();
    let error = match (definition, known) {
        (Some(text), _) => define(&system, text)?,
        (None, Some(error)) => error,
        // What it claims is checked, by its own definition of the error.
        (None, None) => {
            let Certificate { error: name, formula, .. } = &certificate;
            define(&system, &format!("{name} = {formula}")).map_err(|_| {
                format!("error: the certificate is about `{name}`, an error that the model does not define")
            })?
        }
    };
    let whose = if is_claimed { "; the certificate defines this error, the model does not" } else { "" };
    Ok(match check(&system, &error, &certificate, &Budget::unlimited()) {
        Ok(()) => {
            // In the words of the model, not in those of the certificate.
            let (name, formula) = (system.name(), print_formula(&system, &error.formula));
            (ACCEPTED, format!("accepted: no instance of {name} reaches `{}` ({formula}){whose}", error.name))
        }
        Err(reason) => (REFUSED, format!("refused: {reason}{whose}")),
    })
}

fn read_model(path: &Path) -> Result<System, String> {
    let source = read(path)?;
    let loaded = lower::load(&source.text);
    loaded.system.ok_or_else(|| show(&source, &loaded.diagnostics))
}

/// The error that the text defines.
fn define(system: &System, text: &str) -> Result<NamedError, String> {
    let source = SourceFile::new("ERROR", text);
    let (definition, diagnostics) = parse_error_definition(text);
    match definition {
        Some(definition) if diagnostics.is_empty() => {
            let lowered = lower_error(system, &definition);
            lowered.map(|(error, _)| error).map_err(|diagnostics| show(&source, &diagnostics))
        }
        _ => Err(show(&source, &diagnostics)),
    }
}

fn read(path: &Path) -> Result<SourceFile, String> {
    let name = path.display().to_string();
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(SourceFile::new(name, text.strip_prefix('\u{feff}').unwrap_or(&text))),
        Err(error) => Err(format!("error: cannot read `{name}`: {error}")),
    }
}

/// The errors among the diagnostics, each with the lines it is about.
fn show(source: &SourceFile, diagnostics: &[Diagnostic]) -> String {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
    errors.map(|error| render(source, error, false)).collect::<Vec<_>>().join("\n\n")
}
