//! What the user may say to `crosscheck`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use paramcheck_verdict::InvariantChoice;

use super::limits::LimitArguments;
use super::selection::parse_size;
use super::{EngineArgument, parse_count, parse_invariants};

const AFTER_HELP: &str = "\
Exit codes:
    0  nothing contradicts, up to the size asked for
    2  the call or an input file is wrong
    3  nothing contradicts, but a limit ended the comparison before
  101  a contradiction: a bug in paramcheck, written down in a file
  130  interrupted (Ctrl-C, SIGTERM, SIGHUP)

Examples:
  paramcheck crosscheck ring.rs --max-size 8
  paramcheck crosscheck *.rs --max-size 5 --engine both --time-limit 600";

/// `crosscheck`
#[derive(Debug, Args)]
#[command(
    after_help = AFTER_HELP,
    mut_arg("time_limit", |argument| argument.help("End after this many seconds; half of it is for the verdicts")),
    mut_arg("memory_limit", |argument| argument.help("End when the process (or that of MONA) uses this much memory, in MiB")),
)]
pub(crate) struct CrosscheckArguments {
    /// The models; `-` is standard input
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,

    /// Explore all instances with up to this many components
    #[arg(long, value_name = "N", value_parser = parse_size, allow_negative_numbers = true)]
    pub max_size: usize,

    /// Ask about this error only: a name, or a definition as in 'two = #busy >= 2' (repeatable)
    #[arg(long = "error", value_name = "ERROR")]
    pub errors: Vec<String>,

    /// Use exactly these invariants, as in checking
    #[arg(long, value_name = "LIST", value_parser = parse_invariants)]
    pub invariants: Option<InvariantChoice>,

    /// Whose verdicts are compared: direct (the default), mona or both
    #[arg(
        long,
        value_name = "ENGINE",
        value_enum,
        default_value_t,
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub engine: EngineArgument,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,

    /// Time and memory.
    #[command(flatten)]
    pub limits: LimitArguments,

    /// Visit at most this many states of a file's instances in all, and as many per question in
    /// search of a violation (default 1000000)
    #[arg(long, value_name = "N", default_value = "1000000", hide_default_value = true, value_parser = parse_count, allow_negative_numbers = true)]
    pub max_states: usize,

    /// Print what the comparison came to only: one line per question
    #[arg(long, short)]
    pub quiet: bool,
}
