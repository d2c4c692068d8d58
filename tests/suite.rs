//! The one test binary: everything that looks at the program from outside of a module.

mod suite {
    mod lower;
    #[cfg(feature = "mona")]
    mod mona;
}
