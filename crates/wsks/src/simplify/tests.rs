use std::collections::BTreeSet;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::graph::{Graph, Knowledge, Node, enter};
use super::rules::Rule;
use super::tracks::Numbers;
use super::{Effort, simplify};
use crate::evaluate::{Domain, Valuation, evaluate};
use crate::formula::{Formula, FormulaId, NodeVariable, SetVariable, Store, TermId, Variable};

const STEPS: u64 = 20_000;

/// Two variables of each order: names meet often.
struct Pool {
    nodes: Vec<NodeVariable>,
    sets: Vec<SetVariable>,
    /// Whether terms have children. The domains of the evaluator end somewhere, so there `∃x. x = y.1`
    /// may be false, which it is not in WSκS: without children the rule of one point holds in both.
    has_children: bool,
}

impl Pool {
    fn new(store: &mut Store, has_children: bool) -> Pool {
        Pool {
            nodes: ["x", "y"].map(|name| store.new_node(name)).to_vec(),
            sets: ["X", "Y"].map(|name| store.new_set(name)).to_vec(),
            has_children,
        }
    }

    fn term(&self, store: &mut Store, rng: &mut SmallRng) -> TermId {
        let mut term = match rng.random_range(0..4) {
            0 => store.root(),
            _ => {
                let node = self.nodes[rng.random_range(0..self.nodes.len())];
                store.node(node)
            }
        };
        while self.has_children && rng.random_range(0..3) == 0 {
            term = store.child(term, rng.random_range(1..=2));
        }
        term
    }

    /// Built without the constructors' help: with constants, vacuous quantifiers and repetitions.
    fn formula(&self, store: &mut Store, rng: &mut SmallRng, depth: usize) -> FormulaId {
        let kind = if depth == 0 { rng.random_range(0..5) } else { rng.random_range(0..19) };
        let set = |rng: &mut SmallRng| self.sets[rng.random_range(0..self.sets.len())];
        let formula = match kind {
            0 if rng.random_range(0..4) == 0 => Formula::True,
            0 | 1 => Formula::Member(self.term(store, rng), set(rng)),
            2 => Formula::Equal(self.term(store, rng), self.term(store, rng)),
            3 => Formula::SetEqual(set(rng), set(rng)),
            4 => Formula::Subset(set(rng), set(rng)),
            5 => Formula::Not(self.formula(store, rng, depth - 1)),
            6..=11 => {
                let mut parts: Vec<FormulaId> = Vec::new();
                for _ in 0..rng.random_range(2..4) {
                    let again = (!parts.is_empty() && rng.random_range(0..4) == 0).then(|| parts[0]);
                    let part = match again {
                        // Conjuncts that have something to do with each other.
                        Some(part) => {
                            let other = self.formula(store, rng, depth - 1);
                            let joined =
                                if rng.random() { store.and([part, other]) } else { store.or([part, other]) };
                            if rng.random() { joined } else { store.not(joined) }
                        }
                        None => self.formula(store, rng, depth - 1),
                    };
                    if !parts.contains(&part) {
                        parts.push(part);
                    }
                }
                match (parts.len(), kind) {
                    (1, _) => return parts[0],
                    (_, 6..=8) => Formula::And(parts.into()),
                    _ => Formula::Or(parts.into()),
                }
            }
            12 => {
                Formula::Implies([self.formula(store, rng, depth - 1), self.formula(store, rng, depth - 1)])
            }
            13 => Formula::Iff([self.formula(store, rng, depth - 1), self.formula(store, rng, depth - 1)]),
            _ => {
                let part = self.formula(store, rng, depth - 1);
                let x = self.nodes[rng.random_range(0..self.nodes.len())];
                match kind {
                    14 => Formula::ExistsNode(x, part),
                    15 => Formula::ForallNode(x, part),
                    16 => Formula::ExistsOneNode(x, part),
                    17 => Formula::ExistsSet(set(rng), part),
                    _ => Formula::ForallSet(set(rng), part),
                }
            }
        };
        store.insert(formula)
    }

