//! The language server, by a client that speaks its protocol with the built program over pipes.
//!
//! One server serves many documents. Nothing depends on how long something takes: what should come is waited
//! for generously.

mod agents;
mod client;
mod edits;
mod features;
mod protocol;
mod verdicts;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use client::Editor;

/// The ring of the README.
const RING: &str = "examples/ring.rs";

/// A file of the repository.
fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files with these endings below a folder, by name.
fn files(folder: &str, endings: &[&str]) -> Vec<String> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { walk(&path, found) } else { found.push(path) }
        }
    }
    let mut found = Vec::new();
    walk(&root().join(folder), &mut found);
    let is_wanted = |path: &Path| {
        path.extension().and_then(|ending| ending.to_str()).is_some_and(|ending| endings.contains(&ending))
    };
    found.retain(|path| is_wanted(path));
    found.sort();
    let name = |path: PathBuf| path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
    found.into_iter().map(name).collect()
}

/// What the program prints.
fn printed(arguments: &[&str]) -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_paramcheck")).args(arguments).current_dir(root()).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// What the program prints, as JSON.
fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(arguments)).unwrap()
}

/// The diagnostics that the program reports about each file: code, severity, and where the first place begins
/// and ends, lines and characters counted from 1.
fn reported(paths: &[&str], arguments: &[&str]) -> Vec<Vec<Value>> {
    let document = json(&[arguments, paths].concat());
    let of = |report: &Value| report["diagnostics"].as_array().unwrap().clone();
    match document.get("files").and_then(Value::as_array) {
        Some(files) => files.iter().map(of).collect(),
        None => vec![of(&document)],
    }
}

/// A diagnostic of the program as the server should show it.
fn as_shown(diagnostic: &Value, text: &str) -> String {
    let position = |line: &str, column: &str| {
        let line = diagnostic[line].as_u64().unwrap_or(1) as usize - 1;
        let column = diagnostic[column].as_u64().unwrap_or(1) as usize - 1;
        let content = text.split('\n').nth(line).unwrap_or("").trim_end_matches('\r');
        let units: usize = content.chars().take(column).map(char::len_utf16).sum();
        format!("{line}:{units}")
    };
    let place = format!("{}-{}", position("line", "column"), position("end_line", "end_column"));
    let severity = diagnostic["severity"].as_str().unwrap();
    format!("{severity} {} {place}", diagnostic["code"].as_str().unwrap())
}

/// A diagnostic of the server in the same form.
fn shown(diagnostic: &Value) -> String {
    let position = |at: &Value| format!("{}:{}", at["line"], at["character"]);
    let place =
        format!("{}-{}", position(&diagnostic["range"]["start"]), position(&diagnostic["range"]["end"]));
    let severity = if diagnostic["severity"] == 1 { "error" } else { "warning" };
    format!("{severity} {} {place}", diagnostic["code"].as_str().unwrap())
}

#[test]
fn diagnostics_are_those_of_checking() {
    let mut rewriting = files("examples", &["rs", "rws"]);
    rewriting.extend(files("tests/cases/bad", &["rs"]));
    let paths: Vec<&str> = rewriting.iter().map(String::as_str).collect();
    let mut expected = reported(&paths, &["--json", "--time-limit", "0"]);
    let mut processes = files("examples", &["ccs", "chor"]);
    processes.extend(files("tests/cases/emulation/bad", &["ccs", "chor"]));
    for path in &processes {
        expected.extend(reported(&[path], &["verify", "--json", "--max-states", "1"]));
    }
    let all: Vec<&String> = rewriting.iter().chain(&processes).collect();
    assert_eq!(all.len(), expected.len());
    let mut editor = Editor::start(&[]);
    let mut errors = 0;
    for (path, expected) in all.into_iter().zip(expected) {
        let text = text(path);
        let found = editor.open(path, &text);
        let found: Vec<String> = found.iter().map(shown).collect();
        let expected: Vec<String> = expected.iter().map(|one| as_shown(one, &text)).collect();
        assert_eq!(found, expected, "{path}");
        errors += usize::from(found.iter().any(|one| one.starts_with("error")));
        editor.close(path);
    }
    assert!(errors > 12, "{errors}");
    editor.end();
}

#[test]
fn a_rewriting_system_may_end_in_rws() {
    let folder = std::env::temp_dir().join(format!("paramcheck-rws-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("ring.rws");
    fs::write(&path, text(RING)).unwrap();
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_paramcheck"))
            .args(arguments)
            .arg(&path)
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let calls: [&[&str]; 6] = [
        &[],
        &["fmt", "--check"],
        &["verify", "--size", "3"],
        &["draw", "--size", "3"],
        &["emulate", "--size", "3", "--as", "triples"],
        &["instances", "--max-size", "4"],
    ];
    for arguments in calls {
        assert_eq!(run(arguments), (Some(0), String::new()), "{arguments:?}");
    }
    // What is no process by its name is met with the right command.
    let (code, errors) = run(&["verify"]);
    assert!(
        code == Some(2) && errors.contains("rewriting systems are checked without a command"),
        "{errors}"
    );
    // A text that can't be read is taken for no process, either.
    fs::write(&path, "component").unwrap();
    let (code, errors) = run(&["fmt"]);
    assert!(code == Some(2) && !errors.contains("--language"), "{errors}");
    fs::remove_dir_all(&folder).unwrap();
}
