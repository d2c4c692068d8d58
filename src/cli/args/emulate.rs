//! What the user may say to `emulate`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum, ValueHint};

use paramcheck::process::Language;

use super::verify::parse_language;
use super::{parse_count, parse_mebibytes, parse_seconds};

const AFTER_HELP: &str = "\
Examples:
  paramcheck emulate 2pc.ccs --as lts --output 2pc.aut       states and transitions, for CADP or mCRL2
  paramcheck emulate 2pc.ccs --as lts-dot | dot -Tsvg        a drawing of them
  paramcheck emulate stock.chor --as peers                   the natural projections";

/// `emulate`
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct EmulateArguments {
    /// The process (.ccs) or choreography (.chor); `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// What to print: lts (labelled transition system, .aut), lts-dot (for Graphviz) or peers (of a
    /// choreography)
    #[arg(long = "as", value_name = "FORMAT", value_enum, hide_possible_values = true)]
    pub format: ProcessFormat,

    /// Merge states that are strongly bisimilar (lts, lts-dot)
    #[arg(long)]
    pub reduce: bool,

    /// The language of the file, where its name does not tell: ccs or chor
    #[arg(long, value_name = "LANGUAGE", value_parser = parse_language)]
    pub language: Option<Language>,

    /// Write to this file instead of standard output
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,

    /// End after this many seconds; nothing is printed then
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub time_limit: Option<Duration>,

    /// End when the process uses this much memory, in MiB
    #[arg(long, value_name = "MIB", value_parser = parse_mebibytes, allow_negative_numbers = true)]
    pub memory_limit: Option<u64>,

    /// Look at no more than this many states (default 1000000)
    #[arg(long, value_name = "N", default_value = "1000000", hide_default_value = true, value_parser = parse_count, allow_negative_numbers = true)]
    pub max_states: usize,
}

/// What a process is printed as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProcessFormat {
    /// Its labelled transition system in the format of Aldébaran
    Lts,
    /// Its labelled transition system for Graphviz
    LtsDot,
    /// The projections of a choreography
    Peers,
}
