//! LAbS: systems of agents as transition triples, and the engine that explores their packed states.
//!
//! Data flows from a [`System`](paramcheck_labs::model::System) to its [`triples`], with the [`values`] that
//! [`analysis`] finds for its cells to a machine of packed states, and from there to counts and verdicts
//! ([`engine`]), or to runs by chance ([`simulate`]). Verdicts come with evidence as steps and stores, so that it can be held against the rules on
//! process terms (`paramcheck_labs::semantics`), which share nothing with this module but the model.

use paramcheck_labs::number::Fault;
use paramcheck_text::limits::Stop;

pub mod analysis;
mod code;
mod compile;
pub mod engine;
mod machine;
mod pack;
pub mod program;
pub mod reduce;
mod scope;
mod search;
pub mod simulate;
mod slice;
mod space;
pub mod states;
mod step;
mod table;
mod tabulate;
#[cfg(test)]
mod tests;
pub mod triples;
pub mod values;
mod word;

pub use engine::Engine;

/// Why a system can't be explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// It is too large for packed states.
    TooLarge,
    /// The formula of the property is, once its quantifiers are written out.
    Formula,
    /// A function of a C program would be called.
    Foreign,
    /// No initial state fulfils the assumptions.
    NoInitialState,
    /// An assumption leaves the language.
    Assumption(Fault),
    /// The property says nothing of runs of bounded length.
    Unbounded,
    /// A limit of the run was reached.
    Stopped(Stop),
    /// Of so many initial values by chance none fulfil the assumptions.
    NotFound(usize),
    /// A value had no room where the analysis of values promised it: an error of ours.
    NoRoom,
}

impl std::fmt::Display for Unfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unfit::TooLarge => f.write_str("the system is too large for packed states"),
            Unfit::Formula => f.write_str("the formula of the property has too many parts"),
            Unfit::Foreign => f.write_str("the system calls functions of a C program"),
            Unfit::NoInitialState => f.write_str("no initial state fulfils the assumptions"),
            Unfit::Assumption(fault) => write!(f, "an assumption has no value: {fault}"),
            Unfit::Unbounded => f.write_str("what can still happen says nothing of bounded runs"),
            Unfit::Stopped(stop) => stop.fmt(f),
            Unfit::NotFound(tries) => write!(f, "of {tries} initial values none fulfil the assumptions"),
            Unfit::NoRoom => f.write_str("internal error: a value is outside of what was computed for it"),
        }
    }
}

impl std::error::Error for Unfit {}
