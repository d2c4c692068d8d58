//! The command line: arguments, files, streams, signals, exit codes.
//!
//! Only this part of the program reads files, writes to standard output and error and ends the process; it
//! decides nothing about models. A file per command, [`args`] for arguments, [`exit`] for exit codes.
//! Compiled into the binary alone.

mod args;
mod backend;
mod bug;
mod candidate;
mod certify;
mod check;
mod command;
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
mod labs;
mod list;
#[cfg(feature = "lsp")]
mod lsp;
mod man;
mod marking;
mod model;
mod new;
mod order;
mod process;
mod rcheck;
mod replay;
mod rerun;
mod selected;
mod session;
mod step;
mod test;
mod verify;
mod watch;
mod why;

use std::ffi::OsString;
use std::io::{self, Write};

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};

use args::{Arguments, Command};
use console::Console;
use exit::Exit;

/// Why a command ended without an exit code of its own.
#[derive(Debug)]
enum Failure {
    /// Standard output does not take more: it is closed (no failure at all), or its disk is full.
    Output(io::Error),
    /// The call is wrong in a way that only shows after parsing.
    Usage(clap::Error),
}

impl Failure {
    /// A wrong call, reported with the usage of the command that was called.
    fn misuse(kind: ErrorKind, message: impl std::fmt::Display) -> Self {
        Failure::Usage(clap::Error::raw(kind, message))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}

/// Runs the program with these arguments, the program's name first.
pub(crate) fn run(arguments: Vec<OsString>) -> Exit {
    let color = args::color_of(&arguments);
    let command = Arguments::command().color(color.for_clap());
    let arguments = order::command_first(arguments, &command);
    let mut called = None;
    let parsed = command.try_get_matches_from(arguments).and_then(|matches| {
        called = matches.subcommand_name().map(str::to_owned);
        Arguments::from_arg_matches(&matches)
    });
    let mut console = Console::new(color);
    if let Ok(arguments) = &parsed {
        console.deny(arguments.deny.clone());
    }
    let result = match parsed {
        Ok(arguments) => match arguments.command {
            None => {
                let check = &arguments.check;
                rerun::run(check.watch, &check.files, &mut console, |console| check::run(check, console))
            }
            Some(Command::Fmt(fmt)) => {
                rerun::run(fmt.watch, &fmt.files, &mut console, |console| fmt::run(&fmt, console))
            }
            Some(Command::Explain(arguments)) => explain::run(&arguments, &mut console),
            Some(Command::Why(arguments)) => why::run(&arguments, &mut console),
            Some(Command::Certify(arguments)) => certify::run(&arguments, &mut console),
            Some(Command::Replay(arguments)) => replay::run(&arguments, &mut console),
            Some(Command::Step(arguments)) => step::run(&arguments, &mut console),
            Some(Command::Draw(arguments)) => draw::run(&arguments, &mut console),
            Some(Command::Emit(arguments)) => emit::run(&arguments, &mut console),
            Some(Command::Explore(explore)) => {
                let file = std::slice::from_ref(&explore.file);
                rerun::run(explore.watch, file, &mut console, |console| explore::run(&explore, console))
            }
            Some(Command::Instances(arguments)) => instances::run(&arguments, &mut console),
            Some(Command::Verify(arguments)) => verify::run(&arguments, &mut console),
            Some(Command::Labs(arguments)) => labs::command::run(&arguments, &mut console),
            Some(Command::Emulate(arguments)) => emulate::run(&arguments, &mut console),
            Some(Command::Crosscheck(arguments)) => crosscheck::run(&arguments, &mut console),
            Some(Command::Test(arguments)) => test::run(&arguments, &mut console),
            Some(Command::New(arguments)) => new::run(&arguments, &mut console),
            Some(Command::Completions(arguments)) => completions::run(&arguments, &mut console),
            #[cfg(feature = "lsp")]
            Some(Command::Lsp(arguments)) => Ok(lsp::run(&arguments, &mut console)),
            Some(Command::Man) => man::run(&mut console),
        },
        Err(error) => Err(Failure::Usage(error)),
    };
    let result = result.and_then(|exit| console.flush().map(|()| exit).map_err(Failure::from));
    let result = result.map(|exit| denied(exit, &mut console));
    let result = match result {
        Err(Failure::Usage(error)) => print_usage(error, called.as_deref(), color),
        other => other,
    };
    finish(result, &mut console)
}

/// The exit code, where `exit` is that without regard to warnings that the call denies.
fn denied(exit: Exit, console: &mut Console) -> Exit {
    if !console.has_denied() {
        return exit;
    }
    match console.denied_count() {
        // A document has them.
        0 => {}
        1 => console.problem("a warning is denied by --deny"),
        count => console.problem(&format!("{count} warnings are denied by --deny")),
    }
    exit.max(Exit::InputError)
}

/// Prints the message of the argument parser, or ours about a wrong call of the command `called`; `None` is
/// the main one.
fn print_usage(error: clap::Error, called: Option<&str>, color: args::Color) -> Result<Exit, Failure> {
    let mut program = Arguments::command().color(color.for_clap());
    // So that a command knows what it is called in full.
    program.build();
    let error = command::with_meant(error);
    let error = match called.and_then(|name| program.find_subcommand_mut(name)) {
        Some(command) => error.format(command),
        None => error.format(&mut program),
    };
    // Help and version come as errors too; those go to standard output.
    let is_answer = !error.use_stderr();
    // Else the last line would be written when the program ends, and a failure would not be reported.
    let printed = error.print().and_then(|()| io::stdout().flush());
    match printed {
        Err(error) if is_answer => Err(Failure::Output(error)),
        _ if is_answer => Ok(Exit::AllProved),
        _ => Ok(Exit::InputError),
    }
}

/// Turns what is left of a command into an exit code.
fn finish(result: Result<Exit, Failure>, console: &mut Console) -> Exit {
    match result {
        Ok(exit) => exit,
        // Reported before.
        Err(Failure::Usage(_)) => Exit::InputError,
        // Whoever reads has seen enough, as `head` does.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::AllProved,
        Err(Failure::Output(error)) => {
            console.problem(&format!("cannot write to standard output: {}", files::reason(&error)));
            Exit::InputError
        }
    }
}
