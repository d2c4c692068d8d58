//! What simplification saves MONA, and what it takes: `cargo bench --features mona --bench simplify`.
//!
//! Each formula is decided as it is, simplified as questions usually are (not at all, where that is not
//! expected to pay), and with every piece simplified. Times are the quickest of several runs, taken in
//! turns, for the machine may be shared; sizes of automata are the same in every run.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark is a program of its own"
)]

use paramcheck_bench::{families, measure};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::lower::load;
use paramcheck_model::system::System;
use paramcheck_text::limits::Budget;
use paramcheck_wsks::encoding::Encoder;
use paramcheck_wsks::formula::{FormulaId, Store};
use paramcheck_wsks::mona::{Means, Question, Worker, decide};
use paramcheck_wsks::normalize::normalize;
use paramcheck_wsks::question::{Goal, question};
use paramcheck_wsks::simplify::rules::Rule;
use paramcheck_wsks::simplify::{Effort, pays, simplify};

#[allow(dead_code, reason = "tests use the rest of it")]
#[path = "../tests/suite/support/flow.rs"]
mod flow;

use flow::Flow;

const RUNS: usize = 7;
/// What takes longer is run once.
const QUICK: Duration = Duration::from_secs(1);

/// A formula to be decided.
struct Task {
    name: String,
    store: Store,
    formula: FormulaId,
    kappa: u8,
}

/// What it took.
#[derive(Clone, Copy)]
struct Measured {
    simplification: Duration,
    mona: Duration,
    /// Of the largest automaton.
    states: u32,
    nodes: u32,
    /// Over all automata.
    all_nodes: u64,
    steps: usize,
}

fn cases(folder: &str) -> PathBuf {
    measure::root().join(folder)
}

fn system(text: &str) -> System {
    load(text).system.expect("the model has a meaning")
}

fn task(name: String, system: &System, error: &str, kinds: &[InvariantKind]) -> Task {
    let error = system.error_named(error).expect("the model has the error");
    let question = question(system, Goal::Error(&error.formula), kinds, &[]).expect("a formula");
    Task { name, store: question.store, formula: question.formula, kappa: question.kappa }
}

fn table1(kinds: &[InvariantKind]) -> Vec<Task> {
    let folder = cases("tests/cases/table1");
    let expected = fs::read_to_string(folder.join("expected.json")).expect("the cases are there");
    let expected: serde_json::Value = serde_json::from_str(&expected).expect("valid JSON");
    let mut tasks = Vec::new();
    for (model, errors) in expected.as_object().expect("an object") {
        let system = system(&fs::read_to_string(folder.join(model)).expect("a model"));
        for error in errors.as_object().expect("an object").keys() {
            let name = format!("{} {error}", model.trim_end_matches(".rs"));
            tasks.push(task(name, &system, error, kinds));
        }
    }
    tasks
}

fn growth(kinds: &[InvariantKind]) -> Vec<Task> {
    let texts = [
        ("16 states", families::ring_with_states(16), "deadlock"),
        ("32 states", families::ring_with_states(32), "exclusion"),
        ("4 parameters", families::crowd_with_locks(4), "deadlock"),
        ("5 parameters", families::crowd_with_locks(5), "deadlock"),
        ("6 parameters", families::crowd_with_locks(6), "critical"),
        ("16 rules", families::ring_with_rules(16), "deadlock"),
        ("32 rules", families::ring_with_rules(32), "exclusion"),
    ];
    texts.map(|(name, text, error)| task(format!("{name} {error}"), &system(&text), error, kinds)).into()
}

/// The paper's own formulas, about rewriting trees.
fn paper() -> Vec<Task> {
    let mut tasks = Vec::new();
    for model in ["token-ring", "star", "tree-back-root"] {
        let text = fs::read_to_string(cases("tests/cases/table1").join(format!("{model}.rs")));
        let system = system(&text.expect("a model"));
        let normalized = normalize(&system);
        for what in ["trap", "mutex", "deadlock"] {
            let mut encoder = Encoder::new(&normalized.system, &[]).expect("a formula");
            let theta = encoder.theta.clone();
            let formula = match what {
                "trap" => Flow::new(&mut encoder).trap(&theta),
                "mutex" => Flow::new(&mut encoder).mutex(&theta),
                _ => Flow::new(&mut encoder).deadlock(),
            };
            let parts = [encoder.rtree(), encoder.inst(&theta), encoder.mark(), formula.expect("a formula")];
            let formula = encoder.store.and(parts);
            let (store, kappa) = (encoder.store, encoder.kappa);
            tasks.push(Task { name: format!("{model} {what}"), store, formula, kappa });
        }
    }
    tasks
}

