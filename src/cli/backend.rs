//! Back ends are run here: their programs found, their dialogues held, their children limited.
//!
//! The crate *emulation* determines what to run and understands what comes back; here are the processes, the
//! scratch folder, the clock. What comes out is the back end's own answer: what of it is believed is decided
//! in the crate *verdict*, which calls [`Ready`] as a [`Verifier`].

use std::path::PathBuf;
use std::time::{Duration, Instant};

use paramcheck_emulation::backend::{About, Answer, Backend, Command, Next, Output, Tool, Unknown};
use paramcheck_emulation::program::Program;
use paramcheck_text::limits::Budget;
use paramcheck_verdict::process::{Verifier, VerifierRun};

use child::{Ended, Limits};

mod child;
mod find;

/// No dialogue goes on for longer.
const MAX_JOBS: usize = 10_000;
/// How many characters of a job's output are kept for a bug report.
const MAX_KEPT: usize = 20_000;

/// A back end whose programs are there.
#[derive(Clone, Debug)]
pub(super) struct Ready {
    /// The back end.
    pub backend: &'static dyn Backend,
    /// Where its tools are, in the order of its list.
    tools: Vec<PathBuf>,
    /// The memory that the processes of a job may have together, in bytes.
    memory: Option<u64>,
}

/// Finds the programs of a back end, whose processes may have `memory` bytes together.
///
/// # Errors
/// The first tool that is not there.
pub(super) fn ready(backend: &'static dyn Backend, memory: Option<u64>) -> Result<Ready, &'static Tool> {
    let tools = backend.about().tools;
    let found = tools.iter().map(|tool| find::find(tool.names).ok_or(tool)).collect::<Result<_, _>>()?;
    Ok(Ready { backend, tools: found, memory })
}

/// How to get what a back end needs.
pub(super) fn how_to_get(tool: &Tool) -> String {
    format!("needs {}: {}", tool.names.join(" or "), tool.package)
}

impl Verifier for Ready {
    fn about(&self) -> About {
        self.backend.about()
    }

    fn query(&self, program: &Program<'_>, budget: &Budget) -> VerifierRun {
        let begin = Instant::now();
        let mut run = VerifierRun {
            answer: Answer::Proved,
            elapsed: Duration::ZERO,
            memory: None,
            transcript: String::new(),
        };
        run.answer = self.dialogue(program, budget, &mut run).unwrap_or_else(Answer::Unknown);
        run.elapsed = begin.elapsed();
        run
    }
}

impl Ready {
    fn dialogue(
        &self,
        program: &Program<'_>,
        budget: &Budget,
        run: &mut VerifierRun,
    ) -> Result<Answer, Unknown> {
        let failed = |text: String| Err(Unknown::Failed(text));
        let folder = match tempfile::Builder::new().prefix("paramcheck-").tempdir() {
            Ok(folder) => folder,
            Err(error) => return failed(format!("no scratch folder: {error}")),
        };
        let mut done: Vec<Output> = Vec::new();
        loop {
            let job = match self.backend.next(program, &done, budget) {
                Next::Answer(answer) => return Ok(answer),
                Next::Run(_) if done.len() >= MAX_JOBS => {
                    return Err(Unknown::Inconclusive(format!("no answer after {MAX_JOBS} jobs")));
                }
                Next::Run(job) => job,
            };
            for (name, text) in &job.files {
                if let Err(error) = std::fs::write(folder.path().join(name), text) {
                    return failed(format!("can't write {name}: {error}"));
                }
                note(&mut run.transcript, &format!("file {name}"), text);
            }
            let what = match job.command {
                Command::Tool(number) => self.tools.get(number).cloned().unwrap_or_default(),
                Command::Made(name) => folder.path().join(name),
            };
            let limits = Limits { budget, memory: self.memory };
            let ended = child::run(&what, &job.arguments, folder.path(), &limits);
            run.memory = run.memory.max(ended.memory);
            let output = match ended.end {
                Ended::Done(output) => output,
                Ended::Stopped(stop) => return Err(Unknown::Stopped(stop)),
                Ended::TooMuch => {
                    return failed(format!(
                        "{} writes more than {} MiB",
                        what.display(),
                        child::MAX_OUTPUT >> 20
                    ));
                }
                Ended::NotStarted(error) => return failed(format!("can't run {}: {error}", what.display())),
            };
            let line = format!("{} {}", what.display(), job.arguments.join(" "));
            note(&mut run.transcript, &format!("{line}: {}, standard output", output.end()), &output.stdout);
            note(&mut run.transcript, "standard error", &output.stderr);
            // A failure's exit code is for the back end to understand.
            let made = job.makes.filter(|_| output.code == Some(0));
            if let Some(file) = made.filter(|file| !folder.path().join(file).exists()) {
                return Ok(output.failure(&format!("{} writes no {file}", what.display())));
            }
            done.push(output);
        }
    }
}

fn note(transcript: &mut String, title: &str, text: &str) {
    let shown: String = text.chars().take(MAX_KEPT).collect();
    let more = if shown.len() < text.len() { "\n… (shortened)" } else { "" };
    transcript.push_str(&format!("--- {title}\n{shown}{more}\n"));
}
