//! Back ends queried without the program's own runner: jobs run one after the other, outputs handed back.

use std::fs;
use std::path::Path;
use std::process::{self, Command, Stdio};
use std::time::{Duration, Instant};

use paramcheck_emulation::backend::{Answer, Backend, Command as Run, Next, Output, Unknown};
use paramcheck_emulation::program::Program;
use paramcheck_text::limits::{Budget, Stop};

use super::tools::{Scratch, program};

/// What a back end answers.
pub(crate) fn ask(backend: &dyn Backend, question: &Program<'_>) -> Answer {
    said(backend, question).0
}

/// What a back end answers, and all outputs on the way.
pub(crate) fn said(backend: &dyn Backend, question: &Program<'_>) -> (Answer, Vec<Output>) {
    said_within(backend, question, Duration::MAX)
}

/// The same; a dialogue that takes longer has no answer.
pub(crate) fn said_within(
    backend: &dyn Backend,
    question: &Program<'_>,
    patience: Duration,
) -> (Answer, Vec<Output>) {
    let begin = Instant::now();
    let folder = Scratch::new();
    let mut done = Vec::new();
    loop {
        let job = match backend.next(question, &done, &Budget::unlimited()) {
            Next::Answer(answer) => return (answer, done),
            Next::Run(job) => job,
        };
        for (name, text) in &job.files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let mut command = match job.command {
            Run::Tool(number) => program(backend.about().tools[number].names[0]),
            Run::Made(name) => Command::new(folder.path().join(name)),
        };
        let left = patience.saturating_sub(begin.elapsed());
        let command = command.args(&job.arguments).current_dir(folder.path());
        let Some(output) = output_within(command, folder.path(), left) else {
            return (Answer::Unknown(Unknown::Stopped(Stop::Time)), done);
        };
        done.push(Output {
            code: output.status.code(),
            signal: std::os::unix::process::ExitStatusExt::signal(&output.status),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        });
        assert!(done.len() < 100, "{backend:?} goes on for ever");
    }
}

/// What a command writes, if it ends in time; else it is ended.
fn output_within(command: &mut Command, folder: &Path, patience: Duration) -> Option<process::Output> {
    let begin = Instant::now();
    let paths = ["stdout", "stderr"].map(|name| folder.join(format!(".{name}")));
    let [out, err] = paths.each_ref().map(|path| fs::File::create(path).unwrap());
    let mut child = command.stdin(Stdio::null()).stdout(out).stderr(err).spawn().unwrap();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begin.elapsed() >= patience {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let [stdout, stderr] = paths.map(|path| fs::read(path).unwrap());
    Some(process::Output { status, stdout, stderr })
}
