//! The engine alone, without process and files: `cargo bench -p paramcheck-bench --bench engine`.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark is a program of its own"
)]

use criterion::{Criterion, criterion_group, criterion_main};
use paramcheck_model::lower::load;
use paramcheck_verdict::{Options, decide};

fn engine(criterion: &mut Criterion) {
    let models = [
        ("token-ring", include_str!("../tests/cases/table1/token-ring.rs"), "critical"),
        ("alt-philo-generic", include_str!("../tests/cases/table1/alt-philo-generic.rs"), "forbidden"),
        ("tree3-wave", include_str!("../tests/cases/more/tree3-wave.rs"), "deadlock"),
        ("coffee-can", include_str!("../tests/cases/classic/coffee-can.rs"), "wrong"),
        (
            "dining-cryptographers",
            include_str!("../tests/cases/classic/dining-cryptographers.rs"),
            "forbidden",
        ),
    ];
    let mut group = criterion.benchmark_group("decide");
    group.sample_size(20);
    for (name, text, error) in models {
        let system = load(text).system.expect("the model has a meaning");
        let error = system.error_named(error).expect("the model has the error");
        group.bench_function(name, |bencher| {
            bencher.iter(|| decide(&system, &error, &Options::default()).expect("no bug"));
        });
    }
    group.finish();
}

criterion_group!(benches, engine);
criterion_main!(benches);
