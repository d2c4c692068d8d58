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

use std::rc::Rc;

use egg::{CostFunction, Id, RecExpr};
use rustc_hash::FxHashMap;

use super::graph::Node;
use crate::logic::formula::{Formula, FormulaId, Store, Variable};

/// A step costs as much as this many nodes.
const STEP: u64 = 60;
/// The size of an atom's automaton.
const ATOM: u64 = 6;
/// Sizes beyond are all alike.
const LARGEST: u64 = 1 << 40;

/// A prediction. Compared by work.
#[derive(Clone, Debug)]
pub struct Cost {
    /// Until the automaton is there, its parts included.
    pub work: u64,
    size: u64,
    tracks: Rc<[Variable]>,
    /// Whether a set is quantified here, with this sign.
    projected: Option<bool>,
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
        Cost { work: 1, size: 1, tracks: Rc::default(), projected: None }
    }

    fn leaf(tracks: Rc<[Variable]>, size: u64) -> Cost {
        Cost { work: 1, size, tracks, projected: None }
    }

    fn step(mut self) -> Cost {
        self.size = self.size.min(LARGEST);
        let wide = self.size.saturating_mul(20 + self.tracks.len() as u64) / 20;
        self.work = self.work.saturating_add(STEP).saturating_add(wide);
        self
    }

    fn not(mut self) -> Cost {
        self.work = self.work.saturating_add(1);
        self.projected = self.projected.map(|sign| !sign);
        self
    }

    fn product(&self, other: &Cost) -> Cost {
        let mut tracks: Vec<Variable> = self.tracks.iter().chain(&*other.tracks).copied().collect();
        tracks.sort_unstable();
        let all = tracks.len();
        tracks.dedup();
        let (small, large) = (self.size.min(other.size), self.size.max(other.size));
        let size = if tracks.len() < all {
            large.saturating_add(small / 2)
        } else {
            large.saturating_mul(small)
        };
        let work = self.work.saturating_add(other.work);
        let projected = match (self.projected, other.projected) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (one, two) => one.or(two),
        };
        Cost { work, size, tracks: tracks.into(), projected }.step()
    }

    fn exists(mut self, variable: Variable) -> Cost {
        self.tracks = self.tracks.iter().copied().filter(|&other| other != variable).collect();
        if let Variable::Set(_) = variable {
            let alternates = self.projected == Some(true);
            self.size = if alternates { self.size.saturating_mul(2) } else { self.size.saturating_mul(5) / 4 };
            self.projected = Some(false);
        }
        self.step()
    }

    fn exists_one(self, variable: Variable) -> Cost {
        let pair = self.product(&self);
        let pair = Cost { work: pair.work.saturating_sub(self.work), ..pair };
        pair.step().exists(variable).exists(variable)
    }
}

/// The order of conjuncts in which each next product is predicted to be the cheapest, the first one
/// staying first; where two are alike the order stays.
pub fn order(parts: &[Cost]) -> Vec<usize> {
    let mut left: Vec<usize> = (1..parts.len()).collect();
    let mut chosen: Vec<usize> = if parts.is_empty() { Vec::new() } else { vec![0] };
    let Some(mut so_far) = parts.first().cloned() else { return chosen };
    while !left.is_empty() {
        let next = left.iter().enumerate().filter_map(|(place, &part)| {
            let cost = parts.get(part)?;
            let product = so_far.product(cost);
            let added = product.work.saturating_sub(so_far.work).saturating_sub(cost.work);
            Some((added, product.tracks.len(), part, place, product))
        });
        let Some((_, _, part, place, product)) = next.min_by_key(|&(added, tracks, part, ..)| (added, tracks, part))
        else {
            break;
        };
        chosen.push(part);
        left.remove(place);
        so_far = product;
    }
    chosen
}

fn multiply(parts: &[&Cost]) -> Cost {
    let Some((first, rest)) = parts.split_first() else { return Cost::constant() };
    rest.iter().fold((*first).clone(), |product, part| product.product(part))
}

/// The cost of leaves that are no atoms: found before, when they were pieces.
pub type Leaves = FxHashMap<FormulaId, Cost>;

