//! Formulas over components and sets of components, `wsks { … }`, resolved.
//!
//! Such a formula speaks of the states of components and of nothing else: there is no relation between
//! components but equality. So whether it holds in a marking depends only on how many components are in each
//! [colour](ColourId): two places have one colour where no set of states in the formula distinguishes them
//! apart. [`ComponentFormula::holds`](evaluate) evaluates by that, and [`counting`] makes a Boolean
//! combination of counts of it, for engines that know no formulas over components.
//!
//! A formula is an arena of [`Part`]s, parts before wholes, the whole last; equal parts are one. A variable
//! is the number of variables in scope where it is bound ([`Variable`]), so what it is called matters to
//! printing alone, and nothing can be captured.

use rustc_hash::FxHashMap;

use crate::component::{ComponentType, StateId, TypeId};
pub use crate::syntax::ast::{Order, Quantifier};
use paramcheck_text::define_index;
use paramcheck_text::index::{Idx, IndexVec};

pub mod counting;
pub(crate) mod evaluate;
mod print;

/// The most variables in scope at once.
pub const MAX_VARIABLES: usize = 64;

define_index! {
    /// A class of places that a formula can't distinguish.
    pub struct ColourId;
    /// A part of a formula.
    pub struct PartId;
    /// A set of states named in a formula.
    pub struct StateSetId;
}

/// A variable: how many variables are in scope where it is bound, below [`MAX_VARIABLES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(u8);

impl Variable {
    /// The variable that is bound where `in_scope` variables are in scope; `None` where that is too many.
    pub fn new(in_scope: usize) -> Option<Variable> {
        let number = u8::try_from(in_scope).ok()?;
        (in_scope < MAX_VARIABLES).then_some(Variable(number))
    }

    /// Its number.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The set of variables that has it alone.
    fn bit(self) -> u64 {
        1 << self.0
    }
}

/// A set of components.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SetTerm {
    /// That of a variable.
    Variable(Variable),
    /// The components that are in one of these states.
    States(StateSetId),
}

/// Part of a formula.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Always, or never.
    Constant(bool),
    /// x ∈ X
    In(Variable, SetTerm),
    /// x = y
    Same(Variable, Variable),
    /// X = Y
    SameSet(SetTerm, SetTerm),
    /// X ⊆ Y
    Subset(SetTerm, SetTerm),
    /// ¬φ
    Not(PartId),
    /// φ₁ ∧ … ∧ φₙ
    And(Vec<PartId>),
    /// φ₁ ∨ … ∨ φₙ
    Or(Vec<PartId>),
    /// φ ⇒ ψ
    Implies(PartId, PartId),
    /// φ ⇔ ψ
    Iff(PartId, PartId),
    /// A quantifier with one variable.
    Quantified {
        /// Which.
        quantifier: Quantifier,
        /// What it binds.
        variable: Variable,
        /// What that is called.
        name: String,
        /// The part in its scope.
        body: PartId,
    },
}

impl Part {
    /// The parts of this part, from left to right.
    pub(crate) fn parts(&self) -> Vec<PartId> {
        match self {
            Part::Constant(_) | Part::In(..) | Part::Same(..) | Part::SameSet(..) | Part::Subset(..) => {
                Vec::new()
            }
            Part::Not(part) | Part::Quantified { body: part, .. } => vec![*part],
            Part::And(parts) | Part::Or(parts) => parts.clone(),
            Part::Implies(left, right) | Part::Iff(left, right) => vec![*left, *right],
        }
    }
}

/// A set of states, as named in a formula.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StateSet {
    /// The component type before the dot, and the name.
    pub(crate) name: (Option<String>, String),
    /// The states; ascending.
    pub states: Vec<(TypeId, StateId)>,
    /// Their colours; ascending.
    pub(crate) colours: Vec<ColourId>,
}

/// A closed formula over the components of an instance. See the module's text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ComponentFormula {
    parts: IndexVec<PartId, Part>,
    sets: IndexVec<StateSetId, StateSet>,
    /// Per colour its places; every place of the system has exactly one colour.
    colours: IndexVec<ColourId, Vec<(TypeId, StateId)>>,
    /// The colours that some component can have: some rule creates one of a type with a place of it.
    /// Ascending.
    occurring: Vec<ColourId>,
    /// Per part its free variables, as a set of bits.
    free: IndexVec<PartId, u64>,
}

