//! Temporal formulas on a system without a language, so that the engine alone is measured:
//! `cargo bench -p paramcheck-bench --bench temporal`.
//!
//! Counters run round side by side, as packed states; the formulas are a safety property, a response, a
//! recurrence under both kinds of fairness, and one that is violated; then the automaton of a long formula
//! alone.

#![allow(clippy::expect_used, missing_docs, reason = "a benchmark is a program of its own")]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use paramcheck_temporal::automaton::Automaton;
use paramcheck_temporal::check::{Answer, Options, check};
use paramcheck_temporal::formula::{Atom, Formula};
use paramcheck_temporal::normal::Arena;
use paramcheck_temporal::system::{Fairness, Kind, System};
use paramcheck_text::limits::Budget;

/// Counters of four bits, side by side in a word. Atom 0: the first is at 0. Atom 1: it moves. Atom 2: it has
/// moved.
struct Counters(u32);

impl System for Counters {
    type State = u64;
    type Step = u32;
    type Fault = ();

    fn atoms(&self) -> &[Kind] {
        &[Kind::State, Kind::Step, Kind::Last]
    }

    fn initial(&mut self) -> Vec<u64> {
        vec![0]
    }

    fn steps(&mut self, state: &u64, each: &mut dyn FnMut(u32, u64)) -> Result<(), ()> {
        for counter in 0..self.0 {
            let value = state >> (counter * 4) & 15;
            let next = if value == 9 { 0 } else { value + 1 };
            each(counter, state & !(15 << (counter * 4)) | next << (counter * 4));
        }
        Ok(())
    }

    fn state_letter(&self, state: &u64, letter: &mut [u64]) {
        letter[0] = u64::from(state & 15 == 0);
    }

    fn step_letter(&self, _: &u64, counter: &u32, _: &u64, letter: &mut [u64]) {
        letter[0] = if *counter == 0 { 0b110 } else { 0 };
    }

    fn units(&self) -> usize {
        self.0 as usize
    }

    fn actors(&self, _: &u64, counter: &u32, units: &mut [u64]) {
        units[0] = 1 << counter;
    }
}

fn p(atom: u32) -> Formula<Atom> {
    Formula::Atom(Atom(atom))
}

fn temporal(criterion: &mut Criterion) {
    let implies = |left, right| Formula::Implies(Box::new(left), Box::new(right));
    let rows = [
        // Behind each step of the first counter it has moved.
        ("safety", implies(p(1), p(2).next()).globally(), Fairness::None),
        ("recurrence, weak", p(0).finally().globally(), Fairness::Weak),
        ("recurrence, strong", p(0).finally().globally(), Fairness::Strong),
        ("response, strong", implies(p(1), p(0).finally()).globally(), Fairness::Strong),
        ("violated", p(0).finally().globally(), Fairness::None),
    ];
    let mut group = criterion.benchmark_group("counters");
    group.sample_size(10);
    for counters in [3, 5] {
        for (name, formula, fairness) in &rows {
            group.bench_with_input(BenchmarkId::new(*name, counters), formula, |bencher, formula| {
                let options = Options { fairness: *fairness, ..Options::default() };
                bencher.iter(|| {
                    let mut system = Counters(counters);
                    let report = check(&mut system, formula, &options, &Budget::unlimited());
                    assert!(matches!(report.answer, Answer::Holds | Answer::Violated(_)));
                    report.pairs
                });
            });
        }
    }
    group.finish();
    let all: Formula<Atom> =
        Formula::And((0..7).map(|atom| implies(p(atom), p(atom + 1).finally()).globally()).collect());
    criterion.bench_function("automaton of seven responses", |bencher| {
        bencher.iter(|| {
            let mut arena = Arena::new();
            let id = arena.add(&all);
            Automaton::new(&arena, id, &Budget::unlimited()).expect("it is small enough").transitions()
        });
    });
}

criterion_group!(benches, temporal);
criterion_main!(benches);
