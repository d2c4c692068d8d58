//! What a newcomer got wrong: each text of `tests/cases/newcomer`, and what is said about it.

use std::fmt::Write;
use std::path::Path;

use super::{command, finish};

#[test]
fn mistakes_of_newcomers_are_met_with_messages_that_help() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/newcomer");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names.len(), 101);
    let mut text = String::new();
    for name in names {
        let is_process = name.ends_with(".ccs") || name.ends_with(".chor");
        let call = if is_process { vec!["verify", &name, "--quiet"] } else { vec![&name[..], "--quiet"] };
        let mut command = command(&call);
        command.current_dir(&folder);
        let run = finish(command);
        let _ = write!(text, "=== {name}: {}\n{}{}", run.code, run.errors, run.output);
    }
    insta::assert_snapshot!("newcomer", text);
}
