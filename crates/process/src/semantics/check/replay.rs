//! Executes a run again, by the rules alone, and looks whether it violates a check.
//!
//! Shares nothing with what found the run but the interpreter: formulas, fairness and turns are looked at in
//! their definitions, on the run as it is.

use std::collections::BTreeSet;

use super::ltl::Atoms;
use super::{Run, Schedule};
use crate::model::{Formula, Goal, LabelId};
use crate::semantics::behaviour::BehaviourId;
use crate::semantics::explore::after;
use crate::semantics::network::{Interpreter, Step};
use paramcheck_temporal::letter::Letter;
use paramcheck_text::limits::Stop;

/// Why a run is no violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// The run claims this, and it is not so.
    Wrong(&'static str),
    /// The budget ended.
    Stopped(Stop),
}

impl From<Stop> for Mismatch {
    fn from(stop: Stop) -> Self {
        Mismatch::Stopped(stop)
    }
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Mismatch::Wrong(what) => write!(f, "the run found does not replay: {what}"),
            Mismatch::Stopped(stop) => stop.fmt(f),
        }
    }
}

/// What the rules make of a run that violates a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The steps as the rules make them.
    pub steps: Vec<Step>,
    /// Whose turn it is with round-robin, before each step and at the end, whoever can't act having passed;
    /// `None` where none can act. Empty under other schedules.
    pub(crate) turns: Vec<Option<u32>>,
}

/// Executes a run and looks whether it violates a check under a schedule.
///
/// # Errors
/// What is wrong with the run.
pub fn replay(
    interpreter: &mut Interpreter<'_>,
    goal: &Goal,
    schedule: Schedule,
    run: &Run,
) -> Result<Evidence, Mismatch> {
    let wrong = |what| Err(Mismatch::Wrong(what));
    let mut state = interpreter.initial();
    if run.states.first() != Some(&state) || run.states.len() != run.steps.len() + 1 {
        return wrong("it does not begin where the system does");
    }
    let mut taken = Evidence::default();
    // Of each moment, what could be done in it.
    let mut possible = vec![interpreter.steps(&state)?];
    // Of each moment, whose turn it is.
    let mut turns = vec![0];
    for (position, (step, next)) in run.steps.iter().zip(&run.states[1..]).enumerate() {
        let steps = &possible[position];
        let Some(found) = steps.iter().find(|found| step.is(found) && after(&state, found) == *next) else {
            return wrong("a step is not possible");
        };
        if schedule == Schedule::RoundRobin {
            match whose_turn(steps, turns[position], interpreter.agents()) {
                Some(actor) if step.agents.contains(&actor) => {
                    taken.turns.push(Some(actor));
                    turns.push((actor + 1) % interpreter.agents() as u32);
                }
                _ => return wrong("a step is taken out of turn"),
            }
        }
        taken.steps.push(found.clone());
        state.clone_from(next);
        possible.push(interpreter.steps(&state)?);
    }
    let turns = Some(turns).filter(|_| schedule == Schedule::RoundRobin);
    if let Some(turns) = &turns {
        let last = run.steps.len();
        taken.turns.push(whose_turn(&possible[last], turns[last], interpreter.agents()));
    }
    let moments = Moments { interpreter, run, possible: &possible, turns: turns.as_deref() };
    let last = run.steps.len();
    match goal {
        Goal::NoDeadlock | Goal::Always(_) if run.loop_start.is_some() => wrong("it goes on for ever"),
        Goal::NoDeadlock if !possible[last].is_empty() || interpreter.is_terminated(&state) => {
            wrong("it does not end in a deadlock")
        }
        Goal::Always(formula) if moments.holds(formula, last) => wrong("the formula holds in the end"),
        Goal::NoDeadlock | Goal::Always(_) => Ok(taken),
        Goal::Eventually(formula) if (0..=last).any(|moment| moments.holds(formula, moment)) => {
            wrong("the formula holds on the way")
        }
        Goal::Eventually(_) => match run.loop_start {
            None if possible[last].is_empty() => Ok(taken),
            None => wrong("it could go on"),
            Some(start) => goes_round(schedule, run, &possible, turns.as_deref(), start).map(|()| taken),
        },
        Goal::Ltl(formula) => {
            if let Some(start) = run.loop_start {
                goes_round(schedule, run, &possible, turns.as_deref(), start)?;
            }
            let atoms = Atoms::new(formula);
            let letters = (0..=last).map(|moment| moments.letter(&atoms, moment)).collect();
            if atoms.is_violated(letters, run.loop_start, possible[last].is_empty()) {
                Ok(taken)
            } else {
                wrong("it satisfies the formula")
            }
        }
    }
}

