//! The most even tree against all trees of small sizes, and what it looks like where one knows.

use std::collections::BTreeMap;

use super::super::trees;
use super::{NotEven, most_even};
use crate::instance::term::{parse_term, print_term};
use paramcheck_model::lower::load;
use paramcheck_model::rule::PredicateId;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_text::graph;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Budget;

fn system(rules: &str) -> System {
    let text = format!("component N {{ states s; init s; s -p-> s; }}\n{rules}");
    load(&text).system.unwrap_or_else(|| panic!("{text}"))
}

const RING_OF_STARS: &str = "
    Ring() <- new a, b . <p(a) p(b)> (Star(a), Chain(b));
    Chain(x) <- new y . <p(x) p(y)> (Star(x), Chain(y)) | Star(x);
    Star(h) <- (N(h), Leaves(h));
    Leaves(h) <- new l . <p(h) p(l)> (N(l), Leaves(h)) | new l . <p(h) p(l)> N(l);";
const RAYMOND: &str = "
    Main() <- new r . T(r);
    T(x) <- new y, z . <p(x) p(y) + p(x) p(z)> (N(x), T(y), T(z)) | new y . <p(x) p(y)> (N(x), T(y)) | N(x);";
const FULL: &str = "T() <- new x . <p(x)> (N(x), T(), T()) | new x . <p(x)> N(x);";
/// Idle rounds, and rows of passing rules.
const ROUNDS: &str = "
    A() <- B() | new x . <p(x)> (N(x), B());
    B() <- C() | A();
    C() <- A() | new x . <p(x)> N(x) | (L(), A());
    L() <- new x . <p(x)> (N(x), L()) | new x, y . <p(x) p(y)> (N(x), N(y));";
const THREE: &str = "
    S() <- (L(), L(), D()) | L();
    L() <- new x . <p(x)> (N(x), L()) | new x . <p(x)> N(x);
    D() <- (L(), D(), L()) | new x, y . <p(x) p(y)> (N(x), N(y));";
/// Two predicates that need each other, one of which branches, with parts of their own.
const MUTUAL: &str = "
    A() <- (B(), L(), B()) | new x . <p(x)> (N(x), B());
    B() <- (L(), A()) | new x . <p(x)> N(x);
    L() <- new x . <p(x)> (N(x), L()) | new x . <p(x)> N(x);";

/// The most even trees by the definition alone: all trees of a predicate and size, those with uneven parts left
/// out, by what is minimised.
struct Naive<'a> {
    system: &'a System,
    component: Vec<u32>,
    least: BTreeMap<(usize, usize), Key>,
}

/// The extent, that of the parts, the sum of squares, the nodes of the stretch.
type Key = (usize, usize, usize, usize);

impl<'a> Naive<'a> {
    fn new(system: &'a System) -> Self {
        let callees = |predicate: usize| -> Vec<u32> {
            let rules = &system.predicates[PredicateId::new(predicate)].rules;
            let calls = rules.iter().flat_map(|&rule| system.rules[rule].predicate_atoms());
            calls.map(|call| call.predicate.index() as u32).collect()
        };
        let callees: Vec<Vec<u32>> = (0..system.predicates.len()).map(callees).collect();
        let component = graph::components(callees.len(), |node| &callees[node]);
        Naive { system, component, least: BTreeMap::new() }
    }

    fn head(&self, tree: &RewritingTree, node: usize) -> usize {
        self.system.rules[tree.nodes[node].rule].head.index()
    }

    fn size(tree: &RewritingTree, node: usize) -> usize {
        let children = tree.nodes[node].children.iter();
        tree.nodes[node].initial.len() + children.map(|&child| Self::size(tree, child)).sum::<usize>()
    }

    fn branches(&self, component: u32) -> bool {
        self.system.rules.iter().any(|rule| {
            let calls = rule.predicate_atoms();
            let inside = calls.filter(|call| self.component[call.predicate.index()] == component);
            self.component[rule.head.index()] == component && inside.count() > 1
        })
    }

