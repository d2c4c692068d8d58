//! The evaluator of formulas against the definition of truth.

use std::collections::BTreeSet;

use paramcheck_wsks::formula::{Formula, FormulaId, NodeVariable, SetVariable, Store, Variable};
use paramcheck_wsks::tracks::NodePath;

use super::support::evaluate::{Domain, EvaluateError, Valuation, evaluate};

const STEPS: u64 = 1_000_000;

/// Evaluates by trying all subsets and nodes: the definition, without three values.
fn naive(store: &Store, id: FormulaId, domain: &Domain, valuation: &Valuation) -> bool {
    let nodes = |x: NodeVariable, part: FormulaId| -> usize {
        let with = |path: &NodePath| {
            let mut valuation = valuation.clone();
            valuation.nodes.insert(x, path.clone());
            naive(store, part, domain, &valuation)
        };
        domain.paths().iter().filter(|path| with(path)).count()
    };
    let sets = |x: SetVariable, part: FormulaId| -> usize {
        (0..1_u32 << domain.paths().len())
            .filter(|bits| {
                let chosen = domain.paths().iter().enumerate().filter(|(n, _)| bits >> n & 1 == 1);
                let mut valuation = valuation.clone();
                valuation.sets.insert(x, chosen.map(|(_, path)| path.clone()).collect());
                naive(store, part, domain, &valuation)
            })
            .count()
    };
    let path = |term| {
        let (base, rest) = store.term_path(term);
        let base = base.map_or_else(NodePath::new, |x| valuation.nodes[&x].clone());
        [base, rest].concat()
    };
    let members = |x| {
        let empty = BTreeSet::new();
        let inside = valuation.sets.get(&x).unwrap_or(&empty).iter();
        inside.filter(|path| domain.paths().contains(path)).cloned().collect::<BTreeSet<_>>()
    };
    let value = |part: &FormulaId| naive(store, *part, domain, valuation);
    match store.get(id) {
        Formula::True => true,
        Formula::False => false,
        Formula::Equal(left, right) => path(*left) == path(*right),
        Formula::Member(node, set) => members(*set).contains(&path(*node)),
        Formula::Subset(left, right) => members(*left).is_subset(&members(*right)),
        Formula::SetEqual(left, right) => members(*left) == members(*right),
        Formula::Not(part) => !value(part),
        Formula::And(parts) => parts.iter().all(value),
        Formula::Or(parts) => parts.iter().any(value),
        Formula::Implies([left, right]) => !value(left) || value(right),
        Formula::Iff([left, right]) => value(left) == value(right),
        Formula::ExistsNode(x, part) => nodes(*x, *part) > 0,
        Formula::ForallNode(x, part) => nodes(*x, *part) == domain.paths().len(),
        Formula::ExistsOneNode(x, part) => nodes(*x, *part) == 1,
        Formula::ExistsSet(x, part) => sets(*x, *part) > 0,
        Formula::ForallSet(x, part) => sets(*x, *part) == 1 << domain.paths().len(),
    }
}

/// A random formula over two variables of each order; whatever is free has a value.
fn random(store: &mut Store, rng: &mut impl rand::Rng, depth: usize) -> FormulaId {
    use rand::RngExt;
    let nodes: Vec<NodeVariable> = (0..2).map(paramcheck_text::index::Idx::new).collect();
    let sets: Vec<SetVariable> = (0..2).map(paramcheck_text::index::Idx::new).collect();
    let (x, s, t) =
        (nodes[rng.random_range(0..2)], sets[rng.random_range(0..2)], sets[rng.random_range(0..2)]);
    let term = |store: &mut Store, rng: &mut dyn rand::Rng| {
        let mut term = match rng.random_range(0..3) {
            0 => store.root(),
            number => store.node(nodes[number - 1]),
        };
        while rng.random_range(0..3) == 0 {
            term = store.child(term, rng.random_range(1..=2));
        }
        term
    };
    let kind = if depth == 0 { rng.random_range(0..4) } else { rng.random_range(2..14) };
    match kind {
        0 | 2 => {
            let node = term(store, rng);
            store.member(node, s)
        }
        1 => {
            let (left, right) = (term(store, rng), term(store, rng));
            store.equal(left, right)
        }
        3 => {
            if rng.random() {
                store.subset(s, t)
            } else {
                store.set_equal(s, t)
            }
        }
        _ => {
            let one = random(store, rng, depth - 1);
            let two = random(store, rng, depth - 1);
            match kind {
                4 => store.not(one),
                5 => store.and([one, two]),
                6 => store.or([one, two]),
                7 => store.implies(one, two),
                8 => store.iff(one, two),
                9 => store.exists_node(x, one),
                10 => store.forall_node(x, one),
                11 => store.exists_one_node(x, one),
                12 => store.exists_set(s, one),
                _ => store.forall_set(s, one),
            }
        }
    }
}

