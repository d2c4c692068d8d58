//! Formulas over components.
//!
//! A component sits on the node whose rule creates it, as the j-th one there. So a variable for a component
//! is a node and a j: quantifying it quantifies the node and takes all j in turn, each with its own version
//! of the body. A variable for a set of components is one set of nodes per j, within the nodes that have a
//! j-th component. What is encoded is the formula itself, not the counts that it stands for: the direct
//! engine works with these, so the two check each other.

use rustc_hash::FxHashMap;

use crate::encoding::{EncodeError, Encoder};
use crate::formula::{FormulaId, NodeVariable, SetVariable, TermId};
use paramcheck_model::component::StateId;
use paramcheck_model::error::wsks::{
    ComponentFormula, MAX_VARIABLES, Order, Part, PartId, SetTerm, StateSetId, Variable,
};
use paramcheck_model::rule::RuleId;
use paramcheck_text::index::Idx;

/// At most this many versions of parts are encoded.
pub(super) const MAX_PARTS: usize = 20_000;

/// Per variable in scope the position of its component in its rule; `None` for sets.
type Positions = Vec<Option<usize>>;

/// A formula in the course of being encoded.
struct Translation<'f> {
    formula: &'f ComponentFormula,
    /// The node variables of component variables, by their number.
    nodes: Vec<Option<NodeVariable>>,
    /// The set variables of set variables, one per position.
    sets: Vec<Option<Vec<SetVariable>>>,
    /// Encoded parts, by the positions of their free component variables.
    known: FxHashMap<(PartId, Positions), FormulaId>,
    /// How many parts were encoded.
    count: usize,
}

