//! Random systems of agents: no answer is at odds with its recheck by the rules.
#![allow(clippy::expect_used, clippy::panic)]

use paramcheck_labs::model::{Modality, Property, System};
use paramcheck_labs::number::Width;
use paramcheck_labs::semantics::step::{Fairness, Rules, Schedule, Semantics};
use paramcheck_labs::{Parameters, load};
use paramcheck_verdict::Status;
use paramcheck_verdict::labs::{NoStart, Options, Proof, decide};

#[path = "../../labs/tests/support/random.rs"]
mod random;

fn seeds() -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let long = if std::env::var_os("PARAMCHECK_LONG").is_some() { 1_000 } else { 30 };
    let first = number("PARAMCHECK_SEED").unwrap_or(0);
    first..first + number("PARAMCHECK_SYSTEMS").unwrap_or(long)
}

fn rules(seed: u64) -> Rules {
    let mut chance = random::Chance::new(seed ^ 0xaaaa);
    let schedule = [Schedule::Free, Schedule::RoundRobin, Schedule::StrictTurns][chance.below(3) as usize];
    let fairness = match schedule {
        Schedule::Free => [Fairness::None, Fairness::Weak, Fairness::Strong][chance.below(3) as usize],
        Schedule::RoundRobin | Schedule::StrictTurns => Fairness::None,
    };
    let semantics = if chance.below(3) == 0 { Semantics::Sliver } else { Semantics::Paper };
    let width = Width::new(8).expect("a width");
    let width = if chance.below(3) == 0 { width.wrapping() } else { width };
    Rules { semantics, schedule, fairness, is_sync: chance.below(4) == 0, width }
}

/// The questions of a system, and each formula with every other modality.
fn properties(system: &System) -> Vec<Property> {
    let others = [
        Modality::Always,
        Modality::Eventually { is_finally: false },
        Modality::Fairly,
        Modality::FairlyInfinite,
    ];
    let with = |property: &Property| {
        let property = property.clone();
        others.clone().map(|modality| Property { modality, ..property.clone() })
    };
    system.properties.iter().cloned().chain(system.properties.iter().flat_map(with)).collect()
}

#[test]
fn no_answer_is_at_odds_with_its_recheck() {
    let (mut proved, mut values, mut closed) = (0, 0, 0);
    for seed in seeds() {
        let text = random::system(seed);
        let what = format!("seed {seed}, {:?}\n{text}", rules(seed));
        let system = load(&text, &Parameters::new()).system.expect("it has a meaning");
        let options = Options { max_states: 5_000, ..Options::default() };
        let properties = properties(&system);
        let decision = match decide(&system, &properties, rules(seed), &options) {
            Ok(decision) => decision,
            Err(NoStart::NoInitialState | NoStart::Assumption(_) | NoStart::OutOfRange(..)) => continue,
            Err(reason) => panic!("{what}{reason}"),
        };
        for answer in decision.answers {
            assert_eq!(answer.bug, None, "{what}{}", answer.property);
            match answer.status {
                Status::Proved(Proof::Rechecked) => proved += 1,
                Status::Proved(Proof::Values) => values += 1,
                Status::Violated(violation) => {
                    closed += usize::from(violation.closed.is_some_and(|closed| closed.is_rechecked));
                }
                Status::Proved(Proof::Explored) | Status::Unknown(_) => {}
            }
        }
    }
    if std::env::var_os("PARAMCHECK_SYSTEMS").is_none() {
        assert!(proved > 10 && values > 1 && closed > 5, "{proved} {values} {closed}");
    }
}
