//! Kinds of diagnostics found while giving a tree its meaning (`E02..`, `W02..`).
//!
//! Every kind carries a small wrong and a small right model; a test lowers both and checks that the
//! wrong one gives exactly this code and the right one no error.

use crate::diagnostic::Code;

pub mod errors;
pub mod warnings;

/// All kinds of this file: errors, then warnings.
pub const ALL: &[Code] = &{
    let mut all = [errors::ALL[0]; errors::ALL.len() + warnings::ALL.len()];
    let mut next = 0;
    while next < all.len() {
        let warning = next.wrapping_sub(errors::ALL.len());
        all[next] = if next < errors::ALL.len() { errors::ALL[next] } else { warnings::ALL[warning] };
        next += 1;
    }
    all
};
