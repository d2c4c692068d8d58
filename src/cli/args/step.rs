//! Arguments of `paramcheck step`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::SelectedArguments;

const AFTER_HELP: &str = "\
Commands are read from standard input, one a line; `help` lists them.

Examples:
  paramcheck step ring.rs --size 4
  paramcheck step ring.rs --trace ring.json
  paramcheck step ring.rs --candidate candidate.json
  printf 'random 20\\nsave walk.json\\n' | paramcheck step ring.rs --size 4 --seed 7";

/// `step`
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct StepArguments {
    /// The model
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// Which instance.
    #[command(flatten)]
    pub instance: SelectedArguments,

    /// Begin in this marking, as in 'Phil#1=eat, Fork#2=busy'; others are where they start, or where the
    /// trace ends. It may not be reachable
    #[arg(long, value_name = "MARKING")]
    pub marking: Option<String>,

    /// Makes the random walk: the same number, the same walk
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Print one JSON document; the commands come from a pipe
    #[arg(long)]
    pub json: bool,
}
