use std::collections::BTreeMap;

use itertools::Itertools;

use super::*;
use crate::instance::enumerate::trees;
use crate::instance::net::{Component, ComponentId, Move, NetTransition, PatternOccurrence};
use crate::instance::unfold::unfold;
use paramcheck_model::component::{StateId, TransitionId, TypeId};
use paramcheck_model::lower::load;
use paramcheck_model::rule::{PatternGroupId, RuleId};
use paramcheck_text::index::{Idx, IndexVec};

/// A net of components, each with its type, and transitions, each a list of components with the local
/// transitions they make. Only what isomorphism looks at is as in a real net.
fn net(types: &[usize], transitions: &[Vec<(usize, usize)>]) -> Net {
    let components = types.iter().map(|&component_type| Component {
        component_type: TypeId::new(component_type),
        initial: StateId::new(0),
        state_count: 1,
        name: String::new(),
        node: 0,
        atom: 0,
    });
    let transitions = transitions.iter().map(|ends| NetTransition {
        node: 0,
        rule: RuleId::new(0),
        interaction: None,
        moves: ends
            .iter()
            .map(|&(component, transition)| Move {
                component: ComponentId::new(component),
                transition: TransitionId::new(transition),
                from: StateId::new(0),
                to: StateId::new(0),
            })
            .collect(),
    });
    Net::new(components.collect(), transitions.collect(), Vec::new(), vec![0])
}

/// An undirected graph as a net.
fn graph(count: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Net {
    let edges: Vec<_> = edges.into_iter().map(|(one, other)| vec![(one, 0), (other, 0)]).collect();
    net(&vec![0; count], &edges)
}

fn cycle(of: std::ops::Range<usize>) -> Vec<(usize, usize)> {
    let count = of.len();
    let start = of.start;
    (0..count).map(|position| (start + position, start + (position + 1) % count)).collect()
}

fn form(net: &Net) -> Option<CanonicalForm> {
    canonical_form(net, &Budget::unlimited())
}

/// The net with component `i` called `names[i]`, its transitions and their participants in another order.
fn renamed(net: &Net, names: &[usize]) -> Net {
    let mut components: Vec<(usize, Component)> =
        names.iter().copied().zip(net.components().iter().cloned()).collect();
    components.sort_by_key(|(name, _)| *name);
    let rename = |component: ComponentId| ComponentId::new(names[component.index()]);
    let transitions: IndexVec<_, _> = net
        .transitions()
        .iter()
        .rev()
        .map(|transition| {
            let moves = transition.moves.iter().rev();
            let moves = moves.map(|m| Move { component: rename(m.component), ..*m }).collect();
            NetTransition { moves, ..transition.clone() }
        })
        .collect();
    let patterns = net.patterns().iter().rev().map(|pattern| {
        let conditions = pattern.conditions.iter().rev();
        let conditions = conditions.map(|(component, states)| (rename(*component), states.clone())).collect();
        PatternOccurrence { conditions, ..pattern.clone() }
    });
    Net::new(
        components.into_iter().map(|(_, component)| component).collect(),
        transitions,
        patterns.collect(),
        vec![0],
    )
}

/// Numbers below `bound`, the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(1);
        (graph::mix(self.0) % bound as u64) as usize
    }

    fn permutation(&mut self, count: usize) -> Vec<usize> {
        let mut names: Vec<usize> = (0..count).collect();
        for position in (1..count).rev() {
            names.swap(position, self.below(position + 1));
        }
        names
    }
}

/// The least way to write a net down, over all orders of its components: a definition, not a method.
type Naive = (
    Vec<(TypeId, StateId)>,
    Vec<Vec<(usize, TransitionId)>>,
    Vec<(PatternGroupId, Vec<(usize, Vec<StateId>)>)>,
);

