//! From names to ids: a proof of the document, read against a model.
//!
//! Everything that is malformed is refused here, so that the closure check need not think of it:
//! unknown names, component types that a parameter cannot be, states in the wrong order, counts that
//! no saturated sum reaches. What is *claimed* is not judged here. Two liberties are taken: equal
//! items are merged, and a `refuting` entry whose counts can no longer lead to a refutation has
//! no effect and is left out (a configuration that claims less is only harder to use).

use rustc_hash::FxHashMap;

use super::formula::Formula;
use super::intern::Interner;
use super::kind::Kind;
use super::rejection::Fault;
use crate::data::{self, ErrorState, Proof};
use paramcheck_model::component::{StateId, TypeId};
use paramcheck_model::rule::{Atom, Ownership, PredicateId, Rule, RuleId, VariableId};
use paramcheck_model::system::System;
use paramcheck_text::index::Idx;

/// A state of a component type.
pub(super) type Place = (TypeId, StateId);

/// What a set contains of one component: its type, and the states, ascending, with their weights.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Part {
    /// The component type.
    pub(super) component: TypeId,
    /// The states in the set, each with its weight, which is not 0.
    pub(super) weights: Vec<(StateId, i64)>,
}

impl Part {
    /// The weight of `state` of the component: 0 if the set does not contain it, 1 if it does, unless the
    /// kind has other weights.
    pub(super) fn weight(&self, state: StateId) -> i64 {
        let position = self.weights.binary_search_by_key(&state, |(known, _)| *known);
        position.ok().and_then(|position| self.weights.get(position)).map_or(0, |(_, weight)| *weight)
    }
}

/// The number of a [`Part`] in [`Resolved::parts`]; equal numbers, equal parts.
pub(super) type PartId = u32;

/// What a set shows at the parameters of a predicate.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Set {
    /// The predicate.
    pub(super) predicate: PredicateId,
    /// The kind of invariant.
    pub(super) kind: Kind,
    /// Per parameter the part.
    pub(super) parts: Box<[PartId]>,
    /// The saturated number of places initially marked below.
    pub(super) initial: i64,
}

/// The number of a [`Set`] in [`Resolved::sets`]; equal numbers, equal sets.
pub(super) type SetId = u32;

/// A claim of a configuration: a set, and how many of its places are marked.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    /// Its position in the configuration's `refuting`.
    pub(super) position: usize,
    /// The set.
    pub(super) set: SetId,
    /// The saturated marked count, or the change.
    pub(super) marked: i64,
}

/// A configuration.
#[derive(Clone, Debug)]
pub(super) struct Configuration {
    /// The predicate.
    pub(super) predicate: PredicateId,
    /// Per parameter the place.
    pub(super) places: Box<[Place]>,
    /// The error state.
    pub(super) error: ErrorState,
    /// The claims that can still be of use.
    pub(super) refuting: Vec<Claim>,
}

/// A proof with ids for names.
#[derive(Debug)]
pub(super) struct Resolved {
    /// All parts that are mentioned.
    pub(super) parts: Interner<Part>,
    /// All sets that are listed.
    pub(super) sets: Interner<Set>,
    /// The choices for what a set of a kind contains of a rule's variable.
    pub(super) choices: FxHashMap<(RuleId, VariableId), Vec<(Kind, PartId)>>,
    /// The configurations, in the order of the document.
    pub(super) configurations: Vec<Configuration>,
}

/// The model's names. (Where two things had one name, the last counts; no claim is trusted because
/// of its name.)
pub(super) struct Names<'a> {
    types: FxHashMap<&'a str, TypeId>,
    predicates: FxHashMap<&'a str, PredicateId>,
    rules: FxHashMap<&'a str, RuleId>,
}

impl<'a> Names<'a> {
    /// The names of `system`.
    pub(super) fn of(system: &'a System) -> Self {
        Names {
            types: system.types.enumerate().map(|(id, component)| (component.name.as_str(), id)).collect(),
            predicates: system.predicates.enumerate().map(|(id, p)| (p.name.as_str(), id)).collect(),
            rules: system.rules.enumerate().map(|(id, rule)| (rule.label.as_str(), id)).collect(),
        }
    }

    /// The component type called `name`.
    pub(super) fn component(&self, name: &str) -> Result<TypeId, String> {
        self.types.get(name).copied().ok_or_else(|| format!("no component type is called `{name}`"))
    }

    /// The predicate called `name`.
    fn predicate(&self, name: &str) -> Result<PredicateId, String> {
        self.predicates.get(name).copied().ok_or_else(|| format!("no predicate is called `{name}`"))
    }

    /// The rule labelled `label`.
    pub(super) fn rule(&self, label: &str) -> Result<RuleId, String> {
        self.rules.get(label).copied().ok_or_else(|| format!("no rule is called `{label}`"))
    }
}

