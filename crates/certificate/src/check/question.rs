//! What one proof is about: an error, and the interactions that no longer count.
//!
//! Of the net transitions that a rule stands for, two things matter. For a marking: whether one is
//! enabled, or one that was dropped (then the marking is not reachable). For a set of places: whether
//! every transition that is left keeps the invariant. Both are answered here, from the model alone.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::exclusive::Exclusive;
use super::formula::Formula;
use super::kind::Kind;
use super::resolve::{Part, Place};
use paramcheck_model::component::{PortId, StateId, TypeId};
use paramcheck_model::rule::{Interaction, InteractionId, RuleId, VariableId};
use paramcheck_model::system::System;

/// A transition of a component type that takes part in an interaction: type, state left, state entered.
pub(super) type Move = (TypeId, StateId, StateId);

/// A net transition that a rule stands for: an interaction with a transition for every participant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Combination {
    /// The rule.
    pub(super) rule: RuleId,
    /// The interaction.
    pub(super) interaction: InteractionId,
    /// The participants' transitions.
    pub(super) moves: Vec<Move>,
}

/// An error and what was dropped.
pub(super) struct Question<'a> {
    /// The model.
    pub(super) system: &'a System,
    /// The error.
    pub formula: Formula,
    /// Whose pre-places being marked somewhere is the error; `None` where the error is the model's.
    pub(super) suspect: Option<&'a Combination>,
    /// The dropped interactions, each once.
    pub(super) dropped: &'a [Combination],
    /// Places that exclude each other.
    pub(super) exclusive: &'a Exclusive,
    /// Which places offer which ports.
    pub(super) offers: &'a FxHashSet<(TypeId, StateId, PortId)>,
}

/// Which places of `system` offer which ports.
pub(super) fn offers(system: &System) -> FxHashSet<(TypeId, StateId, PortId)> {
    let mut offers = FxHashSet::default();
    for (id, component) in system.types.enumerate() {
        for transition in component.transitions.iter() {
            if let Some(port) = transition.port {
                offers.insert((id, transition.from, port));
            }
        }
    }
    offers
}

/// Something that a marking of the components of one rule may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// Enable a transition of an interaction.
    Interaction {
        /// The interaction.
        id: InteractionId,
        /// Its ports.
        ports: Vec<PortId>,
        /// The pre-places of its dropped transitions.
        dropped: Vec<Vec<Place>>,
    },
    /// Be where two components never are at once.
    Exclusive {
        /// The states that exclude each other.
        states: FxHashSet<(StateId, StateId)>,
    },
    /// Make a pattern occur.
    Pattern {
        /// Its bit in error states.
        bit: usize,
        /// Per variable the places that match.
        matches: Vec<Vec<Place>>,
    },
}

/// What an item does in a marking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing.
    Nothing,
    /// A transition is enabled.
    Live,
    /// The pattern with this bit occurs.
    Pattern(usize),
    /// A dropped transition is enabled, or two places exclude each other: such a marking is not reachable.
    Impossible,
}

