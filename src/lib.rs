//! Proves safety of distributed systems **of every size at once**.
//!
//! A ring, star, tree or chain of any number of components is described once, by rewriting rules (the
//! language is shown in `docs/language.md`). A question about it, such as "does any instance deadlock", is
//! answered for all instances by [`decide`]: *proved* with a certificate that [`check_certificate`] has
//! accepted, *violated* with a trace that was replayed, or *unknown* with what was tried. The method is
//! structural invariants (traps, mutexes and others) over rewriting trees: Bozga and Iosif, *Specification
//! and Safety Verification of Parametric Hierarchical Distributed Systems*, FACS 2021;
//! `docs/engine.md` explains how they are found here.
//!
//! This crate is the façade: the names below are what a program that uses paramcheck needs. The work is done
//! by the crates in `crates/` (`docs/architecture.md`); what is here beside the names turns verdicts into
//! text and JSON ([`report`]), traces back into runs ([`replay`]), instances into a simulator ([`simulate`])
//! and all of them into pictures ([`picture`]).
//!
//! The library has no side effects: no file is opened, nothing printed, nothing exits. With the feature
//! `mona` there is one: MONA runs in child processes.
//!
//! # Example
//!
//! ```
//! use paramcheck::{InvariantKind, Options, Status, decide, load};
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
//! assert_eq!(proved.invariants, [InvariantKind::MUTEX]);
//!
//! // Every ring has one busy node, to begin with.
//! let movement = system.error_named("movement").expect("defined above");
//! let verdict = decide(&system, &movement, &Options::default())?;
//! let Status::Violated(violated) = verdict.status else { panic!("it is reached at once") };
//! assert_eq!((violated.tree.size(), violated.trace.steps.len()), (2, 0));
//! # Ok::<(), paramcheck::InternalBug>(())
//! ```

pub mod picture;
pub mod replay;
pub mod report;
pub mod simulate;

// Texts.
pub use paramcheck_text::diagnostic::Diagnostic;
pub use paramcheck_text::limits::{Budget, Stop};
// Rewriting systems, and their instances.
pub use paramcheck_invariants::kind::InvariantKind;
pub use paramcheck_model::error::NamedError;
pub use paramcheck_model::lower::{Lowered, load};
pub use paramcheck_model::system::System;
pub use paramcheck_model::tree::RewritingTree;
pub use paramcheck_nets::explore::trace::Trace;
pub use paramcheck_nets::instance::enumerate::trees;
pub use paramcheck_nets::instance::marking::Marking;
pub use paramcheck_nets::instance::net::Net;
pub use paramcheck_nets::instance::unfold::unfold;
// Verdicts for every size.
pub use paramcheck_certificate::check::{Rejection, check as check_certificate};
pub use paramcheck_certificate::data::Certificate;
pub use paramcheck_verdict::{
    Candidate, EngineChoice, InternalBug, InvariantChoice, Options, Proved, Reason, Status, Unknown, Verdict,
    Violated, decide,
};
// Processes, and verdicts about systems of one size.
pub use paramcheck_emulation::Structure;
pub use paramcheck_emulation::process::encode;
pub use paramcheck_process::model::System as ProcessSystem;
pub use paramcheck_process::{Language, load as load_process};
pub use paramcheck_verdict::process::{
    CheckVerdict, Decision, InstanceQuestions, Options as ProcessOptions, ProcessChecks, Verifier,
    VerifierRun, decide as decide_process,
};
