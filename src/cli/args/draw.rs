//! Arguments of `paramcheck draw`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::SelectedArguments;
use super::labs::{Parameter, parse_parameter};

const AFTER_HELP: &str = "\
Examples:
  paramcheck draw ring.rs --output node.svg                    the component types
  paramcheck draw ring.rs --size 6 --output ring.svg           the architecture of an instance
  paramcheck draw ring.rs --size 6 --marking 'Node#1=busy'     in this marking
  paramcheck draw ring.rs --trace trace.json                   a trace, step by step
  paramcheck draw ring.rs --trace trace.json --what architecture    where it ends
  paramcheck draw ring.rs --trace trace.json --step 2          after its second step
  paramcheck draw ring.rs --size 6 --marking 'Node#1=busy' --error twice    who makes the error true
  paramcheck draw 2pc.ccs                                      the agents of a process as automata
  paramcheck draw leader.labs n=3                              what agents do, kind by kind
  paramcheck draw leader.labs --trace run.json                 a run of agents, with its messages
  paramcheck draw ring.rs --candidate candidate.json           what no invariant excludes
  paramcheck draw ring.rs --what proof --error exclusion       a set that its proof rests on
  paramcheck draw ring.rs --size 6 --what tree --as dot | dot -Tpdf >tree.pdf";

/// `draw`
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct DrawArguments {
    /// The model; `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// Of agents (.labs): the values of parameters, as in n=3
    #[arg(value_name = "k=v", value_parser = parse_parameter)]
    pub parameters: Vec<Parameter>,

    /// Which instance.
    #[command(flatten)]
    pub instance: SelectedArguments,

    /// What to draw: components, architecture, trace, tree or proof
    #[arg(
        long,
        value_name = "WHAT",
        value_enum,
        hide_possible_values = true,
        long_help = "\
What to draw:
  components    the component types as automata (without an instance the default)
  architecture  an instance: components, and interactions as hyperedges (the default with one)
  trace         the steps of a trace as a chart (the default with --trace)
  tree          the rewriting tree of an instance
  proof         an instance, with a set of places coloured that the proof of --error rests on"
    )]
    pub what: Option<DrawSubject>,

    /// The marking of the architecture, as in 'Phil#1=eat, Fork#2=busy'; others are where they start,
    /// or where the trace ends, or as the candidate is
    #[arg(long, value_name = "MARKING")]
    pub marking: Option<String>,

    /// The architecture after the first K steps of the trace
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    pub step: Option<usize>,

    /// Point out the components that make this error true: a name, or 'NAME = FORMULA'; without it those of
    /// the error that the trace names. Of a proof: the error that is proved. Of a process or
    /// agents: the check whose run is drawn
    #[arg(long, value_name = "ERROR", visible_alias = "check")]
    pub error: Option<String>,

    /// Which set of the proof, as numbered by `why` (the default is 1); 2.3 is the third of those that are
    /// spelled out for set 2; `all` the first of each, in colours
    #[arg(long, value_name = "K", value_parser = parse_set)]
    pub set: Option<WantedSet>,

    /// Draw everything: also the middle of long runs of components that are alike, and of long traces
    #[arg(long)]
    pub all: bool,

    /// What to write: svg (the default) or dot (for Graphviz)
    #[arg(
        long = "as",
        value_name = "FORMAT",
        value_enum,
        default_value_t,
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub format: DrawFormat,

    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DrawSubject {
    /// The component types
    Components,
    /// An instance
    Architecture,
    /// A trace
    Trace,
    /// A rewriting tree
    Tree,
    /// A set of a proof
    Proof,
}

/// What a picture is written as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DrawFormat {
    /// Scalable vector graphics
    #[default]
    Svg,
    /// Graphviz
    Dot,
}

impl DrawSubject {
    /// What `--what` calls it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            DrawSubject::Components => "components",
            DrawSubject::Architecture => "architecture",
            DrawSubject::Proof => "proof",
            DrawSubject::Trace => "trace",
            DrawSubject::Tree => "tree",
        }
    }
}

impl DrawFormat {
    /// What `--as` calls it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            DrawFormat::Svg => "svg",
            DrawFormat::Dot => "dot",
        }
    }
}

/// Which sets of a proof are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WantedSet {
    /// One by its number, and by that of the one that is spelled out, from 1.
    One(usize, usize),
    /// The first that is spelled out of each.
    All,
}

/// `2`, or `2.3`: the numbers of a set and of one that is spelled out for it, from 1; or `all`.
fn parse_set(text: &str) -> Result<WantedSet, String> {
    if text == "all" {
        return Ok(WantedSet::All);
    }
    let (set, one) = text.split_once('.').unwrap_or((text, "1"));
    match (set.parse(), one.parse()) {
        (Ok(set @ 1..), Ok(one @ 1..)) => Ok(WantedSet::One(set, one)),
        _ => {
            Err("give the number of a set, as in 2, or of one that is spelled out for it, as in 2.3, or all"
                .to_owned())
        }
    }
}
