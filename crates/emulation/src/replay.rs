//! Takes a run that a back end claims to be a violation, triple by triple, and looks whether it is one.
//!
//! By the meaning of structures in [`evolution`](super::evolution) and of questions and schedules as they are
//! defined, with nothing of any writer's text. What replays here is still only a run of the structure: that
//! the model has it too is for the rules of the model to decide (`semantics`, or the net).

use std::collections::BTreeSet;

use paramcheck_process::model::LabelId;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::limits::{Budget, Stop};

use super::backend::Counterexample;
use super::evolution::{Evolution, State};
use super::program::Program;
use super::question::{self, Condition, Demand};
use super::triple::{Structure, TripleId};

/// A run of a structure that violates a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// The states; one more than steps.
    pub(crate) states: Vec<State>,
    /// The steps. For a question of reachability only those to the first state that violates it.
    pub steps: Vec<TripleId>,
    /// For an infinite run, the number of steps before the loop.
    pub loop_start: Option<usize>,
}

/// Why a run is no violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// There is no such step then.
    #[error("step {0} is not possible")]
    Impossible(usize),
    /// It is not the turn of anyone who takes part.
    #[error("step {0} is taken out of turn")]
    OutOfTurn(usize),
    /// What must never be is not reached.
    #[error("it does not reach what it should")]
    NotReached,
    /// What must come to be does.
    #[error("what is demanded holds after step {0}")]
    Holds(usize),
    /// It ends where there are steps.
    #[error("it could go on")]
    Open,
    /// Its loop does not end as it began.
    #[error("its loop is open")]
    OpenLoop,
    /// Its loop leaves someone out.
    #[error("its loop is not fair")]
    Unfair,
    /// The budget ended.
    #[error("{0}")]
    Stopped(Stop),
}

/// Takes a run and looks whether it violates the question of a program under its schedule.
///
/// # Errors
/// Why it does not; where there are several initial states, from the one that it gets furthest from.
pub fn replay(
    program: &Program<'_>,
    claimed: &Counterexample,
    budget: &Budget,
) -> Result<Replayed, Mismatch> {
    let mut worst = Mismatch::NotReached;
    let evolution = Evolution::new(program.structure);
    for initial in evolution.each_initial() {
        budget.check().map_err(Mismatch::Stopped)?;
        match from(program, &evolution, claimed, initial, budget) {
            Err(Mismatch::Stopped(stop)) => return Err(Mismatch::Stopped(stop)),
            Err(mismatch) => worst = further(worst, mismatch),
            Ok(replayed) => return Ok(replayed),
        }
    }
    Err(worst)
}

/// Of two reasons the one that comes later in a run.
fn further(one: Mismatch, other: Mismatch) -> Mismatch {
    match (one, other) {
        (Mismatch::Impossible(left), Mismatch::Impossible(right)) if left > right => one,
        (_, Mismatch::Impossible(_)) if one != Mismatch::NotReached => one,
        _ => other,
    }
}

fn from(
    program: &Program<'_>,
    evolution: &Evolution<'_>,
    claimed: &Counterexample,
    initial: State,
    budget: &Budget,
) -> Result<Replayed, Mismatch> {
    let structure = program.structure;
    let mut moments = vec![Moment::new(program, evolution, initial, None, 0)];
    let is_reached = |moment: &Moment| match &program.question.demand {
        Demand::Never(condition) => moment.holds(structure, condition),
        Demand::Eventually(_) | Demand::Recoverable { .. } => false,
    };
    let mut steps = Vec::new();
    for (position, triple) in claimed.steps.iter().enumerate() {
        budget.check().map_err(Mismatch::Stopped)?;
        let Some(moment) = moments.last() else { break };
        if is_reached(moment) {
            break;
        }
        let number = position + 1;
        let found = moment.successors.iter().find(|(id, _)| id == triple);
        let (_, next) = found.ok_or(Mismatch::Impossible(number))?;
        let turn = moment.turn_after(structure, *triple).ok_or(Mismatch::OutOfTurn(number))?;
        let label = structure.triples.get(*triple).and_then(|triple| triple.label());
        moments.push(Moment::new(program, evolution, next.clone(), label, turn));
        steps.push(*triple);
    }
    let Some(last) = moments.last() else { return Err(Mismatch::NotReached) };
    let loop_start = match &program.question.demand {
        Demand::Never(_) if is_reached(last) => None,
        Demand::Never(_) => return Err(Mismatch::NotReached),
        // What can't be reached from its end is for the rules to see.
        Demand::Recoverable { .. } => None,
        Demand::Eventually(condition) => {
            if let Some(moment) = moments.iter().position(|moment| moment.holds(structure, condition)) {
                return Err(Mismatch::Holds(moment));
            }
            match claimed.loop_start {
                None if last.successors.is_empty() => {}
                None => return Err(Mismatch::Open),
                Some(start) => {
                    let first = moments.get(start).filter(|_| start < steps.len());
                    let first = first.ok_or(Mismatch::OpenLoop)?;
                    // Turns that pass on to the same agent are the same.
                    if (&first.state, first.actor) != (&last.state, last.actor) {
                        return Err(Mismatch::OpenLoop);
                    }
                    let inside = moments.get(start..).unwrap_or_default();
                    let taken = steps.get(start..).unwrap_or_default();
                    if !is_fair(structure, program.schedule, inside, taken) {
                        return Err(Mismatch::Unfair);
                    }
                }
            }
            claimed.loop_start
        }
    };
    let states = moments.into_iter().map(|moment| moment.state).collect();
    Ok(Replayed { states, steps, loop_start })
}

