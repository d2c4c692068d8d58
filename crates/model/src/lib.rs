//! The meaning of a text: a [`system::System`], well-formed by construction, names resolved to ids.
//!
//! `lower` makes it from a syntax tree; after that nobody sees text. Here live component types,
//! predicates, rules, errors, invariant kinds and rewriting trees; instances (Petri nets) are made
//! from them by `instance`, questions are answered by `engine`.

pub mod component;
pub mod error;
pub mod lower;
pub mod rule;
pub mod statistics;
pub mod syntax;
pub mod system;
pub mod tree;
