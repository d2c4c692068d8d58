//! What the user may say to `emit`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use paramcheck_invariants::kind::InvariantKind;

use super::parse_invariants;
use super::selection::InstanceSelection;

const AFTER_HELP: &str = "\
Formats:
  mona     one question about all instances, for MONA
  formula  the same in mathematical notation
  pnml     one instance as a Petri net, for tools of the Model Checking Contest
  promela  one instance with its errors, for Spin
  smv      one instance with its errors, for NuSMV; also a system in R-CHECK (.rcp) with its properties
  dot      one instance as a Petri net, for Graphviz

Examples:
  paramcheck emit ring.rs --as mona --error exclusion --output ring.mona && mona -q ring.mona
  paramcheck emit ring.rs --as formula --invariants trap | less
  paramcheck emit ring.rs --as smv --size 5 --output ring.smv && NuSMV ring.smv
  paramcheck emit ring.rs --as dot --tree 'Ring.1(Chain.2^3(Chain.1))' | fdp -Tsvg -o ring.svg";

/// `emit`
#[derive(Debug, Args)]
#[command(
    after_help = AFTER_HELP,
    mut_arg("size", |argument| argument.help("The instance with this many components; the most even, if there are several")),
    mut_arg("max_size", |argument| argument.hide(true)),
)]
pub(crate) struct EmitArguments {
    /// The model; `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// What to write; see below
    #[arg(long = "as", value_name = "FORMAT", value_enum, hide_possible_values = true)]
    pub format: Format,

    /// Which instance
    #[command(flatten)]
    pub which: InstanceSelection,

    /// The error: a name, or a definition as in 'two = #busy >= 2'; repeatable for promela and smv
    /// (default: deadlock; for promela and smv all)
    #[arg(long = "error", value_name = "ERROR")]
    pub errors: Vec<String>,

    /// The invariants of a question, as in checking, without `dead` and `exclusive` (default: trap,mutex)
    #[arg(long, value_name = "LIST", value_parser = parse_kinds)]
    pub invariants: Option<Kinds>,

    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// What a question or an instance is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A program for MONA that decides one question
    Mona,
    /// One question in mathematical notation
    Formula,
    /// An instance as a Petri net in XML
    Pnml,
    /// An instance for Spin
    Promela,
    /// An instance for NuSMV
    Smv,
    /// An instance as a Petri net for Graphviz
    Dot,
}

impl Format {
    /// What `--as` calls it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Format::Mona => "mona",
            Format::Formula => "formula",
            Format::Pnml => "pnml",
            Format::Promela => "promela",
            Format::Smv => "smv",
            Format::Dot => "dot",
        }
    }

    /// Whether it is about one instance, not about all at once.
    pub(crate) fn is_of_instance(self) -> bool {
        !matches!(self, Format::Mona | Format::Formula)
    }

    /// Whether it can tell of errors.
    pub(crate) fn has_errors(self) -> bool {
        !matches!(self, Format::Pnml | Format::Dot)
    }
}

/// Kinds of invariants, all together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kinds(pub Vec<InvariantKind>);

fn parse_kinds(text: &str) -> Result<Kinds, String> {
    let choice = parse_invariants(text)?;
    if choice.dead_interactions {
        // Which interactions are dead is found by asking one question after the other.
        return Err("`dead` is a search of many questions, and one is written".to_owned());
    }
    if choice.exclusive {
        return Err("`exclusive` has no formula; only the direct engine knows it".to_owned());
    }
    Ok(Kinds(choice.kinds()))
}
