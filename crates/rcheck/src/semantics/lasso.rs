//! The truth of a formula on one run that repeats itself, by its definition: per subformula a truth value for
//! each position, of `U` the least and of its dual the greatest solution.

use super::check::{Position, Runs};
use super::evaluate::NoValue;
use super::explore::Space;
use crate::model::{Formula, Spec, System};

/// A run: positions, and those that are repeated behind them for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// What comes first.
    pub prefix: Vec<Position>,
    /// What is repeated; not empty.
    pub cycle: Vec<Position>,
}

impl Lasso {
    /// Whether the run ends in a state without steps.
    pub fn is_finite(&self) -> bool {
        self.cycle.iter().all(|position| position.step.is_none())
    }
}

/// Whether these positions are a run of the system.
pub fn is_run(system: &System, space: &Space, spec: &Spec, lasso: &Lasso) -> bool {
    let runs = Runs::new(system, space, spec);
    let all: Vec<&Position> = lasso.prefix.iter().chain(&lasso.cycle).collect();
    let Some(back) = lasso.cycle.first() else { return false };
    let is_position = |position: &Position| match position.step {
        None => {
            space.steps.get(position.state).is_some_and(Vec::is_empty)
                && !space.faulty.contains(&position.state)
        }
        Some(_) => runs.message(position).is_some(),
    };
    let starts = all.first().is_some_and(|first| first.state < space.initial && first.received.is_empty());
    let mut nexts = all.iter().skip(1).copied().chain([back]);
    starts
        && all.iter().all(|position| is_position(position))
        && all.iter().all(|position| {
            nexts.next().is_some_and(|next| runs.behind(position) == (next.state, next.received.clone()))
        })
}

/// Whether the run satisfies the property.
///
/// # Errors
/// An observation without a value.
pub fn satisfies(system: &System, space: &Space, spec: &Spec, lasso: &Lasso) -> Result<bool, NoValue> {
    let run = Run {
        runs: Runs::new(system, space, spec),
        positions: lasso.prefix.iter().chain(&lasso.cycle).collect(),
        back: lasso.prefix.len(),
    };
    Ok(run.truths(&spec.formula)?.first().copied().unwrap_or(true))
}

struct Run<'a> {
    runs: Runs<'a>,
    positions: Vec<&'a Position>,
    /// The position behind the last one.
    back: usize,
}

impl Run<'_> {
    /// Per position whether the formula holds there.
    fn truths(&self, formula: &Formula) -> Result<Vec<bool>, NoValue> {
        let pairs = |left: &Formula, right: &Formula| -> Result<Vec<(bool, bool)>, NoValue> {
            Ok(self.truths(left)?.into_iter().zip(self.truths(right)?).collect())
        };
        let each = |all: &[Formula], is_all: bool| -> Result<Vec<bool>, NoValue> {
            let mut truths = vec![is_all; self.positions.len()];
            for one in all {
                let next = self.truths(one)?;
                truths.iter_mut().zip(next).for_each(|(truth, next)| {
                    *truth = if is_all { *truth && next } else { *truth || next };
                });
            }
            Ok(truths)
        };
        Ok(match formula {
            Formula::State(term) => {
                self.positions.iter().map(|at| self.runs.holds(term, at)).collect::<Result<_, _>>()?
            }
            Formula::Not(inner) => self.truths(inner)?.into_iter().map(|truth| !truth).collect(),
            Formula::All(all) => each(all, true)?,
            Formula::Any(all) => each(all, false)?,
            Formula::Iff(left, right) => {
                pairs(left, right)?.into_iter().map(|(one, other)| one == other).collect()
            }
            Formula::Next(inner) => self.next(&self.truths(inner)?),
            Formula::Finally(inner) => {
                let goals = self.truths(inner)?.into_iter().map(|goal| (true, goal));
                self.until(goals.collect(), false)
            }
            Formula::Globally(inner) => {
                let stays = self.truths(inner)?.into_iter().map(|stays| (stays, false));
                self.until(stays.collect(), true)
            }
            Formula::Until(left, right) => self.until(pairs(left, right)?, false),
            Formula::WeakUntil(left, right) => self.until(pairs(left, right)?, true),
            // a R b = b W (a & b)
            Formula::Release(left, right) => {
                let pairs = pairs(left, right)?.into_iter().map(|(left, right)| (right, left && right));
                self.until(pairs.collect(), true)
            }
            Formula::Observed { is_diamond, observation, body } => {
                let behind = self.next(&self.truths(body)?);
                let seen: Result<Vec<bool>, NoValue> =
                    self.positions.iter().map(|at| self.runs.observes(*observation, at)).collect();
                let each = seen?.into_iter().zip(behind);
                each.map(|(seen, behind)| if *is_diamond { seen && behind } else { !seen || behind })
                    .collect()
            }
        })
    }

    fn next(&self, truths: &[bool]) -> Vec<bool> {
        let back = truths.get(self.back).copied().unwrap_or(false);
        truths.iter().skip(1).copied().chain([back]).collect()
    }

    /// `a U b`; the greatest solution is `a W b`. Twice backwards settles the cycle.
    fn until(&self, pairs: Vec<(bool, bool)>, is_greatest: bool) -> Vec<bool> {
        let mut truths = vec![is_greatest; pairs.len()];
        for _ in 0..2 {
            let mut next = truths.get(self.back).copied().unwrap_or(false);
            for (truth, (stays, goal)) in truths.iter_mut().zip(&pairs).rev() {
                *truth = *goal || *stays && next;
                next = *truth;
            }
        }
        truths
    }
}
