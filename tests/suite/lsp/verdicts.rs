//! Verdicts over errors and checks.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::client::{Editor, place};
use super::{RING, json as run, text};

/// Per question the verdict over it.
fn verdicts(editor: &mut Editor, name: &str) -> BTreeMap<String, String> {
    let lenses = editor.lenses(name);
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let argument = |lens: &Value| lens["command"]["arguments"][0].clone();
    lenses.iter().map(argument).map(|one| (word(&one["name"]), word(&one["verdict"]))).collect()
}

/// Models of each kind whose questions are answered quickly.
const REPRESENTATIVE: [&str; 12] = [
    RING,
    "examples/philosophers/alt-philo-sym.rs",
    "tests/cases/classic/herman-ring.rs",
    "tests/cases/classic/mux-array.rs",
    "tests/cases/classic/loose-mutex-thief.rs",
    "examples/ccs/2pc.ccs",
    "examples/ccs/2pc-unrestricted.ccs",
    "examples/ccs/peterson.ccs",
    "examples/ccs/flags-only.ccs",
    "examples/chor/news.chor",
    "examples/chor/stock.chor",
    "examples/chor/two-buyers.chor",
];

#[test]
fn verdicts_are_those_of_checking() {
    let mut editor = Editor::start(&["--time-limit", "3600"]);
    let mut seen = BTreeMap::new();
    for path in REPRESENTATIVE {
        let is_process = !path.ends_with(".rs");
        let arguments = if is_process { vec!["verify", "--json", path] } else { vec!["--json", path] };
        let document = run(&arguments);
        let key = if is_process { "check" } else { "error" };
        let word = |value: &Value| value.as_str().unwrap().to_owned();
        let results = document["results"].as_array().unwrap().iter();
        let expected: BTreeMap<String, String> =
            results.map(|one| (word(&one[key]), word(&one["verdict"]))).collect();
        editor.open(path, &text(path));
        assert_eq!(verdicts(&mut editor, path), expected, "{path}");
        for verdict in expected.into_values() {
            *seen.entry(verdict).or_insert(0) += 1;
        }
        editor.close(path);
    }
    assert!(seen["proved"] > 10 && seen["violated"] > 5, "{seen:?}");
    editor.end();
}

/// A title without its time.
fn timeless(title: &str) -> String {
    match title.rfind(" (") {
        Some(at) => format!("{} (TIME)", &title[..at]),
        None => title.to_owned(),
    }
}

#[test]
fn titles_and_traces() {
    let mut editor = Editor::start(&["--time-limit", "3600"]);
    let mut lines = Vec::new();
    for path in [
        RING,
        "examples/philosophers/alt-philo-sym.rs",
        "tests/cases/classic/herman-ring.rs",
        "examples/ccs/2pc-unrestricted.ccs",
        "examples/chor/stock.chor",
    ] {
        editor.open(path, &text(path));
        lines.push(path.to_owned());
        for lens in editor.lenses(path) {
            let title = lens["command"]["title"].as_str().unwrap();
            lines.push(format!("  {}: {}", lens["range"]["start"]["line"], timeless(title)));
            let command = &lens["command"];
            assert_eq!(command["command"], "paramcheck.showTrace");
            let trace = &command["arguments"][0];
            for step in trace["steps"].as_array().unwrap() {
                let range = &step["location"]["range"];
                let at = |at: &Value| format!("{}:{}", at["line"], at["character"]);
                let at = format!("{}-{}", at(&range["start"]), at(&range["end"]));
                lines.push(format!("      {}  at {at}", step["text"].as_str().unwrap()));
            }
            // An editor that does not know the command gets the text.
            let answer = editor
                .request(
                    "workspace/executeCommand",
                    json!({ "command": command["command"], "arguments": [trace] }),
                )
                .unwrap();
            assert_eq!(answer, trace["text"]);
            assert!(answer.as_str().unwrap().starts_with(trace["verdict"].as_str().unwrap()));
        }
        // The whole answer is in what hovering shows, for editors without lenses.
        editor.close(path);
    }
    insta::assert_snapshot!(lines.join("\n"));
    editor.end();
}

#[test]
fn hovering_shows_the_answer() {
    let mut editor = Editor::start(&["--time-limit", "3600"]);
    let model = text(RING);
    editor.open("ring.rws", &model);
    editor.lenses("ring.rws");
    let nth = model.matches("error exclusion").count() - 1;
    let at = place(&model, "error exclusion", nth, 8);
    let hover = editor.at("textDocument/hover", "ring.rws", at).unwrap();
    let shown = hover["contents"]["value"].as_str().unwrap();
    assert!(shown.contains("proved    exclusion  for every size, by mutex"), "{shown}");
    editor.end();
}

/// A question that takes longer than anybody waits.
const ENDLESS: &str = "component C { states a, b, c, d; init a; final *; a -p-> b; b -q-> c; c -r-> d; d -s-> a; \
     b -p-> d; c -s-> b; }\nS() <- new x, y . (A(x, y), C(x), C(y));\n\
     A(x, y) <- new z, w . <p(x) q(z) r(w) + s(x) p(y) q(w) + q(x) s(z)> (A(z, y), C(z), A(x, w), C(w)) \
     | new z . <p(x) s(z)> (C(z)) | new z . <r(x) q(y)> (C(z));\n\
     error never = #a >= 3 & #b >= 3 & #c >= 3 & #d >= 3;\n";

#[test]
fn the_next_key_ends_what_is_being_decided() {
    let mut editor = Editor::start(&["--time-limit", "36000"]);
    // Again and again: what is begun must not pile up.
    editor.open("model.rws", ENDLESS);
    for _ in 0..20 {
        editor.about("textDocument/codeLens", "model.rws");
        editor.change("model.rws", json!([{ "text": ENDLESS }]));
        editor.diagnostics("model.rws");
    }
    editor.change("model.rws", json!([{ "text": text(RING) }]));
    let answers = verdicts(&mut editor, "model.rws");
    assert_eq!(answers.values().collect::<Vec<_>>(), ["proved", "proved"]);
    // A text with errors has no verdicts, and none of the text before.
    editor.change("model.rws", json!([{ "text": "component" }]));
    assert_eq!(editor.lenses("model.rws"), Vec::<Value>::new());
    editor.end();
}

#[test]
fn a_question_out_of_time_is_left_open() {
    let mut editor = Editor::start(&["--time-limit", "0"]);
    editor.open("ring.rws", &text(RING));
    let lenses = editor.lenses("ring.rws");
    let titles: Vec<String> =
        lenses.iter().map(|lens| timeless(lens["command"]["title"].as_str().unwrap())).collect();
    assert_eq!(
        titles,
        ["deadlock: unknown: time limit reached (TIME)", "unknown: time limit reached (TIME)"]
    );
    editor.end();
}
