//! Combinations of transitions that never fire: how many there are, and whether the error is proved once each
//! phase has ports of its own.
//!
//! Small instances are explored; which combinations fire in none of them is counted ([`NeverFired`]). The
//! system in which those that mix phases can't fire ([`paramcheck_model::phases`]) is put to the engine. Its
//! proof is none of the given system: that they never fire in a larger instance either, nothing shows.

use std::collections::BTreeSet;

use paramcheck_invariants::direct::{Direct, Outcome};
use paramcheck_invariants::firing::{Alive, InteractionFiring, firings};
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_invariants::strategy::InvariantChoice;
use paramcheck_model::component::PortId;
use paramcheck_model::error::NamedError;
use paramcheck_model::phases::Phases;
use paramcheck_model::rule::{InteractionId, RuleId};
use paramcheck_model::system::System;
use paramcheck_nets::explore::search::reachable;
use paramcheck_text::limits::Budget;

use super::history::SeesFirings;
use crate::scout::{Explorer, combination, each_net};

/// Markings visited to see what fires.
const MAX_STATES: usize = 20_000;
/// The markings that an instance counts for, however few it has.
const STATES_PER_INSTANCE: usize = 20;
/// Systems with more combinations are not looked at.
const MAX_COMBINATIONS: usize = 5_000;
/// How many joins of the engine a question about the split system may take.
const EFFORT: u64 = 40_000_000;
/// How much work the questions about it may be, in looks at the budget.
const MAX_WORK: u64 = 1_000_000;

/// An interaction some of whose combinations of transitions never fired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeverFired {
    /// The rule.
    pub rule: RuleId,
    /// The interaction of the rule.
    pub interaction: InteractionId,
    /// How many combinations it has.
    pub all: usize,
    /// How many of them never fired.
    pub never: usize,
    /// One that did not.
    pub example: InteractionFiring,
    /// How many other interactions have such combinations.
    pub others: usize,
    /// Every instance with at most this many components was explored.
    pub up_to_size: usize,
}

/// Ports of which each phase needs one of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitPorts {
    /// The interaction of which most combinations mix phases, with those that never fired.
    pub never_fired: NeverFired,
    /// The ports, ascending, each with the names that take its place.
    pub ports: Vec<(PortId, Vec<String>)>,
    /// The phases.
    pub phases: Phases,
    /// The kinds of invariants by which the error is proved then.
    pub kinds: Vec<InvariantKind>,
}

/// What was seen to fire in small instances, and what was not.
pub(super) struct Seen {
    fired: Vec<InteractionFiring>,
    never: Vec<InteractionFiring>,
    up_to_size: usize,
}

impl Seen {
    /// Explores small instances. `None` where some reachable rule is in no instance that was explored to its
    /// end, or where nothing is left that never fired.
    pub(super) fn new(system: &System, budget: &Budget) -> Option<Seen> {
        let reachable_rules =
            || system.rules.enumerate().filter(|(_, rule)| system.predicates[rule.head].is_reachable);
        let mut all = Vec::new();
        for (id, rule) in reachable_rules() {
            for interaction in rule.interactions.indices() {
                let participants = &rule.interactions[interaction].participants;
                let choices = participants.iter().map(|&(port, variable)| {
                    let types = rule.variables[variable].types.iter();
                    types
                        .map(|&component| system.types[component].transitions_on(port).count())
                        .sum::<usize>()
                });
                let more = choices.fold(1, usize::saturating_mul);
                if more.saturating_add(all.len()) > MAX_COMBINATIONS {
                    return None;
                }
                all.extend(firings(system, id, interaction));
            }
        }
        let mut rules: BTreeSet<RuleId> = reachable_rules().map(|(id, _)| id).collect();
        let mut alive = Alive::default();
        let up_to_size = explore(system, budget, &mut alive, &mut rules)?;
        let (fired, never): (Vec<_>, Vec<_>) = all.into_iter().partition(|one| alive.contains(one));
        (rules.is_empty() && !never.is_empty()).then_some(Seen { fired, never, up_to_size })
    }

