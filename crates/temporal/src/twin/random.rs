//! Random formulas, and small random systems.

use paramcheck_text::random::Random;

use crate::formula::{Atom, Binary, Formula, Modality, Unary};
use crate::system::{Kind, System};

/// The atoms of all random systems.
pub(crate) const ATOMS: [Kind; 6] =
    [Kind::State, Kind::State, Kind::Step, Kind::Last, Kind::Step, Kind::State];

/// A step: the atoms it makes true, whose it is, and where it leads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) bits: u64,
    pub(crate) units: u64,
    pub(crate) target: u32,
}

/// A system given by a table.
#[derive(Clone, Debug)]
pub(crate) struct Tiny {
    pub(crate) initial: Vec<u32>,
    pub(crate) letters: Vec<u64>,
    pub(crate) steps: Vec<Vec<Step>>,
    pub(crate) units: usize,
    pub(crate) keeps_last: bool,
}

impl Tiny {
    /// A system of a few states.
    pub(crate) fn random(random: &mut Random, most_states: u64, units: u64) -> Tiny {
        let count = 1 + random.below(most_states);
        let densities = random.below(4);
        let step = |random: &mut Random| Step {
            bits: random.number() & random.number() & 0b1_1100,
            units: if random.below(3) == 0 { random.number() } else { 1 << random.below(units.max(1)) }
                & ((1 << units) - 1),
            target: random.below(count) as u32,
        };
        let state = |random: &mut Random| {
            let steps = random.below(2 + densities);
            (0..steps).map(|_| step(random)).collect()
        };
        Tiny {
            initial: (0..=random.below(2)).map(|_| random.below(count) as u32).collect(),
            letters: (0..count).map(|_| random.number() & 0b10_0011).collect(),
            steps: (0..count).map(|_| state(random)).collect(),
            units: units as usize,
            keeps_last: random.below(2) == 0,
        }
    }
}

impl System for Tiny {
    type State = u32;
    type Step = usize;
    type Fault = ();

    fn atoms(&self) -> &[Kind] {
        &ATOMS
    }

    fn initial(&mut self) -> Vec<u32> {
        self.initial.clone()
    }

    fn steps(&mut self, state: &u32, each: &mut dyn FnMut(usize, u32)) -> Result<(), ()> {
        self.steps[*state as usize].iter().enumerate().for_each(|(number, step)| each(number, step.target));
        Ok(())
    }

    fn state_letter(&self, state: &u32, letter: &mut [u64]) {
        letter[0] = self.letters[*state as usize];
    }

    fn step_letter(&self, from: &u32, step: &usize, _: &u32, letter: &mut [u64]) {
        letter[0] = self.steps[*from as usize][*step].bits;
    }

    fn keeps_last(&self) -> bool {
        self.keeps_last
    }

    fn units(&self) -> usize {
        self.units
    }

    fn actors(&self, from: &u32, step: &usize, units: &mut [u64]) {
        if let Some(word) = units.first_mut() {
            *word = self.steps[*from as usize][*step].units;
        }
    }
}

/// A formula over [`ATOMS`].
pub(crate) fn formula(random: &mut Random, depth: u64) -> Formula<Atom> {
    let atom = |random: &mut Random| Formula::Atom(Atom(random.below(ATOMS.len() as u64) as u32));
    if depth == 0 || random.below(6) == 0 {
        return match random.below(12) {
            0 => Formula::True,
            1 => Formula::False,
            _ => atom(random),
        };
    }
    let part = |random: &mut Random| formula(random, depth - 1);
    let inner = |random: &mut Random| Box::new(formula(random, depth - 1));
    match random.below(12) {
        0 => part(random).negated(),
        1 => Formula::And((0..2 + random.below(2)).map(|_| part(random)).collect()),
        2 => Formula::Or((0..2 + random.below(2)).map(|_| part(random)).collect()),
        3 => Formula::Implies(inner(random), inner(random)),
        4 => Formula::Iff(inner(random), inner(random)),
        5 => Formula::Unary(Unary::Next, inner(random)),
        6 | 7 => Formula::Unary(Unary::Finally, inner(random)),
        8 | 9 => Formula::Unary(Unary::Globally, inner(random)),
        10 => {
            let operators = [Binary::Until, Binary::Release, Binary::WeakUntil];
            let operator = operators[random.below(3) as usize];
            Formula::Binary(operator, inner(random), inner(random))
        }
        _ => {
            let modality = if random.below(2) == 0 { Modality::Diamond } else { Modality::Box };
            let observation = Atom([2, 4][random.below(2) as usize]);
            Formula::Observation(modality, observation, inner(random))
        }
    }
}

/// How many cases a test looks at, and the first seed: `PARAMCHECK_SYSTEMS`, `PARAMCHECK_SEED`.
pub(crate) fn seeds(usual: u64) -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first = number("PARAMCHECK_SEED").unwrap_or(0);
    let long = if std::env::var_os("PARAMCHECK_LONG").is_some() { 10 } else { 1 };
    first..first + number("PARAMCHECK_SYSTEMS").unwrap_or(usual * long)
}
