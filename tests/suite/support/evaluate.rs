//! Formulas evaluated on finite trees, by the definition of truth.
//!
//! The unit tests of crate `wsks` include this file too.
//!
//! **How this relates to WSκS.** There, nodes are all of the infinite κ-ary tree and sets are finite
//! sets of them. Here quantifiers range over the nodes of a finite [`Domain`], closed under parents, and
//! over its subsets; a term that leaves the domain names a node that is in no set and equals only itself.
//! The two agree on formulas that are *confined* to the domain: no witness for a quantified set has, or
//! needs, nodes outside, a universally quantified node outside satisfies its body, and an existentially
//! quantified one does not. The formulas of crate `wsks` are confined to the rewriting
//! tree: RTree, inst and the bindings keep their sets inside it, and nodes without a rule satisfy
//! every ∀x and no ∃x. Other formulas are not: ∃x. x ∉ X is always true in WSκS, and false here where X
//! is the whole domain. Rewriting that is to be right for all formulas must be tested against MONA.
//!
//! Set quantifiers do not try all subsets. A set's membership of nodes is unknown at first; the body is
//! evaluated in three values, and only where an unknown membership matters is it tried both ways. That is
//! exponential all the same: [`EvaluateError::Steps`].

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use thiserror::Error;

use paramcheck_wsks::formula::{Formula, FormulaId, NodeVariable, SetVariable, Store, Term, TermId};
use paramcheck_wsks::tracks::{NodePath, Witness};

/// Formulas nested deeper than this are not evaluated: evaluation recurses.
const MAX_DEPTH: usize = 400;

/// Why a formula was not evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum EvaluateError {
    /// It takes more steps than allowed.
    #[error("evaluating the formula takes too many steps")]
    Steps,
    /// It is nested too deep.
    #[error("the formula is nested deeper than {MAX_DEPTH}")]
    Depth,
    /// A free first-order variable has no value in the domain.
    #[error("a free first-order variable has no value in the domain")]
    Unbound,
}

/// A finite set of nodes, closed under parents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Domain {
    /// The nodes, parents first.
    paths: Vec<NodePath>,
    /// Where a node's child is in `paths`.
    children: FxHashMap<(usize, u8), usize>,
}

impl Domain {
    /// The nodes given and all above them.
    pub(crate) fn new(paths: impl IntoIterator<Item = NodePath>) -> Domain {
        let mut all: BTreeSet<NodePath> = BTreeSet::from([NodePath::new()]);
        for mut path in paths {
            while !all.contains(&path) {
                let above = path.get(..path.len().saturating_sub(1)).unwrap_or_default().to_vec();
                all.insert(path);
                path = above;
            }
        }
        let mut paths: Vec<NodePath> = all.into_iter().collect();
        paths.sort_by_key(Vec::len);
        let mut domain = Domain { paths, children: FxHashMap::default() };
        for number in 0..domain.paths.len() {
            // The parent is there already, so its number is found.
            let parent = domain.paths.get(number).and_then(|path| {
                let (child, above) = path.split_last()?;
                Some((domain.number(above)?, *child))
            });
            if let Some(parent) = parent {
                domain.children.insert(parent, number);
            }
        }
        domain
    }

    /// Which of [`paths`](Self::paths) a node is.
    fn number(&self, path: &[u8]) -> Option<usize> {
        path.iter().try_fold(0, |number, &child| self.children.get(&(number, child)).copied())
    }

    /// All nodes of the κ-ary tree up to a depth.
    pub(crate) fn complete(kappa: u8, depth: usize) -> Domain {
        let mut level = vec![NodePath::new()];
        for _ in 0..depth {
            level = level
                .iter()
                .flat_map(|path| (1..=kappa).map(move |child| [path.as_slice(), &[child]].concat()))
                .collect();
        }
        Domain::new(level)
    }

    /// The nodes, parents first.
    pub(crate) fn paths(&self) -> &[NodePath] {
        &self.paths
    }
}

/// Values of the free variables. Sets that are left out are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Valuation {
    /// First-order variables.
    pub nodes: BTreeMap<NodeVariable, NodePath>,
    /// Second-order variables; nodes outside the domain are ignored.
    pub sets: BTreeMap<SetVariable, BTreeSet<NodePath>>,
}

impl From<&Witness> for Valuation {
    fn from(witness: &Witness) -> Self {
        let mut valuation = Valuation::default();
        for (path, sets) in witness {
            for &set in sets {
                valuation.sets.entry(set).or_default().insert(path.clone());
            }
        }
        valuation
    }
}

