//! What the user may say to `verify`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use paramcheck_emulation::backend::{self, Backend};
use paramcheck_process::Language;
use paramcheck_text::nearest::nearest;

use super::labs::{Parameter, RulesArguments, parse_parameter};
use super::limits::LimitArguments;
use super::parse_count;
use super::schedule::ScheduleArguments;
use super::selection::{parse_instance, parse_size};

const AFTER_HELP: &str = "\
Examples:
  paramcheck verify 2pc.ccs                        every check of the file
  paramcheck verify 2pc.ccs --check done --fair    one check; no agent is left out for ever
  paramcheck verify stock.chor --json | jq .results
  paramcheck verify leader.labs n=3                agents; the values of parameters follow the file
  paramcheck verify 2pc.ccs --backend all          this program and every other that is installed
  paramcheck verify ring.rs --size 5 --backend spin          the errors of one instance
  paramcheck verify ring.rs --size 5 --fair --ltl 'serves = G F Node#1.busy'";

/// `verify`
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct VerifyArguments {
    /// The process (.ccs), choreography (.chor) or system of agents (.labs, .rcp), or with --size or --tree
    /// a rewriting system; `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// Of agents (.labs): the values of parameters, as in n=3
    #[arg(value_name = "k=v", value_parser = parse_parameter)]
    pub parameters: Vec<Parameter>,

    /// The instance of a rewriting system with this many components; of several, the most even
    #[arg(long, value_name = "N", value_parser = parse_size, allow_negative_numbers = true, conflicts_with = "tree")]
    pub size: Option<usize>,

    /// Of the instances of this --size the K-th, as `instances` lists them
    #[arg(long, value_name = "K", value_parser = parse_instance, allow_negative_numbers = true, requires = "size", conflicts_with = "tree")]
    pub instance: Option<usize>,

    /// The instance of a rewriting system with this rewriting tree
    #[arg(long, value_name = "TERM")]
    pub tree: Option<String>,

    /// Of an instance, ask about this error only: NAME, or 'NAME = …' (repeatable); of R-CHECK (.rcp) also
    /// about `deadlock`
    #[arg(long = "error", value_name = "ERROR")]
    pub errors: Vec<String>,

    /// Of an instance, ask whether every run has this property: 'NAME = φ', φ in linear temporal logic (repeatable)
    #[arg(long = "ltl", value_name = "PROPERTY")]
    pub properties: Vec<String>,

    /// List the checks of the file, with what they demand, and answer none
    #[arg(long, conflicts_with_all = ["size", "tree"])]
    pub list: bool,

    /// Ask about this check only (repeatable); of agents also 'NAME = always …', which the file need not have
    #[arg(long = "check", alias = "property", value_name = "NAME")]
    pub checks: Vec<String>,

    /// Who is asked: native (exploration of all states; the default), another program by name (esbmc, nusmv,
    /// spin, z3; untested: cbmc, cpachecker, 2ls), or all that are installed
    #[arg(
        long,
        value_name = "BACKEND",
        default_value = NATIVE,
        value_parser = parse_backend,
        hide_default_value = true
    )]
    pub backend: Wanted,

    /// What is assumed of the order in which agents act
    #[command(flatten)]
    pub runs: ScheduleArguments,

    /// Of agents: the rules
    #[command(flatten)]
    pub rules: RulesArguments,

    /// Of agents: look at runs of at most this many steps, messages included
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub steps: Option<usize>,

    /// The language of the file, where its name does not tell: ccs or chor
    #[arg(long, value_name = "LANGUAGE", value_parser = parse_language)]
    pub language: Option<Language>,

    /// Of R-CHECK (.rcp): read operators and `rep` as the published tool does
    #[arg(long)]
    pub as_rcheck: bool,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,

    /// Print the verdict lines only
    #[arg(long, short)]
    pub quiet: bool,

    /// What it may use
    #[command(flatten)]
    pub limits: LimitArguments,

    /// Look at no more than this many states (default 1000000)
    #[arg(long, value_name = "N", default_value = "1000000", hide_default_value = true, value_parser = parse_count, allow_negative_numbers = true)]
    pub max_states: usize,
}

/// The word for this program itself.
pub(crate) const NATIVE: &str = "native";
/// The word for all back ends.
const EVERYBODY: &str = "all";

/// The selected back ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wanted {
    /// This program: exploration of all states.
    Native,
    /// Another one.
    One(&'static dyn Backend),
    /// This program and all that are there.
    All,
}

impl Wanted {
    /// Its word.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Wanted::Native => NATIVE,
            Wanted::One(backend) => backend.about().name,
            Wanted::All => EVERYBODY,
        }
    }
}

/// The back ends that a word selects.
pub(super) fn parse_backend(word: &str) -> Result<Wanted, String> {
    match word {
        NATIVE => Ok(Wanted::Native),
        EVERYBODY => Ok(Wanted::All),
        _ => backend::named(word).map(Wanted::One).ok_or_else(|| {
            let names = backend::ALL.iter().map(|backend| backend.about().name);
            let names: Vec<&str> = [NATIVE, EVERYBODY].into_iter().chain(names).collect();
            let near = nearest(word, names.iter().copied());
            let near = near.map_or(String::new(), |near| format!("did you mean {near}? "));
            format!("{near}there are {}", names.join(", "))
        }),
    }
}

/// The language of a name such as `ccs`.
pub(crate) fn parse_language(text: &str) -> Result<Language, String> {
    Language::of_extension(text).ok_or_else(|| "give ccs or chor".to_owned())
}
