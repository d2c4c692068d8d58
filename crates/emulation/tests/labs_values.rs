//! Random systems of agents: the values that the analysis gives to cells, and the rules on process terms.
#![allow(clippy::expect_used, clippy::panic)]

use paramcheck_emulation::labs::engine::Engine;
use paramcheck_labs::model::{Expr, System};
use paramcheck_labs::semantics::domain::Domain;
use paramcheck_labs::semantics::explore::{Space, explore};
use paramcheck_labs::semantics::inductive::{Refusal, implies};
use paramcheck_labs::semantics::step::{Rules, Schedule, Semantics};
use paramcheck_labs::{Parameters, load};
use paramcheck_text::limits::Budget;

#[path = "../../labs/tests/support/random.rs"]
mod random;

/// How many states are listed by the rules.
const MOST_STATES: usize = 300;
/// How many looks at the budget a check may take.
const WORK: u64 = 200;

fn first_and_last_seed() -> (u64, u64) {
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let long = if std::env::var_os("PARAMCHECK_LONG").is_some() { 3_000 } else { 150 };
    let first = number("PARAMCHECK_SEED").unwrap_or(0);
    (first, first + number("PARAMCHECK_SYSTEMS").unwrap_or(long))
}

fn rules(seed: u64) -> Rules {
    Rules {
        semantics: if seed.is_multiple_of(3) { Semantics::Sliver } else { Semantics::Paper },
        schedule: if seed.is_multiple_of(4) { Schedule::RoundRobin } else { Schedule::Free },
        is_sync: seed.is_multiple_of(5),
        ..Rules::default()
    }
}

fn sets(engine: &Engine<'_>) -> Vec<Domain> {
    let values = engine.values().iter();
    values.map(|set| Domain::new(set.intervals().iter().copied(), set.is_undefined)).collect()
}

fn checked(system: &System, rules: Rules, sets: Vec<Domain>, formula: &Expr) -> Result<(), Refusal> {
    implies(system, rules, sets, formula, &Budget::unlimited().with_work(WORK))
}

/// Without a value that a cell has in some state, the sets are refused; how many were.
fn assert_refused_without_values(
    what: &str,
    system: &System,
    rules: Rules,
    sets: &[Domain],
    space: &Space,
) -> usize {
    let mut refused = 0;
    for cell in 0..sets.len() {
        let reached = space.states.iter().map(|state| state.store.cells[cell]);
        let Some(value) = reached.max() else { continue };
        let mut planted = sets.to_vec();
        let one = Domain::new(value.map(|value| (value, value)), value.is_none());
        planted[cell] = planted[cell].without(&one);
        let found = checked(system, rules, planted, &Expr::Number(1));
        assert!(found.is_err(), "{what}cell {cell} without {value:?} was accepted");
        refused += usize::from(!matches!(found, Err(Refusal::Stopped(_) | Refusal::TooMuch)));
    }
    refused
}

#[test]
fn values_are_inductive_and_wrong_ones_are_refused() {
    let (mut accepted, mut refused) = (0, 0);
    let (first, last) = first_and_last_seed();
    for seed in first..last {
        let text = random::system(seed);
        let what = format!("seed {seed}, {:?}\n{text}", rules(seed));
        let system = load(&text, &Parameters::new()).system.expect("it has a meaning");
        let rules = rules(seed);
        let Ok(engine) = Engine::new(&system, rules, &Budget::unlimited()) else { continue };
        let sets = sets(&engine);
        match checked(&system, rules, sets.clone(), &Expr::Number(1)) {
            Ok(()) => accepted += 1,
            // On values that go together in no state the language may be left; assumptions may have no value.
            Err(Refusal::Fault | Refusal::TooMuch | Refusal::Stopped(_) | Refusal::Initial(None)) => continue,
            Err(wrong) => panic!("{what}the analysis is wrong, or its check: {wrong:?}"),
        }
        let found = explore(&system, rules, MOST_STATES, &Budget::unlimited(), |_| false);
        let Ok(space) = found else { continue };
        assert!(space.fault.is_none(), "{what}a run leaves the language");
        for state in &space.states {
            let outside = state.store.cells.iter().zip(&sets).position(|(value, set)| !set.has(*value));
            assert_eq!(outside, None, "{what}{state:?}");
        }
        assert_eq!(checked(&system, rules, sets.clone(), &Expr::Number(0)), Err(Refusal::Formula), "{what}");
        refused += assert_refused_without_values(&what, &system, rules, &sets, &space);
    }
    if std::env::var_os("PARAMCHECK_SYSTEMS").is_none() {
        assert!(accepted > 10 && refused > 20, "{accepted} accepted, {refused} refused");
    }
}