impl Encoder<'_> {
    /// X makes the formula true, U being a rewriting tree.
    ///
    /// # Errors
    /// There are too many versions of its parts.
    pub(super) fn components(&mut self, formula: &ComponentFormula) -> Result<FormulaId, EncodeError> {
        let mut translation = Translation {
            formula,
            nodes: vec![None; MAX_VARIABLES],
            sets: vec![None; MAX_VARIABLES],
            known: FxHashMap::default(),
            count: 0,
        };
        let whole = self.component_part(&mut translation, formula.whole(), &mut Positions::new())?;
        Ok(self.define(whole, "components", "The formula over components holds in X."))
    }

    /// A part of a formula. Recursion is bounded by the nesting of formulas.
    fn component_part(
        &mut self,
        translation: &mut Translation<'_>,
        id: PartId,
        positions: &mut Positions,
    ) -> Result<FormulaId, EncodeError> {
        let formula = translation.formula;
        let relevant = |number: usize, position: &Option<usize>| {
            position.filter(|_| Variable::new(number).is_some_and(|variable| formula.is_free(variable, id)))
        };
        let key = (id, positions.iter().enumerate().map(|(number, j)| relevant(number, j)).collect());
        if let Some(&known) = translation.known.get(&key) {
            return Ok(known);
        }
        translation.count += 1;
        if translation.count > MAX_PARTS {
            return Err(EncodeError::Components);
        }
        let result = match &formula.parts()[id] {
            Part::Constant(true) => self.store.truth(),
            Part::Constant(false) => self.store.falsity(),
            Part::In(x, set) => {
                let (node, j) = self.component_variable(translation, *x, positions);
                self.is_in(translation, *set, node, j)
            }
            Part::Same(x, y) => {
                let one = self.component_variable(translation, *x, positions);
                let two = self.component_variable(translation, *y, positions);
                if one.1 == two.1 { self.store.equal(one.0, two.0) } else { self.store.falsity() }
            }
            Part::SameSet(left, right) => self.for_all_components(|encoder, node, j| {
                let left = encoder.is_in(translation, *left, node, j);
                let right = encoder.is_in(translation, *right, node, j);
                encoder.store.iff(left, right)
            }),
            Part::Subset(left, right) => self.for_all_components(|encoder, node, j| {
                let left = encoder.is_in(translation, *left, node, j);
                let right = encoder.is_in(translation, *right, node, j);
                encoder.store.implies(left, right)
            }),
            Part::Not(part) => {
                let part = self.component_part(translation, *part, positions)?;
                self.store.not(part)
            }
            Part::And(parts) => {
                let parts = self.component_parts(translation, parts, positions)?;
                self.store.and(parts)
            }
            Part::Or(parts) => {
                let parts = self.component_parts(translation, parts, positions)?;
                self.store.or(parts)
            }
            Part::Implies(left, right) => {
                let left = self.component_part(translation, *left, positions)?;
                let right = self.component_part(translation, *right, positions)?;
                self.store.implies(left, right)
            }
            Part::Iff(left, right) => {
                let left = self.component_part(translation, *left, positions)?;
                let right = self.component_part(translation, *right, positions)?;
                self.store.iff(left, right)
            }
            Part::Quantified { quantifier, variable, name, body } => {
                let quantified = match quantifier.order {
                    Order::First => {
                        let bound = (*variable, name.as_str(), *body);
                        self.quantified_component(translation, quantifier.is_universal, bound, positions)?
                    }
                    Order::Second => {
                        let bound = (*variable, name.as_str(), *body);
                        self.quantified_set(translation, quantifier.is_universal, bound, positions)?
                    }
                };
                // So its automaton knows only markings of rewriting trees.
                let (rtree, mark) = (self.rtree(), self.mark());
                self.store.and([rtree, mark, quantified])
            }
        };
        translation.known.insert(key, result);
        Ok(result)
    }

    fn component_parts(
        &mut self,
        translation: &mut Translation<'_>,
        parts: &[PartId],
        positions: &mut Positions,
    ) -> Result<Vec<FormulaId>, EncodeError> {
        parts.iter().map(|&part| self.component_part(translation, part, positions)).collect()
    }

    /// ∃x or ∀x with a body: one node, and a version of the body per position.
    fn quantified_component(
        &mut self,
        translation: &mut Translation<'_>,
        is_universal: bool,
        (variable, name, body): (Variable, &str, PartId),
        positions: &mut Positions,
    ) -> Result<FormulaId, EncodeError> {
        let node = match translation.nodes.get(variable.index()).copied().flatten() {
            Some(node) => node,
            None => {
                let node = self.store.new_node(name);
                if let Some(place) = translation.nodes.get_mut(variable.index()) {
                    *place = Some(node);
                }
                node
            }
        };
        let term = self.store.node(node);
        let mut versions = Vec::new();
        for j in 0..self.tracks.marking.len() {
            let exists = self.has_component(term, j);
            positions.push(Some(j));
            let version = self.component_part(translation, body, positions);
            positions.pop();
            let version = version?;
            versions.push(if is_universal {
                self.store.implies(exists, version)
            } else {
                self.store.and([exists, version])
            });
        }
        Ok(if is_universal {
            let all = self.store.and(versions);
            self.store.forall_node(node, all)
        } else {
            let any = self.store.or(versions);
            self.store.exists_node(node, any)
        })
    }

    /// ∃X or ∀X with a body: a set of nodes per position, within those that have such a component.
    fn quantified_set(
        &mut self,
        translation: &mut Translation<'_>,
        is_universal: bool,
        (variable, name, body): (Variable, &str, PartId),
        positions: &mut Positions,
    ) -> Result<FormulaId, EncodeError> {
        let sets = match translation.sets.get(variable.index()).cloned().flatten() {
            Some(sets) => sets,
            None => {
                let count = self.tracks.marking.len();
                let sets: Vec<SetVariable> =
                    (1..=count).map(|number| self.store.new_set(format!("{name}{number}"))).collect();
                if let Some(place) = translation.sets.get_mut(variable.index()) {
                    *place = Some(sets.clone());
                }
                sets
            }
        };
        let mut inside = Vec::new();
        for (j, &set) in sets.iter().enumerate() {
            let member = self.store.member(self.node, set);
            let exists = self.has_component(self.node, j);
            inside.push(self.store.implies(member, exists));
        }
        let inside = self.store.and(inside);
        let inside = self.everywhere(inside);
        positions.push(None);
        let body = self.component_part(translation, body, positions);
        positions.pop();
        let body = body?;
        Ok(if is_universal {
            let implied = self.store.implies(inside, body);
            self.store.forall_sets(&sets, implied)
        } else {
            let both = self.store.and([inside, body]);
            self.store.exists_sets(&sets, both)
        })
    }

    /// What holds at every component, given as a node and a position.
    fn for_all_components(
        &mut self,
        mut says: impl FnMut(&mut Self, TermId, usize) -> FormulaId,
    ) -> FormulaId {
        let mut parts = Vec::new();
        for j in 0..self.tracks.marking.len() {
            let exists = self.has_component(self.node, j);
            let says = says(self, self.node, j);
            parts.push(self.store.implies(exists, says));
        }
        let all = self.store.and(parts);
        self.everywhere(all)
    }

    /// The node and position of a component variable.
    fn component_variable(
        &mut self,
        translation: &Translation<'_>,
        variable: Variable,
        positions: &Positions,
    ) -> (TermId, usize) {
        let node = translation.nodes.get(variable.index()).copied().flatten().unwrap_or(self.x);
        let j = positions.get(variable.index()).copied().flatten().unwrap_or(0);
        (self.store.node(node), j)
    }

    /// The node has a j-th component.
    fn has_component(&mut self, node: TermId, j: usize) -> FormulaId {
        let rules = self.rules_with(j, StateId::new(0));
        self.labelled_any(node, rules)
    }

    /// The j-th component of the node, which it has, is in a set.
    fn is_in(&mut self, translation: &Translation<'_>, set: SetTerm, node: TermId, j: usize) -> FormulaId {
        match set {
            SetTerm::States(states) => self.is_in_states(translation.formula, states, node, j),
            SetTerm::Variable(variable) => {
                let sets = translation.sets.get(variable.index()).and_then(Option::as_ref);
                match sets.and_then(|sets| sets.get(j)) {
                    Some(&set) => self.store.member(node, set),
                    None => self.store.falsity(),
                }
            }
        }
    }

    fn is_in_states(
        &mut self,
        formula: &ComponentFormula,
        set: StateSetId,
        node: TermId,
        j: usize,
    ) -> FormulaId {
        let states = &formula.sets()[set].states;
        let instances = self.instances();
        let mut whole: Vec<RuleId> = Vec::new();
        // Rules by the number of the state that is looked for.
        let mut partly: Vec<Vec<RuleId>> = Vec::new();
        for (rule, _, atom) in instances.iter().filter(|(_, number, _)| *number == j) {
            let count = self.system.types[atom.component].states.len();
            let inside: Vec<usize> = states
                .iter()
                .filter(|(component, _)| *component == atom.component)
                .map(|(_, state)| state.index())
                .collect();
            // Every component of the type is in one of all its states.
            if inside.len() == count {
                whole.push(*rule);
                continue;
            }
            for state in inside {
                if partly.len() <= state {
                    partly.resize(state + 1, Vec::new());
                }
                if let Some(rules) = partly.get_mut(state) {
                    rules.push(*rule);
                }
            }
        }
        let mut ways = vec![self.labelled_any(node, whole)];
        for (state, rules) in partly.into_iter().enumerate() {
            let Some(&track) = self.tracks.marking.get(j).and_then(|tracks| tracks.get(state)) else {
                continue;
            };
            if rules.is_empty() {
                continue;
            }
            let here = self.labelled_any(node, rules);
            let marked = self.store.member(node, track);
            ways.push(self.store.and([here, marked]));
        }
        self.store.or(ways)
    }
}
