//! Other verifiers as back ends: what each needs, what it refuses, and how it is queried.
//!
//! Nothing is run here and no file is touched: a back end is a dialogue. [`Backend::next`] is given a
//! [`Program`] and the outputs of the jobs so far, and gives which [`Job`] to run next or what the [`Answer`]
//! is; whoever runs the jobs (the binary, or a test that makes up outputs) owns the processes, limits and
//! files. The same outputs give the same next job, so nothing has to be remembered in between.
//!
//! No back end is believed where it can be helped: a [`Counterexample`] counts only after
//! [`replay`](super::replay::replay), a proof is the back end's word and is reported as that.
//!
//! Source: section 3.2 (programs for off-the-shelf verifiers) and section 4.3 (several of them, their
//! verdicts side by side) of the paper.

use super::program::Program;
use super::triple::TripleId;
use super::writers::NotWritable;
use paramcheck_text::limits::{Budget, Stop};

pub mod esbmc;
pub mod nusmv;
pub mod spin;
pub(crate) mod untested;
pub mod z3;

#[cfg(test)]
mod tests;

/// All back ends, in the order in which they are listed.
pub const ALL: &[&dyn Backend] = &[
    &spin::Spin,
    &nusmv::NuSmv,
    &esbmc::Esbmc,
    &z3::Z3,
    &untested::Cbmc,
    &untested::CpaChecker,
    &untested::TwoLs,
];

/// The back end of a name.
pub fn named(name: &str) -> Option<&'static dyn Backend> {
    ALL.iter().copied().find(|backend| backend.about().name == name)
}

/// A verifier that can be queried about programs.
pub trait Backend: std::fmt::Debug + Sync {
    /// What it is.
    fn about(&self) -> About;

    /// What to do next, where `done` are the outputs of all jobs so far, in order. Once `budget` ends, the
    /// answer is that it did.
    fn next(&self, program: &Program<'_>, done: &[Output], budget: &Budget) -> Next;
}

/// What a back end is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// What it is called in the call of `verify`: lower-case letters and digits.
    pub name: &'static str,
    /// What its makers call it.
    pub title: &'static str,
    /// How it decides, in a few words.
    pub(crate) technique: &'static str,
    /// The programs that it needs; all of them.
    pub tools: &'static [Tool],
    /// Whether it was tested here. If not, it follows the tool's documentation only.
    pub is_tested: bool,
}

/// A program that has to be installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tool {
    /// The names it may have, the preferred one first. Jobs call it by the first one, whichever is found.
    pub names: &'static [&'static str],
    /// How to get it: `Debian package spin`.
    pub package: &'static str,
}

/// A command to run, in a scratch folder that all jobs of one dialogue share and that is removed after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Files that are written into the folder before: their names and texts.
    pub files: Vec<(String, String)>,
    /// What is run.
    pub command: Command,
    /// Its arguments. The folder is the current one, and nothing is on standard input.
    pub arguments: Vec<String>,
    /// The file that it leaves in the folder when all is well, if the next job needs one.
    pub makes: Option<&'static str>,
}

/// What a job runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// The tool at this position of [`About::tools`].
    Tool(usize),
    /// A program in the scratch folder that an earlier job made, by its file name.
    Made(&'static str),
}

/// What a job wrote and how it ended. Jobs that were ended from outside (a limit, Ctrl-C) have no output: the
/// dialogue is over then.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// The exit code; `None` where a signal ended it.
    pub code: Option<i32>,
    /// The number of the signal that ended it, where one did and the system reports which.
    pub signal: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Output {
    /// How it ended: `exit code 1`, `ended by signal 9`.
    pub fn end(&self) -> String {
        match (self.code, self.signal) {
            (Some(code), _) => format!("exit code {code}"),
            (None, Some(signal)) => format!("ended by signal {signal}"),
            (None, None) => "ended by a signal".to_owned(),
        }
    }

    /// The whole lines of standard output: what comes after the last line's end was cut off.
    pub(crate) fn whole_lines(&self) -> impl Iterator<Item = &str> {
        whole_lines(&self.stdout)
    }

    /// The last lines that are not blank, to give as a reason: those of standard error, or else of standard
    /// output.
    pub(crate) fn last_words(&self) -> String {
        const LINES: usize = 3;
        const MAX_SHOWN: usize = 300;
        let of = |text: &str| {
            let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
            let last = lines.get(lines.len().saturating_sub(LINES)..).unwrap_or_default().join("; ");
            let shown: String = last.chars().filter(|letter| !letter.is_control()).take(MAX_SHOWN).collect();
            shown
        };
        match of(&self.stderr) {
            words if words.is_empty() => of(&self.stdout),
            words => words,
        }
    }

    /// A reason for giving up where `what` was to be done and this came out of it.
    pub fn failure(&self, what: &str) -> Answer {
        let end = self.end();
        let words = self.last_words();
        let words = if words.is_empty() { "it says nothing".to_owned() } else { words };
        Answer::Unknown(Unknown::Failed(format!("{what}: {end}: {words}")))
    }
}

/// The lines that end as lines do, without the ends.
fn whole_lines(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')).map(str::trim_end)
}

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Run this and call again, with its output added.
    Run(Job),
    /// The dialogue is over.
    Answer(Answer),
}

/// What a back end answers to the question of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The back end reports that what is demanded holds.
    Proved,
    /// It does not, and perhaps this shows it; to be replayed. `None` from tools that give none.
    Violated(Option<Counterexample>),
    /// There is no answer.
    Unknown(Unknown),
}

/// Why a back end has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// It can't decide this program, such as that it knows no fairness. Nothing is run then.
    Refused(String),
    /// It gave up in an orderly way: a bound, or its own "unknown".
    Inconclusive(String),
    /// It failed, or its output is not understood.
    Failed(String),
    /// The budget ended.
    Stopped(Stop),
}

impl From<NotWritable> for Next {
    fn from(reason: NotWritable) -> Self {
        Next::Answer(Answer::Unknown(match reason {
            NotWritable::Stopped(stop) => Unknown::Stopped(stop),
            reason => Unknown::Refused(reason.to_string()),
        }))
    }
}

/// A run that a back end claims to be a violation: steps as triples. Start and join triples are no steps;
/// they are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counterexample {
    /// The steps.
    pub(crate) steps: Vec<TripleId>,
    /// For an infinite run, the number of steps before the loop (fewer than there are); all others repeat for
    /// ever.
    pub(crate) loop_start: Option<usize>,
}
