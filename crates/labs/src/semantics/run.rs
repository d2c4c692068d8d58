//! Runs as evidence, and their replay by the rules: what was found by other means is believed when the rules
//! have gone the same way.
//!
//! In: a [`Run`], stores with the steps between them. Out: the states that the rules come through, or the
//! first step that they do not make. A store may belong to several states, which differ in what is left to
//! do; of these the ways to the last state are kept.

use paramcheck_text::limits::Budget;
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
    /// All states that are possible at each position, and from which each of them came.
    layers: Vec<Vec<(State, usize)>>,
    stepper: Stepper<'a>,
}

/// What lies behind the end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behind {
    /// So many states, all of them as wanted, and no step leads out of them.
    Closed(usize),
    /// One that is not as wanted, whichever way the run went.
    Other,
    /// More than could be looked at.
    TooMuch,
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

    /// What lies behind the end of the run: a closed set of states as wanted, of at most so many. A run that may
    /// have gone several ways is left to one behind which such a set lies.
    pub fn behind(&mut self, most: usize, budget: &Budget, is_such: impl Fn(&Store) -> bool) -> Behind {
        let ends: Vec<State> = self.layers.last().into_iter().flatten().map(|(end, _)| end.clone()).collect();
        let mut found = Behind::Other;
        for (number, end) in ends.into_iter().enumerate() {
            match closed(&mut self.stepper, end, most, budget, &is_such) {
                Behind::Other => {}
                Behind::TooMuch => found = Behind::TooMuch,
                Behind::Closed(states) => {
                    self.states = way(&self.layers, number);
                    return Behind::Closed(states);
                }
            }
        }
        found
    }
}

/// The set of all states that can be reached from one: closed, if all were looked at.
fn closed(
    stepper: &mut Stepper<'_>,
    from: State,
    most: usize,
    budget: &Budget,
    is_such: impl Fn(&Store) -> bool,
) -> Behind {
    let mut pace = budget.pace();
    let mut known: FxHashSet<State> = FxHashSet::default();
    known.insert(from.clone());
    let mut open = vec![from];
    while let Some(state) = open.pop() {
        if !is_such(&state.store) {
            return Behind::Other;
        }
        for (_, outcome) in stepper.successors(&state) {
            let Ok(next) = outcome else { continue };
            if known.contains(&next) {
                continue;
            }
            if known.len() >= most || pace().is_err() {
                return Behind::TooMuch;
            }
            known.insert(next.clone());
            open.push(next);
        }
    }
    // With outcomes that were not looked at, others may lie behind.
    if stepper.is_cut() { Behind::TooMuch } else { Behind::Closed(known.len()) }
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
        Some(states) => Ok(Replayed { states, layers, stepper }),
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
