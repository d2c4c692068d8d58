//! LAbS: agents with attributes, an environment, and virtual stigmergies, from a text to a well-formed
//! [`System`](model::System) and its operational semantics.
//!
//! [`parser::parse`] reads a text, [`lower::lower`] gives the tree its meaning with the values of its parameters,
//! [`load`] does both; [`print`](mod@print) and [`format`](mod@format) go the other way. [`semantics`] has the
//! rules as they are in the sources, on process terms: slow, and what everything else is held against.
//!
//! Transition triples, the packed engine and programs for other verifiers are not here (crate `emulation`).
//! Sources: Di Stefano's thesis on LAbS, chapter 3; the paper on ATLAS (ISoLA 2021); the journal article on
//! sequential emulation, section 4. `docs/labs.md` shows the language and says where it differs from them.

use std::collections::BTreeMap;

pub mod ast;
pub mod lower;
pub mod model;
pub mod number;
pub mod semantics;

/// Values of parameters by name, without the `_`.
pub type Parameters = BTreeMap<String, i64>;
