//! The JSON document: its schema, and that its traces can be replayed from it alone.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use super::schema::{SCHEMA, problems};
use super::{HERMAN, MUX, RING, Run, THIEF, run, run_with};

/// The document of a run of checking.
#[track_caller]
pub(super) fn document(run: &Run, code: i32) -> Value {
    document_of("check", run, code)
}

/// The document of a run of `command`. That it is as the schema says was found out when it ran.
#[track_caller]
pub(super) fn document_of(command: &str, run: &Run, code: i32) -> Value {
    assert_eq!((run.code, run.errors.as_str()), (code, ""), "{}", run.output);
    let document: Value = serde_json::from_str(&run.output).unwrap();
    assert_eq!(document["command"], command);
    document
}

#[test]
fn one_file() {
    let document = document(&run(&["--json", MUX]), 0);
    assert_eq!((&document["schema_version"], &document["files"][0]["file"]), (&2.into(), &MUX.into()));
    let results = document["results"].as_array().unwrap();
    let names: Vec<&str> = results.iter().map(|result| result["error"].as_str().unwrap()).collect();
    assert_eq!(names[0], "deadlock");
    assert!(results.iter().all(|result| result["verdict"] == "proved" && result["reason"].is_null()));
    assert!(results.iter().all(|result| result["file"] == MUX));
    assert!(document["files"][0]["statistics"]["rules"].as_u64().unwrap() > 0);
}

#[test]
fn several_files() {
    let run = run(&["--json", MUX, "no-such-file.rs", HERMAN]);
    let document = document(&run, 2);
    let files = document["files"].as_array().unwrap();
    assert_eq!(files.len(), 3);
    assert_eq!(files[1]["diagnostics"][0]["code"], "E0001");
    assert!(files[1]["system"].is_null() && files[1]["statistics"].is_null());
    // One list, in the order of the files and, within a file, of the questions.
    let results = document["results"].as_array().unwrap();
    let names: Vec<_> = results.iter().map(|result| (&result["file"], &result["error"])).collect();
    let alone = |file| self::document(&super::run(&["--json", file]), i32::from(file == HERMAN));
    let apart = [alone(MUX), alone(HERMAN)];
    let apart = apart.iter().flat_map(|one| one["results"].as_array().unwrap());
    assert_eq!(names, apart.map(|result| (&result["file"], &result["error"])).collect::<Vec<_>>());
}

#[test]
fn a_trace_can_be_replayed_from_the_document() {
    let model = "component A { states a, b, c; init a; a -go-> b; b -> c; c -stay-> c; }\n\
                 S() <- new x, y . <go(x) go(y) + stay(x)> (A(x), A(y));";
    for run in [
        run_with(&["--json", "-", "--error", "late = #c >= 2"], model),
        run(&["--json", HERMAN, "--error", "one"]),
        run(&["--json", "tests/cases/classic/swimming-pool.rs", "--error", "deadlock"]),
        run(&["--json", "tests/cases/classic/tree-termination-bug.rs", "--error", "early"]),
    ] {
        let document = document(&run, 1);
        replay(&document["results"][0]);
    }
}

#[track_caller]
fn replay(result: &Value) {
    assert_eq!(result["verdict"], "violated");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let instance = &result["instance"];
    let components = instance["components"].as_array().unwrap();
    assert_eq!(instance["size"], components.len());
    let mut states: BTreeMap<String, String> =
        components.iter().map(|one| (text(&one["name"]), text(&one["initial"]))).collect();
    let tree = instance["tree"].as_array().unwrap();
    for step in result["trace"].as_array().unwrap() {
        let node = step["node"].as_u64().unwrap() as usize;
        assert_eq!(tree[node]["rule"], step["rule"]);
        let participants = step["participants"].as_array().unwrap();
        assert_eq!(step["interaction"].is_null(), participants[0]["port"].is_null());
        for one in participants {
            let state = states.get_mut(one["component"].as_str().unwrap()).unwrap();
            assert_eq!(*state, text(&one["from"]));
            *state = text(&one["to"]);
        }
    }
    let marking = result["marking"].as_array().unwrap();
    let reached: BTreeMap<String, String> =
        marking.iter().map(|place| (text(&place["component"]), text(&place["state"]))).collect();
    assert_eq!(states, reached);
}

#[test]
fn the_tree_is_a_tree() {
    let run = run(&["--json", "tests/cases/classic/tree-termination-bug.rs", "--error", "early"]);
    let document = document(&run, 1);
    let tree = document["results"][0]["instance"]["tree"].as_array().unwrap();
    for (position, node) in tree.iter().enumerate() {
        assert_eq!(node["parent"].is_null(), position == 0);
        for child in node["children"].as_array().unwrap() {
            assert_eq!(tree[child.as_u64().unwrap() as usize]["parent"], position);
        }
    }
}

