//! From a rewriting system to formulas: one function per definition of the paper's section 4, in the
//! files below this one.
//!
//! An [`Encoder`] holds the system (κ-normalised), the formulas and their free variables
//! ([`Tracks`]: the rewriting tree U, the marking X, initial choices I). Sets θ of
//! places are quantified as tuples of the same form as X. Z of the paper (which node is an instance of
//! which type) is a function of U and is left out, and so is the condition inst(Z, U) that Theorem 1
//! forgets.
//!
//! Measured to be decisive for MONA: every quantified part has RTree (and, where it speaks of X, mark) as
//! a conjunct, so that its automaton knows only rewriting trees; the components bound to variables are
//! followed one property at a time (file `binding`); what θ and X have in common is added one condition
//! at a time, mark first.

use rustc_hash::FxHashMap;

use crate::flow::{Firing, Firings, firings};
use crate::formula::{FormulaId, NodeVariable, Store, TermId};
use crate::print::Definition;
use crate::tracks::{Places, Tracks, instances};
use paramcheck_invariants::firing::InteractionFiring;
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::component::{StateId, TypeId};
use paramcheck_model::rule::{InstanceAtom, PredicateAtom, PredicateId, Rule, RuleId, VariableId};
use paramcheck_model::system::System;
use paramcheck_text::index::Idx;

mod binding;
mod components;
mod counting;
mod error;
mod invariant;
mod tree;

use binding::{Closure, Label, LabelKey};

/// The most firings that are encoded.
pub(crate) const MAX_FIRINGS: usize = 5_000;
/// The most tracks: rules, places and choices.
const MAX_TRACKS: usize = 500;

/// Why a question has no formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// Too many combinations of transitions.
    #[error("the interactions stand for more than {MAX_FIRINGS} combinations of transitions")]
    Firings,
    /// Too many rules or states.
    #[error("the system needs {0} tracks, too many for a formula (at most {MAX_TRACKS})")]
    Tracks(usize),
    /// A bound of a count or an invariant is too large.
    #[error("counting up to {0} is too much for a formula (at most {limit})", limit = counting::MAX_BOUND)]
    Bound(u64),
    /// Sums of weights over a tree grow without bound.
    #[error("sets of kind `{0}` have weights, for which there is no formula")]
    Weights(InvariantKind),
    /// A formula over components has too many versions.
    #[error(
        "a formula over components, for all positions of components in rules, has more than {limit} parts",
        limit = components::MAX_PARTS
    )]
    Components,
}

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
    /// The free variables.
    pub tracks: Tracks,
    /// θ: the set of places that an invariant is about.
    pub theta: Places,
    /// What can fire.
    pub firings: Firings,
    /// The node that local formulas speak of.
    x: NodeVariable,
    node: TermId,
    /// More nodes, different from x.
    counted: Vec<NodeVariable>,
    rtree: Option<FormulaId>,
    mark: Option<FormulaId>,
    choices: Option<FormulaId>,
    closures: FxHashMap<(PredicateId, usize, Vec<TypeId>), std::rc::Rc<Closure>>,
    bindings: FxHashMap<LabelKey, Label>,
}

impl<'a> Encoder<'a> {
    /// An encoder for `system`, which must be κ-normalised, without the firings in `dropped`.
    ///
    /// # Errors
    /// The system is too large for formulas.
    pub fn new(system: &'a System, dropped: &[InteractionFiring]) -> Result<Self, EncodeError> {
        let mut store = Store::new();
        let reachable: Vec<RuleId> = system
            .rules
            .enumerate()
            .filter(|(_, rule)| system.predicates[rule.head].is_reachable)
            .map(|(id, _)| id)
            .collect();
        let kappa = reachable.iter().map(|&id| system.rules[id].predicate_atoms().count()).max().unwrap_or(1);
        let needed = Tracks::count(system, &reachable);
        if needed > MAX_TRACKS {
            return Err(EncodeError::Tracks(needed));
        }
        let (tracks, theta) = Tracks::new(system, &reachable, &mut store);
        let x = store.new_node("x");
        let node = store.node(x);
        let firings = firings(system, dropped, MAX_FIRINGS).ok_or(EncodeError::Firings)?;
        Ok(Encoder {
            system,
            store,
            kappa: u8::try_from(kappa.max(1)).unwrap_or(u8::MAX),
            definitions: Vec::new(),
            tracks,
            theta,
            firings,
            x,
            node,
            counted: Vec::new(),
            rtree: None,
            mark: None,
            choices: None,
            closures: FxHashMap::default(),
            bindings: FxHashMap::default(),
        })
    }

    /// U_r(x), at the given node.
    fn labelled(&mut self, node: TermId, rule: RuleId) -> FormulaId {
        match self.tracks.label(rule) {
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
    fn define(
        &mut self,
        formula: FormulaId,
        name: impl Into<String>,
        comment: impl Into<String>,
    ) -> FormulaId {
        self.definitions.push(Definition { formula, name: name.into(), comment: comment.into() });
        formula
    }

    /// A name and a description of a firing: `Ring_1_1`, `out(y2) in(y1) of Ring.1 (Node: busy -> idle, …)`.
    fn firing_text(&self, firing: &Firing) -> (String, String) {
        let rule = self.rule(firing.rule);
        let mut ports = Vec::new();
        let mut moves = Vec::new();
        for m in &firing.moves {
            let variable = &rule.variables[m.variable].name;
            let mut cases = Vec::new();
            for case in &m.cases {
                let component = &self.system.types[case.component];
                let (from, to) = (&component.states[case.from].name, &component.states[case.to].name);
                cases.push(format!("{} from {from} to {to}", component.name));
            }
            if let Some(case) = m.cases.first()
                && let Some(port) = self.system.types[case.component].transitions[case.transition].port
            {
                ports.push(format!("{}({variable})", self.system.ports[port]));
            }
            moves.push(format!("{variable}: {}", cases.join(" or ")));
        }
        let number = firing.interaction.map_or("internal".to_owned(), |id| (id.index() + 1).to_string());
        let ports = if ports.is_empty() { "an internal transition".to_owned() } else { ports.join(" ") };
        (format!("{}_{number}", rule.label), format!("{ports} of {} ({})", rule.label, moves.join(", ")))
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

    /// The reachable rules.
    fn rules(&self) -> Vec<RuleId> {
        self.tracks.labels.iter().map(|label| label.0).collect()
    }

    /// All instance atoms: rule, number in the rule, atom.
    fn instances(&self) -> Vec<(RuleId, usize, &'a InstanceAtom)> {
        instances(self.system, &self.rules()).collect()
    }

    /// All predicate atoms: rule, number in the rule, atom.
    fn calls(&self) -> Vec<(RuleId, usize, &'a PredicateAtom)> {
        self.rules()
            .into_iter()
            .flat_map(|id| {
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
