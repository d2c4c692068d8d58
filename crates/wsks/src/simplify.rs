//! Simplification of formulas by equality saturation (crate `egg`), for cheaper automata.
//!
//! A formula is cut into *pieces*: a subformula that is used more than once is a piece of its own, and so
//! is what grows too large. A piece sees the pieces below it as opaque leaves of which it knows the free
//! variables. So what MONA builds once for several uses stays one formula, and no graph grows beyond its
//! limits however large the formula is. From below, each piece that is predicted to need much work is put
//! into an e-graph ([`graph`]), [`rules`] are applied until nothing changes or a limit is reached, what
//! [`cost`] predicts to be cheapest is taken out ([`write`](mod@write)), and its conjuncts are put into the
//! order predicted to be cheapest. What is not predicted to be cheaper than before, or mentions a variable
//! that was not free before, is not used. Limits count nodes and rounds, never time: the same formula gives
//! the same result everywhere. The conjuncts of the whole keep their order, for MONA stops at the first
//! of them that leaves nothing.
//!
//! Soundness: the result has the same value as the original for all values of the variables, in WSκS with
//! `successors` children per node. Each rule is tested by evaluation, on all it finds equal in random
//! formulas, and against MONA.
//!
//! Rejected:
//! - binary ∧ with associativity and commutativity as rules: the graph of one conjunction of eight fills
//!   every limit. Here ∧ takes a list, and the order is chosen at the end;
//! - de Bruijn indices: with named variables a class is a function of their values, a quantifier acts on
//!   functions, and nothing needs shifting (see [`rules`]);
//! - one graph for the whole formula: extraction counts trees, so sharing is lost;
//! - ∃X moved inwards past whatever does not mention X: see [`rules`].

use egg::{Extractor, Rewrite, Runner, SimpleScheduler};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::formula::{Formula, FormulaId, Store};

mod cost;
mod graph;
pub mod rules;
#[cfg(test)]
mod tests;
mod tracks;
mod write;

use cost::{Cost, Leaves, Prediction};
use graph::{Graph, Knowledge, Node, enter};
use rules::Rule;
use tracks::Numbers;
use write::write;

/// For words a set quantified among more tracks than these must be there for [`pays`] to say so.
const WIDE: usize = 30;

/// How much is tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The rules to use.
    pub rules: Vec<Rule>,
    /// Pieces that are predicted to need less work are left as they are.
    pub least: u64,
    /// A piece with more formulas in it is cut.
    pub piece: usize,
    /// When its graph has more nodes, a piece is done; one that has more from the start is left as it is.
    pub nodes: usize,
    /// So often all rules are applied to a piece at most.
    pub rounds: usize,
}

impl Default for Effort {
    /// What pays for the questions of Table 1.
    fn default() -> Self {
        Effort { rules: Rule::USUAL.to_vec(), least: 64_000, piece: 60, nodes: 300, rounds: 5 }
    }
}

/// Whether MONA is likely to save more time by simplification than it takes.
///
/// Measured (docs/performance.md): on trees, where products take longest, and on words with wider
/// automata than Table 1 has.
pub fn pays(store: &Store, root: FormulaId, successors: u8) -> bool {
    let is_wide = |part| match *store.get(part) {
        Formula::ExistsSet(_, body) | Formula::ForallSet(_, body) => store.free_variables(body).len() > WIDE,
        _ => false,
    };
    successors > 1 || store.parts_of(root).into_iter().any(is_wide)
}

/// What became of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simplified {
    /// It means the same, and is predicted to need no more work.
    pub formula: FormulaId,
    /// What the parts of the original have become. Parts within a piece stand for themselves.
    pub(crate) parts: FxHashMap<FormulaId, FormulaId>,
}

