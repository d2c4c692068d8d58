//! What the user may say to `verify`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum, ValueHint};

use paramcheck::process::Language;
use paramcheck::semantics::check::Schedule;

use super::{parse_count, parse_mebibytes, parse_seconds};

const AFTER_HELP: &str = "\
Examples:
  paramcheck verify 2pc.ccs                        every check of the file
  paramcheck verify 2pc.ccs --check done --fair    one check; no agent is left out for ever
  paramcheck verify stock.chor --json | jq .results";

/// `verify`
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct VerifyArguments {
    /// The process (.ccs) or choreography (.chor); `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// Ask about this check only (repeatable)
    #[arg(long = "check", value_name = "NAME")]
    pub checks: Vec<String>,

    /// Who is asked: native (exploration of all states; the default)
    #[arg(
        long,
        value_name = "BACKEND",
        value_enum,
        default_value_t,
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub backend: Backend,

    /// Only fair runs count: no agent stops for ever while it can act in every state (weak; the default),
    /// or while it can act infinitely often (strong)
    #[arg(
        long,
        value_name = "FAIRNESS",
        value_enum,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "weak",
        hide_possible_values = true
    )]
    pub fair: Option<Fairness>,

    /// The order in which agents act: any (the default) or round-robin
    #[arg(
        long,
        value_name = "SCHEDULE",
        value_enum,
        default_value_t,
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub schedule: Order,

    /// The language of the file, where its name does not tell: ccs or chor
    #[arg(long, value_name = "LANGUAGE", value_parser = parse_language)]
    pub language: Option<Language>,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,

    /// Print the verdict lines only
    #[arg(long, short)]
    pub quiet: bool,

    /// End after this many seconds; what is still open is unknown
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub time_limit: Option<Duration>,

    /// End when the process uses this much memory, in MiB
    #[arg(long, value_name = "MIB", value_parser = parse_mebibytes, allow_negative_numbers = true)]
    pub memory_limit: Option<u64>,

    /// Look at no more than this many states (default 1000000)
    #[arg(long, value_name = "N", default_value = "1000000", hide_default_value = true, value_parser = parse_count, allow_negative_numbers = true)]
    pub max_states: usize,
}

/// Who is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Backend {
    /// Exploration of all states
    #[default]
    Native,
}

/// What is fair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Fairness {
    /// No agent stops for ever while it can act in every state
    Weak,
    /// No agent stops for ever while it can act infinitely often
    Strong,
}

/// The order in which agents act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Order {
    /// Any
    #[default]
    Any,
    /// In turns
    RoundRobin,
}

impl VerifyArguments {
    /// The runs that count; `None` where both fairness and turns are wanted.
    pub fn schedule(&self) -> Option<Schedule> {
        match (self.fair, self.schedule) {
            (None, Order::Any) => Some(Schedule::Any),
            (Some(Fairness::Weak), Order::Any) => Some(Schedule::WeaklyFair),
            (Some(Fairness::Strong), Order::Any) => Some(Schedule::StronglyFair),
            (None, Order::RoundRobin) => Some(Schedule::RoundRobin),
            (Some(_), Order::RoundRobin) => None,
        }
    }
}

/// The language of a name such as `ccs`.
pub fn parse_language(text: &str) -> Result<Language, String> {
    Language::of_extension(text).ok_or_else(|| "give ccs or chor".to_owned())
}
