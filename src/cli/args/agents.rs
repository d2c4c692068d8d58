//! What the user may say to `labs`: the options of SLiVER, as far as they can be had.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args, ValueEnum, ValueHint};
use paramcheck_labs::semantics::step::Rules;
use paramcheck_verdict::labs::Reductions;

use super::explore::parse_threads;
use super::labs::{Parameter, RulesArguments, parse_parameter};
use super::limits::LimitArguments;
use super::schedule::Fairness;
use super::verify::{NATIVE, Wanted, parse_backend};
use super::{parse_count, parse_seconds};

const AFTER_HELP: &str = "\
The options are those of SLiVER. `verify` answers the same questions with the options that it
has for other models; there `--fair` has another meaning.

Exit codes are those of `verify`: 0 proved, 1 violated, 2 the call or the file is wrong, 3 unknown.
With --sliver-exit they are SLiVER's: 0 no violation, 10 violated, 5 inconclusive, 6 the file is
wrong, 2 the call is wrong, 124 the time limit was reached.

Examples:
  paramcheck labs leader.labs n=3                               every property of the file, all runs
  paramcheck labs flock.labs birds=3 grid=5 delta=5 --fair      agents take turns
  paramcheck labs boids.labs n=3 --steps 12 --trace=sliver      runs of at most 12 steps
  paramcheck labs boids.labs n=9 --simulate 100 --steps 200 --rnd-seed 1";

/// `labs`
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct LabsArguments {
    /// The system of agents (.labs); `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// The values of parameters, as in n=3
    #[arg(value_name = "k=v", value_parser = parse_parameter)]
    pub parameters: Vec<Parameter>,

    /// Agents take turns: round-robin. With =weak or =strong, any agent acts next, but only such fair runs count
    #[arg(
        long,
        value_name = "KIND",
        value_enum,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "round-robin",
        hide_possible_values = true,
        overrides_with = "no_fair",
        conflicts_with = "strict_turns"
    )]
    pub fair: Option<FairArgument>,

    /// Any agent acts next (the default)
    #[arg(long, overrides_with = "fair")]
    pub no_fair: bool,

    /// The rules
    #[command(flatten)]
    pub rules: RulesArguments,

    /// Look at runs of at most this many steps, messages included; 0 is no bound
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub steps: Option<usize>,

    /// Ask about this property only: a name, or 'NAME = always …', which the file need not have (repeatable)
    #[arg(long = "property", alias = "check", value_name = "PROPERTY", conflicts_with = "no_properties")]
    pub properties: Vec<String>,

    /// Ask about no property, but whether a run leaves the language (faults)
    #[arg(long)]
    pub no_properties: bool,

    /// Make this many runs at random, of at most --steps steps each
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true, requires = "steps")]
    pub simulate: Option<usize>,

    /// Where the choices of --simulate come from (default 0): the same number gives the same runs
    #[arg(long, value_name = "S", requires = "simulate")]
    pub rnd_seed: Option<u64>,

    /// End after this many seconds; 0 is no limit
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true, conflicts_with = "time_limit")]
    pub timeout: Option<Duration>,

    /// Who is asked: native (exploration of all states; the default), another program by name (esbmc, nusmv,
    /// spin, z3; untested: cbmc, cpachecker, 2ls), or all that are installed
    #[arg(long, value_name = "BACKEND", default_value = NATIVE, value_parser = parse_backend, hide_default_value = true)]
    pub backend: Wanted,

    /// Print the model as it was read, with the values of its parameters, and answer nothing
    #[arg(long)]
    pub show: bool,

    /// How runs are printed: ours (the default) or sliver
    #[arg(
        long,
        value_name = "FORM",
        value_enum,
        default_value_t,
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub trace: TraceForm,

    /// End with the exit codes of SLiVER
    #[arg(long)]
    pub sliver_exit: bool,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,

    /// Print the verdict lines only
    #[arg(long, short)]
    pub quiet: bool,

    /// Time and memory.
    #[command(flatten)]
    pub limits: LimitArguments,

    /// Look at no more than this many states (default: as many as time and memory allow)
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub max_states: Option<usize>,

    /// Use at most so many threads (default: one per processor); the answers do not depend on it
    #[arg(long, alias = "cores", value_name = "N", value_parser = parse_threads, allow_negative_numbers = true)]
    pub threads: Option<usize>,

    /// Leave out states where others say the same: messages (the default), symmetry, all or none
    #[arg(
        long,
        value_name = "WHICH",
        value_enum,
        default_value_t,
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub reduction: AgentReduction,

    /// Options of SLiVER that can't be had.
    #[command(flatten)]
    pub refused: RefusedArguments,
}

