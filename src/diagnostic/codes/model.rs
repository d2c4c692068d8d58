//! Kinds of diagnostics found while giving a tree its meaning (`E02..`, `W02..`).
//!
//! Every kind carries a small wrong and a small right model; a test lowers both and asks that the
//! wrong one gives exactly this code and the right one no error.

use crate::diagnostic::Code;

/// Declares kinds and lists them: name, code, severity, title, text, wrong and right example.
macro_rules! kinds {
    ($list:ident: $($name:ident = $severity:ident $id:literal $title:literal
        { $text:literal wrong { $($wrong:literal)* } right { $($right:literal)* } })*) => {
        $(
            #[doc = concat!($id, ": ", $title, ".")]
            pub static $name: CodeInfo = CodeInfo {
                id: $id,
                severity: Severity::$severity,
                title: $title,
                explanation: concat!(
                    $text, "\n\nWrong:\n\n", $("    ", $wrong, "\n",)* "\nRight:\n\n", $("    ", $right, "\n",)*
                ),
            };
        )*
        /// The kinds of this file in the order of their codes.
        pub const $list: &[Code] = &[$(&$name),*];
    };
}

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
