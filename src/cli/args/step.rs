//! Arguments of `paramcheck step`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, ValueHint};

use super::labs::{Parameter, RulesArguments, parse_parameter};
use super::schedule::Order;
use super::{SelectedArguments, parse_seconds};

const AFTER_HELP: &str = "\
Commands are read from standard input, one a line; `help` lists them.

Examples:
  paramcheck step ring.rs --size 4
  paramcheck step ring.rs --trace ring.json
  paramcheck step ring.rs --candidate candidate.json
  paramcheck step leader.labs n=3                        agents of LAbS
  printf 'random 20\\nsave walk.json\\n' | paramcheck step ring.rs --size 4 --seed 7";

/// `step`
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct StepArguments {
    /// The model, a rewriting system or agents (.labs)
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// Of agents (.labs): the values of parameters, as in n=3
    #[arg(value_name = "k=v", value_parser = parse_parameter)]
    pub parameters: Vec<Parameter>,

    /// Which instance.
    #[command(flatten)]
    pub instance: SelectedArguments,

    /// Begin in this marking, as in 'Phil#1=eat, Fork#2=busy'; others are where they start, or where the
    /// trace ends. It may not be reachable
    #[arg(long, value_name = "MARKING")]
    pub marking: Option<String>,

    /// Of agents: who acts next, any (the default) or round-robin
    #[arg(long, value_name = "SCHEDULE", value_enum, hide_possible_values = true)]
    pub schedule: Option<Order>,

    /// Of agents: the rules
    #[command(flatten)]
    pub rules: RulesArguments,

    /// Makes the random walk: the same number, the same walk
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// End after this many seconds: a random walk stops, and no more commands are read
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub time_limit: Option<Duration>,

    /// Print one JSON document; the commands come from a pipe
    #[arg(long)]
    pub json: bool,
}

impl StepArguments {
    /// When a call that began at `begin` must end.
    pub(crate) fn deadline(&self, begin: Instant) -> Option<Instant> {
        self.time_limit.and_then(|limit| begin.checked_add(limit))
    }

    /// The option of the schedule, if it is given.
    pub(crate) fn turns(&self) -> Option<&'static str> {
        self.schedule.map(|_| "--schedule")
    }
}
