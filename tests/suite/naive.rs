//! Tests of the naive twin itself: against all subsets of places, and against exploration.

use paramcheck::explore::instances::{InstancesEnd, search_instances};
use paramcheck::instance::enumerate::trees;
use paramcheck::instance::marking::{ErrorCheck, Marking};
use paramcheck::instance::net::Net;
use paramcheck::instance::unfold::unfold;
use paramcheck::invariant::InvariantKind;
use paramcheck::model::component::StateId;
use paramcheck::model::error::ErrorFormula;
use paramcheck::model::system::System;
use paramcheck::support::index::Idx;
use paramcheck::support::limits::Budget;

use super::support::naive::{
    DeadSet, MOST_PLACES, NaiveAnswer, all_invariants, dead_interactions, decide, in_all, product,
};
use super::support::random::Random;
use super::support::{case, errors, random, system};

const PAPER: [InvariantKind; 2] = [InvariantKind::TRAP, InvariantKind::MUTEX];

/// All markings of a net, reachable or not.
fn markings(net: &Net) -> Vec<Marking> {
    let states = net.components().iter().map(|c| (0..c.state_count).map(StateId::new).collect());
    product(states.collect()).into_iter().map(|states| states.into_iter().collect()).collect()
}

/// The smallest size up to `last` at which some instance has a marking in the error and in all
/// invariants, and the largest size completely looked at.
fn by_subsets(
    system: &System,
    formula: &ErrorFormula,
    kinds: &[InvariantKind],
    dead: &DeadSet,
    last: usize,
) -> (Option<usize>, usize) {
    for size in 1..=last {
        for (number, tree) in trees(system, size).enumerate() {
            let net = unfold(system, &tree);
            if net.place_count() > MOST_PLACES.min(10) || number > 20 {
                return (None, size - 1);
            }
            let invariants = all_invariants(&net, kinds, dead);
            let check = ErrorCheck::new(system, &net, formula).expect("no formula over components");
            if markings(&net).iter().any(|m| check.holds(&net, m) && in_all(&net, &invariants, m)) {
                return (Some(size), size);
            }
        }
    }
    (None, last)
}

/// Some kinds, chosen at random; never none.
fn some_kinds(random: &mut Random) -> Vec<InvariantKind> {
    if random.chance(30) {
        return PAPER.to_vec();
    }
    let all = InvariantKind::all_up_to(2);
    let mut kinds: Vec<_> = all.iter().copied().filter(|_| random.chance(30)).collect();
    if kinds.is_empty() {
        kinds.push(*random.pick(&all));
    }
    kinds
}

#[test]
fn answers_of_table_1() {
    use NaiveAnswer::{Fails, Proved};
    let answer = |model: &str, error: &str, kinds: &[InvariantKind]| {
        let system = case(model);
        let formula = system.error_named(error).expect("a known error").formula;
        decide(&system, &formula, kinds, &DeadSet::new())
    };
    let traps = [InvariantKind::TRAP];
    assert_eq!(answer("table1/token-ring.rs", "deadlock", &traps), Proved);
    assert!(matches!(answer("table1/token-ring.rs", "critical", &traps), Fails { .. }));
    assert_eq!(answer("table1/token-ring.rs", "critical", &PAPER), Proved);
    assert_eq!(answer("table1/token-ring-generic.rs", "critical", &PAPER), Fails { size: 3 });
    assert_eq!(answer("table1/star.rs", "deadlock", &traps), Proved);
    assert_eq!(answer("more/ring-lossy.rs", "deadlock", &PAPER), Fails { size: 2 });
}

