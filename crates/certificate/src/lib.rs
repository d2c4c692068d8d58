//! Certificates of "proved for every size": finite evidence, and a checker that trusts no engine.
//!
//! A model, an error and a document ([`data`]) come in; the [checker](check) accepts it as a proof that no
//! instance reaches the error, or refuses it and gives the reason. The argument why what it accepts is a
//! proof stands in `docs/certificate.md`.
//!
//! Not here: anything that makes certificates. This crate knows the model and nothing else, neither the
//! engine that made the certificate nor the table of invariant kinds that the engine used. Cargo enforces
//! that: see its dependencies.
//!
//! ```
//! use paramcheck_certificate::check::{Rejection, check};
//! use paramcheck_certificate::data::Certificate;
//! use paramcheck_text::limits::Budget;
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
//! // Written by `paramcheck --certificate`.
//! let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../certify/tests/exclusion.json"));
//! let mut certificate: Certificate = serde_json::from_str(text)?;
//! assert_eq!(check(&system, &error, &certificate, &Budget::unlimited()), Ok(()));
//!
//! certificate.proof.sets[0].initial = 0;
//! let refused = check(&system, &error, &certificate, &Budget::unlimited());
//! assert!(matches!(refused, Err(Rejection::Proof { .. })), "{refused:?}");
//! # Ok::<(), serde_json::Error>(())
//! ```

pub mod check;
pub mod data;
