//! The arguments of the command line; every flag is one documented field.
//!
//! The parsed structures already hold typed options (durations, invariant choices), so no command
//! reads the spelling of a flag again.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use anstream::ColorChoice;
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum, ValueHint};

use paramcheck::report::text::Detail;
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_process::Language;
use paramcheck_text::nearest::nearest;
use paramcheck_verdict::InvariantChoice;

pub(super) mod agents;
pub(super) mod crosscheck;
mod deny;
mod draw;
mod emit;
pub(super) mod emulate;
pub(super) mod explore;
pub(super) mod instances;
pub(super) mod labs;
pub(super) mod limits;
#[cfg(feature = "lsp")]
mod lsp;
mod new;
pub(super) mod program;
mod replay;
pub(super) mod schedule;
mod selected;
pub(super) mod selection;
mod step;
mod test;
pub(super) mod verify;
mod why;

pub(super) use deny::Denied;
pub(super) use draw::{DrawArguments, DrawFormat, DrawSubject, WantedSet};
pub(super) use emit::{EmitArguments, Format};
pub(super) use limits::LimitArguments;
#[cfg(feature = "lsp")]
pub(super) use lsp::LspArguments;
pub(super) use new::{NewArguments, Shape};
pub(super) use replay::ReplayArguments;
pub(super) use selected::SelectedArguments;
pub(super) use step::StepArguments;
pub(super) use test::TestArguments;
pub(super) use why::{ShownArguments, WhyArguments};

#[cfg(test)]
mod tests;

const AFTER_HELP: &str = "\
Exit codes:
    0  every question is proved
    1  some error is reached by some instance
    2  the call or an input file is wrong
    3  nothing is violated, but some question is unknown
  101  a bug in paramcheck: it refuted its own evidence
  130  interrupted (Ctrl-C, SIGTERM, SIGHUP)
Of several that apply, the first of 101, 130, 2, 1, 3 is returned.

Examples:
  paramcheck ring.rs                            deadlock and every error of the file
  paramcheck ring.rs --error exclusion          one question
  paramcheck ring.rs --error 'two = #busy >= 2' an error defined on the spot
  paramcheck *.rs --quiet                       one line per question
  paramcheck *.rs --json | jq .results          for programs
  paramcheck new my --shape star                writes a model to begin with
  paramcheck ./fmt                              a file that is called like a command

Documents, in the folder of the source: README.md, docs/language.md, docs/cli.md and others.
`paramcheck man` prints the manual page, `paramcheck explain CODE` explains an error.";

/// The version and commit, what is in the program, and under which licence it is.
#[cfg(feature = "mona")]
const LONG_VERSION: &str = concat!(
    env!("PARAMCHECK_BUILD"),
    "
with MONA 1.4-18, which is under the GNU General Public License, version 2 or later:
so is this program as a whole. Without MONA it is under MIT or Apache-2.0."
);
#[cfg(not(feature = "mona"))]
const LONG_VERSION: &str = concat!(
    env!("PARAMCHECK_BUILD"),
    "
without MONA (see mona/README.md)
Licence: MIT or Apache-2.0"
);

/// Proves safety of distributed systems of every size at once.
///
/// Reads rewriting systems and answers, for each error asked for, whether some instance of the system
/// reaches it: `proved` (none does, whatever its size), `violated` (with an instance and the steps that
/// lead there) or `unknown`.
#[derive(Debug, Parser)]
#[command(
    name = "paramcheck",
    version,
    long_version = LONG_VERSION,
    max_term_width = 100,
    after_help = AFTER_HELP,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    override_usage = "paramcheck [OPTIONS] FILE...\n       paramcheck COMMAND ..."
)]
pub(super) struct Arguments {
    /// Another command than checking.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// What to check.
    #[command(flatten)]
    pub check: CheckArguments,
    /// Colours: auto (on terminals; the default), always or never
    #[arg(
        long,
        value_name = "WHEN",
        value_enum,
        default_value_t,
        global = true,
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub color: Color,
    /// Treat these warnings as errors, with exit code 2: `warnings` for all, or codes with commas between
    /// (repeatable)
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        value_parser = deny::parse_denied,
        global = true
    )]
    pub deny: Vec<Denied>,
}

