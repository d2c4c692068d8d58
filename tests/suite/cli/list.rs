//! `--list`: the questions of files, without answers.

use insta::assert_snapshot;

use super::json::document_of;
use super::{RING, run, run_with};

#[test]
fn questions_of_every_kind_of_file() {
    let files = ["examples/ring.rs", "examples/hierarchies/branch-offices.rs", "examples/ccs/2pc.ccs"];
    let shown = run(&[&["--list"], &files[..]].concat()).output_of(0);
    assert_snapshot!("list", shown);
    assert_snapshot!("list-quiet", run_with(&["-", "--list", "--quiet"], RING).output_of(0));
    let alone = run(&["verify", files[2], "--list"]).output_of(0);
    assert!(shown.ends_with(&alone), "{alone}");
    let piped = run_with(&["verify", "-", "--language", "ccs", "--list"], "system 0; check deadlock;");
    assert_eq!(piped.output_of(0), "<stdin>:\n  deadlock  deadlock\n");
}

#[test]
fn documents_and_mistakes() {
    let call = ["examples/ring.rs", "none.rs", "examples/chor/news.chor", "--list", "--json"];
    let document = document_of("list", &run(&call), 2);
    let results = document["results"].as_array().unwrap();
    assert_eq!(
        (&results[1]["error"], &results[1]["formula"]),
        (&"exclusion".into(), &"#Node.busy >= 2".into())
    );
    assert!(results.iter().any(|one| one["file"] == call[2] && one["check"].is_string()));
    assert_eq!(document["files"][1]["diagnostics"][0]["code"], "E0001");
    let wrong = run(&["examples/ring.rs", "--list", "--trace", "x.json"]).errors_of(2);
    assert!(wrong.contains("cannot be used with"), "{wrong}");
}
