//! `crosscheck`: verdicts beside exploration, limits, and calls that can't be. That contradictions are found
//! is for `suite::crosscheck` and the unit tests: a correct program has none to show.

use insta::assert_snapshot;

use super::json::document_of;
use super::{HERMAN, MUX, RING, run, run_with};

#[test]
fn help() {
    assert_snapshot!("crosscheck-help", run(&["crosscheck", "--help"]).output_of(0));
}

#[test]
fn verdicts_and_exploration() {
    let philosophers = "examples/philosophers/alt-philo-sym.rs";
    assert_snapshot!("agree", run(&["crosscheck", philosophers, HERMAN, "--max-size", "6"]).output_of(0));
    // Herman's ring is violated from two components on; none as small is explored.
    let beyond = run(&["crosscheck", HERMAN, "--max-size", "1", "--error", "one"]).output_of(0);
    assert_snapshot!("beyond", beyond);
    // Unknown, and exploration goes further than the search of the question.
    let pairs = "tests/cases/classic/unknown-pairs.rs";
    let open = run(&["crosscheck", pairs, "--max-size", "5", "--error", "alone", "--invariants", "trap"]);
    assert_snapshot!("open", open.output_of(0));
}

#[test]
fn errors_can_be_chosen() {
    let words =
        ["crosscheck", "-", "--max-size", "4", "--error", "none = #busy == 0", "--error", "exclusion"];
    assert_snapshot!("chosen", run_with(&words, RING).output_of(0));
}

#[test]
fn quiet_lines() {
    let model = format!("{RING}Spare(x) <- (Node(x));\n");
    let words = ["crosscheck", "-", "--max-size", "3", "--error", "exclusion", "--quiet"];
    assert_snapshot!(run_with(&words, model).output_beside_warnings(0), @"agrees       exclusion  proved, and no instance of up to 3 components reaches it  (TIME)");
    let several = ["crosscheck", HERMAN, MUX, "--max-size", "2", "--error", "deadlock", "-q"];
    assert_snapshot!(run(&several).output_of(0), @r#"
    tests/cases/classic/herman-ring.rs: agrees       deadlock  proved, and no instance of up to 2 components reaches it  (TIME)
    tests/cases/classic/mux-array.rs: agrees       deadlock  proved, and no instance of up to 2 components reaches it  (TIME)
    "#);
    // Why it ended early is part of the answer.
    let few = ["crosscheck", HERMAN, "--max-size", "20", "--max-states", "100", "--error", "one", "-q"];
    let few = run(&few).output_of(3);
    assert!(few.starts_with("explored up to size ") && few.contains("--max-states allows\n"), "{few}");
}

#[test]
fn limits_end_it_early() {
    let few = run(&["crosscheck", HERMAN, "--max-size", "20", "--max-states", "100", "--error", "one"]);
    assert_snapshot!("few-states", few.output_of(3));
    let no_time = run(&["crosscheck", MUX, "--max-size", "20", "--time-limit", "0"]);
    assert_snapshot!("no-time", no_time.output_of(3));
}

#[cfg(target_os = "linux")]
#[test]
fn memory_runs_out() {
    let text = run(&["crosscheck", HERMAN, "--max-size", "20", "--memory-limit", "1"]).output_of(3);
    assert!(text.contains("only: the memory limit was reached"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_keeps_what_was_compared() {
    let words = ["crosscheck", HERMAN, "--max-size", "1000", "--max-states", "1000000000", "--json"];
    let child = super::command(&words).spawn().unwrap();
    super::limits::wait_until_busy(&child);
    super::limits::press(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["files"][0]["end"], "interrupted");
}

#[test]
fn documents() {
    let words = ["crosscheck", HERMAN, "--max-size", "4", "--error", "one", "--json"];
    let document = document_of("crosscheck", &run(&words), 0);
    assert_eq!(document["files"][0]["explored_up_to"], 4);
    assert!(document["files"][0]["end"].is_null());
    assert_eq!(document["files"][0]["sizes"][1]["reached"]["one"], true);
    let question = &document["results"][0];
    assert_eq!(question["relation"], "violated-and-reached");
    assert_eq!(question["instance"]["size"], question["smallest"]["size"]);
    assert_eq!((&question["agrees"], &question["unreached_up_to"]), (&true.into(), &1.into()));
    // Several files; what is wrong with one is in its place.
    let words = ["crosscheck", "none.rs", MUX, "tests/cases/bad/bad-arity.rs", "--max-size", "3", "--json"];
    let document = document_of("crosscheck", &run(&words), 2);
    let codes = [&document["files"][0], &document["files"][2]].map(|file| &file["diagnostics"][0]["code"]);
    assert_eq!(codes, ["E0001", "E0211"]);
    assert_eq!(
        (&document["results"][0]["file"], &document["results"][0]["verdict"]),
        (&MUX.into(), &"proved".into())
    );
}

#[test]
fn wrong_calls() {
    let shown: Vec<String> = [
        &["crosscheck", MUX][..],
        &["crosscheck", MUX, "--max-size", "0"],
        &["crosscheck", "--max-size", "3"],
        &["crosscheck", "-", "-", "--max-size", "3"],
        &["crosscheck", MUX, "--max-size", "3", "--error", "nothing"],
        &["crosscheck", "nowhere.rs", "--max-size", "3"],
    ]
    .iter()
    .map(|words| run(words).errors_of(2))
    .collect();
    assert_snapshot!("wrong-crosschecks", shown.join("\n"));
}
