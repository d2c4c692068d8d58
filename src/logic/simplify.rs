//! Simplification of formulas by equality saturation (crate `egg`), for cheaper automata.
//!
//! A formula is cut into *pieces*: a subformula that is used more than once is a piece of its own, and so
//! is what grows too large. A piece sees the pieces below it as opaque leaves of which the free variables
//! are known. So what MONA builds once for several uses stays one formula, and no graph grows beyond its
//! limits however large the formula is. From below, each piece is put into an e-graph ([`graph`]),
//! [`rules`] are applied until nothing changes or a limit is reached, and what [`cost`] predicts to be
//! cheapest is taken out, the order of conjuncts included. What is not predicted to be cheaper than
//! before, or mentions a variable that was not free before, is not used. Limits count nodes and rounds,
//! never time: the same formula gives the same result everywhere.
//!
//! Meaning: of the result on all values of the variables the same as before, in WSκS with `successors`
//! children per node. The rules are tested one by one by evaluation, and against MONA.
//!
//! Rejected: binary ∧ with associativity and commutativity as rules (a conjunction of eight has
//! thousands of forms); de Bruijn indices (with named variables a class is a function of their values,
//! and needs no shifting); one graph for the whole formula (sharing is lost in extraction, which counts
//! trees).

use egg::{Extractor, Id, RecExpr, Runner, SimpleScheduler};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::logic::formula::{Formula, FormulaId, Store, Variable};

pub mod cost;
pub mod graph;
pub mod rules;
#[cfg(test)]
mod tests;

use cost::{Leaves, Prediction};
use graph::{Graph, Knowledge, Node, enter};
use rules::Rule;

/// How much is tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The rules to use.
    pub rules: Vec<Rule>,
    /// A piece with more formulas in it is cut.
    pub piece: usize,
    /// When its graph has more nodes, a piece is done.
    pub nodes: usize,
    /// So often all rules are applied to a piece at most.
    pub rounds: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { rules: Rule::ALL.to_vec(), piece: 60, nodes: 600, rounds: 6 }
    }
}

/// A formula that means the same as `root` and is predicted to need less work, or `root` itself; and what
/// the pieces of `root` have become.
pub fn simplify(
    store: &mut Store,
    root: FormulaId,
    successors: u8,
    effort: &Effort,
) -> (FormulaId, FxHashMap<FormulaId, FormulaId>) {
    let rewrites: Vec<_> = effort.rules.iter().filter_map(|rule| rule.rewrite()).collect();
    let pieces = pieces(store, root, effort.piece);
    let mut knowledge = Knowledge { store: std::mem::take(store), successors };
    let mut leaves: Leaves = Leaves::default();
    let mut done: FxHashMap<FormulaId, FormulaId> = FxHashMap::default();
    for part in knowledge.store.parts_of(root) {
        let formula = knowledge.store.get(part).clone();
        if formula.parts().is_empty() {
            done.insert(part, part);
            continue;
        }
        let rewritten = formula.map_parts(|part| done.get(&part).copied().unwrap_or(part));
        let mut now = knowledge.store.construct(rewritten);
        if pieces.contains(&part) {
            now = piece(&mut knowledge, now, &leaves, &rewrites, effort);
            // A leaf's sign is seen through.
            let leaf = match knowledge.store.get(now) {
                Formula::Not(inner) => *inner,
                _ => now,
            };
            let cost = cost::of_formula(&knowledge.store, leaf, &leaves);
            leaves.entry(leaf).or_insert(cost);
        }
        done.insert(part, now);
    }
    *store = knowledge.store;
    (done.get(&root).copied().unwrap_or(root), done)
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
    let mut pieces = FxHashSet::from_iter([root]);
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
        // A negation costs nothing and is seen through.
        let is_shared = uses.get(&part).is_some_and(|&uses| uses > 1);
        if is_shared && !matches!(store.get(part), Formula::Not(_)) {
            pieces.insert(part);
        }
    }
    pieces
}

