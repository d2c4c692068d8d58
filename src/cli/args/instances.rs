//! What the user may say to `instances`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::limits::LimitArguments;
use super::parse_count;
use super::selection::InstanceSelection;

const AFTER_HELP: &str = "\
Examples:
  paramcheck instances ring.rs --max-size 6                     how many there are, and which
  paramcheck instances ring.rs --size 20 --limit 0              only how many
  paramcheck instances ring.rs --tree 'Ring.1(Chain.2(Chain.1))'  one of them";

/// `instances`
#[derive(Debug, Args)]
#[command(
    after_help = AFTER_HELP,
    mut_arg("time_limit", |argument| argument.help("End after this many seconds, with what was counted until then")),
)]
pub(crate) struct InstancesArguments {
    /// The model; `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// Which instances
    #[command(flatten)]
    pub which: InstanceSelection,

    /// List at most this many instances, or of one instance this many components and transitions
    /// (default 50)
    #[arg(long, value_name = "K", default_value = "50", hide_default_value = true, value_parser = parse_count, allow_negative_numbers = true)]
    pub limit: usize,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,

    /// Time and memory.
    #[command(flatten)]
    pub limits: LimitArguments,
}
