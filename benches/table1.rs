//! Whole-process time of each question of the paper's Table 1:
//! `cargo bench -p paramcheck-bench --bench table1`.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark is a program of its own"
)]

use paramcheck_bench::measure;
use std::fs;

fn main() {
    let folder = measure::root().join("tests/cases/table1");
    let expected = fs::read_to_string(folder.join("expected.json")).expect("the cases are there");
    let expected: serde_json::Value = serde_json::from_str(&expected).expect("valid JSON");
    println!("{:<34} {:<10} {:>10} {:>9} {:>5}", "model", "error", "median ms", "peak KiB", "exit");
    let mut times = Vec::new();
    for (model, errors) in expected.as_object().expect("an object") {
        let text = fs::read_to_string(folder.join(model)).expect("a model");
        for error in errors.as_object().expect("an object").keys() {
            let run = || measure::run(&["-", "--error", error, "--quiet"], &text);
            let mut runs: Vec<_> = (0..15).map(|_| run()).collect();
            runs.sort_by_key(|run| run.time);
            let (time, peak) = (runs[7].time, runs[7].peak_kib);
            let millis = time.as_secs_f64() * 1e3;
            println!("{model:<34} {error:<10} {millis:>10.1} {peak:>9} {:>5}", runs[7].code);
            times.push(time);
        }
    }
    times.sort();
    let (middle, last) = (times[times.len() / 2], times[times.len() - 1]);
    println!("{} questions: median {middle:.1?}, slowest {last:.1?}", times.len());
}
