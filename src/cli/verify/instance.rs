//! The errors of one instance of a rewriting system: read, selected, decided.

use std::time::Instant;

use paramcheck::report::explored::{run_document, trace_document};
use paramcheck::report::processes::InstanceHead;
use paramcheck_model::error::print::print_formula;
use paramcheck_nets::instance::term::print_term;
use paramcheck_text::diagnostic::codes::process::calls::OTHER_KIND_OF_FILE;
use paramcheck_verdict::process::InstanceQuestions;

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
    let is_of_runs = !arguments.properties.is_empty();
    let errors = if is_of_runs && arguments.errors.is_empty() { Vec::new() } else { questions.errors };
    let asked = model::properties(&system, &arguments.properties);
    call.session.definitions(&asked.found);
    if asked.is_bad() {
        return Ok(());
    }
    let properties = asked.properties;
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
    let missing = model::missing_components(&system, net, &arguments.properties, &properties);
    if !missing.is_empty() {
        call.session.definitions(&missing);
        return Ok(());
    }
    let name = &source.name;
    let subject = InstanceQuestions { name, system: &system, net, errors: &errors, properties: &properties };
    let decision = call.decide(&subject, &verifiers, &watch);
    let head = InstanceHead { size: net.components().len(), term: print_term(&system, tree) };
    let formulas = errors.iter().map(|error| print_formula(&system, &error.formula));
    let formulas: Vec<String> =
        formulas.chain(properties.iter().map(|property| format!("ltl {}", property.text))).collect();
    let schedule = call.schedule;
    call.conclude(&source, verifiers, &decision, Some(head), &formulas, |result, check, run| {
        result.trace = run.and_then(|run| match errors.get(check) {
            Some(error) => trace_document(&system, error, tree, net, &run.trace),
            None => {
                let property = properties.get(check - errors.len())?;
                run_document(&system, property, schedule, (tree, net), run)
            }
        });
    })
}
