//! "The component bound to variable v at node x is in θ", as a function along the path.
//!
//! The paper follows a path automaton from x to the node where the component of v sits and quantifies
//! that node. Here nodes carry *bindings* instead: a set L_p holds the nodes whose p-th parameter is
//! bound to a component with some *property* (its type; or that a given place of it is in a tuple of
//! sets). A node's rule relates its parameters to those of its children and to the components it
//! creates, so the sets L are a function of the tree and the tuple: ∃L and ∀L agree, and no constraint
//! concerns nodes far away. An owned parameter follows what its own rule does with it (the paper's ↓-moves),
//! a borrowed one what the rule above passes to it (↑-moves, up to where the owner is).
//!
//! Only parameters that are passed on to each other are bound together: a [`Closure`].

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::encoding::Encoder;
use crate::flow::{Case, FiringMove};
use crate::formula::{FormulaId, SetVariable, TermId};
use crate::tracks::Places;
use paramcheck_model::component::{StateId, TypeId};
use paramcheck_model::rule::{Ownership, PredicateId, RuleId, VariableId};
use paramcheck_text::index::Idx;

/// A property of components: whatever type it has, a function of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Property {
    /// It is of one of these types, ascending.
    IsOf(Vec<TypeId>),
    /// One of these places is its own and in the tuple. Ascending.
    IsIn(Places, Vec<(TypeId, StateId)>),
}

impl Property {
    /// The component is of one of the types that `m` moves.
    pub(super) fn is_of(m: &FiringMove) -> Property {
        let mut types: Vec<TypeId> = m.cases.iter().map(|case| case.component).collect();
        types.sort_unstable();
        Property::IsOf(types)
    }

    /// The place that `m` leaves, or enters, is in the tuple.
    pub(super) fn is_in(places: &Places, m: &FiringMove, place: impl Fn(&Case) -> StateId) -> Property {
        let mut wanted: Vec<_> = m.cases.iter().map(|case| (case.component, place(case))).collect();
        wanted.sort_unstable();
        Property::IsIn(places.clone(), wanted)
    }

    /// The types that can have it, ascending.
    fn types(&self) -> Vec<TypeId> {
        match self {
            Property::IsOf(types) => types.clone(),
            Property::IsIn(_, places) => {
                let mut types: Vec<TypeId> = places.iter().map(|place| place.0).collect();
                types.dedup();
                types
            }
        }
    }
}

/// Parameters that can be bound to one component of some types, connected by rules that pass it on.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Closure {
    /// Predicate and position, ascending.
    members: Vec<(PredicateId, usize)>,
}

pub(super) type LabelKey = (Property, PredicateId, usize);

/// The sets L of one property and closure, by the position of the parameter.
#[derive(Clone, Debug)]
pub(super) struct Label {
    pub(super) sets: Rc<BTreeMap<usize, SetVariable>>,
    /// That they are what they should be.
    pub(super) links: FormulaId,
}

/// The sets that a formula about a node needs: to be quantified around it.
#[derive(Debug, Default)]
pub(super) struct Needed {
    sets: Vec<SetVariable>,
    links: Vec<FormulaId>,
}

/// Where a rule's variable gets its component from.
enum Source {
    /// The rule's j-th instance atom, of this type.
    Created(usize, TypeId),
    /// The rule's c-th predicate atom owns it, at this position.
    Below(usize, PredicateId, usize),
    /// A borrowed parameter.
    Above(PredicateId, usize),
    /// Nothing: no system has such a variable.
    Nowhere,
}