    fn valuation(&self, domain: &Domain, rng: &mut SmallRng) -> Valuation {
        let mut valuation = Valuation::default();
        for &x in &self.nodes {
            let path = &domain.paths()[rng.random_range(0..domain.paths().len())];
            valuation.nodes.insert(x, path.clone());
        }
        for &x in &self.sets {
            let inside: BTreeSet<_> = domain.paths().iter().filter(|_| rng.random()).cloned().collect();
            valuation.sets.insert(x, inside);
        }
        valuation
    }
}

/// A node of a graph as a formula, its parts being those first known of their classes.
fn written(graph: &mut Graph, node: &Node, first: &[FormulaId]) -> Option<FormulaId> {
    let part = |id: &egg::Id| first.get(usize::from(*id)).copied();
    let formula = match node {
        Node::True => Formula::True,
        Node::Leaf(formula) => return Some(*formula),
        Node::Not(of) => Formula::Not(part(of)?),
        Node::And(parts) => {
            let parts: Option<Vec<FormulaId>> = parts.iter().map(part).collect();
            return Some(graph.analysis.store.and(parts?));
        }
        Node::Iff([left, right]) => Formula::Iff([part(left)?, part(right)?]),
        Node::Exists(Variable::Node(x), of) => Formula::ExistsNode(*x, part(of)?),
        Node::Exists(Variable::Set(x), of) => Formula::ExistsSet(*x, part(of)?),
        Node::ExistsOne(x, of) => Formula::ExistsOneNode(*x, part(of)?),
    };
    Some(graph.analysis.store.insert(formula))
}

/// Applies one rule, to all classes of the graphs of random formulas, and compares what was put together
/// by evaluation: every two nodes that were found equal, whether or not one would be taken out.
fn check(rule: Rule, seeds: u64, at_least: usize) {
    let (mut fired, mut values) = (0, [0, 0]);
    for seed in 0..seeds {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut store = Store::new();
        let pool = Pool::new(&mut store, rule != Rule::OnePoint);
        let formula = pool.formula(&mut store, &mut rng, 4);
        let mut numbers = Numbers::default();
        let all = pool.nodes.iter().map(|&x| Variable::Node(x));
        assert!(numbers.extend(all.chain(pool.sets.iter().map(|&x| Variable::Set(x)))));
        let mut graph = Graph::new(Knowledge { store, numbers, successors: 2, nodes: usize::MAX });
        enter(&mut graph, formula, |_| false);
        graph.rebuild();
        let rewrite = rule.rewrite().unwrap();
        let matches = rewrite.search(&graph);
        rewrite.apply(&mut graph, &matches);
        // By the number of a node when it was made: the formula that it was made as, before any union.
        let nodes: Vec<Node> = graph.nodes().to_vec();
        let mut first: Vec<FormulaId> = Vec::new();
        for node in &nodes {
            let formula = written(&mut graph, node, &first).unwrap();
            first.push(formula);
        }
        graph.rebuild();
        for (number, &formula) in first.iter().enumerate() {
            let class = usize::from(graph.find(egg::Id::from(number)));
            let other = first[class];
            if formula == other {
                continue;
            }
            fired += 1;
            for _ in 0..6 {
                let domain = Domain::complete(2, 1);
                let valuation = pool.valuation(&domain, &mut rng);
                let value = |formula| evaluate(&graph.analysis.store, formula, &domain, &valuation, STEPS);
                let (Ok(one), Ok(two)) = (value(formula), value(other)) else { continue };
                values[usize::from(one)] += 1;
                let text = |formula| crate::print::mathematics(&graph.analysis.store, formula, &[]);
                assert_eq!(one, two, "{rule:?}, seed {seed}:\n{}\n{}", text(formula), text(other));
            }
        }
    }
    assert!(
        fired >= at_least && values.iter().all(|&count| count >= at_least),
        "{rule:?}: {fired}, {values:?}"
    );
}

#[test]
fn double_negation_is_sound() {
    check(Rule::DoubleNegation, 2_000, 400);
}

#[test]
fn constants_is_sound() {
    check(Rule::Constants, 4_000, 100);
}

