//! `instances`: counting, listing and showing instances, and calls that can't be.

use std::process::Stdio;

use insta::assert_snapshot;
use serde_json::Value;

use super::json::document_of;
use super::{MUX, RING, command, file, folder, run, run_with};

const GENERIC: &str = "examples/rings/token-ring-generic.rs";

#[test]
fn help() {
    assert_snapshot!("instances-help", run(&["instances", "--help"]).output_of(0));
}

#[test]
fn sizes() {
    assert_snapshot!("sizes", run(&["instances", GENERIC, "--max-size", "6", "--limit", "9"]).output_of(0));
    let tree = "tests/cases/table1/tree-dfs.rs";
    assert_snapshot!("one-size", run(&["instances", tree, "--size", "6"]).output_of(0));
    // As in exploration: of no instance there is nothing to say.
    assert_snapshot!("no-instance", run(&["instances", tree, "--size", "5"]).errors_of(2));
    assert!(run(&["instances", tree, "--max-size", "1"]).errors_of(2).contains("E0013"));
    // However many: nothing is listed, everything counted.
    let text = run(&["instances", GENERIC, "--size", "10", "--limit", "0"]).output_of(0);
    assert_snapshot!("none-listed", text);
}

#[test]
fn initial_states_are_shown_and_told_apart() {
    let model = "component A { states a, b; init *; a -p-> b; b -p-> a; }
         S() <- new x, y . <p(x) p(y)> forbid <b(x) b(y)> (A(x), A(y));";
    assert_snapshot!("initial", run_with(&["instances", "-", "--size", "2"], model).output_of(0));
    let one = run_with(&["instances", "-", "--tree", "S[a, b]"], model).output_of(0);
    assert_snapshot!("initial-net", one);
}

#[test]
fn one_instance() {
    let tree = "Ring.1(Chain.2^2(Chain.1))";
    assert_snapshot!("net", run_with(&["instances", "-", "--tree", tree], RING).output_of(0));
    let short = run_with(&["instances", "-", "--tree", tree, "--limit", "1"], RING).output_of(0);
    assert_snapshot!("net-limited", short);
    let arbiter = "tests/cases/classic/tree-arbiter.rs";
    let listed = run(&["instances", arbiter, "--max-size", "6"]).output_of(0);
    let term = listed.lines().last().unwrap().rsplit("  ").next().unwrap();
    assert_snapshot!("net-tree", run(&["instances", arbiter, "--tree", term]).output_of(0));
}

#[test]
fn documents() {
    let document = document_of(
        "instances",
        &run(&["instances", GENERIC, "--max-size", "6", "--limit", "3", "--json"]),
        0,
    );
    let about = &document["files"][0];
    assert_eq!(about["system"], "Ring");
    assert_eq!(about["sizes"][5]["nets"]["greatest"], 12);
    assert_eq!(document["results"].as_array().map(Vec::len), Some(3));
    assert_eq!((&about["left_out"], &about["end"]), (&Value::from(28), &Value::from("complete")));
    let term = document["results"][2]["term"].as_str().unwrap();
    let one = document_of("instances", &run(&["instances", GENERIC, "--tree", term, "--json"]), 0);
    assert_eq!(one["results"][0]["term"], term);
    assert_eq!(one["results"][0]["components"].as_array().map(Vec::len), Some(3));
    assert_eq!(one["results"][0]["components"][0]["path"], "Ring.1/Chain.3:x");
    // What is wrong is in the document too.
    for (words, code) in [
        (&["instances", "none.rs", "--size", "2", "--json"][..], "E0001"),
        (&["instances", GENERIC, "--tree", "Chain.1", "--json"], "E0008"),
        (&["instances", "tests/cases/bad/bad-arity.rs", "--size", "2", "--json"], "E0211"),
    ] {
        let document = document_of("instances", &run(words), 2);
        assert_eq!(document["files"][0]["diagnostics"][0]["code"], code);
        assert!(document["files"][0].get("sizes").is_none() && document["results"] == Value::Array(vec![]));
    }
}

#[test]
fn wrong_calls() {
    let shown: Vec<String> = [
        &["instances", MUX][..],
        &["instances", MUX, "--size", "0"],
        &["instances", MUX, "--size", "-1"],
        &["instances", MUX, "--max-size", "99999999999999999999"],
        &["instances", MUX, "--size", "1001"],
        &["instances", MUX, "--size", "3", "--max-size", "4"],
        &["instances", MUX, "--size", "3", "--tree", "X"],
        &["instances", MUX, "--tree", "Chäin(Chain.1^2)"],
        &["instances", MUX, "--size", "3", "--limit", "-1"],
        &["instances", "--size", "3"],
        &["instances", "nowhere.rs", "--size", "3"],
    ]
    .iter()
    .map(|words| run(words).errors_of(2))
    .collect();
    assert_snapshot!("wrong-calls", shown.join("\n"));
}

/// As many trees as there are choices: 2^n of size n.
const CHOICES: &str = "component N { states a, b; init *; a -p-> b; b -p-> a; }
     S() <- new x . C(x);
     C(x) <- N(x) | new y . <p(x) p(y)> (N(x), C(y));";

#[test]
fn no_time_at_all() {
    let run = run_with(&["instances", "-", "--max-size", "30", "--time-limit", "0"], CHOICES);
    assert_snapshot!("no-time", run.output_of(3));
}

