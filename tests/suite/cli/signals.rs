//! Signals while files are written, and input that does not come.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use super::{MUX, command, file, folder};

const UNTIDY: &str = include_str!("../../cases/found/temp-left.rs");

/// Every signal that requests the end, alone and in pairs as session managers send them.
const SIGNALS: [&[&str]; 5] = [&["-TERM"], &["-INT"], &["-HUP"], &["-TERM", "-HUP"], &["-INT", "-INT"]];

/// The program, with signals as they usually are, whatever the parent of the tests has done to them.
fn start(call: &[&str]) -> Child {
    let mut child = Command::new("env");
    child.args(["--default-signal=HUP,INT,TERM", env!("CARGO_BIN_EXE_paramcheck")]).args(call);
    child.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Sends the signals to a program that may have ended, and waits for its end.
fn end(mut child: Child, signals: &[&str]) -> ExitStatus {
    for &signal in signals {
        let _ = Command::new("kill").args([signal, &child.id().to_string()]).stderr(Stdio::null()).status();
    }
    child.wait().unwrap()
}

/// Waits until the program catches signals, or has ended.
fn wait_until_it_catches(child: &mut Child) {
    let status = format!("/proc/{}/status", child.id());
    while child.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap();
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        // `SIGHUP`, the last that gets its handler, is the lowest bit. A zombie has no such line.
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        if caught.is_some_and(|mask| mask & 1 != 0) {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Waits until the program waits for its input, which it does by a thread of its own where it is to print a
/// document.
fn wait_until_it_reads(child: &Child) {
    let tasks = format!("/proc/{}/task", child.id());
    while fs::read_dir(&tasks).is_ok_and(|tasks| tasks.count() < 2) {
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn signals_leave_whole_files_and_no_others() {
    let folder = folder("signals-fmt");
    let tidy = super::run_with(&["fmt", "-"], UNTIDY).output_of(0);
    let mut interrupted = 0;
    for round in 0..25 {
        let paths: Vec<String> =
            (0..100).map(|number| file(&folder, &format!("{number}.rs"), UNTIDY)).collect();
        let call: Vec<&str> =
            ["fmt", "--write"].into_iter().chain(paths.iter().map(String::as_str)).collect();
        let before = names(&folder);
        let mut child = start(&call);
        // In another place each time: a file is being written.
        while fs::read_to_string(&paths[round]).unwrap() == UNTIDY && child.try_wait().unwrap().is_none() {}
        let code = end(child, SIGNALS[round % SIGNALS.len()]).code();
        assert!(matches!(code, Some(0 | 130)), "{code:?}");
        interrupted += usize::from(code == Some(130));
        assert_eq!(names(&folder), before);
        for path in &paths {
            let text = fs::read_to_string(path).unwrap();
            assert!(text == UNTIDY || text == tidy, "{text}");
        }
    }
    assert!(interrupted > 0);
}

#[test]
fn signals_leave_no_half_of_what_is_written() {
    let folder = folder("signals-output");
    let [output, certificate] = ["output", "certificate"].map(|name| folder.join(name));
    let [output, certificate] = [&output, &certificate].map(|path| path.to_str().unwrap());
    let calls = [
        &["emit", MUX, "--as", "pnml", "--size", "9", "--output", output][..],
        &["emit", MUX, "--as", "mona", "--output", output],
        &["emulate", MUX, "--as", "c", "--size", "9", "--error", "lost", "--output", output],
        &["draw", MUX, "--output", output],
        &[MUX, "--error", "lost", "--certificate", certificate],
    ];
    for (round, call) in calls.iter().cycle().take(50).enumerate() {
        let mut child = start(call);
        wait_until_it_catches(&mut child);
        std::thread::sleep(Duration::from_micros(400 * (round as u64 % 13)));
        let code = end(child, SIGNALS[round % SIGNALS.len()]).code();
        assert!(matches!(code, Some(0 | 130)), "{code:?} {call:?}");
        let left: Vec<String> =
            names(&folder).into_iter().filter(|name| name != "output" && name != "certificate").collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

#[test]
fn input_that_does_not_come_is_waited_for_as_long_as_the_limit_says() {
    let folder = folder("signals-input");
    let pipe = folder.join("pipe.rs");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let pipe = pipe.to_str().unwrap();
    let limit = ["--time-limit", "0.1"];
    for call in [
        &["-"][..],
        &[pipe],
        &["explore", "-", "--size", "3"],
        &["instances", pipe, "--size", "3"],
        &["crosscheck", "-", "--max-size", "3"],
        &["verify", "-", "--language", "ccs"],
        &["verify", "-", "--size", "3"],
        &["emulate", "-", "--as", "triples", "--language", "ccs"],
        &["emulate", "-", "--as", "triples", "--size", "3"],
    ] {
        let mut child = command(&[call, &limit].concat()).stdin(Stdio::piped()).spawn().unwrap();
        // Held open here; a text that has begun makes no difference.
        let mut input = child.stdin.take().unwrap();
        let _ = std::io::Write::write_all(&mut input, b"// A text that never ends.\n");
        let output = child.wait_with_output().unwrap();
        drop(input);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{call:?}: {errors}");
        assert!(
            errors.contains("E0001") && errors.contains("the time limit was reached"),
            "{call:?}: {errors}"
        );
    }
    // A text that ends in time is read.
    let read = super::run_with(&["-", "--time-limit", "1000", "--error", "two", "-q"], UNTIDY);
    assert!(matches!(read.code, 0 | 1), "{}", read.errors);
}

/// A document is printed also where nothing has come to answer about.
#[test]
fn input_that_does_not_come_is_part_of_a_document_that_is_interrupted() {
    let calls: [&[&str]; 9] = [
        &["-"],
        &["-", "--time-limit", "1000"],
        &["why", "-"],
        &["explore", "-", "--size", "3"],
        &["instances", "-", "--size", "3"],
        &["verify", "-", "--language", "ccs"],
        &["emulate", "-", "--as", "triples", "--size", "3"],
        &["certify", MUX, "-"],
        &["fmt", "-"],
    ];
    for (round, call) in calls.into_iter().enumerate() {
        for json in [&["--json"][..], &[]] {
            let mut process = Command::new("env");
            process.args(["--default-signal=HUP,INT,TERM", env!("CARGO_BIN_EXE_paramcheck")]);
            process.args(call).args(json).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = process.spawn().unwrap();
            let input = child.stdin.take();
            wait_until_it_catches(&mut child);
            if !json.is_empty() {
                wait_until_it_reads(&child);
            }
            let signal = ["-INT", "-TERM", "-HUP"][round % 3];
            assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
            let output = child.wait_with_output().unwrap();
            drop(input);
            assert_eq!(output.status.code(), Some(130), "{call:?} {json:?}");
            if json.is_empty() {
                assert_eq!((output.stdout, output.stderr), (Vec::new(), Vec::new()), "{call:?}");
                continue;
            }
            let document = serde_json::from_slice(&output.stdout).unwrap();
            super::schema::assert_valid(&document);
            let found = &document["files"][0]["diagnostics"][0];
            assert_eq!(found["code"], "E0001", "{call:?}: {document}");
            assert!(found["message"].as_str().unwrap().contains("interrupted"), "{call:?}: {document}");
            assert_eq!(document["results"].as_array().unwrap().len(), 0, "{call:?}");
        }
    }
}
