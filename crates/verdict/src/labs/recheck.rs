//! What the search claims to be violated, held against the rules of the language.
//!
//! In: what the search claims. Out: the run as the rules go through it, if it shows a violation
//! ([`judge`]); where the formula can't be reached any more, the closed set behind its end as well. Shares nothing
//! with the search but the rules. [`proof`] does the same for what is claimed to hold.

use paramcheck_labs::model::{Property, System};
use paramcheck_labs::semantics::judge::{Judgement, judge};
use paramcheck_labs::semantics::run::{Ending, NoRun, Replayed, Run, Violation, replay_all};
use paramcheck_labs::semantics::step::Rules;
use paramcheck_text::limits::Budget;

use super::ClosedSet;

pub(super) mod proof;

/// How often a run goes round, at most, until what is left to do is the same.
const MAX_ROUNDS: usize = 16;

/// Why a claim is not believed.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refusal {
    /// It is wrong, and how.
    #[error("{0}")]
    Bug(String),
    /// Its steps have too many outcomes to be gone through.
    #[error("its steps have too many outcomes to be gone through by the rules")]
    TooMuch,
}

/// A run that comes back to the state before the step of this number, and its ending. Elsewhere states are alike where
/// what is left to do is alike, though it may be written otherwise: it goes round until it is the same.
pub(super) fn gone_round(system: &System, rules: Rules, run: Run, step: usize) -> (Run, Ending) {
    let round = run.steps.get(step..).unwrap_or_default().to_vec();
    let mut longer = run.clone();
    for rounds in 0..MAX_ROUNDS {
        for begin in (0..=rounds).rev().map(|before| step + before * round.len()) {
            let ending = Ending::BackTo(begin);
            if replay_all(system, rules, &longer, &ending).is_ok() {
                return (longer, ending);
            }
        }
        longer.steps.extend(round.iter().cloned());
    }
    (run, Ending::BackTo(step))
}

/// The run of a violation, if it is one, with the closed set behind its end, if it is about that.
///
/// # Errors
/// It is none, or that is not known.
pub(super) fn recheck<'a>(
    system: &'a System,
    rules: Rules,
    property: &Property,
    violation: &Violation,
    steps: Option<usize>,
    budget: &Budget,
) -> Result<(Replayed<'a>, Option<ClosedSet>), Refusal> {
    let Violation { run, ending, searched } = violation;
    let mut replayed = replay_all(system, rules, run, ending).map_err(|reason| match reason {
        NoRun::TooMuch => Refusal::TooMuch,
        NoRun::Initial | NoRun::Step(_) | NoRun::Ending => {
            Refusal::Bug(format!("its run is none: {reason:?}"))
        }
    })?;
    match judge(system, rules, property, &mut replayed, ending, steps, budget) {
        Ok(Judgement::Violated(closed)) => {
            Ok((replayed, closed.map(|states| ClosedSet { states, is_rechecked: true })))
        }
        // What is too much to be searched again is reported as the search found it.
        Ok(Judgement::TooMuch) => {
            let states = searched.ok_or(Refusal::TooMuch)?;
            Ok((replayed, Some(ClosedSet { states, is_rechecked: false })))
        }
        Ok(Judgement::Nothing(reason)) => Err(Refusal::Bug(format!("its run does not violate it: {reason}"))),
        Err(halt) => Err(Refusal::Bug(format!("a formula has no value in its run: {halt:?}"))),
    }
}
