//! What the benchmarks share: runs of the whole program ([`measure`]) and systems that grow ([`families`]).

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark is a program of its own"
)]

pub mod families;
pub mod measure;
