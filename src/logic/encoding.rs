//! From a rewriting system to formulas: one function per definition of the paper's section 4, in the
//! files below this one.
//!
//! An [`Encoder`] holds the system (κ-normalised), the formulas and their free variables:
//! - U: per rule the nodes labelled with it ([`Encoder::rtree`]);
//! - X: a marking. A component *sits* on the node whose rule creates it, as the j-th of that node's
//!   components; X\[j\]\[s\] are the nodes whose j-th component is in its state number s
//!   ([`Encoder::mark`]). Rules share these tracks: a node's rule says what its j-th component is;
//! - I: likewise where components start that have a choice ([`Encoder::choices`]).
//!
//! Sets θ of places are quantified as tuples of the same form as X. Z of the paper (which node is an
//! instance of which type) is a function of U and is left out, and so is the condition inst(Z, U) that
//! Theorem 1 forgets.
//!
//! Decisive for speed: every quantified part has RTree as a conjunct, so that its automaton knows only
//! rewriting trees ([`Encoder::binding`](self) explains the other half).

use rustc_hash::FxHashMap;

use crate::logic::flow::{DroppedFiring, Firings, firings};
use crate::logic::formula::{FormulaId, NodeVariable, SetVariable, Store, TermId};
use crate::logic::print::Definition;
use crate::model::component::{StateId, TypeId};
use crate::model::rule::{InstanceAtom, PredicateAtom, PredicateId, Rule, RuleId, VariableId};
use crate::model::system::System;
use crate::support::index::Idx;

mod binding;
mod counting;
mod error;
mod invariant;
mod tree;

use binding::{Closure, Label, LabelKey};

/// The most firings that are encoded.
const FIRING_LIMIT: usize = 20_000;

/// Why a question has no formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// Too many combinations of transitions.
    #[error("the interactions stand for more than {FIRING_LIMIT} combinations of transitions")]
    Firings,
    /// A bound of a count or an invariant is too large.
    #[error("counting up to {0} is too much for a formula (at most {limit})", limit = counting::BOUND_LIMIT)]
    Bound(u64),
    /// An error that this encoding does not know.
    #[error("{0}")]
    Unsupported(String),
}

/// A tuple of set variables that describes a set of places: \[j\]\[s\] are the nodes whose j-th
/// component has its state number s in the set.
pub type Places = Vec<Vec<SetVariable>>;

/// Makes formulas about one system. See the module's text.
#[derive(Debug)]
pub struct Encoder<'a> {
    /// The system, κ-normalised.
    pub system: &'a System,
    /// The formulas made so far.
    pub store: Store,
    /// The branching degree of rewriting trees, at least 1.
    pub kappa: u8,
    /// Subformulas worth a name.
    pub definitions: Vec<Definition>,
    /// U: the reachable rules with their node sets.
    pub labels: Vec<(RuleId, SetVariable)>,
    /// X: the marking.
    pub marking: Places,
    /// I: where components start that have a choice; empty tracks for those that have none.
    pub choices: Vec<Vec<Option<SetVariable>>>,
    /// θ: the set that an invariant is about.
    pub theta: Places,
    /// What can fire.
    pub firings: Firings,
    /// The node that local formulas speak of.
    x: NodeVariable,
    node: TermId,
    /// More nodes, to be told apart from x.
    counted: Vec<NodeVariable>,
    rtree: Option<FormulaId>,
    closures: FxHashMap<(PredicateId, usize, TypeId), std::rc::Rc<Closure>>,
    bindings: FxHashMap<LabelKey, Label>,
}

impl<'a> Encoder<'a> {
    /// An encoder for `system`, which must be κ-normalised, without the firings in `dropped`.
    ///
    /// # Errors
    /// The system is too large for formulas.
    pub fn new(system: &'a System, dropped: &[DroppedFiring]) -> Result<Self, EncodeError> {
        let mut store = Store::new();
        let reachable: Vec<RuleId> = system
            .rules
            .enumerate()
            .filter(|(_, rule)| system.predicates[rule.head].is_reachable)
            .map(|(id, _)| id)
            .collect();
        let labels =
            reachable.iter().map(|&id| (id, store.new_set(format!("U_{}", system.rules[id].label)))).collect();
        let kappa = reachable.iter().map(|&id| system.rules[id].predicate_atoms().count()).max().unwrap_or(1);
        let widths = widths(system, &reachable);
        let mut choices: Vec<Vec<Option<SetVariable>>> =
            widths.iter().map(|&states| vec![None; states]).collect();
        for &id in &reachable {
            for (j, atom) in system.rules[id].instance_atoms().enumerate() {
                if atom.initial.len() > 1 {
                    for state in &atom.initial {
                        let track = &mut choices[j][state.index()];
                        if track.is_none() {
                            *track = Some(store.new_set(format!("I{j}_{}", state.index())));
                        }
                    }
                }
            }
        }
        // Each track of X next to that of θ: automata that compare them stay small.
        let mut marking: Places = Vec::new();
        let mut theta: Places = Vec::new();
        for (j, &states) in widths.iter().enumerate() {
            let (mut x, mut y) = (Vec::new(), Vec::new());
            for s in 0..states {
                x.push(store.new_set(format!("X{j}_{s}")));
                y.push(store.new_set(format!("Y{j}_{s}")));
            }
            marking.push(x);
            theta.push(y);
        }
        let x = store.new_node("x");
        let node = store.node(x);
        let firings = firings(system, dropped, FIRING_LIMIT).ok_or(EncodeError::Firings)?;
        Ok(Encoder {
            system,
            store,
            kappa: u8::try_from(kappa.max(1)).unwrap_or(u8::MAX),
            definitions: Vec::new(),
            labels,
            marking,
            choices,
            theta,
            firings,
            x,
            node,
            counted: Vec::new(),
            rtree: None,
            closures: FxHashMap::default(),
            bindings: FxHashMap::default(),
        })
    }

