//! `paramcheck man`: the manual page, made from the same description of the arguments as `--help`.
//!
//! One text in roff: the page of the program, then one of each command.

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use super::Failure;
use super::args::Arguments;
use super::console::Console;
use super::exit::Exit;

/// Runs the command.
pub(super) fn run(console: &mut Console) -> Result<Exit, Failure> {
    let mut program = Arguments::command();
    // So that a command knows what it is called in full.
    program.build();
    let commands = program.get_subcommands().filter(|command| !is_help(command)).cloned();
    let mut pages = Vec::new();
    for command in std::iter::once(program.clone()).chain(commands) {
        let title = command.get_display_name().unwrap_or("paramcheck").to_owned();
        let version = env!("CARGO_PKG_VERSION");
        let page = Man::new(command.version(version)).title(title).source(format!("paramcheck {version}"));
        page.render(&mut pages)?;
    }
    console.print(&String::from_utf8_lossy(&pages))?;
    Ok(Exit::AllProved)
}

/// Whether this is the command that the argument parser adds.
fn is_help(command: &Command) -> bool {
    command.get_name() == "help"
}
