//! In which order an engine tries what it can: a table of attempts, made from a choice of invariants.
//!
//! An [`InvariantChoice`] comes in, a list of [`Attempt`]s goes out; the loop ([`run`]) goes through it for
//! either engine, which only has to answer single questions ([`Prover`]). The test of this module prints the
//! tables. Nothing here knows how a question is answered.
//!
//! The order rests on three observations. What is hard for one set of kinds is often easy for another, so all
//! get a little effort before one gets much. The error may well be reached in a small instance, so some are
//! explored before a proof is given more effort. Dead interactions, weighted kinds and exclusive states cost
//! the most and are needed least, so they come last.

mod run;

pub use run::{Answer, Findings, Prover, Subject, run};

use crate::kind::InvariantKind;

/// States visited in small instances, or in the instance of a candidate, before a proof is given more than
/// [`MAX_TRY`].
pub const QUICK_STATES: usize = 5_000;

/// The same before a proof is given all the effort it takes.
pub(crate) const THOROUGH_STATES: usize = 100_000;

/// How many joins a set of kinds may take before small instances are explored.
const MAX_TRY: u64 = 60_000;

/// How many joins each set of kinds may take in the first round and in the second.
const MAX_FIRST: u64 = 100_000;
const MAX_SECOND: u64 = 2_000_000;

/// How many joins a question to the kinds of the last resort may take.
const MAX_LAST: u64 = 2_000_000;

/// Which invariants may be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvariantChoice {
    /// The stages: sets of kinds, tried in order until one proves. Later stages include what
    /// earlier ones found.
    pub stages: Vec<Vec<InvariantKind>>,
    /// Whether, after the last stage, interactions that provably never fire are dropped and the
    /// question is put again.
    pub dead_interactions: bool,
    /// Kinds that are added to those of the last stage when all else has failed. Only the direct engine knows
    /// them.
    pub last_resort: Vec<InvariantKind>,
    /// Whether states that exclude each other are looked for as well, after everything else. Only the direct
    /// engine knows them.
    pub exclusive: bool,
}

impl Default for InvariantChoice {
    /// The cheapest set that proves: traps, siphons, mutexes, traps and mutexes, those and siphons and
    /// at-most-one sets, everything up to bound 2 with parity; then dead interactions; at last sets with
    /// weights, and states that exclude each other.
    fn default() -> Self {
        Self::up_to(2)
    }
}

impl InvariantChoice {
    /// The default with bounds up to `k` (at least 1) in the last stage.
    pub fn up_to(k: u8) -> Self {
        use InvariantKind as Kind;
        let simple = vec![Kind::TRAP, Kind::MUTEX, Kind::SIPHON, Kind::AT_MOST_ONE];
        InvariantChoice {
            stages: vec![
                vec![Kind::TRAP],
                vec![Kind::SIPHON],
                vec![Kind::MUTEX],
                vec![Kind::TRAP, Kind::MUTEX],
                simple,
                Kind::all_up_to(k.max(1)),
            ],
            dead_interactions: true,
            last_resort: vec![Kind::LINEAR, Kind::Modulo(3)],
            exclusive: true,
        }
    }

    /// Exactly these kinds, together, without dropping dead interactions or states that exclude each other.
    pub fn only(kinds: impl IntoIterator<Item = InvariantKind>) -> Self {
        InvariantChoice {
            stages: vec![InvariantKind::sorted(kinds)],
            dead_interactions: false,
            last_resort: Vec::new(),
            exclusive: false,
        }
    }

    /// All kinds of all stages, cheapest first, without the last resort.
    pub fn kinds(&self) -> Vec<InvariantKind> {
        InvariantKind::sorted(self.stages.iter().flatten().copied())
    }

