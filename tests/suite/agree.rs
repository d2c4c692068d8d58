//! The direct engine against its naive twin and against exhaustive exploration, on random systems.
//!
//! See [`support::scale`] for how many. Whatever fails prints the seed and the system.

use paramcheck_invariants::direct::{Direct, Outcome};
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_nets::explore::engine::End;
use paramcheck_nets::explore::sweep::Sweep;
use paramcheck_text::limits::Budget;
use paramcheck_verdict::{InvariantChoice, Options, Status, decide};

use super::support::scale::count;
use super::support::{self, NoScout, naive, random};

fn choices() -> Vec<Vec<InvariantKind>> {
    use InvariantKind as Kind;
    let single = Kind::all_up_to(2).into_iter().map(|kind| vec![kind]);
    single.chain([vec![Kind::TRAP, Kind::MUTEX], Kind::all_up_to(2)]).collect()
}

/// Same verdict, and where it is open a candidate of the same size, for every kind of invariant.
#[test]
fn engine_agrees_with_its_naive_twin() {
    let mut compared = 0;
    for seed in support::seeds(60, 300) {
        let Some((text, system)) = random::system(seed) else { continue };
        let errors = support::errors(&system);
        for kinds in choices() {
            let formulas = errors.iter().map(|error| &error.formula);
            let twin = naive::decide_all(&system, formulas, &kinds, &naive::DeadSet::new());
            for (error, naive) in errors.iter().zip(twin) {
                if naive == naive::NaiveAnswer::TooBig {
                    continue;
                }
                let invariants = InvariantChoice::only(kinds.iter().copied());
                let direct =
                    Direct::new(&system).decide(error, &invariants, &mut NoScout, &Budget::unlimited());
                let direct = match direct {
                    Outcome::Proved { .. } => naive::NaiveAnswer::Proved,
                    Outcome::Candidate { tree, .. } => naive::NaiveAnswer::Fails { size: tree.size() },
                    other => panic!("seed {seed}: {other:?}\n{text}"),
                };
                assert_eq!(direct, naive, "seed {seed}, {} with {kinds:?}\n{text}", error.name);
                compared += 1;
            }
        }
    }
    assert!(compared > count(50, 500), "only {compared} questions were small enough to compare");
}

/// With dead interactions dropped the engine proves just what its twin proves.
#[test]
fn dead_interactions_agree_with_the_naive_twin() {
    let kinds = InvariantKind::all_up_to(2);
    let invariants =
        InvariantChoice { dead_interactions: true, ..InvariantChoice::only(kinds.iter().copied()) };
    let mut compared = 0;
    for seed in support::seeds(150, 150) {
        let Some((text, system)) = random::system(seed) else { continue };
        let Some(dead) = naive::dead_interactions(&system, &kinds) else { continue };
        for error in support::errors(&system) {
            let naive = naive::decide(&system, &error.formula, &kinds, &dead);
            let direct = Direct::new(&system).decide(&error, &invariants, &mut NoScout, &Budget::unlimited());
            let proved = matches!(direct, Outcome::Proved { .. });
            if naive != naive::NaiveAnswer::TooBig {
                assert_eq!(
                    proved,
                    naive == naive::NaiveAnswer::Proved,
                    "seed {seed}, {}\n{text}",
                    error.name
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 50, "only {compared} questions were small enough to compare");
}

/// What is proved is not reached in any small instance; what is violated was replayed. Certificates are
/// rechecked and traces replayed by `decide` itself: a fault would be an internal bug.
#[test]
fn verdicts_survive_exploration() {
    let (mut proved, mut violated) = (0, 0);
    for seed in support::seeds(300, 300) {
        let Some((text, system)) = random::system(seed) else { continue };
        for error in support::errors(&system) {
            let options =
                Options { max_states: 2_000, invariants: InvariantChoice::default(), ..Options::default() };
            let verdict = match decide(&system, &error, &options) {
                Ok(verdict) => verdict,
                Err(bug) => panic!("seed {seed}, {}: {bug}\n{text}", error.name),
            };
            let mut sweep = Sweep::search(&system, &error.formula, 1..=5, 20_000);
            let found = sweep.find(&Budget::unlimited());
            match verdict.status {
                Status::Proved(_) => {
                    proved += 1;
                    assert_ne!(
                        sweep.end(),
                        Some(End::Reached),
                        "seed {seed}, {}: proved, but reached\n{text}",
                        error.name
                    );
                }
                Status::Violated(reached) => {
                    violated += 1;
                    if let Some(other) = found {
                        assert_eq!(
                            reached.tree.size(),
                            other.tree.size(),
                            "seed {seed}, {}: not the smallest\n{text}",
                            error.name
                        );
                    }
                }
                Status::Unknown(_) => {}
            }
        }
    }
    assert!(proved > 50 && violated > 50, "{proved} proved and {violated} violated: too few to mean much");
}
