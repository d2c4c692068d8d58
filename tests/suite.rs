//! The one test binary: everything that looks at the program from outside of a module.

#![allow(clippy::unwrap_used)] // a test that can't go on fails

mod suite {
    mod lower;
}