    /// The table for an engine whose effort can be bounded, and which knows all kinds.
    pub(crate) fn attempts(&self) -> Vec<Attempt> {
        let Some(all) = self.stages.last().cloned() else { return Vec::new() };
        let mut table = Vec::new();
        for kinds in self.stages.iter().cloned() {
            table.push(Attempt::Try { kinds: kinds.clone(), effort: MAX_TRY });
            table.push(Attempt::Explore { states: QUICK_STATES });
            table.push(Attempt::Prove { kinds, effort: MAX_FIRST });
        }
        for kinds in self.stages.iter().cloned() {
            table.push(Attempt::Prove { kinds, effort: MAX_SECOND });
        }
        for kinds in self.stages.iter().cloned() {
            table.push(Attempt::Explore { states: THOROUGH_STATES });
            table.push(Attempt::Prove { kinds, effort: u64::MAX });
        }
        if self.dead_interactions {
            table.push(Attempt::Confirm { states: THOROUGH_STATES });
            table.push(Attempt::DropDead { kinds: all.clone(), effort: MAX_FIRST });
            table.push(Attempt::Explore { states: THOROUGH_STATES });
            table.push(Attempt::DropDead { kinds: all.clone(), effort: u64::MAX });
        }
        let all = InvariantKind::sorted(all.into_iter().chain(self.last_resort.iter().copied()));
        // As a last resort exclusive states get no more than that; alone they were chosen by name.
        let mut effort = u64::MAX;
        if !self.last_resort.is_empty() {
            effort = MAX_LAST;
            table.push(Attempt::LastResort { kinds: all.clone(), effort });
        }
        if self.exclusive {
            table.push(Attempt::Exclusive { kinds: all, effort });
        }
        table
    }

    /// The table for an engine that answers by formulas: its effort can't be bounded, and there are no
    /// formulas for weighted kinds and exclusive states.
    pub fn attempts_by_formulas(&self) -> Vec<Attempt> {
        let Some(all) = self.stages.last().cloned() else { return Vec::new() };
        let effort = u64::MAX;
        let stages = self.stages.iter().cloned().map(|kinds| Attempt::Prove { kinds, effort });
        let dead = self.dead_interactions.then_some(Attempt::DropDead { kinds: all, effort });
        std::iter::once(Attempt::NoInvariant).chain(stages).chain(dead).collect()
    }
}

/// One row of the table. *Effort* is a number of joins of the direct engine.
///
/// A proof ends the run, and so does an instance that reaches the error. Rows are skipped where they would
/// add nothing: each variant describes when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// Proves without any invariant: no marking at all is an error. A candidate is ignored here.
    NoInvariant,
    /// Proves with these kinds. A candidate's instance is explored up to [`QUICK_STATES`]. Skipped
    /// once small instances were explored (the next row has more effort), or when the kinds have failed.
    Try {
        /// The kinds.
        kinds: Vec<InvariantKind>,
        /// The effort.
        effort: u64,
    },
    /// The same, skipped only when the kinds, or more of them, have failed: left a candidate.
    Prove {
        /// The kinds.
        kinds: Vec<InvariantKind>,
        /// The effort.
        effort: u64,
    },
    /// Explores small instances. Skipped if the next row is, or if as many states were explored before.
    Explore {
        /// How many states may be visited.
        states: usize,
    },
    /// Explores the instance of the last candidate.
    Confirm {
        /// How many states may be visited.
        states: usize,
    },
    /// Drops the interactions that provably never fire and proves again, until nothing changes. Each question
    /// has the effort. Skipped if it was done with less effort and that was enough.
    DropDead {
        /// The kinds.
        kinds: Vec<InvariantKind>,
        /// The effort.
        effort: u64,
    },
    /// Proves with kinds that cost more; then, if dead interactions are looked for at all, drops those that
    /// these kinds show to be dead. What was dropped before stays dropped. If the effort is not enough,
    /// the run ends. Skipped when the kinds have failed.
    LastResort {
        /// The kinds.
        kinds: Vec<InvariantKind>,
        /// The effort.
        effort: u64,
    },
    /// Proves without the markings in which private components are in states that exclude each other.
    Exclusive {
        /// The kinds.
        kinds: Vec<InvariantKind>,
        /// The effort.
        effort: u64,
    },
}

#[cfg(test)]
mod tests;
