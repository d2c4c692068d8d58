//! The one test binary: everything that looks at the program from outside of a module.

// `cfg(test)` is always true here; it tells clippy that helpers may unwrap.
#[cfg(test)]
mod suite {
    mod formulas;
    mod lower;
    mod mona_program;
    mod syntax;
    mod verdicts;
}
