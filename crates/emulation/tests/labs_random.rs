//! Random systems of agents: the packed engine, and the rules on process terms.
#![allow(clippy::expect_used, clippy::panic)]

use paramcheck_emulation::labs::Unfit;
use paramcheck_emulation::labs::engine::{Engine, Evidence, Options, Outcome};
use paramcheck_emulation::labs::reduce::Reductions;
use paramcheck_emulation::labs::reduce::symmetry::is_symmetric;
use paramcheck_emulation::labs::simulate::End;
use paramcheck_labs::model::{Expr, Modality, Property, System};
use paramcheck_labs::number::Width;
use paramcheck_labs::semantics::check::{Answer, decide};
use paramcheck_labs::semantics::explore::{NoSpace, Space, explore, holds_in};
use paramcheck_labs::semantics::step::{Fairness, Rules, Schedule, Semantics, State, Stepper};
use paramcheck_labs::{Parameters, load};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::limits::Budget;

#[path = "../../labs/tests/support/random.rs"]
mod random;

/// How many states are listed by the rules; larger systems are left out.
const MOST_STATES: usize = 1_500;

/// What may be left out: nothing, messages, and agents that are alike as well.
const REDUCTIONS: [Reductions; 4] = [
    Reductions::NONE,
    Reductions { messages: true, symmetry: false },
    Reductions { messages: false, symmetry: true },
    Reductions { messages: true, symmetry: true },
];

fn systems() -> u64 {
    let wanted = std::env::var("PARAMCHECK_SYSTEMS").ok().and_then(|number| number.parse().ok());
    wanted.unwrap_or(if std::env::var_os("PARAMCHECK_LONG").is_some() { 3_000 } else { 150 })
}

fn first_seed() -> u64 {
    std::env::var("PARAMCHECK_SEED").ok().and_then(|number| number.parse().ok()).unwrap_or(0)
}

fn rules(seed: u64) -> Rules {
    let mut chance = random::Chance::new(seed ^ 0x5555);
    let semantics = if chance.below(3) == 0 { Semantics::Sliver } else { Semantics::Paper };
    let schedule = match chance.below(5) {
        0 => Schedule::StrictTurns,
        1 | 2 => Schedule::RoundRobin,
        _ => Schedule::Free,
    };
    let fairness = match (schedule, chance.below(3)) {
        (Schedule::Free, 0) => Fairness::Weak,
        (Schedule::Free, 1) => Fairness::Strong,
        _ => Fairness::None,
    };
    let width = match chance.below(6) {
        0 => Width::new(8).expect("a width").wrapping(),
        1 => Width::new(8).expect("a width"),
        _ => Width::default(),
    };
    Rules { semantics, schedule, fairness, is_sync: chance.below(5) == 0, width }
}

