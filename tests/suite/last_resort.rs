//! The last resort: sets with weights, against trying all weights on small nets; states that exclude each
//! other.

use paramcheck::report::{Answer, build};
use paramcheck_certificate::check;
use paramcheck_certificate::data::{Certificate, ExclusivePair};
use paramcheck_invariants::direct::{Direct, Outcome};
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::component::StateId;
use paramcheck_nets::instance::enumerate::trees;
use paramcheck_nets::instance::marking::{ErrorCheck, Marking, from_tree};
use paramcheck_nets::instance::net::Net;
use paramcheck_nets::instance::unfold::unfold;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Budget;
use paramcheck_verdict::{InvariantChoice, Options, Status, decide};

use super::support::{self, NoScout, naive::product, random, reaches};

/// More weightings of a net are not tried.
const MAX_WEIGHTINGS: usize = 20_000;

/// So large a bound that no sum over a small net exceeds it.
const LINEAR: InvariantKind = InvariantKind::Linear(16);

/// All weights of places that every transition of the net keeps; `None` if they are too many to try.
fn invariants(net: &Net, kind: InvariantKind) -> Option<Vec<Vec<i8>>> {
    let count = kind.weights().count().checked_pow(net.place_count() as u32)?;
    if count > MAX_WEIGHTINGS {
        return None;
    }
    let mut all = product(vec![kind.weights().collect(); net.place_count()]);
    all.retain(|weights: &Vec<i8>| {
        let weight = |component, state| i64::from(weights[net.place(component, state)]);
        net.transitions().iter().all(|transition| {
            let pre = transition.moves.iter().map(|m| weight(m.component, m.from)).sum();
            let post = transition.moves.iter().map(|m| weight(m.component, m.to)).sum();
            kind.admits_transition(pre, post)
        })
    });
    Some(all)
}

fn is_refuted(net: &Net, kind: InvariantKind, invariants: &[Vec<i8>], marking: &Marking) -> bool {
    invariants.iter().any(|weights| {
        let weigh = |marking: &Marking| {
            marking.enumerate().map(|(id, &state)| i64::from(weights[net.place(id, state)])).sum()
        };
        kind.refutes(weigh(&net.initial()), weigh(marking))
    })
}

fn markings(net: &Net) -> impl Iterator<Item = Marking> {
    let states = net.components().iter().map(|c| (0..c.state_count).map(StateId::new).collect());
    product(states.collect()).into_iter().map(|states: Vec<StateId>| states.into_iter().collect())
}

/// What is proved is refuted in every small net by some weights, and not reached; a candidate is refuted by
/// none.
#[test]
fn the_engine_finds_weights_exactly_where_there_are_some() {
    let (mut proved, mut open) = (0, 0);
    for seed in support::seeds(60, 60) {
        let Some((text, system)) = random::system(seed) else { continue };
        for (kind, error) in [LINEAR, InvariantKind::Modulo(3)]
            .into_iter()
            .flat_map(|kind| support::errors(&system).into_iter().map(move |error| (kind, error)))
        {
            let place = || format!("seed {seed}, {} by {kind}\n{text}", error.name);
            let only = InvariantChoice::only([kind]);
            let outcome = Direct::new(&system).decide(&error, &only, &mut NoScout, &Budget::unlimited());
            match outcome {
                Outcome::Proved { .. } => {
                    for net in
                        (1..=3).flat_map(|size| trees(&system, size)).map(|tree| unfold(&system, &tree))
                    {
                        let check = ErrorCheck::new(&system, &net, &error.formula);
                        let is_error = |marking: &Marking| check.holds(&net, marking);
                        let found = reaches(&net, 5_000, |marking| is_error(marking) == Some(true));
                        assert!(!found, "{}", place());
                        let Some(invariants) = invariants(&net, kind) else { continue };
                        for marking in markings(&net).filter(|marking| is_error(marking) == Some(true)) {
                            assert!(is_refuted(&net, kind, &invariants, &marking), "{}", place());
                            proved += 1;
                        }
                    }
                }
                Outcome::Candidate { tree, marking, .. } => {
                    let net = unfold(&system, &tree);
                    let marking = from_tree(&net, &marking).expect("a marking");
                    let Some(invariants) = invariants(&net, kind) else { continue };
                    assert!(!is_refuted(&net, kind, &invariants, &marking), "{}", place());
                    open += 1;
                }
                other => panic!("{other:?}: {}", place()),
            }
        }
    }
    assert!(proved > 20 && open > 50, "{proved} and {open}: too few to mean much");
}

