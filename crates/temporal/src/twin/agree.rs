//! The engine and its twins agree on random formulas and random systems.

use paramcheck_text::limits::Budget;
use paramcheck_text::random::Random;

use super::explicit::Graph;
use super::gpvw::Gpvw;
use super::nested::has_run;
use super::random::{Tiny, formula, seeds};
use crate::check::{Answer, Options, check};
use crate::formula::Formula;
use crate::normal::Arena;
use crate::replay::violates;
use crate::system::{Fairness, Kind, System};

/// The number of cases in which the property is violated, of those that were looked at.
fn agrees(fairness: Fairness, depth: u64, states: u64) -> (u64, u64) {
    let (mut violated, mut count) = (0, 0);
    for seed in seeds(1500) {
        let mut random = Random::new(seed);
        let units = if fairness == Fairness::None { 0 } else { 1 + random.below(3) };
        let mut system = Tiny::random(&mut random, states, units);
        let formula = formula(&mut random, depth);
        let mut arena = Arena::with_rewriting(false);
        let negation = arena.add_negated(&formula);
        let automaton = Gpvw::new(&arena, negation);
        if automaton.states.len() > 60 {
            continue;
        }
        let expected = has_run(&Graph::new(&system), &automaton, system.units, fairness);
        let options = Options { fairness, ..Options::default() };
        let budget = Budget::unlimited();
        let report = check(&mut system, &formula, &options, &budget);
        let shown = formula.try_map(
            &mut |atom| Ok::<_, ()>(crate::formula::Formula::Atom(format!("p{}", atom.0))),
            &mut |atom| Ok(format!("p{}", atom.0)),
        );
        let shown = shown.unwrap();
        match report.answer {
            Answer::Holds => assert!(!expected, "seed {seed}: {shown} is violated\n{system:#?}"),
            Answer::Violated(run) => {
                assert!(expected, "seed {seed}: {shown} holds, {run:?}\n{system:#?}");
                let replayed = violates(&mut system, &formula, &run, fairness, &budget);
                assert_eq!(replayed, Ok(()), "seed {seed}: {shown}: {run:?}\n{system:#?}");
                violated += 1;
            }
            other => panic!("seed {seed}: {shown}: {other:?}"),
        }
        count += 1;
    }
    (violated, count)
}

#[test]
fn engine_and_twins_agree_on_all_runs() {
    let (violated, count) = agrees(Fairness::None, 4, 6);
    assert!(violated * 4 > count && violated * 10 < count * 9 && count > 0, "{violated} of {count}");
}

#[test]
fn engine_and_twins_agree_on_weakly_fair_runs() {
    let (violated, count) = agrees(Fairness::Weak, 3, 6);
    assert!(violated * 4 > count && violated * 10 < count * 9 && count > 0, "{violated} of {count}");
}

#[test]
fn engine_and_twins_agree_on_strongly_fair_runs() {
    let (violated, count) = agrees(Fairness::Strong, 3, 6);
    assert!(violated * 4 > count && violated * 10 < count * 9 && count > 0, "{violated} of {count}");
}

/// A system in some states of which something has no meaning.
struct Faulty {
    system: Tiny,
    faults: u64,
}

impl System for Faulty {
    type State = u32;
    type Step = usize;
    type Fault = ();

    fn atoms(&self) -> &[Kind] {
        self.system.atoms()
    }

    fn initial(&mut self) -> Vec<u32> {
        self.system.initial()
    }

    fn steps(&mut self, state: &u32, each: &mut dyn FnMut(usize, u32)) -> Result<(), ()> {
        if self.faults >> state & 1 == 1 { Err(()) } else { self.system.steps(state, each) }
    }

    fn state_letter(&self, state: &u32, letter: &mut [u64]) {
        self.system.state_letter(state, letter);
    }

    fn step_letter(&self, from: &u32, step: &usize, to: &u32, letter: &mut [u64]) {
        self.system.step_letter(from, step, to, letter);
    }

    fn keeps_last(&self) -> bool {
        self.system.keeps_last()
    }
}

#[test]
fn evidence_stands_up_beside_faults() {
    let (mut violated, mut faulty) = (0, 0);
    for seed in seeds(3_000) {
        let mut random = Random::new(seed);
        let system = Tiny::random(&mut random, 5, 0);
        let mut system = Faulty { system, faults: random.number() & random.number() & 0b1_1111 };
        let mut formula = formula(&mut random, 3);
        if random.below(8) == 0 {
            // What no run has is lost at once, by whatever it is seen.
            formula = Formula::And(vec![formula.clone(), formula.negated()]).finally();
        }
        let budget = Budget::unlimited();
        match check(&mut system, &formula, &Options::default(), &budget).answer {
            Answer::Violated(run) => {
                let replayed = violates(&mut system, &formula, &run, Fairness::None, &budget);
                assert_eq!(replayed, Ok(()), "seed {seed}: {formula:?}: {run:?}");
                violated += 1;
            }
            Answer::Fault((), run) => {
                let last = run.positions.last().unwrap().0;
                assert!(system.faults >> last & 1 == 1, "seed {seed}: {formula:?}: {run:?}");
                faulty += 1;
            }
            Answer::Holds => {}
            Answer::Unknown(reason) => panic!("seed {seed}: {formula:?}: {reason}"),
        }
    }
    assert!(violated > 300 && faulty > 100, "{violated} violated, {faulty} with a fault");
}
