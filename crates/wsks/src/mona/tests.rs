use super::*;

#[test]
fn a_build_without_mona_says_so() {
    let mut store = Store::new();
    let formula = store.truth();
    let means = Means {
        worker: Worker { program: "/nonexistent".into() },
        budget: Budget::unlimited(),
        memory: None,
    };
    let answer = decide(&Question { store: &store, formula, successors: 1 }, &means);
    if IS_BUILT {
        assert!(answer.is_ok());
    } else {
        let failed = answer.unwrap_err();
        assert_eq!(failed.what, MonaFailure::NotBuilt);
        assert_eq!(
            failed.to_string(),
            "this build has no MONA; run mona/vendor, then build with --features mona"
        );
    }
}
