//! Tests of the parser.
use super::parse;

#[test]
fn reads_all_cases() {
    for folder in ["table1", "more", "classic", "bad"] {
        for entry in std::fs::read_dir(format!("tests/cases/{folder}")).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "rs") {
                let parsed = parse(&std::fs::read_to_string(&path).unwrap());
                assert!(parsed.diagnostics.is_empty(), "{path:?}: {:#?}", parsed.diagnostics);
                assert!(parsed.model.items.len() >= 2);
            }
        }
    }
}
