//! The models in `docs/rcheck.md` are read without a message, and what they claim holds.

#![allow(clippy::unwrap_used, missing_docs)]

use paramcheck_rcheck::load;
use paramcheck_rcheck::parser::Options;
use paramcheck_rcheck::semantics::check::{Answer, Fairness, check};
use paramcheck_rcheck::semantics::explore::explore;
use paramcheck_text::limits::Budget;

#[test]
fn the_models_of_the_page_mean_what_it_says() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rcheck.md");
    let page = std::fs::read_to_string(page).unwrap();
    let blocks = page.split("```rcheck\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let mut checked = 0;
    for text in blocks {
        let loaded = load(text, Options::default());
        assert_eq!(loaded.diagnostics, [], "{text}");
        let system = loaded.system.unwrap();
        let space = explore(&system, 10_000, &Budget::unlimited()).unwrap();
        assert!(space.states.len() > 5 && space.deadlocks().is_empty());
        for spec in &system.specs {
            assert_eq!(check(&system, &space, spec, Fairness::Unfair), Answer::Holds, "{}", spec.text);
            checked += 1;
        }
    }
    assert_eq!(checked, 2);
}
