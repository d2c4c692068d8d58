//! From states and triples of a program back to runs of the system.

use paramcheck_labs::model::{AgentId, System};
use paramcheck_labs::semantics::run::Run;
use paramcheck_labs::semantics::step::Label;
use paramcheck_labs::semantics::store::Store;
use paramcheck_text::index::Idx;

use crate::evolution::State;
use crate::replay::Replayed;
use crate::triple::TripleId;

use super::AgentProgram;

/// A run of a program as one of the system.
#[derive(Clone, Debug)]
pub struct AgentRun {
    /// Its steps.
    pub run: Run,
    /// The step behind it that leads out of the language, if it ends so.
    pub fault: Option<Label>,
    /// For an infinite run, the number of steps before the loop.
    pub loop_start: Option<usize>,
}

impl AgentProgram {
    /// A run of this program as one of the system.
    pub fn run(&self, system: &System, replayed: &Replayed, is_sync: bool) -> Option<AgentRun> {
        let first = replayed.states.first()?;
        let mut run = Run { initial: self.cells.decode(&first.values), steps: Vec::new() };
        let mut fault = None;
        let mut loop_start = None;
        // Between the messages of a step there is no state of the system: a loop that begins there is gone
        // through a second time, up to the first state that there is.
        let steps = replayed.steps.len();
        let again = replayed.loop_start.filter(|_| is_sync).map_or(steps..steps, |start| start..steps);
        // The act whose messages are being sent.
        let mut open: Option<Label> = None;
        for (number, position) in (0..steps).chain(again).enumerate() {
            let is_inside = replayed.loop_start.is_some_and(|start| position >= start);
            if is_inside && open.is_none() && loop_start.is_none() {
                loop_start = Some(run.steps.len());
            }
            if number >= steps && open.is_none() {
                break;
            }
            let triple = replayed.steps.get(position)?;
            let meaning = self.meanings.get(*triple)?.clone()?;
            let state = replayed.states.get(position + 1)?;
            let label = match (&meaning.label, &open) {
                (Label::Act(_), _) | (_, None) => meaning.label.clone(),
                (_, Some(act)) => act.clone(),
            };
            if meaning.is_fault {
                fault = Some(label);
                break;
            }
            let store = self.store(system, state);
            let is_quiet = !system.agents.indices().any(|agent| store.is_pending(system, agent));
            if is_sync && !is_quiet {
                open = Some(label);
                continue;
            }
            open = None;
            run.steps.push((label, store));
        }
        Some(AgentRun { run, fault, loop_start })
    }

    /// What a triple is in the system, and whether it leaves the language; nothing for what joins operands.
    pub fn meaning(&self, triple: TripleId) -> Option<(&Label, bool)> {
        let meaning = self.meanings.get(triple)?.as_ref()?;
        Some((&meaning.label, meaning.is_fault))
    }

    /// A state as a store.
    pub fn store(&self, system: &System, state: &State) -> Store {
        let mut store = Store::new(system, self.cells.decode(&state.values));
        let value = |id: Option<crate::expression::VariableId>| {
            id.and_then(|id| state.values.get(id.index()).copied())
        };
        for (tuple, copies) in system.tuples.indices().zip(&self.shared.copies) {
            let holders: Vec<AgentId> = system.holders(tuple).collect();
            let mut ranked: Vec<(i64, AgentId)> = Vec::new();
            for (agent, copy) in holders.iter().zip(copies) {
                store.set_confirms(system, *agent, tuple, value(copy.confirm) == Some(1));
                store.set_propagates(system, *agent, tuple, value(copy.propagate) == Some(1));
                ranked.extend(value(copy.rank).map(|rank| (rank, *agent)));
            }
            // From the oldest on each becomes the newest, or as new as the one before.
            ranked.sort_unstable();
            for (position, (rank, agent)) in ranked.iter().enumerate() {
                match position.checked_sub(1).map(|before| ranked[before]) {
                    Some((before, other)) if before == *rank => store.level(system, &[*agent], other, tuple),
                    _ => store.renew(system, *agent, tuple),
                }
            }
        }
        store.turn = usize::try_from(value(self.shared.turn).unwrap_or(0)).unwrap_or(0);
        store
    }

    /// Whether a run of the program ends in a fault.
    pub fn is_fault(&self, state: &State) -> bool {
        self.fault.is_some_and(|fault| state.values.get(fault.index()) == Some(&1))
    }
}