#[cfg(target_os = "linux")]
#[test]
fn memory_runs_out() {
    let words = ["instances", "-", "--size", "25", "--memory-limit", "1"];
    let text = run_with(&words, CHOICES).output_of(3);
    assert!(text.contains("ended while counting size 25: the memory limit was reached"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_keeps_what_was_counted() {
    let folder = folder("instances-interrupt");
    let model = file(&folder, "choices.rs", CHOICES);
    let child = command(&["instances", &model, "--max-size", "40", "--json"]).spawn().unwrap();
    super::limits::wait_until_busy(&child);
    super::limits::press(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["files"][0]["end"], "interrupted");
    assert!(document["files"][0]["sizes"].as_array().unwrap().len() > 3);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = command(&["instances", GENERIC, "--size", "14", "--limit", "100000"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn an_instance_is_chosen_by_its_number() {
    let model = GENERIC;
    for size in ["4", "5"] {
        let listed = document_of("instances", &run(&["instances", model, "--size", size, "--json"]), 0);
        let listed = listed["results"].as_array().unwrap();
        assert!(listed.len() > 1, "{size}");
        for (number, one) in listed.iter().enumerate() {
            let number = (number + 1).to_string();
            let call = [model, "--size", size, "--instance", &number, "--json"];
            let shown = document_of("instances", &run(&[&["instances"], &call[..]].concat()), 0);
            assert_eq!(shown["results"][0]["term"], one["term"]);
            let explored = document_of(
                "explore",
                &run(&[&["explore"], &call[..], &["--error", "deadlock"]].concat()),
                0,
            );
            assert_eq!(explored["files"][0]["instances"][0]["term"], one["term"]);
            let verified =
                document_of("verify", &run(&[&["verify"], &call[..], &["--error", "deadlock"]].concat()), 0);
            assert_eq!(verified["files"][0]["instance"]["term"], one["term"]);
        }
    }
    let wrong: Vec<String> = [
        &["instances", model, "--instance", "2"][..],
        &["step", model, "--size", "6", "--instance", "0"],
        &["draw", model, "--size", "6", "--instance", "99"],
        &["explore", model, "--size", "1", "--instance", "1"],
        &["verify", model, "--max-size", "6", "--instance", "1"],
        &["emit", model, "--as", "dot", "--size", "6", "--instance", "1000001"],
    ]
    .iter()
    .map(|call| format!("$ {}\n{}", call.join(" "), run(call).errors_of(2)))
    .collect();
    assert_snapshot!("instance-wrong", wrong.join("\n"));
}

#[test]
fn of_several_instances_the_most_even_is_taken() {
    let calls: [&[&str]; 3] = [
        &["step", "examples/trees/raymond.rs", "--size", "11"],
        &["step", "examples/hierarchies/branch-offices.rs", "--size", "12"],
        &["step", "examples/trees/root-lock.rs", "--size", "14"],
    ];
    let shown: Vec<String> = calls
        .iter()
        .map(|call| {
            let run = run(call);
            let head = run.output.lines().next().unwrap_or_default();
            format!("$ {}\n{head}\n{}", call.join(" "), run.errors)
        })
        .collect();
    assert_snapshot!("even", shown.join("\n"));
    // The file and the number give the same on every run, and the document does not have the note.
    let document = document_of("draw", &run(&["draw", calls[0][1], "--size", "11", "--json"]), 0);
    assert!(document["results"][0]["text"].as_str().unwrap().contains("<svg"));
}

/// An instance is chosen in one way; a second way is a wrong call, whatever the command.
#[test]
fn two_choices_of_an_instance_are_refused() {
    let ring = "examples/ring.rs";
    let number = ["--size", "3", "--instance", "1"];
    let others: [&[&str]; 4] = [
        &["--tree", "Ring.1(Chain.1)"],
        &["--max-size", "4"],
        &["--trace", "t.json"],
        &["--candidate", "c.json"],
    ];
    let commands: [(&[&str], &[&str]); 6] = [
        (&["explore", ring], &["--tree", "--max-size", "--candidate"]),
        (&["instances", ring], &["--tree", "--max-size"]),
        (&["verify", ring], &["--tree"]),
        (&["emulate", ring, "--as", "triples"], &["--tree", "--max-size"]),
        (&["step", ring], &["--tree", "--trace", "--candidate"]),
        (&["draw", ring], &["--tree", "--trace", "--candidate"]),
    ];
    let mut refused = 0;
    for (command, has) in commands {
        for other in others {
            // With a size or without: a number alone chooses nothing.
            for first in [&number[..], &number[2..], &number[..2]] {
                let errors = run(&[command, first, other].concat()).errors_of(2);
                let is_known = has.contains(&other[0]);
                let expected = if is_known { "cannot be used with" } else { "unexpected argument" };
                assert!(errors.contains(expected), "{command:?} {first:?} {other:?}: {errors}");
                refused += usize::from(is_known);
            }
        }
    }
    assert_eq!(refused, 3 * 14);
    // All small instances are compared: none can be chosen.
    for other in [&["--size", "3"][..], &["--instance", "1"], &["--tree", "Ring.1(Chain.1)"]] {
        let errors = run(&[&["crosscheck", ring, "--max-size", "3"], other].concat()).errors_of(2);
        assert!(errors.contains("unexpected argument"), "{other:?}: {errors}");
    }
}
