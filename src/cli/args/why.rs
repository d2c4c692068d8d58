//! Arguments of `paramcheck why`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use paramcheck_verdict::InvariantChoice;

use super::selection::{parse_instance, parse_size};
use super::{CheckArguments, EngineArgument, LimitArguments, parse_count, parse_invariants};

const AFTER_HELP: &str = "\
Examples:
  paramcheck why ring.rs --error exclusion      the sets of places that exclude it
  paramcheck why ring.rs --size 5               spelled out in a ring of five
  paramcheck why ring.rs --json | jq '.results[].why'
  paramcheck explain mutex                      what a mutex is
Exit codes are those of checking.";

/// `why`
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct WhyArguments {
    /// The model; `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// Ask about this error only: a name, or a definition as in 'two = #busy >= 2' (repeatable)
    #[arg(long = "error", value_name = "ERROR")]
    pub errors: Vec<String>,

    /// Which instance the sets are spelled out in.
    #[command(flatten)]
    pub instance: ShownArguments,

    /// Use exactly these invariants, together: trap, mutex, exactly:2, … or all
    #[arg(long, value_name = "LIST", value_parser = parse_invariants)]
    pub invariants: Option<InvariantChoice>,

    /// Leave nothing out: every set, wherever it is needed, and every step
    #[arg(long)]
    pub verbose: bool,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,

    /// Time and memory.
    #[command(flatten)]
    pub limits: LimitArguments,

    /// Let the search for a violation visit at most this many states (default 1000000)
    #[arg(long, value_name = "N", default_value = "1000000", hide_default_value = true, value_parser = parse_count, allow_negative_numbers = true)]
    pub max_states: usize,
}

/// The instance that sets are spelled out in; without one, a small one that can be in the error.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ShownArguments {
    /// Spell the sets out in the instance with this many components; of several, the most even
    #[arg(long, value_name = "N", value_parser = parse_size, allow_negative_numbers = true)]
    pub size: Option<usize>,

    /// Of the instances of this --size the K-th, as `instances` lists them
    #[arg(long, value_name = "K", value_parser = parse_instance, allow_negative_numbers = true, requires = "size", conflicts_with = "tree")]
    pub instance: Option<usize>,

    /// Spell them out in the instance of this rewriting tree: 'Ring.1(Chain.2^3(Chain.1))'
    #[arg(long, value_name = "TERM", conflicts_with = "size")]
    pub tree: Option<String>,
}

impl WhyArguments {
    /// The call of checking that answers the same questions.
    pub(crate) fn check(&self) -> CheckArguments {
        CheckArguments {
            files: vec![self.file.clone()],
            errors: self.errors.clone(),
            invariants: self.invariants.clone(),
            engine: EngineArgument::Direct,
            json: self.json,
            certificate: None,
            trace: None,
            candidate: None,
            list: false,
            watch: false,
            limits: self.limits,
            max_states: self.max_states,
            max_size: None,
            budget: None,
            full: false,
            quiet: false,
            verbose: self.verbose,
            why: Some(self.instance.clone()),
        }
    }
}
