//! What a formula is predicted to cost as automata: sizes are guessed from tracks, products and
//! quantifiers, never from the length of the text.
//!
//! Guessed per subformula: the *size* of its automaton (nodes of its diagrams), its tracks, and the
//! *work* until it is there, which is the sum over products and projections of the size they make, more
//! for more tracks, and a fee per step. Rules of thumb, seen in what MONA built for Table 1:
//! - a product of automata that share tracks is hardly larger than the larger one, for each holds the
//!   other down; without a common track the sizes multiply;
//! - ∃X makes an automaton larger before minimisation helps, the more so after a negation that follows
//!   another ∃X (an alternation); ∃x does not;
//! - negation is free.
//!
//! So a conjunct that shares tracks with what is quantified stays inside the quantifier unless it is
//! small, and one that shares none leaves it.

use egg::{CostFunction, Id, RecExpr};
use rustc_hash::FxHashMap;

use super::graph::Node;
use super::tracks::{Numbers, Tracks};
use crate::formula::{Formula, FormulaId, Store, Variable};

/// A step costs as much as this many nodes.
const STEP: u64 = 60;
/// The size of an atom's automaton.
const ATOM: u64 = 6;
/// The order of more conjuncts is left alone: choosing takes time in their square.
const MAX_PRODUCT: usize = 100;
/// Sizes beyond are all alike.
const MAX_COST: u64 = 1 << 40;

/// A prediction. Compared by work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// Until the automaton is there, its parts included.
    pub(crate) work: u64,
    size: u64,
    tracks: Tracks,
    /// Whether sets were quantified, and whether a negation came after the last.
    projected: Projected,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Projected {
    No,
    Plain,
    Negated,
}

impl PartialEq for Cost {
    fn eq(&self, other: &Self) -> bool {
        self.work == other.work
    }
}

impl PartialOrd for Cost {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        self.work.partial_cmp(&other.work)
    }
}

impl Cost {
    fn constant() -> Cost {
        Cost { work: 1, size: 1, tracks: Tracks::default(), projected: Projected::No }
    }

    fn step(mut self) -> Cost {
        self.size = self.size.min(MAX_COST);
        let wide = self.size.saturating_mul(20 + self.tracks.len()) / 20;
        self.work = self.work.saturating_add(STEP).saturating_add(wide);
        self
    }

    fn not(mut self) -> Cost {
        self.work = self.work.saturating_add(1);
        if self.projected == Projected::Plain {
            self.projected = Projected::Negated;
        }
        self
    }

    fn product(&self, other: &Cost) -> Cost {
        let (small, large) = (self.size.min(other.size), self.size.max(other.size));
        let size = if self.tracks.is_disjoint(other.tracks) {
            large.saturating_mul(small)
        } else {
            large.saturating_add(small / 2)
        };
        Cost {
            work: self.work.saturating_add(other.work),
            size,
            tracks: self.tracks.union(other.tracks),
            projected: self.projected.max(other.projected),
        }
        .step()
    }

    fn exists(mut self, track: Tracks, is_set: bool) -> Cost {
        self.tracks = self.tracks.without(track);
        if is_set {
            self.size = match self.projected {
                Projected::Negated => self.size.saturating_mul(2),
                _ => self.size.saturating_mul(5) / 4,
            };
            self.projected = Projected::Plain;
        }
        self.step()
    }

    fn exists_one(self, track: Tracks) -> Cost {
        let pair = self.product(&self);
        let pair = Cost { work: pair.work.saturating_sub(self.work), ..pair };
        pair.step().exists(track, false).exists(track, false)
    }
}

/// The order of conjuncts in which each next product is predicted to be the cheapest, the first one
/// staying first; where two are alike the order stays.
pub(crate) fn order(parts: &[Cost]) -> Vec<usize> {
    if parts.len() > MAX_PRODUCT {
        return (0..parts.len()).collect();
    }
    let mut left: Vec<usize> = (1..parts.len()).collect();
    let mut chosen: Vec<usize> = if parts.is_empty() { Vec::new() } else { vec![0] };
    let Some(&first) = parts.first() else { return chosen };
    let mut so_far = first;
    while !left.is_empty() {
        let next = left.iter().enumerate().filter_map(|(place, &part)| {
            let cost = parts.get(part)?;
            let product = so_far.product(cost);
            let added = product.work.saturating_sub(so_far.work).saturating_sub(cost.work);
            Some((added, product.tracks.len(), part, place, product))
        });
        let Some((_, _, part, place, product)) =
            next.min_by_key(|&(added, tracks, part, ..)| (added, tracks, part))
        else {
            break;
        };
        chosen.push(part);
        left.remove(place);
        so_far = product;
    }
    chosen
}