/// That a run goes round for ever from `start` on, in turn and fairly.
fn goes_round(
    schedule: Schedule,
    run: &Run,
    possible: &[Vec<Step>],
    turns: Option<&[u32]>,
    start: usize,
) -> Result<(), Mismatch> {
    let last = run.steps.len();
    let wrong = |what| Err(Mismatch::Wrong(what));
    if start >= last || run.states[start] != run.states[last] {
        return wrong("its loop is open");
    }
    if turns.is_some_and(|turns| turns[start] != turns[last]) {
        return wrong("its loop ends in another turn than it began");
    }
    if !is_fair(schedule, run, possible, start) {
        return wrong("its loop is not fair");
    }
    Ok(())
}

/// The first agent from `turn` on that can act.
pub(super) fn whose_turn(steps: &[Step], turn: u32, agents: usize) -> Option<u32> {
    let able = able(steps);
    let agents = agents as u32;
    (0..agents).map(|wait| (turn + wait) % agents).find(|agent| able.contains(agent))
}

fn able(steps: &[Step]) -> BTreeSet<u32> {
    steps.iter().flat_map(|step| step.changes.iter().map(|(agent, _)| *agent)).collect()
}

fn is_fair(schedule: Schedule, run: &Run, possible: &[Vec<Step>], start: usize) -> bool {
    let able: Vec<BTreeSet<u32>> = possible[start..run.steps.len()].iter().map(|steps| able(steps)).collect();
    let acting: BTreeSet<u32> =
        run.steps[start..].iter().flat_map(|step| step.agents.iter().copied()).collect();
    let concerned: BTreeSet<u32> = able.iter().flatten().copied().collect();
    concerned.iter().all(|agent| {
        acting.contains(agent)
            || match schedule {
                Schedule::Any | Schedule::RoundRobin => true,
                Schedule::WeaklyFair => !able.iter().all(|able| able.contains(agent)),
                Schedule::StronglyFair => false,
            }
    })
}

/// The moments of a run.
struct Moments<'a, 'b> {
    interpreter: &'a Interpreter<'b>,
    run: &'a Run,
    possible: &'a [Vec<Step>],
    /// Whose turn it is, where turns are taken.
    turns: Option<&'a [u32]>,
}

impl Moments<'_, '_> {
    /// The label of the step before a moment.
    fn last(&self, moment: usize) -> Option<LabelId> {
        moment.checked_sub(1).map(|before| self.run.steps[before].label)
    }

    /// Whether a step with one of these labels is possible.
    fn can(&self, labels: &[LabelId], moment: usize) -> bool {
        let steps = &self.possible[moment];
        let actor = self.turns.and_then(|turns| whose_turn(steps, turns[moment], self.interpreter.agents()));
        let is_allowed =
            |step: &Step| actor.is_none_or(|actor| step.changes.iter().any(|(agent, _)| *agent == actor));
        steps.iter().any(|step| labels.contains(&step.label) && is_allowed(step))
    }

    /// Which atoms of a temporal formula hold. The last moment of an infinite run is followed by the first of its
    /// loop.
    fn letter(&self, atoms: &Atoms<'_>, moment: usize) -> Letter {
        let next = self.run.steps.get(moment).or_else(|| self.run.steps.get(self.run.loop_start?));
        let is_terminated = self.interpreter.is_terminated(&self.run.states[moment]);
        let can = |labels: &[LabelId]| self.can(labels, moment);
        atoms.letter(self.last(moment), next.map(|step| step.label), is_terminated, can)
    }

    /// Recursion is bounded by the parser's limit on nesting.
    fn holds(&self, formula: &Formula, moment: usize) -> bool {
        let state: &[BehaviourId] = &self.run.states[moment];
        match formula {
            Formula::Did(labels) => self.last(moment).is_some_and(|last| labels.contains(&last)),
            Formula::Can(labels) => self.can(labels, moment),
            Formula::Terminated => self.interpreter.is_terminated(state),
            Formula::Not(inner) => !self.holds(inner, moment),
            Formula::And(parts) => parts.iter().all(|part| self.holds(part, moment)),
            Formula::Or(parts) => parts.iter().any(|part| self.holds(part, moment)),
        }
    }
}
