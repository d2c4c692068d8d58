//! Small systems built by hand, for the tests of this layer and those above.

use paramcheck_model::component::{ComponentType, PortId, State, StateId, Transition, TypeId};
use paramcheck_model::rule::{
    Atom, InstanceAtom, Interaction, Ownership, Parameter, Pattern, PatternGroupId, Predicate, PredicateAtom,
    PredicateId, Rule, RuleId, Variable, VariableId,
};
use paramcheck_model::system::System;
use paramcheck_text::index::{Idx, IndexVec};

/// A component type; a state is final if its name starts with a capital letter. Transitions: from,
/// port (or internal), to.
pub(crate) fn component(
    name: &str,
    states: &[&str],
    initial: &[usize],
    transitions: &[(usize, Option<usize>, usize)],
) -> ComponentType {
    ComponentType {
        name: name.to_owned(),
        states: states
            .iter()
            .map(|&name| State { name: name.to_owned(), is_final: name.starts_with(char::is_uppercase) })
            .collect(),
        initial: initial.iter().copied().map(StateId::new).collect(),
        transitions: transitions
            .iter()
            .map(|&(from, port, to)| Transition {
                from: StateId::new(from),
                port: port.map(PortId::new),
                to: StateId::new(to),
            })
            .collect(),
    }
}

/// What a rule is made of: the head, the number of parameters and of all variables, atoms (instance:
/// type, initial states, variable; predicate: predicate, arguments), interactions (port, variable).
pub(crate) struct RuleParts<'a> {
    pub head: usize,
    pub variables: (usize, usize),
    pub instances: &'a [(usize, &'a [usize], usize)],
    pub calls: &'a [(usize, &'a [usize])],
    pub interactions: &'a [&'a [(usize, usize)]],
}

/// A system: types, ports, predicates (name, ownership of the parameters), rules. Predicate 0 is the
/// root. Types of variables are left out; nothing in this layer reads them.
pub(crate) fn system(
    types: Vec<ComponentType>,
    ports: &[&str],
    predicates: &[(&str, &[Ownership])],
    rules: &[RuleParts<'_>],
) -> System {
    let rules: IndexVec<RuleId, Rule> = rules
        .iter()
        .enumerate()
        .map(|(number, parts)| Rule {
            head: PredicateId::new(parts.head),
            label: format!("rule {number}"),
            parameter_count: parts.variables.0,
            variables: (0..parts.variables.1)
                .map(|v| Variable { name: format!("x{v}"), types: Vec::new() })
                .collect(),
            atoms: parts
                .instances
                .iter()
                .map(|&(component, initial, variable)| {
                    Atom::Instance(InstanceAtom {
                        component: TypeId::new(component),
                        initial: initial.iter().copied().map(StateId::new).collect(),
                        variable: VariableId::new(variable),
                    })
                })
                .chain(parts.calls.iter().map(|&(predicate, arguments)| {
                    Atom::Predicate(PredicateAtom {
                        predicate: PredicateId::new(predicate),
                        arguments: arguments.iter().copied().map(VariableId::new).collect(),
                    })
                }))
                .collect(),
            interactions: parts
                .interactions
                .iter()
                .map(|participants| Interaction {
                    participants: participants
                        .iter()
                        .map(|&(port, variable)| (PortId::new(port), VariableId::new(variable)))
                        .collect(),
                })
                .collect(),
            patterns: Vec::new(),
        })
        .collect();
    System {
        types: types.into_iter().collect(),
        ports: ports.iter().map(|&port| port.to_owned()).collect(),
        predicates: predicates
            .iter()
            .enumerate()
            .map(|(id, (name, parameters))| Predicate {
                name: (*name).to_owned(),
                parameters: parameters
                    .iter()
                    .map(|&ownership| Parameter { ownership, types: Vec::new() })
                    .collect(),
                rules: rules.enumerate().filter(|(_, r)| r.head.index() == id).map(|(id, _)| id).collect(),
                is_reachable: true,
            })
            .collect(),
        rules,
        root: PredicateId::new(0),
        pattern_groups: ["forbidden".to_owned()].into_iter().collect(),
        errors: IndexVec::new(),
    }
}

/// The token ring: `Ring() <- new a, b . <out(b) in(a)> Chain(a, b)`,
/// `Chain(a, b) <- <out(a) in(b)> (Node(a), Node[busy](b))`,
/// `Chain(a, b) <- new y . <out(a) in(y)> (Node(a), Chain(y, b))`,
/// with the pattern "both ends busy" in the root's rule.
pub(crate) fn token_ring() -> System {
    const OWNED: Ownership = Ownership::Owned;
    let (idle, busy, out, inn) = (0, 1, 0, 1);
    let node =
        component("Node", &["idle", "busy"], &[idle], &[(busy, Some(out), idle), (idle, Some(inn), busy)]);
    let mut system = system(
        vec![node],
        &["out", "in"],
        &[("Ring", &[]), ("Chain", &[OWNED, OWNED])],
        &[
            RuleParts {
                head: 0,
                variables: (0, 2),
                instances: &[],
                calls: &[(1, &[0, 1])],
                interactions: &[&[(out, 1), (inn, 0)]],
            },
            RuleParts {
                head: 1,
                variables: (2, 2),
                instances: &[(0, &[idle], 0), (0, &[busy], 1)],
                calls: &[],
                interactions: &[&[(out, 0), (inn, 1)]],
            },
            RuleParts {
                head: 1,
                variables: (2, 3),
                instances: &[(0, &[idle], 0)],
                calls: &[(1, &[2, 1])],
                interactions: &[&[(out, 0), (inn, 2)]],
            },
        ],
    );
    let busy = || vec![(TypeId::new(0), StateId::new(busy))];
    system.rules[RuleId::new(0)].patterns = vec![Pattern {
        group: PatternGroupId::new(0),
        conditions: vec![(VariableId::new(0), busy()), (VariableId::new(1), busy())],
    }];
    system
}
