//! Structural invariants of every instance at once: their kinds, the engine that finds them, and the order in
//! which an engine tries them.
//!
//! A system and an error come in, with a choice of invariants
//! ([`InvariantChoice`](strategy::InvariantChoice)). A proof with its certificate goes out, or the smallest
//! marking that no invariant excludes. [`kind`] is the table of kinds, [`direct`] the engine,
//! [`mod@strategy`] the table of attempts that every engine follows, [`outcome`] and [`record`] what an
//! engine reports.
//!
//! Not here: whether an instance really reaches that marking (crate `verdict`), and the check of a
//! certificate (crate `certificate`, which has a table of kinds of its own).
//!
//! ```
//! use paramcheck_invariants::direct::{Direct, Outcome};
//! use paramcheck_invariants::kind::InvariantKind;
//! use paramcheck_invariants::outcome::Scout;
//! use paramcheck_invariants::strategy::InvariantChoice;
//! use paramcheck_text::limits::Budget;
//!
//! /// Explores no instance.
//! struct Blind;
//! impl Scout for Blind {}
//!
//! let loaded = paramcheck_model::lower::load(
//!     "component Node { states idle, busy; init idle; busy -out-> idle; idle -in-> busy; }
//!      Ring()      <- new x, y . <out(y) in(x)> (Chain(x, y));
//!      Chain(x, y) <- <out(x) in(y)> (Node(x), Node[busy](y));
//!      Chain(x, y) <- new z . <out(x) in(z)> (Node(x), Chain(z, y));
//!      error exclusion = #busy >= 2;",
//! );
//! let system = loaded.system.expect("the model has a meaning");
//! let error = system.error_named("exclusion").expect("defined above");
//! let choice = InvariantChoice::default();
//! let outcome = Direct::new(&system).decide(&error, &choice, &mut Blind, &Budget::unlimited());
//! let Outcome::Proved { invariants, evidence, .. } = outcome else { panic!("it is safe") };
//! assert_eq!(invariants, [InvariantKind::MUTEX]);
//! assert_eq!(evidence.error, "exclusion");
//! ```

pub mod direct;
pub mod firing;
pub mod kind;
pub mod outcome;
pub mod record;
pub mod strategy;
