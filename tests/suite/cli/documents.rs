//! `--json` of the commands beside checking: what they print without it is in the document, and what is wrong too.

use std::fs;

use serde_json::{Value, json};

use super::json::document_of;
use super::{RING, command, file, folder, run, run_with};

const PHILOSOPHERS: &str = "examples/philosophers/alt-philo-sym.rs";
const TWO_PHASE: &str = "examples/ccs/2pc.ccs";
const KEPT: &str = "tests/cases/version1";

/// The one result of a document.
#[track_caller]
fn only(document: &Value) -> &Value {
    let results = document["results"].as_array().unwrap();
    assert_eq!(results.len(), 1, "{document}");
    assert_eq!(results[0]["file"], document["files"][0]["file"]);
    &results[0]
}

/// The codes of what is wrong with the only file; there must be no result.
#[track_caller]
fn wrong(document: &Value) -> Vec<&str> {
    assert_eq!((&document["results"], document["files"].as_array().unwrap().len()), (&json!([]), 1));
    let diagnostics = document["files"][0]["diagnostics"].as_array().unwrap();
    diagnostics.iter().map(|one| one["code"].as_str().unwrap()).collect()
}

#[test]
fn certificates() {
    let (model, certificate) = (format!("{KEPT}/ring.rs"), format!("{KEPT}/ring.certificate.json"));
    let call = ["certify", &model, &certificate, "--json"];
    let accepted = document_of("certify", &run(&call), 0);
    let result = only(&accepted);
    assert_eq!((&result["verdict"], &result["refusal"]), (&"accepted".into(), &Value::Null));
    assert_eq!(
        (&result["error"], &result["certificate"]),
        (&"exclusion".into(), &certificate.as_str().into())
    );
    let spoilt = fs::read_to_string(&certificate).unwrap();
    let spoilt = spoilt.replace("\"system\": \"Ring\"", "\"system\": \"Star\"");
    let call = ["certify", &model, "-"];
    let said = run_with(&call, &spoilt).output_of(1);
    let refused = document_of("certify", &run_with(&[&call[..], &["--json"]].concat(), &spoilt), 1);
    let refusal = only(&refused)["refusal"].as_str().unwrap();
    assert_eq!((said, &only(&refused)["verdict"]), (format!("refused: {refusal}\n"), &"refused".into()));
    let none = document_of("certify", &run_with(&["certify", &model, "-", "--json"], "{}"), 2);
    assert_eq!(wrong(&none), ["E0015"]);
    assert_eq!(none["files"][0]["diagnostics"][0]["source"], "<stdin>");
}

/// What programs before version 2 of the schema wrote is read for ever.
#[test]
fn evidence_of_version_1_is_read() {
    let (model, trace) = (format!("{KEPT}/philosophers.rs"), format!("{KEPT}/philosophers.trace.json"));
    let replayed = run(&["replay", &model, &trace, "-q"]).output_of(0);
    assert_eq!(replayed, "replays: 3 steps, ends in a marking that is in `deadlock`\n");
    let (model, certificate) = (format!("{KEPT}/ring.rs"), format!("{KEPT}/ring.certificate.json"));
    assert!(run(&["certify", &model, &certificate]).output_of(0).starts_with("accepted"));
}

