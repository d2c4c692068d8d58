//! A run that was replayed, written out: it needs no interpreter any more.

use super::{Evidence, Run};
use crate::model::LabelId;
use crate::semantics::network::{Interpreter, Step};

/// The longest text of a process, in bytes; about this many, for names are not cut.
const MAX_SHOWN: usize = 100;

/// A run that violates a check: evidence that the rules have accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// What each agent is at first.
    pub initial: Vec<String>,
    /// The steps.
    pub steps: Vec<ExecutionStep>,
    /// For an infinite run, the number of steps before the loop: all others repeat for ever.
    pub loop_start: Option<usize>,
    /// How a finite run ends.
    pub end: Option<RunEnd>,
    /// With round-robin, whose turn it is where a finite run ends.
    pub end_turn: Option<u32>,
}

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutionStep {
    /// What is done.
    pub label: LabelId,
    /// For a `tau` made of an action and its co-action: the action.
    pub via: Option<LabelId>,
    /// With round-robin, whose turn it is.
    pub turn: Option<u32>,
    /// Who takes part, ascending, and what each is afterwards.
    pub participants: Vec<(u32, String)>,
}

/// How a finite run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// Every agent has terminated.
    Terminated,
    /// Nothing can move.
    Stuck,
    /// It could go on.
    Open,
}

impl Execution {
    /// Writes out a run with what the rules make of it.
    pub fn new(interpreter: &mut Interpreter<'_>, run: &Run, evidence: &Evidence) -> Self {
        let first = run.states.first().map_or(&[][..], Vec::as_slice);
        let last = run.states.last().map_or(&[][..], Vec::as_slice);
        let end = match run.loop_start {
            Some(_) => None,
            None if interpreter.is_terminated(last) => Some(RunEnd::Terminated),
            None if interpreter.steps(last).is_ok_and(|steps| steps.is_empty()) => Some(RunEnd::Stuck),
            None => Some(RunEnd::Open),
        };
        let turn = |moment: usize| evidence.turns.get(moment).copied().flatten();
        let step = |(moment, step): (usize, &Step)| ExecutionStep {
            label: step.label,
            via: step.via,
            turn: turn(moment),
            participants: step
                .changes
                .iter()
                .map(|(agent, behaviour)| (*agent, interpreter.show(*behaviour, MAX_SHOWN)))
                .collect(),
        };
        Execution {
            initial: first.iter().map(|behaviour| interpreter.show(*behaviour, MAX_SHOWN)).collect(),
            steps: evidence.steps.iter().enumerate().map(step).collect(),
            loop_start: run.loop_start,
            end,
            end_turn: turn(run.steps.len()).filter(|_| run.loop_start.is_none()),
        }
    }
}
