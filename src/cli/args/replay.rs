//! Arguments of `paramcheck replay`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

const AFTER_HELP: &str = "\
Exit codes: 0 it replays (and ends in its error), 1 it does not, 2 the call or an input is wrong,
3 whether its end is in the error is too much work to decide.

Examples:
  paramcheck ring.rs --error deadlock --trace ring.json; paramcheck replay ring.rs ring.json
  paramcheck ring.rs --json | paramcheck replay ring.rs - --error deadlock
  paramcheck replay ring.rs --candidate candidate.json";

/// `replay`
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ReplayArguments {
    /// The model that the trace is of
    #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
    pub model: PathBuf,

    /// The trace, as written by --trace, or a document of --json (of checking, explore or verify); `-` is
    /// standard input
    #[arg(value_name = "TRACE", value_hint = ValueHint::FilePath, required_unless_present = "candidate")]
    pub trace: Option<PathBuf>,

    /// Instead of a trace: a candidate, as written by --candidate when checking. Does it fit the model?
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath, conflicts_with = "trace")]
    pub candidate: Option<PathBuf>,

    /// The error it reaches: chooses one of several traces, or defines what the model does not have
    #[arg(long = "error", value_name = "ERROR")]
    pub error: Option<String>,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,

    /// Print the whole marking after each step
    #[arg(long, conflicts_with = "quiet")]
    pub full: bool,

    /// Print the answer only, not the steps
    #[arg(long, short)]
    pub quiet: bool,
}
