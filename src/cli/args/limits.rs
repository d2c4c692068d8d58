//! `--time-limit` and `--memory-limit`, shared by all commands that may take long.

use std::time::{Duration, Instant};

use clap::Args;

use super::{parse_mebibytes, parse_seconds};

/// What a call may use. A command whose limits have an effect of their own says so by `mut_arg`.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct LimitArguments {
    /// End after this many seconds; what is still open is unknown
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub time_limit: Option<Duration>,

    /// End when the process uses this much memory, in MiB
    #[arg(long, value_name = "MIB", value_parser = parse_mebibytes, allow_negative_numbers = true)]
    pub memory_limit: Option<u64>,
}

impl LimitArguments {
    /// When a call that began at `begin` must end.
    pub(crate) fn deadline(&self, begin: Instant) -> Option<Instant> {
        self.time_limit.and_then(|limit| begin.checked_add(limit))
    }

    /// How much memory may be used, in bytes.
    pub(crate) fn memory_bytes(&self) -> Option<u64> {
        self.memory_limit.map(|mib| mib.saturating_mul(1 << 20))
    }
}
