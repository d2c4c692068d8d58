//! Ports by which a component counts what comes, without knowing from whom.
//!
//! In: a system. Out: a component type that goes on by the same port twice, and a rule in which that port meets
//! several components alike. Read off the rules alone: that it settles the question is not found out here.

use paramcheck_model::component::{ComponentType, PortId, TypeId};
use paramcheck_model::rule::{InteractionId, Rule, RuleId, VariableId};
use paramcheck_model::system::System;
use paramcheck_text::index::Idx;

/// A port that meets several components alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedPort {
    /// The type whose port it is.
    pub component: TypeId,
    /// The port.
    pub port: PortId,
    /// A rule with several interactions of it.
    pub rule: RuleId,
    /// Those it meets there, each by the same port.
    pub partners: Vec<VariableId>,
}

/// The first such port of `types`, in their order.
pub(super) fn shared(system: &System, types: &[TypeId]) -> Option<SharedPort> {
    types.iter().find_map(|&component| {
        let counted = counted(&system.types[component]);
        counted.into_iter().find_map(|port| {
            system.rules.enumerate().find_map(|(id, rule)| {
                let makes = rule.instance_atoms().filter(|atom| atom.component == component);
                let partners = makes.map(|atom| partners(rule, atom.variable, port));
                let partners = partners.max_by_key(Vec::len).filter(|partners| partners.len() > 1)?;
                Some(SharedPort { component, port, rule: id, partners })
            })
        })
    })
}

/// The ports by which a component may go on twice in a row, to a new state each time.
fn counted(component: &ComponentType) -> Vec<PortId> {
    let mut ports: Vec<PortId> = Vec::new();
    for one in &component.transitions {
        let Some(port) = one.port else { continue };
        let goes_on = component.transitions.iter().any(|next| {
            (next.port, next.from) == (one.port, one.to) && ![one.from, one.to].contains(&next.to)
        });
        if one.from != one.to && goes_on && !ports.contains(&port) {
            ports.push(port);
        }
    }
    ports
}

/// Whom the port of a variable meets alone, if all of them take part by the same port.
fn partners(rule: &Rule, variable: VariableId, port: PortId) -> Vec<VariableId> {
    let mut met: Vec<(PortId, VariableId)> = Vec::new();
    for one in rule.interactions.indices().map(|id: InteractionId| &rule.interactions[id]) {
        let other = match one.participants[..] {
            [one, other] if one == (port, variable) => other,
            [other, one] if one == (port, variable) => other,
            _ => continue,
        };
        met.push(other);
    }
    let is_alike = met.iter().all(|(port, _)| met.first().is_some_and(|(first, _)| first == port));
    let mut partners: Vec<VariableId> = met.into_iter().map(|(_, partner)| partner).collect();
    partners.sort_by_key(|one| one.index());
    partners.dedup();
    if is_alike { partners } else { Vec::new() }
}
