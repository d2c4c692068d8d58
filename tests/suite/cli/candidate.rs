//! Candidates that are written, read again and taken up, and what is said about an open question.

use std::fs;
use std::process::Command;

use insta::assert_snapshot;
use serde_json::Value;

use super::json::document_of;
use super::{RING, THIEF, file, folder, run, run_with};

/// Open: an item is left behind the end mark. No instance reaches it, and no set of places shows that.
const PIPE: &str = "tests/cases/open/pipe.rs";
const QUICK: [&str; 4] = ["--error", "late", "--max-states", "20000"];

/// What is printed about the open question of [`PIPE`], without how far the search came.
fn about_pipe(further: &[&str]) -> String {
    let output = run(&[&[PIPE], &QUICK[..], further].concat()).output_of(3);
    let lines = output.lines().filter(|line| !line.contains("explored:"));
    itertools::join(lines, "\n")
}

/// Writes the candidate of [`PIPE`] into `folder`; its path.
fn written(folder: &std::path::Path) -> String {
    let path = folder.join("late.json").to_str().unwrap().to_owned();
    assert_eq!(run(&[&[PIPE, "-q", "--candidate", &path], &QUICK[..]].concat()).code, 3);
    path
}

#[test]
fn what_is_said_about_an_open_question() {
    assert_snapshot!("open", about_pipe(&[]));
    // A file is handier than a long command.
    let folder = folder("candidate-text");
    let path = folder.join("late.json").to_str().unwrap().to_owned();
    let lines = about_pipe(&["--candidate", &path]).replace(&path, "PATH");
    let commands: Vec<&str> = lines.lines().filter(|line| line.contains("paramcheck ")).collect();
    assert_snapshot!(
        commands.join("\n"),
        @"      draw:      paramcheck draw tests/cases/open/pipe.rs --candidate PATH --output candidate.svg"
    );
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_candidate_is_taken_up() {
    let folder = folder("candidate");
    let path = written(&folder);
    let document: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!((&document["format"], &document["error"]), (&"paramcheck-candidate".into(), &"late".into()));
    let mut all = String::new();
    all += &run(&["replay", PIPE, "--candidate", &path]).output_of(0);
    all += &run_with(&["step", PIPE, "--candidate", &path], "1\nb\nreset\nsave x.json\n").output_of(0);
    all += &run(&["explore", PIPE, "--candidate", &path]).output_of(0);
    assert_snapshot!("taken-up", all);
    // Without the file it is the same.
    let [tree, marking] = ["Main.1(Buf.1(Buf.2))", "Prod#1=off, Cell#2=item, Cons#1=done"];
    let by_hand = ["--tree", tree, "--marking", marking];
    let draw = |which: &[&str]| run(&[&["draw", PIPE], which].concat()).output_of(0);
    let named = [&by_hand[..], &["--error", "late"]].concat();
    assert_eq!(draw(&["--candidate", &path]), draw(&named));
    let step = |which: &[&str]| run(&[&["step", PIPE], which].concat()).output_of(0);
    assert_eq!(step(&["--candidate", &path]), step(&by_hand));
    let explored = run(&[&["explore", PIPE, "--error", "late"], &by_hand[..]].concat()).output_of(0);
    assert!(explored.contains("not reached  the marking"), "{explored}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_marking_may_be_reached() {
    let call = ["explore", PIPE, "--tree", "Main.1(Buf.1(Buf.2))", "--error", "late", "--marking"];
    let reached = run(&[&call[..], &["Cell#2=item"]].concat()).output_of(1);
    assert!(reached.contains("reached      the marking  after 2 steps"), "{reached}");
    let json = run(&[&call[..], &["Cell#2=item", "--json"]].concat());
    let document = document_of("explore", &json, 1);
    assert_eq!(document["files"][0]["marking"]["verdict"], "reached");
    assert_eq!(document["files"][0]["marking"]["trace"]["trace"].as_array().map(Vec::len), Some(2));
    assert_eq!(document["results"][0]["verdict"], "not-reached");
}

#[test]
fn every_command_that_is_advised_works() {
    let folder = folder("candidate-commands");
    let model = format!("{}/{PIPE}", env!("CARGO_MANIFEST_DIR"));
    // Of an error that the model does not have, so that it must be quoted.
    let asked = "left = #done >= 1 & #Cell.item >= 1";
    let stuck = "stuck = deadlock & #Cell.empty >= 15";
    let thief = format!("{}/{THIEF}", env!("CARGO_MANIFEST_DIR"));
    let calls = [
        vec![&model[..], "--json", "--error", "late", "--max-states", "20000"],
        vec![&model, "--json", "--error", asked, "--invariants", "trap", "--max-states", "20000"],
        vec![&model, "--json", "--error", stuck, "--max-states", "5000", "--budget", "0"],
        vec![&thief, "--json", "--error", "lost", "--invariants", "trap", "--max-states", "2000"],
    ];
    let mut seen = Vec::new();
    for call in calls {
        let document = document_of("check", &run(&call), 3);
        for advice in document["results"][0]["advice"].as_array().unwrap() {
            // Whether there is time to find one in a large instance is the machine's business.
            if advice["code"] == "history-state" && call.contains(&stuck) {
                continue;
            }
            seen.push(advice["code"].as_str().unwrap().to_owned());
            let Some(command) = advice["command"].as_str() else { continue };
            let program = env!("CARGO_BIN_EXE_paramcheck");
            let command = command.replacen("paramcheck", &format!("'{program}'"), 1);
            let ran = Command::new("sh").args(["-c", &command]).current_dir(&folder).output().unwrap();
            let messages = String::from_utf8_lossy(&ran.stderr);
            assert!(matches!(ran.status.code(), Some(0 | 1 | 3)), "{command}: {messages}");
        }
    }
    assert_eq!(
        seen,
        [
            "history-state",
            "draw",
            "default-invariants",
            "draw",
            "more-states",
            "stubborn-sets",
            "draw",
            "explore",
            "default-invariants",
            "draw",
            "step"
        ]
    );
    assert!(folder.join("candidate.svg").is_file());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_is_no_candidate_of_the_model() {
    let folder = folder("candidate-wrong");
    let path = written(&folder);
    let text = fs::read_to_string(&path).unwrap();
    let mut all = String::new();
    let texts = [
        String::new(),
        "{}".to_owned(),
        "{\"format\": \"paramcheck-trace\", \"version\": 1}".to_owned(),
        "{\"schema_version\": 1, \"file\": \"a\", \"results\": []}".to_owned(),
        text.replace("\"version\": 1", "\"version\": 9"),
        text.replace("\"marking\"", "\"marking_\""),
        text.replace("\"system\": \"Main\"", "\"system\": \"Pipe\""),
        text.replace("#Cons.done >= 1", "#Cons.done >= 2"),
        text.replace("\"rule\": \"Buf.1\"", "\"rule\": \"Buf.7\""),
        text.replace("\"state\": \"item\"", "\"state\": \"atom\""),
        text.replacen("\"component\": \"Cell#2\"", "\"component\": \"Cell#3\"", 1),
        text.replace("\"initial\": \"want\"", "\"initial\": \"got\""),
    ];
    let wrong = folder.join("wrong.json").to_str().unwrap().to_owned();
    for text in &texts {
        fs::write(&wrong, text).unwrap();
        all += &run(&["replay", PIPE, "--candidate", &wrong]).errors_of(2).replace(&wrong, "wrong.json");
        for command in ["draw", "step", "explore"] {
            assert_eq!(run(&[command, PIPE, "--candidate", &wrong]).code, 2, "{command}: {text}");
        }
    }
    let json = run(&["explore", PIPE, "--candidate", &wrong, "--json"]);
    assert_eq!(document_of("explore", &json, 2)["files"][0]["diagnostics"][0]["code"], "E0016");
    // One of another model, and files that can't be read.
    let ring = file(&folder, "ring.rs", RING);
    all += &run(&["draw", &ring, "--candidate", &path]).errors_of(2).replace(&path, "late.json");
    assert!(run(&["draw", PIPE, "--candidate", "no-such-file"]).errors_of(2).contains("E0001"));
    assert_snapshot!("no-candidates", all);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn candidates_that_are_not_written() {
    let folder = folder("candidate-unwritten");
    let path = folder.join("x.json").to_str().unwrap().to_owned();
    let proved = run(&["-q", PIPE, "--error", "twoeof", "--candidate", &path]);
    assert_eq!(proved.code, 0);
    assert!(proved.errors.contains("no candidate written to"), "{}", proved.errors);
    assert!(!folder.join("x.json").exists());
    for call in [
        vec![PIPE, "--candidate", &path],
        vec![PIPE, "--error", "late", "--candidate", "-"],
        vec![PIPE, "--error", "late", "--candidate", PIPE],
        vec!["explore", PIPE, "--size", "3", "--candidate", &path],
        vec!["explore", PIPE, "--size", "3", "--marking", "Cell#1=item"],
        vec!["draw", PIPE, "--size", "3", "--candidate", &path],
        vec!["step", "-", "--candidate", &path],
        vec!["replay", PIPE],
    ] {
        assert_eq!(run(&call).code, 2, "{call:?}");
    }
    fs::remove_dir_all(folder).unwrap();
}
