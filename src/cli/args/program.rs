//! What the user may say about the programs that `emulate` writes.

use clap::{Args, ValueEnum};

use paramcheck::emulation::target::c::Verifier;
use paramcheck::semantics::check::Schedule;

use super::verify::{Fairness, Order};

/// Options of `--as c`, `chc`, `promela` and `smv`.
#[derive(Clone, Debug, Default, Args)]
pub struct ProgramArguments {
    /// The check that the program asks (c, chc, promela, smv)
    #[arg(long, value_name = "NAME", conflicts_with = "error")]
    pub check: Option<String>,

    /// Of an instance, the error that the program asks about: NAME, or 'NAME = …' (c, chc, promela, smv)
    #[arg(long, value_name = "ERROR")]
    pub error: Option<String>,

    /// The order in which agents act: any (the default) or round-robin (c, chc, promela, smv)
    #[arg(long, value_name = "SCHEDULE", value_enum, hide_possible_values = true)]
    pub schedule: Option<Order>,

    /// Only fair runs count, as in verify: weak (the default) or strong (c, chc, promela, smv)
    #[arg(
        long,
        value_name = "FAIRNESS",
        value_enum,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "weak",
        hide_possible_values = true
    )]
    pub fair: Option<Fairness>,

    /// A program that runs by itself: one random schedule (c)
    #[arg(long, conflicts_with = "verifier")]
    pub standalone: bool,

    /// Who reads the program: esbmc (the default), cbmc, cpachecker or symbiotic (c)
    #[arg(long = "for", value_name = "VERIFIER", value_enum, hide_possible_values = true)]
    pub verifier: Option<For>,

    /// Ask "eventually" as reachability of a lasso, not as termination of the program (c)
    #[arg(long, conflicts_with = "standalone")]
    pub lasso: bool,
}

/// A verifier of C programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum For {
    /// ESBMC
    Esbmc,
    /// CBMC; not tested here
    Cbmc,
    /// CPAchecker; not tested here
    Cpachecker,
    /// Symbiotic; not tested here
    Symbiotic,
}

impl ProgramArguments {
    /// An option that only programs have, if one is given.
    pub fn given(&self) -> Option<&'static str> {
        let options = [
            (self.check.is_some(), "--check"),
            (self.error.is_some(), "--error"),
            (self.schedule.is_some(), "--schedule"),
            (self.fair.is_some(), "--fair"),
        ];
        options
            .into_iter()
            .find(|(is_given, _)| *is_given)
            .map(|(_, name)| name)
            .or_else(|| self.given_for_c())
    }

    /// An option that only programs in C have, if one is given.
    pub fn given_for_c(&self) -> Option<&'static str> {
        let options =
            [(self.standalone, "--standalone"), (self.verifier.is_some(), "--for"), (self.lasso, "--lasso")];
        options.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name)
    }

    /// The runs that count; `None` where both fairness and turns are wanted.
    pub fn schedule(&self) -> Option<Schedule> {
        match (self.fair, self.schedule.unwrap_or_default()) {
            (None, Order::Any) => Some(Schedule::Any),
            (Some(Fairness::Weak), Order::Any) => Some(Schedule::WeaklyFair),
            (Some(Fairness::Strong), Order::Any) => Some(Schedule::StronglyFair),
            (None, Order::RoundRobin) => Some(Schedule::RoundRobin),
            (Some(_), Order::RoundRobin) => None,
        }
    }

    /// Who reads the program.
    pub fn verifier(&self) -> Verifier {
        match self.verifier {
            None | Some(For::Esbmc) => Verifier::Esbmc,
            Some(For::Cbmc) => Verifier::Cbmc,
            Some(For::Cpachecker) => Verifier::CpaChecker,
            Some(For::Symbiotic) => Verifier::Symbiotic,
        }
    }
}