#[test]
fn engine_and_rules_agree_on_random_systems() {
    let (mut compared, mut violated, mut held, mut faults) = (0, 0, 0, 0);
    let (mut symmetric, mut nearby) = (0, 0);
    for seed in first_seed()..first_seed() + systems() {
        let text = random::system(seed);
        let what = format!("seed {seed}, {:?}\n{text}", rules(seed));
        let loaded = load(&text, &Parameters::new());
        let errors: Vec<&Diagnostic> = loaded.diagnostics.iter().filter(|one| one.is_error()).collect();
        assert!(errors.is_empty(), "{what}{errors:?}");
        let system = loaded.system.expect("it has a meaning");
        let rules = rules(seed);
        let space = match explore(&system, rules, MOST_STATES, &Budget::unlimited(), |_| false) {
            Ok(space) => space,
            Err(NoSpace::TooMany) => continue,
            Err(error) => {
                let engine = Engine::new(&system, rules, &Budget::unlimited()).expect("it fits");
                let counts = engine.explore(None, &Options::default(), &Budget::unlimited());
                assert!(matches!(counts, Err(Unfit::Assumption(_))), "{what}{error:?} {counts:?}");
                continue;
            }
        };
        let engine = Engine::new(&system, rules, &Budget::unlimited()).expect("it fits");
        let options = Options { threads: 1 + (seed % 2) as usize, ..Options::default() };
        let counts = engine.explore(None, &options, &Budget::unlimited());
        if space.initial == 0 {
            assert_eq!(counts, Err(Unfit::NoInitialState), "{what}");
            continue;
        }
        let counts = counts.unwrap_or_else(|error| panic!("{what}{error}"));
        assert_eq!(counts.initial, space.initial as u64, "{what}: initial");
        assert_eq!(counts.stores, space.stores() as u64, "{what}: stores");
        assert_eq!(counts.fault.is_some(), space.fault.is_some(), "{what}: fault");
        // A state whose only step leaves the language is not stuck.
        if space.fault.is_none() {
            assert_eq!(counts.stuck_stores, space.stuck_stores() as u64, "{what}: stuck stores");
        }
        compared += 1;
        faults += u64::from(space.fault.is_some());
        for property in &system.properties {
            let what = format!("{what}{}", property.name);
            let expected = decide(&system, &space, property, &rules);
            for reductions in REDUCTIONS {
                let options = Options { reductions, ..options };
                let what = format!("{what}, {reductions:?}");
                let outcome = engine.decide(property, &options, &Budget::unlimited());
                let outcome = outcome.unwrap_or_else(|error| panic!("{what}: {error}"));
                symmetric += u64::from(reductions.symmetry && is_symmetric(&system, property, &rules));
                match (&expected, &outcome) {
                    (Ok(Answer::Holds), Outcome::Holds(_)) => held += 1,
                    (Ok(Answer::Violated(state)), Outcome::Violated(evidence)) => {
                        if property.modality == Modality::Always {
                            assert_eq!(evidence.len(), space.depth(*state), "{what}: shortest");
                        }
                        let everywhere = property.modality == Modality::FairlyInfinite;
                        if (everywhere || property.modality == Modality::Fairly) && space.fault.is_none() {
                            let nearest = nearest(&system, &space, property, everywhere, &rules);
                            assert_eq!(Some(evidence.len()), nearest, "{what}: nearest");
                            nearby += 1;
                        }
                        violated += 1;
                    }
                    // A formula without a value somewhere: it may be violated elsewhere, or not be needed there.
                    (Err(_), Outcome::Violated(_) | Outcome::Fault(..)) => {}
                    (Err(_), Outcome::Holds(_)) if !sees_all(property) => {}
                    (_, Outcome::Fault(..)) if space.fault.is_some() => {}
                    (Ok(Answer::Holds), Outcome::Violated(_)) if space.fault.is_some() => {}
                    (Ok(Answer::Violated(_)), Outcome::Holds(_)) if space.fault.is_some() => {
                        panic!("{what}: it holds")
                    }
                    _ => panic!("{what}: {expected:?}, {outcome:?}"),
                }
                if let Outcome::Violated(evidence) | Outcome::Fault(_, evidence) = &outcome {
                    assert_replays(&what, &system, rules, property, evidence, &outcome);
                }
            }
            assert_bounded(&what, &system, &engine, property, &space, rules);
        }
        assert_simulates(&what, &system, &engine, rules, seed);
    }
    assert!(compared * 3 > systems(), "{compared} of {} compared", systems());
    assert!(faults > 0 && violated > compared && held > compared, "{faults} {violated} {held}");
    assert!(symmetric * 10 > compared, "{symmetric} of {compared}");
    assert!(nearby * 4 > compared, "{nearby} ways into closed sets");
}

/// How far it is to a state from which the formula can't be reached: everywhere, or through states without it.
fn nearest(
    system: &System,
    space: &Space,
    property: &Property,
    everywhere: bool,
    rules: &Rules,
) -> Option<usize> {
    let holds = |state: &State| is_true(system, &property.formula, state, rules);
    let holds: Vec<bool> = space.states.iter().map(holds).collect();
    let mut can = holds.clone();
    loop {
        let leads = |state: &usize| !can[*state] && space.transitions[*state].iter().any(|(_, to)| can[*to]);
        let more: Vec<usize> = (0..can.len()).filter(leads).collect();
        if more.is_empty() {
            break;
        }
        more.into_iter().for_each(|state| can[state] = true);
    }
    let mut level: Vec<usize> = (0..space.initial).collect();
    let mut known = vec![false; can.len()];
    for steps in 0.. {
        level.retain(|state| (everywhere || !holds[*state]) && !std::mem::replace(&mut known[*state], true));
        if level.is_empty() {
            return None;
        }
        if level.iter().any(|state| !can[*state]) {
            return Some(steps);
        }
        level = level.iter().flat_map(|state| space.transitions[*state].iter().map(|(_, to)| *to)).collect();
    }
    None
}