/// For egg's extractor: conjuncts in the order that [`order`] gives them.
pub struct Prediction<'a> {
    /// The owner of leaves.
    pub store: &'a Store,
    /// Sizes of leaves.
    pub leaves: &'a Leaves,
}

impl CostFunction<Node> for Prediction<'_> {
    type Cost = Cost;

    fn cost<C: FnMut(Id) -> Cost>(&mut self, node: &Node, mut costs: C) -> Cost {
        match node {
            Node::True => Cost::constant(),
            Node::Leaf(formula) => leaf(self.store, *formula, self.leaves),
            Node::Not(part) => costs(*part).not(),
            Node::And(parts) => {
                let parts: Vec<Cost> = parts.iter().map(|&part| costs(part)).collect();
                let ordered: Vec<&Cost> = order(&parts).into_iter().filter_map(|at| parts.get(at)).collect();
                multiply(&ordered)
            }
            Node::Iff([left, right]) => costs(*left).product(&costs(*right)),
            Node::Exists(variable, part) => costs(*part).exists(*variable),
            Node::ExistsOne(x, part) => costs(*part).exists_one(Variable::Node(*x)),
        }
    }
}

/// A leaf's own work is done elsewhere, once for all its uses.
fn leaf(store: &Store, formula: FormulaId, leaves: &Leaves) -> Cost {
    match leaves.get(&formula) {
        Some(known) => Cost { work: 1, ..known.clone() },
        None => Cost::leaf(store.free_variables(formula).into(), ATOM),
    }
}

/// The cost of a formula as it is written, down to the leaves.
pub fn of_formula(store: &Store, root: FormulaId, leaves: &Leaves) -> Cost {
    let mut done: FxHashMap<FormulaId, Cost> = FxHashMap::default();
    let mut open = vec![root];
    while let Some(&next) = open.last() {
        if done.contains_key(&next) {
            open.pop();
            continue;
        }
        let formula = store.get(next);
        let parts = formula.parts();
        if parts.is_empty() || next != root && leaves.contains_key(&next) {
            let cost = match formula {
                Formula::True | Formula::False => Cost::constant(),
                _ => leaf(store, next, leaves),
            };
            done.insert(next, cost);
            continue;
        }
        let missing: Vec<FormulaId> = parts.iter().filter(|part| !done.contains_key(part)).copied().collect();
        if !missing.is_empty() {
            open.extend(missing);
            continue;
        }
        let known: Vec<&Cost> = parts.iter().filter_map(|part| done.get(part)).collect();
        let first = known.first().map_or_else(Cost::constant, |&first| first.clone());
        let cost = match formula {
            Formula::Not(_) => first.not(),
            Formula::Or(_) | Formula::Implies(_) => {
                let last = known.len();
                let signed: Vec<Cost> = known
                    .iter()
                    .enumerate()
                    .map(|(at, &part)| match formula {
                        Formula::Implies(_) if at + 1 < last => part.clone(),
                        _ => part.clone().not(),
                    })
                    .collect();
                multiply(&signed.iter().collect::<Vec<_>>()).not()
            }
            Formula::ExistsOneNode(x, _) => first.exists_one(Variable::Node(*x)),
            _ => match (formula.bound(), formula) {
                (Some(variable), Formula::ExistsNode(..) | Formula::ExistsSet(..)) => first.exists(variable),
                (Some(variable), _) => first.not().exists(variable).not(),
                (None, _) => multiply(&known),
            },
        };
        done.insert(next, cost);
    }
    done.remove(&root).unwrap_or_else(Cost::constant)
}

/// The costs of all parts of what was extracted.
pub fn of_parts(expression: &RecExpr<Node>, prediction: &mut Prediction<'_>) -> Vec<Cost> {
    let mut costs: Vec<Cost> = Vec::with_capacity(expression.len());
    for node in expression.as_ref() {
        let cost = prediction
            .cost(node, |id| costs.get(usize::from(id)).cloned().unwrap_or_else(Cost::constant));
        costs.push(cost);
    }
    costs
}
