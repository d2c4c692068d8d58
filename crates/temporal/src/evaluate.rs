//! The value of a formula on a run that is known to its end, or to where it begins to repeat itself: the
//! definition of what formulas mean, position by position.
//!
//! It shares nothing with automata and searches. Runs that those find are held against it.

use crate::formula::{Atom, Binary, Formula, Modality, Unary};
use crate::letter::{Letter, holds};

/// A run without end, as letters: the last one is followed by the one at `back`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The letters; at least one.
    pub letters: Vec<Letter>,
    /// Where it goes on behind the last letter.
    pub back: usize,
    /// Per letter, whether a step is taken there. Where a run has ended none is.
    pub is_step: Vec<bool>,
}

impl Word {
    /// Whether the formula holds at the first position.
    pub fn satisfies(&self, formula: &Formula<Atom>) -> bool {
        self.values(formula).first().copied().unwrap_or(false)
    }

    /// Where the word goes on behind a position.
    fn next(&self, at: usize) -> usize {
        if at + 1 < self.letters.len() { at + 1 } else { self.back }
    }

    /// The value of a formula at each position. (Baier, Katoen 2008, section 5.1.2.)
    fn values(&self, formula: &Formula<Atom>) -> Vec<bool> {
        let count = self.letters.len();
        let each = |value: &dyn Fn(usize) -> bool| (0..count).map(value).collect::<Vec<bool>>();
        match formula {
            Formula::True => vec![true; count],
            Formula::False => vec![false; count],
            Formula::Atom(atom) => each(&|at| holds(&self.letters[at], *atom)),
            Formula::Not(inner) => self.values(inner).into_iter().map(|value| !value).collect(),
            Formula::And(parts) => {
                let parts: Vec<Vec<bool>> = parts.iter().map(|part| self.values(part)).collect();
                each(&|at| parts.iter().all(|part| part[at]))
            }
            Formula::Or(parts) => {
                let parts: Vec<Vec<bool>> = parts.iter().map(|part| self.values(part)).collect();
                each(&|at| parts.iter().any(|part| part[at]))
            }
            Formula::Implies(left, right) => {
                let (left, right) = (self.values(left), self.values(right));
                each(&|at| !left[at] || right[at])
            }
            Formula::Iff(left, right) => {
                let (left, right) = (self.values(left), self.values(right));
                each(&|at| left[at] == right[at])
            }
            Formula::Unary(Unary::Next, inner) => {
                let inner = self.values(inner);
                each(&|at| inner[self.next(at)])
            }
            Formula::Unary(Unary::Finally, inner) => self.until(&vec![true; count], &self.values(inner)),
            Formula::Unary(Unary::Globally, inner) => self.for_ever(&self.values(inner)),
            Formula::Binary(operator, left, right) => {
                let (left, right) = (self.values(left), self.values(right));
                let until = |left: &[bool], right: &[bool]| self.until(left, right);
                match operator {
                    Binary::Until => until(&left, &right),
                    Binary::WeakUntil => {
                        let (reached, kept) = (until(&left, &right), self.for_ever(&left));
                        each(&|at| reached[at] || kept[at])
                    }
                    Binary::Release => {
                        let not = |values: &[bool]| values.iter().map(|value| !value).collect::<Vec<bool>>();
                        not(&until(&not(&left), &not(&right)))
                    }
                }
            }
            Formula::Observation(modality, observation, inner) => {
                let inner = self.values(inner);
                let observed = |at: usize| self.is_step[at] && holds(&self.letters[at], *observation);
                match modality {
                    Modality::Diamond => each(&|at| observed(at) && inner[self.next(at)]),
                    Modality::Box => each(&|at| !observed(at) || inner[self.next(at)]),
                }
            }
        }
    }

    /// Where `right` is reached, through positions with `left`: those who reach it in k steps, for ever
    /// greater k.
    fn until(&self, left: &[bool], right: &[bool]) -> Vec<bool> {
        let mut values = right.to_vec();
        // Once round the loop and once more from behind: then nothing changes any more.
        for _ in 0..2 {
            for at in (0..values.len()).rev() {
                values[at] = values[at] || left[at] && values[self.next(at)];
            }
        }
        values
    }

    fn for_ever(&self, inner: &[bool]) -> Vec<bool> {
        let fails: Vec<bool> = inner.iter().map(|value| !value).collect();
        self.until(&vec![true; inner.len()], &fails).into_iter().map(|fails| !fails).collect()
    }
}
