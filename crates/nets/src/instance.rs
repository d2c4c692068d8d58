//! Concrete instances of a rewriting system: the marked, 1-safe Petri nets that rewriting trees
//! stand for (paper, sections 2.1 and 2.2).
//!
//! [`unfold`] makes a [`net::Net`] of a rewriting tree, [`enumerate`] lists rewriting trees by size, [`term`]
//! prints and reads them, [`path`] names the position of a component in one, [`select`] selects some of them.
//! [`isomorphism`] decides which nets are the same, [`census`] counts them. [`marking`] evaluates error
//! formulas in markings. Which markings are reachable is left to `explore`; nothing here searches.

pub mod census;
pub mod enumerate;
pub mod isomorphism;
pub mod marking;
pub mod net;
pub mod path;
pub mod select;
pub mod term;
pub mod unfold;

#[cfg(test)]
pub(crate) mod tests;
