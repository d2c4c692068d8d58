//! A port per phase, on random systems: nothing is lost but what mixes phases, and nothing that fired does.

use std::collections::BTreeSet;

use paramcheck_invariants::firing::firings;
use paramcheck_model::component::{StateId, TypeId};
use paramcheck_model::phases::Phases;
use paramcheck_model::rule::{Combination, RuleId, VariableId};
use paramcheck_model::system::System;
use paramcheck_nets::instance::enumerate::{smallest_size, trees};
use paramcheck_nets::instance::net::Net;
use paramcheck_nets::instance::unfold::unfold;

use super::support::{plain, random, seeds};

/// Sizes explored from the smallest on, instances of each, and markings of an instance.
const SIZES: usize = 3;
const INSTANCES: usize = 6;
const MAX_MARKINGS: usize = 2_000;

/// A combination of some rule: what each variable's component does.
type Done = (RuleId, Vec<(VariableId, TypeId, StateId, StateId)>);

/// All combinations of a system that are `wanted`, by what they do.
fn all(system: &System, wanted: impl Fn(&Combination) -> bool) -> BTreeSet<Done> {
    let mut all = BTreeSet::new();
    for (rule, definition) in system.rules.enumerate() {
        for (interaction, participants) in definition.interactions.enumerate() {
            for firing in firings(system, rule, interaction) {
                if wanted(&firing.combination) {
                    let moves = firing.combination.iter().zip(&participants.participants);
                    let moves = moves.map(|(&(component, id), &(_, variable))| {
                        let transition = &system.types[component].transitions[id];
                        (variable, component, transition.from, transition.to)
                    });
                    all.insert((rule, moves.collect()));
                }
            }
        }
    }
    all
}

/// The reachable markings of an instance, and the combinations of interactions that fire in it; `None` if it
/// has too many markings.
fn explored(net: &Net) -> Option<(BTreeSet<Vec<StateId>>, BTreeSet<Combination>)> {
    let (mut markings, mut fired) = (BTreeSet::new(), BTreeSet::new());
    plain::explore(net, MAX_MARKINGS, |marking| {
        markings.insert(marking.iter().copied().collect());
        for (id, transition) in net.transitions().enumerate() {
            if transition.interaction.is_some() && net.fire(id, marking).is_some() {
                let moves = transition.moves.iter();
                let moves = moves.map(|m| (net.components()[m.component].component_type, m.transition));
                fired.insert(moves.collect());
            }
        }
    })?;
    Some((markings, fired))
}

#[test]
fn only_what_mixes_phases_is_lost() {
    let (mut split, mut compared) = (0, 0);
    for seed in seeds(600, 3_000) {
        let Some((text, system)) = random::system(seed) else { continue };
        let smallest = smallest_size(&system) as usize;
        let sizes = smallest..smallest + SIZES;
        let trees: Vec<_> = sizes.flat_map(|size| trees(&system, size).take(INSTANCES)).collect();
        let mut before = Vec::new();
        let mut fired: BTreeSet<Combination> = BTreeSet::new();
        for tree in trees {
            let Some((markings, seen)) = explored(&unfold(&system, &tree)) else { continue };
            fired.extend(seen);
            before.push((tree, markings));
        }
        let mut never: BTreeSet<Combination> = BTreeSet::new();
        for (rule, definition) in system.rules.enumerate() {
            for interaction in definition.interactions.indices() {
                never.extend(firings(&system, rule, interaction).into_iter().map(|one| one.combination));
            }
        }
        never.retain(|combination| !fired.contains(combination));
        let phases = Phases::new(&system, &fired, &never);
        assert!(!fired.iter().any(|combination| phases.mixes(combination)), "seed {seed}\n{text}");
        let after = phases.split(&system);
        let kept = all(&system, |combination| !phases.mixes(combination));
        assert_eq!(all(&after, |_| true), kept, "seed {seed}\n{text}");
        if !never.iter().any(|combination| phases.mixes(combination)) {
            continue;
        }
        split += 1;
        // Where nothing that is lost fires, the runs are the same.
        for (tree, markings) in before {
            let found = explored(&unfold(&after, &tree)).map(|(markings, _)| markings);
            assert_eq!(found, Some(markings), "seed {seed}\n{text}");
            compared += 1;
        }
    }
    assert!(split > 20 && compared > 60, "{split} split, {compared} compared");
}
