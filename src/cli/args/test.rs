//! What the user may say to `test`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::limits::LimitArguments;

const AFTER_HELP: &str = "\
Exit codes: 0 every answer is as expected, 1 some is not, 2 the call or a file is wrong, 101 a bug
in paramcheck, 130 interrupted. docs/testing.md describes the files.

Examples:
  paramcheck test models                  every expected.toml in the folder and below
  paramcheck test models --update         write the answers of now into them";

/// `test`
#[derive(Debug, Args)]
#[command(
    after_help = AFTER_HELP,
    mut_arg("time_limit", |argument| argument.help("End the whole call, with all its models, after this many seconds; answers still open are unknown")),
)]
pub(crate) struct TestArguments {
    /// The folder; its `expected.toml` and those in folders below say which answers are right
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub folder: PathBuf,

    /// Write the answers into the files instead of comparing; begins one where there is none
    #[arg(long)]
    pub update: bool,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,

    /// Print differences only, without the summary
    #[arg(long, short)]
    pub quiet: bool,

    /// Time and memory.
    #[command(flatten)]
    pub limits: LimitArguments,
}