/// Errors as somebody might write them; A and B stand for states, T for a type.
const WRITTEN: [&str; 12] = [
    "ex1 x, y, z: x in A & y in A & z in A & x != y & y != z & x != z",
    "!(all1 x: !(x in A & all1 y: !(y in B)))",
    "ex1 x, y: x = y & x in A & y in T & all1 z: z in A => z = x",
    "ex2 G: G = A & ex1 x: x in G & all1 y: y in G => y = x",
    "ex1 x, y: x in A & y in B | x in B & y in A | x in B & y in B & x != y",
    "ex2 G: G sub A & (ex1 x: x in G & (all1 y: y in G => y = x) | (ex1 y: y in B & all1 z: z in G <=> z = y))",
    "ex2 G, H: G sub A & H sub B & (ex1 x: x in G) & (ex1 y: y in H) & ex1 z: z in A & !(z in G)",
    "ex1 x: x in A & (x in A | x in B) & (x in B | !(x in A) | x in T)",
    "(ex1 x: x in A) & (ex1 y: y in B & y in T) | (ex1 x: x in A) & (ex1 y: y in B & !(y in T))",
    "ex2 G: (all1 x: !(x in G) <=> !(x in A)) & all1 x: x in G => x in T",
    "all1 x: ex1 y: all1 z: y in A & !(y in B)",
    "all2 G: (all1 x: x in G => x in A) & (ex1 x: x in G) => ex1 x: x in G & x in T",
];

/// The written errors alone, without invariants.
fn written() -> Vec<Task> {
    let mut tasks = Vec::new();
    let names = [
        ("token-ring", ["busy", "hbusy", "Node"]),
        ("star-ring", ["crit", "hcrit", "Node"]),
        ("tree-linked-leaves", ["c", "tc", "Leaf"]),
    ];
    for (model, [a, b, t]) in names {
        let text = fs::read_to_string(cases("tests/cases/table1").join(format!("{model}.rs")));
        let text = text.expect("a model");
        for (number, formula) in WRITTEN.iter().enumerate() {
            let words = formula.split(' ').map(|word| word.replace('A', a).replace('B', b).replace('T', t));
            let formula = words.collect::<Vec<_>>().join(" ");
            let system = system(&format!("{text}\nerror asked = wsks {{ {formula} }};\n"));
            tasks.push(task(format!("{model} {}", number + 1), &system, "asked", &[]));
        }
    }
    tasks
}

/// Decides a formula with each effort, in turns.
fn measure(task: &Task, efforts: &[Option<Effort>], runs: usize) -> Vec<Measured> {
    let means =
        Means { worker: Worker { program: measure::program() }, budget: Budget::unlimited(), memory: None };
    let mut all: Vec<Option<Measured>> = vec![None; efforts.len()];
    for _ in 0..runs {
        for (effort, best) in efforts.iter().zip(&mut all) {
            if best.is_some_and(|best| best.mona > QUICK) {
                continue;
            }
            let mut store = task.store.clone();
            let begin = Instant::now();
            let formula = match effort {
                Some(effort) => simplify(&mut store, task.formula, task.kappa, effort).formula,
                None => task.formula,
            };
            let simplification = begin.elapsed();
            let begin = Instant::now();
            let question = Question { store: &store, formula, successors: task.kappa };
            let decision = decide(&question, &means).expect("an answer");
            let mona = begin.elapsed();
            let built = &decision.built;
            let before = best.unwrap_or(Measured {
                simplification,
                mona,
                states: built.iter().map(|built| built.states).max().unwrap_or(0),
                nodes: built.iter().map(|built| built.nodes).max().unwrap_or(0),
                all_nodes: built.iter().map(|built| u64::from(built.nodes)).sum(),
                steps: built.len(),
            });
            *best = Some(Measured {
                simplification: before.simplification.min(simplification),
                mona: before.mona.min(mona),
                ..before
            });
        }
    }
    all.into_iter().flatten().collect()
}

