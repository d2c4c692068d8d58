//! The program: hands the arguments to [`cli`] and its exit code to the system.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(feature = "mona")]
    if std::env::args_os().nth(1).is_some_and(|first| first == paramcheck_wsks::mona::WORKER_ARGUMENT) {
        return paramcheck_wsks::mona::worker::serve(std::io::stdin(), std::io::stdout(), || {
            std::process::exit(0)
        });
    }
    cli::run(std::env::args_os().collect()).into()
}
