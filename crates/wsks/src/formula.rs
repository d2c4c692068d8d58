//! WSκS formulas (paper, section 2), hash-consed: equal formulas are one [`FormulaId`] of a [`Store`].
//!
//! First-order variables ([`NodeVariable`]) stand for nodes of the infinite κ-ary tree, second-order
//! ones ([`SetVariable`]) for finite sets of nodes. Invariants:
//! - A formula's parts have smaller ids than itself, so a pass over a formula is a loop over
//!   [`Store::parts_of`], never a recursion: formulas may be as deep as memory allows.
//! - The constructors of [`Store`] do no more than drop neutral and repeated operands and evaluate
//!   constants. **Operands stay in their order**, which is the order of products of automata from left
//!   to right, and nested conjunctions stay nested: whoever builds a formula decides what is multiplied
//!   first. Simplification is a pass of its own.
//! - A variable may be bound at several places, and again below a quantifier that binds it: the
//!   innermost binding counts. Parts that occur twice are thereby one part.
//! - Ids of variables are in the order of creation; automata order their tracks so.
//!
//! Rejected: reference-counted trees. Memoising by identity needs an id anyway, and the drop of a deep
//! tree recurses.

use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use paramcheck_text::define_index;
use paramcheck_text::index::IndexVec;

mod substitute;
#[cfg(test)]
mod tests;

pub(crate) use substitute::Substitution;

define_index! {
    /// A formula of a [`Store`].
    pub struct FormulaId;
    /// A term of a [`Store`].
    pub struct TermId;
    /// A first-order variable: a node.
    pub struct NodeVariable;
    /// A second-order variable: a finite set of nodes.
    pub struct SetVariable;
}

/// A variable of either order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variable {
    /// First-order.
    Node(NodeVariable),
    /// Second-order.
    Set(SetVariable),
}

/// A node of the tree, named by a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// ε, the root of the tree.
    Root,
    /// A first-order variable.
    Variable(NodeVariable),
    /// τ.i: the i-th child, counted from 1.
    Child(TermId, u8),
}

/// A formula, its parts as ids.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Formula {
    /// ⊤
    True,
    /// ⊥
    False,
    /// τ = τ′
    Equal(TermId, TermId),
    /// τ ∈ X, the paper's X(τ)
    Member(TermId, SetVariable),
    /// X ⊆ Y
    Subset(SetVariable, SetVariable),
    /// X = Y
    SetEqual(SetVariable, SetVariable),
    /// ¬φ
    Not(FormulaId),
    /// φ₁ ∧ … ∧ φₙ, n ≥ 2, all different
    And(Box<[FormulaId]>),
    /// φ₁ ∨ … ∨ φₙ, n ≥ 2, all different
    Or(Box<[FormulaId]>),
    /// φ ⇒ ψ
    Implies([FormulaId; 2]),
    /// φ ⇔ ψ
    Iff([FormulaId; 2]),
    /// ∃x. φ
    ExistsNode(NodeVariable, FormulaId),
    /// ∀x. φ
    ForallNode(NodeVariable, FormulaId),
    /// ∃₁x. φ: exactly one node
    ExistsOneNode(NodeVariable, FormulaId),
    /// ∃X. φ
    ExistsSet(SetVariable, FormulaId),
    /// ∀X. φ
    ForallSet(SetVariable, FormulaId),
}

impl Formula {
    /// The parts, from left to right.
    pub(crate) fn parts(&self) -> &[FormulaId] {
        use Formula::*;
        match self {
            True | False | Equal(..) | Member(..) | Subset(..) | SetEqual(..) => &[],
            And(parts) | Or(parts) => parts,
            Implies(parts) | Iff(parts) => parts,
            Not(part)
            | ExistsNode(_, part)
            | ForallNode(_, part)
            | ExistsOneNode(_, part)
            | ExistsSet(_, part)
            | ForallSet(_, part) => std::slice::from_ref(part),
        }
    }

