//! The paper's way (section 4): the parametric question as one formula of WSκS, the weak monadic
//! second-order logic of κ successors.
//!
//! A system, an error and kinds of invariants come in; a formula goes out, as text ([`emit`]) or to MONA
//! ([`engine`], [`mona`]), and a model of the formula comes back as an instance with a marking. [`formula`]
//! holds formulas, [`mod@print`] writes them, [`simplify`] simplifies them by e-graphs. [`normalize`] makes
//! rewriting trees words or binary trees, [`flow`] lists what can happen in them, [`encoding`] has one
//! function per definition of the paper, [`question`](mod@question) puts them together, and [`tracks`] takes
//! a model of the formula back to an instance.
//!
//! Not here: MONA itself (crate `mona-sys`; without the feature `mona`, queries are answered by "not built"),
//! the order of the queries (crate `invariants`), and what becomes of a candidate (crate `verdict`).
//!
//! ```
//! use paramcheck_invariants::kind::InvariantKind;
//! use paramcheck_wsks::emit;
//! use paramcheck_wsks::question::{Goal, question};
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
//! let question = question(&system, Goal::Error(&error.formula), &[InvariantKind::MUTEX], &[])?;
//! // Rewriting trees of rings are words: one successor.
//! assert_eq!(question.kappa, 1);
//! let program = emit::mona(&question, "two busy nodes, by mutexes").expect("it can be written");
//! assert!(program.contains("\nws1s;\n"));
//! # Ok::<(), paramcheck_wsks::encoding::EncodeError>(())
//! ```

pub mod emit;
pub mod encoding;
pub mod engine;
pub mod flow;
pub mod formula;
pub mod mona;
pub mod normalize;
pub mod print;
pub mod question;
pub mod simplify;
pub mod tracks;

// The evaluator belongs to the test suite; the unit tests of `simplify` need it as well.
#[cfg(test)]
extern crate self as paramcheck_wsks;
#[cfg(test)]
#[path = "../../../tests/suite/support/evaluate.rs"]
mod evaluate;
