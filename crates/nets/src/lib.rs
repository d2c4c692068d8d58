//! Instances of rewriting systems as Petri nets, and the exploration of their state spaces.
//!
//! [`instance`] unfolds a rewriting tree into a net, enumerates trees by size, and reads and prints their
//! terms; [`explore`] is the explicit-state engine for any transition system, instances as such systems, and
//! traces with their replay. Systems and trees come in, markings, traces and state counts go out. Proofs for
//! all sizes are not here (see the crates `invariants` and `verdict`).
//!
//! # Example
//!
//! ```
//! use paramcheck_model::{error::ErrorFormula, lower::load};
//! use paramcheck_nets::explore::engine::{End, SearchOptions};
//! use paramcheck_nets::explore::search::{Reduction, explore_net};
//! use paramcheck_nets::instance::{enumerate::trees, unfold::unfold};
//! use paramcheck_text::limits::Budget;
//!
//! let text = "component Cell { states off, on; init off; off -set-> on; on -reset-> off; }
//!             Row() <- new x . <set(x) + reset(x)> (Cell(x), Row());
//!             Row() <- new x . <set(x) + reset(x)> (Cell(x));";
//! let system = load(text).system.expect("the model has a meaning");
//! let tree = trees(&system, 5).next().expect("there are rows of five cells");
//! let net = unfold(&system, &tree);
//!
//! let (options, budget) = (SearchOptions::default(), Budget::unlimited());
//! let errors = [&ErrorFormula::Deadlock];
//! let found = explore_net(&system, &net, &errors, Reduction::default(), &options, &budget);
//! assert_eq!((found.end, found.states, found.dead), (End::Exhausted, 32, 0));
//! ```

pub mod explore;
pub mod instance;