/// Whether a property that holds was looked at in all reachable states.
fn sees_all(property: &Property) -> bool {
    matches!(property.modality, Modality::Always | Modality::FairlyInfinite | Modality::Scope { .. })
}

/// The states that a run may be in, by the rules, step by step.
fn replay<'a>(
    what: &str,
    system: &'a System,
    rules: Rules,
    evidence: &Evidence,
) -> (Stepper<'a>, Vec<Vec<State>>) {
    let mut stepper = Stepper::new(system, rules);
    let first = &evidence.steps[0];
    assert_eq!(first.label, None, "{what}");
    let mut state = stepper.initial(first.store.cells.clone());
    state.store.turn = first.store.turn;
    assert_eq!(state.store, first.store, "{what}: initial");
    let mut all = vec![vec![state]];
    for (number, step) in evidence.steps.iter().enumerate().skip(1) {
        let next = follow(&mut stepper, all.last().expect("states"), step);
        assert!(!next.is_empty(), "{what}: step {number} of {evidence:?}");
        all.push(next);
    }
    if let Some((label, fault)) = &evidence.leaves {
        let last = all.last().expect("states");
        let leaves =
            last.iter().any(|state| stepper.successors(state).contains(&(label.clone(), Err(*fault))));
        assert!(leaves, "{what}: it does not leave by {label:?}, {fault}");
    }
    (stepper, all)
}

fn follow(
    stepper: &mut Stepper<'_>,
    from: &[State],
    step: &paramcheck_emulation::labs::engine::Step,
) -> Vec<State> {
    let mut next: Vec<State> = Vec::new();
    for state in from {
        for (label, outcome) in stepper.successors(state) {
            if let Ok(state) = outcome
                && Some(&label) == step.label.as_ref()
                && state.store == step.store
                && !next.contains(&state)
            {
                next.push(state);
            }
        }
    }
    next
}

fn is_true(system: &System, formula: &Expr, state: &State, rules: &Rules) -> bool {
    holds_in(system, formula, &state.store.cells, rules) == Ok(true)
}

fn assert_replays(
    what: &str,
    system: &System,
    rules: Rules,
    property: &Property,
    evidence: &Evidence,
    outcome: &Outcome,
) {
    let (stepper, runs) = replay(what, system, rules, evidence);
    if !matches!(outcome, Outcome::Violated(_)) {
        return;
    }
    let last = runs.last().expect("states");
    let holds = |state: &State| is_true(system, &property.formula, state, &rules);
    match &property.modality {
        Modality::Always => assert!(!holds(&last[0]), "{what}: the formula holds"),
        Modality::Eventually { .. } => {
            assert!(runs.iter().all(|states| !holds(&states[0])), "{what}: the formula holds on the way");
            assert_goes_on(what, stepper, evidence, last);
        }
        Modality::Fairly | Modality::FairlyInfinite => {
            assert!(!holds(&last[0]) && evidence.searched.is_some(), "{what}: the formula holds");
        }
        Modality::Scope { .. } => {}
    }
}

/// That a run comes back to where it was, again and again, or ends.
fn assert_goes_on(what: &str, mut stepper: Stepper<'_>, evidence: &Evidence, last: &[State]) {
    let Some(from) = evidence.cycle else {
        assert!(last.iter().any(|state| stepper.successors(state).is_empty()), "{what}: it does not end");
        return;
    };
    let mut states = last.to_vec();
    for _ in 0..4 {
        for step in &evidence.steps[from + 1..] {
            states = follow(&mut stepper, &states, step);
            assert!(!states.is_empty(), "{what}: it does not come back");
        }
    }
}

