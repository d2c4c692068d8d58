//! Structural operational semantics of processes: from a [`System`](crate::model::System) to its
//! labelled transition system, and what holds of it.
//!
//! [`behaviour`] has the rules (Tables 1 and 2 of the journal paper; `;` and choreographies as in
//! `docs/processes.md`), [`network`] puts agents together, [`inner`] takes an agent apart, [`explore`] builds
//! the [`Lts`](lts::Lts), [`bisimulation`] compares and reduces, [`check`] decides `always`, `eventually` and
//! `deadlock` under a scheduler and replays what it finds. This is the reference that other ways to execute a
//! process are held against up to strong bisimilarity, so it uses nothing of them: only the resolved model.

pub mod behaviour;
pub mod bisimulation;
pub mod check;
mod combine;
pub mod explore;
pub mod inner;
pub mod lts;
pub mod network;
