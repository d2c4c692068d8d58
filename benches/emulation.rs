//! Deadlock of processes, by each way that `verify` may take:
//! `cargo bench -p paramcheck-bench --bench emulation`.
//!
//! The model is Milner's scheduler with a number of cells. What is measured is a whole verdict, from the
//! resolved model to the recheck of the proof: by the rules; from triples with all transitions; from triples
//! by the engine.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark is a program of its own"
)]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use paramcheck_process::{Language, load};
use paramcheck_verdict::Status;
use paramcheck_verdict::process::{Answer, Options, ProcessChecker, ProcessChecks, StateSource};

fn scheduler(cells: usize) -> String {
    let mut text = String::new();
    for cell in 1..=cells {
        let next = cell % cells + 1;
        text.push_str(&format!(
            "W{cell} = t{cell}.S{cell};\n\
             S{cell} = a{cell}.(b{cell}.'t{next}.W{cell} + 't{next}.R{cell});\n\
             R{cell} = b{cell}.W{cell};\n"
        ));
    }
    let others: Vec<String> = (2..=cells).map(|cell| format!("W{cell}")).collect();
    let tokens: Vec<String> = (1..=cells).map(|cell| format!("t{cell}")).collect();
    text + &format!("system (S1 | {}) \\ {{{}}};\ncheck deadlock;\n", others.join(" | "), tokens.join(", "))
}

fn emulation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("scheduler");
    group.sample_size(10);
    for cells in [8, 10, 12] {
        let system = load(&scheduler(cells), Language::Ccs).system.expect("the model has a meaning");
        let subject = ProcessChecks { name: "scheduler", system: &system, checks: &system.checks };
        let decide = |options: &Options, source| {
            let found = ProcessChecker::new(&subject, options, source).decide();
            let is_proved = |answer: &Result<Answer<_>, _>| {
                answer.as_ref().is_ok_and(|answer| matches!(answer.status, Status::Proved(_)))
            };
            assert!(found.explored.is_complete && found.answers.iter().all(is_proved));
            found.explored.states
        };
        let with = |max_lts_states, threads| Options {
            max_states: usize::MAX,
            max_lts_states,
            threads,
            ..Options::default()
        };
        let ways = [
            ("rules", with(usize::MAX, 1), StateSource::Rules),
            ("triples, with transitions", with(usize::MAX, 1), StateSource::Triples),
            ("triples, engine, threads: 1", with(1, 1), StateSource::Triples),
            ("triples, engine, threads: 2", with(1, 2), StateSource::Triples),
        ];
        let states = decide(&ways[0].1, StateSource::Rules);
        println!("{cells} cells: {states} states");
        for (name, options, source) in ways {
            group.bench_function(BenchmarkId::new(name, cells), |bencher| {
                bencher.iter(|| assert_eq!(decide(&options, source), states));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, emulation);
criterion_main!(benches);
