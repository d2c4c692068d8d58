use paramcheck_text::limits::{Budget, Stop};
use pretty_assertions::assert_eq;

use crate::check::{Answer, Options, Reason, check};
use crate::formula::{Atom, Binary, Formula};
use crate::replay::{Refusal, violates};
use crate::system::{End, Fairness, Kind, Run, System};

/// States are numbers up to `last`. Units count: `u` leads from a state n to n + 1 + u, modulo `round` if
/// there is one. Atom 0 holds in `goal`; atom 1 in steps of unit 0; atom 2 behind them.
#[derive(Clone)]
struct Counter {
    last: u32,
    units: u32,
    round: Option<u32>,
    goal: u32,
    fault: Option<u32>,
}

impl System for Counter {
    type State = u32;
    type Step = u32;
    type Fault = &'static str;

    fn atoms(&self) -> &[Kind] {
        &[Kind::State, Kind::Step, Kind::Last]
    }

    fn initial(&mut self) -> Vec<u32> {
        vec![0]
    }

    fn steps(&mut self, state: &u32, each: &mut dyn FnMut(u32, u32)) -> Result<(), &'static str> {
        for unit in 0..self.units {
            let next = state + 1 + unit;
            match self.round {
                Some(round) => each(unit, next % round),
                None if next <= self.last => each(unit, next),
                None => {}
            }
        }
        if self.fault == Some(*state) { Err("broken") } else { Ok(()) }
    }

    fn state_letter(&self, state: &u32, letter: &mut [u64]) {
        letter[0] = u64::from(*state == self.goal);
    }

    fn step_letter(&self, _: &u32, step: &u32, _: &u32, letter: &mut [u64]) {
        letter[0] = if *step == 0 { 0b110 } else { 0 };
    }

    fn units(&self) -> usize {
        self.units as usize
    }

    fn actors(&self, _: &u32, step: &u32, units: &mut [u64]) {
        if let Some(word) = units.get_mut(*step as usize / 64) {
            *word |= 1 << (step % 64);
        }
    }
}

const ROUND: Counter = Counter { last: 0, units: 2, round: Some(10), goal: 9, fault: None };
const LINE: Counter = Counter { last: 9, units: 2, round: None, goal: 9, fault: None };

fn p(atom: u32) -> Formula<Atom> {
    Formula::Atom(Atom(atom))
}

fn answer(system: &Counter, formula: &Formula<Atom>, fairness: Fairness) -> Answer<u32, u32, &'static str> {
    let options = Options { fairness, ..Options::default() };
    let (mut system, budget) = (system.clone(), Budget::unlimited());
    let answer = check(&mut system, formula, &options, &budget).answer;
    if let Answer::Violated(run) = &answer {
        assert_eq!(violates(&mut system, formula, run, fairness, &budget), Ok(()));
    }
    answer
}

fn violation(system: &Counter, formula: &Formula<Atom>, fairness: Fairness) -> Run<u32, u32> {
    match answer(system, formula, fairness) {
        Answer::Violated(run) => run,
        other => panic!("{formula:?}: {other:?}"),
    }
}

#[test]
fn safety_is_lost_by_a_shortest_run() {
    let run = violation(&LINE, &p(0).negated().globally(), Fairness::None);
    // The goal is reached by four steps of two and one of one; no step is taken there.
    assert_eq!((run.positions.len(), run.end), (6, End::Open));
    assert_eq!(run.positions[5], (9, None));
    // What a step is decides is known only once it is taken.
    let run = violation(&LINE, &p(1).negated().globally(), Fairness::Strong);
    assert_eq!(run.positions, [(0, Some(0)), (1, None)]);
    let run = violation(&LINE, &p(2).negated().globally(), Fairness::None);
    assert_eq!(run.positions, [(0, Some(0)), (1, None)]);
    let weak = Formula::Binary(Binary::WeakUntil, Box::new(p(1)), Box::new(p(0)));
    assert_eq!(violation(&LINE, &weak, Fairness::None).positions[0], (0, Some(1)));
    // A run that has ended takes no step.
    let long = (0..12).fold(p(0).negated(), |formula, _| formula.next());
    let run = violation(&LINE, &long, Fairness::None);
    assert_eq!((run.positions.last(), run.end), (Some(&(9, None)), End::Stops));
}

#[test]
fn lassos_are_short() {
    // Round by steps of two; the goal is odd.
    let run = violation(&ROUND, &p(0).finally(), Fairness::None);
    assert_eq!(run.end, End::Loop(0));
    assert!(run.positions.len() <= 10, "{run:?}");
    let run = violation(&ROUND, &p(0).finally().globally().negated(), Fairness::None);
    assert!(run.positions.len() <= 20, "{run:?}");
    let run = violation(&LINE, &p(0).negated().finally().globally(), Fairness::None);
    assert_eq!((run.positions.last(), run.end), (Some(&(9, None)), End::Stops));
}

