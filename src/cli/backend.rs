//! Back ends are run here: their programs found, their dialogues held, their children limited.
//!
//! The library says what to run and understands what comes back ([`paramcheck_emulation::backend`]); here are the
//! processes, the scratch folder, the clock. Nothing of a back end is believed here either: what comes out is what it
//! said ([`Asked`]), for the caller to replay.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use paramcheck::report::Reason;
use paramcheck_emulation::backend::{Answer, Backend, Command, Next, Output, Tool, Unknown};
use paramcheck_emulation::program::Program;
use paramcheck_text::limits::{Budget, Stop};

use child::{Ended, Limits};

mod child;
mod find;

/// No dialogue goes on for longer.
const MAX_JOBS: usize = 10_000;
/// So much of a job's output is kept for a bug report.
const KEPT: usize = 20_000;

/// A back end whose programs are there.
#[derive(Clone, Debug)]
pub struct Ready {
    /// The back end.
    pub backend: &'static dyn Backend,
    /// Where its tools are, in the order of its list.
    tools: Vec<PathBuf>,
}

/// Finds the programs of a back end.
///
/// # Errors
/// The first tool that is not there.
pub fn ready(backend: &'static dyn Backend) -> Result<Ready, &'static Tool> {
    let tools = backend.about().tools;
    let found = tools.iter().map(|tool| find::find(tool.names).ok_or(tool)).collect::<Result<_, _>>()?;
    Ok(Ready { backend, tools: found })
}

/// How to get what a back end needs.
pub fn how_to_get(tool: &Tool) -> String {
    format!("needs {}: {}", tool.names.join(" or "), tool.package)
}

/// What came of asking.
pub struct Asked {
    /// The answer, or why there is none.
    pub answer: Result<Answer, Reason>,
    /// How long it took.
    pub time: Duration,
    /// The most memory that its processes had at once, in bytes; `None` where nobody can tell.
    pub memory: Option<u64>,
    /// What was run and what it said, shortened: for a bug report.
    pub transcript: String,
}

impl Ready {
    /// Asks about a program, under limits: the budget's, and so much memory for the processes of a job.
    pub fn ask(&self, program: &Program<'_>, budget: &Budget, memory: Option<u64>) -> Asked {
        let begin = Instant::now();
        let mut asked = Asked {
            answer: Ok(Answer::Proved),
            time: Duration::ZERO,
            memory: None,
            transcript: String::new(),
        };
        asked.answer = self.dialogue(program, budget, memory, &mut asked);
        asked.time = begin.elapsed();
        asked
    }

    fn dialogue(
        &self,
        program: &Program<'_>,
        budget: &Budget,
        memory: Option<u64>,
        asked: &mut Asked,
    ) -> Result<Answer, Reason> {
        let folder = tempfile::Builder::new().prefix("paramcheck-").tempdir();
        let folder = folder.map_err(|error| reason("tool-failed", format!("no scratch folder: {error}")))?;
        let mut done: Vec<Output> = Vec::new();
        let answer = loop {
            let job = match self.backend.next(program, &done, budget) {
                Next::Answer(answer) => break answer,
                Next::Run(_) if done.len() >= MAX_JOBS => {
                    return Err(reason("tool-inconclusive", format!("no answer after {MAX_JOBS} jobs")));
                }
                Next::Run(job) => job,
            };
            for (name, text) in &job.files {
                std::fs::write(folder.path().join(name), text)
                    .map_err(|error| reason("tool-failed", format!("can't write {name}: {error}")))?;
                note(&mut asked.transcript, &format!("file {name}"), text);
            }
            let what = match job.command {
                Command::Tool(number) => self.tools.get(number).cloned().unwrap_or_default(),
                Command::Made(name) => folder.path().join(name),
            };
            let limits = Limits { budget, memory };
            let ended = child::run(&what, &job.arguments, folder.path(), &limits);
            asked.memory = asked.memory.max(ended.memory);
            let line = format!("{} {}", what.display(), job.arguments.join(" "));
            match ended.end {
                Ended::Done(output) => {
                    let title = format!("{line}: {}, standard output", output.end());
                    note(&mut asked.transcript, &title, &output.stdout);
                    note(&mut asked.transcript, "standard error", &output.stderr);
                    // An exit code that tells of failure is for the back end to understand.
                    let made = job.makes.filter(|_| output.code == Some(0));
                    if let Some(file) = made.filter(|file| !folder.path().join(file).exists()) {
                        break output.failure(&format!("{} writes no {file}", what.display()));
                    }
                    done.push(output);
                }
                Ended::Stopped(stop) => return Err(stopped(stop)),
                Ended::TooMuch => {
                    let text = format!("{} writes more than {} MiB", what.display(), child::MAX_OUTPUT >> 20);
                    return Err(reason("tool-failed", text));
                }
                Ended::NotStarted(error) => {
                    return Err(reason("tool-failed", format!("can't run {}: {error}", what.display())));
                }
            }
        };
        match answer {
            Answer::Unknown(Unknown::Refused(why)) => {
                Err(reason("refused", format!("{} can't be asked this: {why}", self.backend.about().title)))
            }
            Answer::Unknown(Unknown::Stopped(stop)) => Err(stopped(stop)),
            Answer::Unknown(Unknown::Inconclusive(text)) => Err(reason("tool-inconclusive", text)),
            Answer::Unknown(Unknown::Failed(text)) => Err(reason("tool-failed", text)),
            conclusive => Ok(conclusive),
        }
    }
}

fn note(transcript: &mut String, title: &str, text: &str) {
    let shown: String = text.chars().take(KEPT).collect();
    let more = if shown.len() < text.len() { "\n… (shortened)" } else { "" };
    transcript.push_str(&format!("--- {title}\n{shown}{more}\n"));
}

/// A reason that is about no formula.
pub fn reason(code: &'static str, text: String) -> Reason {
    Reason { code, text, at: None }
}

/// The reason that a limit is.
pub fn stopped(stop: Stop) -> Reason {
    let code = match stop {
        Stop::Time => "time-limit",
        Stop::Memory => "memory-limit",
        Stop::Interrupted => "interrupted",
    };
    reason(code, stop.to_string())
}
