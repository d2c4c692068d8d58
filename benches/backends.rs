//! This program against other verifiers on the same questions:
//! `cargo bench -p paramcheck-bench --bench backends [-- SECONDS]`.
//!
//! Each installed back end gets each question by itself, one after the other, within that many seconds (20 by
//! default). The table has the milliseconds of all that was done for the answer, compiling included, and how
//! many times as long that is as the native one takes.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark is a program of its own"
)]

use paramcheck_bench::measure;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use paramcheck_emulation::backend::ALL;
use serde_json::Value;

/// The program on a text; `None` where a back end is not there.
fn verify(text: &str, arguments: &[&str]) -> Option<Value> {
    let own = measure::root().join("target/tools");
    let mut child = Command::new(measure::program())
        .args(["verify", "-", "--json"])
        .args(arguments)
        .env("PARAMCHECK_TOOLS", own)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("its input is piped");
    input.write_all(text.as_bytes()).expect("the program reads its input");
    drop(input);
    let output = child.wait_with_output().expect("the program ends");
    let document: Value = serde_json::from_slice(&output.stdout).expect("a document");
    document["results"].is_array().then_some(document)
}

/// A row per check: what each back end answers, and how long it takes.
fn rows(name: &str, text: &str, arguments: &[&str], others: &[&str], seconds: &str) {
    let limit = ["--time-limit", seconds];
    let all = |backend: &str| verify(text, &[arguments, &["--backend", backend], &limit].concat());
    let Some(native) = all("native") else {
        println!("{name}: cannot be read");
        return;
    };
    let said: Vec<Option<Value>> = others.iter().map(|backend| all(backend)).collect();
    let exploring = native["time_ms"].as_f64().unwrap_or(0.0);
    for (position, result) in native["results"].as_array().into_iter().flatten().enumerate() {
        let check = result["check"].as_str().unwrap_or("");
        // Of an instance, all is found in the one exploration.
        let own = if native["instance"].is_null() { result["time_ms"].as_f64().unwrap_or(0.0) } else { 0.0 };
        let time = exploring + own;
        print!("{name:<24} {check:<14} {:>8} {:<8} {time:>9.1}", native["states"], word(result));
        for document in &said {
            let one = document.as_ref().map_or(&Value::Null, |document| &document["results"][position]);
            match (one["verdict"].as_str(), one["reason"]["code"].as_str()) {
                (Some("unknown"), Some(code)) => print!("  {code:>19}"),
                (Some(_), _) => {
                    let other = one["time_ms"].as_f64().unwrap_or(0.0);
                    let ratio = other / time.max(0.01);
                    let differs = word(result) != "unknown" && one["verdict"] != result["verdict"];
                    assert!(!differs, "{name}, {check}: {one}");
                    // What takes less is mostly the start of a process.
                    let ratio = match ratio {
                        _ if other < MIN_COMPARED => String::new(),
                        ratio if ratio < 9.95 => format!("×{ratio:.1}"),
                        ratio => format!("×{ratio:.0}"),
                    };
                    print!("  {other:>9.0} {ratio:>9}");
                }
                _ => print!("  {:>19}", "?"),
            }
        }
        println!();
    }
}

/// Runs of another verifier that take less time than this, in ms, are printed without a ratio.
const MIN_COMPARED: f64 = 500.0;

fn word(result: &Value) -> &str {
    result["verdict"].as_str().unwrap_or("?")
}

/// Milner's scheduler with that many cells.
fn scheduler(cells: usize) -> String {
    let mut text = String::new();
    let mut system = Vec::new();
    let mut tokens = Vec::new();
    for cell in 1..=cells {
        let next = cell % cells + 1;
        text += &format!(
            "W{cell} = t{cell}.S{cell}; S{cell} = a{cell}.(b{cell}.'t{next}.W{cell} + 't{next}.R{cell}); R{cell} = \
             b{cell}.W{cell};\n"
        );
        system.push(format!("{}{cell}", if cell == 1 { "S" } else { "W" }));
        tokens.push(format!("t{cell}"));
    }
    text += &format!("system ({}) \\ {{{}}};\n", system.join(" | "), tokens.join(", "));
    text + "check alone = always !(can a1 & can a2); check second = eventually did a2; check deadlock;\n"
}

fn main() {
    let seconds = std::env::args().skip(1).find(|word| word.parse::<u32>().is_ok());
    let seconds = seconds.unwrap_or_else(|| "20".to_owned());
    let names = ALL.iter().map(|backend| backend.about().name);
    let others: Vec<&str> = names
        .filter(|name| {
            verify("system 0; check deadlock;", &["--language", "ccs", "--backend", name]).is_some()
        })
        .collect();
    print!("{:<24} {:<14} {:>8} {:<8} {:>9}", "model", "check", "states", "answer", "native ms");
    others.iter().for_each(|name| print!("  {:>9} {:>9}", format!("{name} ms"), "ratio"));
    println!();
    let folder = measure::root();
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("a model");
    // The paper's own.
    for (name, language) in [
        ("examples/ccs/2pc.ccs", "ccs"),
        ("examples/ccs/2pc-unrestricted.ccs", "ccs"),
        ("examples/chor/stock.chor", "chor"),
        ("examples/chor/stock-safe.chor", "chor"),
    ] {
        let short = name.rsplit('/').next().unwrap_or(name);
        rows(short, &read(name), &["--language", language], &others, &seconds);
    }
    for cells in [4, 6, 8, 10, 12] {
        let name = format!("scheduler of {cells}");
        rows(&name, &scheduler(cells), &["--language", "ccs"], &others, &seconds);
    }
    for (name, sizes) in [
        ("examples/philosophers/alt-philo-sym.rs", &["6", "10", "14", "18"][..]),
        ("examples/rings/token-ring.rs", &["4", "8", "16", "32"]),
        ("examples/stars/star.rs", &["4", "8", "12"]),
    ] {
        for size in sizes {
            let file = name.rsplit('/').next().unwrap_or(name);
            rows(&format!("{file}, {size}"), &read(name), &["--size", size], &others, &seconds);
        }
    }
}
