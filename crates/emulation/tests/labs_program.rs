//! Programs of agents: their states, steps and answers by the definition of triples, and the rules on process
//! terms, on the models with known answers and on random systems.
#![allow(clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use paramcheck_emulation::evolution::{Evolution, State};
use paramcheck_emulation::labs::Unfit;
use paramcheck_emulation::labs::engine::{Engine, Options, Outcome};
use paramcheck_emulation::labs::program::{AgentProgram, Goal, NotProgrammed, program};
use paramcheck_emulation::question::{Condition, Demand, Moment};
use paramcheck_labs::model::{Property, System};
use paramcheck_labs::number::Width;
use paramcheck_labs::semantics::check::{Answer, decide};
use paramcheck_labs::semantics::explore::{NoSpace, Space, explore};
use paramcheck_labs::semantics::step::{Rules, Schedule, Semantics};
use paramcheck_labs::semantics::store::Store;
use paramcheck_labs::{Parameters, load};
use paramcheck_text::limits::Budget;

#[path = "../../labs/tests/support/known.rs"]
mod known;
#[path = "../../labs/tests/support/random.rs"]
mod random;

/// How many states are listed by the rules; larger systems are left out.
const MOST_STATES: usize = 1_000;
/// A program has more, for what its question remembers and for messages within steps.
const MOST_PROGRAM_STATES: usize = 20_000;

/// The states of a program, and the steps between them.
struct Graph {
    states: Vec<State>,
    initial: usize,
    next: Vec<Vec<usize>>,
}

fn graph(program: &AgentProgram) -> Option<Graph> {
    let evolution = Evolution::new(&program.structure);
    let mut known: BTreeMap<State, usize> = BTreeMap::new();
    let mut graph = Graph { states: Vec::new(), initial: 0, next: Vec::new() };
    let mut add = |graph: &mut Graph, state: State| {
        *known.entry(state.clone()).or_insert_with(|| {
            graph.states.push(state);
            graph.states.len() - 1
        })
    };
    for state in evolution.initial() {
        add(&mut graph, state);
    }
    graph.initial = graph.states.len();
    while let Some(state) = graph.states.get(graph.next.len()).cloned() {
        if graph.states.len() > MOST_PROGRAM_STATES {
            return None;
        }
        let mut own = Vec::new();
        let ControlFlow::<()>::Continue(()) = evolution.each_successor(&state, |_, next| {
            own.push(add(&mut graph, next));
            ControlFlow::Continue(())
        }) else {
            panic!("it goes on")
        };
        graph.next.push(own);
    }
    Some(graph)
}

impl Graph {
    fn holds(&self, program: &AgentProgram, condition: &Condition) -> Vec<bool> {
        let of = |(state, next): (&State, &Vec<usize>)| {
            let moment = Moment { state, last: None, can: &|_| false, is_stuck: &|| next.is_empty() };
            condition.holds(&program.structure, &moment)
        };
        self.states.iter().zip(&self.next).map(of).collect()
    }

    /// Whether the demand is violated.
    fn is_violated(&self, program: &AgentProgram) -> bool {
        match &program.question.demand {
            Demand::Never(condition) => self.holds(program, condition).contains(&true),
            Demand::Eventually(condition) => self.avoids(&self.holds(program, condition)),
            Demand::Recoverable { condition, is_always } => {
                let holds = self.holds(program, condition);
                let can = self.can_reach(&holds);
                let judged =
                    if *is_always { self.within(|_| true) } else { self.within(|state| !holds[state]) };
                (0..can.len()).any(|state| judged[state] && !can[state])
            }
        }
    }

    /// The states that are reached through allowed ones.
    fn within(&self, allowed: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut seen = vec![false; self.states.len()];
        let mut open: Vec<usize> = (0..self.initial).filter(|state| allowed(*state)).collect();
        while let Some(state) = open.pop() {
            if !std::mem::replace(&mut seen[state], true) {
                open.extend(self.next[state].iter().filter(|next| allowed(**next)));
            }
        }
        seen
    }

    fn can_reach(&self, holds: &[bool]) -> Vec<bool> {
        let mut can = holds.to_vec();
        loop {
            let more: Vec<usize> = (0..can.len())
                .filter(|state| !can[*state] && self.next[*state].iter().any(|next| can[*next]))
                .collect();
            if more.is_empty() {
                return can;
            }
            more.into_iter().for_each(|state| can[state] = true);
        }
    }

    /// Whether a run ends, or goes on for ever, without the condition: what is left when states all of whose
    /// steps lead to those taken away are taken away again and again.
    fn avoids(&self, holds: &[bool]) -> bool {
        let mut left: Vec<bool> = self.within(|state| !holds[state]);
        loop {
            let ends = |state: usize| {
                left[state]
                    && !self.next[state].is_empty()
                    && !self.next[state].iter().any(|next| left[*next])
            };
            let over: Vec<usize> = (0..left.len()).filter(|state| ends(*state)).collect();
            if over.is_empty() {
                return left.contains(&true);
            }
            over.into_iter().for_each(|state| left[state] = false);
        }
    }
}

fn made(
    what: &str,
    system: &System,
    rules: Rules,
    goal: Goal<'_>,
    steps: Option<usize>,
) -> Option<AgentProgram> {
    match program(system, "", rules, goal, steps, &Budget::unlimited()) {
        Ok(program) => Some(program),
        // These are honest.
        Err(NotProgrammed::StaysOpen | NotProgrammed::Choices | NotProgrammed::Unbounded) => None,
        Err(error) => panic!("{what}: {error}"),
    }
}