/// Which states may be left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum AgentReduction {
    /// None
    None,
    /// By idle messages
    #[default]
    Messages,
    /// By symmetry
    Symmetry,
    /// By both
    All,
}

impl From<AgentReduction> for Reductions {
    fn from(argument: AgentReduction) -> Self {
        use AgentReduction as Argument;
        Reductions {
            messages: matches!(argument, Argument::Messages | Argument::All),
            symmetry: matches!(argument, Argument::Symmetry | Argument::All),
        }
    }
}

/// What is fair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FairArgument {
    /// Agents take turns
    RoundRobin,
    /// No agent stops for ever while it can act in every state
    Weak,
    /// No agent stops for ever while it can act infinitely often
    Strong,
}

impl LabsArguments {
    /// The rules of runs.
    pub(crate) fn rules(&self) -> Rules {
        let fair = match self.fair {
            None | Some(FairArgument::RoundRobin) => None,
            Some(FairArgument::Weak) => Some(Fairness::Weak),
            Some(FairArgument::Strong) => Some(Fairness::Strong),
        };
        self.rules.rules(self.fair == Some(FairArgument::RoundRobin), fair)
    }
}

/// How runs are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TraceForm {
    /// In our form
    #[default]
    Ours,
    /// As SLiVER prints them
    Sliver,
}

/// Options of SLiVER that can't be had here: known, so that the reason can be given.
#[derive(Debug, Args)]
pub(crate) struct RefusedArguments {
    #[arg(long, hide = true, action = ArgAction::Count)]
    bv: u8,
    #[arg(long, hide = true, action = ArgAction::Count)]
    no_bv: u8,
    #[arg(long, hide = true)]
    include: Vec<String>,
    #[arg(long, hide = true, action = ArgAction::Count)]
    keep_files: u8,
    #[arg(long, hide = true, action = ArgAction::Count)]
    verbose: u8,
    #[arg(long, hide = true, action = ArgAction::Count)]
    debug: u8,
    #[arg(long, hide = true, num_args = 0..=1)]
    concretization: Option<Option<String>>,
    #[arg(long, hide = true)]
    translate_cex: Option<String>,
}

impl RefusedArguments {
    /// Why the call can't be carried out, if it has one of these.
    pub(crate) fn reason(&self) -> Option<&'static str> {
        let all = [
            (
                self.bv + self.no_bv > 0,
                "--bv, --no-bv: this program chooses the types of programs in C; --int-bits says how wide numbers are",
            ),
            (
                !self.include.is_empty(),
                "--include: functions of C are not called; write what they compute as expressions of LAbS",
            ),
            (self.keep_files > 0, "--keep-files: no files are kept; `emulate --as c` prints a program"),
            (
                self.verbose + self.debug > 0,
                "--verbose, --debug: there is nothing more to print; --json has all",
            ),
            (
                self.concretization.is_some(),
                "--concretization: all runs are looked at, none is made concrete first",
            ),
            (self.translate_cex.is_some(), "--translate-cex: what other programs find is read by --backend"),
        ];
        all.into_iter().find(|(is_given, _)| *is_given).map(|(_, reason)| reason)
    }
}