    /// The same formula with each part replaced by what `replace` gives for it, from left to right.
    #[must_use]
    pub(crate) fn map_parts(&self, mut replace: impl FnMut(FormulaId) -> FormulaId) -> Formula {
        use Formula::*;
        match self {
            True | False | Equal(..) | Member(..) | Subset(..) | SetEqual(..) => self.clone(),
            And(parts) => And(parts.iter().map(|&part| replace(part)).collect()),
            Or(parts) => Or(parts.iter().map(|&part| replace(part)).collect()),
            Implies(parts) => Implies(parts.map(replace)),
            Iff(parts) => Iff(parts.map(replace)),
            Not(part) => Not(replace(*part)),
            ExistsNode(x, part) => ExistsNode(*x, replace(*part)),
            ForallNode(x, part) => ForallNode(*x, replace(*part)),
            ExistsOneNode(x, part) => ExistsOneNode(*x, replace(*part)),
            ExistsSet(x, part) => ExistsSet(*x, replace(*part)),
            ForallSet(x, part) => ForallSet(*x, replace(*part)),
        }
    }

    /// The variable that a quantifier binds.
    pub(crate) fn bound(&self) -> Option<Variable> {
        match *self {
            Formula::ExistsNode(x, _) | Formula::ForallNode(x, _) | Formula::ExistsOneNode(x, _) => {
                Some(Variable::Node(x))
            }
            Formula::ExistsSet(x, _) | Formula::ForallSet(x, _) => Some(Variable::Set(x)),
            _ => None,
        }
    }
}

/// How large a formula is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FormulaSize {
    /// Different subformulas, itself included.
    pub(crate) distinct: usize,
    /// Symbols when written out without sharing (saturating).
    pub(crate) symbols: u64,
    /// Quantifiers nested in each other at most.
    pub(crate) quantifier_depth: u64,
}

/// Owner of formulas, terms and variables.
#[derive(Clone, Debug)]
pub struct Store {
    formulas: IndexVec<FormulaId, Formula>,
    formula_ids: FxHashMap<Formula, FormulaId>,
    /// Per formula its free variables, ascending.
    free: IndexVec<FormulaId, Rc<[Variable]>>,
    free_lists: FxHashSet<Rc<[Variable]>>,
    terms: IndexVec<TermId, Term>,
    term_ids: FxHashMap<Term, TermId>,
    node_names: IndexVec<NodeVariable, String>,
    set_names: IndexVec<SetVariable, String>,
}

impl Default for Store {
    fn default() -> Self {
        Self::new()
    }
}

impl Store {
    /// A store without variables.
    pub fn new() -> Self {
        let mut store = Store {
            formulas: IndexVec::new(),
            formula_ids: FxHashMap::default(),
            free: IndexVec::new(),
            free_lists: FxHashSet::default(),
            terms: IndexVec::new(),
            term_ids: FxHashMap::default(),
            node_names: IndexVec::new(),
            set_names: IndexVec::new(),
        };
        store.insert(Formula::True);
        store.insert(Formula::False);
        store
    }

    // ---- variables and terms ----

    /// A new first-order variable. Names need not differ; printers distinguish equal ones.
    pub fn new_node(&mut self, name: impl Into<String>) -> NodeVariable {
        self.node_names.push(name.into())
    }

    /// A new second-order variable.
    pub fn new_set(&mut self, name: impl Into<String>) -> SetVariable {
        self.set_names.push(name.into())
    }

    /// The name a variable was made with.
    pub(crate) fn name(&self, variable: Variable) -> &str {
        match variable {
            Variable::Node(x) => &self.node_names[x],
            Variable::Set(x) => &self.set_names[x],
        }
    }

    /// The id of `term`, whose parts must be of this store.
    pub(crate) fn intern_term(&mut self, term: Term) -> TermId {
        if let Some(&id) = self.term_ids.get(&term) {
            return id;
        }
        let id = self.terms.push(term);
        self.term_ids.insert(term, id);
        id
    }