    /// The set of nodes labelled with `rule`, if it is reachable.
    fn label(&self, rule: RuleId) -> Option<SetVariable> {
        self.labels.iter().find(|(id, _)| *id == rule).map(|&(_, set)| set)
    }

    /// U_r(x), at the given node.
    fn labelled(&mut self, node: TermId, rule: RuleId) -> FormulaId {
        match self.label(rule) {
            Some(set) => self.store.member(node, set),
            None => self.store.falsity(),
        }
    }

    /// ⋁ U_r(τ) over the rules given.
    fn labelled_any(&mut self, node: TermId, rules: impl IntoIterator<Item = RuleId>) -> FormulaId {
        let parts: Vec<FormulaId> = rules.into_iter().map(|rule| self.labelled(node, rule)).collect();
        self.store.or(parts)
    }

    /// ∀x. φ
    fn everywhere(&mut self, part: FormulaId) -> FormulaId {
        self.store.forall_node(self.x, part)
    }

    /// ∃x. φ
    fn somewhere(&mut self, part: FormulaId) -> FormulaId {
        self.store.exists_node(self.x, part)
    }

    /// x.i, the i-th child of x counted from 0.
    fn child(&mut self, call: usize) -> TermId {
        self.store.child(self.node, u8::try_from(call + 1).unwrap_or(u8::MAX))
    }

    /// Names a subformula for readers.
    fn define(&mut self, formula: FormulaId, name: impl Into<String>, comment: impl Into<String>) -> FormulaId {
        self.definitions.push(Definition { formula, name: name.into(), comment: comment.into() });
        formula
    }

    fn rule(&self, id: RuleId) -> &'a Rule {
        &self.system.rules[id]
    }

    /// The rules of a reachable predicate.
    fn rules_of(&self, predicate: PredicateId) -> &'a [RuleId] {
        &self.system.predicates[predicate].rules
    }

    /// The number and atom of the instance that creates `variable` in `rule`.
    fn creator(&self, rule: RuleId, variable: VariableId) -> Option<(usize, &'a InstanceAtom)> {
        self.rule(rule).instance_atoms().enumerate().find(|(_, atom)| atom.variable == variable)
    }

    /// All instance atoms: rule, number in the rule, atom.
    fn instances(&self) -> Vec<(RuleId, usize, &'a InstanceAtom)> {
        self.labels
            .iter()
            .flat_map(|&(id, _)| {
                self.system.rules[id].instance_atoms().enumerate().map(move |(j, atom)| (id, j, atom))
            })
            .collect()
    }

    /// All predicate atoms: rule, number in the rule, atom.
    fn calls(&self) -> Vec<(RuleId, usize, &'a PredicateAtom)> {
        self.labels
            .iter()
            .flat_map(|&(id, _)| {
                self.system.rules[id].predicate_atoms().enumerate().map(move |(c, atom)| (id, c, atom))
            })
            .collect()
    }

    /// The rules whose j-th component has a state number s.
    fn rules_with(&self, j: usize, state: StateId) -> Vec<RuleId> {
        self.instances()
            .into_iter()
            .filter(|(_, number, atom)| {
                *number == j && state.index() < self.system.types[atom.component].states.len()
            })
            .map(|(id, ..)| id)
            .collect()
    }
}

/// Per position of a component in its rule the largest number of states it can have there.
fn widths(system: &System, rules: &[RuleId]) -> Vec<usize> {
    let mut widths: Vec<usize> = Vec::new();
    for &id in rules {
        for (j, atom) in system.rules[id].instance_atoms().enumerate() {
            let states = system.types[atom.component].states.len();
            match widths.get_mut(j) {
                Some(width) => *width = (*width).max(states),
                None => widths.push(states),
            }
        }
    }
    widths
}