    /// The interaction that has the most combinations of those that never fired and are `counted`.
    pub(super) fn most(&self, counted: impl Fn(&InteractionFiring) -> bool) -> Option<NeverFired> {
        let never_in = |rule, interaction| {
            self.never.iter().filter(move |one| one.rule == rule && one.interaction == interaction)
        };
        let places: BTreeSet<(RuleId, InteractionId)> =
            self.never.iter().filter(|one| counted(one)).map(|one| (one.rule, one.interaction)).collect();
        let number = |&(rule, interaction): &(RuleId, InteractionId)| {
            never_in(rule, interaction).filter(|one| counted(one)).count()
        };
        // The first of those with the most.
        let &(rule, interaction) = places.iter().rev().max_by_key(|place| number(place))?;
        let example = never_in(rule, interaction).find(|one| counted(one))?.clone();
        let never = never_in(rule, interaction).count();
        let fired =
            self.fired.iter().filter(|one| one.rule == rule && one.interaction == interaction).count();
        Some(NeverFired {
            rule,
            interaction,
            all: never + fired,
            never,
            example,
            others: places.len() - 1,
            up_to_size: self.up_to_size,
        })
    }

    /// The ports to split, where that is what a proof lacks.
    pub(super) fn settling(
        &self,
        system: &System,
        error: &NamedError,
        budget: &Budget,
    ) -> Option<SplitPorts> {
        let combinations = |firings: &'_ [InteractionFiring]| {
            firings.iter().map(|one| one.combination.clone()).collect::<Vec<_>>()
        };
        let phases = Phases::new(system, &combinations(&self.fired), &combinations(&self.never));
        let never_fired = self.most(|one| phases.mixes(&one.combination))?;
        let split = phases.split(system);
        let budget = &budget.with_work(MAX_WORK);
        budget.check().ok()?;
        let engine = Direct::within(&split, budget).ok()?.with_effort(EFFORT);
        let simple =
            vec![InvariantKind::TRAP, InvariantKind::MUTEX, InvariantKind::SIPHON, InvariantKind::AtMost(1)];
        let choice = InvariantChoice {
            stages: vec![vec![InvariantKind::TRAP, InvariantKind::Parity], simple],
            dead_interactions: false,
            last_resort: Vec::new(),
            exclusive: false,
        };
        let mut scout = SeesFirings(Explorer::new(&split, error, 1, budget));
        let outcome = engine.decide(error, &choice, &mut scout, budget);
        let Outcome::Proved { invariants: kinds, .. } = outcome else {
            return None;
        };
        let ports = system.ports.indices().filter(|&port| phases.of_port(port) > 1);
        let ports = ports.map(|port| (port, phases.names(system, port))).collect();
        Some(SplitPorts { never_fired, ports, phases, kinds })
    }
}

/// Explores the smallest instances: what fires is added to `alive`, what rules they have is taken from `rules`.
/// The size up to which all were explored to their ends.
fn explore(
    system: &System,
    budget: &Budget,
    alive: &mut Alive,
    rules: &mut BTreeSet<RuleId>,
) -> Option<usize> {
    let mut left = MAX_STATES;
    // The size before this one is done when an instance of this one comes.
    let (mut done, mut current, mut is_cut) = (None, None, false);
    let mut new_rules: BTreeSet<RuleId> = BTreeSet::new();
    let found = each_net(system, budget, |tree, net| {
        if current.is_some_and(|current| current < tree.size()) {
            done = current;
            rules.retain(|rule| !new_rules.contains(rule));
        }
        current = Some(tree.size());
        let mut states = 0;
        let is_whole = reachable(net, left, budget, |marking| {
            states += 1;
            for id in net.enabled(marking) {
                let transition = &net.transitions()[id];
                if let Some(interaction) = transition.interaction {
                    let combination = combination(net, transition);
                    alive.insert(InteractionFiring { rule: transition.rule, interaction, combination });
                }
            }
        });
        left = left.saturating_sub(states + STATES_PER_INSTANCE);
        is_cut = !is_whole || left == 0;
        new_rules.extend(tree.nodes.iter().map(|node| node.rule));
        !is_cut
    });
    if found.is_ok() && !is_cut {
        // There is no larger instance.
        done = current;
        rules.retain(|rule| !new_rules.contains(rule));
    }
    done
}