    /// ε
    pub fn root(&mut self) -> TermId {
        self.intern_term(Term::Root)
    }

    /// x, as a term
    pub fn node(&mut self, x: NodeVariable) -> TermId {
        self.intern_term(Term::Variable(x))
    }

    /// τ.i
    pub fn child(&mut self, term: TermId, child: u8) -> TermId {
        self.intern_term(Term::Child(term, child))
    }

    /// The term of an id.
    pub fn term(&self, id: TermId) -> Term {
        self.terms[id]
    }

    /// The variable a term starts from (`None`: the root) and the children taken from there.
    pub fn term_path(&self, mut id: TermId) -> (Option<NodeVariable>, Vec<u8>) {
        let mut path = Vec::new();
        loop {
            match self.terms[id] {
                Term::Root => {
                    path.reverse();
                    return (None, path);
                }
                Term::Variable(x) => {
                    path.reverse();
                    return (Some(x), path);
                }
                Term::Child(parent, child) => {
                    path.push(child);
                    id = parent;
                }
            }
        }
    }

    // ---- formulas ----

    /// The formula of an id.
    pub fn get(&self, id: FormulaId) -> &Formula {
        &self.formulas[id]
    }

    /// The free variables of a formula, ascending.
    pub fn free_variables(&self, id: FormulaId) -> &[Variable] {
        &self.free[id]
    }

    /// Whether `variable` occurs free in a formula.
    pub fn is_free(&self, variable: Variable, id: FormulaId) -> bool {
        self.free[id].binary_search(&variable).is_ok()
    }

    /// The formula and everything it is made of, each once, parts before wholes.
    pub fn parts_of(&self, id: FormulaId) -> Vec<FormulaId> {
        let mut seen: FxHashSet<FormulaId> = FxHashSet::default();
        let mut open = vec![id];
        seen.insert(id);
        while let Some(next) = open.pop() {
            open.extend(self.formulas[next].parts().iter().filter(|&&part| seen.insert(part)));
        }
        let mut parts: Vec<_> = seen.into_iter().collect();
        parts.sort_unstable();
        parts
    }

    /// How large a formula is.
    pub(crate) fn size(&self, id: FormulaId) -> FormulaSize {
        let parts = self.parts_of(id);
        let mut sizes: FxHashMap<FormulaId, (u64, u64)> = FxHashMap::default();
        for &part in &parts {
            let formula = &self.formulas[part];
            let (mut symbols, mut depth) = (1_u64, 0_u64);
            for part in formula.parts() {
                let (s, d) = sizes.get(part).copied().unwrap_or_default();
                symbols = symbols.saturating_add(s);
                depth = depth.max(d);
            }
            sizes.insert(part, (symbols, depth + u64::from(formula.bound().is_some())));
        }
        let (symbols, quantifier_depth) = sizes.get(&id).copied().unwrap_or_default();
        FormulaSize { distinct: parts.len(), symbols, quantifier_depth }
    }

    /// The id of `formula` as it is, without any simplification; its parts must be of this store. A
    /// conjunction or disjunction must have two operands or more, all different: [`Store::and`] and
    /// [`Store::or`] see to that.
    pub fn insert(&mut self, formula: Formula) -> FormulaId {
        if let Some(&id) = self.formula_ids.get(&formula) {
            return id;
        }
        let free = self.compute_free(&formula);
        let free = match self.free_lists.get(free.as_slice()) {
            Some(list) => Rc::clone(list),
            None => {
                let list: Rc<[Variable]> = free.into();
                self.free_lists.insert(Rc::clone(&list));
                list
            }
        };
        let id = self.formulas.push(formula.clone());
        self.free.push(free);
        self.formula_ids.insert(formula, id);
        id
    }

