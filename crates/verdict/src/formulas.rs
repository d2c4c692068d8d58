//! Questions to the engine by formulas: alone, or beside the direct engine.

use std::time::Instant;

use paramcheck_text::limits::Budget;
use paramcheck_wsks::engine::Wsks;
use paramcheck_wsks::mona::Means;

use super::rewriting::{InternalBug, Question};
use super::scout::Explorer;
use super::{EngineName, EngineRun, MonaSetup, Options, Proved, Status, reconcile};

#[cfg(test)]
mod tests;

/// Of the time that is left for a question to both engines, MONA may use one part in this many.
const MONA_SHARE: u32 = 3;

impl Question<'_> {
    /// Puts the question to MONA alone.
    pub(super) fn mona(&self, setup: &MonaSetup) -> Result<(Status, EngineRun), InternalBug> {
        let Question { system, error, options } = *self;
        let start = Instant::now();
        let means =
            Means { worker: setup.worker.clone(), budget: options.budget.clone(), memory: setup.memory };
        let mut explorer = Explorer::new(system, error, options.threads, &options.budget);
        let mut engine = Wsks::new(system, &means);
        let outcome = engine.decide(error, &options.invariants, &mut explorer);
        let queries = engine.into_queries();
        let outcome = outcome.map_err(|reason| InternalBug::Model { error: error.name.clone(), reason })?;
        let status = self.settle(EngineName::Mona, outcome, explorer, |()| Ok(Ok(None)))?;
        let run = EngineRun::new(EngineName::Mona, &status, start.elapsed(), queries);
        Ok((status, run))
    }

    /// Puts the question to the direct engine, then to MONA. That they contradict each other is a bug.
    pub(super) fn both(&self, setup: &MonaSetup) -> Result<(Status, Vec<EngineRun>), InternalBug> {
        let (by_direct, direct) = self.direct()?;
        let share = Options { budget: share(&self.options.budget), ..self.options.clone() };
        let (by_mona, mona) = Question { options: &share, ..*self }.mona(setup)?;
        let contradict = match &by_direct {
            Status::Proved(proved) if is_beyond_formulas(proved) => {
                reconcile::contradict_beyond_formulas(&mona.finding)
            }
            _ => reconcile::contradict(&direct.finding, &mona.finding),
        };
        if contradict {
            let findings = Box::new([direct.finding, mona.finding]);
            return Err(InternalBug::Disagreement { error: self.error.name.clone(), findings });
        }
        Ok((reconcile::better(by_direct, by_mona), vec![direct, mona]))
    }
}

/// Whether the proof rests on what has no formula: weights, or states that exclude each other.
fn is_beyond_formulas(proved: &Proved) -> bool {
    proved.exclusive > 0 || proved.invariants.iter().any(|kind| kind.is_weighted())
}

/// MONA's share where the question goes to both engines: a part of the time that is left, so that the direct
/// engine is never kept from a later question, for which it may need milliseconds.
fn share(budget: &Budget) -> Budget {
    let mut share = budget.clone();
    share.deadline = budget.deadline.map(|deadline| {
        let now = Instant::now();
        now + deadline.saturating_duration_since(now) / MONA_SHARE
    });
    share
}
