//! What the transitions of instances are, rule by rule: the interactions of the rules in every
//! combination of component types and transitions, and the internal transitions of components.
//!
//! A [`Firing`] stands for one net transition at every node of a rewriting tree with its rule, where
//! the variables are bound to components of its types (paper: Inter(r), with the ports resolved; an
//! instance that lacks a port has no such transition, rather than one with an empty pre-set). Component
//! types that offer a port by one transition each are taken together, as cases of one firing: a formula
//! need not know which of them it is.

use paramcheck_invariants::firing::InteractionFiring;
use paramcheck_model::component::{PortId, StateId, TransitionId, TypeId};
use paramcheck_model::rule::{Interaction, InteractionId, RuleId, VariableId};
use paramcheck_model::system::System;

/// What a firing does to a component of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Case {
    /// The component's type.
    pub component: TypeId,
    /// The transition it makes.
    pub(crate) transition: TransitionId,
    /// The state left.
    pub from: StateId,
    /// The state entered.
    pub to: StateId,
}

/// What a firing does to one component.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FiringMove {
    /// The variable of the rule that the component is bound to.
    pub variable: VariableId,
    /// By the component's type, at most one case each and at least one in all.
    pub cases: Vec<Case>,
}

/// A family of net transitions: one per node with this rule whose variables are bound to components of
/// types that are among the cases.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Firing {
    /// The rule.
    pub rule: RuleId,
    /// The interaction; `None`: an internal transition.
    pub(crate) interaction: Option<InteractionId>,
    /// What it does, at least one move, variables distinct.
    pub moves: Vec<FiringMove>,
}

impl Firing {
    /// The same transitions, those of each combination of types as a firing of its own.
    pub fn combinations(&self) -> Vec<Firing> {
        let mut result: Vec<Vec<FiringMove>> = vec![Vec::new()];
        for m in &self.moves {
            result = result
                .iter()
                .flat_map(|moves| {
                    m.cases.iter().map(|&case| {
                        let one = FiringMove { variable: m.variable, cases: vec![case] };
                        [moves.as_slice(), &[one]].concat()
                    })
                })
                .collect();
        }
        result
            .into_iter()
            .map(|moves| Firing { rule: self.rule, interaction: self.interaction, moves })
            .collect()
    }

    /// The name of an interaction's firing that has one case per move.
    pub fn name(&self) -> Option<InteractionFiring> {
        let cases = self.moves.iter().map(|m| match m.cases.as_slice() {
            [case] => Some((case.component, case.transition)),
            _ => None,
        });
        Some(InteractionFiring {
            rule: self.rule,
            interaction: self.interaction?,
            combination: cases.collect::<Option<_>>()?,
        })
    }
}

/// The firings of a system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Firings {
    /// Those that can happen.
    pub alive: Vec<Firing>,
    /// Those proved never to.
    pub(crate) dropped: Vec<Firing>,
}

/// All firings of the reachable rules of `system`, the combinations in `dropped` apart; `None` where there
/// are more than `limit`.
pub(crate) fn firings(system: &System, dropped: &[InteractionFiring], limit: usize) -> Option<Firings> {
    let mut result = Firings::default();
    for (rule_id, rule) in system.rules.enumerate() {
        if !system.predicates[rule.head].is_reachable {
            continue;
        }
        for (id, interaction) in rule.interactions.enumerate() {
            let all = of_interaction(system, rule_id, id, interaction, limit)?;
            if dropped.iter().any(|name| (name.rule, name.interaction) == (rule_id, id)) {
                let count: usize =
                    all.iter().map(|f| f.moves.iter().map(|m| m.cases.len()).product::<usize>()).sum();
                if count > limit {
                    return None;
                }
                for firing in all.iter().flat_map(Firing::combinations) {
                    let is_dropped = firing.name().is_some_and(|name| dropped.contains(&name));
                    let list = if is_dropped { &mut result.dropped } else { &mut result.alive };
                    list.push(firing);
                }
            } else {
                result.alive.extend(all);
            }
            if result.alive.len() + result.dropped.len() > limit {
                return None;
            }
        }
        for instance in rule.instance_atoms() {
            for (transition, t) in system.types[instance.component].internal_transitions() {
                let case = Case { component: instance.component, transition, from: t.from, to: t.to };
                let moves = vec![FiringMove { variable: instance.variable, cases: vec![case] }];
                result.alive.push(Firing { rule: rule_id, interaction: None, moves });
            }
        }
    }
    Some(result)
}

/// The firings of one interaction: one per choice, for each participant, of the first, second, …
/// transition on its port.
fn of_interaction(
    system: &System,
    rule: RuleId,
    id: InteractionId,
    interaction: &Interaction,
    limit: usize,
) -> Option<Vec<Firing>> {
    let mut all: Vec<Vec<FiringMove>> = vec![Vec::new()];
    for &(port, variable) in &interaction.participants {
        let choices = choices(system, port, &system.rules[rule].variables[variable].types);
        if all.len().saturating_mul(choices.len()) > limit {
            return None;
        }
        all = all
            .iter()
            .flat_map(|moves| {
                choices.iter().map(move |cases| {
                    let one = FiringMove { variable, cases: cases.clone() };
                    [moves.as_slice(), &[one]].concat()
                })
            })
            .collect();
    }
    all.retain(|moves| !moves.is_empty());
    Some(all.into_iter().map(|moves| Firing { rule, interaction: Some(id), moves }).collect())
}

/// The k-th element: what each type does by its k-th transition on the port.
fn choices(system: &System, port: PortId, types: &[TypeId]) -> Vec<Vec<Case>> {
    let mut result: Vec<Vec<Case>> = Vec::new();
    for &component in types {
        for (k, (transition, t)) in system.types[component].transitions_on(port).enumerate() {
            let case = Case { component, transition, from: t.from, to: t.to };
            match result.get_mut(k) {
                Some(cases) => cases.push(case),
                None => result.push(vec![case]),
            }
        }
    }
    result
}
