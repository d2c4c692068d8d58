//! Runs as evidence, and their replay by the rules: what was found by other means is believed when the rules
//! have gone the same way.
//!
//! In: a [`Run`], stores with the steps between them. Out: the states that the rules come through, or the
//! first step that they do not make. A store may belong to several states, which differ in what is left to
//! do; of these the ways to the last state are kept.

use paramcheck_text::source::Span;
use rustc_hash::FxHashSet;

use super::evaluate::Value;
use super::explore::holds_in;
use super::step::{Fairness, Label, Rules, State, Stepper};
use super::store::Store;
use crate::model::{AgentId, System};
use crate::number::Fault;

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The values in the beginning.
    pub initial: Vec<Value>,
    /// The steps, and the stores after them.
    pub steps: Vec<(Label, Store)>,
}

/// How a run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It goes on, or whether it does is of no matter.
    Open,
    /// Nothing can happen any more.
    Stuck,
    /// It comes back to the state before the step of this number, from 0.
    BackTo(usize),
    /// One more step leaves the language.
    Fault(Label, Fault),
}

/// A run that violates a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The run.
    pub run: Run,
    /// How it ends.
    pub ending: Ending,
    /// Of what can always still be reached: how many states were searched from the end of the run.
    pub searched: Option<usize>,
}

/// Why a run is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoRun {
    /// An assumption does not allow these values in the beginning, or they are no initial values.
    Initial,
    /// The rules do not make the step of this number, from 0.
    Step(usize),
    /// It does not end so.
    Ending,
    /// A step has too many outcomes: whether it is a run is not known.
    TooMuch,
}

/// The most outcomes of an agent's choices in a state that a replay looks at.
pub const MAX_OUTCOMES: usize = 1 << 20;

/// A run that the rules have gone through.
#[derive(Debug)]
pub struct Replayed<'a> {
    /// Its states, the initial one first.
    pub states: Vec<State>,
    stepper: Stepper<'a>,
}

impl Replayed<'_> {
    /// Where what an agent does in the step of this number, from 0, is written; messages are nowhere.
    pub fn place(&mut self, step: usize, label: &Label) -> Option<Span> {
        let (before, after) = (self.states.get(step)?, self.states.get(step + 1)?);
        match label {
            Label::Act(agent) => self.stepper.place_of(before, *agent, &Ok(after.clone())),
            Label::Propagate(..) | Label::Confirm(..) => None,
        }
    }

    /// Where the step of this agent is written that leads out of the language from the end of the run.
    pub fn fault_place(&mut self, label: &Label, fault: Fault) -> Option<Span> {
        match label {
            Label::Act(agent) => self.stepper.place_of(self.states.last()?, *agent, &Err(fault)),
            Label::Propagate(..) | Label::Confirm(..) => None,
        }
    }

    /// Whether all states that can be reached from the end of the run are such; unknown, if there are more
    /// than `most`.
    pub fn all_behind(&mut self, most: usize, is_such: impl Fn(&Store) -> bool) -> Option<bool> {
        let mut open: Vec<State> = self.states.last().cloned().into_iter().collect();
        let mut known: FxHashSet<State> = open.iter().cloned().collect();
        while let Some(state) = open.pop() {
            if !is_such(&state.store) {
                return Some(false);
            }
            for (_, outcome) in self.stepper.successors(&state) {
                if let Ok(next) = outcome
                    && !known.contains(&next)
                {
                    if known.len() >= most {
                        return None;
                    }
                    known.insert(next.clone());
                    open.push(next);
                }
            }
        }
        // With outcomes that were not looked at, others may lie behind.
        (!self.stepper.is_cut()).then_some(true)
    }
}

/// Goes through a run by the rules. Its states, the initial one first.
///
/// # Errors
/// It is no run.
pub fn replay(system: &System, rules: Rules, run: &Run, ending: &Ending) -> Result<Vec<State>, NoRun> {
    replay_all(system, rules, run, ending).map(|replayed| replayed.states)
}