/// Runs of a few steps, by their definition.
fn assert_bounded(
    what: &str,
    system: &System,
    engine: &Engine<'_>,
    property: &Property,
    space: &Space,
    rules: Rules,
) {
    const STEPS: u64 = 3;
    let outcome = engine.decide_within(property, STEPS, &Options::default(), &Budget::unlimited());
    if matches!(property.modality, Modality::Fairly | Modality::FairlyInfinite) {
        assert_eq!(outcome, Err(Unfit::Unbounded), "{what}");
        return;
    }
    let outcome = outcome.unwrap_or_else(|error| panic!("{what}: {error}"));
    if let Outcome::Violated(evidence) | Outcome::Fault(_, evidence) = &outcome {
        replay(what, system, rules, evidence);
        assert!(evidence.len() as u64 <= STEPS, "{what}");
    }
    let truths: Result<Vec<bool>, _> = space
        .states
        .iter()
        .map(|state| holds_in(system, &property.formula, &state.store.cells, &rules))
        .collect();
    let (Ok(holds), None) = (truths, &space.fault) else { return };
    let is_scope = matches!(property.modality, Modality::Scope { .. });
    if is_scope {
        return;
    }
    // Whether some run does what is wrong, over all runs.
    let mut open: Vec<(usize, u64)> = (0..space.initial).map(|state| (state, 0)).collect();
    let mut seen = std::collections::BTreeSet::new();
    let mut is_violated = false;
    while let Some((state, length)) = open.pop() {
        if !seen.insert((state, length)) {
            continue;
        }
        let is_end = length == STEPS || space.transitions[state].is_empty();
        is_violated |= match property.modality {
            Modality::Always => !holds[state],
            _ => is_end && !holds[state],
        };
        let is_over = matches!(property.modality, Modality::Eventually { is_finally: false }) && holds[state];
        if !is_end && !is_over {
            open.extend(space.transitions[state].iter().map(|(_, to)| (*to, length + 1)));
        }
    }
    assert_eq!(matches!(outcome, Outcome::Violated(_)), is_violated, "{what}: within {STEPS}: {outcome:?}");
}

fn assert_simulates(what: &str, system: &System, engine: &Engine<'_>, rules: Rules, seed: u64) {
    let is_of_runs = |one: &&Property| !matches!(one.modality, Modality::Fairly | Modality::FairlyInfinite);
    let asked: Vec<Property> = system.properties.iter().filter(is_of_runs).cloned().collect();
    let simulator = match engine.simulator(&asked, 20, seed, &Budget::unlimited()) {
        Ok(simulator) => simulator,
        Err(error) => panic!("{what}: {error}"),
    };
    for number in 0..3 {
        let judged = simulator.judge(number).unwrap_or_else(|error| panic!("{what}: {error}"));
        let (evidence, end) = simulator.record(number).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!((evidence.steps.len() as u64, &end), (judged.steps + 1, &judged.end), "{what}");
        let (mut stepper, states) = replay(what, system, rules, &evidence);
        let last = states.last().expect("states");
        match end {
            End::Stuck => {
                assert!(
                    last.iter().any(|state| stepper.successors(state).is_empty()),
                    "{what}: it is not stuck"
                );
            }
            End::Bound => assert_eq!(judged.steps, 20, "{what}"),
            End::Leaves(..) => assert!(evidence.leaves.is_some(), "{what}"),
        }
        let stores: Vec<_> = evidence.steps.iter().map(|step| &step.store.cells).collect();
        for (at, property) in asked.iter().enumerate() {
            let holds = stores.iter().map(|cells| holds_in(system, &property.formula, cells, &rules));
            let Ok(holds) = holds.collect::<Result<Vec<bool>, _>>() else { continue };
            let is_over = !matches!(judged.end, End::Leaves(..));
            let right = match property.modality {
                Modality::Always => holds.iter().position(|holds| !holds),
                Modality::Eventually { is_finally: true } if is_over && holds.last() == Some(&false) => {
                    Some(holds.len() - 1)
                }
                Modality::Eventually { is_finally: false } if is_over && !holds.contains(&true) => {
                    Some(holds.len() - 1)
                }
                Modality::Scope { .. } => continue,
                _ => None,
            };
            assert_eq!(judged.violated[at], right.map(|step| step as u64), "{what}: {}", property.name);
        }
    }
}
