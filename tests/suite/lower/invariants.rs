//! What every system promises, checked naively: the fixpoints of lowering are computed again by going
//! round until nothing changes.

use std::collections::BTreeSet;

use paramcheck_model::component::TypeId;
use paramcheck_model::error::ErrorFormula;
use paramcheck_model::rule::{Atom, Ownership, PredicateId, Rule, RuleId, VariableId};
use paramcheck_model::system::System;
use paramcheck_text::index::{Idx, IndexVec};

/// Panics where the system breaks a promise.
pub(super) fn check(system: &System) {
    check_components(system);
    for (id, rule) in system.rules.enumerate() {
        check_rule(system, id, rule);
    }
    check_predicates(system);
    check_owners(system);
    check_types(system);
    for error in &system.errors {
        check_formula(system, &error.formula);
    }
    let names: BTreeSet<&str> = system.errors.iter().map(|error| error.name.as_str()).collect();
    assert_eq!(names.len(), system.errors.len(), "errors have names of their own");
}

fn is_ascending<T: Ord>(items: &[T]) -> bool {
    items.windows(2).all(|pair| pair[0] < pair[1])
}

fn is_distinct<T: Ord>(items: impl IntoIterator<Item = T>) -> bool {
    let items: Vec<T> = items.into_iter().collect();
    let count = items.len();
    items.into_iter().collect::<BTreeSet<T>>().len() == count
}

fn check_components(system: &System) {
    assert!(is_distinct(system.types.iter().map(|component| &component.name)));
    for component in &system.types {
        assert!(!component.states.is_empty());
        assert!(is_ascending(&component.initial));
        assert!(is_distinct(component.states.iter().map(|state| &state.name)));
        assert!(is_distinct(component.transitions.iter().map(|step| (step.from, step.port, step.to))));
        for step in &component.transitions {
            assert!(component.states.get(step.from).is_some() && component.states.get(step.to).is_some());
            assert!(step.port.is_none_or(|port| system.ports.get(port).is_some()));
        }
    }
}

fn check_rule(system: &System, id: RuleId, rule: &Rule) {
    let predicate = &system.predicates[rule.head];
    assert_eq!(rule.parameter_count, predicate.parameters.len());
    // Rules are numbered as in the source, where some may be written twice and count once.
    let position = predicate.rules.iter().position(|&other| other == id).unwrap();
    let number = |id: RuleId| -> usize {
        let number = system.rules[id].label.strip_prefix(&format!("{}.", predicate.name)).unwrap();
        number.parse().unwrap()
    };
    assert!(number(id) > position);
    assert!(position == 0 || number(predicate.rules[position - 1]) < number(id));
    assert!(is_distinct(rule.variables.iter().map(|variable| &variable.name)));
    assert!(!rule.atoms.is_empty());
    for atom in &rule.atoms {
        match atom {
            Atom::Instance(instance) => {
                let component = &system.types[instance.component];
                assert!(!instance.initial.is_empty() && is_ascending(&instance.initial));
                assert!(instance.initial.iter().all(|&state| component.states.get(state).is_some()));
                assert!(rule.variables.get(instance.variable).is_some());
            }
            Atom::Predicate(call) => {
                assert_eq!(call.arguments.len(), system.predicates[call.predicate].parameters.len());
                assert!(is_distinct(&call.arguments));
            }
        }
    }
    let mut seen = BTreeSet::new();
    for interaction in &rule.interactions {
        assert!(!interaction.participants.is_empty());
        assert!(is_distinct(interaction.participants.iter().map(|&(_, variable)| variable)));
        let mut sorted = interaction.participants.clone();
        sorted.sort();
        assert!(seen.insert(sorted), "an interaction is there once");
        for &(port, variable) in &interaction.participants {
            let types = &rule.variables[variable].types;
            assert!(
                !predicate.is_reachable
                    || types.iter().any(|&it| system.types[it].transitions_on(port).next().is_some()),
                "{}: no component has the port {}",
                rule.label,
                system.ports[port]
            );
        }
    }
    for pattern in &rule.patterns {
        assert!(system.pattern_groups.get(pattern.group).is_some());
        assert!(!pattern.conditions.is_empty());
        assert!(is_distinct(pattern.conditions.iter().map(|(variable, _)| variable)));
        for (variable, states) in &pattern.conditions {
            assert!(!states.is_empty() && is_ascending(states));
            let types = &rule.variables[*variable].types;
            assert!(types.is_empty() || states.iter().all(|(component, _)| types.contains(component)));
        }
    }
}

fn check_predicates(system: &System) {
    assert!(system.predicates[system.root].parameters.is_empty());
    let mut reached = BTreeSet::from([system.root]);
    let mut finite: BTreeSet<PredicateId> = BTreeSet::new();
    for _ in 0..=system.predicates.len() {
        for rule in &system.rules {
            let callees: Vec<PredicateId> = rule.predicate_atoms().map(|call| call.predicate).collect();
            if reached.contains(&rule.head) {
                reached.extend(&callees);
            }
            if callees.iter().all(|callee| finite.contains(callee)) {
                finite.insert(rule.head);
            }
        }
    }
    for (id, predicate) in system.predicates.enumerate() {
        assert!(!predicate.rules.is_empty() && is_ascending(&predicate.rules));
        assert_eq!(predicate.is_reachable, reached.contains(&id), "{}", predicate.name);
        assert!(finite.contains(&id), "{} derives a finite tree", predicate.name);
    }
}

