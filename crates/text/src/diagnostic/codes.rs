//! The table of all kinds of diagnostics.

use super::Code;

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

pub mod input;
pub mod model;
pub mod process;
pub mod syntax;

/// All kinds, in the order of their codes.
pub fn all() -> impl Iterator<Item = Code> {
    input::ALL.iter().chain(syntax::ALL).chain(model::ALL).chain(process::all()).copied()
}

/// The kind with this code (case-insensitive).
pub fn find(id: &str) -> Option<Code> {
    all().find(|code| code.id.eq_ignore_ascii_case(id))
}
