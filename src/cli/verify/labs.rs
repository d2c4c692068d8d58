//! The properties of agents of LAbS.

use super::usage;
use crate::cli::args::schedule::Order;
use crate::cli::args::verify::VerifyArguments;
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::labs::answers::{self, LabsSession, Request};
use crate::cli::labs::parameters;
use crate::cli::session::{Session, Style};
use crate::cli::{Failure, list};
use paramcheck_verdict::labs::Reductions;

/// Why a call about agents can't have what it has.
fn misfit(arguments: &VerifyArguments) -> Option<&'static str> {
    let is_instance = arguments.size.is_some() || arguments.tree.is_some() || !arguments.errors.is_empty();
    if is_instance {
        return Some("--size, --tree and --error are about rewriting systems, and the file ends in .labs");
    }
    if arguments.language.is_some() {
        return Some("--language is about processes, and the file ends in .labs");
    }
    if arguments.runs.fair.is_some() && arguments.rules.strict_turns {
        return Some("--fair: taking turns leaves nobody out; use either --fair or --strict-turns");
    }
    None
}

/// Runs the command.
pub(super) fn run(arguments: &VerifyArguments, console: &mut Console) -> Result<Exit, Failure> {
    if let Some(message) = misfit(arguments) {
        return Err(usage(message));
    }
    let parameters = parameters(&arguments.parameters)?;
    if arguments.list {
        let style = Style { command: "list", is_json: arguments.json, is_quiet: arguments.quiet };
        return list::of_agents(&arguments.file, &parameters, style, console);
    }
    let style = Style { command: "verify", is_json: arguments.json, is_quiet: arguments.quiet };
    let mut session: LabsSession<'_> = Session::about(&arguments.file, style, console);
    let takes_turns = arguments.runs.schedule == Some(Order::RoundRobin);
    let request = Request {
        file: &arguments.file,
        parameters,
        rules: arguments.rules.rules(takes_turns, arguments.runs.fair),
        steps: arguments.steps,
        checks: &arguments.checks,
        option: "--check",
        is_bare: false,
        limits: &arguments.limits,
        max_states: arguments.max_states,
        threads: None,
        reductions: Reductions::default(),
        is_quiet: arguments.quiet,
        is_sliver: false,
        is_simulation: false,
        backend: arguments.backend,
    };
    answers::run(&request, &mut session)?;
    session.finish()
}
