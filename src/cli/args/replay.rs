//! Arguments of `paramcheck replay`.

use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{Args, ValueHint};

use super::labs::{Parameter, parse_parameter};
use crate::cli::Failure;

const AFTER_HELP: &str = "\
Exit codes: 0 it replays (and ends in its error), 1 it does not, 2 the call or an input is wrong,
3 whether its end is in the error is too much work to decide.

Examples:
  paramcheck ring.rs --error deadlock --trace ring.json; paramcheck replay ring.rs ring.json
  paramcheck ring.rs --json | paramcheck replay ring.rs - --error deadlock
  paramcheck replay ring.rs --candidate candidate.json
  paramcheck verify leader.labs n=3 --json | paramcheck replay leader.labs - --check LeaderNot0";

/// `replay`
#[derive(Debug, Args)]
#[command(
    after_help = AFTER_HELP,
    override_usage = "paramcheck replay [OPTIONS] MODEL TRACE\n       \
                      paramcheck replay [OPTIONS] MODEL --candidate PATH\n       \
                      paramcheck replay [OPTIONS] FILE.labs [k=v]... TRACE"
)]
pub(crate) struct ReplayArguments {
    /// The model that the trace is of
    #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
    pub model: PathBuf,

    /// The trace, as written by --trace, or a document of --json (of checking, explore or verify); `-` is
    /// standard input. Of agents (.labs) a run, as written by `verify --json` or saved by `step`; values of
    /// parameters, which the run has too, may stand before it
    #[arg(value_name = "TRACE", value_hint = ValueHint::FilePath, required_unless_present = "candidate")]
    pub inputs: Vec<PathBuf>,

    /// Instead of a trace: a candidate, as written by --candidate when checking. Does it fit the model?
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath, conflicts_with = "inputs")]
    pub candidate: Option<PathBuf>,

    /// The error it reaches: chooses one of several traces, or defines what the model does not have. Of
    /// agents: the property that it violates
    #[arg(long = "error", value_name = "ERROR", visible_alias = "check")]
    pub error: Option<String>,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,

    /// Print the whole marking after each step
    #[arg(long, conflicts_with = "quiet")]
    pub full: bool,

    /// Print the answer only, not the steps
    #[arg(long, short)]
    pub quiet: bool,
}

impl ReplayArguments {
    /// The trace, and with `has_parameters` the values of parameters before it.
    pub(crate) fn trace(&self, has_parameters: bool) -> Result<(Option<&Path>, Vec<Parameter>), Failure> {
        let mut inputs: Vec<&Path> = self.inputs.iter().map(PathBuf::as_path).collect();
        let trace = inputs.pop();
        let parameter = |input: &Path| match input.to_str() {
            Some(text) if has_parameters => parse_parameter(text),
            _ => Err("one trace is replayed".to_owned()),
        };
        let parameters = inputs.iter().map(|input| {
            parameter(input).map_err(|reason| {
                let message = format!("`{}` before the trace: {reason}", input.display());
                Failure::misuse(ErrorKind::TooManyValues, message)
            })
        });
        Ok((trace, parameters.collect::<Result<_, _>>()?))
    }
}