#[test]
fn traces() {
    let folder = folder("documents-traces");
    let run_of = run(&["--json", "examples/ring.rs", PHILOSOPHERS]).output_of(1);
    let whole = file(&folder, "run.json", &run_of);
    let replayed = document_of("replay", &run(&["replay", PHILOSOPHERS, &whole, "--json"]), 0);
    let result = only(&replayed);
    assert_eq!((&result["verdict"], &result["error"]), (&"replays".into(), &"deadlock".into()));
    assert_eq!((&result["steps"], &result["refusal"]), (&3.into(), &Value::Null));
    let found: Value = serde_json::from_str(&run_of).unwrap();
    let violated: Vec<&Value> =
        found["results"].as_array().unwrap().iter().filter(|one| one["verdict"] == "violated").collect();
    assert_eq!(result["trace"]["trace"], violated[0]["trace"]);
    // This document has a trace too.
    let again = file(&folder, "again.json", replayed.to_string());
    assert_eq!(run(&["replay", PHILOSOPHERS, &again]).code, 0);
    // The second step goes wrong; the first replays.
    let mut spoilt = result["trace"].clone();
    spoilt["trace"][1]["participants"][0]["from"] = "one".into();
    let spoilt = file(&folder, "spoilt.json", spoilt.to_string());
    let failed = document_of("replay", &run(&["replay", PHILOSOPHERS, &spoilt, "--json"]), 1);
    let result = only(&failed);
    assert_eq!((&result["verdict"], &result["steps"]), (&"fails".into(), &1.into()));
    assert!(result["refusal"].as_str().unwrap().starts_with("step 2"), "{result}");
    // `draw` and `step` refuse it, with a code.
    for command in ["draw", "step"] {
        let document = document_of(command, &run(&[command, PHILOSOPHERS, "--trace", &spoilt, "--json"]), 2);
        assert_eq!(wrong(&document), ["E0012"]);
    }
    let old = file(&folder, "old.json", r#"{ "schema_version": 1, "results": [] }"#);
    let old = document_of("replay", &run(&["replay", PHILOSOPHERS, &old, "--json"]), 2);
    assert_eq!(wrong(&old), ["E0012"]);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn formatted_files() {
    let folder = folder("documents-fmt");
    let crooked = file(&folder, "crooked.rs", RING.replace("  states", "       states"));
    let call = ["fmt", "--check", "--json", "examples/ring.rs", &crooked, TWO_PHASE];
    let checked = document_of("fmt", &run(&call), 1);
    let verdicts: Vec<&Value> =
        checked["results"].as_array().unwrap().iter().map(|one| &one["verdict"]).collect();
    assert_eq!(verdicts[..2], ["canonical", "not-canonical"]);
    let text = run(&["fmt", &crooked]).output_of(0);
    assert_eq!(checked["results"][1]["text"], text);
    let written = document_of("fmt", &run(&["fmt", "--write", "--json", &crooked]), 0);
    assert_eq!(only(&written)["output"], crooked);
    assert_eq!(fs::read_to_string(&crooked).unwrap(), text);
    let bad = document_of("fmt", &run_with(&["fmt", "-", "--json"], "component"), 2);
    assert!(wrong(&bad)[0].starts_with("E01"));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn pictures_and_programs() {
    let folder = folder("documents-texts");
    let ring = "examples/ring.rs";
    let calls: [(&[&str], &str); 5] = [
        (&["draw", ring], "svg"),
        (&["draw", ring, "--size", "3", "--what", "tree", "--as", "dot"], "dot"),
        (&["emit", ring, "--as", "smv", "--size", "3"], "smv"),
        (&["emit", ring, "--as", "formula", "--error", "exclusion"], "formula"),
        (&["emulate", TWO_PHASE, "--as", "triples"], "triples"),
    ];
    for (call, format) in calls {
        let text = run(call).output_of(0);
        let document = document_of(call[0], &run(&[call, &["--json"]].concat()), 0);
        let result = only(&document);
        assert_eq!((&result["format"], &result["text"]), (&format.into(), &text.as_str().into()));
        assert!(result["output"].is_null() && !document["files"][0]["system"].is_null());
        let path = folder.join(format);
        let path = path.to_str().unwrap();
        let document = document_of(call[0], &run(&[call, &["--json", "--output", path]].concat()), 0);
        assert_eq!(only(&document)["output"], path);
        assert_eq!(fs::read_to_string(path).unwrap(), text);
    }
    let wrongs: [(&[&str], i32, &str); 5] = [
        (&["draw", ring, "--size", "3", "--marking", "Node#9=busy"], 2, "E0010"),
        (&["draw", "none.rs"], 2, "E0001"),
        (&["emit", ring, "--as", "smv", "--size", "3", "--error", "nothing"], 2, "E0004"),
        (&["emulate", TWO_PHASE, "--as", "peers"], 2, "E0503"),
        (&["emulate", TWO_PHASE, "--as", "lts", "--max-states", "2"], 3, "E0504"),
    ];
    for (call, code, expected) in wrongs {
        let document = document_of(call[0], &run(&[call, &["--json"]].concat()), code);
        assert_eq!(wrong(&document), [expected]);
    }
    // What can't be written is no result.
    let call = ["draw", ring, "--json", "--output", "no-such-folder/ring.svg"];
    assert_eq!(wrong(&document_of("draw", &run(&call), 2)), ["E0005"]);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn steps_from_a_pipe() {
    let call = ["step", "examples/ring.rs", "--size", "3", "--json"];
    let walked = document_of("step", &run_with(&call, "1\n\nrandom 2\nback\nnonsense\nquit\n1\n"), 0);
    let results = walked["results"].as_array().unwrap();
    let positions: Vec<_> =
        results.iter().map(|one| (one["input"].as_str(), one["position"].as_u64())).collect();
    let expected = [("1", 1), ("random 2", 3), ("back", 2), ("nonsense", 2), ("quit", 2)];
    assert_eq!(positions, expected.map(|(input, position)| (Some(input), Some(position))));
    let end = &walked["files"][0];
    assert_eq!(end["trace"]["trace"].as_array().map(Vec::len), Some(2));
    assert_eq!(end["trace"]["trace"][1], results[2]["step"]);
    assert_eq!(end["enabled"].as_array().map(Vec::len), Some(1));
    // The text is that without `--json`.
    let plain = run_with(&call[..4], "1\n").output_of(0);
    assert!(plain.ends_with(results[0]["text"].as_str().unwrap()), "{plain}");
    // At once with the end of the input, too.
    let idle = document_of("step", &run(&call), 0);
    assert_eq!((&idle["results"], &idle["files"][0]["trace"]["trace"]), (&json!([]), &json!([])));
    let missing = document_of("step", &run(&["step", "examples/ring.rs", "--size", "1", "--json"]), 2);
    assert_eq!(wrong(&missing), ["E0013"]);
}

#[test]
fn codes() {
    let all = document_of("explain", &run(&["explain", "--json"]), 0);
    let lines = run(&["explain"]).output_of(0);
    let results = all["results"].as_array().unwrap();
    let (codes, words): (Vec<_>, Vec<_>) = results.iter().partition(|result| result.get("code").is_some());
    let (lines, named) = lines.split_once("\n\nWords: ").unwrap();
    assert_eq!(codes.len(), lines.lines().count());
    let words: Vec<&str> = words.iter().map(|word| word["word"].as_str().unwrap()).collect();
    assert_eq!(named.split_whitespace().collect::<Vec<_>>().join(" "), words.join(", "));
    for (result, line) in codes.iter().zip(lines.lines()) {
        assert!(line.starts_with(result["code"].as_str().unwrap()), "{line}");
        assert!(line.ends_with(result["title"].as_str().unwrap()), "{line}");
    }
    let one = document_of("explain", &run(&["explain", "e0001", "--json"]), 0);
    assert_eq!(one["results"], json!([results[0]]));
    assert!(run(&["explain", "E9999", "--json"]).errors_of(2).contains("there is no code"));
}

/// Every command takes `--json` but those that the page names.
#[test]
fn every_command_with_an_answer() {
    let help = String::from_utf8(command(&["--help"]).output().unwrap().stdout).unwrap();
    let commands = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = commands.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: Vec<&str> = names.map(|line| line.split_whitespace().next().unwrap()).collect();
    assert!(names.len() > 10, "{names:?}");
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/json.md")).unwrap();
    let without: Vec<&str> =
        page.lines().find(|line| line.contains("have no `--json`")).unwrap().split('`').collect();
    for name in names.into_iter().filter(|&name| name != "help") {
        let takes = run(&[name, "--help"]).output_of(0).contains("--json");
        assert_eq!(takes, !without.contains(&name), "{name}");
        assert!(!takes || super::schema::SCHEMA["$defs"].get(name).is_some(), "{name} has no schema");
    }
}