/// A piece, simplified if that pays.
fn piece(
    knowledge: &mut Knowledge,
    root: FormulaId,
    leaves: &Leaves,
    rewrites: &[egg::Rewrite<Node, Knowledge>],
    effort: &Effort,
) -> FormulaId {
    if knowledge.store.get(root).parts().is_empty() || leaves.contains_key(&root) {
        return root;
    }
    let successors = knowledge.successors;
    let mut graph = Graph::new(std::mem::take(knowledge));
    let start = enter(&mut graph, root, |part| leaves.contains_key(&part));
    graph.rebuild();
    let runner = Runner::<Node, Knowledge>::new(Knowledge { store: Store::default(), successors })
        .with_egraph(graph)
        .with_scheduler(SimpleScheduler)
        .with_iter_limit(effort.rounds)
        .with_node_limit(effort.nodes)
        .with_time_limit(std::time::Duration::MAX)
        .run(rewrites);
    let graph = runner.egraph;
    let (found, costs) = {
        let prediction = Prediction { store: &graph.analysis.store, leaves };
        let (_, found) = Extractor::new(&graph, prediction).find_best(start);
        let costs = cost::of_parts(&found, &mut Prediction { store: &graph.analysis.store, leaves });
        (found, costs)
    };
    *knowledge = graph.analysis;
    let store = &mut knowledge.store;
    let new = write(store, &found, &costs);
    let is_closed = store.free_variables(new).iter().all(|&variable| store.is_free(variable, root));
    let (before, after) = (cost::of_formula(store, root, leaves), cost::of_formula(store, new, leaves));
    if is_closed && after < before { new } else { root }
}

/// What was taken out of a graph, as a formula: ∨, ⇒ and ∀ where they were written with ¬.
fn write(store: &mut Store, expression: &RecExpr<Node>, costs: &[cost::Cost]) -> FormulaId {
    let mut done: Vec<FormulaId> = Vec::with_capacity(expression.len());
    for node in expression.as_ref() {
        let part = |id: &Id| done.get(usize::from(*id)).copied();
        let formula = match node {
            Node::True => store.truth(),
            Node::Leaf(formula) => *formula,
            Node::Not(of) => {
                let of = part(of).unwrap_or_else(|| store.falsity());
                negated(store, of)
            }
            Node::And(parts) => {
                let known: Vec<cost::Cost> =
                    parts.iter().filter_map(|&id| costs.get(usize::from(id))).cloned().collect();
                let ordered = cost::order(&known).into_iter().filter_map(|at| parts.get(at));
                let ordered: Vec<FormulaId> = ordered.filter_map(part).collect();
                store.and(ordered)
            }
            Node::Iff([left, right]) => match (part(left), part(right)) {
                (Some(left), Some(right)) => store.iff(left, right),
                _ => store.falsity(),
            },
            Node::Exists(variable, of) => {
                let of = part(of).unwrap_or_else(|| store.falsity());
                match *variable {
                    Variable::Node(x) => store.exists_node(x, of),
                    Variable::Set(x) => store.exists_set(x, of),
                }
            }
            Node::ExistsOne(x, of) => {
                let of = part(of).unwrap_or_else(|| store.falsity());
                store.exists_one_node(*x, of)
            }
        };
        done.push(formula);
    }
    done.last().copied().unwrap_or_else(|| store.falsity())
}

/// ¬φ in the form that takes the same steps and reads best.
fn negated(store: &mut Store, of: FormulaId) -> FormulaId {
    match store.get(of).clone() {
        Formula::And(parts) => {
            let inner = |part: &FormulaId| match store.get(*part) {
                Formula::Not(inner) => Some(*inner),
                _ => None,
            };
            let negations: Vec<Option<FormulaId>> = parts.iter().map(inner).collect();
            if let Some(all) = negations.iter().copied().collect::<Option<Vec<FormulaId>>>() {
                return store.or(all);
            }
            let (Some((&Some(last), before)), Some((_, premises))) =
                (negations.split_last(), parts.split_last())
            else {
                return store.not(of);
            };
            if before.iter().any(Option::is_some) {
                return store.not(of);
            }
            let premise = store.and(premises.iter().copied());
            store.implies(premise, last)
        }
        Formula::ExistsNode(x, body) => match *store.get(body) {
            Formula::Not(inner) => store.forall_node(x, inner),
            // ¬∃x ¬: written as an implication or disjunction below.
            Formula::Implies(_) | Formula::Or(_) => {
                let inner = store.not(body);
                store.forall_node(x, inner)
            }
            _ => store.not(of),
        },
        Formula::ExistsSet(x, body) => match *store.get(body) {
            Formula::Not(inner) => store.forall_set(x, inner),
            _ => store.not(of),
        },
        _ => store.not(of),
    }
}