    /// The height of the stretch at `node`, the extent of its parts, squares and nodes; `None` with an uneven
    /// part.
    fn stretch(&mut self, tree: &RewritingTree, node: usize) -> Option<Key> {
        let own = self.component[self.head(tree, node)];
        let (mut height, mut parts, mut squares, mut nodes) = (0, 0, 0, 1);
        for &child in &tree.nodes[node].children {
            let (head, size) = (self.head(tree, child), Self::size(tree, child));
            let below = self.stretch(tree, child)?;
            if self.component[head] == own {
                height = height.max(below.0);
                parts = parts.max(below.1);
                squares += below.2 + if self.branches(own) { size * size } else { 0 };
                nodes += below.3;
            } else {
                let key = self.whole(self.component[head], below);
                if key != self.least(head, size)? {
                    return None;
                }
                parts = parts.max(key.0);
                squares += key.2;
            }
        }
        Some((height + 1, parts, squares, nodes))
    }

    fn key(&mut self, tree: &RewritingTree) -> Option<Key> {
        let stretch = self.stretch(tree, 0)?;
        Some(self.whole(self.component[self.head(tree, 0)], stretch))
    }

    /// What is minimised of a tree that begins with a stretch.
    fn whole(&self, component: u32, (height, parts, squares, nodes): Key) -> Key {
        let own = if self.branches(component) { 0 } else { height * height };
        (height + parts, parts, squares + own, nodes)
    }

    fn least(&mut self, predicate: usize, size: usize) -> Option<Key> {
        if let Some(&key) = self.least.get(&(predicate, size)) {
            return Some(key);
        }
        let rooted = System { root: PredicateId::new(predicate), ..self.system.clone() };
        let key = trees(&rooted, size).filter_map(|tree| self.key(&tree)).min()?;
        self.least.insert((predicate, size), key);
        Some(key)
    }
}

#[test]
fn it_is_the_most_even_of_all() {
    let mut found = 0;
    for (rules, most) in [(RING_OF_STARS, 11), (RAYMOND, 8), (FULL, 11), (ROUNDS, 7), (THREE, 8), (MUTUAL, 9)]
    {
        let system = system(rules);
        let mut naive = Naive::new(&system);
        for size in 0..=most {
            let least = naive.least(system.root.index(), size);
            let even = most_even(&system, size, &Budget::unlimited()).unwrap();
            assert_eq!(even.as_ref().and_then(|tree| naive.key(tree)), least, "{rules} {size}");
            let Some(even) = even else { continue };
            found += 1;
            assert!(trees(&system, size).any(|tree| tree == even), "{}", print_term(&system, &even));
        }
    }
    assert!(found > 40, "{found}");
}

#[track_caller]
fn assert_even(rules: &str, size: usize, term: &str) {
    let system = system(rules);
    let tree = most_even(&system, size, &Budget::unlimited()).unwrap().unwrap();
    assert_eq!(tree.size(), size);
    assert_eq!(print_term(&system, &tree), term);
    assert_eq!(parse_term(&system, term).ok(), Some(tree));
}

#[test]
fn trees_are_balanced_and_leaves_spread() {
    assert_even(FULL, 7, "T.1(T.1(T.2, T.2), T.1(T.2, T.2))");
    assert_even(RAYMOND, 6, "Main.1(T.1(T.1(T.3, T.3), T.2(T.3)))");
    assert_even(
        RING_OF_STARS,
        12,
        "Ring.1(Star.1(Leaves.1(Leaves.2)), Chain.1(Star.1(Leaves.1(Leaves.2)), \
         Chain.1(Star.1(Leaves.1(Leaves.2)), Chain.2(Star.1(Leaves.1(Leaves.2))))))",
    );
}

#[test]
fn large_sizes_take_no_longer_than_they_may() {
    for rules in [RING_OF_STARS, RAYMOND, ROUNDS, THREE, MUTUAL] {
        let system = system(rules);
        let tree = most_even(&system, 300, &Budget::unlimited()).unwrap().unwrap();
        assert_eq!(tree.size(), 300, "{rules}");
    }
    let rows: String = (0..5_000).map(|row| format!("P{row}() <- P{}() | L();\n", row + 1)).collect();
    let list = "P5000() <- L();\nL() <- new x . <p(x)> (N(x), L()) | new x . <p(x)> N(x);";
    let rows = system(&(rows + list));
    assert_eq!(most_even(&rows, 1_000, &Budget::unlimited()), Err(NotEven::TooExpensive));
}
