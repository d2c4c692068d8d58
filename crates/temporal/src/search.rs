//! Searches in the product of a system and an automaton.
//!
//! [`product`] makes it, as far as it is visited; [`components`] finds its strongly connected components
//! depth first; [`fair`] says which of them hold a run that counts; [`lasso`] makes a short run of one;
//! [`reach`] looks for bad prefixes breadth first. Transitions are not stored: they are made again where they
//! are needed.

mod components;
mod fair;
mod lasso;
mod product;
mod reach;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use fair::cycle;
pub(crate) use product::{Halt, Product};
pub(crate) use reach::reach;
