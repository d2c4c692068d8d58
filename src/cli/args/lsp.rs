//! The arguments of `paramcheck lsp`.

use std::time::Duration;

use clap::Args;

use super::parse_seconds;

/// `lsp`
#[derive(Debug, Args)]
#[command(after_help = "\
An editor starts it, and says what it needs; see docs/editors.md. It ends with 0 after `shutdown` and
`exit`, else with 2.")]
pub(crate) struct LspArguments {
    /// Leave a question open after this many seconds (default 5)
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub time_limit: Option<Duration>,

    /// What is the case anyway; many editors say so
    #[arg(long, hide = true)]
    pub stdio: bool,
}
