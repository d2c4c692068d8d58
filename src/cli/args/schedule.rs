//! Which runs count: fairness and the order in which agents act, as `verify` and programs of `emulate` take
//! them.

use clap::{Args, ValueEnum};

use paramcheck_process::semantics::check::Schedule;

/// Options of what is assumed of the order in which agents act.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct ScheduleArguments {
    /// Only fair runs count: no agent stops for ever while it can act in every state (weak; the default),
    /// or while it can act infinitely often (strong)
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

    /// The order in which agents act: any (the default) or round-robin
    #[arg(long, value_name = "SCHEDULE", value_enum, hide_possible_values = true)]
    pub schedule: Option<Order>,
}

/// Why instances have no other schedule.
pub(crate) const OF_PROCESSES: &str = "--fair and --schedule are about processes: errors of instances are asked in any order; --fair also about \
     properties of an instance, --ltl";

/// What is fair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Fairness {
    /// No agent stops for ever while it can act in every state
    Weak,
    /// No agent stops for ever while it can act infinitely often
    Strong,
}

/// The order in which agents act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Order {
    /// Any
    #[default]
    #[value(alias = "free")]
    Any,
    /// In turns
    RoundRobin,
}

impl ScheduleArguments {
    /// The runs that count; `None` where both fairness and turns are wanted.
    pub(crate) fn schedule(self) -> Option<Schedule> {
        match (self.fair, self.schedule.unwrap_or_default()) {
            (None, Order::Any) => Some(Schedule::Any),
            (Some(Fairness::Weak), Order::Any) => Some(Schedule::WeaklyFair),
            (Some(Fairness::Strong), Order::Any) => Some(Schedule::StronglyFair),
            (None, Order::RoundRobin) => Some(Schedule::RoundRobin),
            (Some(_), Order::RoundRobin) => None,
        }
    }
}
