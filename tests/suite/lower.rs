//! The corpus and the examples of the codes, read and lowered.

use std::path::{Path, PathBuf};

use paramcheck::diagnostic::codes;
use paramcheck::model::lower::load;

/// The model files of a folder of the corpus, by name.
fn models(folder: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(folder);
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    paths.sort();
    assert!(!paths.is_empty());
    paths.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect()
}

/// The codes of what is wrong with a text.
fn codes_of(text: &str) -> Vec<&'static str> {
    load(text).diagnostics.iter().map(|diagnostic| diagnostic.code.id).collect()
}

#[test]
fn the_corpus_has_a_meaning_and_gives_no_warning() {
    for folder in ["table1", "more", "classic"] {
        for (path, text) in models(folder) {
            let loaded = load(&text);
            assert!(loaded.system.is_some(), "{}", path.display());
            assert!(loaded.diagnostics.is_empty(), "{}: {:#?}", path.display(), loaded.diagnostics);
        }
    }
}

#[test]
fn bad_cases_give_what_they_are_bad_for() {
    let expected = [
        ("bad-arity.rs", vec!["E0211"]),
        ("bad-duplicate-rule.rs", vec!["W0201"]),
        ("bad-no-rule.rs", vec!["E0202"]),
        ("bad-nonproductive.rs", vec!["E0227"]),
        ("bad-port-of-other-type.rs", vec!["E0218"]),
        ("bad-unknown-port.rs", vec!["E0203"]),
        ("bad-unreachable-pred.rs", vec!["W0204"]),
        ("bad-variable-twice.rs", vec!["E0216"]),
    ];
    let found: Vec<(String, Vec<&str>)> = models("bad")
        .into_iter()
        .map(|(path, text)| (path.file_name().unwrap().to_string_lossy().into_owned(), codes_of(&text)))
        .collect();
    let expected: Vec<(String, Vec<&str>)> =
        expected.into_iter().map(|(name, codes)| (name.to_owned(), codes)).collect();
    assert_eq!(found, expected);
}

/// The lines of an explanation that are indented behind `heading`.
fn example(explanation: &str, heading: &str) -> String {
    let (_, rest) = explanation.split_once(heading).unwrap();
    let lines = rest.lines().skip(2).take_while(|line| line.starts_with("    "));
    lines.map(|line| format!("{}\n", line.trim_start())).collect()
}

#[test]
fn every_code_is_given_by_its_wrong_example_and_not_by_its_right_one() {
    for code in codes::model::ALL {
        let (wrong, right) = (example(code.explanation, "Wrong:"), example(code.explanation, "Right:"));
        let found = codes_of(&wrong);
        // The parser is faster with some of these.
        if !["E0228", "E0230"].contains(&code.id) {
            assert_eq!(found.iter().filter(|id| **id != code.id).count(), 0, "{}: {found:?}", code.id);
            assert!(found.contains(&code.id), "{}: {found:?}", code.id);
        }
        assert_eq!(codes_of(&right), Vec::<&str>::new(), "{}", code.id);
    }
}

#[test]
fn codes_are_unique_and_in_order() {
    let ids: Vec<&str> = codes::model::ALL.iter().map(|code| code.id).collect();
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(ids, sorted);
}
