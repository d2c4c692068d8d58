//! `paramcheck certify`: whether a certificate proves what it claims about a model.

use paramcheck::report::evidence::Certified;
use paramcheck::report::kind::Kind;
use paramcheck::report::reading;
use paramcheck_certificate::check;
use paramcheck_certificate::data::Certificate;
use paramcheck_model::error::NamedError;
use paramcheck_model::error::print::print_formula;
use paramcheck_model::lower;
use paramcheck_model::statistics::Statistics;
use paramcheck_model::system::System;
use paramcheck_text::diagnostic::Severity;
use paramcheck_text::diagnostic::codes::input::BAD_CERTIFICATE;
use paramcheck_text::limits::Budget;

use super::args::CertifyArguments;
use super::console::Console;
use super::exit::Exit;
use super::session::{Session, Style};
use super::watch::Interrupt;
use super::{Failure, files, model, replay};

/// Runs the command.
pub(super) fn run(arguments: &CertifyArguments, console: &mut Console) -> Result<Exit, Failure> {
    // Nothing is kept that is found before the end: Ctrl-C ends it at once, with its exit code.
    Interrupt::install();
    let style = Style { command: "certify", is_json: arguments.json, is_quiet: false };
    let mut session = Session::about(&arguments.model, style, console);
    match certify(arguments, &mut session) {
        None => session.raise(Exit::InputError),
        Some(answer) => {
            let (answer, is_claimed) = answer;
            let Certified { error, formula, refusal, .. } = &answer;
            let whose = if is_claimed { CLAIMED } else { "" };
            let line = match refusal {
                // What was proved is printed in the model's words, not in those of the certificate.
                None => {
                    let system = session.system_name();
                    format!("accepted: no instance of {system} reaches `{error}` ({formula}){whose}\n")
                }
                Some(reason) => format!("refused: {reason}{whose}\n"),
            };
            session.lines(&line)?;
            session.raise(if refusal.is_none() { Exit::AllProved } else { Exit::Violated });
            session.document.add(answer);
        }
    }
    session.finish()
}

/// Said where the error comes from the certificate.
const CLAIMED: &str = "; the certificate defines this error, the model does not";

/// The error that the certificate is about, where the model does not have it: by the formula that it claims to be
/// never reached. The checker compares that with what it checks.
fn claimed(system: &System, certificate: &Certificate) -> Option<NamedError> {
    let Certificate { error, formula, .. } = certificate;
    if system.error_named(error).is_some() {
        return None;
    }
    model::question(system, &model::evidence(system, error, formula)).ok().map(|(error, _)| error)
}

/// The answer, and whether the error is one of the certificate alone; `None`, with the reason reported, where there
/// is no answer.
fn certify(
    arguments: &CertifyArguments,
    session: &mut Session<'_, (), Certified>,
) -> Option<(Certified, bool)> {
    let source = session.accept(model::read_text(&arguments.model, None));
    let document = session.accept(files::read(&arguments.certificate, files::CERTIFICATE_BYTES));
    let (source, document) = (source?, document?);
    let loaded = lower::load(&source.text);
    for diagnostic in &loaded.diagnostics {
        // Of a certificate no warning says anything; but a call may forbid all of them.
        if session.console.severity(diagnostic.code) == Severity::Error {
            session.diagnostic(diagnostic, Some(&source));
        }
    }
    if let Some(system) = &loaded.system {
        session.describe(system.name().to_owned(), Some(&Statistics::of(system)));
    }
    let read = reading::read(&document, &BAD_CERTIFICATE, "certificate", "docs/certificate.md");
    let certificate: Certificate = match read {
        Ok(certificate) => certificate,
        Err(diagnostic) => {
            let other = Kind::of(&document).filter(|kind| *kind != Kind::Certificate);
            let diagnostic = match other {
                Some(other) => other.instead_of("certificate", &BAD_CERTIFICATE, &document),
                None => diagnostic,
            };
            let document = (!diagnostic.labels.is_empty()).then_some(&document);
            session.diagnostic(&diagnostic, document);
            return None;
        }
    };
    let system = loaded.system?;
    let claimed = if arguments.error.is_none() { claimed(&system, &certificate) } else { None };
    let is_claimed = claimed.is_some();
    let wanted = arguments.error.as_deref().unwrap_or(&certificate.error);
    let error = match claimed {
        Some(error) => error,
        None => replay::evidence_about(&system, wanted, arguments.error.is_some(), session.console)?,
    };
    let checked = check::check(&system, &error, &certificate, &Budget::unlimited());
    let answer = Certified {
        formula: print_formula(&system, &error.formula),
        error: error.name,
        verdict: if checked.is_ok() { "accepted" } else { "refused" },
        certificate: document.name,
        refusal: checked.err().map(|reason| reason.to_string()),
    };
    Some((answer, is_claimed))
}
