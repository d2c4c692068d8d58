//! Back ends queried without the program's own runner: jobs run one after the other, outputs handed back.

use std::fs;
use std::process::{Command, Stdio};

use paramcheck_emulation::backend::{Answer, Backend, Command as Run, Next, Output};
use paramcheck_emulation::program::Program;
use paramcheck_text::limits::Budget;

use super::tools::{Scratch, program};

/// What a back end answers.
pub(crate) fn ask(backend: &dyn Backend, question: &Program<'_>) -> Answer {
    said(backend, question).0
}

/// What a back end answers, and all outputs on the way.
pub(crate) fn said(backend: &dyn Backend, question: &Program<'_>) -> (Answer, Vec<Output>) {
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
        let command = command.args(&job.arguments).current_dir(folder.path()).stdin(Stdio::null());
        let output = command.output().unwrap();
        done.push(Output {
            code: output.status.code(),
            signal: std::os::unix::process::ExitStatusExt::signal(&output.status),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        });
        assert!(done.len() < 100, "{backend:?} goes on for ever");
    }
}