/// Whether `formula` is true on `domain`, in at most `steps` steps.
///
/// # Errors
/// See [`EvaluateError`].
pub(crate) fn evaluate(
    store: &Store,
    formula: FormulaId,
    domain: &Domain,
    valuation: &Valuation,
    steps: u64,
) -> Result<bool, EvaluateError> {
    let mut evaluation = Evaluation {
        store,
        domain,
        nodes: FxHashMap::default(),
        sets: FxHashMap::default(),
        memberships: Vec::new(),
        steps,
        depth: 0,
    };
    for (&variable, path) in &valuation.nodes {
        let number = domain.number(path).ok_or(EvaluateError::Unbound)?;
        evaluation.nodes.insert(variable, number);
    }
    for (&variable, paths) in &valuation.sets {
        let memberships = domain.paths.iter().map(|path| Some(paths.contains(path))).collect();
        evaluation.sets.insert(variable, evaluation.memberships.len());
        evaluation.memberships.push(memberships);
    }
    // All memberships of free sets are known, so the value is.
    Ok(evaluation.value(formula)? == Value::True)
}

/// A truth value, or the unknown membership (set, node) that it depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    True,
    False,
    Open(usize, usize),
}

impl Value {
    fn not(self) -> Value {
        match self {
            Value::True => Value::False,
            Value::False => Value::True,
            open => open,
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        if value { Value::True } else { Value::False }
    }
}

struct Evaluation<'a> {
    store: &'a Store,
    domain: &'a Domain,
    nodes: FxHashMap<NodeVariable, usize>,
    /// Which entry of `memberships` a variable stands for.
    sets: FxHashMap<SetVariable, usize>,
    /// Per set in scope, per node: whether it is a member, if known.
    memberships: Vec<Vec<Option<bool>>>,
    steps: u64,
    depth: usize,
}

