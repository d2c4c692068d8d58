//! Foundations that know nothing of protocols: typed indices and run limits.
//!
//! Imports nothing from the rest of the crate; everything else may import it.

pub mod index;
pub mod limits;
