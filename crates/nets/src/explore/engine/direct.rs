//! Small searches: a successor is taken in as soon as it is made.
//!
//! While there is one shard nothing is gained by sorting successors first, and those that would wait take
//! memory. One thread does it: such a search takes milliseconds, unless states are much work.

use crate::explore::engine::visited::Refused;
use crate::explore::engine::{End, Search, Seen, WORK_PER_CHECK};
use crate::explore::system::TransitionSystem;
use paramcheck_text::limits::Stop;

/// States of at least this [work](TransitionSystem::weight) are shared among threads.
const WORTH_SHARING: usize = 16;
/// How many states are visited between two checks of the limits.
const BATCH: usize = 1 << 8;

impl<T: TransitionSystem> Search<'_, T>
where
    T::Scratch: Send,
{
    /// Whether successors are taken in as they are made. It does not depend on the number of threads. (Where
    /// a goal holds at the start, nothing more is to be found.)
    pub(super) fn is_direct(&self) -> bool {
        self.level > 0 && self.found.visited.shard_count() == 1 && self.system.weight() < WORTH_SHARING
    }

    /// Makes the successors of the level's states, and takes in what is new; until all goals are reached,
    /// where that is the end. False if there are too many.
    pub(super) fn expand_level(&mut self) -> Result<bool, End> {
        // Nothing is left to be done there.
        self.lanes.clear();
        while self.is_direct() && self.found.visited.left(self.level) > 0 && !self.is_over() {
            let mut seen = Seen::new(self.goals.len());
            let refused = self.expand_some(&mut seen);
            self.found.add(self.level, seen);
            self.found.peak_bytes = self.found.peak_bytes.max(self.found.visited.bytes());
            self.budget.progress.set(self.found.visited.len() as u64);
            if !self.found.visited.keep(self.options.max_states) {
                return Ok(false);
            }
            match refused.map_err(End::Stopped)? {
                Some(Refused::Memory) => return Err(End::Stopped(Stop::Memory)),
                Some(Refused::States) => return Ok(false),
                None => {}
            }
            self.found.visited.divide_if_crowded();
        }
        Ok(true)
    }

    /// Makes the successors of some states.
    fn expand_some(&mut self, seen: &mut Seen<T::State>) -> Result<Option<Refused>, Stop> {
        let Search { system, goals, options, budget, level, expanded, made, scratch, found, .. } = self;
        let memory = options.memory.unwrap_or(usize::MAX);
        let mut intake = found.visited.intake(*level, options.max_states, memory);
        let weight = system.weight();
        let mut work = WORK_PER_CHECK;
        for _ in 0..BATCH {
            if work >= WORK_PER_CHECK {
                work = 0;
                budget.check()?;
            }
            let Some((state, last)) = intake.next() else { break };
            let count = system.successors(&state, last, scratch, &mut |action, next| {
                *made += 1;
                intake.take(next, action);
            });
            *expanded += 1;
            work += weight + count + 1;
            seen.look(goals, &state, count);
            if intake.refused().is_some() {
                break;
            }
        }
        Ok(intake.refused())
    }
}
