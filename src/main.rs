//! The program: hands the arguments to [`cli`] and its exit code to the system.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(std::env::args_os().collect()).into()
}
