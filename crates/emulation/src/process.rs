//! Processes as triples: Tables 5 and 6, Definition 3.4 and Algorithm 1 of the paper, repaired.
//!
//! `docs/emulation.md` explains how, where it differs from the paper, and why the result is strongly
//! bisimilar to the process. In short: a *position* is what is left of an operand (`position` finds all of
//! them, by term, scope and continuation); triples are made scope by scope, inner ones first, and put
//! together by synchronisation algebras (`joint`), within agents as outside (`agents`); then exit conditions
//! become locations (`location`). Nothing of `semantics` is used: the interpreter there is the other way to
//! the same states.

use paramcheck_process::model::{System, terminated};
use paramcheck_process::show;
use paramcheck_text::limits::{Budget, Stop};

use super::triple::Structure;

mod agents;
mod joint;
mod location;
pub mod paper;
mod position;

pub use location::counter_name;

/// More triples are not made.
pub const MAX_TRIPLES: usize = 1_000_000;

/// More ids in entry and exit conditions together are not written.
pub(crate) const MAX_CONDITIONS: usize = 16_000_000;

/// Why there are no triples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotEncoded {
    /// The budget ended.
    #[error("{0}")]
    Stopped(Stop),
    /// There would be too many triples.
    #[error("more than {MAX_TRIPLES} triples would be needed")]
    Triples,
    /// Their conditions would be too long.
    #[error("conditions of triples would be made of more than {MAX_CONDITIONS} ids")]
    Conditions,
}

impl From<Stop> for NotEncoded {
    fn from(stop: Stop) -> Self {
        NotEncoded::Stopped(stop)
    }
}

/// The triples of a process or of the peers of a choreography. Labels are the system's; the agents are those
/// of the interpreter, with the same names. One triple for each prefix (in each position that is not the same
/// as another: equal rests share theirs), for each tuple that may synchronise, each copy of an initial triple
/// of a parallel composition that is an alternative, each join, and one start triple per agent.
///
/// # Errors
/// The budget ended, or there are too many triples.
pub fn encode(system: &System, budget: &Budget) -> Result<Structure, NotEncoded> {
    let mut work = Work::new(budget);
    let terminated = terminated(&system.terms, &system.constants);
    let mut positions = position::Positions::new(system, &terminated);
    let drafts = agents::triples(system, &mut positions, &mut work)?;
    let mut structure = Structure { labels: show::labels(system), ..Structure::default() };
    location::finish(system, positions, drafts, &mut structure, &mut work)?;
    Ok(structure)
}

/// Counts what is made.
struct Work<'a> {
    budget: &'a Budget,
    steps: usize,
    triples: usize,
    conditions: usize,
}

impl<'a> Work<'a> {
    fn new(budget: &'a Budget) -> Self {
        Work { budget, steps: 0, triples: 0, conditions: 0 }
    }

    /// A step of work.
    fn step(&mut self) -> Result<(), NotEncoded> {
        self.steps += 1;
        if self.steps.is_multiple_of(1024) {
            self.budget.check()?;
        }
        Ok(())
    }

    /// One more triple.
    fn triple(&mut self) -> Result<(), NotEncoded> {
        self.step()?;
        self.triples += 1;
        if self.triples > MAX_TRIPLES { Err(NotEncoded::Triples) } else { Ok(()) }
    }

    /// More ids in conditions. (Positions, scopes and counters are counted with them: each is for at least
    /// one.)
    fn conditions(&mut self, count: usize) -> Result<(), NotEncoded> {
        self.step()?;
        self.conditions += count;
        if self.conditions > MAX_CONDITIONS { Err(NotEncoded::Conditions) } else { Ok(()) }
    }
}
