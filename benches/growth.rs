//! How far each direction of growth goes in 60 s and 8 GiB: `cargo bench -p paramcheck-bench --bench growth`.
//!
//! Each family is doubled (locks: one more) until a question takes too long or too much.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark is a program of its own"
)]

const LIMITS: [&str; 4] = ["--time-limit", "60", "--memory-limit", "8192"];

/// Name, text at a size, error, first size, next size.
type Family = (&'static str, fn(usize) -> String, &'static str, usize, fn(usize) -> usize);

use paramcheck_bench::{families, measure};
fn main() {
    let double: fn(usize) -> usize = |n| 2 * n;
    let one_more: fn(usize) -> usize = |n| n + 1;
    let families: [Family; 6] = [
        ("states of a station", families::ring_with_states, "deadlock", 2, double),
        ("states of a station", families::ring_with_states, "exclusion", 2, double),
        ("parameters of a predicate", families::crowd_with_locks, "deadlock", 2, one_more),
        ("parameters of a predicate", families::crowd_with_locks, "critical", 2, one_more),
        ("rules", families::ring_with_rules, "deadlock", 4, double),
        ("rules", families::ring_with_rules, "exclusion", 4, double),
    ];
    for (name, family, error, first, next) in families {
        println!("{name}, {error}:");
        let mut n = first;
        loop {
            let text = family(n);
            let mut arguments = vec!["-", "--error", error, "--quiet"];
            arguments.extend(LIMITS);
            let run = measure::run(&arguments, &text);
            let (seconds, mib) = (run.time.as_secs_f64(), run.peak_kib / 1024);
            println!("  {n:>5}  {:>10.1} ms  {mib:>6} MiB  exit {}", seconds * 1e3, run.code);
            if run.code != 0 || seconds > 60.0 {
                break;
            }
            n = next(n);
        }
    }
}