impl Encoder<'_> {
    fn source(&self, rule: RuleId, variable: VariableId) -> Source {
        if let Some((j, atom)) = self.creator(rule, variable) {
            return Source::Created(j, atom.component);
        }
        for (c, call) in self.rule(rule).predicate_atoms().enumerate() {
            for (position, &argument) in call.arguments.iter().enumerate() {
                if argument == variable && self.is_owned(call.predicate, position) {
                    return Source::Below(c, call.predicate, position);
                }
            }
        }
        if variable.index() < self.rule(rule).parameter_count {
            return Source::Above(self.rule(rule).head, variable.index());
        }
        Source::Nowhere
    }

    fn is_owned(&self, predicate: PredicateId, position: usize) -> bool {
        self.system.predicates[predicate]
            .parameters
            .get(position)
            .is_some_and(|parameter| parameter.ownership == Ownership::Owned)
    }

    fn can_be(&self, predicate: PredicateId, position: usize, types: &[TypeId]) -> bool {
        self.system.predicates[predicate]
            .parameters
            .get(position)
            .is_some_and(|parameter| parameter.types.iter().any(|component| types.contains(component)))
    }

    /// The closure of a parameter for components of these types.
    fn closure(&mut self, predicate: PredicateId, position: usize, types: &[TypeId]) -> Rc<Closure> {
        let key = (predicate, position, types.to_vec());
        if let Some(known) = self.closures.get(&key) {
            return Rc::clone(known);
        }
        let mut edges: Vec<[(PredicateId, usize); 2]> = Vec::new();
        for (rule, _, call) in self.calls() {
            for (below, &argument) in call.arguments.iter().enumerate() {
                let here = (call.predicate, below);
                // Whose label this one's is a function of, or the other way round.
                let other = match self.source(rule, argument) {
                    Source::Below(_, predicate, position) => (predicate, position),
                    Source::Above(predicate, position) => (predicate, position),
                    Source::Created(..) | Source::Nowhere => here,
                };
                edges.push([here, other]);
                if argument.index() < self.rule(rule).parameter_count {
                    edges.push([here, (self.rule(rule).head, argument.index())]);
                }
            }
        }
        let mut members = vec![(predicate, position)];
        let mut next = 0;
        while let Some(&member) = members.get(next) {
            next += 1;
            for edge in &edges {
                for (one, two) in [(edge[0], edge[1]), (edge[1], edge[0])] {
                    if one == member && !members.contains(&two) && self.can_be(two.0, two.1, types) {
                        members.push(two);
                    }
                }
            }
        }
        members.sort_unstable();
        let closure = Rc::new(Closure { members });
        for &(predicate, position) in &closure.members {
            self.closures.insert((predicate, position, types.to_vec()), Rc::clone(&closure));
        }
        closure
    }

    /// The sets L of a property for a parameter and all that are bound with it.
    fn binding(&mut self, property: &Property, predicate: PredicateId, position: usize) -> Label {
        let closure = self.closure(predicate, position, &property.types());
        let Some(&(first, at)) = closure.members.first() else {
            let links = self.store.truth();
            return Label { sets: Rc::default(), links };
        };
        let key = (property.clone(), first, at);
        if let Some(known) = self.bindings.get(&key) {
            return known.clone();
        }
        let (name, what) = self.property_text(property);
        let mut sets: BTreeMap<usize, SetVariable> = BTreeMap::new();
        for &(_, position) in &closure.members {
            let store = &mut self.store;
            sets.entry(position).or_insert_with(|| store.new_set(format!("L{}_{name}", position + 1)));
        }
        let links = self.links(property, &closure, &sets);
        self.define(
            links,
            format!("bound_{name}"),
            format!("L: the nodes whose parameter is bound to a component that {what}."),
        );
        let label = Label { sets: Rc::new(sets), links };
        self.bindings.insert(key, label.clone());
        label
    }

    /// L is the function of the tree that it should be.
    fn links(
        &mut self,
        property: &Property,
        closure: &Closure,
        sets: &BTreeMap<usize, SetVariable>,
    ) -> FormulaId {
        let mut parts = Vec::new();
        for (&position, &set) in sets {
            let rules: Vec<RuleId> = closure
                .members
                .iter()
                .filter(|member| member.1 == position)
                .flat_map(|member| self.rules_of(member.0))
                .copied()
                .collect();
            let inside = self.store.member(self.node, set);
            let allowed = self.labelled_any(self.node, rules);
            let formula = self.store.implies(inside, allowed);
            parts.push(self.everywhere(formula));
        }
        for &(predicate, position) in &closure.members {
            let Some(&set) = sets.get(&position) else { continue };
            if self.is_owned(predicate, position) {
                for &rule in self.rules_of(predicate) {
                    let value = self.value(property, closure, sets, rule, VariableId::new(position));
                    parts.push(self.link(rule, self.node, set, value));
                }
            } else {
                for (rule, c, call) in self.calls() {
                    if call.predicate != predicate {
                        continue;
                    }
                    let Some(&argument) = call.arguments.get(position) else { continue };
                    let value = self.value(property, closure, sets, rule, argument);
                    let child = self.child(c);
                    parts.push(self.link(rule, child, set, value));
                }
            }
        }
        self.store.and(parts)
    }

    /// ∀x. U_r(x) ⇒ (L(τ) ⇔ value)
    fn link(&mut self, rule: RuleId, node: TermId, set: SetVariable, value: FormulaId) -> FormulaId {
        let here = self.labelled(self.node, rule);
        let inside = self.store.member(node, set);
        let same = self.store.iff(inside, value);
        let formula = self.store.implies(here, same);
        self.everywhere(formula)
    }

    /// The property of the component of a variable at a node x with this rule.
    fn value(
        &mut self,
        property: &Property,
        closure: &Closure,
        sets: &BTreeMap<usize, SetVariable>,
        rule: RuleId,
        variable: VariableId,
    ) -> FormulaId {
        let (node, member) = match self.source(rule, variable) {
            Source::Created(j, component) => return self.created(property, j, component),
            Source::Below(c, predicate, position) => (self.child(c), (predicate, position)),
            Source::Above(predicate, position) => (self.node, (predicate, position)),
            Source::Nowhere => return self.store.falsity(),
        };
        match sets.get(&member.1) {
            Some(&set) if closure.members.contains(&member) => self.store.member(node, set),
            _ => self.store.falsity(),
        }
    }

    /// A name and a description of a property.
    fn property_text(&self, property: &Property) -> (String, String) {
        let system = self.system;
        match property {
            Property::IsOf(types) => {
                let names: Vec<&str> =
                    types.iter().map(|&component| system.types[component].name.as_str()).collect();
                (names.join("_"), format!("is a {}", names.join(" or ")))
            }
            Property::IsIn(_, places) => {
                let names: Vec<String> =
                    places.iter().map(|&(component, state)| system.state_name(component, state)).collect();
                let place = if names.len() == 1 { "place" } else { "places" };
                (names.join("_"), format!("has its {place} {} in the tuple", names.join(" or ")))
            }
        }
    }

    /// The property of the j-th component of x, of type `component`.
    fn created(&mut self, property: &Property, j: usize, component: TypeId) -> FormulaId {
        match property {
            Property::IsOf(types) if types.contains(&component) => self.store.truth(),
            Property::IsOf(_) => self.store.falsity(),
            Property::IsIn(places, wanted) => {
                let tracks: Vec<SetVariable> = wanted
                    .iter()
                    .filter(|place| place.0 == component)
                    .filter_map(|place| places.get(j)?.get(place.1.index()).copied())
                    .collect();
                let parts: Vec<FormulaId> =
                    tracks.into_iter().map(|track| self.store.member(self.node, track)).collect();
                self.store.or(parts)
            }
        }
    }

    /// The property of the component bound to `variable` at a node x with rule `rule`; what the formula
    /// needs is added to `needed`.
    pub(super) fn property_of(
        &mut self,
        property: &Property,
        rule: RuleId,
        variable: VariableId,
        needed: &mut Needed,
    ) -> FormulaId {
        let types = &self.rule(rule).variables[variable].types;
        let possible = property.types();
        if !types.iter().any(|component| possible.contains(component)) {
            return self.store.falsity();
        }
        if matches!(property, Property::IsOf(wanted) if types.iter().all(|t| wanted.contains(t))) {
            return self.store.truth();
        }
        let (node, predicate, position) = match self.source(rule, variable) {
            Source::Created(j, component) => return self.created(property, j, component),
            Source::Nowhere => return self.store.falsity(),
            // A parameter's own label needs no successor.
            _ if variable.index() < self.rule(rule).parameter_count => {
                (self.node, self.rule(rule).head, variable.index())
            }
            Source::Below(c, predicate, position) => (self.child(c), predicate, position),
            Source::Above(predicate, position) => (self.node, predicate, position),
        };
        let label = self.binding(property, predicate, position);
        needed.add(&label);
        match label.sets.get(&position) {
            Some(&set) => self.store.member(node, set),
            None => self.store.falsity(),
        }
    }

    /// ∃L. RTree ∧ links ∧ `part`, or `part` itself where it needs nothing. `part` must say no more than
    /// RTree lets it, for outside rewriting trees the result is false.
    pub(super) fn with_bindings(&mut self, needed: Needed, part: FormulaId) -> FormulaId {
        let rtree = self.rtree();
        let mut parts = vec![rtree];
        parts.extend(needed.links);
        parts.push(part);
        let body = self.store.and(parts);
        self.store.exists_sets(&needed.sets, body)
    }
}

impl Needed {
    fn add(&mut self, label: &Label) {
        for &set in label.sets.values() {
            if !self.sets.contains(&set) {
                self.sets.push(set);
            }
        }
        if !self.links.contains(&label.links) {
            self.links.push(label.links);
        }
    }
}
