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
        let gave_out = answer.unwrap_err();
        assert_eq!(gave_out.what, What::NotBuilt);
        assert_eq!(
            gave_out.to_string(),
            "this build has no MONA; run mona/vendor, then build with --features mona"
        );
    }
}

#[test]
fn labels_become_values() {
    let mut store = Store::new();
    let x = Variable::Node(store.new_node("x"));
    let y = Variable::Node(store.new_node("y"));
    let set = Variable::Set(store.new_set("X"));
    let labelling =
        Labelling { nodes: vec![None, Some((0, 2)), Some((1, 1))], tracks: vec![vec![2], vec![0, 1]] };
    let found = witness(&[x, set, y], labelling);
    assert_eq!(found.value(x), Some(&Value::Node(2)));
    assert_eq!(found.value(set), Some(&Value::Set(vec![0, 1])));
    // Nothing is said about y.
    assert_eq!(found.value(y), Some(&Value::Node(0)));
    assert_eq!((found.address(0), found.address(2)), (vec![], vec![2, 1]));
    assert_eq!(witness(&[set], Labelling::default()).nodes, [None]);
}
