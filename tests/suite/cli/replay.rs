//! `replay`, and `--trace` and `--full` of a check.

use std::fs;

use insta::assert_snapshot;

use super::{HERMAN, MUX, RING, file, folder, run, run_with};

const POOL: &str = "tests/cases/classic/swimming-pool.rs";

#[test]
fn a_trace_is_written_and_replays() {
    let folder = folder("replay");
    let path = folder.join("pool.json");
    let path = path.to_str().unwrap();
    assert_eq!(run(&["-q", POOL, "--error", "deadlock", "--trace", path]).code, 1);
    assert_snapshot!("replays", run(&["replay", POOL, path, "--full"]).output_of(0));
    let short = "replays: 4 steps, ends in a marking that is in `deadlock`\n";
    assert_eq!(run(&["replay", POOL, path, "-q"]).output_of(0), short);
    // The same trace is in the JSON document, and chosen from it.
    let document = run(&["--json", POOL]);
    assert_eq!(run_with(&["replay", POOL, "-", "-q"], &document.output).output_of(0), short);
    // Another error is not reached by it.
    assert_snapshot!(
        run(&["replay", POOL, path, "-q", "--error", "two = #swim >= 2"]).output_of(1),
        @"fails at the end: 4 steps replay, but the marking is not in `two` (#Swimmer.swim >= 2)"
    );
    let text = fs::read_to_string(path).unwrap();
    let nameless = text.replacen("\"error\": \"deadlock\"", "\"error\": null", 1);
    let refused = run_with(&["replay", POOL, "-"], &nameless).errors_of(2);
    assert!(refused.contains("both given or both `null`"), "{refused}");
    let altered = text.replacen("\"from\": \"undress\"", "\"from\": \"out\"", 1);
    assert_snapshot!("fails", run_with(&["replay", POOL, "-"], &altered).output_of(1));
    assert_snapshot!(
        run(&["replay", HERMAN, path]).output_of(1),
        @"fails: the trace is of a system called `Pool`, not of `Ring`"
    );
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_error_defined_on_the_spot_is_defined_again() {
    let folder = folder("replay-defined");
    let model = file(&folder, "ring.rs", RING);
    let path = folder.join("trace.json");
    let path = path.to_str().unwrap();
    let defined = "second = #busy == 1 & #idle == 2";
    run(&["-q", &model, "--error", defined, "--trace", path]);
    let without = run(&["replay", &model, path]);
    assert_eq!(without.code, 2);
    assert!(without.errors.contains("an error that the model does not define"), "{}", without.errors);
    assert_eq!(run(&["replay", &model, path, "--error", defined]).code, 0);
    let other = run(&["replay", "-q", &model, path, "--error", "second = #busy == 1"]);
    assert_snapshot!(other.output_of(1), @"fails: the trace is to `second` = #Node.busy == 1 & #Node.idle == 2, which in the model is #Node.busy == 1");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_is_no_trace() {
    let mut all = String::new();
    for text in [
        "",
        "deadlock",
        "{\n  \"format\": \"paramcheck-trace\",\n  \"version\": 1\n}",
        "{\"format\": \"paramcheck-trace\", \"version\": \"1\"}",
        "{\"format\": \"paramcheck-certificate\", \"version\": 1, \"system\": \"Ring\", \"instance\": \
         {\"size\": 0, \"term\": \"\", \"components\": [], \"tree\": []}, \"trace\": [], \"marking\": []}",
        "{}",
        "{\"schema_version\": 1, \"file\": \"a\", \"results\": [{}]}",
        "{\"schema_version\": 2, \"command\": \"check\", \"files\": [], \"results\": [{}]}",
    ] {
        all += &run_with(&["replay", MUX, "-"], text).errors_of(2);
    }
    assert_snapshot!("no-traces", all);
    assert!(run(&["replay", MUX, "no-such-file"]).errors_of(2).contains("E0001"));
    assert!(run(&["replay", "no-such-file", MUX]).errors_of(2).contains("E0001"));
    assert!(run_with(&["replay", "-", MUX], "component").errors_of(2).contains("E01"));
}

#[test]
fn traces_that_are_not_written() {
    let folder = folder("no-trace");
    let model = file(&folder, "ring.rs", RING);
    let path = folder.join("trace.json");
    let name = path.to_str().unwrap();
    let proved = run(&["-q", &model, "--error", "exclusion", "--trace", name]);
    assert!(proved.code == 0 && proved.errors.contains("no trace written"), "{}", proved.errors);
    assert!(!path.exists());
    for wrong in [&[&model, "--trace", name][..], &[&model, "--error", "moved", "--trace", &model]] {
        assert!(run(wrong).errors_of(2).contains("--trace"));
    }
    assert_eq!(fs::read_to_string(&model).unwrap(), RING);
    let lost = run(&["-q", &model, "--error", "moved", "--trace", "no-such-folder/t.json"]);
    assert!(lost.code == 2 && lost.errors.contains("cannot write the trace"), "{}", lost.errors);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn steps_can_be_shown_in_full() {
    let model = "component A { states a, b; init a; a -go-> b; b -stay-> b; }
                 S() <- new x, y . <go(x) go(y) + stay(x)> (A(x), A(y));
                 error late = #b == 2;";
    assert_snapshot!("full", run_with(&["-", "--error", "late", "--full"], model).output_of(1));
    assert!(run(&[MUX, "--full", "--quiet"]).errors_of(2).contains("--quiet"));
}

#[test]
fn help() {
    assert_snapshot!("replay-help", run(&["replay", "--help"]).output_of(0));
}
