//! Instances of the corpus and of small texts, counted by hand.

use paramcheck_model::system::System;
use paramcheck_nets::instance::enumerate::{smallest_size, smallest_tree, trees};
use paramcheck_nets::instance::term::{parse_term, print_term};
use paramcheck_nets::instance::unfold::{check_tree, unfold};

use super::support::{case, random, seeds, system};

/// Per tree of the size: components and transitions.
fn shapes(system: &System, size: usize) -> Vec<(usize, usize)> {
    let shape = |tree| {
        assert_eq!(check_tree(system, &tree), Ok(()));
        let net = unfold(system, &tree);
        (net.components().len(), net.transitions().len())
    };
    trees(system, size).map(shape).collect()
}

#[test]
fn token_rings() {
    let ring = case("table1/token-ring.rs");
    assert_eq!(shapes(&ring, 1), []);
    for size in 2..8 {
        // One transition per neighbourhood.
        assert_eq!(shapes(&ring, size), [(size, size)]);
    }
}

#[test]
fn rings_with_any_number_of_tokens() {
    // All but the last two may be holders or not.
    let ring = case("table1/token-ring-generic.rs");
    for size in 2..8 {
        assert_eq!(shapes(&ring, size), vec![(size, size); 1 << (size - 2)]);
    }
    // All but one start with or without a token; keep, give-get and give-merge per node.
    let herman = case("classic/herman-ring.rs");
    for size in 2..6 {
        assert_eq!(shapes(&herman, size), vec![(size, 3 * size); 1 << (size - 1)]);
    }
}

#[test]
fn stars() {
    let star = case("table1/star.rs");
    for size in 2..8 {
        // Request and answer per slave.
        assert_eq!(shapes(&star, size), [(size, 2 * (size - 1))]);
    }
}

#[test]
fn trees_that_know_their_root() {
    // A root, k inner nodes with three interactions each, k + 1 leaves with one; one at the root.
    let tree = case("table1/tree-back-root.rs");
    for (inner, catalan) in [1, 1, 2, 5, 14].into_iter().enumerate() {
        let size = 2 * inner + 2;
        assert_eq!(shapes(&tree, size), vec![(size, 4 * inner + 2); catalan]);
        assert_eq!(shapes(&tree, size + 1), []);
    }
}

#[test]
fn trees_walked_depth_first() {
    // The top node of the tree is no leaf; a subtree is Sub over Node or Leaf.
    let tree = case("table1/tree-dfs.rs");
    for (inner, catalan) in [(1, 1), (2, 2), (3, 5)] {
        let size = 2 * inner + 2;
        assert_eq!(shapes(&tree, size), vec![(size, 2 + 4 * inner); catalan]);
    }
    assert_eq!(smallest_size(&tree), 4);
}

#[test]
fn an_interaction_stands_for_a_transition_per_combination_or_none() {
    let model = system(
        "component A { states a, b; init a; a -p-> b; b -p-> a; }
         component B { states b; init b; b -q-> b; b -> b; }
         component C { states c; init c; c -q-> c; }
         P() <- new x, y . <p(x) q(y)> (X(x), Y(y));
         X(x) <- A(x); X(x) <- B(x);
         Y(y) <- B(y); Y(y) <- C(y);",
    );
    // A has two transitions on p, B none: there the interaction vanishes. B has an internal one.
    assert_eq!(shapes(&model, 2), [(2, 3), (2, 2), (2, 2), (2, 1)]);
}

#[test]
fn initial_states_are_chosen_per_instance() {
    let model = system(
        "component A { states a, b, c; init a, b; a -p-> b; b -p-> c; c -p-> a; }
         P() <- new x, y, z . <p(x) p(y) p(z)> (A(x), A[*](y), A[c](z));",
    );
    let initial: Vec<Vec<String>> = trees(&model, 3)
        .map(|tree| {
            let net = unfold(&model, &tree);
            let states = net.components().iter();
            states.map(|c| model.types[c.component_type].states[c.initial].name.clone()).collect()
        })
        .collect();
    let expected: Vec<Vec<&str>> = ["a a c", "a b c", "a c c", "b a c", "b b c", "b c c"]
        .iter()
        .map(|line| line.split(' ').collect())
        .collect();
    assert_eq!(initial, expected);
}

#[test]
fn trees_of_random_systems_are_right_and_come_once() {
    for seed in seeds(300, 300) {
        let Some((text, system)) = random::system(seed) else { continue };
        let mut smallest = None;
        for size in 1..=5 {
            let mut seen = std::collections::HashSet::new();
            for tree in trees(&system, size).take(200) {
                assert_eq!(check_tree(&system, &tree), Ok(()), "seed {seed}:\n{text}");
                assert_eq!(unfold(&system, &tree).components().len(), size, "seed {seed}:\n{text}");
                let term = print_term(&system, &tree);
                assert_eq!(parse_term(&system, &term).as_ref(), Ok(&tree), "seed {seed}, {term}:\n{text}");
                assert!(seen.insert(tree), "a tree comes twice, seed {seed}:\n{text}");
                smallest = smallest.or(Some(size));
            }
        }
        let tree = smallest_tree(&system).expect("random systems are small");
        assert_eq!(check_tree(&system, &tree), Ok(()), "seed {seed}:\n{text}");
        assert_eq!(tree.size() as u64, smallest_size(&system), "seed {seed}:\n{text}");
        assert!(smallest.is_none_or(|size| size == tree.size()), "seed {seed}:\n{text}");
    }
}
