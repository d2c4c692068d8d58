//! `explore` about agents: how many states there are, and whether a run leaves the language.

use super::answers::{self, LabsSession, Request};
use super::parameters;
use crate::cli::Failure;
use crate::cli::args::explore::ExploreArguments;
use crate::cli::args::schedule::Order;
use crate::cli::args::verify::Wanted;
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::session::{Session, Style};
use crate::cli::verify::usage;
use paramcheck_verdict::labs::Reductions;

/// Runs the command.
pub(crate) fn run(arguments: &ExploreArguments, console: &mut Console) -> Result<Exit, Failure> {
    let which = &arguments.which;
    let is_of_systems = which.size.is_some()
        || which.max_size.is_some()
        || which.tree.is_some()
        || arguments.candidate.is_some()
        || arguments.marking.is_some()
        || !arguments.errors.is_empty();
    if is_of_systems {
        let message = "--size, --max-size, --tree, --candidate, --marking and --error are about rewriting systems, \
                       and the file ends in .labs";
        return Err(usage(message));
    }
    let style = Style { command: "explore", is_json: arguments.json, is_quiet: arguments.quiet };
    let mut session: LabsSession<'_> = Session::about(&arguments.file, style, console);
    let request = Request {
        file: &arguments.file,
        parameters: parameters(&arguments.parameters)?,
        rules: arguments.rules.rules(arguments.schedule == Some(Order::RoundRobin), None),
        steps: arguments.steps,
        checks: &[],
        option: "--check",
        is_bare: true,
        limits: &arguments.limits,
        max_states: arguments.max_states,
        threads: arguments.threads,
        reductions: Reductions::default(),
        is_quiet: arguments.quiet,
        is_sliver: false,
        is_simulation: false,
        backend: Wanted::Native,
    };
    answers::run(&request, &mut session)?;
    session.finish()
}