    fn compute_free(&self, formula: &Formula) -> Vec<Variable> {
        let mut free: Vec<Variable> = Vec::new();
        let term = |id| self.term_path(id).0.map(Variable::Node);
        match *formula {
            Formula::Equal(left, right) => free.extend(term(left).into_iter().chain(term(right))),
            Formula::Member(node, set) => {
                free.extend(term(node));
                free.push(Variable::Set(set));
            }
            Formula::Subset(left, right) | Formula::SetEqual(left, right) => {
                free.extend([Variable::Set(left), Variable::Set(right)]);
            }
            _ => formula.parts().iter().for_each(|&part| free.extend_from_slice(&self.free[part])),
        }
        let bound = formula.bound();
        free.retain(|&variable| Some(variable) != bound);
        free.sort_unstable();
        free.dedup();
        free
    }

    /// ⊤
    pub fn truth(&mut self) -> FormulaId {
        self.insert(Formula::True)
    }

    /// ⊥
    pub fn falsity(&mut self) -> FormulaId {
        self.insert(Formula::False)
    }

    /// τ = τ′ (⊤ where both are the same term)
    pub fn equal(&mut self, left: TermId, right: TermId) -> FormulaId {
        if left == right { self.truth() } else { self.insert(Formula::Equal(left, right)) }
    }

    /// τ ∈ X
    pub fn member(&mut self, node: TermId, set: SetVariable) -> FormulaId {
        self.insert(Formula::Member(node, set))
    }

    /// X ⊆ Y
    pub fn subset(&mut self, left: SetVariable, right: SetVariable) -> FormulaId {
        if left == right { self.truth() } else { self.insert(Formula::Subset(left, right)) }
    }

    /// X = Y
    pub fn set_equal(&mut self, left: SetVariable, right: SetVariable) -> FormulaId {
        if left == right { self.truth() } else { self.insert(Formula::SetEqual(left, right)) }
    }

    /// ¬φ
    pub fn not(&mut self, part: FormulaId) -> FormulaId {
        match self.formulas[part] {
            Formula::True => self.falsity(),
            Formula::False => self.truth(),
            Formula::Not(inner) => inner,
            _ => self.insert(Formula::Not(part)),
        }
    }

    /// The conjunction of `parts` in their order, without ⊤ and repetitions.
    pub fn and(&mut self, parts: impl IntoIterator<Item = FormulaId>) -> FormulaId {
        let (neutral, absorbing) = (self.truth(), self.falsity());
        match Self::operands(parts, neutral, absorbing) {
            Err(constant) => constant,
            Ok(parts) => self.insert(Formula::And(parts.into())),
        }
    }

    /// The disjunction of `parts` in their order, without ⊥ and repetitions.
    pub fn or(&mut self, parts: impl IntoIterator<Item = FormulaId>) -> FormulaId {
        let (neutral, absorbing) = (self.falsity(), self.truth());
        match Self::operands(parts, neutral, absorbing) {
            Err(constant) => constant,
            Ok(parts) => self.insert(Formula::Or(parts.into())),
        }
    }

    /// The operands that count, or the formula that they already are.
    fn operands(
        parts: impl IntoIterator<Item = FormulaId>,
        neutral: FormulaId,
        absorbing: FormulaId,
    ) -> Result<Vec<FormulaId>, FormulaId> {
        let mut seen: FxHashSet<FormulaId> = FxHashSet::default();
        let mut kept = Vec::new();
        for part in parts {
            if part == absorbing {
                return Err(absorbing);
            }
            if part != neutral && seen.insert(part) {
                kept.push(part);
            }
        }
        match kept.as_slice() {
            [] => Err(neutral),
            [single] => Err(*single),
            _ => Ok(kept),
        }
    }