impl Question<'_> {
    /// The interactions and patterns of a rule, each with its variables.
    pub(super) fn items(&self, rule_id: RuleId) -> Vec<(Vec<VariableId>, Item)> {
        let rule = &self.system.rules[rule_id];
        let mut items = Vec::new();
        for (id, interaction) in rule.interactions.enumerate() {
            let (ports, variables) = interaction.participants.iter().copied().unzip();
            let dropped = self.dropped_of(rule_id, id).map(pre_places).collect();
            items.push((variables, Item::Interaction { id, ports, dropped }));
        }
        let mut exclusive: BTreeMap<[VariableId; 2], FxHashSet<(StateId, StateId)>> = BTreeMap::new();
        for ((one, state), (other, at)) in self.exclusive.get(&rule_id).into_iter().flatten() {
            // Each is there in both orders.
            if one < other {
                exclusive.entry([*one, *other]).or_default().insert((*state, *at));
            }
        }
        let exclusive = exclusive.into_iter();
        items.extend(exclusive.map(|(variables, states)| (variables.to_vec(), Item::Exclusive { states })));
        match self.suspect {
            Some(suspect) if suspect.rule == rule_id => {
                let participants = &rule.interactions[suspect.interaction].participants;
                let variables = participants.iter().map(|(_, variable)| *variable).collect();
                let matches = pre_places(suspect).into_iter().map(|place| vec![place]).collect();
                items.push((variables, Item::Pattern { bit: 0, matches }));
            }
            Some(_) => {}
            None => {
                for pattern in &rule.patterns {
                    if let Some(bit) = self.formula.bit_of(pattern.group) {
                        let (variables, matches) = pattern.conditions.iter().cloned().unzip();
                        items.push((variables, Item::Pattern { bit, matches }));
                    }
                }
            }
        }
        items
    }

    /// What `item` does where its variables' components are at `places`.
    pub(super) fn effect(&self, item: &Item, places: &[Place]) -> Effect {
        match item {
            Item::Interaction { ports, dropped, .. } => {
                if dropped.iter().any(|pre| pre == places) {
                    return Effect::Impossible;
                }
                let offered = |((component, state), port): (&Place, &PortId)| {
                    self.offers.contains(&(*component, *state, *port))
                };
                if places.iter().zip(ports).all(offered) { Effect::Live } else { Effect::Nothing }
            }
            Item::Exclusive { states } => match places {
                [(_, one), (_, other)] if states.contains(&(*one, *other)) => Effect::Impossible,
                _ => Effect::Nothing,
            },
            Item::Pattern { bit, matches } => {
                let all = places.iter().zip(matches).all(|(place, matching)| matching.contains(place));
                if all { Effect::Pattern(*bit) } else { Effect::Nothing }
            }
        }
    }

    /// Whether every transition that the interaction stands for, when its variables are bound to
    /// components of the types of `parts`, keeps an invariant of kind `kind` that contains `parts` of
    /// them. Dropped transitions don't matter; where a type lacks its port there is no transition.
    ///
    /// Transitions are not listed but counted: how many have which pre and post. A participant's part
    /// in the sums has few values, so the work is polynomial where the number of transitions
    /// is exponential; from the counts the dropped ones are taken away.
    pub(super) fn keeps(&self, rule: RuleId, id: InteractionId, kind: Kind, parts: &[&Part]) -> bool {
        let interaction: &Interaction = &self.system.rules[rule].interactions[id];
        let mut ways: FxHashMap<(i64, i64), u128> = FxHashMap::from_iter([((0, 0), 1)]);
        for ((port, _), part) in interaction.participants.iter().zip(parts) {
            let mut next: FxHashMap<(i64, i64), u128> = FxHashMap::default();
            for (_, transition) in self.system.types[part.component].transitions_on(*port) {
                let (takes, gives) = (part.weight(transition.from), part.weight(transition.to));
                for ((pre, post), count) in &ways {
                    let sum: &mut u128 = next.entry((pre + takes, post + gives)).or_default();
                    *sum = sum.saturating_add(*count);
                }
            }
            ways = next;
        }
        for combination in self.dropped_of(rule, id) {
            let types = combination.moves.iter().map(|(component, _, _)| *component);
            if !types.eq(parts.iter().map(|part| part.component)) {
                continue;
            }
            let (mut pre, mut post) = (0, 0);
            for ((_, from, to), part) in combination.moves.iter().zip(parts) {
                pre += part.weight(*from);
                post += part.weight(*to);
            }
            if let Some(count) = ways.get_mut(&(pre, post)) {
                *count = count.saturating_sub(1);
            }
        }
        ways.iter().all(|((pre, post), count)| *count == 0 || kind.admits(*pre, *post))
    }

    /// Whether every internal transition of a component keeps an invariant that contains `part` of it.
    pub(super) fn keeps_internal(&self, kind: Kind, part: &Part) -> bool {
        self.system.types[part.component]
            .internal_transitions()
            .all(|(_, transition)| kind.admits(part.weight(transition.from), part.weight(transition.to)))
    }

    fn dropped_of(&self, rule: RuleId, id: InteractionId) -> impl Iterator<Item = &Combination> {
        self.dropped.iter().filter(move |dropped| (dropped.rule, dropped.interaction) == (rule, id))
    }
}

/// The pre-places of a combination.
fn pre_places(combination: &Combination) -> Vec<Place> {
    combination.moves.iter().map(|(component, from, _)| (*component, *from)).collect()
}

#[cfg(test)]
mod tests;
