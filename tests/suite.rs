//! The one test binary: everything that looks at the program from outside of a module.

mod suite {
    #[cfg(feature = "cli")]
    mod cli;
    mod lower;
    mod syntax;
    mod verdicts;
}
