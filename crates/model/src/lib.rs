//! Rewriting systems: from a text to a [`System`](system::System), well-formed by construction.
//!
//! [`syntax`] reads a text into a tree and prints trees in canonical form; [`lower`] gives a tree its
//! meaning, with every name resolved to an id and every mistake reported. Here live component types
//! ([`component`]), predicates and rules ([`rule`]), [`error`]s, properties of the runs of an instance
//! ([`property`]), and rewriting trees ([`tree`]), which say how an instance is derived. After lowering no text is looked at again.
//!
//! Instances and their state spaces are not here (crate `nets`), nor invariants and verdicts (`invariants`,
//! `verdict`). The language is that of Bozga and Iosif, *Specification and Safety Verification of Parametric
//! Hierarchical Distributed Systems*, FACS 2021, section 2; `docs/language.md` shows it.
//!
//! A text comes in as a string. A system and diagnostics go out; nothing is printed.
//!
//! # Example
//!
//! ```
//! use paramcheck_model::error::print::print_formula;
//! use paramcheck_model::lower::load;
//!
//! let text = "component Node { states idle, busy; init idle; busy -out-> idle; idle -in-> busy; }
//!      Ring()      <- new x, y . <out(y) in(x)> (Chain(x, y));
//!      Chain(x, y) <- <out(x) in(y)> (Node(x), Node[busy](y));
//!      Chain(x, y) <- new z . <out(x) in(z)> (Node(x), Chain(z, y));
//!      error exclusion = #busy >= 2;";
//! let system = load(text).system.expect("the text has a meaning");
//! assert_eq!((system.name(), system.rules.len(), system.kappa()), ("Ring", 3, 1));
//! let exclusion = system.error_named("exclusion").expect("defined above");
//! assert_eq!(print_formula(&system, &exclusion.formula), "#Node.busy >= 2");
//!
//! // A text with a mistake has no meaning. The diagnostic gives its place.
//! let broken = load(&text.replace("Node(x), Chain", "Nod(x), Chain"));
//! assert!(broken.system.is_none());
//! assert_eq!(broken.diagnostics[0].code.id, "E0202");
//! ```

/// How the files of rewriting systems end. No editor takes the first for Rust; the second is read for ever.
pub const ENDINGS: [&str; 2] = ["rws", "rs"];

pub mod component;
pub mod error;
pub mod history;
pub mod lower;
pub mod phases;
pub mod property;
pub mod rule;
pub mod statistics;
pub mod syntax;
pub mod system;
pub mod tree;
