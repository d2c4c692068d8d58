//! Temporal properties of transition systems: linear temporal logic (LTL) over states and steps.
//!
//! For every language of systems of one size. A language gives its atoms and its transition system; here are
//!
//! - [`formula`]: formulas as they are written, their parser and printer; [`evaluate`]: what they mean on a
//!   run;
//! - [`normal`]: negation normal form, simplified; [`automaton`]: generalised Büchi automata ([`letter`]:
//!   what these read);
//! - [`system`]: what a language implements, and the runs that come back;
//! - [`check`](mod@check): whether all runs of a system satisfy a formula, under a fairness;
//! - [`replay`]: whether a run violates a formula, by its definition.
//!
//! No language lives here, and no file is read. The naive twins of all algorithms, in `twin`, are compiled
//! for tests only.
//!
//! # Example
//!
//! A traffic light that may stay red, or change from red to green and back:
//!
//! ```
//! use paramcheck_temporal::check::{Answer, Options, check};
//! use paramcheck_temporal::formula::{Atom, Formula};
//! use paramcheck_temporal::system::{Kind, System};
//! use paramcheck_text::limits::Budget;
//!
//! struct Light;
//!
//! impl System for Light {
//!     type State = bool; // whether it is green
//!     type Step = &'static str;
//!     type Fault = ();
//!
//!     fn atoms(&self) -> &[Kind] {
//!         &[Kind::State]
//!     }
//!
//!     fn initial(&mut self) -> Vec<bool> {
//!         vec![false]
//!     }
//!
//!     fn steps(&mut self, green: &bool, each: &mut dyn FnMut(&'static str, bool)) -> Result<(), ()> {
//!         each("change", !green);
//!         if !green {
//!             each("stay", false);
//!         }
//!         Ok(())
//!     }
//!
//!     fn state_letter(&self, green: &bool, letter: &mut [u64]) {
//!         letter[0] = u64::from(*green);
//!     }
//!
//!     fn step_letter(&self, _: &bool, _: &&'static str, _: &bool, _: &mut [u64]) {}
//! }
//!
//! let green = || Formula::Atom(Atom(0));
//! // G F !green: it does not stay green for ever.
//! let formula = green().negated().finally().globally();
//! let report = check(&mut Light, &formula, &Options::default(), &Budget::unlimited());
//! assert_eq!(report.answer, Answer::Holds);
//! // F green: it may stay red for ever.
//! let report = check(&mut Light, &green().finally(), &Options::default(), &Budget::unlimited());
//! let Answer::Violated(run) = report.answer else { panic!() };
//! assert_eq!(run.positions, [(false, Some("stay"))]);
//! ```

pub mod automaton;
pub mod check;
pub mod evaluate;
pub mod formula;
pub mod letter;
pub mod normal;
pub mod replay;
mod search;
pub mod system;
#[cfg(test)]
mod twin;