/// The state of `component` called `name`.
pub(super) fn state(system: &System, component: TypeId, name: &str) -> Result<StateId, String> {
    let component = &system.types[component];
    component.state_named(name).ok_or_else(|| format!("`{}` has no state `{name}`", component.name))
}

/// The borrowed parameters that `rule` passes to no predicate atom: nothing below knows them.
pub(super) fn unpassed_parameters(system: &System, rule: &Rule) -> impl Iterator<Item = VariableId> {
    let is_borrowed = |variable: VariableId| {
        let parameter = system.predicates[rule.head].parameters.get(variable.index());
        parameter.is_some_and(|parameter| parameter.ownership == Ownership::Borrowed)
    };
    let is_mentioned = |variable: VariableId| {
        rule.atoms.iter().any(|atom| match atom {
            Atom::Instance(instance) => instance.variable == variable,
            Atom::Predicate(call) => call.arguments.contains(&variable),
        })
    };
    let parameters = (0..rule.parameter_count).map(VariableId::new);
    parameters.filter(move |variable| is_borrowed(*variable) && !is_mentioned(*variable))
}

/// The component types that `variable` of `rule` can be when a [`data::Part`] speaks of it: that of the
/// instance atom, or those of the parameter that nothing below knows; none for other variables.
fn types_of_part(system: &System, rule: &Rule, variable: VariableId) -> Vec<TypeId> {
    if let Some(instance) = rule.instance_atoms().find(|instance| instance.variable == variable) {
        return vec![instance.component];
    }
    if unpassed_parameters(system, rule).any(|unpassed| unpassed == variable) {
        return parameter_types(system, rule.head, variable.index()).to_vec();
    }
    Vec::new()
}

/// The component types that a parameter of a predicate can be.
pub(super) fn parameter_types(system: &System, predicate: PredicateId, position: usize) -> &[TypeId] {
    system.predicates[predicate].parameters.get(position).map_or(&[], |parameter| &parameter.types)
}

/// The states of a set with their weights, which are given for weighted kinds and only for them.
fn weights(kind: Kind, states: Vec<StateId>, given: Option<&[i64]>) -> Result<Vec<(StateId, i64)>, String> {
    let weights = match given {
        None if kind.is_weighted() => return Err("the weights are missing".to_owned()),
        Some(_) if !kind.is_weighted() => return Err("this kind has no weights".to_owned()),
        None => vec![1; states.len()],
        Some(weights) => weights.to_vec(),
    };
    if weights.len() != states.len() {
        return Err(format!("{} weights for {} states", weights.len(), states.len()));
    }
    if let Some(wrong) = weights.iter().find(|weight| !kind.is_weight(**weight)) {
        return Err(format!("{wrong} is no weight of this kind"));
    }
    Ok(states.into_iter().zip(weights).collect())
}

struct Resolver<'a> {
    system: &'a System,
    names: &'a Names<'a>,
    formula: &'a Formula,
}

/// Reads `proof`, whose error states are those of `formula`.
///
/// # Errors
/// [`Fault::Malformed`] for the first item that makes no sense.
pub(super) fn resolve(
    system: &System,
    names: &Names<'_>,
    formula: &Formula,
    proof: &Proof,
) -> Result<Resolved, Box<Fault>> {
    let resolver = Resolver { system, names, formula };
    let mut resolved = Resolved {
        parts: Interner::default(),
        sets: Interner::default(),
        choices: FxHashMap::default(),
        configurations: Vec::with_capacity(proof.configurations.len()),
    };
    let malformed = |list: &str, position: usize| {
        let item = format!("{list}[{position}]");
        move |problem| Box::new(Fault::Malformed { item, problem })
    };
    for (position, part) in proof.parts.iter().enumerate() {
        let (site, kind, part) = resolver.part(part).map_err(malformed("parts", position))?;
        let choice = (kind, resolved.parts.intern(part));
        let choices = resolved.choices.entry(site).or_default();
        if !choices.contains(&choice) {
            choices.push(choice);
        }
    }
    let mut set_ids = Vec::with_capacity(proof.sets.len());
    for (position, set) in proof.sets.iter().enumerate() {
        let set = resolver.set(&mut resolved.parts, set).map_err(malformed("sets", position))?;
        set_ids.push(resolved.sets.intern(set));
    }
    for (position, configuration) in proof.configurations.iter().enumerate() {
        let configuration = resolver
            .configuration(&resolved, &set_ids, configuration)
            .map_err(malformed("configurations", position))?;
        resolved.configurations.push(configuration);
    }
    Ok(resolved)
}