impl ComponentFormula {
    /// Its parts, parts before wholes.
    pub fn parts(&self) -> &IndexVec<PartId, Part> {
        &self.parts
    }

    /// The whole.
    pub fn whole(&self) -> PartId {
        PartId::new(self.parts.len().saturating_sub(1))
    }

    /// The sets of states that it names.
    pub fn sets(&self) -> &IndexVec<StateSetId, StateSet> {
        &self.sets
    }

    /// Per colour the places that have it; ascending.
    pub fn colours(&self) -> &IndexVec<ColourId, Vec<(TypeId, StateId)>> {
        &self.colours
    }

    /// Whether a variable is free in a part.
    pub fn is_free(&self, variable: Variable, part: PartId) -> bool {
        self.free[part] & variable.bit() != 0
    }
}

/// A formula under construction.
#[derive(Debug, Default)]
pub struct Builder {
    parts: IndexVec<PartId, Part>,
    known: FxHashMap<Part, PartId>,
    sets: IndexVec<StateSetId, StateSet>,
    set_named: FxHashMap<(Option<String>, String), StateSetId>,
}

impl Builder {
    /// Adds a part, whose own parts are those of this builder.
    pub fn add(&mut self, part: Part) -> PartId {
        if let Some(&id) = self.known.get(&part) {
            return id;
        }
        let id = self.parts.push(part.clone());
        self.known.insert(part, id);
        id
    }

    /// The set of `states` (ascending), which the formula calls `name`; a name always means the same.
    pub fn set(&mut self, name: (Option<String>, String), states: &[(TypeId, StateId)]) -> StateSetId {
        if let Some(&known) = self.set_named.get(&name) {
            return known;
        }
        let set = StateSet { name: name.clone(), states: states.to_vec(), colours: Vec::new() };
        let id = self.sets.push(set);
        self.set_named.insert(name, id);
        id
    }

    /// The formula `whole`, for a system with these component types, of which components are created only of
    /// those that `is_created`. Variables that nothing binds must not be free in it.
    pub fn finish(
        mut self,
        whole: PartId,
        types: &IndexVec<TypeId, ComponentType>,
        is_created: impl Fn(TypeId) -> bool,
    ) -> ComponentFormula {
        // The whole is the last part, also where an equal part was there before.
        if whole.index() + 1 < self.parts.len() {
            let last = self.parts[whole].clone();
            self.parts.push(last);
        }
        // Per place the sets that it is in.
        let mut signatures: FxHashMap<(TypeId, StateId), Vec<StateSetId>> = FxHashMap::default();
        for (id, set) in self.sets.enumerate() {
            for &place in &set.states {
                signatures.entry(place).or_default().push(id);
            }
        }
        let mut colours: IndexVec<ColourId, Vec<(TypeId, StateId)>> = IndexVec::new();
        let mut colour_of: FxHashMap<Vec<StateSetId>, ColourId> = FxHashMap::default();
        for (component, definition) in types.enumerate() {
            for state in definition.states.indices() {
                let place = (component, state);
                let signature = signatures.remove(&place).unwrap_or_default();
                let colour = match colour_of.get(&signature) {
                    Some(&colour) => colour,
                    None => {
                        let colour = colours.push(Vec::new());
                        for &set in &signature {
                            self.sets[set].colours.push(colour);
                        }
                        colour_of.insert(signature, colour);
                        colour
                    }
                };
                colours[colour].push(place);
            }
        }
        let mut free: IndexVec<PartId, u64> = IndexVec::new();
        for part in self.parts.iter() {
            let set = |term: &SetTerm| match term {
                SetTerm::Variable(variable) => variable.bit(),
                SetTerm::States(_) => 0,
            };
            let own = match part {
                Part::In(x, term) => x.bit() | set(term),
                Part::Same(x, y) => x.bit() | y.bit(),
                Part::SameSet(left, right) | Part::Subset(left, right) => set(left) | set(right),
                _ => part.parts().into_iter().fold(0, |all, part| all | free[part]),
            };
            let bound = if let Part::Quantified { variable, .. } = part { variable.bit() } else { 0 };
            free.push(own & !bound);
        }
        let occurs = |colour: &ColourId| colours[*colour].iter().any(|&(component, _)| is_created(component));
        let occurring = colours.indices().filter(occurs).collect();
        ComponentFormula { parts: self.parts, sets: self.sets, colours, occurring, free }
    }
}
