//! What the user may say about the programs that `emulate` writes.

use clap::{Args, ValueEnum};

use paramcheck_emulation::writers::c::Verifier;

use super::schedule::ScheduleArguments;

/// Options of `--as c`, `chc`, `promela` and `smv`.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ProgramArguments {
    /// The check that the program asks (c, chc, promela, smv)
    #[arg(long, value_name = "NAME", conflicts_with = "error")]
    pub check: Option<String>,

    /// Of an instance, the error that the program asks about: NAME, or 'NAME = …' (c, chc, promela, smv)
    #[arg(long, value_name = "ERROR")]
    pub error: Option<String>,

    /// What is assumed of the order in which agents act (c, chc, promela, smv)
    #[command(flatten)]
    pub runs: ScheduleArguments,

    /// A program that runs by itself: one random schedule (c)
    #[arg(long, conflicts_with = "verifier")]
    pub standalone: bool,

    /// Who reads the program: esbmc (the default), or, untested, cbmc, cpachecker or symbiotic (c)
    #[arg(long = "for", value_name = "VERIFIER", value_enum, hide_possible_values = true)]
    pub verifier: Option<For>,

    /// Ask "eventually" as reachability of a lasso, not as termination of the program (c)
    #[arg(long, conflicts_with = "standalone")]
    pub lasso: bool,
}

/// A verifier of C programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum For {
    /// ESBMC
    Esbmc,
    /// CBMC; untested
    Cbmc,
    /// CPAchecker; untested
    Cpachecker,
    /// Symbiotic; untested
    Symbiotic,
}

impl ProgramArguments {
    /// An option that only programs have, if one is given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let options = [
            (self.check.is_some(), "--check"),
            (self.error.is_some(), "--error"),
            (self.runs.schedule.is_some(), "--schedule"),
            (self.runs.fair.is_some(), "--fair"),
        ];
        options
            .into_iter()
            .find(|(is_given, _)| *is_given)
            .map(|(_, name)| name)
            .or_else(|| self.given_for_c())
    }

    /// An option that only programs in C have, if one is given.
    pub(crate) fn given_for_c(&self) -> Option<&'static str> {
        let options =
            [(self.standalone, "--standalone"), (self.verifier.is_some(), "--for"), (self.lasso, "--lasso")];
        options.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name)
    }

    /// Who reads the program.
    pub(crate) fn verifier(&self) -> Verifier {
        match self.verifier {
            None | Some(For::Esbmc) => Verifier::Esbmc,
            Some(For::Cbmc) => Verifier::Cbmc,
            Some(For::Cpachecker) => Verifier::CpaChecker,
            Some(For::Symbiotic) => Verifier::Symbiotic,
        }
    }
}
