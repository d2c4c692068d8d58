//! What commands about agents of LAbS have in common: values of parameters, and the rules of a run.

use clap::{Args, ValueEnum};

use super::schedule::Fairness as Fair;
use paramcheck_labs::number::Width;
use paramcheck_labs::semantics::step::{Fairness, Rules, Schedule, Semantics};

/// The value of a parameter, `n=3`.
pub(crate) type Parameter = (String, i64);

/// Options of the rules of agents.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct RulesArguments {
    /// Of agents (.labs): whose rules for messages, paper (the default) or sliver
    #[arg(long, value_name = "RULES", value_enum, hide_possible_values = true)]
    pub semantics: Option<SemanticsArgument>,

    /// Of agents: they take turns, and a turn never passes an agent that can't act
    #[arg(long)]
    pub strict_turns: bool,

    /// Of agents: all messages are sent within the step that causes them
    #[arg(long)]
    pub sync: bool,

    /// Of agents: how wide numbers are, 8, 16 (the default) or 32 bits
    #[arg(long, value_name = "BITS", value_parser = parse_width, allow_negative_numbers = true)]
    pub int_bits: Option<Width>,

    /// Of agents: numbers wrap around instead of leaving their range
    #[arg(long)]
    pub wrap: bool,
}

/// Whose rules for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SemanticsArgument {
    /// Those of the papers
    Paper,
    /// Those of SLiVER
    Sliver,
}

impl RulesArguments {
    /// The rules; whether agents take turns, and what is fair, is by other options.
    pub(crate) fn rules(&self, takes_turns: bool, fair: Option<Fair>) -> Rules {
        let width = self.int_bits.unwrap_or_default();
        Rules {
            semantics: match self.semantics {
                None | Some(SemanticsArgument::Paper) => Semantics::Paper,
                Some(SemanticsArgument::Sliver) => Semantics::Sliver,
            },
            schedule: match (self.strict_turns, takes_turns) {
                (true, _) => Schedule::StrictTurns,
                (false, true) => Schedule::RoundRobin,
                (false, false) => Schedule::Free,
            },
            fairness: match fair {
                None => Fairness::None,
                Some(Fair::Weak) => Fairness::Weak,
                Some(Fair::Strong) => Fairness::Strong,
            },
            is_sync: self.sync,
            width: if self.wrap { width.wrapping() } else { width },
        }
    }

    /// One of these options that was given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let all = [
            (self.semantics.is_some(), "--semantics"),
            (self.strict_turns, "--strict-turns"),
            (self.sync, "--sync"),
            (self.int_bits.is_some(), "--int-bits"),
            (self.wrap, "--wrap"),
        ];
        all.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name)
    }
}

fn parse_width(text: &str) -> Result<Width, String> {
    text.parse().ok().and_then(Width::new).ok_or_else(|| "give 8, 16 or 32".to_owned())
}

/// The name and value in a text such as `n=3`; `_n=3` is the same.
pub(crate) fn parse_parameter(text: &str) -> Result<Parameter, String> {
    let Some((name, value)) = text.split_once('=') else {
        return Err("behind the file come values of parameters, as in n=3".to_owned());
    };
    let name = name.trim();
    let name = name.strip_prefix('_').unwrap_or(name);
    let is_name = name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|one| one.is_ascii_alphanumeric() || one == '_');
    if !is_name {
        return Err("the name of a parameter begins with a small letter, as in n=3".to_owned());
    }
    match value.trim().parse() {
        Ok(value) => Ok((name.to_owned(), value)),
        Err(_) => Err("the value of a parameter is a whole number, as in n=3".to_owned()),
    }
}