/// Whatever the last resort proves, no small instance reaches; and it takes no proof away.
#[test]
fn the_last_resort_only_adds_proofs() {
    // Sets that rarely prove anything leave something to prove.
    let with = InvariantChoice {
        stages: vec![vec![InvariantKind::Exactly(2)]],
        dead_interactions: true,
        last_resort: vec![InvariantKind::LINEAR, InvariantKind::Modulo(3)],
        exclusive: true,
    };
    let without = InvariantChoice { last_resort: vec![], exclusive: false, ..with.clone() };
    let (mut proved, mut more) = (0, 0);
    for seed in support::seeds(30, 30) {
        let Some((text, system)) = random::system(seed) else { continue };
        for error in support::errors(&system) {
            let [with, without] = [&with, &without].map(|invariants| {
                let options =
                    Options { max_states: 2_000, invariants: invariants.clone(), ..Options::default() };
                let answer = decide(&system, &error, &options);
                answer.unwrap_or_else(|bug| panic!("seed {seed}, {}: {bug}\n{text}", error.name)).status
            });
            let is_proved = |status: &Status| matches!(status, Status::Proved(_));
            if is_proved(&without) {
                proved += 1;
                assert!(is_proved(&with), "seed {seed}, {}\n{text}", error.name);
            } else if let Status::Proved(by) = with {
                more += 1;
                assert!(by.invariants.iter().any(|kind| kind.is_weighted()), "{:?}", by.invariants);
                for net in (1..=3).flat_map(|size| trees(&system, size)).map(|tree| unfold(&system, &tree)) {
                    let check = ErrorCheck::new(&system, &net, &error.formula);
                    let found = reaches(&net, 20_000, |marking| check.holds(&net, marking) == Some(true));
                    assert!(!found, "seed {seed}, {}\n{text}", error.name);
                }
            }
        }
    }
    assert!(proved > 20 && more > 3, "{proved} and {more}: too few to mean much");
}

/// Couples are kept by a sum of weights and by no set of places.
#[test]
fn what_no_set_of_places_says() {
    let system = support::case("classic/unknown-pairs.rs");
    for error in support::errors(&system) {
        let by = |invariants: InvariantChoice| {
            let options = Options { max_states: 1_000, invariants, ..Options::default() };
            match decide(&system, &error, &options).expect("no bug").status {
                Status::Proved(proved) => Some(proved.invariants),
                _ => None,
            }
        };
        assert_eq!(by(InvariantChoice { last_resort: vec![], ..InvariantChoice::default() }), None);
        assert_eq!(by(InvariantChoice::default()), Some(vec![InvariantKind::LINEAR]));
        assert_eq!(
            by(InvariantChoice::only([InvariantKind::Linear(1)])),
            Some(vec![InvariantKind::Linear(1)])
        );
        assert_eq!(by(InvariantChoice::only([InvariantKind::Modulo(3)])), None);
    }
}

