//! The one test binary: everything that looks at the program from outside of a module.

// `cfg(test)` is always true here; this attribute lets clippy know that helpers may unwrap.
#[cfg(test)]
mod suite {
    mod advice;
    mod agree;
    mod backends;
    mod certificate;
    #[cfg(feature = "cli")]
    mod cli;
    mod components;
    mod crosscheck;
    mod emulation;
    #[cfg(all(feature = "mona", feature = "cli"))]
    mod engines;
    mod evaluate;
    mod examples;
    mod explanation;
    mod explore;
    mod forged;
    mod formats;
    mod formulas;
    mod history;
    mod instance;
    mod labs;
    mod last_resort;
    mod lower;
    #[cfg(feature = "lsp")]
    mod lsp;
    #[cfg(all(feature = "mona", feature = "cli"))]
    mod mona;
    mod mona_program;
    mod naive;
    mod never;
    mod phases;
    mod picture;
    mod processes;
    mod replay;
    mod runs;
    #[cfg(all(feature = "mona", feature = "cli"))]
    mod simplify;
    mod simulate;
    mod support;
    mod syntax;
    mod tidy;
    mod verdicts;
}
