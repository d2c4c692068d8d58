//! Agents for CADP: the system as a module in LNT ([`lnt`](fn@lnt)), a property in MCL ([`mcl`](fn@mcl)).
//!
//! *Not tested with CADP*, which is not to be had here: the texts follow its documentation, and a small
//! reader in the tests holds them against the form that follows.
//!
//! - `ASSIGN !id !"variable" !value` for each variable of an agent or (id −1) of the environment that a step
//!   changes, then `DONE`; at first for all variables. A formula is judged at `DONE` only, so no state in the
//!   middle of a step counts. An agent that can do nothing has no transition.
//! - `FAULT` ends a run that leaves the language.
//! - An undefined value is the number below the least one.

use paramcheck_labs::model::System;
use paramcheck_labs::number::Width;
use paramcheck_labs::semantics::step::Rules;

use super::NotProgrammed;

mod lnt;
mod mcl;

pub use lnt::lnt;
pub use mcl::mcl;

/// Why a text for CADP is not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotWritten {
    /// There is no program.
    #[error("{0}")]
    Program(#[from] NotProgrammed),
    /// The modality has no formula here.
    #[error("properties of scopes are not written in MCL: use `always`, `finally`, `fairly` or `fairly_inf`")]
    Scope,
}

/// The number that stands for undefined.
fn undefined(width: Width) -> i64 {
    width.bounds().0 - 1
}

/// What a text begins with, as comments behind `mark` and before `end`.
fn heading(model: &str, what: &str, system: &System, rules: &Rules, [mark, end]: [&str; 2]) -> String {
    let lines = [
        format!("model:     {model}"),
        what.to_owned(),
        format!("schedule:  {}", super::shared::words(system, rules)),
        "not tested with CADP".to_owned(),
    ];
    let line = |line: &String| {
        format!("{mark}{}{end}\n", paramcheck_text::comment::one_line(line).replace("*)", "* )"))
    };
    lines.iter().map(line).collect()
}

/// The name of a cell's owner, −1 for the environment, and of the cell.
fn cell(system: &System, cell: usize) -> (i64, String) {
    use paramcheck_text::index::Idx;
    let (agent, name) = system.cell_name(cell);
    (agent.and_then(|agent| i64::try_from(agent.index()).ok()).unwrap_or(-1), name)
}
