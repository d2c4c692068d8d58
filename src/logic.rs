//! The paper's way (section 4): WSκS, the weak monadic second-order logic of κ successors.
//!
//! [`formula`] holds formulas. Nothing here decides a formula; that is MONA's business.

pub mod formula;
