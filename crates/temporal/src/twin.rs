//! Naive twins of the algorithms of this crate, as plain as they can be, for tests.
//!
//! [`gpvw`] makes automata, [`explicit`] a graph whose nodes have letters, [`nested`] looks for runs in the
//! product; [`random`] makes systems and formulas; [`nusmv`] has the same decided by another program.

mod agree;
mod explicit;
mod gpvw;
mod nested;
mod nusmv;
pub(crate) mod random;
