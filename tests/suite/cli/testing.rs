//! `test`: answers held against `expected.toml` files, which are read, compared and written.

use std::fs;
use std::path::Path;

use insta::assert_snapshot;

use super::json::document_of;
use super::{RING, file, folder, run};

const PROCESS: &str = "\
P = a.'b.P;
system P;
check live = eventually did 'b;
check never = always !did a;
check deadlock;
";

/// What a run printed, without the name of the folder.
#[track_caller]
fn shown(folder: &Path, call: &[&str], code: i32) -> String {
    let run = run(&[&["test", folder.to_str().unwrap()], call].concat());
    assert_eq!(run.code, code, "{}{}", run.output, run.errors);
    format!("{}{}", run.output, run.errors).replace(folder.to_str().unwrap(), "FOLDER")
}

#[test]
fn help() {
    assert_snapshot!("test-help", run(&["test", "--help"]).output_of(0));
}

#[test]
fn the_examples_are_as_expected() {
    for (folder, least) in [("examples/rings", 30), ("examples/chor", 15)] {
        let answer = run(&["test", folder]).output_of(0);
        let count: usize = answer.split(' ').next().unwrap().parse().unwrap();
        assert!(count >= least && answer.ends_with("as expected, in 1 folder  (TIME)\n"), "{answer}");
    }
}