/// The same, for who wants to know more about the run.
///
/// # Errors
/// It is no run.
pub fn replay_all<'a>(
    system: &'a System,
    rules: Rules,
    run: &Run,
    ending: &Ending,
) -> Result<Replayed<'a>, NoRun> {
    let allowed = |(value, initial): (&Value, &crate::model::Initial)| initial.has(*value);
    let assumed = |formula| holds_in(system, formula, &run.initial, &rules) == Ok(true);
    let has_values = run.initial.len() == system.initial.len()
        && run.initial.iter().zip(&system.initial).all(allowed)
        && system.assumptions.iter().all(|one| assumed(&one.formula));
    if !has_values {
        return Err(NoRun::Initial);
    }
    let mut stepper = Stepper::limited(system, rules, MAX_OUTCOMES);
    // Per position the states that are possible there, and which state before each came from.
    let mut layers: Vec<Vec<(State, usize)>> = vec![vec![(stepper.initial(run.initial.clone()), 0)]];
    for (number, (label, store)) in run.steps.iter().enumerate() {
        let mut next: Vec<(State, usize)> = Vec::new();
        for (from, (state, _)) in layers[number].iter().enumerate() {
            for (made, outcome) in stepper.successors(state) {
                if let Ok(state) = outcome
                    && made == *label
                    && state.store == *store
                    && !next.iter().any(|(known, _)| *known == state)
                {
                    next.push((state, from));
                }
            }
        }
        if next.is_empty() {
            return Err(if stepper.is_cut() { NoRun::TooMuch } else { NoRun::Step(number) });
        }
        layers.push(next);
    }
    let ways = layers.last().map_or(0, Vec::len);
    let mut all = (0..ways).map(|end| way(&layers, end));
    let labels: Vec<&Label> = run.steps.iter().map(|(label, _)| label).collect();
    let found = all.find(|states| ends_so(&mut stepper, rules.fairness, (states, &labels), ending));
    match found {
        Some(states) => Ok(Replayed { states, stepper }),
        None if stepper.is_cut() => Err(NoRun::TooMuch),
        None => Err(NoRun::Ending),
    }
}

/// The states on the way to one of the last.
fn way(layers: &[Vec<(State, usize)>], end: usize) -> Vec<State> {
    let mut at = end;
    let mut states: Vec<State> = layers
        .iter()
        .rev()
        .filter_map(|layer| {
            let (state, from) = layer.get(at)?;
            at = *from;
            Some(state.clone())
        })
        .collect();
    states.reverse();
    states
}

/// Whether the run through these states, by these steps, ends so, as far as that is known.
fn ends_so(
    stepper: &mut Stepper<'_>,
    fairness: Fairness,
    (states, labels): (&[State], &[&Label]),
    ending: &Ending,
) -> bool {
    let Some(last) = states.last() else { return false };
    match ending {
        Ending::Open => true,
        Ending::Stuck => stepper.successors(last).is_empty() && !stepper.is_cut(),
        Ending::BackTo(step) => {
            *step + 1 < states.len()
                && states[*step] == *last
                && is_fair(stepper, fairness, &states[*step..], &labels[*step..])
        }
        Ending::Fault(label, fault) => {
            let mut all = stepper.successors(last).into_iter();
            all.any(|(made, outcome)| made == *label && outcome == Err(*fault))
        }
    }
}

/// Whether going round through these states by these steps for ever is fair; the last state is the first again.
fn is_fair(stepper: &mut Stepper<'_>, fairness: Fairness, states: &[State], labels: &[&Label]) -> bool {
    if fairness == Fairness::None {
        return true;
    }
    let mut able: Vec<FxHashSet<AgentId>> = Vec::new();
    for state in &states[..labels.len()] {
        able.push(stepper.successors(state).iter().map(|(label, _)| label.agent()).collect());
    }
    // Who can do what was not looked at is not known to rest.
    if stepper.is_cut() {
        return false;
    }
    let agents: FxHashSet<AgentId> = able.iter().flatten().copied().collect();
    agents.into_iter().all(|agent| {
        let acts = labels.iter().any(|label| label.agent() == agent);
        // It is able somewhere, so that under strong fairness it must act.
        acts || fairness == Fairness::Weak && able.iter().any(|able| !able.contains(&agent))
    })
}

/// The cells that differ between two stores, with their values in the second.
pub fn changes(before: &Store, after: &Store) -> Vec<(usize, Value)> {
    let both = before.cells.iter().zip(&after.cells).enumerate();
    both.filter(|(_, (before, after))| before != after).map(|(cell, (_, after))| (cell, *after)).collect()
}
