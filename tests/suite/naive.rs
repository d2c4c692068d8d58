//! Tests of the naive twin itself: against all subsets of places, and against exploration.

use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::component::StateId;
use paramcheck_model::error::ErrorFormula;
use paramcheck_model::system::System;
use paramcheck_nets::explore::sweep::Sweep;
use paramcheck_nets::instance::enumerate::trees;
use paramcheck_nets::instance::marking::{ErrorCheck, Marking};
use paramcheck_nets::instance::net::Net;
use paramcheck_nets::instance::unfold::unfold;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Budget;

use super::support::naive::{DeadSet, NaiveAnswer, dead_interactions, decide, decide_all, product};
use super::support::random::Random;
use super::support::subsets::{all_invariants, in_all, in_all_invariants};
use super::support::{case, errors, expected, random, reaches, seeds, system};

const PAPER: [InvariantKind; 2] = [InvariantKind::TRAP, InvariantKind::MUTEX];

/// All markings of a net, reachable or not.
fn markings(net: &Net) -> Vec<Marking> {
    let states = net.components().iter().map(|c| (0..c.state_count).map(StateId::new).collect());
    product(states.collect()).into_iter().map(|states| states.into_iter().collect()).collect()
}

/// An instance and its invariants, as sets of places.
type Known = (Net, Vec<(InvariantKind, u32)>);

/// All instances of some sizes with their invariants, found by trying all subsets of their places.
struct Instances {
    /// Per size from 1.
    sizes: Vec<Vec<Known>>,
}

impl Instances {
    /// Up to `last` components, as far as the instances of a size are few and small.
    fn new(system: &System, kinds: &[InvariantKind], dead: &DeadSet, last: usize) -> Instances {
        let of_size = |size| {
            let nets: Vec<Net> = trees(system, size).take(13).map(|tree| unfold(system, &tree)).collect();
            let is_small = nets.len() <= 12 && nets.iter().all(|net| net.place_count() <= 9);
            let invariants = |net: Net| {
                let invariants = all_invariants(&net, kinds, dead);
                (net, invariants)
            };
            is_small.then(|| nets.into_iter().map(invariants).collect())
        };
        Instances { sizes: (1..=last).map_while(of_size).collect() }
    }