#[test]
fn an_open_question_says_why() {
    let run = run(&["--json", THIEF, "--error", "lost", "--invariants", "trap", "--max-states", "2000"]);
    let document = document(&run, 3);
    let result = &document["results"][0];
    assert_eq!(result["reason"]["code"], "spurious");
    assert_eq!(result["tried"], serde_json::json!(["trap"]));
    assert!(result["explored"]["instances"].as_u64().unwrap() > 0);
    assert!(result["trace"].is_null());
    assert_eq!(
        result["marking"].as_array().unwrap().len() as u64,
        result["instance"]["size"].as_u64().unwrap()
    );
}

#[test]
fn diagnostics_are_in_the_document() {
    let wrong = document(&run_with(&["--json", "-"], RING.replace("states idle, busy", "states idle")), 2);
    assert_eq!(wrong["results"], Value::Array(vec![]));
    let wrong = &wrong["files"][0];
    assert_eq!((&wrong["file"], &wrong["system"]), (&Value::from("<stdin>"), &Value::Null));
    assert!(wrong["diagnostics"][0]["line"].as_u64().unwrap() > 0);

    let warned = format!("{RING}Spare(x) <- (Node(x));\n");
    let warned = document(&run_with(&["--json", "-", "--error", "exclusion"], warned), 0);
    assert_eq!(warned["files"][0]["diagnostics"][0]["severity"], "warning");
    assert_eq!(warned["results"][0]["verdict"], "proved");

    let asked = document(&run_with(&["--json", "-", "--error", "exlusion"], RING), 2);
    let found = &asked["files"][0]["diagnostics"][0];
    assert_eq!((&found["code"], &found["source"]), (&Value::from("E0004"), &Value::from("--error")));
}

#[test]
fn the_certificate_is_named() {
    let folder = super::folder("json-certificate");
    let path = folder.join("lost.json");
    let path = path.to_str().unwrap();
    let document = document(&run(&["--json", MUX, "--error", "lost", "--certificate", path]), 0);
    assert_eq!(document["results"][0]["certificate"], path);
    assert!(fs::exists(path).unwrap());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_documented_examples_are_real() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/json.md")).unwrap();
    let blocks = |start: &str| -> Vec<String> {
        let parts = page.split(start).skip(1);
        parts.map(|part| part.split("```").next().unwrap().to_owned()).collect()
    };
    let folder = super::folder("json-documented");
    let certificate = folder.join("ring.json");
    let call = ["examples/ring.rs", "--error", "exclusion", "--certificate", certificate.to_str().unwrap()];
    run(&call).output_of(0);
    let certificate = fs::read(certificate).unwrap();
    let call = ["certify", "examples/ring.rs", "-", "--json"];
    let calls = [
        document_of("fmt", &run(&["fmt", "--check", "--json", "examples/ring.rs", "none.rs"]), 2),
        document_of("certify", &run_with(&call, certificate), 0),
        document(&run_with(&["--json", "-", "--error", "late"], &blocks("```text\n")[0]), 1),
    ];
    let documented: Vec<Value> =
        blocks("```json\n").iter().map(|block| serde_json::from_str(block).unwrap()).collect();
    assert_eq!(documented.len(), calls.len());
    for (mut documented, mut real) in documented.into_iter().zip(calls) {
        for document in [&mut documented, &mut real] {
            document["tool"]["version"] = Value::Null;
            for result in document["results"].as_array_mut().unwrap() {
                for hidden in ["/time_ms", "/engines/0/time_ms"] {
                    result.pointer_mut(hidden).map(Value::take);
                }
                if result["output"].is_null() && result["text"].is_string() {
                    result["text"].take();
                }
            }
        }
        pretty_assertions::assert_eq!(documented, real);
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_trace_is_as_the_schema_says() {
    let folder = super::folder("json-trace");
    let path = folder.join("one.json");
    run(&["-q", HERMAN, "--error", "one", "--trace", path.to_str().unwrap()]);
    let trace = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(problems(&SCHEMA, &SCHEMA["$defs"]["trace"], &trace, ""), Vec::<String>::new());
    assert_eq!(problems(&SCHEMA, &SCHEMA, &trace, ""), Vec::<String>::new());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn every_key_is_documented() {
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/json.md")).unwrap();
    let mut keys = 0;
    for object in SCHEMA["$defs"].as_object().unwrap().values() {
        for key in object["properties"].as_object().into_iter().flat_map(|object| object.keys()) {
            assert!(text.contains(&format!("`{key}`")) || text.contains(&format!("\"{key}\"")), "{key}");
            keys += 1;
        }
    }
    assert!(keys > 100, "{keys}");
}