fn multiply(parts: impl IntoIterator<Item = Cost>) -> Cost {
    parts.into_iter().reduce(|product, part| product.product(&part)).unwrap_or_else(Cost::constant)
}

/// What is known of leaves that are no atoms, from when they were pieces.
pub(crate) type Leaves = FxHashMap<FormulaId, Cost>;

/// For egg's extractor: conjuncts in the order in which they stand. (Tried: in that of [`order`], for every
/// node: three times the time, and hardly another choice.)
#[derive(Clone, Copy)]
pub(crate) struct Prediction<'a> {
    /// The owner of leaves.
    pub(crate) store: &'a Store,
    /// The variables.
    pub(crate) numbers: &'a Numbers,
    /// Sizes of leaves.
    pub(crate) leaves: &'a Leaves,
}

impl CostFunction<Node> for Prediction<'_> {
    type Cost = Cost;

    fn cost<C: FnMut(Id) -> Cost>(&mut self, node: &Node, mut costs: C) -> Cost {
        match node {
            Node::True => Cost::constant(),
            Node::Leaf(formula) => self.leaf(*formula),
            Node::Not(part) => costs(*part).not(),
            Node::And(parts) => multiply(parts.iter().map(|&part| costs(part))),
            Node::Iff([left, right]) => costs(*left).product(&costs(*right)),
            Node::Exists(variable, part) => {
                costs(*part).exists(self.numbers.track(*variable), matches!(variable, Variable::Set(_)))
            }
            Node::ExistsOne(x, part) => costs(*part).exists_one(self.numbers.track(Variable::Node(*x))),
        }
    }
}

impl Prediction<'_> {
    /// A leaf's own work is done elsewhere, once for all its uses.
    pub(crate) fn leaf(&self, formula: FormulaId) -> Cost {
        let tracks = self.numbers.tracks(self.store.free_variables(formula));
        match self.leaves.get(&formula) {
            Some(known) => Cost { work: 1, tracks, ..*known },
            None => Cost { work: 1, size: ATOM, tracks, projected: Projected::No },
        }
    }

    /// The cost of a formula as it is written, down to the leaves.
    pub(crate) fn of_formula(&self, root: FormulaId) -> Cost {
        let mut done: FxHashMap<FormulaId, Cost> = FxHashMap::default();
        let mut open = vec![root];
        while let Some(&next) = open.last() {
            if done.contains_key(&next) {
                open.pop();
                continue;
            }
            let formula = self.store.get(next);
            let is_leaf = next != root && self.leaves.contains_key(&next);
            let parts = if is_leaf { &[] } else { formula.parts() };
            let before = open.len();
            open.extend(parts.iter().filter(|part| !done.contains_key(part)));
            if open.len() > before {
                continue;
            }
            open.pop();
            let known: Vec<Cost> = parts.iter().filter_map(|part| done.get(part).copied()).collect();
            let cost = match formula {
                Formula::True | Formula::False => Cost::constant(),
                _ if parts.is_empty() => self.leaf(next),
                _ => self.connective(formula, &known),
            };
            done.insert(next, cost);
        }
        done.get(&root).copied().unwrap_or_else(Cost::constant)
    }

    /// The cost of a formula whose parts have these costs.
    pub(crate) fn connective(&self, formula: &Formula, parts: &[Cost]) -> Cost {
        let first = parts.first().copied().unwrap_or_else(Cost::constant);
        let track = formula.bound().map(|variable| self.numbers.track(variable)).unwrap_or_default();
        match formula {
            Formula::Not(_) => first.not(),
            Formula::Or(_) => multiply(parts.iter().map(|part| part.not())).not(),
            Formula::Implies(_) => {
                multiply(parts.iter().enumerate().map(|(at, part)| if at == 0 { *part } else { part.not() }))
                    .not()
            }
            Formula::ExistsNode(..) => first.exists(track, false),
            Formula::ExistsSet(..) => first.exists(track, true),
            Formula::ForallNode(..) => first.not().exists(track, false).not(),
            Formula::ForallSet(..) => first.not().exists(track, true).not(),
            Formula::ExistsOneNode(..) => first.exists_one(track),
            _ => multiply(parts.iter().copied()),
        }
    }

    /// The costs of all parts of what was extracted.
    pub(crate) fn of_parts(mut self, expression: &RecExpr<Node>) -> Vec<Cost> {
        let mut costs: Vec<Cost> = Vec::with_capacity(expression.len());
        for node in expression.as_ref() {
            let known = |id: Id| costs.get(usize::from(id)).copied().unwrap_or_else(Cost::constant);
            let cost = self.cost(node, known);
            costs.push(cost);
        }
        costs
    }
}