#[test]
fn a_file_is_begun_kept_and_changed() {
    let folder = folder("testing-update");
    file(&folder, "ring.rs", RING);
    file(&folder, "process.ccs", PROCESS);
    file(&folder, "notes.txt", "");
    let expected = folder.join("expected.toml");
    assert_snapshot!("test-none", shown(&folder, &[], 2));
    shown(&folder, &["--update"], 0);
    let begun = fs::read_to_string(&expected).unwrap();
    assert_snapshot!("test-begun", begun);
    assert_snapshot!("test-right", shown(&folder, &[], 0));
    assert_eq!(shown(&folder, &["--quiet"], 0), "");
    // What is right stays as it is, to the byte.
    shown(&folder, &["--update"], 0);
    assert_eq!(fs::read_to_string(&expected).unwrap(), begun);
    let edited = "\
# Ours.
[\"ring.rs\"] # the ring
moved = { violated = 9, steps = 7 } # found by hand
exclusion  =  { verdict = \"proved\", kinds = [\"trap\"] }
gone = \"proved\"

[\"lost.rs\"]
deadlock = \"proved\"

[\"process.ccs\"]
any = { live = \"proved\", never = { verdict = \"violated\", steps = 3 } } # any
fair = { live = \"violated\", gone = \"proved\" }
";
    fs::write(&expected, edited).unwrap();
    assert_snapshot!("test-wrong", shown(&folder, &[], 2));
    assert_eq!(fs::read_to_string(&expected).unwrap(), edited);
    assert_snapshot!("test-updating", shown(&folder, &["--update"], 0));
    assert_snapshot!("test-updated", fs::read_to_string(&expected).unwrap());
    shown(&folder, &[], 0);
}

#[test]
fn folders_below_are_looked_into_and_settings_obeyed() {
    let folder = folder("testing-below");
    for below in ["a", "b", ".hidden"] {
        fs::create_dir(folder.join(below)).unwrap();
        file(&folder.join(below), "ring.rs", RING);
    }
    file(&folder.join(".hidden"), "expected.toml", "[nothing");
    let answers = "[\"ring.rs\"]\ndeadlock = \"proved\"\nexclusion = \"proved\"\nmoved = { violated = 3 }\n";
    file(&folder.join("a"), "expected.toml", answers);
    // By siphons alone nothing is proved.
    let settings = format!("[\"*\"]\ninvariants = \"siphon\"\n{answers}\"*\" = {{ max-states = 100 }}\n");
    file(&folder.join("b"), "expected.toml", settings);
    assert_snapshot!("test-below", shown(&folder, &[], 1));
}

#[test]
fn no_model_below_is_passed_over() {
    let folder = folder("testing-all-below");
    fs::create_dir_all(folder.join("a/b")).unwrap();
    file(&folder, "ring.rs", RING);
    file(&folder.join("a/b"), "ring.rws", RING);
    shown(&folder, &["--update"], 0);
    assert!(folder.join("a/b/expected.toml").exists());
    assert!(!folder.join("a/expected.toml").exists());
    shown(&folder, &[], 0);
    fs::remove_file(folder.join("a/b/expected.toml")).unwrap();
    let shown = shown(&folder, &[], 1);
    assert!(
        shown.contains("FOLDER/a/b/ring.rws: exclusion: not in FOLDER/a/b/expected.toml, is proved"),
        "{shown}"
    );
}

#[test]
fn a_limit_takes_no_expectation_away() {
    let folder = folder("testing-limits");
    file(&folder, "ring.rs", RING);
    file(&folder, "process.ccs", PROCESS);
    shown(&folder, &["--update"], 0);
    let path = folder.join("expected.toml");
    let right = fs::read_to_string(&path).unwrap();
    let cut = shown(&folder, &["--update", "--time-limit", "0"], 3);
    assert!(cut.contains("exclusion: expected proved") && cut.contains("nothing is written of it"), "{cut}");
    assert_eq!(fs::read_to_string(&path).unwrap(), right);
    // It is said which models were not looked at.
    for options in [&["--time-limit", "0"][..], &["--time-limit", "0", "--quiet"]] {
        let cut = shown(&folder, options, 1);
        let late = cut
            .lines()
            .find(|line| line.contains("the time limit, which is for the whole call, came before "));
        assert!(late.is_some_and(|line| line.contains("ring.rs") && line.contains("process.ccs")), "{cut}");
    }
    assert!(!shown(&folder, &["--time-limit", "1000"], 0).contains("came before"));
    // What is not expected yet stays so.
    fs::write(&path, "[\"ring.rs\"]\ndeadlock = \"proved\"\n").unwrap();
    shown(&folder, &["--update", "--time-limit", "0"], 3);
    assert!(!fs::read_to_string(&path).unwrap().contains("exclusion"));
}

#[test]
fn what_goes_is_said_and_line_ends_stay() {
    let folder = folder("testing-goes");
    file(&folder, "ring.rs", RING);
    let path = folder.join("expected.toml");
    fs::write(
        &path,
        "# ours\r\n[\"ring.rs\"]\r\nmoved = \"proved\"\r\n[\"gone.rs\"]\r\ndeadlock = \"proved\"\r\n",
    )
    .unwrap();
    let shown = shown(&folder, &["--update"], 0);
    assert!(shown.contains("FOLDER/gone.rs: is not there; what was expected of it is removed"), "{shown}");
    let text = fs::read_to_string(&path).unwrap();
    assert!(!text.contains("gone") && text.starts_with("# ours\r\n"), "{text}");
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{text:?}");
}

#[test]
fn mistakes_in_the_file_have_a_place() {
    let folder = folder("testing-mistakes");
    file(&folder, "ring.rs", RING);
    for (number, text) in [
        "[\"ring.rs\"\n",
        "[\"ring.rs\"]\na = \"proved\"\na = \"proved\"\n",
        "ring = 3\n",
        "[\"ring.rs\"]\na = \"prooved\"\nb = 3\nc = { steps = 3 }\nd = { verdict = \"proved\", size = 3 }\n",
        "[\"ring.rs\"]\na = { violated = -1 }\nb = { violated = 3, step = 2 }\nc = { verdict = \"proved\", kinds = [\"trapp\"] }\n",
        "[\"*\"]\ntime_limit = 3\ntime-limit = \"3\"\ninvariants = \"trapp\"\n",
        "[\"x.ccs\"]\nfairly = { deadlock = \"proved\" }\nany = { deadlock = { violated = 3 } }\nfair = 3\n",
    ]
    .iter()
    .enumerate()
    {
        file(&folder, "expected.toml", text);
        let shown = shown(&folder, &["--update"], 2);
        assert!(shown.contains("E0019") && shown.contains("^"), "{shown}");
        assert_snapshot!(format!("test-mistake-{number}"), shown);
        assert_eq!(fs::read_to_string(folder.join("expected.toml")).unwrap(), *text);
    }
}

#[test]
fn documents() {
    let folder = folder("testing-json");
    file(&folder, "ring.rs", RING);
    file(&folder, "bad.rs", "component");
    file(&folder, "process.ccs", PROCESS);
    let answers = "[\"ring.rs\"]\ndeadlock = \"proved\"\nexclusion = \"unknown\"\nnone = \"proved\"\n\
                   [\"process.ccs\"]\nany = { live = \"proved\" }\n";
    file(&folder, "expected.toml", answers);
    let name = folder.to_str().unwrap();
    let document = document_of("test", &run(&["test", name, "--json"]), 2);
    let results = document["results"].as_array().unwrap();
    let found: Vec<_> = results
        .iter()
        .map(|one| {
            let name = one.get("error").or(one.get("check")).unwrap().as_str().unwrap();
            (name, one["verdict"].as_str(), one["as_expected"].as_bool().unwrap())
        })
        .collect();
    let right = [
        ("deadlock", Some("proved"), true),
        ("exclusion", Some("proved"), false),
        ("moved", Some("violated"), false),
        ("none", None, false),
        ("live", Some("proved"), true),
        ("never", Some("violated"), false),
        ("deadlock", Some("proved"), false),
    ];
    assert_eq!(found, right);
    // The file of a model that can't be read has its diagnostics.
    let bad = document["files"].as_array().unwrap().iter().find(|one| !one["diagnostics"][0].is_null());
    assert!(bad.unwrap()["file"].as_str().unwrap().ends_with("bad.rs"));
    // Nothing is lost of what could not be answered.
    run(&["test", name, "--update"]);
    assert!(!fs::read_to_string(folder.join("expected.toml")).unwrap().contains("bad.rs"));
}

#[test]
fn answers_on_one_line_stay_on_one_line() {
    let folder = folder("testing-inline");
    file(&folder, "ring.rs", RING);
    let expected = folder.join("expected.toml");
    fs::write(&expected, "\"ring.rs\" = { deadlock = \"proved\", exclusion = \"violated\" } # all\n")
        .unwrap();
    shown(&folder, &["--update"], 0);
    let line =
        "\"ring.rs\" = { deadlock = \"proved\", exclusion = \"proved\", moved = { violated = 3 } } # all\n";
    assert_eq!(fs::read_to_string(&expected).unwrap(), line);
}