#[test]
fn flatten_is_sound() {
    check(Rule::Flatten, 1_000, 500);
}

#[test]
fn absorb_is_sound() {
    check(Rule::Absorb, 2_000, 500);
}

#[test]
fn factor_is_sound() {
    check(Rule::Factor, 4_000, 150);
}

#[test]
fn vacuous_is_sound() {
    check(Rule::Vacuous, 500, 300);
}

#[test]
fn narrow_is_sound() {
    check(Rule::Narrow, 4_000, 200);
}

#[test]
fn split_is_sound() {
    check(Rule::Split, 4_000, 400);
}

#[test]
fn join_is_sound() {
    check(Rule::Join, 20_000, 100);
}

#[test]
fn one_point_is_sound() {
    check(Rule::OnePoint, 4_000, 200);
}

#[test]
fn simplification_keeps_the_meaning() {
    let (mut changed, mut values) = (0, [0, 0]);
    for seed in 0..1_000 {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut store = Store::new();
        let pool = Pool::new(&mut store, false);
        let formula = pool.formula(&mut store, &mut rng, 6);
        let effort = Effort { rules: Rule::ALL.to_vec(), least: 0, ..Effort::default() };
        let new = simplify(&mut store, formula, 2, &effort).formula;
        changed += usize::from(new != formula);
        assert!(store.free_variables(new).iter().all(|&variable| store.is_free(variable, formula)), "{seed}");
        for _ in 0..6 {
            let domain = Domain::complete(2, 1);
            let valuation = pool.valuation(&domain, &mut rng);
            let value = |formula| evaluate(&store, formula, &domain, &valuation, STEPS);
            let (Ok(before), Ok(after)) = (value(formula), value(new)) else { continue };
            let text = |formula| crate::print::mathematics(&store, formula, &[]);
            assert_eq!(before, after, "seed {seed}:\n{}\n{}", text(formula), text(new));
            values[usize::from(before)] += 1;
        }
    }
    assert!(changed > 500, "{changed}");
    assert!(values.iter().all(|&count| count > 300), "{changed} {values:?}");
}

/// A formula that is large in one way: deep, wide, or shared.
fn large(store: &mut Store, shape: usize, size: usize) -> FormulaId {
    let pool = Pool::new(store, true);
    let mut rng = SmallRng::seed_from_u64(shape as u64);
    let mut formula = pool.formula(store, &mut rng, 2);
    match shape {
        0 => {
            for _ in 0..size {
                let other = pool.formula(store, &mut rng, 1);
                let both = store.and([formula, other]);
                let quantified = store.insert(Formula::ExistsSet(pool.sets[0], both));
                formula = store.insert(Formula::Not(quantified));
            }
            formula
        }
        1 => {
            let parts: Vec<FormulaId> = (0..size).map(|_| pool.formula(store, &mut rng, 3)).collect();
            let all = store.and(parts);
            store.exists_set(pool.sets[0], all)
        }
        2 => {
            let sets: Vec<SetVariable> = (0..size).map(|_| store.new_set("Z")).collect();
            let parts: Vec<FormulaId> = sets.windows(2).map(|pair| store.subset(pair[0], pair[1])).collect();
            let all = store.and(parts);
            let some = store.exists_sets(&sets, all);
            store.not(some)
        }
        _ => {
            for _ in 0..size {
                let other = pool.formula(store, &mut rng, 1);
                let (left, right) = (store.and([formula, other]), store.or([other, formula]));
                let right = store.exists_node(pool.nodes[0], right);
                formula = store.iff(left, right);
            }
            formula
        }
    }
}

#[test]
fn large_formulas_are_simplified_alike_each_time_and_stay_shared() {
    for (shape, size) in [(0, 4_000), (1, 1_000), (2, 1_500), (3, 1_000)] {
        let mut store = Store::new();
        let formula = large(&mut store, shape, size);
        let before = store.size(formula).distinct;
        let effort = Effort { rules: Rule::ALL.to_vec(), least: 0, ..Effort::default() };
        let mut again = store.clone();
        let new = simplify(&mut store, formula, 2, &effort);
        assert_eq!(simplify(&mut again, formula, 2, &effort), new, "{shape}");
        assert_eq!(store.get(new.formula), again.get(new.formula));
        let after = store.size(new.formula).distinct;
        assert!(after <= before + before / 4, "{shape}: {before} formulas, then {after}");
    }
}

