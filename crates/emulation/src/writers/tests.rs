use std::collections::BTreeSet;

use proptest::prelude::{Strategy, prop, prop_assert, prop_assert_eq, proptest};

use super::{Ranges, c, promela, smv};
use paramcheck_text::names::Names;

/// Names as models have them, those that are easily confused among them.
fn names() -> impl Strategy<Value = Vec<String>> {
    let words: Vec<String> = promela::KEYWORDS
        .iter()
        .chain(smv::KEYWORDS)
        .chain(c::KEYWORDS)
        .map(|&word| word.to_owned())
        .collect();
    let name = proptest::prop_oneof![
        prop::sample::select(words),
        "[a_ν'#.]{1,4}",
        "(t|init|Node_)[1_]{0,2}",
        "\\PC{1,6}",
    ];
    prop::collection::vec(name, 1..30)
}

proptest! {
    #[test]
    fn names_are_legal_and_never_the_same(wanted in names()) {
        for keywords in [promela::KEYWORDS, smv::KEYWORDS, c::KEYWORDS, &[]] {
            let mut names = Names::new(keywords);
            let taken: Vec<String> = wanted.iter().map(|name| names.take(name)).collect();
            for name in &taken {
                prop_assert!(name.starts_with(|first: char| first.is_ascii_alphabetic()), "{name}");
                prop_assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'), "{name}");
                prop_assert!(!keywords.contains(&name.as_str()), "{name}");
            }
            prop_assert_eq!(taken.iter().collect::<BTreeSet<_>>().len(), taken.len(), "{:?}", taken);
        }
    }
}

#[test]
fn numbers_become_intervals() {
    let ranges = Ranges::new([0, 1, 1, 3, 5, 6, 6], (0, 9));
    assert_eq!(ranges.ranges, [(0, 1), (3, 3), (5, 6)]);
}
