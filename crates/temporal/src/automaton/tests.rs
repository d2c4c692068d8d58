use paramcheck_text::limits::{Budget, Stop};
use paramcheck_text::random::Random;
use pretty_assertions::assert_eq;

use super::{Automaton, Refused, tableau};
use crate::check::{Answer, Options, check};
use crate::formula::{Atom, Binary, Formula};
use crate::letter::words;
use crate::normal::Arena;
use crate::system::{Kind, System};
use crate::twin::random;

fn p(atom: u32) -> Formula<Atom> {
    Formula::Atom(Atom(atom))
}

fn automaton(formula: &Formula<Atom>) -> Automaton {
    let mut arena = Arena::new();
    let id = arena.add(formula);
    Automaton::new(&arena, id, &Budget::unlimited()).unwrap()
}

/// States, transitions, marks.
fn sizes(formula: &Formula<Atom>) -> (usize, usize, u32) {
    let automaton = automaton(formula);
    (automaton.states.len(), automaton.transitions(), automaton.marks.count_ones())
}

#[test]
fn automata_of_common_formulas_are_small() {
    let until = |left, right| Formula::Binary(Binary::Until, Box::new(left), Box::new(right));
    let implies = |left, right| Formula::Implies(Box::new(left), Box::new(right));
    assert_eq!(sizes(&Formula::True), (1, 1, 0));
    assert_eq!(sizes(&Formula::False), (0, 0, 0));
    assert_eq!(sizes(&p(0).globally()), (1, 1, 0));
    assert_eq!(sizes(&until(p(0), p(1))), (2, 3, 1));
    // One state, of which one transition is marked.
    assert_eq!(sizes(&p(0).finally().globally()), (1, 2, 1));
    assert_eq!(sizes(&p(0).globally().finally()), (2, 3, 1));
    assert_eq!(sizes(&implies(p(0), p(1).finally()).globally()), (2, 5, 1));
    let all = |count: u32| Formula::And((0..count).map(|atom| p(atom).finally().globally()).collect());
    assert_eq!(sizes(&all(4)), (1, 16, 4));
    let any = |count: u32| Formula::Or((0..count).map(|atom| p(atom).globally().finally()).collect());
    assert_eq!(sizes(&any(20)).0, 21);
}

#[test]
fn what_would_be_too_large_is_refused() {
    let many = Formula::And((0..70).map(|atom| p(atom).finally().globally()).collect());
    let mut arena = Arena::new();
    let id = arena.add(&many);
    assert_eq!(Automaton::new(&arena, id, &Budget::unlimited()), Err(Refused::TooLarge));
    let budget = Budget::for_duration(std::time::Duration::ZERO);
    assert_eq!(Automaton::new(&arena, id, &budget), Err(Refused::Stopped(Stop::Time)));
}

#[test]
fn deep_equivalences_end() {
    // Each doubles the formula, if nothing is shared.
    let iff = |left, right| Formula::Iff(Box::new(left), Box::new(right));
    for depth in [3, 60, 190] {
        let flat = (1..depth).fold(p(0), |left, atom| iff(left, p(atom)));
        let temporal = (1..depth).fold(p(0), |left, atom| iff(left.finally(), p(atom).globally()));
        for formula in [flat, temporal] {
            let mut arena = Arena::new();
            let id = arena.add(&formula);
            let automaton = Automaton::new(&arena, id, &Budget::unlimited().with_work(10_000));
            assert_eq!(automaton.is_ok(), depth == 3, "{depth}");
        }
    }
}

/// One run: a word that repeats itself.
struct Word {
    letters: Vec<Vec<u64>>,
    back: usize,
    atoms: Vec<Kind>,
}

impl System for Word {
    type State = usize;
    type Step = ();
    type Fault = ();

    fn atoms(&self) -> &[Kind] {
        &self.atoms
    }

    fn initial(&mut self) -> Vec<usize> {
        vec![0]
    }

    fn steps(&mut self, state: &usize, each: &mut dyn FnMut((), usize)) -> Result<(), ()> {
        each((), if state + 1 < self.letters.len() { state + 1 } else { self.back });
        Ok(())
    }

    fn state_letter(&self, state: &usize, letter: &mut [u64]) {
        letter.copy_from_slice(&self.letters[*state]);
    }

    fn step_letter(&self, _: &usize, _: &(), _: &usize, _: &mut [u64]) {}
}

/// Atoms in several words of letters.
fn spread(atom: Atom) -> Atom {
    Atom(atom.0 * 40)
}

#[test]
fn a_word_is_read_if_and_only_if_it_satisfies_the_formula() {
    let atoms = 6 * 40;
    let (mut read, mut count) = (0, 0);
    for seed in 0..6000 {
        let mut random = Random::new(seed);
        let formula = random::formula(&mut random, 1 + seed % 5);
        let formula = formula
            .try_map(&mut |atom| Ok::<_, ()>(Formula::Atom(spread(*atom))), &mut |atom| Ok(spread(*atom)))
            .unwrap();
        let length = 1 + random.below(5) as usize;
        let letters = (0..length).map(|_| {
            let mut letter = vec![0; words(atoms)];
            (0..6)
                .filter(|_| random.below(2) == 0)
                .for_each(|atom| crate::letter::set(&mut letter, spread(Atom(atom))));
            letter
        });
        let letters: Vec<Vec<u64>> = letters.collect();
        let back = seed as usize % length;
        let is_step = vec![true; length];
        let word = crate::evaluate::Word { letters: letters.clone(), back, is_step };
        let mut system = Word { letters, back, atoms: vec![Kind::State; atoms] };
        let report = check(&mut system, &formula, &Options::default(), &Budget::unlimited());
        assert_eq!(report.answer == Answer::Holds, word.satisfies(&formula), "seed {seed}: {formula:?}");
        read += usize::from(report.answer == Answer::Holds);
        count += 1;
    }
    assert!(read * 4 > count && read * 4 < count * 3, "{read} of {count}");
}

#[test]
fn reduction_makes_automata_smaller() {
    let (mut before, mut after) = (0, 0);
    for seed in 0..300 {
        let formula = random::formula(&mut Random::new(seed), 4);
        let mut arena = Arena::new();
        let id = arena.add(&formula);
        let raw = tableau::build(&arena, id, &Budget::unlimited()).unwrap();
        let reduced = Automaton::new(&arena, id, &Budget::unlimited()).unwrap();
        assert!(reduced.states.len() <= raw.states.len() && reduced.transitions() <= raw.transitions());
        before += raw.transitions();
        after += reduced.transitions();
    }
    assert!(after * 4 < before * 3, "{before} {after}");
}