/// The commands beside checking.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Print models in canonical form
    Fmt(FmtArguments),
    /// Explain the code of an error or warning, or a word of the answers; or list them
    Explain(ExplainArguments),
    /// Say why an answer is right: the sets of places that a proof rests on
    Why(WhyArguments),
    /// Check a certificate against a model
    Certify(CertifyArguments),
    /// Replay a trace on its model
    Replay(ReplayArguments),
    /// Go through an instance step by step: a simulator for the terminal
    Step(StepArguments),
    /// Draw component types, an instance, a trace or a rewriting tree
    Draw(DrawArguments),
    /// Write a question or an instance in the language of another program, or for people
    Emit(EmitArguments),
    /// Explore all reachable states of instances of given sizes
    Explore(Box<explore::ExploreArguments>),
    /// Count and list the instances of a system
    Instances(instances::InstancesArguments),
    /// Answer the checks of a process or choreography, or the errors of one instance
    Verify(verify::VerifyArguments),
    /// Answer the properties of agents, with the options of SLiVER
    Labs(Box<agents::LabsArguments>),
    /// Print what a process, choreography or instance does: its triples, states, peers
    Emulate(emulate::EmulateArguments),
    /// Hold verdicts against exhaustive exploration of all instances up to a size
    Crosscheck(crosscheck::CrosscheckArguments),
    /// Hold the answers about the models of a folder against its expected.toml
    Test(TestArguments),
    /// Write a model to begin with
    New(NewArguments),
    /// Serve an editor: the language server protocol on standard input and output
    #[cfg(feature = "lsp")]
    Lsp(LspArguments),
    /// Print a completion script for a shell
    Completions(CompletionsArguments),
    /// Print the manual page, as in `paramcheck man | man -l -`
    Man,
}

/// What to check and how.
#[derive(Debug, Args)]
#[command(mut_arg("memory_limit", |argument| argument.help("End when the process (or that of MONA) uses this much memory, in MiB")))]
pub(super) struct CheckArguments {
    /// Models to check; `-` is standard input
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,

    /// Ask about this error only: a name, or a definition as in 'two = #busy >= 2' (repeatable)
    #[arg(
        long = "error",
        value_name = "ERROR",
        long_help = "\
Ask about this error only: `deadlock`, an error of the file, or a definition as in \
'two = #busy >= 2'. Can be given several times. Without it, `deadlock` and every error of the file \
are asked about."
    )]
    pub errors: Vec<String>,

    /// Use exactly these invariants, together: trap, mutex, exactly:2, … or all
    #[arg(long, value_name = "LIST", value_parser = parse_invariants, long_help = "\
Use exactly these kinds of invariants, all together; a list with commas of
  trap         at least one place stays marked (at-least:C for C)
  mutex        exactly one (exactly:C)
  siphon       none
  at-most-one  at most one (at-most:C)
  parity       the number stays even, or odd
  all          all of these with C up to 2 (all:K: up to K)
  linear:B     places weigh -1, 0 or 1, and the sum never grows; differences
               are followed up to B (1 to 100; `linear`: 4)
  modulo:M     places weigh 0 to M-1, and the sum stays the same modulo M (3 to
               16; `parity` is modulo 2)
  dead         not a kind: also drop interactions that provably never fire
  exclusive    not a kind: at last, look for pairs of states that exclude each
               other (direct engine only)
