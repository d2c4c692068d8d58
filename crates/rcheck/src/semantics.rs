//! What a system does, by the rules as they are written: the reference for everything that is faster.
//!
//! [`evaluate`] gives terms their values, [`initial`] the states to begin with, [`step`] what an agent offers
//! in a state, who must receive, who stays and who blocks, and the steps that come of it. [`explore`]
//! collects all states of a small system, [`observe`] holds messages against observations, [`check`] decides
//! properties by the textbook: an automaton for the negation, its product with all runs, components that
//! accept. [`lasso`] evaluates a formula on one infinite run, and shares nothing with `check`.

pub mod check;
pub mod evaluate;
pub mod explore;
pub mod initial;
pub mod lasso;
pub mod observe;
pub mod step;

mod ltl;
#[cfg(test)]
mod tests;
