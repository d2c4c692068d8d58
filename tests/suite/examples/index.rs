//! The index `examples/README.md` against the models and their `expected.toml`: it lists each model exactly
//! once, and names the errors and checks that are not proved. Its descriptions of models are for readers.

use std::collections::BTreeMap;
use std::fs;

use super::{Answers, Expected, examples, expected, folders};

/// The errors and checks that the index lists as not proved, per model.
fn listed(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut listed: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in text.lines().filter(|line| line.starts_with("| [`")) {
        let cells: Vec<_> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [link, _, open] = cells[..] else { panic!("not a row of three cells: {row}") };
        let model = link.split('`').nth(1).unwrap();
        assert_eq!(link, format!("[`{model}`]({model})"));
        listed.entry(model.to_owned()).or_default().push(open.to_owned());
    }
    listed
}

/// The cell of a model: `none` if everything is proved.
fn cell(open: Vec<String>) -> String {
    if open.is_empty() { "none".to_owned() } else { open.join(", ") }
}

/// The errors of a rewriting system that are not proved, with the size of the smallest violation.
fn open_errors(answers: Answers) -> Vec<String> {
    let open = |(error, answer)| match answer {
        Expected::Proved => None,
        Expected::Unknown => Some(format!("`{error}` unknown")),
        Expected::Violated(size) => Some(format!("`{error}` ({size})")),
    };
    answers.into_iter().filter_map(open).collect()
}

/// The checks of a process that are not proved in any order, with the schedules under which they are.
fn open_checks(answers: &BTreeMap<String, BTreeMap<String, String>>) -> Vec<String> {
    let is_proved = |schedule: &str, check: &String| {
        answers.get(schedule).and_then(|checks| checks.get(check)).is_some_and(|answer| answer == "proved")
    };
    let open = |check: &String| {
        let schedules =
            ["fair", "fair-strong", "round-robin"].map(|schedule| (schedule, is_proved(schedule, check)));
        let proved: Vec<_> =
            schedules.into_iter().filter_map(|(schedule, proved)| proved.then_some(schedule)).collect();
        match proved.as_slice() {
            [] => format!("`{check}`"),
            proved => format!("`{check}` (proved: {})", proved.join(", ")),
        }
    };
    answers["any"].keys().filter(|check| !is_proved("any", check)).map(open).collect()
}

#[test]
fn the_index_names_each_model_once_with_what_is_not_proved() {
    let mut right = BTreeMap::new();
    for folder in folders() {
        let prefix = folder.strip_prefix(examples()).unwrap().to_path_buf();
        for (model, answers) in expected(&folder) {
            let name = prefix.join(model).to_str().unwrap().replace('\\', "/");
            right.insert(name, vec![cell(open_errors(answers))]);
        }
    }
    for folder in ["ccs", "chor", "labs"] {
        let text = fs::read_to_string(examples().join(folder).join("expected.toml")).unwrap();
        let processes: BTreeMap<String, _> = toml::from_str(&text).unwrap();
        for (model, answers) in processes {
            right.insert(format!("{folder}/{model}"), vec![cell(open_checks(&answers))]);
        }
    }
    let index = fs::read_to_string(examples().join("README.md")).unwrap();
    pretty_assertions::assert_eq!(listed(&index), right);
}
