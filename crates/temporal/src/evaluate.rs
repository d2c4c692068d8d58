//! The value of a formula on a run that is known to its end, or to where it begins to repeat itself: the
//! definition of what formulas mean, position by position.
//!
//! It shares nothing with automata and searches. Runs that those find are held against it. Of a run that is known up
//! to some position only, a formula may have a value already ([`Prefix`]).

use crate::formula::{Atom, Binary, Formula, Modality, Unary};
use crate::letter::{Letter, holds};

#[cfg(test)]
mod tests;

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

/// The beginning of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// The letters of positions at which a step is taken, and of the one behind them.
    pub letters: Vec<Letter>,
    /// Which atoms are about the step that is taken: they are not known at the last position.
    pub step_atoms: Letter,
}

/// A value per position, where it is the same however the run goes on.
type Values = Vec<Option<bool>>;

impl Prefix {
    /// The value of a formula at the first position, if it is seen to be the same however the run goes on. Values
    /// are combined as Kleene does, so not everything is seen that is so: of `F (a & !a)`, nothing is.
    pub fn value(&self, formula: &Formula<Atom>) -> Option<bool> {
        self.values(formula).first().copied().flatten()
    }

    fn values(&self, formula: &Formula<Atom>) -> Values {
        let count = self.letters.len();
        let each = |value: &dyn Fn(usize) -> Option<bool>| (0..count).map(value).collect::<Values>();
        match formula {
            Formula::True => vec![Some(true); count],
            Formula::False => vec![Some(false); count],
            Formula::Atom(atom) => each(&|at| self.atom(*atom, at)),
            Formula::Not(inner) => not(self.values(inner)),
            Formula::And(parts) => {
                let parts: Vec<Values> = parts.iter().map(|part| self.values(part)).collect();
                each(&|at| parts.iter().map(|part| part[at]).reduce(and).unwrap_or(Some(true)))
            }
            Formula::Or(parts) => {
                let parts: Vec<Values> = parts.iter().map(|part| self.values(part)).collect();
                each(&|at| parts.iter().map(|part| part[at]).reduce(or).unwrap_or(Some(false)))
            }
            Formula::Implies(left, right) => {
                let (left, right) = (not(self.values(left)), self.values(right));
                each(&|at| or(left[at], right[at]))
            }
            Formula::Iff(left, right) => {
                let (left, right) = (self.values(left), self.values(right));
                each(&|at| Some(left[at]? == right[at]?))
            }
            Formula::Unary(Unary::Next, inner) => later(&self.values(inner)),
            Formula::Unary(Unary::Finally, inner) => until(&vec![Some(true); count], &self.values(inner)),
            Formula::Unary(Unary::Globally, inner) => {
                not(until(&vec![Some(true); count], &not(self.values(inner))))
            }
            Formula::Binary(operator, left, right) => {
                let (left, right) = (self.values(left), self.values(right));
                match operator {
                    Binary::Until => until(&left, &right),
                    // φ W ψ = !(!ψ U (!φ & !ψ)), φ R ψ = !(!φ U !ψ)
                    Binary::WeakUntil => {
                        let (left, right) = (not(left), not(right));
                        not(until(&right, &each(&|at| and(left[at], right[at]))))
                    }
                    Binary::Release => not(until(&not(left), &not(right))),
                }
            }
            Formula::Observation(modality, observation, inner) => {
                let next = later(&self.values(inner));
                match modality {
                    Modality::Diamond => each(&|at| and(self.atom(*observation, at), next[at])),
                    Modality::Box => {
                        each(&|at| or(self.atom(*observation, at).map(|holds| !holds), next[at]))
                    }
                }
            }
        }
    }

    fn atom(&self, atom: Atom, at: usize) -> Option<bool> {
        let is_open = at + 1 == self.letters.len() && holds(&self.step_atoms, atom);
        (!is_open).then(|| holds(&self.letters[at], atom))
    }
}

fn and(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    match (left, right) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn or(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    match (left, right) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    }
}

fn not(values: Values) -> Values {
    values.into_iter().map(|value| value.map(|value| !value)).collect()
}

/// The values one position later; what is behind the last one is not known.
fn later(values: &Values) -> Values {
    values.iter().skip(1).copied().chain([None]).collect()
}

fn until(left: &Values, right: &Values) -> Values {
    let mut values = vec![None; left.len()];
    let mut next = None;
    for at in (0..left.len()).rev() {
        next = or(right[at], and(left[at], next));
        values[at] = next;
    }
    values
}
