//! Structural operational semantics on process terms, and properties on all states: short, and slow.
//!
//! [`control`] makes the steps of process terms, [`evaluate`] the values of expressions, [`step`] the
//! successors of a state, [`explore`](mod@explore) all states, [`check`] the answers; [`run`] goes through a run
//! again, and [`judge`](mod@judge) says what it shows. [`inductive`] holds sets of values against all steps. Everything that is quick elsewhere is held against this.
//! Sources: the thesis, Tables 3.3 to 3.8; what it leaves open is settled in `docs/labs.md`.
//!
//! In: a [`System`](crate::model::System) and the [`Rules`](step::Rules) of a run. Out: states, and verdicts.

pub mod check;
pub mod control;
pub mod domain;
pub mod evaluate;
pub mod explore;
mod fair;
pub mod inductive;
pub mod judge;
pub mod run;
pub mod step;
pub mod store;
#[cfg(test)]
mod tests;
