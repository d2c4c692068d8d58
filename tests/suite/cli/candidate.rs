//! Candidates that are written, read again and taken up, and what is said about an open question.

use std::fs;
use std::path::Path;
use std::process::Command;

use insta::assert_snapshot;
use serde_json::Value;

use super::json::document_of;
use super::{HERMAN, MUX, RING, THIEF, file, folder, run, run_with};

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
    assert_eq!(
        commands.last(),
        Some(
            &"      draw:      paramcheck draw tests/cases/open/pipe.rs --candidate PATH --output pipe-late.candidate.svg"
        )
    );
    assert_eq!(commands.len(), 2, "{commands:?}");
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

/// The exit code of a command, which is run by a shell in `folder`.
fn ran(command: &str, folder: &Path) -> i32 {
    let program = env!("CARGO_BIN_EXE_paramcheck");
    let command = command.replacen("paramcheck", &format!("'{program}'"), 1);
    let ran = Command::new("sh").args(["-c", &command]).current_dir(folder).output().unwrap();
    ran.status.code().unwrap_or_else(|| panic!("{command}: {}", String::from_utf8_lossy(&ran.stderr)))
}

/// The model with other component types in place of those of the same names.
fn with_types(model: &str, types: &str) -> String {
    let mut model = model.to_owned();
    let mut replaced = 0;
    for component in types.split("\n}").filter(|one| !one.trim().is_empty()) {
        let head = component.trim_start().split('{').next().unwrap();
        let start = model.find(head).unwrap_or_else(|| panic!("no `{head}`"));
        let end = start + model[start..].find('}').unwrap();
        model.replace_range(start..=end, &format!("{component}\n}}"));
        replaced += 1;
    }
    assert!(replaced > 0, "{types}");
    model
}

/// Two types remember: both are written out, and with both it is proved.
#[test]
fn two_types_are_written_out() {
    let folder = folder("two-types");
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/open/two-cells.rs");
    let call = [model, "--error", "late", "--max-states", "20000"];
    let document = document_of("check", &run(&[&call[..], &["--json"]].concat()), 3);
    let advice = &document["results"][0]["advice"][0];
    assert_eq!(advice["code"], "history-states");
    let types = advice["model"].as_str().unwrap();
    assert_eq!(types.matches("component ").count(), 2, "{types}");
    let after = folder.join("remember.rs");
    fs::write(&after, with_types(&fs::read_to_string(model).unwrap(), types)).unwrap();
    let command = advice["command"].as_str().unwrap().replace(model, after.to_str().unwrap());
    assert_eq!(ran(&command, &folder), 0, "{command}");
    // They are long: a person has to ask for them.
    let shown = |further: &[&str]| run(&[&call[..], further].concat()).output_of(3);
    assert!(!shown(&[]).contains("component Cell {") && shown(&[]).contains("`--verbose` writes it out"));
    assert!(shown(&["--verbose"]).contains("component Cell {"));
    fs::remove_dir_all(folder).unwrap();
}

/// What takes up the evidence of a violation, of each kind of file. A definition of the call is in the commands.
#[test]
fn every_command_below_a_violation_works() {
    let folder = folder("violation-commands");
    let root = env!("CARGO_MANIFEST_DIR");
    let [herman, process, choreography] =
        [HERMAN, "examples/ccs/2pc-unrestricted.ccs", "examples/chor/two-buyers.chor"]
            .map(|name| format!("{root}/{name}"));
    let trace = folder.join("kept.json").to_str().unwrap().to_owned();
    let calls: [(&str, Vec<&str>, &[&str]); 7] = [
        ("check", vec![&herman, "--error", "one"], &["write", "replay", "draw", "step"]),
        ("check", vec![&herman, "--error", "two = #t == 2"], &["write", "replay", "draw", "step"]),
        ("check", vec![&herman, "--error", "one", "--trace", &trace], &["replay", "draw", "step"]),
        (
            "verify",
            vec!["verify", &herman, "--size", "3", "--error", "one"],
            &["write", "replay", "draw", "step"],
        ),
        ("verify", vec!["verify", &process, "--check", "outcome"], &["write", "draw"]),
        ("verify", vec!["verify", &choreography, "--check", "deadlock", "--fair"], &["write", "draw"]),
        ("verify", vec!["verify", &choreography], &["write", "draw"]),
    ];
    for (kind, call, expected) in calls {
        let document = document_of(kind, &run(&[&call[..], &["--json"]].concat()), 1);
        let results = document["results"].as_array().unwrap();
        let result = results.iter().find(|one| one["verdict"] == "violated").unwrap();
        let advice = result["advice"].as_array().unwrap();
        let codes: Vec<&str> = advice.iter().map(|one| one["code"].as_str().unwrap()).collect();
        assert_eq!(codes, expected, "{call:?}");
        let shown = run(&call).output;
        for one in advice {
            let command = one["command"].as_str().unwrap();
            assert!(shown.contains(command), "{command}\n{shown}");
            let expected = i32::from(one["code"] == "write");
            assert_eq!(ran(command, &folder), expected, "{command}");
        }
        // Who wants verdicts only is not told more; and what is proved has none.
        assert!(!run(&[&call[..], &["--quiet"]].concat()).output.contains("paramcheck"));
    }
    // Nothing takes up a process of standard input.
    let text = fs::read_to_string(&process).unwrap();
    let piped = run_with(&["verify", "-", "--language", "ccs", "--check", "outcome"], text);
    assert!(piped.code == 1 && !piped.output.contains("paramcheck"), "{}", piped.output);
    // Each goes to a file of its own, by model and question.
    for name in [
        "herman-ring-one.trace.json",
        "herman-ring-two.trace.json",
        "herman-ring-one.trace.svg",
        "2pc-unrestricted-outcome.run.svg",
        "two-buyers-deadlock.run.json",
    ] {
        assert!(folder.join(name).is_file(), "{name}");
    }
    let proved = document_of("check", &run(&[MUX, "--error", "lost", "--json"]), 0);
    assert_eq!(proved["results"][0]["advice"].as_array().map(Vec::len), Some(0));
    fs::remove_dir_all(folder).unwrap();
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
            seen.push(advice["code"].as_str().unwrap().to_owned());
            let Some(command) = advice["command"].as_str() else { continue };
            let Some(types) = advice["model"].as_str() else {
                let code = ran(command, &folder);
                assert!([0, 1, 3].contains(&code), "{command}: {code}");
                continue;
            };
            // With these types in the model it is proved.
            let after = folder.join("remembers.rs");
            fs::write(&after, with_types(&fs::read_to_string(&model).unwrap(), types)).unwrap();
            let command = command.replace(&model, after.to_str().unwrap());
            assert_eq!(ran(&command, &folder), 0, "{command}\n{types}");
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
            "history-state",
            "draw",
            "explore",
            "default-invariants",
            "draw",
            "step"
        ]
    );
    for name in ["pipe-late.candidate.svg", "pipe-left.candidate.svg"] {
        assert!(folder.join(name).is_file(), "{name}");
    }
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
