//! The paper's way (section 4): the parametric question as one formula of WSκS, the weak monadic
//! second-order logic of κ successors.
//!
//! [`formula`] holds formulas, [`mod@print`] writes them. [`normalize`] makes rewriting trees words or binary
//! trees, [`flow`] lists what can happen in them, [`encoding`] has one function per definition of the
//! paper, [`question`](mod@question) puts them together, and [`tracks`] takes a model of the formula back
//! to an instance. [`emit`] writes a question as text. Nothing here decides a formula; that is MONA's
//! business.

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