impl Evaluation<'_> {
    fn value(&mut self, id: FormulaId) -> Result<Value, EvaluateError> {
        self.steps = self.steps.checked_sub(1).ok_or(EvaluateError::Steps)?;
        if self.depth >= MAX_DEPTH {
            return Err(EvaluateError::Depth);
        }
        self.depth += 1;
        let value = self.value_inside(id);
        self.depth -= 1;
        value
    }

    fn value_inside(&mut self, id: FormulaId) -> Result<Value, EvaluateError> {
        let store = self.store;
        Ok(match store.get(id) {
            Formula::True => Value::True,
            Formula::False => Value::False,
            Formula::Equal(left, right) => (self.node(*left)? == self.node(*right)?).into(),
            Formula::Member(node, set) => self.member(*node, *set)?,
            Formula::Subset(left, right) => self.compare(*left, *right, |l, r| match (l, r) {
                (Value::False, _) | (_, Value::True) => Value::True,
                (Value::True, r) => r,
                (open, _) => open,
            }),
            Formula::SetEqual(left, right) => self.compare(*left, *right, equivalent),
            Formula::Not(part) => self.value(*part)?.not(),
            Formula::And(parts) => self.all(parts.iter().copied(), |e, part| e.value(part))?,
            Formula::Or(parts) => self.any(parts.iter().copied(), |e, part| e.value(part))?,
            Formula::Implies([left, right]) => match self.value(*left)? {
                Value::False => Value::True,
                Value::True => self.value(*right)?,
                open => {
                    let right = self.value(*right)?;
                    if right == Value::True { right } else { open }
                }
            },
            Formula::Iff([left, right]) => equivalent(self.value(*left)?, self.value(*right)?),
            Formula::ExistsNode(x, part) => {
                self.any(0..self.domain.paths.len(), |e, node| e.at_node(*x, node, *part))?
            }
            Formula::ForallNode(x, part) => {
                self.all(0..self.domain.paths.len(), |e, node| e.at_node(*x, node, *part))?
            }
            Formula::ExistsOneNode(x, part) => self.exactly_one(*x, *part)?,
            Formula::ExistsSet(x, part) => self.with_set(*x, *part, true)?,
            Formula::ForallSet(x, part) => self.with_set(*x, *part, false)?,
        })
    }

    /// A node of the domain and a path that leads out of it (empty: to itself).
    fn node(&self, term: TermId) -> Result<(usize, NodePath), EvaluateError> {
        Ok(match self.store.term(term) {
            Term::Root => (0, NodePath::new()),
            Term::Variable(x) => (*self.nodes.get(&x).ok_or(EvaluateError::Unbound)?, NodePath::new()),
            Term::Child(parent, child) => {
                let (number, mut outside) = self.node(parent)?;
                match self.domain.children.get(&(number, child)) {
                    Some(&inside) if outside.is_empty() => (inside, outside),
                    _ => {
                        outside.push(child);
                        (number, outside)
                    }
                }
            }
        })
    }

    fn membership(&self, set: SetVariable, node: usize) -> Value {
        let Some(&entry) = self.sets.get(&set) else { return Value::False };
        match self.memberships.get(entry).and_then(|nodes| nodes.get(node)) {
            Some(Some(known)) => (*known).into(),
            Some(None) => Value::Open(entry, node),
            None => Value::False,
        }
    }

    fn member(&self, node: TermId, set: SetVariable) -> Result<Value, EvaluateError> {
        let (number, outside) = self.node(node)?;
        Ok(if outside.is_empty() { self.membership(set, number) } else { Value::False })
    }

    /// Whether `holds` is true of all nodes' memberships of two sets.
    fn compare(&self, left: SetVariable, right: SetVariable, holds: fn(Value, Value) -> Value) -> Value {
        let mut result = Value::True;
        for node in 0..self.domain.paths.len() {
            match holds(self.membership(left, node), self.membership(right, node)) {
                Value::True => {}
                Value::False => return Value::False,
                open => result = if result == Value::True { open } else { result },
            }
        }
        result
    }

    /// Conjunction: false as soon as one is, else open if one is.
    fn all<T>(
        &mut self,
        items: impl Iterator<Item = T>,
        mut value: impl FnMut(&mut Self, T) -> Result<Value, EvaluateError>,
    ) -> Result<Value, EvaluateError> {
        let mut result = Value::True;
        for item in items {
            match value(self, item)? {
                Value::True => {}
                Value::False => return Ok(Value::False),
                open => result = if result == Value::True { open } else { result },
            }
        }
        Ok(result)
    }

    fn any<T>(
        &mut self,
        items: impl Iterator<Item = T>,
        mut value: impl FnMut(&mut Self, T) -> Result<Value, EvaluateError>,
    ) -> Result<Value, EvaluateError> {
        Ok(self.all(items, |e, item| value(e, item).map(Value::not))?.not())
    }

    fn at_node(&mut self, x: NodeVariable, node: usize, part: FormulaId) -> Result<Value, EvaluateError> {
        let before = self.nodes.insert(x, node);
        let value = self.value(part);
        match before {
            Some(before) => self.nodes.insert(x, before),
            None => self.nodes.remove(&x),
        };
        value
    }

    fn exactly_one(&mut self, x: NodeVariable, part: FormulaId) -> Result<Value, EvaluateError> {
        let (mut found, mut open) = (0, None);
        for node in 0..self.domain.paths.len() {
            match self.at_node(x, node, part)? {
                Value::True => found += 1,
                Value::False => {}
                other => open = open.or(Some(other)),
            }
        }
        Ok(match (found, open) {
            (2.., _) => Value::False,
            (_, Some(open)) => open,
            (1, None) => Value::True,
            (_, None) => Value::False,
        })
    }

    fn with_set(
        &mut self,
        x: SetVariable,
        part: FormulaId,
        is_existential: bool,
    ) -> Result<Value, EvaluateError> {
        let entry = self.memberships.len();
        self.memberships.push(vec![None; self.domain.paths.len()]);
        let before = self.sets.insert(x, entry);
        let value = self.search(entry, part, is_existential);
        match before {
            Some(before) => self.sets.insert(x, before),
            None => self.sets.remove(&x),
        };
        self.memberships.truncate(entry);
        value
    }

    /// Tries the memberships of the set `entry` on which the value of `part` depends, both ways, one after
    /// the other: a search without recursion.
    fn search(
        &mut self,
        entry: usize,
        part: FormulaId,
        is_existential: bool,
    ) -> Result<Value, EvaluateError> {
        let decisive = Value::from(is_existential);
        let mut result = decisive.not();
        let mut decided: Vec<usize> = Vec::new();
        loop {
            let value = self.value(part)?;
            match value {
                Value::Open(set, node) if set == entry => {
                    self.decide(entry, node, Some(false));
                    decided.push(node);
                    continue;
                }
                value if value == decisive => return Ok(decisive),
                // Depends on a set further out.
                Value::Open(..) => result = if result == decisive.not() { value } else { result },
                _ => {}
            }
            // The last decision that was not yet tried the other way.
            loop {
                let Some(&node) = decided.last() else { return Ok(result) };
                let tried = self.memberships.get(entry).and_then(|nodes| nodes.get(node)).copied().flatten();
                if tried == Some(false) {
                    self.decide(entry, node, Some(true));
                    break;
                }
                self.decide(entry, node, None);
                decided.pop();
            }
        }
    }

    fn decide(&mut self, entry: usize, node: usize, value: Option<bool>) {
        if let Some(place) = self.memberships.get_mut(entry).and_then(|nodes| nodes.get_mut(node)) {
            *place = value;
        }
    }
}

fn equivalent(left: Value, right: Value) -> Value {
    match (left, right) {
        (Value::Open(..), _) => left,
        (_, Value::Open(..)) => right,
        _ => (left == right).into(),
    }
}
