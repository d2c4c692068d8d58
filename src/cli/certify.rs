//! `paramcheck certify`: whether a certificate proves what it claims about a model.

use paramcheck::report::document;
use paramcheck_certificate::check;
use paramcheck_certificate::data::Certificate;
use paramcheck_model::error::print::print_formula;
use paramcheck_model::lower;
use paramcheck_text::diagnostic::Severity;
use paramcheck_text::diagnostic::codes::input::BAD_CERTIFICATE;
use paramcheck_text::limits::Budget;

use super::args::CertifyArguments;
use super::console::Console;
use super::exit::Exit;
use super::watch::Interrupt;
use super::{Failure, files, model, replay};

/// Runs the command.
pub(super) fn run(arguments: &CertifyArguments, console: &mut Console) -> Result<Exit, Failure> {
    // Nothing is kept that is found before the end: Ctrl-C ends it at once, with its exit code.
    Interrupt::install();
    let source = console.accept(model::read_text(&arguments.model, None));
    let document = console.accept(files::read(&arguments.certificate, files::CERTIFICATE_BYTES));
    let (Some(source), Some(document)) = (source, document) else { return Ok(Exit::InputError) };
    let loaded = lower::load(&source.text);
    for diagnostic in &loaded.diagnostics {
        // Of a certificate no warning says anything; but a call may forbid all of them.
        if console.severity(diagnostic.code) == Severity::Error {
            console.diagnostic(diagnostic, Some(&source));
        }
    }
    let read = document::read(&document, &BAD_CERTIFICATE, "certificate", "docs/certificate.md");
    let certificate: Certificate = match read {
        Ok(certificate) => certificate,
        Err(diagnostic) => {
            console.diagnostic(&diagnostic, Some(&document));
            return Ok(Exit::InputError);
        }
    };
    let Some(system) = loaded.system else { return Ok(Exit::InputError) };
    let wanted = arguments.error.as_deref().unwrap_or(&certificate.error);
    let Some(error) = replay::evidence_about(&system, wanted, arguments.error.is_some(), console) else {
        return Ok(Exit::InputError);
    };
    match check::check(&system, &error, &certificate, &Budget::unlimited()) {
        Ok(()) => {
            // What was proved is printed in the model's words, not in those of the certificate.
            let (name, formula) = (system.name(), print_formula(&system, &error.formula));
            console
                .print(&format!("accepted: no instance of {name} reaches `{}` ({formula})\n", error.name))?;
            Ok(Exit::AllProved)
        }
        Err(reason) => {
            console.print(&format!("refused: {reason}\n"))?;
            Ok(Exit::Violated)
        }
    }
}
