//! What the user may say to `emulate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use paramcheck_process::Language;

use super::labs::{Parameter, RulesArguments, parse_parameter};
use super::limits::LimitArguments;
use super::parse_count;
use super::program::ProgramArguments;
use super::selection::InstanceSelection;
use super::verify::parse_language;

const AFTER_HELP: &str = "\
Formats:
  triples  transition triples: entry condition, action, exit condition
  dot      the same for Graphviz
  lts      the labelled transition system (.aut), for CADP or mCRL2
  lts-dot  the same for Graphviz
  peers    the natural projections of a choreography
  c        an emulation program in C: for a verifier (--for), or to run (--standalone)
  chc      constrained Horn clauses (SMT-LIB), for Z3
  promela  an emulation program for Spin
  smv      an emulation program for NuSMV
  lnt      of agents: a module in LNT, for CADP (not tested with it)
  mcl      of agents: a property in MCL, for CADP (not tested with it)

Examples:
  paramcheck emulate 2pc.ccs --as triples
  paramcheck emulate 2pc.ccs --as dot | dot -Tsvg -o 2pc.svg
  paramcheck emulate 2pc.ccs --as lts --output 2pc.aut
  paramcheck emulate stock.chor --as peers
  paramcheck emulate ring.rs --size 4 --as triples           an instance of a rewriting system
  paramcheck emulate leader.labs n=3 --as triples            agents, with the functions of messages
  paramcheck emulate 2pc.ccs --as c --check no_rollback --for esbmc
  paramcheck emulate 2pc.ccs --as c --standalone --output 2pc.c
  paramcheck emulate leader.labs n=3 --as smv --check consensus0            agents";

/// `emulate`
#[derive(Debug, Args)]
#[command(
    after_help = AFTER_HELP,
    mut_arg("size", |argument| argument.help("Of a rewriting system: the instance with this many components; the most even, if there are several")),
    mut_arg("tree", |argument| argument.help("Of a rewriting system: the instance of this rewriting tree")),
    mut_arg("max_size", |argument| argument.hide(true)),
    mut_arg("time_limit", |argument| argument.help("End after this many seconds; nothing is printed then")),
)]
pub(crate) struct EmulateArguments {
    /// The process (.ccs), choreography (.chor), rewriting system (.rs) or system of agents (.labs); `-` is
    /// standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// Of agents (.labs): the values of parameters, as in n=3
    #[arg(value_name = "k=v", value_parser = parse_parameter)]
    pub parameters: Vec<Parameter>,

    /// What to print; see below
    #[arg(long = "as", value_name = "FORMAT", value_enum, hide_possible_values = true)]
    pub format: ProcessFormat,

    /// Which instance
    #[command(flatten)]
    pub which: InstanceSelection,

    /// Print triples as the paper's tables make them, with what is wrong beside them
    #[arg(long)]
    pub paper: bool,

    /// What is asked of a program, and how it is written
    #[command(flatten)]
    pub program: ProgramArguments,

    /// Of agents: the rules
    #[command(flatten)]
    pub rules: RulesArguments,

    /// Of agents: ask about runs of at most this many steps, messages included
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub steps: Option<usize>,

    /// Merge states that are strongly bisimilar (lts, lts-dot)
    #[arg(long)]
    pub reduce: bool,

    /// The language of the file, where its name does not tell: ccs or chor
    #[arg(long, value_name = "LANGUAGE", value_parser = parse_language)]
    pub language: Option<Language>,

    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,

    /// What it may use
    #[command(flatten)]
    pub limits: LimitArguments,

    /// Look at no more than this many states (default 1000000)
    #[arg(long, value_name = "N", default_value = "1000000", hide_default_value = true, value_parser = parse_count, allow_negative_numbers = true)]
    pub max_states: usize,
}

/// What a process or an instance is printed as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProcessFormat {
    /// Its transition triples
    Triples,
    /// Its transition triples for Graphviz
    Dot,
    /// Its labelled transition system in the format of Aldébaran
    Lts,
    /// Its labelled transition system for Graphviz
    LtsDot,
    /// The projections of a choreography
    Peers,
    /// An emulation program in C
    C,
    /// Constrained Horn clauses
    Chc,
    /// An emulation program for Spin
    Promela,
    /// An emulation program for NuSMV
    Smv,
    /// A module in LNT, for CADP
    Lnt,
    /// A property in MCL, for CADP
    Mcl,
}

impl ProcessFormat {
    /// What `--as` calls it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            ProcessFormat::Triples => "triples",
            ProcessFormat::Dot => "dot",
            ProcessFormat::Lts => "lts",
            ProcessFormat::LtsDot => "lts-dot",
            ProcessFormat::Peers => "peers",
            ProcessFormat::C => "c",
            ProcessFormat::Chc => "chc",
            ProcessFormat::Promela => "promela",
            ProcessFormat::Smv => "smv",
            ProcessFormat::Lnt => "lnt",
            ProcessFormat::Mcl => "mcl",
        }
    }

    /// Whether it is a program, which answers one question.
    pub(crate) fn is_program(self) -> bool {
        matches!(self, ProcessFormat::C | ProcessFormat::Chc | ProcessFormat::Promela | ProcessFormat::Smv)
    }

    /// Whether only systems of agents are written so.
    pub(crate) fn is_of_agents(self) -> bool {
        matches!(self, ProcessFormat::Lnt | ProcessFormat::Mcl)
    }

    /// Whether it has states, which can be merged.
    pub(crate) fn has_states(self) -> bool {
        matches!(self, ProcessFormat::Lts | ProcessFormat::LtsDot)
    }
}
