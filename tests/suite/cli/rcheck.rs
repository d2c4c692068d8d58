//! R-CHECK: what takes files that end in `.rcp`.

use super::schema::assert_valid;
use super::{file, folder, run};
use serde_json::Value;

const SEED: &str = "tests/cases/rcheck/models/allocation-seed.rcp";

#[test]
fn files_are_formatted_and_converted() {
    let folder = folder("rcheck-fmt");
    let today = run(&["fmt", "--to", "today", SEED]).output_of(0);
    assert!(today.contains("enum channel {c, empty, g1, g2, vmm1, vmm2, vmm3, t}\n"), "{today}");
    assert!(
        today.contains("SPEC G (manager-automaton-state = 1 -> F manager-automaton-state = 0);\n"),
        "{today}"
    );
    let path = file(&folder, "today.rcp", &today);
    assert_eq!(run(&["fmt", "--check", &path]).output_of(0), "");
    assert_eq!(run(&["fmt", "--to", "today", &path]).output_of(0), today);
    let path = file(&folder, "mixed.rcp", "SPEC a | b & c");
    assert_eq!(run(&["fmt", &path]).output_of(0), "SPEC a | b & c;\n");
    assert_eq!(run(&["fmt", "--as-rcheck", &path]).output_of(0), "SPEC (a | b) & c;\n");
}

#[test]
fn what_is_wrong_is_refused() {
    let errors = run(&["fmt", "tests/cases/rcheck/bad/mixed-syntax.rcp"]).errors_of(2);
    assert!(errors.starts_with("error[E0911]"), "{errors}");
    for option in [["--to", "today"].as_slice(), &["--as-rcheck"]] {
        let call: Vec<&str> = ["fmt"].iter().chain(option).copied().chain(["examples/ring.rs"]).collect();
        let errors = run(&call).errors_of(2);
        assert!(errors.contains("`examples/ring.rs` is not in R-CHECK (.rcp)"), "{errors}");
    }
}

/// The models with what is known of each.
fn known() -> Vec<(String, Value)> {
    let mut known = Vec::new();
    for name in ["models", "upstream"] {
        let folder = format!("tests/cases/rcheck/{name}");
        let text = std::fs::read_to_string(format!("{folder}/expected.json")).unwrap();
        let expected: Value = serde_json::from_str(&text).unwrap();
        let of_folder = expected.as_object().unwrap().iter();
        known.extend(of_folder.map(|(file, entry)| (format!("{folder}/{file}"), entry.clone())));
    }
    known
}