/// Simplifies `root`, a formula over trees in which a node has `successors` children.
pub fn simplify(store: &mut Store, root: FormulaId, successors: u8, effort: &Effort) -> Simplified {
    let rewrites: Vec<_> = effort.rules.iter().filter_map(|rule| rule.rewrite()).collect();
    let pieces = pieces(store, root, effort.piece);
    let mut knowledge = Knowledge {
        store: std::mem::take(store),
        numbers: Numbers::default(),
        successors,
        nodes: effort.nodes,
    };
    let mut leaves: Leaves = Leaves::default();
    let mut costs: FxHashMap<FormulaId, Cost> = FxHashMap::default();
    let mut numbers = Numbers::default();
    let mut done: FxHashMap<FormulaId, FormulaId> = FxHashMap::default();
    for part in knowledge.store.parts_of(root) {
        let formula = knowledge.store.get(part);
        numbers.extend(formula.bound());
        let is_atom = formula.parts().is_empty();
        let is_same = formula.parts().iter().all(|inner| done.get(inner) == Some(inner));
        let mut now = part;
        if is_atom {
            numbers.extend(knowledge.store.free_variables(part).iter().copied());
        } else if !is_same {
            let rewritten = formula.map_parts(|inner| done.get(&inner).copied().unwrap_or(inner));
            now = knowledge.store.construct(rewritten);
        }
        let prediction = Prediction { store: &knowledge.store, numbers: &numbers, leaves: &leaves };
        let mut cost = match knowledge.store.get(now) {
            formula if formula.parts().is_empty() || leaves.contains_key(&now) => prediction.leaf(now),
            formula => {
                let known =
                    |inner| costs.get(inner).copied().unwrap_or_else(|| prediction.of_formula(*inner));
                prediction.connective(formula, &formula.parts().iter().map(known).collect::<Vec<_>>())
            }
        };
        if pieces.contains(&part) && !knowledge.store.get(now).parts().is_empty() {
            if cost.work >= effort.least && !leaves.contains_key(&now) {
                (now, cost) = piece(&mut knowledge, now, cost, &leaves, &rewrites, effort);
            }
            // A leaf's sign is seen through.
            let leaf = match knowledge.store.get(now) {
                Formula::Not(inner) => *inner,
                _ => now,
            };
            leaves.entry(leaf).or_insert(cost);
            cost = Prediction { store: &knowledge.store, numbers: &numbers, leaves: &leaves }.leaf(leaf);
            costs.insert(leaf, cost);
        }
        costs.insert(now, cost);
        done.insert(part, now);
    }
    *store = knowledge.store;
    Simplified { formula: done.get(&root).copied().unwrap_or(root), parts: done }
}

/// The subformulas that are treated one by one: the whole, those with several uses, and as many others as
/// it takes to keep each below the limit.
fn pieces(store: &Store, root: FormulaId, limit: usize) -> FxHashSet<FormulaId> {
    let parts = store.parts_of(root);
    let mut uses: FxHashMap<FormulaId, usize> = FxHashMap::default();
    for &part in &parts {
        for &inner in store.get(part).parts() {
            *uses.entry(inner).or_default() += 1;
        }
    }
    let top = top(store, root);
    let mut pieces = FxHashSet::default();
    let mut sizes: FxHashMap<FormulaId, usize> = FxHashMap::default();
    for &part in &parts {
        let inner = store.get(part).parts();
        if inner.is_empty() {
            continue;
        }
        let size = |pieces: &FxHashSet<FormulaId>| {
            let inside = inner.iter().filter(|inner| !pieces.contains(inner));
            1 + inside.map(|inner| sizes.get(inner).copied().unwrap_or(1)).sum::<usize>()
        };
        if size(&pieces) > limit {
            pieces.extend(inner.iter().filter(|inner| sizes.contains_key(inner)));
        }
        let size = size(&pieces);
        sizes.insert(part, size);
        let is_shared = uses.get(&part).is_some_and(|&uses| uses > 1);
        if top.contains(&part) {
            pieces.extend(inner.iter().filter(|inner| sizes.contains_key(inner) && !top.contains(inner)));
            pieces.remove(&part);
        } else if part == root {
            pieces.insert(part);
        } else if is_shared {
            // A negation costs nothing and is seen through.
            match store.get(part) {
                Formula::Not(negated) => pieces.extend(sizes.contains_key(negated).then_some(*negated)),
                _ => pieces.extend([part]),
            }
        }
    }
    pieces
}

