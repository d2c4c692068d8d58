//! NuSMV on the translation of R-CHECK: it gives every property of every model the answer that is known.
//!
//! Runs where `PARAMCHECK_LONG` is set; NuSMV must then be there (`tests/tools/install`).

#![allow(clippy::expect_used, clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use paramcheck_emulation::rcheck::smv::{NotWritten, name_of, smv};
use paramcheck_rcheck::load;
use paramcheck_rcheck::model::System;
use paramcheck_rcheck::parser::Options;
use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/rcheck")
}

/// Whether tests that need other programs run.
fn is_long() -> bool {
    std::env::var_os("PARAMCHECK_LONG").is_some()
}

fn program() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tools");
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::iter::once(own).chain(std::env::split_paths(&paths));
    let found = folders.find_map(|folder| Some(folder.join("NuSMV")).filter(|path| path.is_file()));
    found.expect("this test runs NuSMV, which is not installed: see tests/tools/install")
}

fn system(text: &str) -> System {
    load(text, Options::default()).system.expect("it has a meaning")
}

/// What NuSMV says of some property: whether it is true. Properties come in the order of their numbers, first the
/// invariant that no step leaves a range.
fn answers(name: &str, text: &str, count: usize) -> Vec<bool> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.smv"));
    fs::write(&path, text).unwrap();
    let output = Command::new(program()).args(["-dcx", "-dynamic"]).arg(&path).output().unwrap();
    let output =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let said = |begin: &str| -> Vec<bool> {
        let lines = output.lines().filter(|line| line.starts_with(begin));
        lines.map(|line| line.trim_end().ends_with("is true")).collect()
    };
    let all = [said("-- invariant"), said("-- specification")].concat();
    assert_eq!(all.len(), count + 1, "{name}: {output}");
    all
}

#[test]
fn nusmv_agrees_on_every_property() {
    if !is_long() {
        return;
    }
    let mut checked = 0;
    for part in ["models", "upstream"] {
        let expected: Value =
            serde_json::from_str(&fs::read_to_string(folder().join(part).join("expected.json")).unwrap())
                .unwrap();
        for (file, entry) in expected.as_object().unwrap() {
            let text = fs::read_to_string(folder().join(part).join(file)).unwrap();
            let system = system(&text);
            let wanted = entry["properties"].as_array().unwrap();
            for (number, property) in wanted.iter().enumerate() {
                let written = smv(&system, &[number]).unwrap_or_else(|why| panic!("{file}: {why}"));
                let said = answers(&format!("{part}-{file}-{number}"), &written, 1);
                assert!(said[0], "{file}: a step leaves a range");
                let holds = property["verdict"] == "holds";
                assert_eq!(said[1], holds, "{file}: {} {}", name_of(number), property["text"]);
                checked += 1;
            }
        }
    }
    assert!(checked > 100, "{checked}");
}

#[test]
fn nusmv_sees_that_a_step_leaves_a_range() {
    if !is_long() {
        return;
    }
    let text = fs::read_to_string(folder().join("bad/range.rcp")).unwrap();
    let system = system(&text);
    assert!(!answers("range", &smv(&system, &[]).unwrap(), 0)[0]);
}

#[test]
fn what_nusmv_can_not_express_is_refused() {
    let text = |local: &str, guard: &str| {
        format!(
            "message-structure: N : 0..9\nagent A\n  local: x : {local}, y : 0..3\n  init: x = 1 & y = 1\n  repeat: ( go: {{{guard}}} *! (true)()[] )\n\
             system = A(a, true)\nSPEC G a-x = 1;"
        )
    };
    let refused = |local, guard| smv(&system(&text(local, guard)), &[0]).unwrap_err();
    assert_eq!(refused("int", "true"), NotWritten::Unbounded("a.x".to_owned()));
    assert_eq!(refused("0..3", "x / y = 1"), NotWritten::Division);
    assert_eq!(refused("0..3", "x + 2000000 > y"), NotWritten::Number);
    assert!(smv(&system(&text("0..3", "y / 2 = 0 & x = 1")), &[0]).is_ok());
}