    /// φ ⇒ ψ
    pub fn implies(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        match (&self.formulas[left], &self.formulas[right]) {
            (Formula::True, _) => right,
            (Formula::False, _) | (_, Formula::True) => self.truth(),
            (_, Formula::False) => self.not(left),
            _ if left == right => self.truth(),
            _ => self.insert(Formula::Implies([left, right])),
        }
    }

    /// φ ⇔ ψ
    pub fn iff(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        match (&self.formulas[left], &self.formulas[right]) {
            (Formula::True, _) => right,
            (_, Formula::True) => left,
            (Formula::False, _) => self.not(right),
            (_, Formula::False) => self.not(left),
            _ if left == right => self.truth(),
            _ => self.insert(Formula::Iff([left, right])),
        }
    }

    /// ∃x. φ (φ itself where x is not free in it)
    pub fn exists_node(&mut self, x: NodeVariable, part: FormulaId) -> FormulaId {
        if self.is_free(Variable::Node(x), part) { self.insert(Formula::ExistsNode(x, part)) } else { part }
    }

    /// ∀x. φ (φ itself where x is not free in it)
    pub fn forall_node(&mut self, x: NodeVariable, part: FormulaId) -> FormulaId {
        if self.is_free(Variable::Node(x), part) { self.insert(Formula::ForallNode(x, part)) } else { part }
    }

    /// ∃₁x. φ: exactly one node (⊥ where x is not free in φ: there are infinitely many nodes)
    pub fn exists_one_node(&mut self, x: NodeVariable, part: FormulaId) -> FormulaId {
        if self.is_free(Variable::Node(x), part) {
            self.insert(Formula::ExistsOneNode(x, part))
        } else {
            self.falsity()
        }
    }

    /// ∃X. φ (φ itself where X is not free in it)
    pub fn exists_set(&mut self, x: SetVariable, part: FormulaId) -> FormulaId {
        if self.is_free(Variable::Set(x), part) { self.insert(Formula::ExistsSet(x, part)) } else { part }
    }

    /// ∀X. φ (φ itself where X is not free in it)
    pub fn forall_set(&mut self, x: SetVariable, part: FormulaId) -> FormulaId {
        if self.is_free(Variable::Set(x), part) { self.insert(Formula::ForallSet(x, part)) } else { part }
    }

    /// The formula like `formula` by the constructors above: constants evaluated, neutral and repeated
    /// operands dropped, quantifiers that bind nothing left out.
    pub(crate) fn construct(&mut self, formula: Formula) -> FormulaId {
        match formula {
            Formula::Equal(left, right) => self.equal(left, right),
            Formula::Subset(left, right) => self.subset(left, right),
            Formula::SetEqual(left, right) => self.set_equal(left, right),
            Formula::Not(part) => self.not(part),
            Formula::And(parts) => self.and(parts),
            Formula::Or(parts) => self.or(parts),
            Formula::Implies([left, right]) => self.implies(left, right),
            Formula::Iff([left, right]) => self.iff(left, right),
            Formula::ExistsNode(x, part) => self.exists_node(x, part),
            Formula::ForallNode(x, part) => self.forall_node(x, part),
            Formula::ExistsOneNode(x, part) => self.exists_one_node(x, part),
            Formula::ExistsSet(x, part) => self.exists_set(x, part),
            Formula::ForallSet(x, part) => self.forall_set(x, part),
            Formula::True | Formula::False | Formula::Member(..) => self.insert(formula),
        }
    }

    /// ∃X₁ … ∃Xₙ. φ, the last of `sets` innermost
    pub fn exists_sets(&mut self, sets: &[SetVariable], part: FormulaId) -> FormulaId {
        sets.iter().rev().fold(part, |part, &set| self.exists_set(set, part))
    }

    /// ∀X₁ … ∀Xₙ. φ, the last of `sets` innermost
    pub fn forall_sets(&mut self, sets: &[SetVariable], part: FormulaId) -> FormulaId {
        sets.iter().rev().fold(part, |part, &set| self.forall_set(set, part))
    }
}