/// The whole conjunction and the quantifiers in front of it: MONA multiplies those conjuncts one by one
/// until nothing is left, so their order is left alone.
fn top(store: &Store, root: FormulaId) -> FxHashSet<FormulaId> {
    let mut top = FxHashSet::default();
    let mut next = root;
    loop {
        match *store.get(next) {
            Formula::ExistsNode(_, body) | Formula::ExistsSet(_, body) => {
                top.insert(next);
                next = body;
            }
            Formula::And(_) => {
                top.insert(next);
                return top;
            }
            _ => return if next == root { FxHashSet::default() } else { top },
        }
    }
}

/// A piece and its cost, simplified if that pays.
fn piece(
    knowledge: &mut Knowledge,
    root: FormulaId,
    cost: Cost,
    leaves: &Leaves,
    rewrites: &[Rewrite<Node, Knowledge>],
    effort: &Effort,
) -> (FormulaId, Cost) {
    let store = &knowledge.store;
    knowledge.numbers = Numbers::default();
    let inside = inside(store, root, leaves);
    if inside.len() > effort.nodes {
        return (root, cost);
    }
    let variables = inside.iter().flat_map(|&part| {
        let formula = store.get(part);
        let is_leaf = part != root && leaves.contains_key(&part) || formula.parts().is_empty();
        let free = if is_leaf { store.free_variables(part) } else { &[] };
        free.iter().copied().chain(formula.bound())
    });
    // Variables that can't be distinguished can't be reasoned about.
    if !knowledge.numbers.extend(variables) {
        return (root, cost);
    }
    let found = cheapest(knowledge, root, leaves, rewrites, effort);
    let store = &knowledge.store;
    let prediction = Prediction { store, numbers: &knowledge.numbers, leaves };
    let (before, after) = (prediction.of_formula(root), prediction.of_formula(found));
    let is_closed = store.free_variables(found).iter().all(|&variable| store.is_free(variable, root));
    if is_closed && after < before { (found, after) } else { (root, before) }
}

/// A formula and what it is made of, down to the leaves.
fn inside(store: &Store, root: FormulaId, leaves: &Leaves) -> Vec<FormulaId> {
    let mut found = vec![root];
    let mut seen = FxHashSet::from_iter([root]);
    let mut next = 0;
    while let Some(&part) = found.get(next) {
        next += 1;
        if part == root || !leaves.contains_key(&part) {
            found.extend(store.get(part).parts().iter().filter(|&&part| seen.insert(part)));
        }
    }
    found
}

/// What the rules make of a piece, the cheapest of it.
fn cheapest(
    knowledge: &mut Knowledge,
    root: FormulaId,
    leaves: &Leaves,
    rewrites: &[Rewrite<Node, Knowledge>],
    effort: &Effort,
) -> FormulaId {
    let mut graph = Graph::new(std::mem::take(knowledge));
    let start = enter(&mut graph, root, |part| leaves.contains_key(&part));
    graph.rebuild();
    let runner = Runner::<Node, Knowledge>::new(Knowledge::default())
        .with_egraph(graph)
        .with_scheduler(SimpleScheduler)
        .with_iter_limit(effort.rounds)
        .with_node_limit(effort.nodes)
        .with_time_limit(std::time::Duration::MAX)
        .run(rewrites);
    let graph = runner.egraph;
    let known = &graph.analysis;
    let prediction = Prediction { store: &known.store, numbers: &known.numbers, leaves };
    let (_, found) = Extractor::new(&graph, prediction).find_best(start);
    let costs = prediction.of_parts(&found);
    *knowledge = graph.analysis;
    write(&mut knowledge.store, &found, |parts| {
        let known: Vec<Cost> = parts.iter().filter_map(|&id| costs.get(usize::from(id)).copied()).collect();
        cost::order(&known).into_iter().filter_map(|at| parts.get(at).copied()).collect()
    })
}
