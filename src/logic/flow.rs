//! What the transitions of instances are, rule by rule: the interactions of the rules in every
//! combination of component types and transitions, and the internal transitions of components.
//!
//! A [`Firing`] stands for one net transition at every node of a rewriting tree with its rule, where
//! the variables are bound to components of its types (paper: Inter(r), with the ports resolved; an
//! instance that lacks a port has no such transition, rather than one with an empty pre-set).

use crate::model::component::{StateId, TransitionId, TypeId};
use crate::model::rule::{InteractionId, RuleId, VariableId};
use crate::model::system::System;

/// An interaction of a rule in one combination.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InteractionFiring {
    /// The rule.
    pub rule: RuleId,
    /// The interaction.
    pub interaction: InteractionId,
    /// The component type and transition of each participant, in the interaction's order.
    pub combination: Vec<(TypeId, TransitionId)>,
}

/// What a firing does to one component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FiringMove {
    /// The variable of the rule that the component is bound to.
    pub variable: VariableId,
    /// The component's type.
    pub component: TypeId,
    /// The transition it makes.
    pub transition: TransitionId,
    /// The state left.
    pub from: StateId,
    /// The state entered.
    pub to: StateId,
}

/// A family of net transitions: one per node with this rule whose variables have these types.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Firing {
    /// The rule.
    pub rule: RuleId,
    /// The interaction; `None`: an internal transition.
    pub interaction: Option<InteractionId>,
    /// What it does, at least one move, variables distinct.
    pub moves: Vec<FiringMove>,
}

impl Firing {
    /// Whether it is the combination that `name` names.
    pub fn is(&self, name: &InteractionFiring) -> bool {
        self.rule == name.rule
            && self.interaction == Some(name.interaction)
            && name.combination.iter().copied().eq(self.moves.iter().map(|m| (m.component, m.transition)))
    }
}

/// The firings of a system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Firings {
    /// Those that can happen.
    pub alive: Vec<Firing>,
    /// Those proved never to.
    pub dropped: Vec<Firing>,
}

/// All firings of the reachable rules of `system`; `None` where there are more than `limit`.
pub fn firings(system: &System, dropped: &[InteractionFiring], limit: usize) -> Option<Firings> {
    let mut result = Firings::default();
    for (rule_id, rule) in system.rules.enumerate() {
        if !system.predicates[rule.head].is_reachable {
            continue;
        }
        for (id, interaction) in rule.interactions.enumerate() {
            let mut combinations: Vec<Vec<FiringMove>> = vec![Vec::new()];
            for &(port, variable) in &interaction.participants {
                let choices: Vec<FiringMove> =
                    rule.variables[variable]
                        .types
                        .iter()
                        .flat_map(|&component| {
                            system.types[component].transitions_on(port).map(move |(transition, t)| {
                                FiringMove { variable, component, transition, from: t.from, to: t.to }
                            })
                        })
                        .collect();
                if combinations.len().saturating_mul(choices.len()) > limit {
                    return None;
                }
                combinations = combinations
                    .iter()
                    .flat_map(|moves| {
                        choices.iter().map(move |&choice| [moves.as_slice(), &[choice]].concat())
                    })
                    .collect();
            }
            for moves in combinations {
                if moves.is_empty() {
                    continue;
                }
                let firing = Firing { rule: rule_id, interaction: Some(id), moves };
                let is_dropped = dropped.iter().any(|name| firing.is(name));
                let list = if is_dropped { &mut result.dropped } else { &mut result.alive };
                list.push(firing);
            }
            if result.alive.len() + result.dropped.len() > limit {
                return None;
            }
        }
        for instance in rule.instance_atoms() {
            for (transition, t) in system.types[instance.component].internal_transitions() {
                let moves = vec![FiringMove {
                    variable: instance.variable,
                    component: instance.component,
                    transition,
                    from: t.from,
                    to: t.to,
                }];
                result.alive.push(Firing { rule: rule_id, interaction: None, moves });
            }
        }
    }
    Some(result)
}
