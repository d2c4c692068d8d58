use std::collections::BTreeSet;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::graph::{Graph, Knowledge, Node, enter};
use super::rules::Rule;
use super::{Effort, simplify};
use crate::logic::evaluate::{Domain, Valuation, evaluate};
use crate::logic::formula::{Formula, FormulaId, NodeVariable, SetVariable, Store, TermId, Variable};

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
            12 => Formula::Implies([self.formula(store, rng, depth - 1), self.formula(store, rng, depth - 1)]),
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
fn check(rule: Rule, at_least: usize) {
    let mut fired = 0;
    let mut different = 0;
    for seed in 0..4_000 {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut store = Store::new();
        let pool = Pool::new(&mut store, rule != Rule::OnePoint);
        let formula = pool.formula(&mut store, &mut rng, 4);
        let mut graph = Graph::new(Knowledge { store, successors: 2 });
        enter(&mut graph, formula, |_| false);
        graph.rebuild();
        let rewrite = rule.rewrite().unwrap();
        let matches = rewrite.search(&graph);
        let before = graph.number_of_classes();
        rewrite.apply(&mut graph, &matches);
        // By the number of a node when it was made: the formula that it was made as, before any union.
        let nodes: Vec<Node> = graph.nodes().to_vec();
        let mut first: Vec<FormulaId> = Vec::new();
        for node in &nodes {
            let formula = written(&mut graph, node, &first).unwrap();
            first.push(formula);
        }
        graph.rebuild();
        let _ = before;
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
                different += usize::from(one);
                let text = |formula| crate::logic::print::mathematics(&graph.analysis.store, formula, &[]);
                assert_eq!(one, two, "{rule:?}, seed {seed}:\n{}\n{}", text(formula), text(other));
            }
        }
    }
    assert!(fired >= at_least && different >= at_least, "{rule:?} fired {fired} times, {different} true");
}

#[test]
fn double_negation_is_sound() {
    check(Rule::DoubleNegation, 1);
}

#[test]
fn constants_is_sound() {
    check(Rule::Constants, 1);
}

#[test]
fn flatten_is_sound() {
    check(Rule::Flatten, 1);
}

#[test]
fn absorb_is_sound() {
    check(Rule::Absorb, 1);
}

#[test]
fn factor_is_sound() {
    check(Rule::Factor, 1);
}

#[test]
fn equivalence_is_sound() {
    check(Rule::Equivalence, 1);
}

#[test]
fn vacuous_is_sound() {
    check(Rule::Vacuous, 1);
}

#[test]
fn narrow_is_sound() {
    check(Rule::Narrow, 1);
}

#[test]
fn swap_is_sound() {
    check(Rule::Swap, 1);
}

#[test]
fn split_is_sound() {
    check(Rule::Split, 1);
}

#[test]
fn join_is_sound() {
    check(Rule::Join, 1);
}

#[test]
fn one_point_is_sound() {
    check(Rule::OnePoint, 1);
}

#[test]
fn simplification_keeps_the_meaning() {
    let (mut changed, mut values) = (0, [0, 0]);
    for seed in 0..3_000 {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut store = Store::new();
        let pool = Pool::new(&mut store, false);
        let formula = pool.formula(&mut store, &mut rng, 6);
        let (new, _) = simplify(&mut store, formula, 2, &Effort::default());
        changed += usize::from(new != formula);
        assert!(store.free_variables(new).iter().all(|&variable| store.is_free(variable, formula)), "{seed}");
        for _ in 0..6 {
            let domain = Domain::complete(2, 1);
            let valuation = pool.valuation(&domain, &mut rng);
            let value = |formula| evaluate(&store, formula, &domain, &valuation, STEPS);
            let (Ok(before), Ok(after)) = (value(formula), value(new)) else { continue };
            let text = |formula| crate::logic::print::mathematics(&store, formula, &[]);
            assert_eq!(before, after, "seed {seed}:\n{}\n{}", text(formula), text(new));
            values[usize::from(before)] += 1;
        }
    }
    assert!(changed > 1, "{changed}");
    assert!(values.iter().all(|&count| count > 1), "{changed} {values:?}");
}
