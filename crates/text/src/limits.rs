//! Limits of a run: time, memory, interruption. All end a run as a value, never as an abort.
//!
//! Long loops call [`Budget::check`] now and then. Who holds a [`StopSwitch`] (the command line's watchdog
//! for memory) or the budget's flag (its Ctrl-C) makes the next check fail; a deadline does so by itself.
//! This module reads the clock and nothing else: how much memory is used is measured by the owner of the
//! switch. A part of a run may be bounded by work too ([`Budget::with_work`]): then it ends at the same point on
//! every machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Why a run ended before its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stop {
    /// The time limit passed.
    Time,
    /// The memory limit was reached.
    Memory,
    /// The run was interrupted (Ctrl-C).
    Interrupted,
    /// The work is done that a part of the run may do.
    Work,
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Stop::Time => "the time limit was reached",
            Stop::Memory => "the memory limit was reached",
            Stop::Interrupted => "interrupted",
            Stop::Work => "as much was tried as is allowed",
        })
    }
}

/// A switch that ends a run from another thread. Clones share the switch; the first reason stays.
#[derive(Clone, Debug, Default)]
pub struct StopSwitch(Arc<AtomicU8>);

impl StopSwitch {
    /// Ends every run whose budget watches this switch.
    pub fn stop(&self, reason: Stop) {
        let code = match reason {
            Stop::Time => 1,
            Stop::Memory => 2,
            Stop::Interrupted => 3,
            Stop::Work => 4,
        };
        let _ = self.0.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// The reason given, if the switch was flipped.
    pub(crate) fn reason(&self) -> Option<Stop> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Stop::Time),
            2 => Some(Stop::Memory),
            3 => Some(Stop::Interrupted),
            _ => Some(Stop::Work),
        }
    }
}

/// What a run is doing, for a reader in another thread. Clones share the numbers.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<(AtomicU8, AtomicU64)>);

/// A phase of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Nothing yet.
    Starting,
    /// Building configurations; counted.
    Proving,
    /// Rechecking a certificate.
    Certifying,
    /// Exploring an instance; states counted.
    Exploring,
    /// Listing instances; counted.
    Listing,
    /// Other programs run; their answers are counted.
    Asking,
}

impl Progress {
    /// Enters `phase`, the count at zero.
    pub fn enter(&self, phase: Phase) {
        self.0.1.store(0, Ordering::Relaxed);
        self.0.0.store(phase as u8, Ordering::Relaxed);
    }

    /// Sets the count of the current phase.
    pub fn set(&self, count: u64) {
        self.0.1.store(count, Ordering::Relaxed);
    }

    /// The phase and its count.
    pub fn get(&self) -> (Phase, u64) {
        let phase = match self.0.0.load(Ordering::Relaxed) {
            0 => Phase::Starting,
            1 => Phase::Proving,
            2 => Phase::Certifying,
            3 => Phase::Exploring,
            4 => Phase::Listing,
            _ => Phase::Asking,
        };
        (phase, self.0.1.load(Ordering::Relaxed))
    }
}

/// How long what was found by then may be looked through, and evidence held against the rules, after time is
/// up: as long again as the run took, but at least and at most so long. See [`Budget::for_evidence`].
const MOMENT: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(10)];

/// How much work is left to a part of a run, in looks at its budget; by default there is no bound. Clones share
/// it.
#[derive(Clone, Debug, Default)]
pub struct Work(Option<Arc<AtomicU64>>);

impl Work {
    /// So many looks less are left.
    fn take(&self, looks: u64) -> Result<(), Stop> {
        let Some(left) = &self.0 else { return Ok(()) };
        let less = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(looks));
        less.map(|_| ()).map_err(|_| Stop::Work)
    }
}

/// What a run may use. The default is unlimited.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// When the run began, where that is known.
    pub begin: Option<Instant>,
    /// When the run must end.
    pub deadline: Option<Instant>,
    /// Ends the run from outside.
    pub switch: StopSwitch,
    /// Ends from outside what [`Budget::for_evidence`] allows: memory may grow a little for it, but not
    /// without end.
    pub last_switch: StopSwitch,
    /// Ends the run from outside too, once it is true: all that a signal handler may do is set a flag.
    pub interrupted: Arc<AtomicBool>,
    /// What the run is doing now.
    pub progress: Progress,
    /// The most time that [`Budget::for_evidence`] gives, if it is to be less than by itself.
    pub most_evidence: Option<Duration>,
    /// How much work is left.
    pub work: Work,
}

impl Budget {
    /// No limit at all.
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// Ends `duration` from now (a duration beyond the clock's range is no limit).
    pub fn for_duration(duration: Duration) -> Self {
        Budget { deadline: Instant::now().checked_add(duration), ..Budget::default() }
    }

    /// For the evidence of a run that must end: looking through what is there, and replaying it. A violation
    /// that was seen should not be lost because time is up, or because the run was interrupted (a second
    /// interrupt ends the program). As long again as the run took, but two to ten seconds, no longer than
    /// `most_evidence`, and until `last_switch` is flipped.
    pub fn for_evidence(&self) -> Self {
        let [least, most] = MOMENT;
        let moment = self.begin.map_or(most, |begin| begin.elapsed().clamp(least, most));
        let moment = self.most_evidence.map_or(moment, |most| moment.min(most));
        let (progress, last_switch) = (self.progress.clone(), self.last_switch.clone());
        let switch = last_switch.clone();
        let most_evidence = self.most_evidence;
        Budget { progress, switch, last_switch, most_evidence, ..Budget::for_duration(moment) }
    }

