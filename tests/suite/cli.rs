//! The program as a user sees it: streams, exit codes, files.
//!
//! Every test starts the built binary. Times are redacted; nothing depends on how long a run takes,
//! except that a child that should end is waited for generously.

mod agents;
mod answers;
#[cfg(unix)]
mod backends;
mod candidate;
mod commands;
mod crosscheck;
mod documents;
mod draw;
mod emit;
mod engines;
mod evidence;
mod explore;
mod figures;
#[cfg(unix)]
mod guides;
mod inputs;
mod instances;
mod json;
mod labs;
mod limits;
mod list;
mod long_names;
mod mistakes;
mod new;
mod processes;
mod rcheck;
mod replay;
#[cfg(target_os = "linux")]
mod rerun;
mod runs;
mod schema;
#[cfg(target_os = "linux")]
mod signals;
mod step;
mod testing;
mod warnings;
mod why;

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Proved: deadlock by traps, lost only by traps and mutexes together. Warned of: a state that nothing
/// enters.
pub(super) const THIEF: &str = "tests/cases/classic/loose-mutex-thief.rs";
/// Proved: deadlock, critical, lost.
pub(super) const MUX: &str = "tests/cases/classic/mux-array.rs";
/// Violated: one, in two components.
pub(super) const HERMAN: &str = "tests/cases/classic/herman-ring.rs";

/// What a run of the program came to.
#[derive(Debug)]
pub(super) struct Run {
    /// Standard output, times redacted.
    pub output: String,
    /// Standard error.
    pub errors: String,
    /// The exit code.
    pub code: i32,
}

impl Run {
    /// The standard output of a run that must end with `code` and say nothing else.
    #[track_caller]
    pub(super) fn output_of(self, code: i32) -> String {
        assert_eq!((self.code, self.errors.as_str()), (code, ""), "{}", self.output);
        self.output
    }

    /// As [`Run::output_of`], of a model with warnings, which are all else that is said.
    #[track_caller]
    pub(super) fn output_beside_warnings(self, code: i32) -> String {
        assert_eq!(self.code, code, "{}", self.errors);
        assert!(self.errors.starts_with("warning[") && !self.errors.contains("error"), "{}", self.errors);
        self.output
    }

    /// The messages of a run that must end with `code` and print nothing.
    #[track_caller]
    pub(super) fn errors_of(self, code: i32) -> String {
        assert_eq!((self.code, self.output.as_str()), (code, ""), "{}", self.errors);
        self.errors
    }
}

/// The program, in the repository's folder, away from the settings of whoever runs the tests.
pub(super) fn command(arguments: &[impl AsRef<OsStr>]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_paramcheck"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(variable);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program without input.
pub(super) fn run(arguments: &[impl AsRef<OsStr>]) -> Run {
    checked(arguments, finish(command(arguments)))
}

/// Runs the program with `input` on standard input.
pub(super) fn run_with(arguments: &[impl AsRef<OsStr>], input: impl AsRef<[u8]>) -> Run {
    let mut command = command(arguments);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    match child.stdin.take().unwrap().write_all(input.as_ref()) {
        // A program that refuses the call may end before it has read anything.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {}
        written => written.unwrap(),
    }
    checked(arguments, output(child.wait_with_output().unwrap()))
}

/// The run, whose document must be as the schema says if it has one.
fn checked(arguments: &[impl AsRef<OsStr>], run: Run) -> Run {
    if arguments.iter().any(|argument| argument.as_ref() == "--json") && !run.output.is_empty() {
        let document = serde_json::from_str(&run.output).expect("one JSON document");
        schema::assert_valid(&document);
    }
    run
}

fn finish(mut command: Command) -> Run {
    output(command.output().unwrap())
}

fn output(output: std::process::Output) -> Run {
    Run {
        output: redact(&String::from_utf8(output.stdout).unwrap()),
        errors: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap_or(-1),
    }
}

/// Replaces times in parentheses, `(1.2 ms)`, by `(TIME)`.
fn redact(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('(') {
        result += before;
        let time = after.split_once(')').filter(|(inside, _)| {
            inside.ends_with(" ms")
                || inside.ends_with(" s") && inside.starts_with(|c: char| c.is_ascii_digit())
        });
        match time {
            Some((_, after)) => {
                result += "(TIME)";
                rest = after;
            }
            None => {
                result.push('(');
                rest = after;
            }
        }
    }
    result + rest
}

/// A fresh folder for the files of one test.
pub(super) fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// A file with these contents in a fresh folder.
pub(super) fn file(folder: &Path, name: &str, contents: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    fs::write(&path, contents).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A token ring: `deadlock` and `exclusion` are proved, `moved` is violated.
pub(super) const RING: &str = "\
component Node {
  states idle, busy;
  init idle;
  busy -out-> idle;
  idle -in-> busy;
}

Ring() <- new x, y . <out(y) in(x)> (Chain(x, y));
Chain(x, y) <- <out(x) in(y)> (Node(x), Node[busy](y));
Chain(x, z) <- new y . <out(x) in(y)> (Node(x), Chain(y, z));

error exclusion = #busy >= 2;
error moved = #idle >= 2 & #busy == 1;
";
