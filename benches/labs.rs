//! Agents: every row of the papers' tables at its published parameters, and hand-written searches of two models:
//! `cargo bench -p paramcheck-bench --bench labs [-- ROW]`, ROW being a part of a line. The hand-written ones
//! (`peers/*.cpp`) need `c++`.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark is a program of its own"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use paramcheck_bench::measure::{self, Limits, Run};
use serde_json::Value;

/// Quick runs are measured so often, and the quickest counts.
const REPEATS: usize = 3;
/// What takes longer is measured once.
const QUICK_SECONDS: f64 = 2.0;
const LIMITS: Limits = Limits { time: std::time::Duration::from_secs(600), memory_kib: 16 << 20 };

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    rows(&wanted);
    peers(&wanted);
}

/// The rows of the papers' tables.
fn rows(wanted: &str) {
    let folder = measure::root().join("tests/cases/labs");
    let text = std::fs::read_to_string(folder.join("rows.json")).expect("the rows are there");
    let rows: Vec<Value> = serde_json::from_str(&text).expect("they are JSON");
    println!("| model and parameters | question | published, best | exit | s | MiB |");
    println!("| --- | --- | ---: | ---: | ---: | ---: |");
    for row in &rows {
        let name = row["file"].as_str().expect("a file");
        let mut words: Vec<String> = vec!["labs".to_owned(), path(&folder.join("examples").join(name))];
        let parameters = row["params"].as_object().expect("parameters");
        words.extend(parameters.iter().map(|(name, value)| format!("{name}={value}")));
        let shown = words[2..].join(" ");
        let schedule = row["schedule"].as_str().expect("a schedule");
        if schedule != "free" {
            words.push("--fair".to_owned());
        }
        let property = row["property"].as_str().expect("a property");
        let question = row["text"].as_str().map(|text| format!("{property} = {text}"));
        words.extend(["--quiet".to_owned(), "--property".to_owned()]);
        words.push(question.unwrap_or_else(|| property.to_owned()));
        if let Some(steps) = row["steps"].as_u64() {
            words.extend(["--steps".to_owned(), steps.to_string()]);
        }
        let title = format!("| {name} {shown}, {schedule} | `{property}` |");
        if title.contains(wanted) {
            let run = quickest(&mut || {
                let mut command = Command::new(measure::program());
                command.args(&words);
                command
            });
            println!("{title} {} | {}", best(&row["times"]), cells(run));
        }
    }
}

fn path(path: &Path) -> String {
    path.to_str().expect("it is in UTF-8").to_owned()
}

/// The best of the times that another tool is said to have taken to an answer.
fn best(times: &Value) -> String {
    let factor = if times["unit"] == "min" { 60.0 } else { 1.0 };
    let tools = times.as_object().into_iter().flatten().filter(|(tool, _)| *tool != "KiB");
    let numbers = tools.flat_map(|(_, value)| match value {
        Value::Array(all) => all.iter().filter_map(Value::as_f64).collect(),
        value => value.as_f64().into_iter().collect::<Vec<f64>>(),
    });
    numbers.reduce(f64::min).map_or_else(String::new, |best| format!("{:.1} s", best * factor))
}

/// The quickest of some runs, if they are quick.
fn quickest(command: &mut dyn FnMut() -> Command) -> Run {
    let mut once = || {
        let mut command = command();
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        measure::watch(&mut command, "", Some(LIMITS))
    };
    let mut best = once();
    if best.time.as_secs_f64() < QUICK_SECONDS {
        for _ in 1..REPEATS {
            let run = once();
            best = if run.time < best.time { run } else { best };
        }
    }
    best
}

fn cells(run: Run) -> String {
    format!("{} | {:.2} | {} |", run.code, run.time.as_secs_f64(), run.peak_kib / 1024)
}

/// All states, by this program and by a search that was written by hand for the model.
fn peers(wanted: &str) {
    println!("\n| all states of | by hand, s | MiB | here, s | MiB |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    let models: [(&str, &[&str], &[&str]); 4] = [
        ("leader", &["6"], &["n=6"]),
        ("leader", &["7"], &["n=7"]),
        ("flock", &["3", "2"], &["birds=3", "grid=3", "delta=2", "--schedule", "round-robin"]),
        ("flock", &["5", "5"], &["birds=3", "grid=5", "delta=5", "--schedule", "round-robin"]),
    ];
    for (name, numbers, parameters) in models {
        let title = format!("| {name} {} |", numbers.join(" "));
        if !title.contains(wanted) {
            continue;
        }
        let Some(program) = compiled(name) else {
            println!("{title} no `c++` here |");
            continue;
        };
        let by_hand = quickest(&mut || {
            let mut command = Command::new(&program);
            command.args(numbers);
            command
        });
        let file = path(&measure::root().join(format!("tests/cases/labs/examples/{name}.labs")));
        let here = quickest(&mut || {
            let mut command = Command::new(measure::program());
            command.args(["explore", &file]).args(parameters);
            command.args(["--quiet", "--threads", "1", "--max-states", "1000000000"]);
            command
        });
        let [hand, own] =
            [by_hand, here].map(|run| format!("{:.2} | {}", run.time.as_secs_f64(), run.peak_kib / 1024));
        println!("{title} {hand} | {own} |");
    }
}

/// The program of a hand-written search; none, if there is no compiler.
fn compiled(name: &str) -> Option<PathBuf> {
    let source = measure::root().join(format!("benches/peers/{name}.cpp"));
    let program = std::env::temp_dir().join(format!("paramcheck-peer-{name}"));
    let compiler = Command::new("c++").arg("-O2").arg("-o").arg(&program).arg(source).status();
    compiler.is_ok_and(|status| status.success()).then_some(program)
}