fn naive_form(net: &Net) -> Naive {
    let count = net.components().len();
    let all = (0..count).permutations(count).map(|names| {
        let name = |component: ComponentId| names[component.index()];
        let mut kinds: Vec<_> = net
            .components()
            .iter()
            .zip(&names)
            .map(|(c, name)| (*name, (c.component_type, c.initial)))
            .collect();
        kinds.sort_unstable();
        let transitions = net.transitions().iter().map(|transition| {
            let moves = transition.moves.iter().map(|m| (name(m.component), m.transition));
            moves.sorted().collect::<Vec<_>>()
        });
        let patterns = net.patterns().iter().map(|pattern| {
            let conditions = pattern.conditions.iter().map(|(c, states)| (name(*c), states.clone()));
            (pattern.group, conditions.sorted().collect::<Vec<_>>())
        });
        (
            kinds.into_iter().map(|(_, kind)| kind).collect(),
            transitions.sorted().collect(),
            patterns.sorted().collect(),
        )
    });
    all.min().expect("there is an order")
}

/// Holds canonical forms against the definition.
fn compare(nets: &[Net]) -> usize {
    let mut by_naive: BTreeMap<Naive, CanonicalForm> = BTreeMap::new();
    for net in nets {
        let form = form(net).expect("a small net");
        assert_eq!(*by_naive.entry(naive_form(net)).or_insert(form.clone()), form, "{net:?}");
    }
    let distinct = by_naive.values().unique().count();
    assert_eq!(distinct, by_naive.len(), "different nets have one form");
    distinct
}

#[test]
fn forms_are_as_the_definition_says_on_random_nets() {
    let mut random = Random(7);
    let mut nets = Vec::new();
    for _ in 0..1500 {
        let count = 2 + random.below(4);
        let types: Vec<usize> = (0..count).map(|_| random.below(2) * random.below(2)).collect();
        let transitions: Vec<Vec<(usize, usize)>> = (0..1 + random.below(6))
            .map(|_| {
                let participants = 1 + random.below(count.min(3));
                let names = random.permutation(count);
                names[..participants].iter().map(|&name| (name, random.below(2))).collect()
            })
            .collect();
        nets.push(net(&types, &transitions));
    }
    let distinct = compare(&nets);
    assert!((200..1400).contains(&distinct), "{distinct}");
}

#[test]
fn forms_are_as_the_definition_says_on_instances() {
    let texts = [
        // Trees whose leaves look alike, patterns, two ways to start.
        "component N { states a, b; init a, b; a -p-> b; b -q-> a; }
         T() <- new x . S(x);
         S(x) <- new y, z . <p(x) q(y) + p(x) q(z)> forbid <b(y) b(z)> (N(x), S(y), S(z)) | N(x);",
        // Rings with marks.
        "component N { states a, b; init a, b; a -p-> b; b -q-> a; }
         R() <- new x, y . <p(y) q(x)> (C(x, y));
         C(x, y) <- <p(x) q(y)> (N(x), N(y)) | new z . <p(x) q(z)> (N(x), C(z, y));",
        // Stars with a hub, all leaves alike but for their start; a repeated interaction is another net.
        "component H { states h; init h; h -u-> h; }
         component N { states a, b; init a, b; a -p-> b; b -q-> a; b -> a; }
         S() <- new h . L(h);
         L(h) <- H(h) | new x . <u(h) p(x)> (N(x), L(h)) | new x . <u(h) p(x) + u(h) q(x)> (N(x), L(h));",
    ];
    let mut distinct = 0;
    for text in texts {
        let system = load(text).system.expect("a model");
        for size in 1..6 {
            let nets: Vec<Net> = trees(&system, size).map(|tree| unfold(&system, &tree)).collect();
            distinct += compare(&nets);
        }
    }
    assert!(distinct > 100, "{distinct}");
}

