//! The checks of a process or choreography: read, selected, decided.

use std::time::Instant;

use paramcheck::report::processes::RunReport;
use paramcheck_process::model::{Check, System};
use paramcheck_process::show;
use paramcheck_text::diagnostic::codes::process::calls::NO_SUCH_CHECK;
use paramcheck_text::nearest::nearest;
use paramcheck_verdict::process::ProcessChecks;

use super::{Call, Verifiers};
use crate::cli::watch::Interrupt;
use crate::cli::{Failure, files, process};

/// Runs the call.
pub(super) fn run(call: &mut Call<'_>, verifiers: Verifiers) -> Result<(), Failure> {
    let begin = Instant::now();
    let interrupt = Interrupt::install();
    let deadline = call.arguments.limits.deadline(begin);
    let loaded = process::load(&call.arguments.file, call.arguments.language, deadline);
    let Some((source, lowered)) = call.session.accept(loaded) else { return Ok(()) };
    call.session.diagnostics(&lowered.diagnostics, &source);
    let Some(system) = lowered.system else { return Ok(()) };
    call.session.describe(show::term(&system, system.root, 80), None);
    let checks = selected(call, &system);
    // None of those named is there, which has been reported.
    if checks.is_empty() && !call.arguments.checks.is_empty() {
        return Ok(());
    }
    let subject = ProcessChecks { name: &source.name, system: &system, checks: &checks };
    let watch = call.watch(begin, interrupt);
    let decision = call.decide(&subject, &verifiers, &watch);
    let formulas: Vec<String> = checks.iter().map(|check| show::goal(&system, &check.goal)).collect();
    call.conclude(&source, verifiers, &decision, None, &formulas, |result, check, run| {
        result.run = run.map(|run| RunReport::new(&system, &decision.agents, run));
        if let Some(verdict) = decision.verdicts.get(check) {
            result.remark_never_offered(&system, &verdict.never_offered);
        }
    })
}

/// The checks in question.
fn selected(call: &mut Call<'_>, system: &System) -> Vec<Check> {
    if call.arguments.checks.is_empty() {
        return system.checks.clone();
    }
    let mut wanted: Vec<Check> = Vec::new();
    for name in &call.arguments.checks {
        match system.check_named(name) {
            Some(check) if wanted.contains(check) => {}
            Some(check) => wanted.push(check.clone()),
            None => {
                let names: Vec<&str> = system.checks.iter().map(|check| check.name.as_str()).collect();
                let message = format!("the file has no check `{name}`");
                let list = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                let help = match nearest(name, names.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`? The checks of this file are {list}"),
                    None => format!("the checks of this file are {list}"),
                };
                call.session.diagnostic(&files::plain(&NO_SUCH_CHECK, message).help(help), None);
            }
        }
    }
    wanted
}