#[test]
fn pieces_that_need_little_work_are_left_alone() {
    for seed in 0..200 {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut store = Store::new();
        let pool = Pool::new(&mut store, true);
        let formula = pool.formula(&mut store, &mut rng, 4);
        let effort = Effort { least: u64::MAX, ..Effort::default() };
        assert_eq!(simplify(&mut store, formula, 2, &effort).formula, formula);
    }
}

/// What users know from textbooks, on formulas written down.
#[test]
fn simple_formulas_become_what_they_should() {
    let mut store = Store::new();
    let (x, y, a, b) = (store.new_node("x"), store.new_node("y"), store.new_set("A"), store.new_set("B"));
    let (at_x, at_y) = (store.node(x), store.node(y));
    let child = store.child(at_y, 1);
    let (x_in_a, y_in_b, x_in_b) = (store.member(at_x, a), store.member(at_y, b), store.member(at_x, b));
    let child_in_a = store.member(child, a);
    let becomes = |store: &mut Store, formula: FormulaId, expected: FormulaId| {
        let effort = Effort { rules: Rule::ALL.to_vec(), least: 0, ..Effort::default() };
        // Conjuncts and quantifiers in front of everything are left to MONA.
        let (formula, expected) = (store.insert(Formula::Not(formula)), store.not(expected));
        let new = simplify(store, formula, 1, &effort).formula;
        let text = |formula| crate::print::mathematics(store, formula, &[]);
        assert_eq!(new, expected, "{} became {}", text(formula), text(new));
    };
    // ∃x. x = y.1 ∧ x ∈ A
    let is_child = store.equal(at_x, child);
    let both = store.and([is_child, x_in_a]);
    let some = store.exists_node(x, both);
    becomes(&mut store, some, child_in_a);
    // ∃x. x = y.2 ∧ x ∈ A, on words: y.2 names no node.
    let second = store.child(at_y, 2);
    let is_second = store.equal(at_x, second);
    let both = store.and([is_second, x_in_a]);
    let some = store.exists_node(x, both);
    becomes(&mut store, some, some);
    // ∃x. x = x.1 ∧ x ∈ A: x is in the term.
    let own = store.child(at_x, 1);
    let is_own = store.equal(at_x, own);
    let both = store.and([is_own, x_in_a]);
    let some = store.exists_node(x, both);
    becomes(&mut store, some, some);
    // ∃x. x = y ∧ ∃y. x ∈ A ∧ y ∈ B: the inner y is another.
    let inner = store.and([x_in_a, y_in_b]);
    let inner = store.exists_node(y, inner);
    let is_y = store.equal(at_x, at_y);
    let both = store.and([is_y, inner]);
    let some = store.exists_node(x, both);
    let y_in_a = store.member(at_y, a);
    let some_in_b = store.exists_node(y, y_in_b);
    let expected = store.and([some_in_b, y_in_a]);
    becomes(&mut store, some, expected);
    // ∃x. x ∈ A ∧ y ∈ B
    let both = store.and([x_in_a, y_in_b]);
    let some = store.exists_node(x, both);
    let some_in_a = store.exists_node(x, x_in_a);
    let expected = store.and([y_in_b, some_in_a]);
    becomes(&mut store, some, expected);
    // x ∈ A ∧ (x ∈ B ∨ x ∈ A)
    let either = store.or([x_in_b, x_in_a]);
    let both = store.and([x_in_a, either]);
    becomes(&mut store, both, x_in_a);
    // ∃x. ∃x. x ∈ A ∧ y ∈ B, and ∃₁y. x ∈ A
    let outer = store.insert(Formula::ExistsNode(x, some));
    becomes(&mut store, outer, expected);
    let one = store.insert(Formula::ExistsOneNode(y, x_in_a));
    let falsity = store.falsity();
    becomes(&mut store, one, falsity);
}