fn most() -> Effort {
    Effort { least: 0, ..Effort::default() }
}

fn ratios(name: &str, pairs: impl Iterator<Item = (f64, f64)>) {
    let mut ratios: Vec<f64> = pairs.map(|(before, after)| after / before).collect();
    ratios.sort_by(f64::total_cmp);
    if let (Some(least), Some(most)) = (ratios.first(), ratios.last()) {
        let median = ratios[ratios.len() / 2];
        println!("  {name}: median {median:.2}, least {least:.2}, most {most:.2}");
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// One row per formula: as it is, as usual, everything.
fn rows(title: &str, tasks: &[Task]) {
    println!("\n{title}\n");
    println!(
        "| formula | ms | states | nodes | usual ms | with MONA ms | states | nodes | all ms | with MONA ms | states | nodes |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let mut all: Vec<Vec<Measured>> = Vec::new();
    for task in tasks {
        let usual = pays(&task.store, task.formula, task.kappa).then(Effort::default);
        let measured = measure(task, &[None, usual, Some(most())], RUNS);
        let mut row = format!("| {} |", task.name);
        for (number, m) in measured.iter().enumerate() {
            if number > 0 {
                row += &format!(" {:.1} |", millis(m.simplification));
            }
            row += &format!(" {:.1} | {} | {} |", millis(m.simplification + m.mona), m.states, m.nodes);
        }
        println!("{row}");
        all.push(measured);
    }
    for (number, name) in [(1, "as usual"), (2, "everything")] {
        println!("\n{name}:");
        type Value = fn(&Measured) -> f64;
        let values: [(&str, Value); 5] = [
            ("MONA's time", |m| millis(m.mona)),
            ("with simplification", |m| millis(m.mona + m.simplification)),
            ("nodes of the largest automaton", |m| f64::from(m.nodes)),
            ("nodes of all automata", |m| m.all_nodes as f64),
            ("automata", |m| m.steps as f64),
        ];
        for (what, value) in values {
            ratios(what, all.iter().map(|m| (value(&m[0]), value(&m[number]))));
        }
    }
}

/// What is lost without each rule: nodes of all automata, compared with no simplification.
fn rules(title: &str, tasks: &[Task]) {
    println!("\n{title}, everything simplified but without one rule: nodes of all automata");
    let mut efforts = vec![None, Some(Effort { rules: Rule::ALL.to_vec(), ..most() })];
    efforts.push(Some(Effort { rules: Vec::new(), ..most() }));
    for rule in Rule::ALL {
        let rules = Rule::ALL.into_iter().filter(|&other| other != rule).collect();
        efforts.push(Some(Effort { rules, ..most() }));
    }
    let all: Vec<Vec<Measured>> = tasks.iter().map(|task| measure(task, &efforts, 1)).collect();
    let names = ["all rules".to_owned(), "no rule, only the order of conjuncts".to_owned()];
    let names = names.into_iter().chain(Rule::ALL.map(|rule| format!("without {rule:?}")));
    for (number, name) in names.enumerate() {
        let nodes = |m: &Measured| m.all_nodes as f64;
        let sum = |at: usize| all.iter().map(|m| nodes(&m[at])).sum::<f64>();
        println!("  {name}: {:.3} of those without simplification", sum(number + 1) / sum(0));
        ratios(&name, all.iter().map(|m| (nodes(&m[0]), nodes(&m[number + 1]))));
    }
}

fn main() {
    let pair = [InvariantKind::TRAP, InvariantKind::MUTEX];
    let table = table1(&pair);
    rows("Table 1 by traps and mutexes", &table);
    rows("Table 1 by all kinds", &table1(&InvariantKind::all_up_to(2)));
    rows("Growing systems", &growth(&pair));
    rows("The paper's own formulas", &paper());
    let written = written();
    rows("Written errors", &written);
    rules("Table 1", &table);
    rules("Written errors", &written);
}
