//! The program against the stand-alone program `mona`, whole processes on the same questions:
//! `cargo bench -p paramcheck-bench --bench mona`. It needs `mona` (Debian package `mona`), not the feature.
//!
//! `mona` reads the formula as `paramcheck emit` writes it, by traps and mutexes (the paper's method), and
//! by the kinds that the direct engine's proof names. The machine may be shared: what is reported is the
//! quickest of several runs, taken in turns.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark is a program of its own"
)]

use paramcheck_bench::{families, measure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use paramcheck_bench::measure::Limits;
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::lower::load;
use paramcheck_verdict::{Options, Status, decide};
use paramcheck_wsks::emit;
use paramcheck_wsks::question::{Goal, question};

const LIMITS: Limits = Limits { time: Duration::from_secs(60), memory_kib: 4 << 20 };
/// Runs of a question that is quick, and what quick is.
const RUNS: usize = 9;
const QUICK: Duration = Duration::from_secs(1);

/// Times of one question.
struct Measured {
    direct: Duration,
    /// By traps and mutexes, and by the kinds that the proof names; how it ended instead.
    mona: [Result<Duration, String>; 2],
    is_proved: bool,
}

fn main() {
    let folder = std::env::temp_dir().join(format!("paramcheck-bench-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for files");
    table1(&folder);
    growth(&folder);
    fs::remove_dir_all(folder).expect("the folder can be removed");
}

fn table1(folder: &Path) {
    let cases = measure::root().join("tests/cases/table1");
    let expected = fs::read_to_string(cases.join("expected.json")).expect("the cases are there");
    let expected: serde_json::Value = serde_json::from_str(&expected).expect("valid JSON");
    println!("| model | error | answer | direct ms | trap + mutex ms | ratio | same kinds ms | ratio |");
    println!("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |");
    let mut all = Vec::new();
    for (model, errors) in expected.as_object().expect("an object") {
        let text = fs::read_to_string(cases.join(model)).expect("a model");
        for error in errors.as_object().expect("an object").keys() {
            let measured = ask(folder, &text, error);
            let answer = if measured.is_proved { "proved" } else { "violated" };
            println!("| {} | {error} | {answer} {}", model.trim_end_matches(".rs"), columns(&measured));
            all.push(measured);
        }
    }
    for (number, name) in ["trap + mutex", "the same kinds"].into_iter().enumerate() {
        summary(name, &all, number);
    }
}

fn summary(name: &str, all: &[Measured], number: usize) {
    let times: Vec<(f64, f64)> = all
        .iter()
        .filter_map(|measured| {
            let mona = measured.mona[number].as_ref().ok()?.as_secs_f64();
            Some((mona, mona / measured.direct.as_secs_f64()))
        })
        .collect();
    let sorted = |values: Vec<f64>| {
        let mut values = values;
        values.sort_by(f64::total_cmp);
        values
    };
    let ratios = sorted(times.iter().map(|time| time.1).collect());
    let seconds = sorted(times.iter().map(|time| time.0).collect());
    let slow = sorted(times.iter().filter(|time| time.0 > 0.2).map(|time| time.1).collect());
    let (Some(least), Some(most)) = (ratios.first(), ratios.last()) else { return };
    println!(
        "\nBy {name}: {} of {} answered; ratio in the median {:.1}, least {least:.1}, most {most:.1}; \
         MONA's slowest {:.3} s",
        times.len(),
        all.len(),
        ratios[ratios.len() / 2],
        seconds.last().copied().unwrap_or_default(),
    );
    if let (Some(least), Some(most)) = (slow.first(), slow.last()) {
        println!(
            "  where MONA takes more than 0.2 s ({} questions): {least:.1} to {most:.1}, in the median {:.1}",
            slow.len(),
            slow[slow.len() / 2]
        );
    }
}

/// Name, text at a size, error, sizes.
type Family = (&'static str, fn(usize) -> String, &'static str, &'static [usize]);

fn growth(folder: &Path) {
    let doubled: &[usize] = &[2, 4, 8, 16, 32, 64];
    let one_more: &[usize] = &[2, 3, 4, 5, 6, 7, 8];
    let families: [Family; 6] = [
        ("states of a station", families::ring_with_states, "deadlock", doubled),
        ("states of a station", families::ring_with_states, "exclusion", doubled),
        ("parameters of a predicate", families::crowd_with_locks, "deadlock", one_more),
        ("parameters of a predicate", families::crowd_with_locks, "critical", one_more),
        ("rules", families::ring_with_rules, "deadlock", &doubled[1..]),
        ("rules", families::ring_with_rules, "exclusion", &doubled[1..]),
    ];
    println!("\n| what grows | n | error | direct ms | trap + mutex ms | ratio | same kinds ms | ratio |");
    println!("| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |");
    for (name, family, error, sizes) in families {
        for &n in sizes {
            let measured = ask(folder, &family(n), error);
            println!("| {name} | {n} | {error} {}", columns(&measured));
            if measured.mona.iter().all(Result::is_err) {
                break;
            }
        }
    }
}

fn columns(measured: &Measured) -> String {
    let millis = |time: Duration| format!("{:.1}", time.as_secs_f64() * 1e3);
    let mut text = format!("| {} |", millis(measured.direct));
    for mona in &measured.mona {
        text += &match mona {
            Ok(time) => {
                let ratio = time.as_secs_f64() / measured.direct.as_secs_f64();
                format!(" {} | {ratio:.1} |", millis(*time))
            }
            Err(how) => format!(" {how} | |"),
        };
    }
    text
}

/// Puts the same question to all of them.
fn ask(folder: &Path, text: &str, error: &str) -> Measured {
    let system = load(text).system.expect("the model has a meaning");
    let named = system.error_named(error).expect("the model has the error");
    let verdict = decide(&system, &named, &Options::default()).expect("no bug");
    let pair = vec![InvariantKind::TRAP, InvariantKind::MUTEX];
    let (is_proved, kinds) = match verdict.status {
        Status::Proved(proved) => (true, proved.invariants),
        _ => (false, pair.clone()),
    };
    let files: Vec<Result<PathBuf, String>> = [("pair", &pair), ("kinds", &kinds)]
        .into_iter()
        .map(|(name, kinds)| {
            let question = question(&system, Goal::Error(&named.formula), kinds, &[])
                .map_err(|reason| format!("no formula: {reason}"))?;
            let path = folder.join(format!("{name}.mona"));
            let program = emit::mona(&question, error).map_err(|reason| reason.to_string())?;
            fs::write(&path, program).expect("the file can be written");
            Ok(path)
        })
        .collect();
    let mut direct = Duration::MAX;
    let mut mona = [Err(String::new()), Err(String::new())];
    for turn in 0..RUNS {
        let run = measure::run(&["-", "--error", error, "--quiet"], text);
        assert_eq!(run.code, i32::from(!is_proved), "{error}");
        direct = direct.min(run.time);
        for ((result, file), is_pair) in mona.iter_mut().zip(&files).zip([true, false]) {
            let is_quick = result.as_ref().is_ok_and(|time| *time < QUICK);
            if turn > 0 && !is_quick {
                continue;
            }
            let answer = file.clone().and_then(|file| run_mona(folder, &file));
            match (answer, result.as_ref().ok()) {
                (Ok((time, is_unsatisfiable)), before) => {
                    // The pair may prove less than what the proof uses.
                    assert!(if is_pair {
                        is_proved || !is_unsatisfiable
                    } else {
                        is_proved == is_unsatisfiable
                    });
                    *result = Ok(before.map_or(time, |before| time.min(*before)));
                }
                (Err(how), _) => *result = Err(how),
            }
        }
    }
    Measured { direct, mona, is_proved }
}

/// How long `mona` takes for a file, and whether it finds it unsatisfiable.
fn run_mona(folder: &Path, file: &Path) -> Result<(Duration, bool), String> {
    let output = folder.join("output");
    let stream = || fs::File::create(&output).expect("the file can be written");
    let mut command = Command::new("mona");
    command.arg("-q").arg(file).stdin(Stdio::null()).stdout(stream()).stderr(Stdio::null());
    let run = measure::watch(&mut command, "", Some(LIMITS));
    let text = fs::read_to_string(&output).expect("the output is there");
    match run.code {
        0 => Ok((run.time, text.contains("Formula is unsatisfiable"))),
        _ if run.time > LIMITS.time => Err("over 60 s".to_owned()),
        _ if run.peak_kib > LIMITS.memory_kib => Err("over 4 GiB".to_owned()),
        // Its own limit: 2^24 nodes in a diagram.
        _ => Err(format!("gives out after {:.1} s", run.time.as_secs_f64())),
    }
}