impl Resolver<'_> {
    /// A kind.
    fn kind(&self, text: &str) -> Result<Kind, String> {
        Kind::parse(text).ok_or_else(|| format!("no kind of invariant is called `{text}`"))
    }

    /// States of a component type that must be given in ascending order, each once.
    fn states(&self, component: TypeId, names: &[String]) -> Result<Vec<StateId>, String> {
        let mut states: Vec<StateId> = Vec::with_capacity(names.len());
        for name in names {
            let next = state(self.system, component, name)?;
            if states.last().is_some_and(|last| *last >= next) {
                return Err(format!("the state `{name}` is not in the order of the component type"));
            }
            states.push(next);
        }
        Ok(states)
    }

    /// A component type that must be among `allowed`.
    fn component(&self, name: &str, allowed: &[TypeId]) -> Result<TypeId, String> {
        let component = self.names.component(name)?;
        if !allowed.contains(&component) {
            return Err(format!("a component of type `{name}` cannot be here"));
        }
        Ok(component)
    }

    fn part(&self, part: &data::Part) -> Result<((RuleId, VariableId), Kind, Part), String> {
        let rule_id = self.names.rule(&part.rule)?;
        let rule = &self.system.rules[rule_id];
        let position = rule.variables.iter().position(|variable| variable.name == part.variable);
        let variable = position
            .map(VariableId::new)
            .ok_or_else(|| format!("rule {} has no variable `{}`", part.rule, part.variable))?;
        let kind = self.kind(&part.kind)?;
        let allowed = types_of_part(self.system, rule, variable);
        if allowed.is_empty() {
            return Err(format!("rule {} chooses nothing for `{}`", part.rule, part.variable));
        }
        let component = self.component(&part.component, &allowed)?;
        let states = self.states(component, &part.states)?;
        let weights = weights(kind, states, part.weights.as_deref())?;
        Ok(((rule_id, variable), kind, Part { component, weights }))
    }

    fn set(&self, parts: &mut Interner<Part>, set: &data::PredicateSet) -> Result<Set, String> {
        let predicate = self.names.predicate(&set.predicate)?;
        let kind = self.kind(&set.kind)?;
        self.arity(predicate, set.parameters.len())?;
        let mut ids = Vec::with_capacity(set.parameters.len());
        for (position, parameter) in set.parameters.iter().enumerate() {
            let allowed = parameter_types(self.system, predicate, position);
            let component = self.component(&parameter.component, allowed)?;
            let states = self.states(component, &parameter.states)?;
            let weights = weights(kind, states, parameter.weights.as_deref())?;
            ids.push(parts.intern(Part { component, weights }));
        }
        let initial = i64::try_from(set.initial).ok().filter(|count| kind.is_initial(*count));
        let initial =
            initial.ok_or_else(|| format!("{} is no initial count for `{}`", set.initial, set.kind))?;
        Ok(Set { predicate, kind, parts: ids.into(), initial })
    }

    fn configuration(
        &self,
        resolved: &Resolved,
        set_ids: &[SetId],
        configuration: &data::Configuration,
    ) -> Result<Configuration, String> {
        let predicate = self.names.predicate(&configuration.predicate)?;
        self.arity(predicate, configuration.places.len())?;
        let mut places: Vec<Place> = Vec::with_capacity(configuration.places.len());
        for (position, place) in configuration.places.iter().enumerate() {
            let allowed = parameter_types(self.system, predicate, position);
            let component = self.component(&place.component, allowed)?;
            places.push((component, state(self.system, component, &place.state)?));
        }
        if let Some(fault) = self.formula.fault_in(&configuration.error) {
            return Err(fault);
        }
        let mut refuting = Vec::with_capacity(configuration.refuting.len());
        for (position, entry) in configuration.refuting.iter().enumerate() {
            let id = *set_ids.get(entry.set).ok_or_else(|| format!("there is no set {}", entry.set))?;
            let set = resolved.sets.get(id);
            if set.predicate != predicate {
                return Err(format!("set {} is not one of `{}`", entry.set, configuration.predicate));
            }
            let types = set.parts.iter().map(|part| resolved.parts.get(*part).component);
            if !types.eq(places.iter().map(|(component, _)| *component)) {
                return Err(format!("set {} is of other component types", entry.set));
            }
            if !set.kind.is_marked(entry.marked) {
                return Err(format!("{} is no marked count for set {}", entry.marked, entry.set));
            }
            if set.kind.is_useful(set.initial, entry.marked) {
                refuting.push(Claim { position, set: id, marked: entry.marked });
            }
        }
        let error = configuration.error.clone();
        Ok(Configuration { predicate, places: places.into(), error, refuting })
    }

    fn arity(&self, predicate: PredicateId, found: usize) -> Result<(), String> {
        let predicate = &self.system.predicates[predicate];
        let expected = predicate.parameters.len();
        if found == expected {
            return Ok(());
        }
        Err(format!("`{}` has {expected} parameters, not {found}", predicate.name))
    }
}
