//! `paramcheck certify`: whether a certificate proves what it claims about a model.

use paramcheck::report::evidence::Certified;
use paramcheck::report::kind::Kind;
use paramcheck::report::reading;
use paramcheck_certificate::check;
use paramcheck_certificate::data::Certificate;
use paramcheck_model::error::print::print_formula;
use paramcheck_model::lower;
use paramcheck_model::statistics::Statistics;
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
            let Certified { error, formula, refusal, .. } = &answer;
            let line = match refusal {
                // What was proved is printed in the model's words, not in those of the certificate.
                None => {
                    let system = session.system_name();
                    format!("accepted: no instance of {system} reaches `{error}` ({formula})\n")
                }
                Some(reason) => format!("refused: {reason}\n"),
            };
            session.lines(&line)?;
            session.raise(if refusal.is_none() { Exit::AllProved } else { Exit::Violated });
            session.document.add(answer);
        }
    }
    session.finish()
}

/// The answer; `None`, with the reason reported, where there is none.
fn certify(arguments: &CertifyArguments, session: &mut Session<'_, (), Certified>) -> Option<Certified> {
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
    let wanted = arguments.error.as_deref().unwrap_or(&certificate.error);
    let error = replay::evidence_about(&system, wanted, arguments.error.is_some(), session.console)?;
    let checked = check::check(&system, &error, &certificate, &Budget::unlimited());
    Some(Certified {
        formula: print_formula(&system, &error.formula),
        error: error.name,
        verdict: if checked.is_ok() { "accepted" } else { "refused" },
        certificate: document.name,
        refusal: checked.err().map(|reason| reason.to_string()),
    })
}
