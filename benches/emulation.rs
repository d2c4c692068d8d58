//! States of processes by the interpreter, by triples and by the engine on triples: `cargo bench -p paramcheck-bench --bench emulation`.
//!
//! Milner's scheduler, with so many cells. What is measured is a whole answer to `deadlock`, from the resolved model.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark is a program of its own"
)]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use paramcheck_emulation::answer::{Known, Told, reach};
use paramcheck_emulation::process::encode;
use paramcheck_emulation::question::Question;
use paramcheck_nets::explore::engine::SearchOptions;
use paramcheck_process::semantics::check::{Outcome, Schedule, decide};
use paramcheck_process::semantics::explore::explore;
use paramcheck_process::{Language, load};
use paramcheck_text::limits::Budget;

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
    let budget = Budget::unlimited();
    for cells in [8, 10, 12] {
        let system = load(&scheduler(cells), Language::Ccs).system.expect("the model has a meaning");
        let check = system.checks.first().expect("there is one");
        let structure = || encode(&system, &budget).expect("there are few triples");
        let states = Known::new(&structure(), usize::MAX, &budget).lts.states();
        println!("{cells} cells: {states} states");
        group.bench_function(BenchmarkId::new("interpreter", cells), |bencher| {
            bencher.iter(|| {
                let space = explore(&system, usize::MAX, &budget);
                assert_eq!(space.lts.states(), states);
                assert_eq!(decide(&space, &check.goal, Schedule::Any, &budget), Ok(Outcome::Holds));
            });
        });
        group.bench_function(BenchmarkId::new("triples", cells), |bencher| {
            bencher.iter(|| {
                let known = Known::new(&structure(), usize::MAX, &budget);
                assert_eq!(known.answer(&check.goal, Schedule::Any, &budget), Ok(Told::Holds));
            });
        });
        for threads in [1, 2] {
            let name = format!("engine, threads: {threads}");
            let options = SearchOptions { threads, ..SearchOptions::default() };
            group.bench_function(BenchmarkId::new(name, cells), |bencher| {
                bencher.iter(|| {
                    let demand = Question::of_check(check).demand;
                    let reached = reach(&structure(), &demand, &options, &budget).expect("it is packed");
                    assert_eq!((reached.told, reached.states), (Told::Holds, states));
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, emulation);
criterion_main!(benches);