C and K are from 1 to 100 (at-most:0 is siphon). Without it, cheap kinds are
tried first, then more, then `all,dead`, in the end
`all,linear,modulo:3,dead,exclusive`.")]
    pub invariants: Option<InvariantChoice>,

    /// Who is asked for a proof: direct (the default), mona or both
    #[arg(
        long,
        value_name = "ENGINE",
        value_enum,
        default_value_t,
        hide_possible_values = true,
        hide_default_value = true,
        long_help = "\
Who is asked for a proof:
  direct  tree automata over rewriting trees; gives a certificate (the default)
  mona    formulas of WSkS, decided by MONA; needs a build with MONA
  both    both of them; that they contradict each other is a bug (exit code 101)"
    )]
    pub engine: EngineArgument,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,

    /// List the questions of the files, with what they mean, and answer none
    #[arg(long, conflicts_with_all = ["certificate", "trace", "watch"])]
    pub list: bool,

    /// Run again whenever a file changes, until Ctrl-C
    #[arg(long)]
    pub watch: bool,

    /// Write the certificate of the proof to this file (one FILE and one --error only)
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub certificate: Option<PathBuf>,

    /// Write the trace of the violation to this file (one FILE and one --error only)
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub trace: Option<PathBuf>,

    /// Write the candidate of an unknown answer to this file (one FILE and one --error only), for draw, step,
    /// explore and replay
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub candidate: Option<PathBuf>,

    /// Time and memory.
    #[command(flatten)]
    pub limits: LimitArguments,

    /// Let the search for a violation visit at most this many states (default 1000000)
    #[arg(long, value_name = "N", default_value = "1000000", hide_default_value = true, value_parser = parse_count, allow_negative_numbers = true)]
    pub max_states: usize,

    /// Explore the smallest instances up to this size where there is no proof (default: as far as --budget
    /// lasts)
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub max_size: Option<usize>,

    /// Let that visit at most this many states (default: a tenth of --max-states)
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    pub budget: Option<usize>,

    /// Print the whole marking after each step of a trace
    #[arg(long, conflicts_with = "quiet")]
    pub full: bool,

    /// Print the verdict lines only
    #[arg(long, short, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Print definitions, sizes of proofs, smallest instances and what MONA was asked too
    #[arg(long, short)]
    pub verbose: bool,

    /// Of `why`: say why, in this instance.
    #[arg(skip)]
    pub why: Option<ShownArguments>,
}

impl CheckArguments {
    /// How much is printed.
    pub(super) fn detail(&self) -> Detail {
        if self.why.is_some() {
            return if self.verbose { Detail::WhyInFull } else { Detail::Why };
        }
        match (self.quiet, self.verbose) {
            (true, _) => Detail::Quiet,
            (_, true) => Detail::Verbose,
            _ => Detail::Normal,
        }
    }
}

/// Which engine looks for a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum EngineArgument {
    /// Tree automata over rewriting trees
    #[default]
    Direct,
    /// Formulas of WSkS, decided by MONA
    Mona,
    /// Both
    Both,
}

/// `fmt`
#[derive(Debug, Args)]
pub(super) struct FmtArguments {
    /// Models to format; `-` is standard input
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,

    /// Change nothing; name the files that are not in canonical form and exit with 1 if there are any
    #[arg(long, conflicts_with = "write")]
    pub check: bool,

    /// Replace the files
    #[arg(long)]
    pub write: bool,

    /// Change nothing; print what would change, as a unified diff, and exit with 1 if anything would
    #[arg(long, conflicts_with_all = ["check", "write"])]
    pub diff: bool,

    /// With --check or --diff: run again whenever a file changes, until Ctrl-C
    #[arg(long, conflicts_with = "write")]
    pub watch: bool,

    /// The language of the files, where their names do not tell: ccs or chor
    #[arg(long, value_name = "LANGUAGE", value_parser = verify::parse_language)]
    pub language: Option<Language>,

    /// Of agents in the article's syntax of R-CHECK (.rcp): write them in today's
    #[arg(long, value_name = "SYNTAX", value_parser = ["today"])]
    pub to: Option<String>,

    /// Of R-CHECK (.rcp): read operators and `rep` as the published tool does, and write parentheses where it
    /// makes a difference
    #[arg(long)]
    pub as_rcheck: bool,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// `explain`
#[derive(Debug, Args)]
pub(super) struct ExplainArguments {
    /// The code, as in E0201, or a word, as in trap; without it, all are listed
    #[arg(value_name = "CODE|WORD")]
    pub words: Vec<String>,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// `certify`
#[derive(Debug, Args)]
pub(super) struct CertifyArguments {
    /// The model that the certificate is about
    #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
    pub model: PathBuf,

    /// The certificate, as written by --certificate; `-` is standard input
    #[arg(value_name = "CERTIFICATE", value_hint = ValueHint::FilePath)]
    pub certificate: PathBuf,