/// The atoms that create the component of a variable, if these parameters are owned.
fn owners(rule: &Rule, variable: VariableId, owned: &BTreeSet<(PredicateId, usize)>) -> usize {
    let creates = |atom: &&Atom| match atom {
        Atom::Instance(instance) => instance.variable == variable,
        Atom::Predicate(call) => {
            let position = call.arguments.iter().position(|&argument| argument == variable);
            position.is_some_and(|position| owned.contains(&(call.predicate, position)))
        }
    };
    rule.atoms.iter().filter(creates).count()
}

fn check_owners(system: &System) {
    let mut owned = BTreeSet::new();
    loop {
        let before = owned.len();
        for rule in &system.rules {
            for position in 0..rule.parameter_count {
                if owners(rule, VariableId::new(position), &owned) > 0 {
                    owned.insert((rule.head, position));
                }
            }
        }
        if owned.len() == before {
            break;
        }
    }
    for (id, predicate) in system.predicates.enumerate() {
        for (position, parameter) in predicate.parameters.iter().enumerate() {
            let expected =
                if owned.contains(&(id, position)) { Ownership::Owned } else { Ownership::Borrowed };
            assert_eq!(parameter.ownership, expected, "{} {position}", predicate.name);
        }
    }
    for rule in &system.rules {
        for variable in rule.variables.indices() {
            let is_borrowed =
                variable.index() < rule.parameter_count && !owned.contains(&(rule.head, variable.index()));
            let expected = usize::from(!is_borrowed);
            assert_eq!(owners(rule, variable, &owned), expected, "{} {variable:?}", rule.label);
        }
    }
}

fn check_types(system: &System) {
    type Sets = Vec<BTreeSet<TypeId>>;
    let mut parameters: IndexVec<PredicateId, Sets> =
        system.predicates.iter().map(|predicate| vec![BTreeSet::new(); predicate.parameters.len()]).collect();
    let mut variables: IndexVec<RuleId, Sets> =
        system.rules.iter().map(|rule| vec![BTreeSet::new(); rule.variables.len()]).collect();
    let is_owned = |predicate: PredicateId, position: usize| {
        system.predicates[predicate].parameters[position].ownership == Ownership::Owned
    };
    let size = |sets: &IndexVec<PredicateId, Sets>, others: &IndexVec<RuleId, Sets>| -> usize {
        sets.iter().chain(others.iter()).flatten().map(BTreeSet::len).sum()
    };
    loop {
        let before = size(&parameters, &variables);
        for (id, rule) in system.rules.enumerate() {
            for position in 0..rule.parameter_count {
                if is_owned(rule.head, position) {
                    let found = variables[id][position].clone();
                    parameters[rule.head][position].extend(found);
                } else {
                    let found = parameters[rule.head][position].clone();
                    variables[id][position].extend(found);
                }
            }
            for atom in &rule.atoms {
                match atom {
                    Atom::Instance(instance) => {
                        variables[id][instance.variable.index()].insert(instance.component);
                    }
                    Atom::Predicate(call) => {
                        for (position, argument) in call.arguments.iter().enumerate() {
                            if is_owned(call.predicate, position) {
                                let found = parameters[call.predicate][position].clone();
                                variables[id][argument.index()].extend(found);
                            } else if system.predicates[rule.head].is_reachable {
                                let found = variables[id][argument.index()].clone();
                                parameters[call.predicate][position].extend(found);
                            }
                        }
                    }
                }
            }
        }
        if size(&parameters, &variables) == before {
            break;
        }
    }
    for (id, predicate) in system.predicates.enumerate() {
        for (parameter, expected) in predicate.parameters.iter().zip(&parameters[id]) {
            assert!(parameter.types.iter().eq(expected), "{}", predicate.name);
            assert!(!predicate.is_reachable || !parameter.types.is_empty());
        }
    }
    for (id, rule) in system.rules.enumerate() {
        for (variable, expected) in rule.variables.iter().zip(&variables[id]) {
            assert!(variable.types.iter().eq(expected), "{} {}", rule.label, variable.name);
        }
    }
}

fn check_formula(system: &System, formula: &ErrorFormula) {
    match formula {
        ErrorFormula::Deadlock => {}
        ErrorFormula::Components(formula) => {
            let mut places: Vec<_> = formula.colours().iter().flatten().copied().collect();
            let count = places.len();
            places.sort_unstable();
            places.dedup();
            let all: usize = system.types.iter().map(|component| component.states.len()).sum();
            assert_eq!((count, places.len()), (all, all), "every place has one colour");
        }
        ErrorFormula::Pattern(group) => {
            let mut patterns = system.rules.iter().flat_map(|rule| &rule.patterns);
            assert!(patterns.any(|pattern| pattern.group == *group), "a group has a pattern");
        }
        ErrorFormula::Count(count) => {
            assert!(!count.weights.is_empty());
            assert!(count.weights.windows(2).all(|pair| (pair[0].0, pair[0].1) < (pair[1].0, pair[1].1)));
            for &(component, state, weight) in &count.weights {
                assert!(weight > 0 && system.types[component].states.get(state).is_some());
            }
        }
        ErrorFormula::Not(inner) => check_formula(system, inner),
        ErrorFormula::And(parts) | ErrorFormula::Or(parts) => {
            parts.iter().for_each(|part| check_formula(system, part));
        }
    }
}
