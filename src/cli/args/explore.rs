//! What the user may say to `explore`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use paramcheck_nets::explore::search::Reduction;

use super::labs::{Parameter, RulesArguments, parse_parameter};
use super::limits::LimitArguments;
use super::parse_count;
use super::schedule::Order;
use super::selection::InstanceSelection;

const AFTER_HELP: &str = "\
Exit codes: 0 no error is reached, 1 some error is, 2 the call or the model is wrong, 3 a limit was
reached before all instances were explored, 130 interrupted.

Examples:
  paramcheck explore ring.rs --max-size 8                          all small instances
  paramcheck explore philo.rs --size 20 --error deadlock --reduction all
  paramcheck explore ring.rs --tree 'Ring.1(Chain.2^10(Chain.1))'  one of them
  paramcheck explore ring.rs --candidate candidate.json            is it reached?
  paramcheck explore leader.labs n=3                               agents: how many states there are";

/// `explore`
#[derive(Debug, Args)]
#[command(
    after_help = AFTER_HELP,
    mut_arg("time_limit", |argument| argument.help("End after this many seconds; what is still open is not decided")),
    mut_arg("memory_limit", |argument| argument.help("End before the process uses this much memory, in MiB")),
)]
pub(crate) struct ExploreArguments {
    /// The model, a rewriting system, agents (.labs) or a system in R-CHECK (.rcp); `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// Of agents (.labs): the values of parameters, as in n=3
    #[arg(value_name = "k=v", value_parser = parse_parameter)]
    pub parameters: Vec<Parameter>,

    /// Which instances
    #[command(flatten)]
    pub which: InstanceSelection,

    /// The instance of this candidate, as written by --candidate when checking: is its marking reached? Its
    /// error is asked about, unless --error says otherwise
    #[arg(
        long,
        value_name = "PATH",
        value_hint = ValueHint::FilePath,
        conflicts_with_all = ["size", "max_size", "instance", "tree", "marking"]
    )]
    pub candidate: Option<PathBuf>,

    /// Also look for this marking of the --tree, as in 'Phil#1=eat, Fork#2=busy'; others are where they start
    #[arg(long, value_name = "MARKING")]
    pub marking: Option<String>,

    /// Ask about this error only: a name, or a definition as in 'two = #busy >= 2' (repeatable)
    #[arg(long = "error", value_name = "ERROR")]
    pub errors: Vec<String>,

    /// Leave out states that don't matter: none (the default), stubborn, symmetry or all
    #[arg(
        long,
        value_name = "WHICH",
        value_enum,
        default_value_t,
        hide_possible_values = true,
        hide_default_value = true,
        long_help = "\
Leave out states that don't matter:
  none      no (the default)
  stubborn  by stubborn sets: all dead markings are kept, others are left out.
            Not used unless every error asked about implies `deadlock`; a
            trace is then not always a shortest one
  symmetry  of markings that differ in an exchange of interchangeable
            components, one is kept
  all       both"
    )]
    pub reduction: ReductionArgument,

    /// Use so many threads (default: one per processor); the output does not depend on it
    #[arg(long, value_name = "N", value_parser = parse_threads, allow_negative_numbers = true)]
    pub threads: Option<usize>,

    /// Of agents: the order in which they act, any (the default) or round-robin
    #[arg(long, value_name = "SCHEDULE", value_enum, hide_possible_values = true)]
    pub schedule: Option<Order>,

    /// Of agents: the rules
    #[command(flatten)]
    pub rules: RulesArguments,

    /// Of agents: look at runs of at most this many steps, messages included
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub steps: Option<usize>,

    /// List at most this many instances (default 50); all are explored
    #[arg(long, value_name = "K", default_value = "50", hide_default_value = true, value_parser = parse_count, allow_negative_numbers = true)]
    pub limit: usize,

    /// Run again whenever the file changes, until Ctrl-C
    #[arg(long)]
    pub watch: bool,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,

    /// Time and memory.
    #[command(flatten)]
    pub limits: LimitArguments,

    /// Visit at most this many states of an instance (default 100000000)
    #[arg(long, value_name = "N", default_value = "100000000", hide_default_value = true, value_parser = parse_count, allow_negative_numbers = true)]
    pub max_states: usize,

    /// Print what is found about the errors, but neither instances nor traces
    #[arg(long, short)]
    pub quiet: bool,

    /// Print the whole marking after each step of a trace
    #[arg(long, conflicts_with = "quiet")]
    pub full: bool,
}

/// Which states may be left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ReductionArgument {
    /// None
    #[default]
    None,
    /// By stubborn sets
    Stubborn,
    /// By symmetry
    Symmetry,
    /// By both
    All,
}

impl From<ReductionArgument> for Reduction {
    fn from(argument: ReductionArgument) -> Self {
        use ReductionArgument as Argument;
        Reduction {
            stubborn: matches!(argument, Argument::Stubborn | Argument::All),
            symmetry: matches!(argument, Argument::Symmetry | Argument::All),
        }
    }
}

/// More would only be in each other's way.
const MAX_THREADS: usize = 1024;

/// A number of threads.
pub(super) fn parse_threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=MAX_THREADS) => Ok(threads),
        _ => Err(format!("give a number of threads from 1 to {MAX_THREADS}")),
    }
}