#[test]
fn renamed_nets_have_the_same_form() {
    let mut random = Random(1);
    let cube =
        (0..8).flat_map(|one| [1, 2, 4].map(|bit| (one, one ^ bit))).filter(|(one, other)| one < other);
    let petersen = (0..5).flat_map(|i| [(i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5)]);
    let clique = (0..9).array_combinations().map(|[one, other]| (one, other));
    let grid = (0..6).flat_map(|row| {
        (0..6).flat_map(move |column| {
            let at = |row: usize, column: usize| row % 6 * 6 + column % 6;
            [(at(row, column), at(row + 1, column)), (at(row, column), at(row, column + 1))]
        })
    });
    let legs =
        (0..12).flat_map(|leg| [(0, 1 + 3 * leg), (1 + 3 * leg, 2 + 3 * leg), (2 + 3 * leg, 3 + 3 * leg)]);
    let tree = (1..63).map(|child| ((child - 1) / 2, child));
    for net in [
        graph(8, cube),
        graph(10, petersen),
        graph(9, clique),
        graph(36, grid),
        graph(37, legs),
        graph(63, tree),
        graph(40, cycle(0..40)),
        graph(21, (1..21).map(|leaf| (0, leaf))),
    ] {
        let expected = form(&net).expect("found");
        for _ in 0..5 {
            let names = random.permutation(net.components().len());
            assert_eq!(form(&renamed(&net, &names)), Some(expected.clone()));
        }
    }
}

#[test]
fn nets_that_colours_cannot_tell_apart_have_different_forms() {
    let two = |one: Vec<_>, other: Vec<_>| [one, other].concat();
    let pairs = [
        (6, cycle(0..6), two(cycle(0..3), cycle(3..6))),
        (12, cycle(0..12), two(cycle(0..4), cycle(4..12))),
        // A prism and the complete bipartite graph: every vertex has three neighbours.
        (
            6,
            two(two(cycle(0..3), cycle(3..6)), vec![(0, 3), (1, 4), (2, 5)]),
            (0..3).cartesian_product(3..6).collect(),
        ),
    ];
    for (count, one, other) in pairs {
        let (one, other) = (form(&graph(count, one)), form(&graph(count, other)));
        assert!(one.is_some() && other.is_some());
        assert_ne!(one, other);
    }
}

#[test]
fn labels_and_repetitions_count() {
    let edge = |one: (usize, usize), other: (usize, usize)| vec![one, other];
    let forms: Vec<_> = [
        net(&[0, 0], &[edge((0, 0), (1, 1))]),
        net(&[0, 0], &[edge((0, 0), (1, 0))]),
        net(&[0, 1], &[edge((0, 0), (1, 1))]),
        net(&[0, 1], &[edge((0, 1), (1, 0))]),
        net(&[0, 0], &[edge((0, 0), (1, 1)), edge((0, 0), (1, 1))]),
        net(&[0, 0], &[edge((0, 0), (1, 1)), edge((0, 1), (1, 0))]),
        net(&[0, 0], &[]),
        net(&[0], &[]),
        net(&[], &[]),
    ]
    .iter()
    .map(|net| form(net).expect("a small net"))
    .collect();
    assert!(forms.iter().all_unique());
    assert_eq!(form(&net(&[0, 0], &[edge((1, 0), (0, 1))])).as_ref(), forms.first());
}

#[test]
fn large_and_symmetric_nets_are_decided_or_given_up() {
    // All leaves can be swapped: thousands are no trouble.
    let star = |leaves: usize| graph(leaves + 1, (1..=leaves).map(|leaf| (0, leaf)));
    assert!(form(&star(20)).is_some());
    assert!(form(&star(5000)).is_some());
    assert_ne!(form(&star(20)), form(&star(21)));
    // Long rings and thousands of pairs are given up where they take too much.
    let within = |net: &Net, limit| search::least_form(&graph::Graph::new(net), limit, &Budget::unlimited());
    let ring = graph(1000, cycle(0..1000));
    assert_eq!(within(&ring, 100_000), None);
    let pairs = graph(2000, (0..1000).map(|pair| (2 * pair, 2 * pair + 1)));
    assert_eq!(within(&pairs, 100_000), None);
    let ended = Budget::unlimited();
    ended.switch.stop(paramcheck_text::limits::Stop::Interrupted);
    assert_eq!(canonical_form(&graph(6, cycle(0..6)), &ended), None);
}
