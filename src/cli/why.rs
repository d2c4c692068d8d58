//! `paramcheck why`: the questions of checking, answered by why the answer is right.
//!
//! Deciding and reporting is [`check`]'s; here is only which instance a proof is spelled out in.

use serde::Serialize;

use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::term::parse_term;
use paramcheck_text::limits::Budget;
use paramcheck_text::source::SourceFile;

use super::args::{ShownArguments, WhyArguments};
use super::console::Console;
use super::exit::Exit;
use super::session::Session;
use super::{Failure, check, selected};

/// Runs the command.
pub(super) fn run(arguments: &WhyArguments, console: &mut Console) -> Result<Exit, Failure> {
    check::run(&arguments.check(), console)
}

/// The instance that `wanted` names, if it names one.
///
/// # Errors
/// There is no such instance; that is reported.
pub(super) fn instance<F: Serialize, R: Serialize>(
    system: &System,
    wanted: &ShownArguments,
    budget: &Budget,
    session: &mut Session<'_, F, R>,
) -> Result<Option<RewritingTree>, ()> {
    if let Some(text) = &wanted.tree {
        return match parse_term(system, text) {
            Ok(tree) => Ok(Some(tree)),
            Err(diagnostics) => {
                session.diagnostics(&diagnostics, &SourceFile::new("--tree", text));
                Err(())
            }
        };
    }
    let Some(size) = wanted.size else { return Ok(None) };
    selected::of_size(system, size, wanted.instance, budget, session.console).map(Some).map_err(|reason| {
        session.raise(reason.exit());
    })
}