    /// The smallest size at which some instance has a marking in the error and in all invariants.
    fn smallest(&self, system: &System, formula: &ErrorFormula) -> Option<usize> {
        let fails = |(net, invariants): &Known| {
            let check = ErrorCheck::new(system, net, formula);
            markings(net).iter().any(|m| check.holds(net, m) == Some(true) && in_all(net, invariants, m))
        };
        self.sizes.iter().position(|nets| nets.iter().any(fails)).map(|position| position + 1)
    }
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
fn answers_of_the_corpus() {
    let mut decided = 0;
    for folder in ["table1", "more", "classic"] {
        for (model, error, entry) in expected(folder) {
            let system = case(&model);
            let formula = system.error_named(&error).expect("a known error").formula;
            let about = format!("{model} {error}");
            let mut ask = |kinds: &[InvariantKind]| {
                let answer = decide(&system, &formula, kinds, &DeadSet::new());
                decided += usize::from(answer != NaiveAnswer::TooBig);
                answer
            };
            let by_both = ask(&PAPER);
            match (by_both, entry["smallest_size"].as_u64()) {
                (NaiveAnswer::Fails { size }, Some(smallest)) => {
                    assert!(size <= smallest as usize, "{about}")
                }
                (NaiveAnswer::Proved, smallest) => assert_eq!(smallest, None, "{about}"),
                _ => {}
            }
            // Our mutexes prove more than those that "alone" speaks of; traps are the same.
            let alone = &entry["alone"];
            if alone["trap+mutex"] == true {
                assert!(!matches!(by_both, NaiveAnswer::Fails { .. }), "{about}: {by_both:?}");
            }
            if let Some(suffices) = alone["trap"].as_bool() {
                match ask(&[InvariantKind::TRAP]) {
                    NaiveAnswer::TooBig => {}
                    by_traps => assert_eq!(by_traps == NaiveAnswer::Proved, suffices, "{about} by traps"),
                }
            }
        }
    }
    assert!(decided > 60, "{decided}");
}

#[test]
fn a_second_token_is_outside_of_some_invariant() {
    let ring = case("table1/token-ring.rs");
    let net = unfold(&ring, &trees(&ring, 3).next().unwrap());
    let (idle, busy) = (StateId::new(0), StateId::new(1));
    let marking = |states: [StateId; 3]| states.into_iter().collect::<Marking>();
    assert!(in_all_invariants(&net, &marking([busy, idle, idle]), &PAPER));
    assert!(in_all_invariants(&net, &marking([busy, busy, idle]), &[InvariantKind::TRAP]));
    assert!(!in_all_invariants(&net, &marking([busy, busy, idle]), &[InvariantKind::MUTEX]));
    assert!(!in_all_invariants(&net, &marking([idle, idle, idle]), &[InvariantKind::TRAP]));
}

#[test]
fn reachable_markings_are_in_all_invariants() {
    for seed in seeds(60, 60) {
        let Some((text, system)) = random::system(seed) else { continue };
        for size in 1..=4 {
            for tree in trees(&system, size).take(3) {
                let net = unfold(&system, &tree);
                if net.place_count() <= 9 {
                    let invariants = all_invariants(&net, &InvariantKind::all_up_to(2), &DeadSet::new());
                    let outside = |marking: &Marking| !in_all(&net, &invariants, marking);
                    assert!(!reaches(&net, 10_000, outside), "seed {seed}:\n{text}");
                }
            }
        }
    }
}

#[test]
fn agrees_with_all_subsets_of_places() {
    let mut decided = [0, 0];
    for seed in seeds(200, 200) {
        let Some((text, system)) = random::system(seed) else { continue };
        let kinds = some_kinds(&mut Random::new(seed));
        let errors = errors(&system);
        let formulas = errors.iter().map(|error| &error.formula);
        let answers = decide_all(&system, formulas, &kinds, &DeadSet::new());
        let instances = Instances::new(&system, &kinds, &DeadSet::new(), 4);
        for (error, answer) in errors.iter().zip(answers) {
            let smallest = instances.smallest(&system, &error.formula);
            let about = format!("seed {seed}, {} by {kinds:?}:\n{text}", error.name);
            match (answer, smallest) {
                (NaiveAnswer::TooBig, _) => continue,
                (NaiveAnswer::Proved, found) => assert_eq!(found, None, "{about}"),
                (NaiveAnswer::Fails { size }, Some(found)) => assert_eq!(size, found, "{about}"),
                (NaiveAnswer::Fails { size }, None) => {
                    assert!(size > instances.sizes.len(), "fails at {size}; {about}")
                }
            }
            decided[usize::from(answer == NaiveAnswer::Proved)] += 1;
        }
    }
    assert!(decided.iter().all(|&count| count > 50), "failing and proved: {decided:?}");
}

#[test]
fn what_is_proved_is_not_reached() {
    let mut proved = 0;
    for seed in seeds(150, 150) {
        let Some((text, system)) = random::system(seed) else { continue };
        let kinds = some_kinds(&mut Random::new(seed));
        let errors = errors(&system);
        let formulas = errors.iter().map(|error| &error.formula);
        let answers = decide_all(&system, formulas, &kinds, &DeadSet::new());
        for (error, answer) in errors.iter().zip(answers) {
            if answer == NaiveAnswer::Proved {
                let found = Sweep::search(&system, &error.formula, 1..=5, 2_000).find(&Budget::unlimited());
                assert!(found.is_none(), "seed {seed}, {}:\n{text}", error.name);
                proved += 1;
            }
        }
    }
    assert!(proved > 50, "{proved}");
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
    assert_eq!(Instances::new(&model, &kinds, &dead, 4).smallest(&model, &lost), None);
    assert_eq!(Instances::new(&model, &kinds, &DeadSet::new(), 4).smallest(&model, &lost), Some(3));
}

#[test]
fn dead_interactions_never_fire() {
    let mut found = 0;
    for seed in seeds(60, 60) {
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
                let fires = reaches(&net, 10_000, |marking| net.enabled(marking).any(is_dead));
                assert!(!fires, "seed {seed}:\n{text}");
            }
        }
    }
    assert!(found > 5, "{found}");
}
