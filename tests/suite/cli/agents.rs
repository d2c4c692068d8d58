//! Agents of LAbS in `emulate`, `step`, `replay` and `draw`.

use std::fs;

use insta::assert_snapshot;

use super::json::document_of;
use super::{file, folder, run, run_with};
use crate::suite::labs::known::{self, parameters};

const LEADER: &str = "tests/cases/labs/examples/leader.labs";
const TWO_PHASE: &str = "tests/cases/labs/examples/twophase.labs";
const PARALLEL: &str = "tests/cases/labs/points/parallel.labs";
const ASSUME: &str = "tests/cases/labs/points/assume.labs";
const PICK: &str = "tests/cases/labs/points/pick.labs";
const BOUNDS: &str = "tests/cases/labs/bad/array-bounds.labs";

/// Every file with known answers, with the values of its parameters.
fn files() -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for folder in ["examples", "points", "bad"] {
        for (name, runs) in known::expected(folder).as_object().unwrap() {
            let run = runs.as_array().and_then(|runs| runs.first()).unwrap_or(runs);
            let values = parameters(run).into_iter().map(|(name, value)| format!("{name}={value}"));
            all.push([format!("tests/cases/labs/{folder}/{name}")].into_iter().chain(values).collect());
        }
    }
    assert!(all.len() > 40, "{}", all.len());
    all
}

/// A call about a file with the values of its parameters.
fn call<'a>(command: &'a str, file: &'a [String], options: &[&'a str]) -> Vec<&'a str> {
    let file = file.iter().map(String::as_str);
    [command].into_iter().chain(file).chain(options.iter().copied()).collect()
}

#[test]
fn triples_are_printed_with_guards_and_messages() {
    assert_snapshot!(
        "agents-triples-leader",
        run(&["emulate", LEADER, "n=3", "--as", "triples"]).output_of(0)
    );
    assert_snapshot!("agents-triples-parallel", run(&["emulate", PARALLEL, "--as", "triples"]).output_of(0));
    let two_phase = ["emulate", TWO_PHASE, "workers=2", "--as", "triples"];
    let rules = ["--schedule", "round-robin", "--semantics", "sliver"];
    let printed = run(&[&two_phase[..], &rules].concat());
    assert_snapshot!("agents-triples-two-phase", printed.output);
    assert_snapshot!("agents-dot", run(&["emulate", PARALLEL, "--as", "dot"]).output_of(0));
}

#[test]
fn states_are_printed() {
    assert_snapshot!("agents-lts", run(&["emulate", ASSUME, "--as", "lts"]).output_of(0));
    let fault = run(&["emulate", BOUNDS, "--as", "lts"]).output_of(0);
    assert!(fault.contains("fault: an index is outside of its array"), "{fault}");
    let few = run(&["emulate", LEADER, "n=3", "--as", "lts", "--max-states", "9"]).errors_of(3);
    assert!(few.contains("the limit of 9 states was reached"), "{few}");
    let reduced = |options: &[&str]| {
        let text = run(&[&["emulate", PICK, "--as", "lts"], options].concat()).output_of(0);
        text.lines().count()
    };
    assert!(reduced(&["--reduce"]) < reduced(&[]));
}

#[test]
fn what_there_is_not_is_refused() {
    let mut all = String::new();
    for wrong in [
        &["emulate", LEADER, "n=2", "--as", "peers"][..],
        &["emulate", LEADER, "n=2", "--as", "triples", "--size", "3"],
        &["emulate", LEADER, "n=2", "--as", "triples", "--check", "LeaderIs0"],
        &["emulate", LEADER, "--as", "triples"],
        &["emulate", "examples/ccs/2pc.ccs", "n=2", "--as", "triples"],
        &["step", LEADER, "n=2", "--size", "3"],
        &["step", LEADER],
        &["step", "tests/cases/labs/bad/no-initial-state.labs"],
        &["step", "tests/cases/classic/herman-ring.rs", "n=2", "--size", "3"],
        &["step", LEADER, "n=2", "--trace", "README.md"],
        &["step", LEADER, "--trace", "README.md", "--semantics", "sliver"],
        &["replay", LEADER, "--candidate", "x.json"],
        &["replay", LEADER, "n=two", "README.md"],
        &["replay", LEADER, "README.md"],
        &["replay", "tests/cases/classic/herman-ring.rs", "n=2", "README.md"],
    ] {
        all += &format!("$ paramcheck {}\n{}\n", wrong.join(" "), run(wrong).errors_of(2));
    }
    assert_snapshot!("agents-refused", all);
}

