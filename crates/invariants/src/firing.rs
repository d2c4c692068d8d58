//! Interactions in one combination of transitions, and those of them that are suspected of never firing.
//!
//! An interaction that provably never fires constrains no invariant, so both engines try to prove that of
//! every one that was not seen to fire. Both take the suspects from here: which interactions are dropped
//! decides what is proved.

use rustc_hash::FxHashSet;

use paramcheck_model::rule::{Combination, Interaction, InteractionId, Rule, RuleId};
use paramcheck_model::system::System;

/// An interaction of a rule in one combination.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InteractionFiring {
    /// The rule.
    pub rule: RuleId,
    /// Which of the rule's interactions.
    pub interaction: InteractionId,
    /// What its participants do.
    pub combination: Combination,
}

/// Interactions known to fire in some instance. Any subset of those that do is right, the empty one too.
pub type Alive = FxHashSet<InteractionFiring>;

/// Every interaction of every reachable rule, in every combination that the types of its variables allow,
/// without those known to fire.
pub(crate) fn suspects(system: &System, alive: &Alive) -> Vec<InteractionFiring> {
    let reachable = system.rules.enumerate().filter(|(_, rule)| system.predicates[rule.head].is_reachable);
    let all = reachable.flat_map(|(id, rule)| {
        rule.interactions.enumerate().flat_map(move |(interaction, definition)| {
            let combinations = combinations(system, rule, definition).into_iter();
            combinations.map(move |combination| InteractionFiring { rule: id, interaction, combination })
        })
    });
    all.filter(|firing| !alive.contains(firing)).collect()
}

/// An interaction of a rule in every combination that the types of its variables allow.
pub fn firings(system: &System, rule: RuleId, interaction: InteractionId) -> Vec<InteractionFiring> {
    let definition = &system.rules[rule];
    let combinations = combinations(system, definition, &definition.interactions[interaction]).into_iter();
    combinations.map(|combination| InteractionFiring { rule, interaction, combination }).collect()
}

/// One transition for each participant, in all combinations.
fn combinations(system: &System, rule: &Rule, interaction: &Interaction) -> Vec<Combination> {
    let mut combinations: Vec<Combination> = vec![vec![]];
    for &(port, variable) in &interaction.participants {
        let types = rule.variables[variable].types.iter();
        let choices: Combination = types
            .flat_map(|&component| {
                system.types[component].transitions_on(port).map(move |(id, _)| (component, id))
            })
            .collect();
        let longer = |begun: &Combination| {
            let longer = choices.iter().map(|&choice| [begun.as_slice(), &[choice]].concat());
            longer.collect::<Vec<_>>()
        };
        combinations = combinations.iter().flat_map(longer).collect();
    }
    combinations
}
