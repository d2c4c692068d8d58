//! Foundations that know nothing of protocols: typed indices, run limits, joined lists, graphs, columns of text.
//!
//! Imports nothing from the rest of the crate; everything else may import it.

pub mod columns;
pub mod graph;
pub mod index;
pub mod join;
pub mod limits;