#[test]
fn every_known_answer_comes_out() {
    let mut count = 0;
    for (path, entry) in known() {
        let properties = entry["properties"].as_array().unwrap();
        for (options, key) in [(&[][..], "verdict"), (&["--fair"], "fair"), (&["--as-rcheck"], "as_rcheck")] {
            if !properties.iter().any(|one| one[key].is_string()) {
                continue;
            }
            let call: Vec<&str> = ["verify", &path, "--json"].iter().chain(options).copied().collect();
            let violated =
                |one: &Value| one[key].as_str().unwrap_or(one["verdict"].as_str().unwrap()) == "violated";
            let code = i32::from(properties.iter().any(violated));
            let document: Value = serde_json::from_str(&run(&call).output_of(code)).unwrap();
            assert_valid(&document);
            let results = document["results"].as_array().unwrap();
            assert_eq!(results.len(), properties.len(), "{path}");
            for (at, (result, property)) in results.iter().zip(properties).enumerate() {
                assert_eq!(result["check"], format!("SPEC {}", at + 1));
                assert_eq!(result["index"], at + 1);
                let wanted = property[key].as_str().unwrap_or(property["verdict"].as_str().unwrap());
                let verdict =
                    if result["verdict"] == "proved" { "holds" } else { result["verdict"].as_str().unwrap() };
                assert_eq!(verdict, wanted, "{path}: {}", property["text"]);
                assert_eq!(result["run"].is_null(), wanted == "holds", "{path}");
                count += usize::from(property[key].is_string());
            }
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn runs_are_written_out() {
    let output = run(&["verify", "tests/cases/rcheck/models/labels.rcp", "--error", "deadlock", "-q"]);
    assert!(output.output_of(1).contains("deadlock"));
    let folder = folder("rcheck-verify");
    let text = "enum channel {c}\nmessage-structure: M : 0..9\n\
                agent A local: n : 0..2 init: n = 0 receive-guard: false repeat: ( up: {true} c! (true)(M := n)[n := n + 1] )\n\
                system = A(one, true)\nSPEC G one-n < 2; SPEC F one-n = 1;";
    let path = file(&folder, "fault.rcp", text);
    let output = run(&["verify", &path]).output_of(1);
    let lines: Vec<&str> = output.lines().map(str::trim).collect();
    for line in [
        "1  one: up c(M = 0) -> nobody",
        "one: automaton-state = 0, n = 0",
        "one: n = 1",
        "reason: the model has an error, and nothing is proved then",
        "then: `n := 3` leaves the range 0..2, by one in line 3",
    ] {
        assert!(lines.contains(&line), "{line}: {output}");
    }
}

#[test]
fn options_about_other_models_are_refused() {
    for options in
        [&["--size", "3"][..], &["--error", "x"], &["--schedule", "round-robin"], &["--check", "x"]]
    {
        let call: Vec<&str> = ["verify", SEED].iter().chain(options).copied().collect();
        let errors = run(&call).errors_of(2);
        assert!(errors.contains(".rcp"), "{errors}");
    }
    assert!(run(&["verify", "examples/ccs/2pc.ccs", "--as-rcheck"]).errors_of(2).contains(".rcp"));
}

#[test]
fn proofs_for_want_of_occasion_are_remarked() {
    let folder = folder("rcheck-vacuous");
    let text = "enum channel {c, d}\nmessage-structure: M : 0..9\n\
                agent A local: n : 0..2 init: n = 0 receive-guard: false repeat: ( up: {n < 1} c! (true)(M := 1)[n := n + 1] )\n\
                system = A(one, true)\n\
                SPEC G [[chan = d]] one-n = 0; SPEC G [[chan = c]] one-n = 1; SPEC G (one-n = 2 -> F one-n = 0);\n\
                SPEC G (one-n = 0 -> F one-n = 1); SPEC G ((<<M = 2>> true) -> X one-n = 2); SPEC G [[M = 2]] false;";
    let path = file(&folder, "vacuous.rcp", text);
    let document: Value = serde_json::from_str(&run(&["verify", &path, "--json"]).output_of(0)).unwrap();
    assert_valid(&document);
    let remarks = |at: usize| document["results"][at]["remarks"].as_array().unwrap().len();
    assert_eq!((0..6).map(remarks).collect::<Vec<_>>(), [1, 0, 1, 0, 1, 0], "{document:#}");
    let output = run(&["verify", &path]).output_of(0);
    assert_eq!(output.matches("remark: ").count(), 3, "{output}");
}

#[test]
fn states_are_counted() {
    let mut count = 0;
    for (path, entry) in known() {
        let document: Value = serde_json::from_str(&run(&["explore", &path, "--json"]).output_of(0)).unwrap();
        assert_valid(&document);
        for key in ["initial", "states", "transitions", "deadlocks"] {
            if !entry[key].is_null() {
                assert_eq!(document["files"][0][key], entry[key], "{path}: {key}");
                count += 1;
            }
        }
    }
    assert!(count > 30, "{count}");
    insta::assert_snapshot!("rcheck-explore", run(&["explore", SEED]).output_of(0));
    let limited = run(&["explore", SEED, "--max-states", "100"]).output_of(3);
    assert!(limited.contains("and more"), "{limited}");
    // A property that no run has says nothing of where the model has no meaning.
    let range = run(&["verify", "tests/cases/rcheck/bad/range.rcp", "-q"]).output_of(1);
    let verdicts: Vec<&str> = range.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(verdicts, ["violated", "unknown", "violated"], "{range}");
    assert!(run(&["explore", "tests/cases/rcheck/bad/range.rcp"]).output_of(0).contains("leaves its range"));
    let mut refused = run(&["explore", SEED, "--size", "3"]).errors_of(2);
    refused += &run(&["explore", SEED, "n=3"]).errors_of(2);
    refused += &run(&["explore", SEED, "--reduction", "all"]).errors_of(2);
    insta::assert_snapshot!("rcheck-explore-refused", refused);
}

#[test]
fn it_is_one_instance_for_every_command() {
    for call in [
        &["--error", "deadlock"][..],
        &["why", "--error", "deadlock"],
        &["instances", "--size", "3"],
        &["crosscheck", "--max-size", "3"],
    ] {
        let (command, rest) = match call.first() {
            Some(word) if !word.starts_with('-') => (Some(*word), &call[1..]),
            _ => (None, call),
        };
        let call: Vec<&str> = command.into_iter().chain([SEED]).chain(rest.iter().copied()).collect();
        let errors = run(&call).errors_of(2);
        assert!(errors.contains("is in R-CHECK, by its name: one instance"), "{call:?}: {errors}");
        assert!(errors.contains(&format!("`paramcheck verify {SEED}`")), "{call:?}: {errors}");
    }
}

#[test]
fn a_system_is_written_for_nusmv() {
    let counter = "tests/cases/rcheck/models/labels.rcp";
    insta::assert_snapshot!("rcheck-smv", run(&["emit", counter, "--as", "smv"]).output_of(0));
    let mut refused = String::new();
    for options in
        [&["--as", "mona"][..], &["--as", "smv", "--size", "3"], &["--as", "smv", "--error", "deadlock"]]
    {
        refused += &run(&[&["emit", counter], options].concat()).errors_of(2);
    }
    let folder = folder("rcheck-smv");
    let text = "agent A local: n : int init: n = 0 repeat: ( up: {true} *! (true)()[n := n + 1] )\n\
                system = A(one, true)\nSPEC G one-n >= 0;";
    refused += &run(&["emit", &file(&folder, "unbounded.rcp", text), "--as", "smv"]).errors_of(2);
    let own = file(&folder, "own.rcp", text);
    refused += &run(&["emit", &own, "--as", "smv", "--output", &own]).errors_of(2);
    assert_eq!(std::fs::read_to_string(&own).unwrap(), text, "the model is still there");
    insta::assert_snapshot!("rcheck-smv-refused", refused);
}