/// That no message of the alternating bit protocol is lost is seen from pairs of states, which rest on each
/// other.
#[test]
fn what_no_single_set_says() {
    let system = support::case("classic/abp-chain.rs");
    let error = system.error_named("forbidden").expect("the error is defined");
    let options = Options { max_states: 1_000, ..Options::default() };
    let Status::Proved(proved) = decide(&system, &error, &options).expect("no bug").status else {
        panic!("not proved");
    };
    let certificate = proved.certificate.expect("a certificate");
    assert!(proved.exclusive > 0 && proved.exclusive == certificate.exclusive.len());
    let is_accepted =
        |certificate: &Certificate| check::check(&system, &error, certificate, &Budget::unlimited()).is_ok();
    assert!(is_accepted(&certificate));
    // The same, selected by name; without the name it is not used, and `tried` shows the difference.
    let by = |kinds: &[InvariantKind], exclusive| {
        let invariants = InvariantChoice { exclusive, ..InvariantChoice::only(kinds.iter().copied()) };
        let options = Options { max_states: 1_000, invariants, ..Options::default() };
        let verdict = decide(&system, &error, &options).expect("no bug");
        let question = build::question(&system, &verdict);
        (question.verdict, question.exclusive_pairs > 0, question.tried)
    };
    let kinds = if proved.invariants.is_empty() { vec![InvariantKind::TRAP] } else { proved.invariants };
    assert_eq!(by(&kinds, true), (Answer::Proved, true, vec![]));
    let names: Vec<String> = kinds.iter().map(InvariantKind::to_string).collect();
    assert_eq!(by(&kinds, false), (Answer::Unknown, false, names));
    assert!(!is_accepted(&Certificate { exclusive: vec![], ..certificate.clone() }));
    // Sender and receiver disagree: that this never happens can't be seen from this pair alone.
    let states = |pair: &ExclusivePair| [pair.first.state.clone(), pair.second.state.clone()];
    let wanted = ["s1", "r0"].map(str::to_owned);
    let alone: Vec<_> = certificate.exclusive.iter().filter(|pair| states(pair) == wanted).cloned().collect();
    assert_eq!(alone.len(), 2, "one for each rule of a hop: {:?}", certificate.exclusive);
    assert!(!is_accepted(&Certificate { exclusive: alone, ..certificate }));
}

/// States that exclude each other, selected by name: what they add to a proof no small instance reaches, they
/// take none away, and where they don't help `tried` reports that they were tried.
#[test]
fn exclusive_states_only_add_proofs() {
    let (mut proved, mut more, mut open) = (0, 0, 0);
    for seed in support::seeds(120, 120) {
        let Some((text, system)) = random::system(seed) else { continue };
        for error in support::errors(&system) {
            let [with, without] = [true, false].map(|exclusive| {
                let invariants =
                    InvariantChoice { exclusive, ..InvariantChoice::only([InvariantKind::Exactly(2)]) };
                let options = Options { max_states: 2_000, invariants, ..Options::default() };
                let verdict = decide(&system, &error, &options);
                let verdict =
                    verdict.unwrap_or_else(|bug| panic!("seed {seed}, {}: {bug}\n{text}", error.name));
                build::question(&system, &verdict)
            });
            let place = || format!("seed {seed}, {}\n{text}", error.name);
            assert!(
                !without.tried.contains(&"exclusive".to_owned()) && without.exclusive_pairs == 0,
                "{}",
                place()
            );
            match (without.verdict, with.verdict) {
                (Answer::Proved, _) => {
                    proved += 1;
                    assert_eq!(with.verdict, Answer::Proved, "{}", place());
                }
                (_, Answer::Proved) => {
                    more += 1;
                    assert!(with.exclusive_pairs > 0, "{}", place());
                    for net in
                        (1..=3).flat_map(|size| trees(&system, size)).map(|tree| unfold(&system, &tree))
                    {
                        let check = ErrorCheck::new(&system, &net, &error.formula);
                        let found = reaches(&net, 20_000, |marking| check.holds(&net, marking) == Some(true));
                        assert!(!found, "{}", place());
                    }
                }
                (_, Answer::Unknown) => {
                    open += 1;
                    assert_eq!(with.tried, ["exactly:2", "exclusive"], "{}", place());
                }
                (_, Answer::Violated) => {}
            }
        }
    }
    assert!(proved > 5 && more > 0 && open > 3, "{proved}, {more} and {open}: too few to mean much");
}