#[test]
fn every_file_is_printed_or_refused() {
    let mut printed = 0;
    for file in files() {
        for format in ["triples", "dot"] {
            let found = run(&call("emulate", &file, &["--as", format]));
            assert!(matches!(found.code, 0 | 2), "{file:?}: {found:?}");
            assert_eq!(found.code == 2, found.output.is_empty(), "{file:?}: {found:?}");
            printed += usize::from(found.code == 0);
        }
    }
    assert!(printed > 80, "{printed}");
}

#[test]
fn a_session() {
    let folder = folder("agents-step");
    let path = folder.join("walk.json");
    let path = path.to_str().unwrap();
    let lines = format!("1\nb\n3\nrandom 4\nstore\nproperties\ng 2\nfoo\nsave {path}\nn\nquit\nnot read\n");
    let session = run_with(&["step", LEADER, "n=3", "--seed", "5"], lines).output_of(0);
    assert_snapshot!("agents-session", session.replace(path, "PATH"));
    // What was saved is a run like others.
    let replayed = run(&["replay", LEADER, path, "-q"]).output_of(0);
    assert_eq!(replayed, "replays: 2 steps, ends as given\n");
    let again = run_with(&["step", LEADER, "--trace", path], "n 2\nn\nb\n1\nreset\n").output_of(0);
    assert_snapshot!("agents-along-a-run", again);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn choices_are_steps() {
    let session = run_with(&["step", ASSUME], "save x.json\n1\n1\n1\nstore\nb 9\n").output_of(0);
    assert_snapshot!("agents-choices", session);
    let fault = run_with(&["step", BOUNDS], "1\n1\nr 3\n").output_of(0);
    assert_snapshot!("agents-fault", fault);
    let turns = ["step", LEADER, "n=3", "--schedule", "round-robin", "--sync", "--semantics", "sliver"];
    assert_snapshot!("agents-turns", run_with(&turns, "1\n1\n1\nm\n").output_of(0));
}

#[test]
fn every_file_can_be_gone_through() {
    let folder = folder("agents-walks");
    let path = folder.join("walk.json");
    let path = path.to_str().unwrap();
    let mut saved = 0;
    for file in files() {
        for options in [&["--seed", "3"][..], &["--seed", "4", "--schedule", "round-robin", "--sync"]] {
            let _ = fs::remove_file(path);
            let lines = format!("r 60\nb 20\nn 5\nl\nm\ne\nsave {path}\n");
            let session = run_with(&call("step", &file, options), lines);
            assert!(matches!(session.code, 0 | 2), "{file:?}: {session:?}");
            if fs::exists(path).unwrap() {
                let replayed = run(&call("replay", &file, &[path, "-q"]));
                // A walk may violate a property, and then the document says so.
                assert_eq!(replayed.code, 0, "{file:?}: {replayed:?}");
                saved += 1;
            }
        }
    }
    fs::remove_dir_all(folder).unwrap();
    assert!(saved > 60, "{saved}");
}

#[test]
fn violations_are_replayed() {
    let folder = folder("agents-replay");
    let document = run(&["verify", LEADER, "n=3", "--json"]).output;
    let path = file(&folder, "v.json", &document);
    let several = run(&["replay", LEADER, &path]).errors_of(2);
    assert!(several.contains("several runs, of `LeaderIs100`, `LeaderNot0`"), "{several}");
    let call = ["replay", LEADER, "n=3", &path, "--check", "LeaderNot0"];
    assert_snapshot!("agents-replays", run(&[&call[..], &["--full"]].concat()).output_of(0));
    assert_eq!(
        run(&["replay", LEADER, "n=4", &path, "--check", "LeaderNot0", "-q"]).output_of(1),
        "fails: the run is not one of n=4\n"
    );
    let other = "Other = always forall Node n, leader of n >= 0";
    let other = run(&["replay", LEADER, &path, "--check", other]).errors_of(2);
    assert!(other.contains("has no run of `Other`"), "{other}");
    // The run alone, and another property, which it does not violate.
    let replayed = document_of("replay", &run(&[&call[..], &["--json"]].concat()), 0);
    assert_eq!(
        (&replayed["results"][0]["verdict"], &replayed["results"][0]["steps"]),
        (&"replays".into(), &2.into())
    );
    let alone = file(&folder, "run.json", replayed["results"][0]["trace"].to_string());
    let other = run(&["replay", LEADER, &alone, "--check", "LeaderIs0", "-q"]).output_of(1);
    assert!(other.starts_with("fails at the end: 2 steps replay, but do not violate `LeaderIs0`"), "{other}");
    let spoilt = document.replacen("\"value\": 0", "\"value\": 1", 1);
    let spoilt = run_with(&["replay", LEADER, "-", "--check", "LeaderIs100"], spoilt);
    assert!(spoilt.code == 1 && spoilt.output.contains("fails at step "), "{spoilt:?}");
    // What a run leaves the language by.
    let fault = run(&["verify", BOUNDS, "--json"]).output;
    assert_snapshot!("agents-replays-fault", run_with(&["replay", BOUNDS, "-"], fault).output_of(0));
    let wrong =
        run_with(&["replay", LEADER, "-"], "{\"format\": \"paramcheck-run\", \"version\": 1}").errors_of(2);
    assert!(wrong.contains("missing field"), "{wrong}");
    let trace = run_with(&["replay", "tests/cases/classic/herman-ring.rs", "-"], fs::read(&alone).unwrap());
    assert!(trace.errors_of(2).contains("is a run of agents, not a trace"));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn sessions_are_documents() {
    let session = run_with(&["step", ASSUME, "--json"], "1\n1\n1\n");
    let document = document_of("step", &session, 0);
    assert_eq!(document["results"][0]["step"]["action"], "choose");
    assert_eq!(document["files"][0]["trace"]["run"]["steps"].as_array().unwrap().len(), 1);
    assert_snapshot!(
        run_with(&["replay", ASSUME, "-", "-q"], &session.output).output_of(0),
        @"replays: 1 step, and violates `Later` (always forall A a, x of a > 1)"
    );
}

#[test]
fn choices_without_end_and_many_agents_are_cut() {
    let folder = folder("agents-hostile");
    let wide = "system { spawn = A: 1 }\nagent A { interface = x: 0; y: 0; z: 0..30000  \
                Behavior = x, y <- [0..30000], [0..30000]; Behavior }\n";
    let wide = file(&folder, "wide.labs", wide);
    let session = run_with(&["step", &wide], "29999\nr 3\n").output_of(0);
    assert!(session.contains("and more outcomes of choices in some states"), "{session}");
    assert!(session.contains("step 4  A 0, line 2"), "{session}");
    let limited = run(&["emulate", &wide, "--as", "lts", "--max-states", "40000"]).errors_of(3);
    assert!(limited.contains("the limit of 40000 states was reached"), "{limited}");
    for (command, options) in [
        ("emulate", &["--as", "triples"][..]),
        ("emulate", &["--as", "dot"]),
        ("draw", &[]),
        ("draw", &["--as", "dot"]),
        ("step", &["--seed", "1"]),
    ] {
        let call = [&[command, LEADER, "n=1000"][..], options].concat();
        assert_eq!(run_with(&call, "r 3\nstore\n").code, 0, "{call:?}");
    }
    // Texts that never end a bracket, and ones that nest deeply.
    for (number, text) in
        ["agent".repeat(4000), "(".repeat(20_000), "x -> ".repeat(20_000)].iter().enumerate()
    {
        let model = format!("system {{ spawn = A: 1 }} agent A {{ interface = x: 0  Behavior = {text} }}");
        let path = file(&folder, &format!("deep-{number}.labs"), model);
        for call in [&["emulate", &path, "--as", "triples"][..], &["draw", &path], &["step", &path]] {
            let found = run(call);
            assert!(found.code == 2 && found.errors.contains("error["), "{call:?}: {found:?}");
        }
    }
    fs::remove_dir_all(folder).unwrap();
}
