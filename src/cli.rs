//! The command line: arguments, files, streams, signals, exit codes.
//!
//! Only this part of the program reads files, writes to standard output and error and ends the process; it decides nothing about models. A file per command, [`args`] for what the user
//! may say, [`exit`] for what the program answers to scripts. Compiled into the binary alone.

mod args;
mod backend;
mod bug;
mod certify;
mod check;
mod completions;
mod console;
mod crosscheck;
mod draw;
mod emit;
mod emulate;
mod exit;
mod explain;
mod explore;
mod files;
mod fmt;
mod instances;
mod model;
mod one;
mod process;
mod replay;
mod step;
mod verify;
mod watch;

use std::ffi::OsString;
use std::io;

use clap::{CommandFactory, FromArgMatches};

use args::{Arguments, Command};
use console::Console;
use exit::Exit;

/// Why a command ended without an exit code of its own.
#[derive(Debug)]
enum Failure {
    /// Standard output does not take more: it is closed (no failure at all), or its disk is full.
    Output(io::Error),
    /// The call asks for what can't be, which only shows after parsing.
    Usage(clap::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}

/// Runs the program with these arguments, the program's name first.
pub fn run(arguments: Vec<OsString>) -> Exit {
    let color = args::color_of(&arguments);
    let command = Arguments::command().color(color.for_clap());
    let parsed = command.try_get_matches_from(arguments).and_then(|matches| {
        Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut Arguments::command()))
    });
    let mut console = Console::new(color);
    let result = match parsed {
        Ok(arguments) => match arguments.command {
            None => check::run(&arguments.check, &mut console),
            Some(Command::Fmt(arguments)) => fmt::run(&arguments, &mut console),
            Some(Command::Explain(arguments)) => explain::run(&arguments, &mut console),
            Some(Command::Certify(arguments)) => certify::run(&arguments, &mut console),
            Some(Command::Replay(arguments)) => replay::run(&arguments, &mut console),
            Some(Command::Step(arguments)) => step::run(&arguments, &mut console),
            Some(Command::Draw(arguments)) => draw::run(&arguments, &mut console),
            Some(Command::Emit(arguments)) => emit::run(&arguments, &mut console),
            Some(Command::Explore(arguments)) => explore::run(&arguments, &mut console),
            Some(Command::Instances(arguments)) => instances::run(&arguments, &mut console),
            Some(Command::Verify(arguments)) => verify::run(&arguments, &mut console),
            Some(Command::Emulate(arguments)) => emulate::run(&arguments, &mut console),
            Some(Command::Crosscheck(arguments)) => crosscheck::run(&arguments, &mut console),
            Some(Command::Completions(arguments)) => completions::run(&arguments, &mut console),
        },
        Err(error) => Err(Failure::Usage(error)),
    };
    finish(result.and_then(|exit| console.flush().map(|()| exit).map_err(Failure::from)), &mut console)
}

/// Turns what is left of a command into an exit code.
fn finish(result: Result<Exit, Failure>, console: &mut Console) -> Exit {
    match result {
        Ok(exit) => exit,
        Err(Failure::Usage(error)) => {
            // Help and version come as errors too; those go to standard output.
            let is_answer = !error.use_stderr();
            match error.print() {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Exit::InputError,
                _ if is_answer => Exit::AllProved,
                _ => Exit::InputError,
            }
        }
        // Whoever reads has seen enough, as `head` does.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::AllProved,
        Err(Failure::Output(error)) => {
            console.problem(&format!("cannot write to standard output: {}", files::reason(&error)));
            Exit::InputError
        }
    }
}
