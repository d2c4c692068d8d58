//! Sequential emulation: a process or an instance as symbolically linked transition triples, and these as the
//! sequential program that is explored here or written for other verifiers.
//!
//! Source: Di Stefano, De Nicola, Inverso, *Verification of Distributed Systems via Sequential Emulation*,
//! TOSEM 31(3), section 3. Tables 5 and 6 are repaired.
//!
//! Data flows from a resolved process model or the net of an instance to a [`Structure`] (made by the
//! encoders only), with a [`Question`](question::Question) to a [`Program`](program::Program), and from there
//! to text. What a structure does is defined once, in [`evolution`]: every writer means that, and the
//! interpreter of `semantics`, which shares nothing with this module but the model, is held against it.
//!
//! The engines for the languages of agents are here too: [`labs`] and [`rcheck`] pack their states, and write them
//! for other verifiers.
//!
//! [`backend`] says how other verifiers are queried; what they claim to be violations is taken step by step
//! in [`replay`]. No process is started here, and no verdict given (see the crate `verdict`).
//!
//! # Example
//!
//! ```
//! use paramcheck_emulation::{process::encode, table::table};
//! use paramcheck_process::{Language, load};
//! use paramcheck_text::limits::Budget;
//!
//! let text = "system a.b.0 | 'a.0;";
//! let system = load(text, Language::Ccs).system.expect("the process has a meaning");
//! let structure = encode(&system, &Budget::unlimited())?;
//! // `a`, `b` and `'a` by themselves, and `a` with `'a`.
//! assert_eq!(structure.triples.iter().filter(|triple| triple.label().is_some()).count(), 4);
//! assert!(table(&structure, &Budget::unlimited()).is_ok_and(|text| text.contains("tau")));
//! # Ok::<(), paramcheck_emulation::process::NotEncoded>(())
//! ```

pub(crate) mod algebra;
pub mod backend;
pub mod dot;
pub mod emit;
pub mod evolution;
pub mod expression;
pub mod instance;
pub mod labs;
pub mod packed;
pub mod process;
pub mod program;
pub mod question;
pub mod rcheck;
pub mod replay;
pub mod states;
pub mod table;
pub mod triple;
pub mod writers;

pub use triple::Structure;