/// The stores of states between whole steps, and whether a fault is reached.
fn stores(program: &AgentProgram, graph: &Graph, system: &System, rules: &Rules) -> (BTreeSet<Store>, bool) {
    let is_fault = graph.states.iter().any(|state| program.is_fault(state));
    let states = graph.states.iter().filter(|state| !program.is_fault(state));
    let stores = states.map(|state| program.store(system, state));
    let is_quiet = |store: &Store| !system.agents.indices().any(|agent| store.is_pending(system, agent));
    (stores.filter(|store| !rules.is_sync || is_quiet(store)).collect(), is_fault)
}

#[derive(Default)]
struct Count {
    stores: usize,
    held: usize,
    violated: usize,
    bounded: usize,
    faults: usize,
}

/// Compares the programs of a system with its space.
fn compare(what: &str, system: &System, rules: Rules, space: &Space, count: &mut Count) {
    let Some(own) = made(what, system, rules, Goal::Fault, None) else { return };
    let Some(all) = graph(&own) else { return };
    let (found, is_fault) = stores(&own, &all, system, &rules);
    assert_eq!(is_fault, space.fault.is_some(), "{what}: fault");
    assert_eq!(all.is_violated(&own), is_fault, "{what}: the question of a fault");
    let expected: BTreeSet<Store> = space.states.iter().map(|state| state.store.clone()).collect();
    assert!(found == expected, "{what}: {} stores, by the rules {}", found.len(), expected.len());
    count.stores += found.len();
    count.faults += usize::from(is_fault);
    for property in &system.properties {
        let what = format!("{what}: {}", property.name);
        if let (Some(own), Ok(expected)) =
            (made(&what, system, rules, Goal::Property(property), None), decide(system, space, property, &rules))
            && let Some(all) = graph(&own)
            // What lies behind a fault is not judged, and what can be reached there neither.
            && space.fault.is_none()
        {
            let is_violated = matches!(expected, Answer::Violated(_));
            assert_eq!(all.is_violated(&own), is_violated, "{what}: {:?}", own.question.demand);
            count.violated += usize::from(is_violated);
            count.held += usize::from(!is_violated);
        }
        for steps in [0, 1, 4] {
            bounded(&what, system, rules, property, steps, space, count);
        }
    }
}

fn bounded(
    what: &str,
    system: &System,
    rules: Rules,
    property: &Property,
    steps: usize,
    space: &Space,
    count: &mut Count,
) {
    let Some(own) = made(what, system, rules, Goal::Property(property), Some(steps)) else { return };
    let Some(all) = graph(&own) else { return };
    if space.fault.is_some() {
        return;
    }
    let engine = Engine::new(system, rules, &Budget::unlimited()).expect("it fits");
    let outcome = engine.decide_within(property, steps as u64, &Options::default(), &Budget::unlimited());
    let is_violated = match outcome {
        Ok(Outcome::Violated(_)) => true,
        Ok(Outcome::Holds(_) | Outcome::Within(..)) => false,
        Ok(Outcome::Fault(..) | Outcome::Unknown(_)) | Err(Unfit::NoInitialState) => return,
        Err(reason) => panic!("{what}: {reason}"),
    };
    assert_eq!(all.is_violated(&own), is_violated, "{what} within {steps}: {:?}", own.question.demand);
    count.bounded += 1;
}

fn systems() -> u64 {
    let wanted = std::env::var("PARAMCHECK_SYSTEMS").ok().and_then(|number| number.parse().ok());
    wanted.unwrap_or(if std::env::var_os("PARAMCHECK_LONG").is_some() { 2_000 } else { 100 })
}

fn random_rules(seed: u64) -> Rules {
    let mut chance = random::Chance::new(seed ^ 0x7777);
    let semantics = if chance.below(3) == 0 { Semantics::Sliver } else { Semantics::Paper };
    let schedule = match chance.below(5) {
        0 => Schedule::StrictTurns,
        1 | 2 => Schedule::RoundRobin,
        _ => Schedule::Free,
    };
    let width = match chance.below(6) {
        0 => Width::new(8).expect("a width").wrapping(),
        1 => Width::new(8).expect("a width"),
        _ => Width::default(),
    };
    Rules { semantics, schedule, is_sync: chance.below(4) == 0, width, ..Rules::default() }
}

#[test]
fn programs_and_rules_agree_on_random_systems() {
    let first = std::env::var("PARAMCHECK_SEED").ok().and_then(|number| number.parse().ok()).unwrap_or(0);
    let mut count = Count::default();
    for seed in first..first + systems() {
        let text = random::system(seed);
        let rules = random_rules(seed);
        let what = format!("seed {seed}, {rules:?}\n{text}");
        let system = load(&text, &Parameters::new()).system.expect("it has a meaning");
        match explore(&system, rules, MOST_STATES, &Budget::unlimited(), |_| false) {
            Ok(space) => compare(&what, &system, rules, &space, &mut count),
            Err(NoSpace::TooMany | NoSpace::Fault(_)) => {}
            Err(error) => panic!("{what}: {error:?}"),
        }
    }
    assert!(count.stores > 1_000 && count.faults > 0, "{} {}", count.stores, count.faults);
    assert!(
        count.held > 20 && count.violated > 20 && count.bounded > 50,
        "{} {}",
        count.held,
        count.violated
    );
}

#[test]
fn programs_and_rules_agree_on_the_known_models() {
    let mut count = Count::default();
    let mut compared = 0;
    for folder in ["points", "examples"] {
        known::each_run(folder, |what, system, run| {
            for rules in known::rules(run) {
                if let Ok(space) = explore(system, rules, MOST_STATES, &Budget::unlimited(), |_| false)
                    && space.initial > 0
                {
                    compare(what, system, rules, &space, &mut count);
                    compared += 1;
                }
            }
        });
    }
    assert!(
        compared > 50 && count.held > 20 && count.violated > 10,
        "{compared} {} {}",
        count.held,
        count.violated
    );
}