/// A moment of a run: a state, the step before it, what can be done.
struct Moment {
    state: State,
    last: Option<LabelId>,
    successors: Vec<(TripleId, State)>,
    /// Whose turn it is, where turns are taken.
    turn: u32,
    /// Who takes the turn: the first one from `turn` on that can act; `None` where all may act, or none can.
    actor: Option<u32>,
}

impl Moment {
    fn new(
        program: &Program<'_>,
        evolution: &Evolution<'_>,
        state: State,
        last: Option<LabelId>,
        turn: u32,
    ) -> Moment {
        let structure = program.structure;
        let successors = evolution.successors(&state);
        let agents = structure.agents.len() as u32;
        let actor = match program.schedule {
            Schedule::RoundRobin => {
                let able = able(structure, &successors);
                (0..agents).map(|wait| (turn + wait) % agents).find(|agent| able.contains(agent))
            }
            Schedule::Any | Schedule::WeaklyFair | Schedule::StronglyFair => None,
        };
        Moment { state, last, successors, turn, actor }
    }

    /// Whose turn it is after a step; `None` if it is not to be taken now.
    fn turn_after(&self, structure: &Structure, triple: TripleId) -> Option<u32> {
        match self.actor {
            None => Some(self.turn),
            Some(_) if participants(structure, triple).is_empty() => Some(self.turn),
            Some(actor) => self
                .may_take(structure, triple)
                .then(|| (actor + 1) % u32::try_from(structure.agents.len()).unwrap_or(u32::MAX)),
        }
    }

    /// Whether whoever has the turn takes part, or no agent does.
    fn may_take(&self, structure: &Structure, triple: TripleId) -> bool {
        let participants = participants(structure, triple);
        self.actor.is_none_or(|actor| participants.is_empty() || participants.contains(&actor))
    }

    fn holds(&self, structure: &Structure, condition: &Condition) -> bool {
        let can = |labels: &[LabelId]| {
            self.successors.iter().any(|(id, _)| {
                let label = structure.triples.get(*id).and_then(|triple| triple.label());
                label.is_some_and(|label| labels.contains(&label)) && self.may_take(structure, *id)
            })
        };
        let is_stuck = || self.successors.is_empty();
        let moment = question::Moment { state: &self.state, last: self.last, can: &can, is_stuck: &is_stuck };
        condition.holds(structure, &moment)
    }
}

fn participants(structure: &Structure, triple: TripleId) -> &[u32] {
    structure.triples.get(triple).map_or(&[], |triple| &triple.agents)
}

/// Who can act.
fn able(structure: &Structure, successors: &[(TripleId, State)]) -> BTreeSet<u32> {
    successors.iter().flat_map(|(id, _)| participants(structure, *id)).copied().collect()
}

/// Whether a loop treats everyone as the schedule demands; its last moment is its first one again.
fn is_fair(structure: &Structure, schedule: Schedule, moments: &[Moment], steps: &[TripleId]) -> bool {
    let able: Vec<BTreeSet<u32>> =
        moments.iter().take(steps.len()).map(|moment| able(structure, &moment.successors)).collect();
    let acting: BTreeSet<u32> = steps.iter().flat_map(|id| participants(structure, *id)).copied().collect();
    let agents = 0..structure.agents.len() as u32;
    agents.filter(|agent| !acting.contains(agent)).all(|agent| match schedule {
        Schedule::Any | Schedule::RoundRobin => true,
        Schedule::WeaklyFair => !able.iter().all(|able| able.contains(&agent)),
        Schedule::StronglyFair => !able.iter().any(|able| able.contains(&agent)),
    })
}
