//! The errors of one instance of a rewriting system: read, selected, decided.

use std::time::Instant;

use paramcheck::report::explored::trace_document;
use paramcheck::report::processes::InstanceHead;
use paramcheck_model::error::print::print_formula;
use paramcheck_nets::instance::term::print_term;
use paramcheck_text::diagnostic::codes::process::calls::OTHER_KIND_OF_FILE;
use paramcheck_verdict::process::InstanceErrors;

use super::{Call, Verifiers};
use crate::cli::args::SelectedArguments;
use crate::cli::args::verify::VerifyArguments;
use crate::cli::watch::Interrupt;
use crate::cli::{Failure, files, model, process, selected};

/// Runs the call.
pub(super) fn run(call: &mut Call<'_>, verifiers: Verifiers) -> Result<(), Failure> {
    let begin = Instant::now();
    let interrupt = Interrupt::install();
    let arguments = call.arguments;
    if !files::is_stdin(&arguments.file) && !process::is_rewriting_system(&arguments.file) {
        let name = files::name(&arguments.file);
        let message = format!(
            "--size and --tree are about instances, and `{name}` is no rewriting system, by its name"
        );
        let help = format!("leave them out: `paramcheck verify {name}`");
        call.session.diagnostic(&files::plain(&OTHER_KIND_OF_FILE, message).help(help), None);
        return Ok(());
    }
    let deadline = arguments.limits.deadline(begin);
    let Some((source, system)) = call.session.read(&arguments.file, deadline) else { return Ok(()) };
    let questions = model::questions(&system, &arguments.errors);
    call.session.definitions(&questions.found);
    if questions.is_bad() {
        return Ok(());
    }
    let errors = questions.errors;
    let VerifyArguments { size, instance, .. } = *arguments;
    let tree = arguments.tree.clone();
    let wanted = SelectedArguments { size, instance, tree, ..SelectedArguments::default() };
    let watch = call.watch(begin, interrupt);
    let found = watch
        .run(&source.name, |budget| selected::find(&system, &source, &wanted, &budget, call.session.console));
    let selected = match found? {
        Ok(selected) => selected,
        Err(reason) => {
            call.session.raise(reason.exit());
            return Ok(());
        }
    };
    let (tree, net) = (&selected.tree, &selected.net);
    let subject = InstanceErrors { name: &source.name, system: &system, net, errors: &errors };
    let decision = call.decide(&subject, &verifiers, &watch);
    let head = InstanceHead { size: net.components().len(), term: print_term(&system, tree) };
    let formulas: Vec<String> = errors.iter().map(|error| print_formula(&system, &error.formula)).collect();
    call.conclude(&source, verifiers, &decision, Some(head), &formulas, |result, check, trace| {
        result.trace = trace.and_then(|trace| trace_document(&system, &errors[check], tree, net, trace));
    })
}