#[test]
fn fairness_decides() {
    // Unit 0 acts again and again: not if it is never its turn.
    let acts = p(1).finally().globally();
    assert!(matches!(answer(&ROUND, &acts, Fairness::None), Answer::Violated(_)));
    assert_eq!(answer(&ROUND, &acts, Fairness::Weak), Answer::Holds);
    assert_eq!(answer(&ROUND, &acts, Fairness::Strong), Answer::Holds);
    // More units than bits of a word.
    let many = Counter { units: 70, round: Some(71), ..ROUND };
    assert_eq!(answer(&many, &acts, Fairness::Weak), Answer::Holds);
    assert_eq!(answer(&many, &acts, Fairness::Strong), Answer::Holds);
    for fairness in [Fairness::Weak, Fairness::Strong] {
        let run = violation(&many, &p(1).finally().globally().negated(), fairness);
        assert!(run.positions.len() >= 70 && run.positions.len() < 300, "{}", run.positions.len());
    }
}

#[test]
fn deep_systems_need_no_stack() {
    let deep = Counter { last: 200_000, units: 1, goal: 200_000, ..LINE };
    let small = std::thread::Builder::new().stack_size(128 << 10);
    let check = move || {
        assert_eq!(answer(&deep, &p(0).finally().globally(), Fairness::None), Answer::Holds);
        assert_eq!(answer(&deep, &p(0).finally().globally(), Fairness::Strong), Answer::Holds);
        let run = violation(&deep, &p(0).negated().globally(), Fairness::None);
        assert_eq!(run.positions.len(), 200_001);
        let run = violation(&deep, &p(0).globally().finally().negated(), Fairness::Weak);
        assert_eq!((run.positions.len(), run.end), (200_001, End::Stops));
    };
    small.spawn(check).unwrap().join().unwrap();
}

#[test]
fn limits_end_in_no_answer() {
    let large = Counter { last: 100_000, units: 1, goal: 200_001, ..LINE };
    for formula in [p(0).negated().globally(), p(0).negated().finally().globally()] {
        let unknown =
            |options: Options, budget: &Budget| check(&mut large.clone(), &formula, &options, budget).answer;
        let none = Budget::unlimited();
        let options = Options { max_states: 1000, ..Options::default() };
        assert_eq!(unknown(options, &none), Answer::Unknown(Reason::States));
        let options = Options { memory: Some(1 << 20), ..Options::default() };
        assert_eq!(unknown(options, &none), Answer::Unknown(Reason::Stopped(Stop::Memory)));
        let work = Budget::unlimited().with_work(20);
        assert_eq!(unknown(Options::default(), &work), Answer::Unknown(Reason::Stopped(Stop::Work)));
        assert_eq!(unknown(Options::default(), &none), Answer::Holds);
    }
    let many = (0..70)
        .map(|atom| p(atom % 3).finally())
        .fold(Formula::True, |all, one| Formula::And(vec![all, one]).next().finally().globally().next());
    assert_ne!(answer(&LINE, &many, Fairness::None), Answer::Unknown(Reason::Formula));
}

#[test]
fn faults_are_answers_unless_there_is_a_violation() {
    let broken = Counter { fault: Some(5), ..LINE };
    for formula in [p(0).finally(), p(0).globally().finally()] {
        let Answer::Fault(fault, run) = answer(&broken, &formula, Fairness::None) else {
            panic!("{formula:?}")
        };
        assert_eq!((fault, run.positions.last()), ("broken", Some(&(5, None))), "{formula:?}");
        assert_eq!(run.positions.len(), 4);
    }
    let run = violation(&broken, &p(1).negated().globally(), Fairness::None);
    assert_eq!(run.positions.len(), 2);
    // A run that comes to the fault goes on by no step, and does not stop there.
    let alone = Counter { last: 5, units: 1, goal: 5, fault: Some(5), round: None };
    assert!(matches!(
        answer(&alone, &p(0).negated().finally().globally(), Fairness::None),
        Answer::Fault(..)
    ));
}

#[test]
fn runs_that_are_none_are_refused() {
    let formula = p(0).finally();
    let refused = |run: &Run<u32, u32>, fairness| {
        violates(&mut ROUND.clone(), &formula, run, fairness, &Budget::unlimited())
    };
    let round = |steps: &[u32]| {
        let mut at = 0;
        let positions = steps.iter().map(|step| {
            let here = at;
            at = (at + 1 + step) % 10;
            (here, Some(*step))
        });
        Run { positions: positions.collect(), end: End::Loop(0) }
    };
    let right = round(&[1; 5]);
    assert_eq!(refused(&right, Fairness::None), Ok(()));
    assert_eq!(refused(&right, Fairness::Weak), Err(Refusal::Unfair));
    assert_eq!(refused(&right, Fairness::Strong), Err(Refusal::Unfair));
    let fair = round(&[0, 0, 1, 1, 1, 1]);
    assert_eq!(refused(&fair, Fairness::Strong), Ok(()));
    assert_eq!(refused(&round(&[0; 10]), Fairness::None), Err(Refusal::Satisfies));
    assert_eq!(refused(&round(&[1; 4]), Fairness::None), Err(Refusal::NoRun(3)));
    let mut other = right.clone();
    other.positions[2].1 = Some(0);
    assert_eq!(refused(&other, Fairness::None), Err(Refusal::NoRun(2)));
    let stops = Run { end: End::Stops, ..right };
    assert_eq!(refused(&stops, Fairness::None), Err(Refusal::NoRun(4)));
    let elsewhere = Run { positions: vec![(1, None)], end: End::Open };
    assert_eq!(refused(&elsewhere, Fairness::None), Err(Refusal::NoRun(0)));
}