    /// The same, but for a part of the run that may take `duration` at the most, from now on.
    pub fn within(&self, duration: Duration) -> Self {
        let own = Instant::now().checked_add(duration);
        let deadline = [self.deadline, own].into_iter().flatten().min();
        Budget { deadline, ..self.clone() }
    }

    /// The same, but for a part of the run that may look so often whether it may go on. Loops look after so many
    /// steps, not after some time. So who works with one thread ends where he ended before, however quick he is.
    #[must_use]
    pub fn with_work(&self, looks: u64) -> Self {
        Budget { work: Work(Some(Arc::new(AtomicU64::new(looks)))), ..self.clone() }
    }

    /// Whether the run may go on. Cheap enough for every few hundred steps.
    ///
    /// # Errors
    /// Why the run must end.
    pub fn check(&self) -> Result<(), Stop> {
        if let Some(reason) = self.switch.reason() {
            return Err(reason);
        }
        if self.interrupted.load(Ordering::Relaxed) {
            return Err(Stop::Interrupted);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stop::Time),
            _ => self.work.take(1),
        }
    }

    /// A check before work that takes as long as so many looks more.
    ///
    /// # Errors
    /// As [`Budget::check`].
    pub fn spend(&self, looks: u64) -> Result<(), Stop> {
        self.check()?;
        self.work.take(looks)
    }

    /// A check for loops of quick steps: each call counts one, and every 256th, the first included, is a
    /// [`Budget::check`], with its errors.
    pub fn pace(&self) -> impl FnMut() -> Result<(), Stop> {
        let mut steps: u8 = 0;
        move || {
            let is_due = steps == 0;
            steps = steps.wrapping_add(1);
            if is_due { self.check() } else { Ok(()) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_ends_with_the_whole_or_before() {
        let minute = Duration::from_secs(60);
        assert_eq!(Budget::unlimited().within(Duration::ZERO).check(), Err(Stop::Time));
        assert_eq!(Budget::for_duration(Duration::ZERO).within(minute).check(), Err(Stop::Time));
        assert_eq!(Budget::for_duration(minute).within(minute).check(), Ok(()));
        let budget = Budget::unlimited();
        budget.switch.stop(Stop::Memory);
        assert_eq!(budget.within(minute).check(), Err(Stop::Memory));
    }

    #[test]
    fn work_is_counted_in_looks() {
        let budget = Budget::unlimited().with_work(3);
        // Parts of the part, and its clones, work on the same account.
        assert_eq!(budget.check(), Ok(()));
        assert_eq!(budget.clone().check(), Ok(()));
        assert_eq!(budget.within(Duration::from_secs(3600)).check(), Ok(()));
        assert_eq!([budget.check(), budget.check()], [Err(Stop::Work); 2]);
        let large = Budget::unlimited().with_work(3);
        assert_eq!([large.spend(1), large.spend(1)], [Ok(()), Err(Stop::Work)]);
        // Another part has an account of its own, and what ends the run still ends it.
        let other = budget.with_work(1);
        assert_eq!([other.check(), other.check()], [Ok(()), Err(Stop::Work)]);
        budget.switch.stop(Stop::Memory);
        assert_eq!(budget.check(), Err(Stop::Memory));
    }

    #[test]
    fn evidence_is_looked_at_when_the_run_must_end() {
        let budget = Budget::for_duration(Duration::ZERO);
        assert_eq!(budget.check(), Err(Stop::Time));
        assert_eq!(budget.for_evidence().check(), Ok(()));
        budget.switch.stop(Stop::Memory);
        assert_eq!(budget.for_evidence().check(), Ok(()));
        budget.last_switch.stop(Stop::Memory);
        assert_eq!(budget.for_evidence().check(), Err(Stop::Memory));
        assert_eq!(budget.for_evidence().for_evidence().check(), Err(Stop::Memory));
        let budget = Budget::unlimited();
        budget.interrupted.store(true, Ordering::Relaxed);
        assert_eq!(budget.check(), Err(Stop::Interrupted));
        assert_eq!(budget.for_evidence().check(), Ok(()));
    }

    #[test]
    fn evidence_takes_as_long_again_as_the_run() {
        let now = Instant::now();
        let given = |took| {
            let begin = now.checked_sub(Duration::from_secs(took)).unwrap();
            let budget = Budget { begin: Some(begin), ..Budget::default() };
            budget.for_evidence().deadline.unwrap().duration_since(now).as_secs()
        };
        let budget = Budget { begin: Some(now), most_evidence: Some(Duration::ZERO), ..Budget::default() };
        assert_eq!(budget.for_evidence().check(), Err(Stop::Time));
        // More only by what this test takes itself.
        assert!(given(0) >= 2 && given(5) >= 5 && given(3600) >= 10 && given(5) < given(3600));
    }
}