#[test]
fn agrees_with_all_subsets_of_places() {
    let mut decided = [0, 0];
    for seed in 0..400 {
        let Some((text, system)) = random::system(seed) else { continue };
        let kinds = some_kinds(&mut Random::new(seed));
        for error in errors(&system) {
            let answer = decide(&system, &error.formula, &kinds, &DeadSet::new());
            let (smallest, last) = by_subsets(&system, &error.formula, &kinds, &DeadSet::new(), 4);
            let about = format!("seed {seed}, {} by {kinds:?}:\n{text}", error.name);
            match (answer, smallest) {
                (NaiveAnswer::TooBig, _) => continue,
                (NaiveAnswer::Proved, found) => assert_eq!(found, None, "{about}"),
                (NaiveAnswer::Fails { size }, Some(found)) => assert_eq!(size, found, "{about}"),
                (NaiveAnswer::Fails { size }, None) => assert!(size > last, "fails at {size}; {about}"),
            }
            decided[usize::from(answer == NaiveAnswer::Proved)] += 1;
        }
    }
    assert!(decided.iter().all(|&count| count > 100), "failing and proved: {decided:?}");
}

#[test]
fn what_is_proved_is_not_reached() {
    let mut proved = 0;
    for seed in 1000..1400 {
        let Some((text, system)) = random::system(seed) else { continue };
        let kinds = some_kinds(&mut Random::new(seed));
        for error in errors(&system) {
            if decide(&system, &error.formula, &kinds, &DeadSet::new()) == NaiveAnswer::Proved {
                let outcome = search_instances(&system, &error.formula, 1..=5, 20_000, &Budget::unlimited());
                assert_ne!(outcome.end, InstancesEnd::Reached, "seed {seed}, {}:\n{text}", error.name);
                proved += 1;
            }
        }
    }
    assert!(proved > 100, "{proved}");
}

#[test]
fn dead_interactions_are_found_and_help() {
    // A token goes round and is lost when the flag is up, which it never is. No trap survives `lose`;
    // the siphon "up" shows that it never fires, and without it the token's trap is one.
    let model = system(
        "component Node { states idle, busy; init idle; idle -in-> busy; busy -out-> idle; busy -lose-> idle; }
         component Flag { states down, up; init down; up -ok-> down; }
         Ring() <- new x, y, f . <out(y) in(x) + lose(x) ok(f)> (Flag(f), Chain(x, y));
         Chain(x, y) <- <out(x) in(y)> (Node(x), Node[busy](y));
         Chain(x, y) <- new z . <out(x) in(z)> (Node(x), Chain(z, y));
         error lost = #busy == 0;",
    );
    let lost = model.error_named("lost").unwrap().formula;
    let kinds = [InvariantKind::TRAP, InvariantKind::SIPHON];
    assert_eq!(decide(&model, &lost, &kinds, &DeadSet::new()), NaiveAnswer::Fails { size: 3 });
    let dead = dead_interactions(&model, &kinds).expect("small enough");
    assert_eq!(dead.len(), 1);
    assert_eq!(decide(&model, &lost, &kinds, &dead), NaiveAnswer::Proved);
    assert_eq!(by_subsets(&model, &lost, &kinds, &dead, 4).0, None);
    assert_eq!(by_subsets(&model, &lost, &kinds, &DeadSet::new(), 4).0, Some(3));
}

#[test]
fn dead_interactions_never_fire() {
    let mut found = 0;
    for seed in 2000..2150 {
        let Some((text, system)) = random::system(seed) else { continue };
        let Some(dead) = dead_interactions(&system, &PAPER) else { continue };
        found += usize::from(!dead.is_empty());
        for size in 1..=4 {
            for tree in trees(&system, size).take(20) {
                let net = unfold(&system, &tree);
                let is_dead = |transition| {
                    let transition = &net.transitions()[transition];
                    let types = transition.moves.iter();
                    let locals =
                        types.map(|m| (net.components()[m.component].component_type, m.transition)).collect();
                    transition.interaction.is_some_and(|id| dead.contains(&(transition.rule, id, locals)))
                };
                let goal = |marking: &Marking| net.enabled(marking).any(is_dead);
                let outcome = paramcheck::explore::search::search(&net, goal, 10_000, &Budget::unlimited());
                let is_reached =
                    matches!(outcome, paramcheck::explore::search::SearchOutcome::Reached { .. });
                assert!(!is_reached, "seed {seed}:\n{text}");
            }
        }
    }
    assert!(found > 10, "{found}");
}