    /// The error's definition, where the model does not have it: 'two = #busy >= 2'
    #[arg(long = "error", value_name = "ERROR")]
    pub error: Option<String>,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// `completions`
#[derive(Debug, Args)]
pub(super) struct CompletionsArguments {
    /// The shell
    #[arg(value_name = "SHELL", ignore_case = true, action = ArgAction::Set)]
    pub shell: clap_complete::Shell,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    /// On terminals
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// As the argument parser wants it for its own messages.
    pub(super) fn for_clap(self) -> clap::ColorChoice {
        match self {
            Color::Auto => clap::ColorChoice::Auto,
            Color::Always => clap::ColorChoice::Always,
            Color::Never => clap::ColorChoice::Never,
        }
    }

    /// As the output streams want it.
    pub(super) fn for_streams(self) -> ColorChoice {
        match self {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::AlwaysAnsi,
            Color::Never => ColorChoice::Never,
        }
    }
}

/// The value of `--color`, found before parsing: messages of the parser itself obey it too.
pub(super) fn color_of(arguments: &[OsString]) -> Color {
    let mut color = Color::Auto;
    let mut words =
        arguments.iter().skip(1).filter_map(|word| word.to_str()).take_while(|&word| word != "--");
    while let Some(word) = words.next() {
        let value = match word.strip_prefix("--color") {
            Some("") => words.next(),
            Some(rest) => rest.strip_prefix('='),
            None => None,
        };
        if let Some(value) = value {
            color = Color::from_str(value, false).unwrap_or(color);
        }
    }
    color
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "give a number of seconds, as in 30 or 0.5".to_owned())?;
    if seconds.is_nan() || seconds < 0.0 {
        return Err("give a number of seconds that is not negative".to_owned());
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| "that is longer than can be counted".to_owned())
}

fn parse_mebibytes(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("give a whole number of MiB, at least 1".to_owned()),
        Ok(number) => Ok(number),
    }
}

fn parse_count(text: &str) -> Result<usize, String> {
    // `1_000_000` is how the limit looks in Rust and is easier to read.
    text.replace('_', "").parse().map_err(|_| "give a whole number, as in 1000000".to_owned())
}

const NAMES: [&str; 13] = [
    "trap",
    "mutex",
    "siphon",
    "at-most-one",
    "parity",
    "at-least",
    "exactly",
    "at-most",
    "linear",
    "modulo",
    "all",
    "dead",
    "exclusive",
];

pub(super) fn parse_invariants(text: &str) -> Result<InvariantChoice, String> {
    let mut kinds = Vec::new();
    let (mut drop_dead, mut exclusive) = (false, false);
    for name in text.split(',').map(str::trim) {
        match name.split_once(':') {
            None if name.is_empty() => {
                return Err("a name is missing: give kinds with commas between".to_owned());
            }
            None if name == "dead" => drop_dead = true,
            None if name == "exclusive" => exclusive = true,
            None if name == "all" => kinds.extend(InvariantKind::all_up_to(2)),
            Some(("all", bound)) => match bound.parse() {
                Ok(bound @ 1..=InvariantKind::MAX_BOUND) => kinds.extend(InvariantKind::all_up_to(bound)),
                _ => {
                    return Err(format!(
                        "`all:{bound}`: give a number from 1 to {}",
                        InvariantKind::MAX_BOUND
                    ));
                }
            },
            _ => kinds.push(name.parse().map_err(|error| with_suggestion(name, error))?),
        }
    }
    if kinds.is_empty() {
        return Err("name at least one kind beside `dead` and `exclusive`, as in trap,mutex,dead".to_owned());
    }
    let mut choice = InvariantChoice::only(kinds);
    choice.dead_interactions = drop_dead;
    choice.exclusive = exclusive;
    Ok(choice)
}

fn with_suggestion(text: &str, error: String) -> String {
    let name = text.split(':').next().unwrap_or(text);
    if NAMES.contains(&name) {
        return error;
    }
    match nearest(name, NAMES) {
        Some(near) => format!("{error}; did you mean `{near}`?"),
        None => error,
    }
}
