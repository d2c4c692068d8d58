//! `paramcheck completions`: a script that teaches a shell our options.

use clap::CommandFactory;

use super::Failure;
use super::args::{Arguments, CompletionsArguments};
use super::console::Console;
use super::exit::Exit;

/// Runs the command.
pub(super) fn run(arguments: &CompletionsArguments, console: &mut Console) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    // Into memory first: the generator panics where a stream is closed.
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "paramcheck", &mut script);
    console.print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::AllProved)
}
