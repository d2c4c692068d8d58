//! Proves safety of distributed systems **of every size at once**.
//!
//! A ring, star, tree or chain of any number of components is described once, by rewriting rules
//! ([`model`]; the language is shown in `docs/language.md`). A question about it, such as "does any
//! instance deadlock", is answered for all instances by [`verdict::decide`]: *proved* with a certificate
//! that [`certificate::check`] has accepted, *violated* with a trace that was replayed, or *unknown* with
//! what was tried. The method is structural invariants (traps, mutexes and others) over rewriting trees:
//! Bozga and Iosif, *Specification and Safety Verification of Parametric Hierarchical Distributed
//! Systems*, FACS 2021; how they are found here is told in `docs/engine.md`.
//!
//! | module | from | to |
//! | --- | --- | --- |
//! | [`reading`] | text of any language, its vocabulary | tokens, input of a parser |
//! | [`syntax`] | text | syntax tree and diagnostics |
//! | [`process`] | text of a process or choreography | [`process::model::System`], likewise |
//! | [`model`] | syntax tree | [`model::system::System`], well-formed by construction |
//! | [`engine`] | system and error | a proof, or the smallest marking no invariant excludes |
//! | [`instance`], [`explore`] | a rewriting tree | its Petri net, reachable markings, traces |
//! | [`emit`] | an instance | text for Spin, NuSMV, Petri net tools, Graphviz |
//! | [`emulation`] | a process or an instance | transition triples, sequential programs |
//! | [`certificate`] | a proof on paper | accepted or refused |
//! | [`verdict`] | system, error, options | the answer with its evidence |
//! | [`report`] | verdicts | text and JSON |
//! | [`replay`] | a trace on paper | replayed, or the step at which it fails |
//! | [`simulate`] | an instance, and lines of commands | what is enabled and what changes |
//! | [`picture`] | a system, an instance, a trace | SVG and DOT |
//!
//! The library has no side effects: no file is opened, nothing printed, nothing exits. With the feature
//! `mona` there is one: [`engine::mona`] starts child processes.
//!
//! # Example
//!
//! ```
//! use paramcheck::model::lower::load;
//! use paramcheck::verdict::{Options, Status, decide};
//!
//! let loaded = load(
//!     "component Node { states idle, busy; init idle; busy -out-> idle; idle -in-> busy; }
//!      Ring()      <- new x, y . <out(y) in(x)> (Chain(x, y));
//!      Chain(x, y) <- <out(x) in(y)> (Node(x), Node[busy](y));
//!      Chain(x, y) <- new z . <out(x) in(z)> (Node(x), Chain(z, y));
//!      error exclusion = #busy >= 2;
//!      error movement  = #busy == 1;",
//! );
//! let system = loaded.system.expect("the model has a meaning");
//!
//! // No ring of any size ever has two busy nodes; mutexes show it.
//! let exclusion = system.error_named("exclusion").expect("defined above");
//! let verdict = decide(&system, &exclusion, &Options::default())?;
//! let Status::Proved(proved) = verdict.status else { panic!("it is safe") };
//! assert_eq!(proved.invariants, [paramcheck::invariant::InvariantKind::MUTEX]);
//!
//! // Every ring has one busy node, to begin with.
//! let movement = system.error_named("movement").expect("defined above");
//! let verdict = decide(&system, &movement, &Options::default())?;
//! let Status::Violated(violated) = verdict.status else { panic!("it is reached at once") };
//! assert_eq!((violated.tree.size(), violated.trace.steps.len()), (2, 0));
//! # Ok::<(), paramcheck::verdict::InternalBug>(())
//! ```

#![cfg_attr(not(feature = "mona"), forbid(unsafe_code))]

pub mod certificate;
pub mod diagnostic;
pub mod emit;
pub mod emulation;
pub mod engine;
pub mod explore;
pub mod instance;
pub mod invariant;
pub mod logic;
pub mod model;
pub mod picture;
pub mod process;
pub mod reading;
pub mod replay;
pub mod report;
pub mod semantics;
pub mod simulate;
pub mod source;
pub mod support;
pub mod syntax;
pub mod verdict;