#[test]
fn random_formulas_are_what_the_definition_says() {
    use rand::{RngExt, SeedableRng};
    let mut values = [0, 0];
    for seed in 0..400 {
        let mut rng = rand::rngs::SmallRng::seed_from_u64(seed);
        let mut store = Store::new();
        let (nodes, sets) =
            ([store.new_node("x"), store.new_node("y")], [store.new_set("X"), store.new_set("Y")]);
        let formula = random(&mut store, &mut rng, 4);
        let domain = Domain::complete(2, rng.random_range(0..2));
        let mut valuation = Valuation::default();
        for x in nodes {
            let path = &domain.paths()[rng.random_range(0..domain.paths().len())];
            valuation.nodes.insert(x, path.clone());
        }
        for x in sets {
            let inside = domain.paths().iter().filter(|_| rng.random()).cloned().collect();
            valuation.sets.insert(x, inside);
        }
        let expected = naive(&store, formula, &domain, &valuation);
        let found = evaluate(&store, formula, &domain, &valuation, STEPS);
        assert_eq!(found, Ok(expected), "seed {seed}: {:?}", store.get(formula));
        values[usize::from(expected)] += 1;
    }
    assert!(values.iter().all(|&count| count > 50), "{values:?}");
}

#[test]
fn a_term_may_leave_the_domain() {
    let mut store = Store::new();
    let (x, y, a) = (store.new_node("x"), store.new_node("y"), store.new_set("A"));
    let (tx, ty) = (store.node(x), store.node(y));
    let (x1, y1) = (store.child(tx, 1), store.child(ty, 1));
    let domain = Domain::complete(1, 2);
    let mut valuation = Valuation::default();
    valuation.nodes.insert(x, vec![1, 1]);
    valuation.nodes.insert(y, vec![1, 1]);
    valuation.sets.insert(a, BTreeSet::from([vec![1, 1, 1]]));
    let member = store.member(x1, a);
    let equal = store.equal(x1, y1);
    assert_eq!(evaluate(&store, member, &domain, &valuation, STEPS), Ok(false));
    assert_eq!(evaluate(&store, equal, &domain, &valuation, STEPS), Ok(true));
    let exists = store.exists_node(y, equal);
    assert_eq!(store.free_variables(exists), [Variable::Node(x)]);
    assert_eq!(evaluate(&store, exists, &domain, &valuation, STEPS), Ok(true));
    let inside = store.equal(x1, ty);
    let exists = store.exists_node(y, inside);
    assert_eq!(evaluate(&store, exists, &domain, &valuation, STEPS), Ok(false));
}

#[test]
fn limits_are_errors() {
    let mut store = Store::new();
    let (x, a) = (store.new_node("x"), store.new_set("A"));
    let term = store.node(x);
    let mut deep = store.member(term, a);
    for _ in 0..1_000 {
        let inner = store.exists_node(x, deep);
        deep = store.insert(Formula::Not(inner));
        let atom = store.member(term, a);
        deep = store.and([atom, deep]);
    }
    let domain = Domain::complete(1, 1);
    let mut valuation = Valuation::default();
    assert_eq!(evaluate(&store, deep, &domain, &valuation, STEPS), Err(EvaluateError::Unbound));
    valuation.nodes.insert(x, Vec::new());
    valuation.sets.insert(a, domain.paths().iter().cloned().collect());
    assert_eq!(evaluate(&store, deep, &domain, &valuation, u64::MAX), Err(EvaluateError::Depth));
    assert_eq!(evaluate(&store, deep, &domain, &valuation, 100), Err(EvaluateError::Steps));
}
